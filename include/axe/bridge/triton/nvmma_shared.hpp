// SPDX-License-Identifier: MIT
// The bases of #ttg.nvmma_shared: consecutive TMA boxes with rows swizzled in groups of 8.
//
//     swizzlingByteWidth = 128, elementBitWidth = 16, on 64 x 128: boxes of 64 x 64 elements, and
//     the row r of a box has its column c at c ^ 8 * (r mod 8)
#pragma once

#include <axe/bridge/triton/encoding.hpp>
#include <axe/linear/linear_map.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail::triton {

using dimensions = list<int, most_dimensions>;

struct nvmma_box {
  dimensions by;    // contiguous first, slowest last
  numbers extents;  // in the order of `by`
  integer size = 1;

  /// The element at position n, a power of two, in memory before the swizzle.
  AXE_FN constexpr bit_word element(auto const& b, integer n) const {
    for (int k = 0; k < by.size(); ++k) {
      if (n < extents[k]) return static_cast<bit_word>(n) << b.first[by[k]];
      n /= extents[k];
    }
    return 0;
  }
};

/// `Builder`: a map_builder with the extents of a CTA's part.
template <class Builder> struct nvmma_shared_bases {
  Builder& b;
  integer bytes = b.e.scalars[swizzling_byte_width];
  integer width = b.e.scalars[element_bit_width];
  bool is_transposed = b.e.scalars[transposed] != 0;
  bool padded = b.e.scalars[fp4_padded] != 0;  // 8 pairs of 4-bit values fill 16 places
  nvmma_box box{};

  AXE_FN constexpr bool swizzled() const { return bytes != 0; }
  /// The places, and the elements, in a row of the swizzle's width.
  AXE_FN constexpr integer places() const { return 8 * bytes / width; }
  AXE_FN constexpr integer columns() const { return padded ? places() / 2 : places(); }

  AXE_FN constexpr bool is_supported() const {
    int const r = b.rank();
    bool const known_swizzle = bytes == 0 || bytes == 32 || bytes == 64 || bytes == 128;
    bool const known_width = width == 8 || width == 16 || width == 32;
    bool const known_rank = r >= 1 && (swizzled() ? r >= 2 : r <= 2 || !is_transposed);
    return known_swizzle && known_width && known_rank && (!padded || (swizzled() && width == 8));
  }

  AXE_FN constexpr bool choose_box() {
    int const r = b.rank();
    if (is_transposed) box.by.push(0);
    for (int d = r - 1; d >= 0; --d)
      if (d > 0 || !is_transposed) box.by.push(d);
    for (int k = 0; k < r; ++k) {
      integer const n = b.of_cta[box.by[k]];
      bool const contiguous = k == 0 && swizzled();
      if (contiguous && n < columns()) return false;
      box.extents.push(contiguous ? columns() : n < 256 ? n : 256);
      box.size *= box.extents[k];
    }
    return true;
  }

  AXE_FN constexpr bool add(integer from, integer to, integer step) {
    for (integer n = from; n < to; n *= 2)
      if (!b.add(by_register, box.element(b, n * step))) return false;
    return true;
  }

  /// Adds the bases of places(), of the 8 rows of a swizzle's period, of the other rows, and of the
  /// rest of a row. If transposed, a row has all dimensions but the last.
  AXE_FN constexpr bool add_swizzled() {
    integer const last = box.extents[is_transposed ? 1 : 0];
    integer const row = is_transposed ? box.size / last : last;
    if (box.size / row < 8) return b.fail(rule::triton_shared_not_read, b.e.position);
    for (integer c = 1; c < places(); c *= 2) {
      bool const padding = padded && c == 8;
      if (!b.add(by_register, padding ? 0 : box.element(b, padded && c > 8 ? c / 2 : c)))
        return false;
    }
    integer const in_a_unit = padded ? 8 : 128 / width;
    for (integer n = 1; n < 8; n *= 2) {
      bit_word moved = 0;
      for (integer phase = n * bytes / 128 % (bytes / 16), bit = 1; bit <= phase; bit *= 2)
        if ((phase & bit) != 0) moved ^= box.element(b, in_a_unit * bit);
      if (!b.add(by_register, box.element(b, n * row) ^ moved)) return false;
    }
    return add(8, box.size / row, row) && add(columns(), row, 1);
  }

  AXE_FN constexpr bool build() {
    if (!is_supported() || !choose_box()) return b.fail(rule::triton_shared_not_read, b.e.position);
    if (!(swizzled() ? add_swizzled() : add(1, box.size, 1))) return false;
    dimensions order;
    for (int d = 0; d < b.rank(); ++d) order.push(swizzled() ? d : box.by[d]);
    for (int k = 0; k < b.rank(); ++k) b.tile[box.by[k]] = box.extents[k];
    return b.fill(order);
  }
};

}  // namespace detail::triton
}  // namespace AXE_NAMESPACE
}  // namespace axe
