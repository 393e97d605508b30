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

/// `b`: a map_builder with the extents of a CTA's part.
AXE_FN constexpr bool nvmma_shared(auto& b) {
  encoding const& e = b.e;
  int const r = b.rank();
  integer const bytes = e.scalars[swizzling_byte_width], width = e.scalars[element_bit_width];
  bool const swizzled = bytes == 32 || bytes == 64 || bytes == 128;
  bool const padded = e.scalars[fp4_padded] != 0;  // 8 pairs of 4-bit values fill 16 places
  if (r < 1 || (!swizzled && bytes != 0) || (width != 8 && width != 16 && width != 32) ||
      (swizzled && r < 2) || (!swizzled && r > 2 && e.scalars[transposed] != 0) ||
      (padded && (!swizzled || width != 8)))
    return b.fail(rule::triton_not_read, e.position);
  nvmma_box box;
  if (e.scalars[transposed] != 0) box.by.push(0);
  for (int d = r - 1; d >= 0; --d)
    if (d > 0 || e.scalars[transposed] == 0) box.by.push(d);
  integer const places = 8 * bytes / width, columns = padded ? places / 2 : places;
  for (int k = 0; k < r; ++k) {
    integer const n = b.of_cta[box.by[k]];
    bool const contiguous = k == 0 && swizzled;
    if (contiguous && n < columns) return b.fail(rule::triton_not_read, e.position);
    box.extents.push(contiguous ? columns : n < 256 ? n : 256);
    box.size *= box.extents[k];
  }
  auto const add = [&](integer from, integer to, integer step) {
    for (integer n = from; n < to; n *= 2)
      if (!b.add(by_register, box.element(b, n * step))) return false;
    return true;
  };
  if (swizzled) {
    // The box has rows of `row` elements. If transposed, a row has all dimensions but the last.
    integer const last = box.extents[e.scalars[transposed] != 0 ? 1 : 0];
    integer const row = e.scalars[transposed] != 0 ? box.size / last : last;
    if (box.size / row < 8) return b.fail(rule::triton_not_read, e.position);
    for (integer c = 1; c < places; c *= 2) {
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
    if (!add(8, box.size / row, row) || !add(columns, row, 1)) return false;
  } else if (!add(1, box.size, 1)) {
    return false;
  }
  for (int d = 0; d < r; ++d)
    for (int k = 0; k < r; ++k)
      if (box.by[k] == d) b.tile[d] = box.extents[k];
  dimensions order;
  for (int d = 0; d < r; ++d) order.push(swizzled ? d : box.by[d]);
  return b.fill(order);
}

}  // namespace detail::triton
}  // namespace AXE_NAMESPACE
}  // namespace axe
