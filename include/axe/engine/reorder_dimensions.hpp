// SPDX-License-Identifier: MIT
// reordered: D with the dimensions of a shape in another order, for permute and broadcast.
//
//     S[(4,5):(5,1)] of shape (4,5), last dimension first       (5:1), then (4:5)
//
// Definition: docs/algebra.md, D13.
#pragma once

#include <axe/engine/fit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr outcome<layout> reordered(valid_layout operand, box_walk const& walk,
                                                step_limit& steps) {
  digit_boundaries const boundaries(walk.f.digits);
  digit_builder builder;
  bool cut = true;
  for (iter const& d : walk.box)
    cut = cut && (d.stride == 0 ? builder.push(d)  // a broadcast
                                : boundaries.emit_between(d.stride, d.stride * d.extent, builder));
  layout done = operand;
  done.blocks.clear();
  if (cut) {
    if (refusal const bad = builder.finish(done.shards)) return bad;
    return finished(done);
  }
  outcome<iter_list> const found = fit_digits(walk, walk.size(), steps);
  if (found.why) return fit_if_swizzled(operand, walk, found.why, steps);
  done.shards = *found;
  return finished(done);
}

AXE_LAZY_FN constexpr extent_list pitches_of(extent_list const& dimensions) {
  extent_list pitches;
  pitches.count = dimensions.count;
  integer pitch = 1;
  for (int d = dimensions.count - 1; d >= 0; --d) {
    pitches.at[d] = pitch;
    pitch *= dimensions.at[d];
  }
  return pitches;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
