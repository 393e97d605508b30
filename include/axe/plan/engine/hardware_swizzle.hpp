// SPDX-License-Identifier: MIT
// acts_as_hardware_swizzle(l, chunk, b): true if the hardware's swizzle of 16 * 2^b bytes gives the
// places of l. 16 bytes have 2^chunk elements.
//
//     swizzle(3,4,3) o S[512:1], chunk 3, b 3       true: bit 9 is 0
#pragma once

#include <axe/algebra/equivalent.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr bool acts_as_hardware_swizzle(layout const& l, int chunk, int b) {
  if (l.swizzle.none() || b == 0) return l.swizzle.none() && b == 0;
  if (l.swizzle == axe::swizzle{chunk, b, 3}) return true;
  layout by_hardware = l;
  by_hardware.swizzle = {chunk, b, 3};
  valid_layout other;
  if (other.admit(by_hardware)) return false;
  outcome<bool> const same = same_map(other, valid_layout::proved(l), {});
  return same && *same;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
