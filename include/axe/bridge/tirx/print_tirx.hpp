// SPDX-License-Identifier: MIT
// Prints a layout in the form of TIRx (bridge/tirx.hpp).
#pragma once

#include <axe/notation/read.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail::tirx {

/// TIRx names TLane and TCol as axe does.
AXE_FN constexpr char const* built_in_name(axis a) {
  detail::built_in_axis const name = detail::built_in(a);
  return a == axis::TLane || a == axis::TCol || name.alias[0] == '\0' ? name.name : name.alias;
}

AXE_FN constexpr void print_name(auto& out, axis a) {
  if (detail::is_declared(a)) return detail::print_name(out, a);
  out.put(built_in_name(a));
}

AXE_FN constexpr void print_number(auto& out, integer n) {
  bool const wide = n != integer{static_cast<stl::int32_t>(n)};
  if (wide) out.put("T.int64(");
  out.put(n);
  if (wide) out.put(')');
}

AXE_FN constexpr void print_term(auto& out, integer n, axis a) {
  print_number(out, n);
  if (a == axis::m || a == axis::null) return;
  out.put(" @ Axis.");
  print_name(out, a);
}

AXE_FN constexpr void print_iters(auto& out, auto const& iters) {
  bool const several = iters.size() != 1;
  for (int strides = 0; strides < 2; ++strides) {
    out.put(strides == 0 ? '[' : ':');
    if (several) out.put('(');
    for (int i = 0; i < iters.size(); ++i) {
      if (i > 0) out.put(", ");
      if (strides == 0)
        print_number(out, iters[i].extent);
      else
        print_term(out, iters[i].stride, iters[i].on);
    }
    if (several) out.put(')');
  }
  out.put(']');
}

using name_text = text<16>;

AXE_FN constexpr bool named_before(axis a, axis b) {
  name_text first, second;
  print_name(first, a);
  print_name(second, b);
  for (int i = 0; i < first.size() && i < second.size(); ++i)
    if (first.characters[i] != second.characters[i])
      return first.characters[i] < second.characters[i];
  return first.size() < second.size();
}

AXE_FN constexpr list<term, capacity::offsets> by_name(list<term, capacity::offsets> offsets) {
  for (int i = 1; i < offsets.size(); ++i)
    for (int k = i; k > 0 && named_before(offsets[k].on, offsets[k - 1].on); --k) {
      term const moved = offsets[k];
      offsets[k] = offsets[k - 1];
      offsets[k - 1] = moved;
    }
  return offsets;
}

/// TIRx has no expression for a layout without D and R, only a constructor call.
AXE_FN constexpr void print_bare_offsets(auto& out, list<term, capacity::offsets> const& offsets) {
  out.put("T.TileLayout.from_iters(");
  for (int i = 0; i < offsets.size(); ++i) {
    out.put(i == 0 ? "offset={\"" : ", \"");
    print_name(out, offsets[i].on);
    out.put("\": ");
    print_number(out, offsets[i].n);
  }
  out.put(offsets.empty() ? ")" : "})");
}

AXE_FN constexpr void print_tiles(auto& out, layout const& l) {
  list<term, capacity::offsets> const offsets = by_name(l.offsets);
  if (l.shards.empty() && l.replicas.empty()) return print_bare_offsets(out, offsets);
  out.put("T.TileLayout(");
  if (!l.shards.empty()) {
    out.put("T.S");
    print_iters(out, l.shards);
  }
  if (!l.replicas.empty()) {
    out.put(l.shards.empty() ? "T.R" : " + T.R");
    print_iters(out, l.replicas);
  }
  for (int i = 0; i < offsets.size(); ++i) {
    out.put(i == 0 && offsets.size() > 1 ? " + (" : " + ");
    print_term(out, offsets[i].n, offsets[i].on);
  }
  out.put(offsets.size() > 1 ? "))" : ")");
}

}  // namespace detail::tirx

AXE_FN constexpr void print_tirx(auto& out, layout const& l) {
  if (l.swizzle.none()) return detail::tirx::print_tiles(out, l);
  int const parameters[3] = {l.swizzle.M, l.swizzle.B,
                             l.swizzle.S < 0 ? -l.swizzle.S : l.swizzle.S};
  out.put("T.ComposeLayout(");
  for (int p : parameters) {
    out.put(integer{p});
    out.put(", ");
  }
  detail::tirx::print_tiles(out, l);
  out.put(l.swizzle.S < 0 ? ", swizzle_inner=False)" : ")");
}

AXE_FN constexpr text<3071> to_tirx(layout const& l) {
  text<3071> out;
  print_tirx(out, l);
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
