// Values and answers as JSON, one object for each line. docs/cli.md has the schema.
#pragma once

#include "eval/session.hpp"
#include "support/json.hpp"

namespace calculator {

void write(text::json& out, axe::axis a);          // "lane"; null for the null axis
void write(text::json& out, axe::place const& p);  // {"lane":8,"warp":6}
// Writes [8,16], nested as the tree is. An integer is written as a number.
void write(text::json& out, axe::tree const& t);
void write(text::json& out, axe::layout const& l);
void write(text::json& out, axe::placement const& set);
void write(text::json& out, axe::piece const& part);
void write(text::json& out, value const& v);

/// The answer as one line: {"line":1,"status":"answered","kind":"layout","text":…,"value":…}
std::string to_json(answer const& a, axe::integer line);

}  // namespace calculator
