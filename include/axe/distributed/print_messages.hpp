// SPDX-License-Identifier: MIT
// Prints a resharding plan as statements for other programs.
//
//     copy 0:src[16+(4,2):(64,1)] -> 1:dst[0+8]      begin + extents : strides
//
// Definition: docs/distributed.md, "The text form".
#pragma once

#include <axe/distributed/runs.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_FN constexpr char const* name_of(buffer b) {
  return b == buffer::src ? "src" : b == buffer::dst ? "dst" : "tmp0";
}

namespace detail {

AXE_FN constexpr void print_addresses(auto& out, integer begin, strided_run const& r,
                                      bool at_sender) {
  list<iter, most_tensor_parts> fused;
  for (run_digit const& d : r.digits) {
    integer const stride = at_sender ? d.from_stride : d.to_stride;
    if (!fused.empty() && fused.back().stride == d.extent * stride)
      fused.back() = {fused.back().extent * d.extent, stride, axis::null};
    else
      fused.push({d.extent, stride, axis::null});
  }
  if (fused.empty()) fused.push({1, 1, axis::null});
  auto const put_all = [&](bool strides) {
    if (fused.size() > 1) out.put('(');
    for (int k = 0; k < fused.size(); ++k) {
      if (k > 0) out.put(',');
      out.put(strides ? fused[k].stride : fused[k].extent);
    }
    if (fused.size() > 1) out.put(')');
  };
  out.put('[');
  out.put(begin);
  out.put('+');
  put_all(false);
  if (fused.size() > 1 || fused[0].stride != 1) {
    out.put(':');
    put_all(true);
  }
  out.put(']');
}

AXE_FN constexpr void print_place_of(auto& out, integer rank, buffer in) {
  out.put(rank);
  out.put(':');
  out.put(name_of(in));
}

}  // namespace detail

AXE_FN constexpr void print_statements(auto& out, reshard_plan const& p, message const& m,
                                       char const* indent = "") {
  for (strided_run const& r : runs(p, m)) {
    out.put(indent);
    out.put(m.adds ? "add " : "copy ");
    detail::print_place_of(out, p.rank_of(m.from), m.read);
    detail::print_addresses(out, r.begin_from, r, true);
    out.put(" -> ");
    detail::print_place_of(out, p.rank_of(m.to), m.write);
    detail::print_addresses(out, r.begin_to, r, false);
    out.put('\n');
  }
}

AXE_FN constexpr void print_messages(auto& out, reshard_plan const& p) {
  integer open = -1;
  auto const begin_step = [&](integer k) {
    if (k != open) out.put("step\n");
    open = k;
  };
  auto const release_before = [&](integer k) {
    for (integer s = open + 1; s < k; ++s) {
      if (p.step(s).kind != stage::release) continue;
      begin_step(s);
      for (integer d = 0; d < p.device_count(); ++d) {
        if (!p.holds_any(p.src, d)) continue;
        out.put("free ");
        detail::print_place_of(out, p.rank_of(d), buffer::tmp0);
        out.put('\n');
      }
    }
  };
  for (message const& m : messages(p)) {
    release_before(m.step);
    begin_step(m.step);
    print_statements(out, p, m);
  }
  release_before(p.steps());
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
