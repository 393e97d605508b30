// SPDX-License-Identifier: MIT
// window(L, S, W): the layout shared by all slices of extents W, for dynamic origins.
//
//     S[(128,64):(64,1)], windows (16,16)     S[(16,16):(64,1)], origin (i,j): offset 64*i + j
//
// If dimensions share digits, W must cover all of them but the slowest. In each dimension, W's
// extent must be the product of the extents of some fastest digits and a factor. The factor must
// divide the extent of the next digit, unless that digit is the slowest.
// Definition: docs/algebra.md, D10.
#pragma once

// First, because g++ prints the chain of includes above errors.
#include <axe/sentence/stop.hpp>

#include <axe/algebra/slice.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The layout that all windows share. Origins along dimension d are multiples of steps[d].
struct window_family {
  layout part;  // without the window's offset
  detail::extent_list steps;
  detail::extent_list pitches;  // elements of the operand from one coordinate to the next
  detail::iter_list digits;     // of the operand

  /// The window's place relative to origin 0. Does not check the origin.
  AXE_LAZY_FN constexpr place offset(integer const* origin) const {
    integer begin = 0;
    for (int d = 0; d < pitches.count; ++d) begin += origin[d] * pitches[d];
    return detail::digit_function(digits)(begin);
  }
};

namespace detail {

/// The window must cover the run's dimensions after `first`.
AXE_LAZY_FN constexpr refusal window_of_run(iter_list const& block, int first, int count,
                                            extent_list const& dimensions,
                                            extent_list const& wanted, digit_builder& part,
                                            integer& step) {
  for (int d = first + 1; d < first + count; ++d)
    if (wanted[d] != dimensions[d])
      return {rule::window_dimensions_share_a_digit,
              {first, first + count - 1, d, dimensions[d], wanted[d]}};
  integer const pitch = product_of_extents(block) / dimensions[first];
  integer rest = wanted[first] * pitch;
  integer below = 1;
  int p = block.count - 1;
  for (; p >= 0 && rest % block[p].extent == 0; --p) {
    rest /= block[p].extent;
    below *= block[p].extent;
  }
  if (p > 0 && block[p].extent % rest != 0)
    return {rule::windows_differ, {first, wanted[first], block[p].extent, rest}};
  step = p == 0 ? below / greatest_common_divisor(below, pitch) : wanted[first];
  if (p >= 0) part.push({rest, block[p].stride, block[p].on});
  for (int k = p + 1; k < block.count; ++k) part.push(block[k]);
  return {};
}

AXE_LAZY_FN constexpr outcome<window_family> window_of(valid_layout operand, shape const& s,
                                                       shape const& window, step_limit& steps) {
  layout const& l = operand;
  extent_list dimensions;
  extent_list wanted;
  if (refusal const bad = admit_dimensions(l, s, dimensions)) return bad;
  if (refusal const bad = dimensions_of(window, wanted)) return of_operand(1, bad);
  if (wanted.count != dimensions.count)
    return refusal{rule::region_has_another_rank, {wanted.count, dimensions.count}};
  for (int d = 0; d < wanted.count; ++d)
    if (wanted[d] > dimensions[d])
      return refusal{rule::window_is_larger, {d, wanted[d], dimensions[d]}};
  window_family family;
  family.steps = wanted;
  family.digits = canonical_shards(l.shards);
  integer below = product_of_extents(family.digits);
  for (integer extent : dimensions) family.pitches.push(below /= extent);
  digit_builder digits;
  refusal const bad =
      for_each_run(family.digits, dimensions, [&](int first, int count, iter_list const& block) {
        return window_of_run(block, first, count, dimensions, wanted, digits, family.steps[first]);
      });
  if (bad) {
    if (l.swizzle.none()) return bad;
    outcome<layout> const plain = try_unswizzled(operand, steps);
    if (!plain) return plain.why.is(rule::undecided) ? plain.why : bad;
    return window_of(valid_layout::proved(*plain), s, window, steps);
  }
  layout part = l;
  part.blocks.clear();
  if (refusal const full = digits.finish(part.shards)) return full;
  outcome<layout> const form = canonical(valid_layout::proved(part));
  if (form.why) return form.why;
  family.part = *form;
  // A swizzle without effect in this window may have one in others.
  family.part.swizzle = drop_idle_swizzle(operand).swizzle;
  return family;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<window_family> try_window(layout const& l, shape const& s,
                                                        shape const& window,
                                                        step_limit steps = {}) {
  detail::valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  return detail::window_of(operand, s, window, steps);
}

AXE_LAZY_FN constexpr window_family window(layout const& l, shape const& s, shape const& extents) {
  return detail::stop_on(try_window(l, s, extents), "window", {&l, nullptr, &s, &extents});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
