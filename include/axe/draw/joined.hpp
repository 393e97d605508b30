// SPDX-License-Identifier: MIT
// Strings from parts.
//
//     joined("M", 3, " ", 0) == "M3 0"        listed({"8", "6,10", "1"}, "/") == "8/6,10/1"
//
// g++ 12 wrongly warns of an overlapping copy in `"M" + std::to_string(3)` (GCC bug 105329).
#pragma once

#include <axe/config.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

template <class... Parts> std::string joined(Parts const&... parts) {
  std::string out;
  auto const add = [&](auto const& part) {
    if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(part)>>)
      out += std::to_string(part);
    else
      out += part;
  };
  (add(parts), ...);
  return out;
}

inline std::string listed(std::vector<std::string> const& all, char const* separator) {
  std::string out;
  for (std::string const& one : all) out += (out.empty() ? "" : separator) + one;
  return out;
}

/// The number of characters. UTF-8 continuation bytes do not count.
inline std::size_t characters(std::string const& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
