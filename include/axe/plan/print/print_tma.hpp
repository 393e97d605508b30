// Prints a plan of a tensor copy for people.
//
//     tma.2d load: 2 boxes of 16384 bytes
//       map: {n1, n0} elements of bf16, strides {2, 2*n2} bytes, box {64, 128}, …
//       2 boxes: coordinate 0 steps by 64, shared memory by 16384 bytes
//
// n0, n1, … are the dynamic sizes of the tensor. `about` has the operands of plan_tma. Definition:
// docs/plans.md, "Tensor maps".
#pragma once

#include <axe/plan/print/print_declined.hpp>
#include <axe/plan/tma_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// `4096`, or `2*n2`, `n1/64` for dynamic sizes.
template <class Out> AXE_FN constexpr void print(Out& out, tma_number const& n) {
  if (n.known()) return out.put(n.value());
  if (n.times != 1) {
    out.put(n.times);
    out.put('*');
  }
  out.put('n');
  out.put(integer{n.of.slot});
  if (n.over != 1) {
    out.put('/');
    out.put(n.over);
  }
}

/// `coordinate 1: 2 * tile number 0 / 4 mod 8`.
template <class Out> AXE_FN constexpr void print(Out& out, tma_move const& m) {
  out.put("coordinate ");
  out.put(integer{m.to});
  out.put(": ");
  out.put(m.factor);
  out.put(" * tile number ");
  out.put(integer{m.dimension});
  if (m.divisor != 1) {
    out.put(" / ");
    out.put(m.divisor);
  }
  if (m.modulus != 0) {
    out.put(" mod ");
    out.put(m.modulus);
  }
}

template <class Out> AXE_FN constexpr void print(Out& out, tma_loop const& l) {
  out.put(l.extent);
  out.put(" boxes: ");
  if (l.to < 0) {
    out.put("the same one");
  } else {
    out.put("coordinate ");
    out.put(integer{l.to});
    out.put(" steps by ");
    out.put(l.step);
  }
  out.put(", shared memory by ");
  out.put(l.shared_step);
  out.put(" bytes");
}

namespace detail {

template <class Out> AXE_FN constexpr void print_tma_map(Out& out, tma_plan const& p) {
  bool strided = false;
  out.put("  map: {");
  for (int d = 0; d < p.rank(); ++d) {
    if (d > 0) out.put(", ");
    print(out, p.dimensions[d].extent);
    strided = strided || p.dimensions[d].element_stride != 1;
  }
  out.put("} elements of ");
  out.put(name_of(p.unit));
  out.put(", strides {");
  for (int d = 0; d < p.rank(); ++d) {
    if (d > 0) out.put(", ");
    print(out, p.dimensions[d].stride);
  }
  out.put("} bytes, box {");
  for (int d = 0; d < p.rank(); ++d) {
    if (d > 0) out.put(", ");
    out.put(p.dimensions[d].box);
  }
  out.put('}');
  if (strided) out.put(", every {");
  for (int d = 0; strided && d < p.rank(); ++d) {
    if (d > 0) out.put(", ");
    out.put(p.dimensions[d].element_stride);
  }
  if (strided) out.put('}');
  if (p.swizzle == swizzle_mode::none) return out.put(", no swizzle\n");
  out.put(", swizzle of ");
  out.put(static_cast<integer>(p.swizzle));
  out.put(" bytes\n");
}

/// `  map 256 bytes into the tensor` if a side does not begin at its pointer.
template <class Out>
AXE_FN constexpr void print_tma_start(Out& out, char const* what, integer bytes,
                                      char const* where) {
  if (bytes == 0) return;
  out.put("  ");
  out.put(what);
  out.put(bytes);
  out.put(where);
}

}  // namespace detail

template <class Out>
AXE_FN constexpr void print(Out& out, tma_plan const& p, operands const& about = {}) {
  out.put("tma.");
  out.put(integer{p.rank()});
  out.put("d ");
  out.put(name_of(p.kind));
  if (p.kind == tma_kind::reduce) {
    out.put(' ');
    out.put(name_of(p.options.reduction));
  }
  out.put(": ");
  out.put(p.issues);
  out.put(p.issues == 1 ? " box of " : " boxes of ");
  out.put(p.box_bytes);
  out.put(" bytes\n");
  detail::print_tma_map(out, p);
  if (p.options.fill == tma_fill::nan) out.put("  outside the tensor: NaN\n");
  out.put("  shared memory at a multiple of ");
  out.put(p.alignment());
  out.put(" bytes\n");
  detail::print_tma_start(out, "the map begins ", p.global_offset, " bytes into the tensor\n");
  detail::print_tma_start(out, "the first box begins ", p.shared_offset, " bytes into the tile\n");
  for (tma_loop const& l : p.loops) {
    out.put("  ");
    print(out, l);
    out.put('\n');
  }
  for (tma_move const& m : p.moves) {
    out.put("  ");
    print(out, m);
    out.put('\n');
  }
  if (p.ctas != 0) {
    out.put("  into the CTAs of mask ");
    out.put(static_cast<integer>(p.ctas));
    out.put('\n');
  }
  detail::print_declined(out, p.candidates, about);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
