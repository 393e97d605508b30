// The words of a command line: options by name, the rest in order.
//
//     words w = split({"S[4:1]", "--shape", "4", "--json"}, {{"--shape", true}, {"--json", false}});
//     w.rest == {"S[4:1]"},  w.last("--shape") == "4",  w.has("--json")
//
// `--shape=4` is `--shape 4`. `--` ends the options. A single '-' begins no option unless it is
// one: -3 is an expression.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace program {

struct option {
  std::string_view name;
  bool takes_value = false;
};

struct words {
  std::vector<std::string> rest;
  std::vector<std::pair<std::string, std::string>> options;
  std::string problem;  // a sentence; empty when all is well

  bool has(std::string_view name) const { return last(name).has_value(); }
  std::optional<std::string> last(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
};

words split(std::vector<std::string> const& given, std::vector<option> const& known);

/// A whole number of at least 1; nothing when the text is none.
std::optional<long long> positive_number(std::string_view text);

}  // namespace program
