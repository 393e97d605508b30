// SPDX-License-Identifier: MIT
// conflict_free_layout(L, S, access, …): L under a swizzle that removes all bank conflicts of the
// accesses.
//
//     conflict_free_layout(S[(64,64):(64,1)], {64, 64}, ldmatrix_rows<16>)
//         swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)]
//
// Without S, L's extents are the shape. With a carrier L, write an access as
// constant<ldmatrix_rows<16>>{}.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/synthesis/conflict_free_swizzle.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_LAZY_FN constexpr outcome<layout> try_conflict_free_layout(layout const& l, shape const& s,
                                                               access_list const& all,
                                                               step_limit steps = {}) {
  outcome<found_swizzle> const found = try_conflict_free_swizzle(l, s, all, steps);
  if (found.why) return found.why;
  axe::swizzle const f = found->swizzle;
  if (found->conflicts > 1)
    return refusal{rule::no_conflict_free_swizzle, {found->conflicts, f.M, f.B, f.S}};
  layout swizzled = l;
  swizzled.swizzle = f;
  if (refusal const bad = check(swizzled)) return bad;
  return swizzled;
}

template <any_access... Accesses>
AXE_FN constexpr outcome<layout> try_conflict_free_layout(layout const& l, shape const& s,
                                                          Accesses const&... accesses) {
  outcome<access_list> const all = detail::list_accesses(s, accesses...);
  if (all.why) return all.why;
  return try_conflict_free_layout(l, s, all.value);
}
template <any_access... Accesses>
AXE_FN constexpr outcome<layout> try_conflict_free_layout(layout const& l,
                                                          Accesses const&... accesses) {
  return try_conflict_free_layout(l, detail::written_shape(l), accesses...);
}

template <any_access... Accesses>
AXE_FN constexpr layout conflict_free_layout(layout const& l, shape const& s,
                                             Accesses const&... accesses) {
  return detail::stop_on(try_conflict_free_layout(l, s, accesses...), "conflict_free_layout",
                         {&l, nullptr, &s});
}
template <any_access... Accesses>
AXE_FN constexpr layout conflict_free_layout(layout const& l, Accesses const&... accesses) {
  return conflict_free_layout(l, detail::written_shape(l), accesses...);
}
AXE_CARRIER_FORM(conflict_free_layout);

}  // namespace AXE_NAMESPACE
}  // namespace axe
