// SPDX-License-Identifier: MIT
// boundaries: digits of a place, fastest first, between boundaries that divide one another.
//
//     boundaries 15, 3675     3684 has the digits 9, 0, 1
//
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/engine/memory_digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct boundaries : list<integer, 24> {
  AXE_FN constexpr integer last() const { return this->count == 0 ? 1 : this->back(); }

  AXE_FN constexpr void digits_of(integer place, integer* into) const {
    integer begin = 1;
    for (int k = 0; k < this->count; ++k) {
      into[k] = place % (*this)[k] / begin;
      begin = (*this)[k];
    }
    into[this->count] = place / begin;
  }

  /// The digits with these strides, for places 0 to `most` or more.
  AXE_FN constexpr memory_digits digits(integer const* strides, integer most) const {
    memory_digits found;
    integer begin = 1;
    for (int k = 0; k <= this->count; ++k) {
      integer const extent = k < this->count ? (*this)[k] / begin : most / begin + 1;
      found.add(extent, strides[k]);
      if (!multiply(begin, extent)) return found;
    }
    if (found.digits.count != 0) {
      begin /= found.digits[0].extent;
      found.digits[0].extent = most / begin + 1;
    }
    return found;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
