// SPDX-License-Identifier: MIT
// tma_arguments: the arguments of cuTensorMapEncodeTiled for given dynamic sizes.
//
//     matrix (1000,70):(72,1) of bf16, boxes {64, 128}, swizzle of 128 bytes
//         data type 9, rank 2, extents {70, 1000}, strides {144}, box {64, 128}, swizzle 3
//
// Source: CUDA driver API 13.0, cuTensorMapEncodeTiled, and cuda.h.
#pragma once

#include <axe/plan/tma_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct tma_arguments {
  int type = 0;  // CUtensorMapDataType
  int rank = 0;
  detail::stl::uint64_t extents[5]{};
  detail::stl::uint64_t strides[4]{};  // bytes, from dimension 1 on
  detail::stl::uint32_t box[5]{};
  detail::stl::uint32_t element_strides[5]{};
  int swizzle = 0;     // CUtensorMapSwizzle: 1 to 3 for 32, 64, 128 bytes
  integer offset = 0;  // bytes from the tensor's pointer to the map's
};

namespace detail {

AXE_LAZY_FN constexpr int tma_data_type(element_type t) {
  using enum element_type;
  switch (t) {
    case u16:
    case s16: return 1;
    case u32: return 2;
    case s32: return 3;
    case u64: return 4;
    case s64: return 5;
    case f16: return 6;
    case f32:
    case tf32: return 7;  // copied, not rounded
    case f64: return 8;
    case bf16: return 9;
    default: return 0;  // bytes
  }
}
}  // namespace detail

/// `numbers[slot]` is the value of `dynamic(slot)`. Rejects sizes that the driver rejects, extents
/// above 2^31, and stores of rows that do not end at a multiple of 16 bytes.
AXE_LAZY_FN constexpr outcome<tma_arguments> try_tma_arguments(tma_plan const& p,
                                                               integer const* numbers) {
  using namespace detail;
  tma_arguments a;
  a.type = tma_data_type(p.unit);
  a.rank = p.rank();
  for (int d = 0; d < p.rank(); ++d) {
    tma_dimension const& dim = p.dimensions.at[d];
    auto const [extent, bad_extent] = dim.extent.value_for(numbers);
    if (bad_extent) return bad_extent;
    if (extent < 1 || extent > integer{1} << 31) return refusal{rule::tma_extent_limit, {extent}};
    if (refusal const bad = check_row_end(p.kind, extent * bits_of(p.unit) / 8); d == 0 && bad)
      return bad;
    a.extents[d] = static_cast<stl::uint64_t>(extent);
    a.box[d] = static_cast<stl::uint32_t>(dim.box);
    a.element_strides[d] = static_cast<stl::uint32_t>(dim.element_stride);
    if (d == 0) continue;
    auto const [stride, bad_stride] = dim.stride.value_for(numbers);
    if (bad_stride) return bad_stride;
    if (stride < 16 || stride % 16 != 0 || stride >= integer{1} << 40)
      return refusal{rule::tma_stride, {stride}};
    a.strides[d - 1] = static_cast<stl::uint64_t>(stride);
  }
  a.swizzle = ceil_log2(static_cast<integer>(p.swizzle) / 16);
  a.offset = p.global_offset;
  return a;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
