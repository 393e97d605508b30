// axe draw: draws a layout (draw/command.hpp), an access, an operation or a plan.
#include "commands/draw_operation.hpp"
#include "commands/request.hpp"
#include "draw/command.hpp"
#include "text/shortened.hpp"

#include <axe/draw/conflict_picture.hpp>

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace program {

namespace {

/// Reads a layout for `axe draw`. `tensor` is the text of --shape, which encodings of Triton need.
axe::layout read_expression(std::string const& text, std::vector<std::string> const& declared,
                            std::string const& tensor, std::ostream& err) {
  std::vector<std::string> words;
  if (!tensor.empty()) words.insert(words.end(), {"--shape", tensor});
  for (std::string const& one : declared) words.insert(words.end(), {"--axis", one});
  words.insert(words.end(), {"--", text});
  request r("draw", words, {});
  if (!r.read_layouts({"LAYOUT"}, "LAYOUT")) throw std::runtime_error(r.sentence());
  r.write_notes(err);
  return r.layouts.front();
}

/// Reads the option --access, as in --access 'ldmatrix_rows(16)'.
bool read_access(request& r, calculator::accessed& out) {
  std::string const text = *r.given.last("--access");
  calculator::session session(r.steps());
  calculator::answer const a = session.evaluate(text);
  if (auto const* found = std::get_if<calculator::shared<calculator::accessed>>(&a.held);
      a.how == calculator::outcome_of_line::answered && found != nullptr) {
    out = **found;
    return true;
  }
  if (a.how != calculator::outcome_of_line::answered) return r.fail(a.words);
  return r.fail("--access needs an access, as in --access 'ldmatrix_rows(16)', not '" +
                text::shortened(text) + "'");
}

int draw_access(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("draw --access", given, {{"--access", true}, {"-o", true}, {"--name", true}});
  calculator::accessed access;
  if (!r.read(1, "LAYOUT") || !read_access(r, access)) return r.report(err);
  r.write_notes(err);
  axe::layout const& l = r.layouts.front();
  axe::outcome<axe::access_pattern> const a = access.on(r.shape);
  if (!a) return r.refuse(a.why, {&l, nullptr, &r.shape}), r.report(err);
  axe::outcome<axe::shared_traffic> const traffic =
      axe::try_shared_memory(l, r.shape, *a, axe::step_limit(r.steps()));
  if (!traffic) return r.refuse(traffic.why, {&l, nullptr, &r.shape}), r.report(err);
  axe::draw_options options;
  options.name = r.given.last("--name").value_or("");
  axe::drawing::picture p = axe::drawing::conflict_picture(l, r.shape, *a, *traffic);
  return draw::write_svg(r.given.last("-o").value_or("layout.svg"),
                         axe::drawing::svg_picture(p, options), out, err);
}

bool has_option(std::vector<std::string> const& given, std::string const& name) {
  return std::any_of(given.begin(), given.end(), [&](std::string const& word) {
    return word == name || word.starts_with(name + "=");
  });
}

}  // namespace

int run_draw(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  auto const read = [&](std::string const& text, std::vector<std::string> const& declared,
                        std::string const& tensor) {
    return read_expression(text, declared, tensor, err);
  };
  if (has_option(given, "--json")) {
    err << "axe draw: a picture has no JSON; leave out --json\n";
    return bad_input;
  }
  if (!given.empty() && (given.front() == "mma" || given.front() == "reduce")) {
    err << "axe draw: a plan of " << given.front() << " has no picture; use axe plan "
        << given.front() << '\n';
    return bad_input;
  }
  if (!given.empty())
    for (char const* plan : {"copy", "tma", "convert", "reshard"})
      if (given.front() == plan) {
        std::vector<std::string> words = given;
        words.insert(words.begin() + 1, {"-o", "layout.svg"});  // the last -o counts
        return run_plan(words, out, err);
      }
  if (has_option(given, "--access")) return draw_access(given, out, err);
  if (has_option(given, "--operation")) return draw_operation(given, out, err);
  return draw::command(given, out, err, read);
}

std::string help_draw() { return draw::usage(); }

}  // namespace program
