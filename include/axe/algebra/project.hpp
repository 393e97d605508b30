// SPDX-License-Identifier: MIT
// storage(L), threads(L), devices(L): only the iters, replicas and offsets of one kind of axis.
//
//     threads(S[(8,2):(4@lane,1@reg)] + R[2:4@warp])      S[8:4@lane] + R[2:4@warp]
//
// storage(L) also keeps digits of stride 0 and the swizzle. Definition: docs/algebra.md, D13.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/layout/check.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr refusal project_to(layout& part, layout const& l, kind wanted) {
  if (refusal const bad = check(l)) return bad;
  for (iter const& i : l.shards)
    if (kind_of(i.stride == 0 ? axis::null : i.on) == wanted) part.shards.push(i);
  for (iter const& r : l.replicas)
    if (kind_of(r.on) == wanted) part.replicas.push(r);
  for (term const& t : l.offsets)
    if (kind_of(t.on) == wanted) part.offsets.push(t);
  if (wanted == kind::memory) part.swizzle = l.swizzle;
  return {};
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<layout> try_project(layout const& l, kind wanted) {
  layout part;
  if (refusal const bad = detail::project_to(part, l, wanted)) return bad;
  return part;
}

AXE_LAZY_FN constexpr outcome<layout> try_storage(layout const& l) {
  return try_project(l, kind::memory);
}
AXE_LAZY_FN constexpr outcome<layout> try_threads(layout const& l) {
  return try_project(l, kind::thread);
}
AXE_LAZY_FN constexpr outcome<layout> try_devices(layout const& l) {
  return try_project(l, kind::device);
}

AXE_LAZY_FN constexpr layout storage(layout const& l) {
  layout part;
  if (refusal const bad = detail::project_to(part, l, kind::memory))
    detail::stop_on(bad, "storage", {&l});
  return part;
}
AXE_LAZY_FN constexpr layout threads(layout const& l) {
  layout part;
  if (refusal const bad = detail::project_to(part, l, kind::thread))
    detail::stop_on(bad, "threads", {&l});
  return part;
}
AXE_LAZY_FN constexpr layout devices(layout const& l) {
  layout part;
  if (refusal const bad = detail::project_to(part, l, kind::device))
    detail::stop_on(bad, "devices", {&l});
  return part;
}
AXE_CARRIER_FORM(storage);
AXE_CARRIER_FORM(threads);
AXE_CARRIER_FORM(devices);

}  // namespace AXE_NAMESPACE
}  // namespace axe
