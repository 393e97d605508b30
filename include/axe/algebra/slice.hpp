// SPDX-License-Identifier: MIT
// slice(L, S, (b:e, …)): the layout of a region, whose elements keep their places.
//
//     slice(S[(8,8):(100,1)], (64), (4:20))             S[(2,2,4):(100,96,1)] + 4
//
// Definition: docs/algebra.md, D10.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/engine/fit.hpp>
#include <axe/layout/region.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Slices a block whose position i is element first + scale * i of the operand. Adds the place of
/// asked.begin to `start`.
AXE_LAZY_FN constexpr refusal slice_range(iter_list const& digits, range asked, integer first,
                                          integer scale, digit_builder& out, place& start,
                                          step_limit& steps) {
  if (asked.begin != 0) start = start + digit_function(digits)(asked.begin);
  integer below = 1;
  integer begin = asked.begin;
  integer rest = asked.end - asked.begin;
  int p = digits.count - 1;
  for (; p >= 0 && begin % digits[p].extent == 0 && rest % digits[p].extent == 0; --p) {
    rest /= digits[p].extent;
    begin /= digits[p].extent;
    below *= digits[p].extent;
  }
  auto const push_whole_digits = [&] {
    for (int k = p + 1; k < digits.count; ++k) out.push(digits[k]);
    return refusal{};
  };
  if (rest == 1) return push_whole_digits();
  iter const pivot = digits[p];  // the fastest digit that the range cuts
  integer const digit = begin % pivot.extent;
  if (digit + rest <= pivot.extent) {
    out.push({rest, pivot.stride, pivot.on});
    return push_whole_digits();
  }
  // Runs of `grain` steps of the pivot do not cross its boundary.
  integer const grain = greatest_common_divisor(greatest_common_divisor(digit, pivot.extent), rest);
  box_walk starts_of{digit_function(digits), asked.begin, {}, first, scale};
  starts_of.box.push({rest / grain, grain * below, axis::m});
  outcome<iter_list> const starts = fit_digits(starts_of, rest / grain, steps);
  if (starts.why) return starts.why;
  for (iter const& i : *starts) out.push(i);
  out.push({grain, pivot.stride, pivot.on});
  return push_whole_digits();
}

AXE_LAZY_FN constexpr refusal slice_run(box_walk const& walk, digit_builder& out, place& start,
                                        step_limit& steps) {
  if (walk.box.count == 0 || (walk.box.count == 1 && walk.box[0].stride == 1))
    return slice_range(walk.f.digits, {walk.begin, walk.begin + walk.size()}, walk.first,
                       walk.scale, out, start, steps);
  start = start + walk(0);
  outcome<iter_list> const found = fit_digits(walk, walk.size(), steps);
  if (found.why) return found.why;
  for (iter const& i : *found) out.push(i);
  return {};
}

AXE_LAZY_FN constexpr refusal check_region(extent_list const& dimensions, region const& r) {
  if (r.overflowed || r.ranges.count != dimensions.count)
    return {rule::region_has_another_rank, {r.ranges.count, dimensions.count}};
  for (int d = 0; d < dimensions.count; ++d) {
    range const asked = r.ranges[d];
    if (asked.begin < 0 || asked.end > dimensions[d])
      return {rule::region_outside, {d, asked.begin, asked.end, dimensions[d]}};
    if (asked.begin >= asked.end) return {rule::region_empty, {d, asked.begin, asked.end}};
  }
  return {};
}

/// Adds the ranges of `count` dimensions, which have `pitch` elements together.
AXE_LAZY_FN constexpr void add_ranges(box_walk& walk, integer pitch, integer const* extents,
                                      range const* ranges, int count) {
  for (int d = 0; d < count; ++d) {
    pitch /= extents[d];
    walk.begin += ranges[d].begin * pitch;
    push_digit(walk.box, {ranges[d].end - ranges[d].begin, pitch, axis::m});
  }
}

AXE_LAZY_FN constexpr box_walk walk_of(extent_list const& dimensions, region const& r) {
  box_walk walk{digit_function({})};
  integer size = 1;
  for (integer extent : dimensions) size *= extent;
  add_ranges(walk, size, dimensions.at, r.ranges.at, dimensions.count);
  return walk;
}

/// Adds the place of the region's first element to `start`.
AXE_LAZY_FN constexpr refusal slice_digits(iter_list const& whole, extent_list const& dimensions,
                                           region const& r, iter_list& digits, place& start,
                                           step_limit& steps) {
  digit_builder sliced;
  integer const begin = walk_of(dimensions, r).begin;
  integer scale = product_of_extents(whole);
  refusal const bad =
      for_each_run(whole, dimensions, [&](int first, int count, iter_list const& block) {
        integer const size = product_of_extents(block);
        scale /= size;
        range const& asked = r.ranges[first];
        if (count == 1)
          return slice_range(block, asked, begin - scale * asked.begin, scale, sliced, start,
                             steps);
        box_walk walk{digit_function(block), 0, {}, 0, scale};
        add_ranges(walk, size, &dimensions[first], &asked, count);
        walk.first = begin - scale * walk.begin;
        return slice_run(walk, sliced, start, steps);
      });
  return bad ? bad : sliced.finish(digits);
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_slice(layout const& l, shape const& s, region const& r,
                                                step_limit steps = {}) {
  using namespace detail;
  valid_layout operand;
  if (refusal const bad = operand.admit(l)) return bad;
  extent_list dimensions;
  if (refusal const bad = admit_dimensions(l, s, dimensions)) return bad;
  if (refusal const bad = check_region(dimensions, r)) return bad;
  layout part = l;
  part.blocks.clear();
  place start;
  if (refusal const bad =
          slice_digits(canonical_shards(l.shards), dimensions, r, part.shards, start, steps);
      bad)
    return fit_if_swizzled(operand, walk_of(dimensions, r), bad, steps);
  if (refusal const bad = add_offset(part, start)) return bad;
  return finished(part);
}

AXE_LAZY_FN constexpr layout slice(layout const& l, shape const& s, region const& r) {
  return detail::stop_on(try_slice(l, s, r), "slice", {&l, nullptr, &s});
}
AXE_CARRIER_FORM(slice);

}  // namespace AXE_NAMESPACE
}  // namespace axe
