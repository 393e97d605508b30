// SPDX-License-Identifier: MIT
// sbuf_tile, psum_tile: tiles in Trainium's SBUF and PSUM, and the limits of its matmul.
//
//     sbuf_tile(384, 64)       (384,64)     S[(3,128,64):(64@F,1@P,1@F)]
//     psum_tile(128, 1024)     (128,1024)   S[(128,2,512):(1@P,1@Bank,1@F)]
//
// F counts elements. Sources: AWS Neuron documentation, "NKI Programming Model"; docs/algebra.md,
// D23.
#pragma once

#include <axe/atoms/prescribed.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// One NeuronCore-v2. Sizes are bytes per partition.
struct trainium {
  static constexpr integer partitions = 128;
  static constexpr integer sbuf_bytes = 192 * 1024;
  static constexpr integer psum_banks = 8;
  static constexpr integer psum_bank_bytes = 2048;
  static constexpr integer most_k = 128;  // partitions
  static constexpr integer most_m = 128;  // columns of the stationary operand
  static constexpr integer most_n = 512;  // columns of the moving operand
};

/// Row r is on partition r mod 128. More than 128 rows must be a multiple of 128.
AXE_LAZY_FN constexpr outcome<layout> try_sbuf_tile(integer rows, integer columns,
                                                    integer bits = 32) {
  if (refusal const bad = detail::check_operand_width(bits)) return bad;
  integer const most = trainium::sbuf_bytes * 8 / bits;
  integer const row_blocks = rows <= trainium::partitions ? 1 : rows / trainium::partitions;
  if (rows < 1 || rows % row_blocks != 0 || rows / row_blocks > trainium::partitions)
    return refusal{rule::trainium_rows, {rows}};
  if (columns < 1 || columns > most / row_blocks)
    return refusal{rule::trainium_columns, {columns, most / row_blocks}};
  return detail::prescribed(
      {{row_blocks, columns, axis::F}, {rows / row_blocks, 1, axis::P}, {columns, 1, axis::F}});
}

AXE_LAZY_FN constexpr layout sbuf_tile(integer rows, integer columns, integer bits = 32) {
  return detail::stop_on(try_sbuf_tile(rows, columns, bits), "sbuf_tile");
}

/// The tile has shape (columns, rows). `rows` is at most 128.
AXE_LAZY_FN constexpr outcome<layout> try_sbuf_tile_transposed(integer rows, integer columns,
                                                               integer bits = 32) {
  outcome<layout> const upright = try_sbuf_tile(rows, columns, bits);
  if (upright.why) return upright.why;
  if (rows > trainium::partitions) return refusal{rule::trainium_rows, {rows}};
  return detail::prescribed({{columns, 1, axis::F}, {rows, 1, axis::P}});
}

AXE_LAZY_FN constexpr layout sbuf_tile_transposed(integer rows, integer columns,
                                                  integer bits = 32) {
  return detail::stop_on(try_sbuf_tile_transposed(rows, columns, bits), "sbuf_tile_transposed");
}

/// A tile of fp32, at most 128 rows. More than 512 columns must fill whole banks.
AXE_LAZY_FN constexpr outcome<layout> try_psum_tile(integer rows, integer columns) {
  integer const in_bank = trainium::psum_bank_bytes / 4;
  integer const banks = columns <= in_bank ? 1 : columns / in_bank;
  if (rows < 1 || rows > trainium::partitions) return refusal{rule::trainium_rows, {rows}};
  if (columns < 1 || columns % banks != 0 || columns / banks > in_bank ||
      banks > trainium::psum_banks)
    return refusal{rule::trainium_psum_columns, {columns}};
  return detail::prescribed(
      {{rows, 1, axis::P}, {banks, 1, axis::Bank}, {columns / banks, 1, axis::F}});
}

AXE_LAZY_FN constexpr layout psum_tile(integer rows, integer columns) {
  return detail::stop_on(try_psum_tile(rows, columns), "psum_tile");
}

AXE_LAZY_FN constexpr refusal check_trainium_matmul(integer k, integer m, integer n) {
  integer const limits[][2] = {{k, trainium::most_k}, {m, trainium::most_m}, {n, trainium::most_n}};
  for (auto const& [extent, most] : limits)
    if (extent < 1 || extent > most) return {rule::trainium_matmul_limit, {extent, most}};
  return {};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
