// Where digits of a place begin, 1 | b0 | b1 | …, and the layout that has a stride for each of
// them.
//
//     boundaries 15, 3675        3684 = 9 * 1 + 0 * 15 + 1 * 3675: digits 9, 0, 1
//                                with strides 0, 2, 1 up to place 3954: (15,245,2):(0,2,1)
//
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/coalesce.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {
namespace detail {

struct boundaries : list<integer, 24> {
  AXE_FN constexpr integer last() const { return this->empty() ? 1 : this->back(); }

  AXE_FN constexpr void digits_of(integer place, integer* into) const {
    integer begin = 1;
    for (int k = 0; k < this->size(); ++k) {
      into[k] = place % (*this)[k] / begin;
      begin = (*this)[k];
    }
    into[this->size()] = place / begin;
  }

  /// The digits as leaves, the last of them up to the place `most`. False where they are too many.
  AXE_FN constexpr bool leaves(integer const* strides, integer most, leaf_list& digits) const {
    bool fits = true;
    integer begin = 1;
    for (int k = 0; k <= this->size(); ++k) {
      integer const end = k < this->size() ? (*this)[k] : (most / begin + 1) * begin;
      if (!add_coalesced(digits, {end / begin, strides[k]})) fits = false;
      begin = end;
    }
    if (!digits.empty()) {
      begin /= digits.back().extent;  // the last digit need not go on behind the last place
      digits.back().extent = most / begin + 1;
    }
    return fits;
  }
};

}  // namespace detail
}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
