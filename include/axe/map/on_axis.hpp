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

AXE_LAZY_FN constexpr outcome<layout> try_on_axis(layout const& l, axis a) {
  if (refusal const bad = check(l)) return bad;
  outcome<layout> result;
  layout& done = result.value;
  for (iter const& i : l.shards) done.shards.push(i.is_on(a) ? i : iter{i.extent, 0, axis::null});
  detail::copy_kept(l, [a](axis other) { return detail::same(other, a); }, done);
  done.blocks = l.blocks;
  return result;
}

AXE_LAZY_FN constexpr layout on_axis(layout const& l, axis a) {
  return detail::stop_on(try_on_axis(l, a), "on_axis", {&l});
}
AXE_CARRIER_FORM(on_axis);

}  // namespace AXE_NAMESPACE
}  // namespace axe
