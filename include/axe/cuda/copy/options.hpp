// SPDX-License-Identifier: MIT
// The options of a copy, as template arguments. They combine with |.
//
//     copy<zero_fill>(from, to, scope);                         elements out of bounds become 0
//     copy<force<copy_instruction::vector_4>>(from, to, scope); 4 bytes, or an error
#pragma once

#include <axe/plan/copy_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// What signals the end of a copy: program order, a group of asynchronous copies, or an mbarrier.
enum class copy_completion : unsigned char { in_order, group, barrier };

/// All options as one value. Programs combine the constants at the end of this header.
struct copy_how {
  copy_instruction force = copy_instruction::any;
  copy_outside outside = copy_outside::skip;
  copy_completion completion = copy_completion::in_order;
  bool mapped = false;  // the tile in global memory has a tensor map
  tma_reduction reduction = tma_reduction::none;
  cache_hint cache = cache_hint::none;
  bool allows_slow = false;
  unsigned ctas = 0;  // a bit for each CTA that receives a tensor load; 0: this CTA

  constexpr bool operator==(copy_how const&) const = default;
  /// Options that b sets win.
  AXE_FN friend constexpr copy_how operator|(copy_how const& a, copy_how const& b) {
    auto all = __builtin_bit_cast(members, a);
    auto const right = __builtin_bit_cast(members, b);
    for (int k = 0; k < 7; ++k)
      if (right.options[k] != 0) all.options[k] = right.options[k];
    if (right.ctas != 0) all.ctas = right.ctas;
    return __builtin_bit_cast(copy_how, all);
  }

  struct members {
    unsigned char options[7];
    unsigned ctas;
  };
};

/// A copy_how as one number, because compilers print template arguments in full: seven options of 5
/// bits, then 24 bits of `ctas`.
struct packed_how {
  unsigned long long bits = 0;

  AXE_FN constexpr packed_how(copy_how const& how = {}) {
    auto const all = __builtin_bit_cast(copy_how::members, how);
    bits = all.ctas >> 24 == 0 ? all.ctas : 0xffffff;  // a number that no plan accepts
    for (int k = 6; k >= 0; --k) bits = bits << 5 | all.options[k];
  }
  template <class Other> AXE_FN constexpr packed_how(Other const&) {
    static_assert(detail::never<Other>,
                  "options of a copy are axe::zero_fill, axe::force<axe::copy_instruction::...> "
                  "and so on, joined by |");
  }
  AXE_FN constexpr operator copy_how() const {
    copy_how::members all{{}, static_cast<unsigned>(bits >> 35)};
    for (int k = 0; k < 7; ++k) all.options[k] = static_cast<unsigned char>(bits >> 5 * k & 31);
    return __builtin_bit_cast(copy_how, all);
  }
};

namespace detail {
AXE_FN constexpr copy_instruction vector_of_bytes(integer bytes) {
  for (copy_instruction const i :
       {copy_instruction::vector_16, copy_instruction::vector_8, copy_instruction::vector_4,
        copy_instruction::vector_2, copy_instruction::vector_1})
    if (bytes_of(i) == bytes) return i;
  return copy_instruction::any;
}
}  // namespace detail

/// The copy uses this instruction or is rejected. Without `auto`, nvcc 13.0 loses the value in some
/// template arguments.
template <copy_instruction Instruction> inline constexpr auto force = copy_how{Instruction};
inline constexpr copy_how zero_fill{copy_instruction::any, copy_outside::zero};
/// Options of tensor copies: a reduction, and a multicast to the CTAs whose bits are set.
template <tma_reduction How> inline constexpr auto reducing = copy_how{.reduction = How};
template <unsigned Ctas> inline constexpr auto to_ctas = copy_how{.ctas = Ctas};
template <cache_hint Hint> inline constexpr auto cached = copy_how{.cache = Hint};
/// Accepts slow copies (docs/plans.md, "Slow copies").
inline constexpr copy_how allow_slow{.allows_slow = true};

}  // namespace AXE_NAMESPACE
}  // namespace axe
