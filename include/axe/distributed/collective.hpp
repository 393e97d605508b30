// SPDX-License-Identifier: MIT
// recognise(plan): the collective that does the same as a plan, and its mesh axis.
//
//     rows on x -> everything on every device of x       all-gather
//
// Definition: docs/distributed.md, "Collectives".
#pragma once

#include <axe/distributed/volume.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class collective : unsigned char {
  none,
  local,
  all_gather,
  reduce_scatter,
  all_reduce,
  all_to_all,
  broadcast,
  scatter,
  gather,
  reduce,
  permute,
};

AXE_FN constexpr char const* name_of(collective c) {
  return detail::name_at(
      c, {"messages", "local copies", "all-gather", "reduce-scatter", "all-reduce", "all-to-all",
          "broadcast", "scatter", "gather", "reduce", "permute"});
}

struct recognised {
  collective kind = collective::none;
  int on = -1;        // mesh axis; -1: none or several
  integer block = 0;  // elements; the count of an NCCL call
  bool packs = false;
  bool unpacks = false;

  constexpr bool operator==(recognised const&) const = default;
};

namespace detail {

struct axis_content {
  integer elements = 1;
  integer summands = 1;
  integer replicas = 1;

  AXE_FN constexpr bool single() const { return elements * summands * replicas == 1; }
};

AXE_FN constexpr axis_content content_of(holding_side const& s, int on) {
  axis_content out;
  out.replicas = count_sums(s.replicas_on(on));
  for (device_digit const& d : s.on_devices)
    if (d.on == on && d.kind != placed::replica)
      (d.kind == placed::element ? out.elements : out.summands) *= d.extent;
  return out;
}

AXE_FN constexpr int axis_of(holding_side const& s, side_digit const& d) {
  return d.in_memory() ? -1 : s.on_devices[d.index_on_devices].on;
}

/// True if both sides hold the same elements at each position of an axis.
AXE_FN constexpr bool is_idle(reshard_plan const& p, int on) {
  if (p.src.first[on] != p.dst.first[on] || content_of(p.src, on).summands > 1) return false;
  for (tensor_part const& part : p.tensor.parts) {
    if (!part.regular()) return false;
    side_digit const& a = p.tensor.src[part.src_first];
    side_digit const& b = p.tensor.dst[part.dst_first];
    bool const here = axis_of(p.src, a) == on;
    if (here != (axis_of(p.dst, b) == on)) return false;
    if (here && a.stride != b.stride) return false;
  }
  return p.src.replicas_on(on) == p.dst.replicas_on(on);
}

/// `exchanges`: no part is on the axis on both sides. `permutes`: no part enters or leaves memory.
AXE_FN constexpr collective collective_of(axis_content from, axis_content to, integer extent,
                                          bool exchanges, bool permutes) {
  bool const summed = from.summands == extent;
  bool const sharded = from.elements == extent;
  bool const one = from.single();
  if (to.replicas == extent)
    return summed    ? collective::all_reduce
           : sharded ? collective::all_gather
           : one     ? collective::broadcast
                     : collective::none;
  if (to.elements == extent)
    return summed      ? collective::reduce_scatter
           : one       ? collective::scatter
           : !sharded  ? collective::none
           : exchanges ? collective::all_to_all
           : permutes  ? collective::permute
                       : collective::none;
  if (to.single())
    return summed ? collective::reduce : sharded ? collective::gather : collective::none;
  return collective::none;
}

/// True if one side's memory has one block for each peer, in order. With `same_strides`, both sides
/// need equal strides in a block.
AXE_FN constexpr bool in_blocks(reshard_plan const& p, int on, bool of_src, integer block,
                                bool same_strides) {
  integer reach = 0;
  for (tensor_part const& part : p.tensor.parts) {
    side_digit const& a = p.tensor.src[part.src_first];
    side_digit const& b = p.tensor.dst[part.dst_first];
    side_digit const& digit = of_src ? a : b;
    side_digit const& other = of_src ? b : a;
    if (!digit.in_memory()) continue;
    if (digit.stride < 0) return false;  // the buffer would not begin at its lowest address
    if (axis_of(of_src ? p.dst : p.src, other) == on) {
      if (digit.stride != other.stride * block) return false;
      continue;
    }
    if (same_strides && digit.stride != other.stride) return false;
    reach += (digit.extent - 1) * digit.stride;
  }
  return reach == block - 1;
}

}  // namespace detail

/// If elements move, returns `none` for padded tensors and for plans with levels or slices.
AXE_FN constexpr recognised recognise(reshard_plan const& p) {
  recognised out;
  if (least_volume(p) == 0) return {collective::local};  // equals volume(p)
  for (int d = 0; d < p.tensor.real.size(); ++d)
    if (p.tensor.real[d] < p.tensor.dimensions[d]) return out;
  if (p.levels > 0 || p.slices > 1) return out;
  int active = 0;
  for (int a = 0; a < p.axes; ++a)
    if (!detail::is_idle(p, a)) {
      ++active;
      out.on = a;
    }
  bool permutes = p.groups == 1;
  bool exchanges = true;
  integer block = 1;
  for (detail::tensor_part const& part : p.tensor.parts) {
    if (!part.regular()) return {};
    detail::side_digit const& a = p.tensor.src[part.src_first];
    detail::side_digit const& b = p.tensor.dst[part.dst_first];
    permutes = permutes && a.in_memory() == b.in_memory();
    exchanges = exchanges && (a.in_memory() || b.in_memory() || active != 1 ||
                              detail::axis_of(p.src, a) != out.on);
    if (a.in_memory() && b.in_memory()) block *= a.extent;
  }
  out.block = block;
  if (permutes && p.src.replicas(p.axes) == 1 && p.dst.replicas(p.axes) == 1) {
    out.kind = collective::permute;
    if (active != 1) out.on = -1;
  } else if (active == 1) {
    out.kind =
        detail::collective_of(detail::content_of(p.src, out.on), detail::content_of(p.dst, out.on),
                              p.devices.axes[out.on].extent, exchanges, permutes);
  }
  if (out.kind == collective::none) return {};
  out.packs = p.in_memory > 1 || !detail::in_blocks(p, out.on, true, block, false);
  out.unpacks = !detail::in_blocks(p, out.on, false, block, !out.packs);
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
