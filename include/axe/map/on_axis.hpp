// SPDX-License-Identifier: MIT
// on_axis(L, a): L with each place reduced to its component on axis a.
//
//     on_axis(S[(8,2):(4@lane,1@warp)] + R[2:4@warp], warp)      S[(8,2):(0,1@warp)] + R[2:4@warp]
//
// Definition: docs/algebra.md, D3.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Writes to `done`, because a returned layout would be one more constant to compile.
AXE_LAZY_FN constexpr refusal on_axis_to(layout& done, layout const& l, axis a) {
  if (refusal const bad = check(l)) return bad;
  for (iter const& i : l.shards) done.shards.push(i.on == a ? i : iter{i.extent, 0, axis::null});
  for (iter const& r : l.replicas)
    if (r.on == a) done.replicas.push(r);
  if (l.offset(a) != 0) done.offsets.push({l.offset(a), a});
  if (a == axis::m) done.swizzle = l.swizzle;
  done.blocks = l.blocks;
  return {};
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_on_axis(layout const& l, axis a) {
  layout done;
  if (refusal const bad = detail::on_axis_to(done, l, a)) return bad;
  return done;
}

AXE_LAZY_FN constexpr layout on_axis(layout const& l, axis a) {
  layout done;
  if (refusal const bad = detail::on_axis_to(done, l, a)) detail::stop_on(bad, "on_axis", {&l});
  return done;
}
AXE_CARRIER_FORM(on_axis);

}  // namespace AXE_NAMESPACE
}  // namespace axe
