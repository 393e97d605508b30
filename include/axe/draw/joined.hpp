// SPDX-License-Identifier: MIT
// joined(parts...) and listed(parts, separator): make strings of parts.
//
//     joined("M", 3, " ", 0) == "M3 0"
//
// g++ 12 wrongly warns of an overlapping copy in `"M" + std::to_string(3)` (GCC bug 105329).
#pragma once

#include <axe/config.hpp>

#include <algorithm>
#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline void append(std::string& to, std::string_view part) { to += part; }

template <std::integral T> void append(std::string& to, T number) { to += std::to_string(number); }

template <class... Parts> std::string joined(Parts const&... parts) {
  std::string out;
  (append(out, parts), ...);
  return out;
}

inline std::string listed(std::vector<std::string> const& all, char const* separator) {
  std::string out;
  for (std::string const& one : all) out += (out.empty() ? "" : separator) + one;
  return out;
}

inline std::size_t characters(std::string const& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
