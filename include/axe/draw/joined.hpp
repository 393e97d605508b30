// SPDX-License-Identifier: MIT
// One string from parts and numbers: joined("M", 3, " ", 0) == "M3 0".
//
// g++ 12 wrongly warns of an overlapping copy in `"M" + std::to_string(3)` (GCC bug 105329).
#pragma once

#include <axe/config.hpp>

#include <string>
#include <type_traits>

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

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
