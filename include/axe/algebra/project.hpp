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

AXE_LAZY_FN constexpr outcome<layout> try_project(layout const& l, kind wanted) {
  if (refusal const bad = check(l)) return bad;
  outcome<layout> result;
  layout& part = result.value;
  auto const keeps = [wanted](axis a) { return kind_of(a) == wanted; };
  for (iter const& i : l.shards)
    if (keeps(i.stride == 0 ? axis::null : i.on)) part.shards.push(i);
  detail::copy_kept(l, keeps, part);
  return result;
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
  return detail::stop_on(try_storage(l), "storage", {&l});
}
AXE_LAZY_FN constexpr layout threads(layout const& l) {
  return detail::stop_on(try_threads(l), "threads", {&l});
}
AXE_LAZY_FN constexpr layout devices(layout const& l) {
  return detail::stop_on(try_devices(l), "devices", {&l});
}
AXE_CARRIER_FORM(storage);
AXE_CARRIER_FORM(threads);
AXE_CARRIER_FORM(devices);

}  // namespace AXE_NAMESPACE
}  // namespace axe
