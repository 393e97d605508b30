// One string of several parts, numbers among them.
//
//     joined("M", 3, " ", 0, "h", 12)      "M3 0h12"
//
// Instead of `"M" + std::to_string(3) + …`, which g++ 12 takes for an overlapping copy (GCC bug
// 105329, -Wrestrict).
#pragma once

#include <string>
#include <type_traits>

namespace draw {

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

}  // namespace draw
