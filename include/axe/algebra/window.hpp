// SPDX-License-Identifier: MIT
// window(L, S, W): the layout shared by all slices of extents W, for dynamic origins.
//
//     S[(128,64):(64,1)], windows (16,16)     S[(16,16):(64,1)], origin (i,j): offset 64*i + j
//
// Digits must not span dimensions. In each dimension, W's extent must be the product of the fastest
// digits' extents and a divisor of the next extent. If the next digit is the slowest, any factor is
// allowed.
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
  list<integer, capacity::shards> steps;
  list<int, capacity::shards> move_counts;  // by dimension
  list<iter, capacity::shards> moves;       // digits that origins change, slowest first
  list<integer, capacity::shards> below;    // elements per step of these digits

  /// The window's place relative to origin 0. Does not check the origin.
  AXE_LAZY_FN constexpr place offset(integer const* origin) const {
    place p;
    int k = 0;
    for (int d = 0; d < move_counts.count; ++d)
      for (int last = k + move_counts[d], first = k; k < last; ++k) {
        integer const digit =
            k == first ? origin[d] / below[k] : origin[d] / below[k] % moves[k].extent;
        p.add({digit * moves[k].stride, moves[k].on});
      }
    return p;
  }
};

namespace detail {

AXE_LAZY_FN constexpr refusal window_of_dimension(iter_list const& block, int dimension,
                                                  integer extent, integer wanted,
                                                  digit_builder& part, window_family& family) {
  integer rest = wanted;
  integer below = 1;
  int p = block.count - 1;
  for (; p >= 0 && rest % block[p].extent == 0; --p) {
    rest /= block[p].extent;
    below *= block[p].extent;
  }
  integer step = p < 0 ? wanted : below;
  if (p >= 0) {
    if (p > 0 && block[p].extent % rest != 0)
      return {rule::windows_differ, {dimension, wanted, block[p].extent, rest}};
    if (p > 0) step = wanted;
    part.push({rest, block[p].stride, block[p].on});
  }
  for (int k = p + 1; k < block.count; ++k) part.push(block[k]);
  family.steps.push(step);
  // At each origin the digits after p are 0.
  integer weight = extent;
  for (int k = 0; k <= p; ++k) {
    weight /= block[k].extent;
    if (!family.moves.push(block[k]) || !family.below.push(weight))
      return {rule::too_many_shards, {family.moves.count + 1}};
  }
  family.move_counts.push(p + 1);
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
  digit_builder digits;
  refusal const bad = for_each_run(
      canonical_shards(l.shards), dimensions, [&](int first, int count, iter_list const& block) {
        if (count > 1)
          return refusal{rule::window_dimensions_share_a_digit, {first, first + count - 1}};
        return window_of_dimension(block, first, dimensions[first], wanted[first], digits, family);
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
