// SPDX-License-Identifier: MIT
// map_of: a Triton encoding of a tensor as a linear map to elements, from registers, lanes, warps
// and CTAs, or from offsets in shared memory.
#pragma once

#include <axe/bridge/triton/map_builder.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail::triton {

/// The extents of a `linear` or `shared_linear` encoding, from its text, else from its bases.
AXE_FN constexpr bool own_extents(encoding const& e, numbers& out) {
  bool const linear = e.kind == encoding_kind::linear || e.kind == encoding_kind::shared_linear;
  if (!linear || !e.wrappers.empty()) return false;
  out = e.extents;
  if (!out.empty()) return true;
  if (e.bases.empty()) return out.push(1);
  for (int d = 0; d < e.bases[0].size(); ++d) {
    out.push(1);
    for (numbers const& basis : e.bases)
      while (d < basis.size() && basis[d] < integer{1} << 48 && out[d] <= basis[d]) out[d] *= 2;
  }
  return true;
}

/// -1 if not in the text.
AXE_FN constexpr int rank_of(encoding const& e) {
  if (!e.bases.empty()) return e.bases[0].size();
  for (field f : {warps_per_cta, order})
    if (e.has(f)) return e.lists[f].size();
  if (e.kind == encoding_kind::nvmma_shared) {
    integer const n = e.has(rank_of_tensor) ? e.scalars[rank_of_tensor] : 2;
    return n >= 0 && n <= most_dimensions ? static_cast<int>(n) : most_dimensions + 1;
  }
  return e.extents.empty() ? -1 : e.extents.size();
}

AXE_FN constexpr outcome<linear_map> assembled_map(map_builder const& b, linear_axes const& out) {
  bool const shared = is_shared(b.e.kind);
  linear_axes in;
  constexpr axis holders[] = {axis::reg, axis::lane, axis::warp, axis::cta_x};
  int total = 0;
  for (int h = 0; h < 4; ++h) {
    if (shared && (h == by_lane || h == by_warp)) continue;
    in.axes.push({h == by_register && shared ? axis::m : holders[h], b.bases[h].size()});
    total += b.bases[h].size();
  }
  if (total > 64) return refusal{rule::linear_bits, {total}};
  linear_map m(in, out);
  int c = 0;
  for (list<bit_word, 64> const& of_holder : b.bases)
    for (bit_word basis : of_holder) m.matrix.column[c++] = basis;
  return m;
}

/// Rejects extents that are not powers of two.
AXE_FN constexpr outcome<linear_map> map_of(encoding const& e, numbers const& tensor) {
  map_builder b{e, tensor};
  linear_axes out;
  dimensions axis_of;  // dimension of the tensor; -1: removed by a slice
  for (int d = 0; d < tensor.size(); ++d) axis_of.push(d);
  for (wrapper const& w : e.wrappers) {
    if (!w.is_slice) continue;
    if (w.dim < 0 || w.dim > b.rank())
      return refusal{rule::triton_rank, {e.position, w.dim + 1, b.rank() + 1}};
    int const at = static_cast<int>(w.dim);
    if (!b.extents.insert(at, 1) || !axis_of.insert(at, -1))
      return refusal{rule::triton_too_large, {e.position}};
  }
  int const own = rank_of(e);
  if (own >= 0 && own != b.rank())
    return refusal{rule::triton_rank, {e.position, own - b.rank() + tensor.size(), tensor.size()}};
  for (numbers const& basis : e.bases) {
    bool good = basis.size() == b.rank();
    for (integer n : basis) good = good && n >= 0 && n < integer{1} << 48;
    if (!good) return refusal{rule::triton_basis, {e.position, b.rank()}};
  }
  int bits = 0;
  for (int d = 0; d < b.rank(); ++d) {
    int const own_bits = exact_log2(b.extents[d]);
    if (own_bits < 0) return refusal{rule::linear_extent, {axis_of[d], b.extents[d]}};
    b.tile.push(1);
    b.of_cta.push(b.extents[d]);
    b.first.push(axis_of[d] < 0 ? 0 : bits);
    if (axis_of[d] < 0) continue;
    out.axes.push({dimension_axis(axis_of[d]), own_bits});
    bits += own_bits;
  }
  if (bits > 62) return refusal{rule::linear_bits, {bits}};
  if (!b.build()) return b.refusal;
  return assembled_map(b, out);
}

}  // namespace detail::triton
}  // namespace AXE_NAMESPACE
}  // namespace axe
