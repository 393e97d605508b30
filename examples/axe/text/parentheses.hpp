// Finds a `)` without a `(`, which would close a parenthesis that the program adds around a text.
#pragma once

#include <cstddef>
#include <string_view>

namespace text {

/// The position of the first `)` without a `(`, or npos.
inline std::size_t stray_parenthesis(std::string_view text) {
  int depth = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    depth += text[k] == '(' ? 1 : text[k] == ')' ? -1 : 0;
    if (depth < 0) return k;
  }
  return text.npos;
}

}  // namespace text
