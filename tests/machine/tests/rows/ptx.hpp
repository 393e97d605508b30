// Writes the PTX of test kernels.
//
//     filled("ld.global.b$W %d, [%in];\n", {{"$W", 32}})   "ld.global.b32 %d, [%in];\n"
//     numbered("%d", 3)                                    "%d0, %d1, %d2"
//     braces("%d", 3)                                      "{%d0, %d1, %d2}"
#pragma once

#include <concepts>
#include <initializer_list>
#include <string>

#include "text/error.hpp"

namespace machine_rows {

struct substitution {
  std::string name, text;
  substitution(std::string what, std::string by) : name(std::move(what)), text(std::move(by)) {}
  template <std::integral T>
  substitution(std::string what, T by) : substitution(std::move(what), std::to_string(by)) {}
};

/// Replaces every occurrence of each name, in the order of the list. The text for a name may have
/// names of later entries. No name may begin with another one.
inline std::string filled(std::string text, std::initializer_list<substitution> list) {
  for (auto const& each : list)
    for (auto at = text.find(each.name); at != std::string::npos;
         at = text.find(each.name, at + each.text.size()))
      text.replace(at, each.name.size(), each.text);
  return text;
}

inline std::string numbered(char const* stem, unsigned count, unsigned first = 0) {
  std::string text;
  for (unsigned k = 0; k < count; ++k) text += machine::say(k == 0 ? "" : ", ", stem, first + k);
  return text;
}

inline std::string braces(char const* stem, unsigned count, unsigned first = 0) {
  return "{" + numbered(stem, count, first) + "}";
}

}  // namespace machine_rows
