// SPDX-License-Identifier: MIT
// tma_plan: the tensor map and the boxes by which TMA copies a tile.
//
//     bf16, global (M,K):(ld,1), tile (128,128), two boxes 128 bytes wide
//       map     {K, M} elements, strides {2, 2*ld} bytes, box {64, 128}, swizzle 128B
//       loops   2 boxes: coordinate 0 steps by 64, shared memory by 16384 bytes
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/atoms/shared_layout.hpp>
#include <axe/plan/candidate.hpp>
#include <axe/plan/tma_tensor.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class tma_kind : unsigned char { load, multicast, store, reduce };
enum class tma_reduction : unsigned char {
  none,
  add,
  min,
  max,
  inc,
  dec,
  bit_and,
  bit_or,
  bit_xor
};

enum class tma_instruction : unsigned char {
  none,
  tensor_1d,
  tensor_2d,
  tensor_3d,
  tensor_4d,
  tensor_5d,
  more
};

AXE_FN constexpr bool stores(tma_kind k) { return k == tma_kind::store || k == tma_kind::reduce; }
AXE_FN constexpr bool loads(tma_kind k) { return k == tma_kind::load || k == tma_kind::multicast; }

AXE_FN constexpr char const* name_of(tma_kind k) {
  return detail::name_at(k, {"load", "multicast", "store", "reduce"});
}
AXE_FN constexpr char const* name_of(tma_reduction r) {
  return detail::name_at(r, {"none", "add", "min", "max", "inc", "dec", "and", "or", "xor"});
}
AXE_LAZY_FN constexpr char const* name_of(tma_instruction i) {
  return detail::name_at(i, {"tma", "tma.1d", "tma.2d", "tma.3d", "tma.4d", "tma.5d",
                             "tma of more than 5 dimensions"});
}

struct tma_options {
  // Comes first: nvcc 13.0 with host clang zeroes members before a designated one.
  tma_reduction reduction = tma_reduction::none;
  unsigned ctas = 0;  // one bit for each CTA that receives a load; 0: the issuing CTA
  architecture target = architecture::sm_90a;

  constexpr bool operator==(tma_options const&) const = default;
};

/// A box takes every element_stride-th of `box` elements.
struct tma_dimension {
  tma_number extent;  // elements
  tma_number stride;  // bytes
  integer box = 1;
  integer element_stride = 1;

  constexpr bool operator==(tma_dimension const&) const = default;
};

/// The tile's number along `dimension` adds (number / divisor mod modulus) * factor to coordinate
/// `to`.
struct tma_move {
  int to = 0;
  int dimension = 0;  // of the tensor
  integer divisor = 1;
  integer modulus = 0;  // 0: none
  integer factor = 1;

  AXE_FN constexpr integer operator()(integer number) const {
    integer const quotient = number / divisor;
    return (modulus == 0 ? quotient : quotient % modulus) * factor;
  }
  constexpr bool operator==(tma_move const&) const = default;
};

/// Coordinate `to` advances by `step`. If `to` is -1, the same box goes to another shared address.
struct tma_loop {
  integer extent = 1;
  integer shared_step = 0;  // bytes
  int to = -1;
  integer step = 0;

  constexpr bool operator==(tma_loop const&) const = default;
};

struct tma_plan {
  tma_kind kind = tma_kind::load;
  element_type type = element_type::u8;
  // `type`, but u8 for elements of less than 8 bits, and u64 for more than 64.
  element_type unit = element_type::u8;
  swizzle_mode swizzle = swizzle_mode::none;
  tma_options options;
  list<tma_dimension, 5> dimensions{};
  list<tma_move, 12> moves{};
  list<tma_loop, 12> loops{};  // slowest first
  integer global_offset = 0;   // bytes from the tensor's pointer to the map's
  integer shared_offset = 0;   // bytes from the tile's base to the first box
  integer box_bytes = 0;       // in shared memory, including elements out of bounds
  integer issues = 0;
  unsigned ctas = 0;  // one bit for each CTA of a multicast
  candidate_list<tma_instruction> candidates{};

  AXE_FN constexpr int rank() const { return dimensions.count; }
  /// Bytes that the mbarrier of one CTA must expect.
  AXE_FN constexpr integer bytes() const { return box_bytes * issues; }
  /// The alignment of the tile in shared memory, in bytes.
  AXE_FN constexpr integer alignment() const {
    integer const width = static_cast<integer>(swizzle);
    return width == 0 ? 128 : 8 * width;
  }
  constexpr bool operator==(tma_plan const&) const = default;
};

/// Coordinates count from the tile. `shared`: bytes from the tile's first byte.
struct tma_box {
  integer coordinates[5]{};
  integer shared = 0;

  AXE_FN friend constexpr bool operator==(tma_box const& a, tma_box const& b) {
    return a.shared == b.shared && detail::equal_entries(a.coordinates, b.coordinates);
  }
};
/// Precondition: 0 <= k < issues.
AXE_LAZY_FN constexpr tma_box box_of(tma_plan const& p, integer k) {
  tma_box b;
  b.shared = p.shared_offset;
  for (int l = p.loops.count - 1; l >= 0; --l) {
    tma_loop const& loop = p.loops.at[l];
    integer const turn = k % loop.extent;
    k /= loop.extent;
    b.shared += turn * loop.shared_step;
    if (loop.to >= 0) b.coordinates[loop.to] += turn * loop.step;
  }
  return b;
}

namespace detail {

/// A store or reduction rounds the end of a row up to 16 bytes: docs/plans.md, "What an H200 does".
AXE_LAZY_FN constexpr refusal check_row_end(tma_kind kind, integer bytes) {
  if (!stores(kind) || bytes % 16 == 0) return {};
  return {rule::tma_store_end, {bytes, 16 - bytes % 16}};
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
