// SPDX-License-Identifier: MIT
// Prints a plan of a tensor copy.
//
//     tma.2d load: 2 boxes of 16384 bytes
//       map: {n1, n0} elements of bf16, strides {2, 2*n2} bytes, box {64, 128}, …
//
// n0, n1, … are the dynamic sizes of the tensor.
#pragma once

#include <axe/plan/print/print_declined.hpp>
#include <axe/plan/tma_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_FN constexpr void print(auto& out, tma_number const& n) {
  if (n.known()) return out.put(n.value());
  if (n.times != 1) detail::print_all(out, n.times, '*');
  detail::print_all(out, 'n', n.of.slot);
  if (n.over != 1) detail::print_all(out, '/', n.over);
}

AXE_FN constexpr void print(auto& out, tma_move const& m) {
  bool const digit = m.divisor != 1 || m.modulus != 0;
  detail::print_all(out, "coordinate ", m.to, ": ", m.factor, digit ? " * (" : " * ",
                    "tile_number[", m.dimension, ']');
  if (m.divisor != 1) detail::print_all(out, " / ", m.divisor);
  if (m.modulus != 0) detail::print_all(out, " mod ", m.modulus);
  if (digit) out.put(')');
}

AXE_FN constexpr void print(auto& out, tma_loop const& l) {
  detail::print_all(out, l.extent, " boxes: ");
  if (l.to < 0)
    out.put("the same coordinates");
  else
    detail::print_all(out, "coordinate ", l.to, " steps by ", l.step);
  detail::print_all(out, ", shared memory by ", l.shared_step, " bytes");
}

namespace detail {

AXE_FN constexpr void print_tma_map(auto& out, tma_plan const& p) {
  auto const each = [&](char const* before, auto tma_dimension::* part) {
    for (int d = 0; d < p.rank(); ++d)
      print_all(out, d == 0 ? before : ", ", p.dimensions[d].*part);
  };
  each("  map: {", &tma_dimension::extent);
  print_all(out, "} elements of ", p.unit);
  each(", strides {", &tma_dimension::stride);
  each("} bytes, box {", &tma_dimension::box);
  bool strided = false;
  for (tma_dimension const& d : p.dimensions) strided = strided || d.element_stride != 1;
  if (strided) each("}, element strides {", &tma_dimension::element_stride);
  print_all(out, "}, ", p.swizzle, '\n');
}

}  // namespace detail

AXE_FN constexpr void print(auto& out, tma_plan const& p, operands const& about = {}) {
  using detail::print_all;
  print_all(out, "tma.", p.rank(), "d ", p.kind);
  if (p.kind == tma_kind::reduce) print_all(out, ' ', p.options.reduction);
  print_all(out, ": ", p.issues, p.issues == 1 ? " box of " : " boxes of ", p.box_bytes,
            " bytes\n");
  detail::print_tma_map(out, p);
  print_all(out, "  shared memory at a multiple of ", p.alignment(), " bytes\n");
  if (p.global_offset != 0)
    print_all(out, "  the map begins ", p.global_offset, " bytes into the tensor\n");
  if (p.shared_offset != 0)
    print_all(out, "  the first box begins ", p.shared_offset, " bytes into the tile\n");
  for (tma_loop const& l : p.loops) print_all(out, "  ", l, '\n');
  for (tma_move const& m : p.moves) print_all(out, "  ", m, '\n');
  if (p.ctas != 0) print_all(out, "  into the CTAs of mask ", p.ctas, '\n');
  detail::print_declined(out, p.candidates, about);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
