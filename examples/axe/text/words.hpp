// Splits the words of a command line into options by name and the other words in order.
//
//     words w = split({"S[4:1]", "--shape", "4", "--json"}, {{"--shape", true}, {"--json"}});
//     w.rest == {"S[4:1]"},  w.last("--shape") == "4",  w.has("--json")
//
// `--shape=4` means `--shape 4`, and `--` ends the options. A word that begins with '--', or with
// '-' and a letter, must be an option. Others such as -3 are expressions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace text {

struct option {
  std::string_view name;
  bool takes_value = false;
};

struct words {
  std::vector<std::string> rest;
  std::vector<std::pair<std::string, std::string>> options;
  std::string problem;  // the first mistake as a sentence, or ""

  bool has(std::string_view name) const { return last(name).has_value(); }
  std::optional<std::string> last(std::string_view name) const;
  std::vector<std::string> all(std::string_view name) const;
};

words split(std::vector<std::string> const& given, std::vector<option> const& known);

/// "--shape is missing: add the shape of the tensor, as in --shape 8,16".
std::string missing(std::string_view option, std::string_view meaning, std::string_view value);

/// Reads a whole number from 1 to 2^63 - 1, or returns nothing.
std::optional<long long> positive_number(std::string_view digits);

}  // namespace text
