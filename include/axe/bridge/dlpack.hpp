// SPDX-License-Identifier: MIT
// Converts layouts from and to DLTensor (dlpack.h, not included), any DLPack version.
//
//     dlpack_dimensions d = to_dlpack(l, {4, 5}, 32);     d.attach(tensor)
//
// Extents and strides count elements of dtype.bits * dtype.lanes bits. Null strides mean row-major.
#pragma once

#include <axe/bridge/addresses.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The result is grouped by the tensor's shape. Address 0 is dlpack_pointer(t). Rejects extents of
/// 0.
template <class Tensor> AXE_FN constexpr outcome<layout> try_from_dlpack(Tensor const& t) {
  layout l;
  if (t.ndim > capacity::shards) return refusal{rule::too_many_dimensions, {t.ndim}};
  for (int r = 0; r < t.ndim; ++r) {
    l.shards.push({static_cast<integer>(t.shape[r]), 1, axis::m});
    l.blocks.push(1);
    if (refusal const bad = detail::check_iter(l.shards[r], r)) return bad;
  }
  integer compact = 1;
  for (int r = t.ndim - 1; r >= 0; --r) {
    l.shards[r].stride = t.strides == nullptr ? compact : static_cast<integer>(t.strides[r]);
    if (!detail::multiply(compact, l.shards[r].extent)) return refusal{rule::shape_overflows};
  }
  if (refusal const bad = check(l)) return bad;
  return l;
}
template <class Tensor> AXE_FN constexpr layout from_dlpack(Tensor const& t) {
  return detail::stop_on(try_from_dlpack(t), "from_dlpack");
}

template <class Element, class Tensor> AXE_FN Element* dlpack_pointer(Tensor const& t) {
  return reinterpret_cast<Element*>(static_cast<char*>(t.data) + t.byte_offset);
}

struct dlpack_dimensions {
  int ndim = 0;
  detail::stl::int64_t shape[capacity::shards]{};
  detail::stl::int64_t strides[capacity::shards]{};
  detail::stl::uint64_t byte_offset = 0;

  /// Lets the tensor use these arrays, which must outlive it.
  template <class Tensor> AXE_FN constexpr void attach(Tensor& t) {
    t.ndim = ndim;
    t.shape = shape;
    t.strides = strides;
    t.byte_offset = byte_offset;
  }
};

/// `bits` is dtype.bits * dtype.lanes. Rejects replicas, addresses below 0 and layouts that are not
/// strided.
AXE_LAZY_FN constexpr outcome<dlpack_dimensions> try_to_dlpack(layout const& l, shape const& s,
                                                               int bits) {
  if (bits < 1) return refusal{rule::element_width, {bits}};
  detail::extent_list extents;
  integer size = 1;
  if (refusal const bad = detail::dimensions_of(s, extents, size)) return bad;
  shape flat;
  for (integer extent : extents) flat.append(tree(extent));
  outcome<layout> const addresses = detail::try_address_layout(l, flat);
  if (addresses.why) return addresses.why;
  outcome<detail::address_strides> const strides = detail::try_strides_of(*addresses, flat, {});
  if (strides.why) return strides.why;
  if (!strides->exist) return refusal{rule::not_strided};
  dlpack_dimensions d;
  d.ndim = extents.size();
  for (int r = 0; r < d.ndim; ++r) {
    d.shape[r] = extents[r];
    d.strides[r] = strides->of[r];
  }
  integer const first = addresses->swizzle(addresses->offset(axis::m));
  if (first % 8 * bits % 8 != 0) return refusal{rule::offset_within_a_byte, {first, bits}};
  integer bytes = first / 8;
  if (!detail::multiply(bytes, bits) || !detail::add(bytes, first % 8 * bits / 8))
    return refusal{rule::byte_offset_overflows, {first, bits}};
  d.byte_offset = static_cast<detail::stl::uint64_t>(bytes);
  return d;
}
AXE_LAZY_FN constexpr dlpack_dimensions to_dlpack(layout const& l, shape const& s, int bits) {
  return detail::stop_on(try_to_dlpack(l, s, bits), "to_dlpack", {&l, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
