// storage(L), threads(L), devices(L): L with only its iters, replicas and offsets on axes of that
// kind; the size shrinks.
//
//     T = S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp
//     threads(T)      S[(8,2,4):(4@lane,1@warp,1@lane)] + R[2:4@warp] + 5@warp
//     storage(T)      S[2:1@reg]
//
// Digits with stride 0 are on no axis: they stay with the storage, whose elements they repeat. A
// swizzle stays with the storage.
// Definition: docs/algebra.md, D13.
// Source: the kinds of axes of the Axe paper, section 2.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// Into a layout of the caller's: what is returned as a value is one more constant for a compiler
/// to keep.
AXE_PLANNER constexpr refusal project_to(layout& part, layout const& l, kind wanted) {
  if (refusal const bad = check(l)) return bad;
  for (iter const& i : l.shards)
    if (kind_of(i.stride == 0 ? axis::null : i.on) == wanted) part.shards.push(i);
  for (int k = 0; k < l.replicas.count; ++k)
    if (kind_of(l.replicas.at[k].on) == wanted) part.replicas.push(l.replicas.at[k]);
  for (int k = 0; k < l.offsets.count; ++k)
    if (kind_of(l.offsets.at[k].on) == wanted) part.offsets.push(l.offsets.at[k]);
  if (wanted == kind::memory) part.swizzle = l.swizzle;
  return {};
}

}  // namespace detail

AXE_PLANNER constexpr outcome<layout> try_project(layout const& l, kind wanted) {
  layout part;
  if (refusal const bad = detail::project_to(part, l, wanted)) return bad;
  return part;
}

AXE_PLANNER constexpr outcome<layout> try_storage(layout const& l) {
  return try_project(l, kind::memory);
}
AXE_PLANNER constexpr outcome<layout> try_threads(layout const& l) {
  return try_project(l, kind::thread);
}
AXE_PLANNER constexpr outcome<layout> try_devices(layout const& l) {
  return try_project(l, kind::device);
}

AXE_PLANNER constexpr layout storage(layout const& l) {
  layout part;
  if (refusal const bad = detail::project_to(part, l, kind::memory))
    detail::stop_on(bad, "storage", {&l});
  return part;
}
AXE_PLANNER constexpr layout threads(layout const& l) {
  layout part;
  if (refusal const bad = detail::project_to(part, l, kind::thread))
    detail::stop_on(bad, "threads", {&l});
  return part;
}
AXE_PLANNER constexpr layout devices(layout const& l) {
  layout part;
  if (refusal const bad = detail::project_to(part, l, kind::device))
    detail::stop_on(bad, "devices", {&l});
  return part;
}
AXE_LIFT(storage);
AXE_LIFT(threads);
AXE_LIFT(devices);

}  // namespace AXE_NAMESPACE
}  // namespace axe
