// SPDX-License-Identifier: MIT
// Placements of PyTorch's DTensor, one for each mesh axis, slowest first.
//
//     from_dtensor("[Shard(0), Replicate()]", nodes, {64, 64})
//
// Definition: docs/distributed.md, "DTensor".
#pragma once

#include <axe/distributed/dtensor_text.hpp>
#include <axe/distributed/placement_cuts.hpp>
#include <axe/distributed/sharding_difference.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

using value_of_each_cut = list<integer, capacity::mesh_axes>;

/// The number of an element's part in each of the nested torch.chunk calls that cut n elements.
AXE_FN constexpr value_of_each_cut chunks_of(integer n, iter_list const& parts, integer element) {
  value_of_each_cut chunks;
  for (iter const& i : parts) {
    integer const length = ceil_divide(n, i.extent);
    integer const own = element / length;
    chunks.push(own);
    element -= own * length;
    n = smaller(length, n - own * length);
  }
  return chunks;
}

/// The first of n elements that torch.chunk puts into another part than parts of `lengths` do, in
/// cut k or a later one. n if there is none.
AXE_FN constexpr integer first_in_other_part(integer n, iter_list const& parts,
                                             value_of_each_cut const& lengths, int k = 0) {
  if (n == 0 || k == parts.size()) return n;
  integer const own = ceil_divide(n, parts[k].extent);
  integer const first = first_in_other_part(own, parts, lengths, k + 1);
  if (first < own || own == n) return first;
  if (own != lengths[k]) return own;
  integer const rest = n % own;
  return n - rest + first_in_other_part(rest, parts, lengths, k + 1);
}

/// Rejects a _StridedShard of unequal parts.
AXE_LAZY_FN constexpr refusal parts_of_dimension(dtensor_placements const& placements,
                                                 mesh const& on, int d, extent_list const& real,
                                                 iter_list& parts) {
  bool strided = false;
  integer elements_on_device = real[d];
  refusal uneven{};
  for (int k = 0; k < placements.size(); ++k) {
    dtensor_placement const& p = placements[k];
    bool const cuts_d = p.dimension == d || p.dimension == d - real.size();
    if (p.kind != dtensor_kind::shard || !cuts_d) continue;
    integer const extent = on.axes[k].extent;
    parts.push({extent, 1, on.axes[k].on});
    strided = strided || p.split_factor != 1;
    integer cut = extent;
    if (!multiply(cut, p.split_factor)) return {rule::size_overflows};
    if (!uneven && (cut < 1 || (extent > 1 && elements_on_device % cut != 0)))
      uneven = {rule::placement_split_factor, {d, elements_on_device, cut}};
    elements_on_device /= extent;
  }
  return strided ? uneven : refusal{};
}

/// Pads dimension d of n elements and reduces nested `parts` to those that may have elements.
AXE_LAZY_FN constexpr refusal pad_chunks(mesh const& on, int d, integer n, iter_list& parts,
                                         integer& padded) {
  padded = n;
  if (n % product_of_extents(parts) == 0) return {};
  value_of_each_cut lengths;
  for (iter const& i : parts)
    lengths.push(ceil_divide(lengths.empty() ? n : lengths.back(), i.extent));
  for (int k = lengths.size() - 2; k >= 0; --k)
    if (!pad_to(lengths[k], lengths[k + 1])) return {rule::size_overflows};
  padded = lengths[0];
  if (!multiply(padded, parts[0].extent)) return {rule::size_overflows};
  integer const element = first_in_other_part(n, parts, lengths);
  if (element < n) {
    auto const rank = [&](value_of_each_cut const& own) {
      integer device = 0;
      for (mesh_axis const& a : on.axes) {
        device *= a.extent;
        for (int p = 0; p < parts.size(); ++p)
          if (parts[p].on == a.on) device += own[p];
      }
      return on.rank_of(device);
    };
    value_of_each_cut described;
    integer rest = element;
    for (integer length : lengths) {
      described.push(rest / length);
      rest %= length;
    }
    return {rule::placement_nested_uneven,
            {d, n, element, rank(chunks_of(n, parts, element)), rank(described)}};
  }
  for (int k = 1; k < parts.size(); ++k) parts[k].extent = lengths[k - 1] / lengths[k];
  return {};
}

}  // namespace detail

/// Rejects unequal parts that no layout describes.
AXE_LAZY_FN constexpr outcome<sharding> try_from_dtensor(dtensor_placements const& placements,
                                                         mesh const& on, shape const& tensor) {
  detail::extent_list real;
  if (refusal const bad = detail::admit_tensor(on, tensor, real)) return bad;
  if (placements.size() != on.axes.size())
    return refusal{rule::placement_count, {placements.size(), on.axes.size()}};
  for (dtensor_placement const& p : placements)
    if (p.kind == dtensor_kind::shard && (p.dimension < -real.size() || p.dimension >= real.size()))
      return refusal{rule::placement_dimension, {p.dimension, real.size()}};
  detail::extent_list padded;
  mesh reduced_mesh = on;
  for (int d = 0; d < real.size(); ++d) {
    detail::iter_list parts;
    if (refusal const bad = detail::parts_of_dimension(placements, on, d, real, parts)) return bad;
    integer extent = 1;
    if (refusal const bad = detail::pad_chunks(on, d, real[d], parts, extent)) return bad;
    padded.push(extent);
    for (iter const& i : parts) reduced_mesh.axes[on.index_of(i.on)].extent = i.extent;
  }
  detail::placement_cuts cuts(on, real, padded);
  for (int k = 0; k < placements.size(); ++k) {
    dtensor_placement const& p = placements[k];
    iter const all{reduced_mesh.axes[k].extent, 1, on.axes[k].on};
    bool done = true;
    if (p.kind == dtensor_kind::replicate) done = cuts.replicate(all);
    if (p.kind == dtensor_kind::partial) done = cuts.add_summand(all);
    if (p.kind == dtensor_kind::shard) {
      int const d = static_cast<int>(p.dimension < 0 ? p.dimension + real.size() : p.dimension);
      if (!cuts.cut(d, p.split_factor, all)) return refusal{rule::placement_crosses, {d}, {all.on}};
    }
    if (!done) return refusal{rule::too_many_replicas};
  }
  return cuts.finish();
}

namespace detail {

AXE_LAZY_FN constexpr outcome<dtensor_placement> placement_on(sharding const& s,
                                                              digits_of_dimensions const& found,
                                                              int k, axis& covered_in_part) {
  mesh_axis const& a = s.devices.axes[k];
  dtensor_placement p;
  int placements_needed = a.extent == 1;
  auto const is_whole = [&](iter const& i) { return i.extent == a.extent && i.stride == 1; };
  for (iter const& r : s.places.replicas)
    if (r.on == a.on) placements_needed += is_whole(r) ? 1 : 2;
  for (iter const& i : found.summands)
    if (i.on == a.on) {
      placements_needed += is_whole(i) ? 1 : 2;
      p.kind = dtensor_kind::partial;
    }
  int cut_into_ones = -1;
  for (int d = 0; d < found.dimensions.size(); ++d) {
    integer after = 1;  // extents in memory and on later axes
    for (iter const& i : found.dimensions[d]) {
      if (i.on == a.on) {
        placements_needed += i.stride == 1 ? 1 : 2;
        if (!is_whole(i)) covered_in_part = a.on;
        p = {dtensor_kind::shard, d, after};
      } else if (s.devices.index_of(i.on) < 0 || s.devices.index_of(i.on) > k) {
        after *= i.extent;
      }
    }
    if (after == 1) cut_into_ones = d;
  }
  if (placements_needed == 0 && cut_into_ones >= 0)
    p = {dtensor_kind::shard, cut_into_ones};
  else if (placements_needed != 1)
    return refusal{rule::other_axis_digits, {}, {a.on}};
  return p;
}

}  // namespace detail

/// Rejects axes that no placement describes, and memory that is not row-major.
AXE_LAZY_FN constexpr outcome<dtensor_placements> try_to_dtensor(sharding const& s,
                                                                 step_limit steps = {}) {
  outcome<detail::digits_of_dimensions> const found = detail::digits_by_dimension(s, steps);
  if (found.why) return found.why;
  dtensor_placements out;
  axis covered_in_part = axis::null;
  for (int k = 0; k < s.devices.axes.size(); ++k) {
    outcome<dtensor_placement> const p = detail::placement_on(s, found.value, k, covered_in_part);
    if (p.why) return p.why;
    out.push(p.value);
  }
  shape tensor;
  for (integer n : found.value.real) tensor.append(n);
  refusal const bad = detail::same_form(s, try_from_dtensor(out, s.devices, tensor), steps);
  if (bad.which == rule::other_form_differs && covered_in_part != axis::null)
    return refusal{rule::other_axis_digits, {}, {covered_in_part}};
  if (bad) return bad;
  return out;
}

AXE_LAZY_FN constexpr outcome<sharding> try_from_dtensor(char const* text, mesh const& on,
                                                         shape const& tensor) {
  dtensor_placements read_form;
  refusal const bad = detail::read_whole(text, on, [&](reader& in) { return read(in, read_form); });
  if (bad) return bad;
  return try_from_dtensor(read_form, on, tensor);
}

template <class Form>
AXE_FN constexpr sharding from_dtensor(Form const& form, mesh const& on, shape const& tensor) {
  return detail::stop_on(try_from_dtensor(form, on, tensor), "from_dtensor");
}

AXE_LAZY_FN constexpr dtensor_placements to_dtensor(sharding const& s, step_limit steps = {}) {
  return detail::stop_on(try_to_dtensor(s, steps), "to_dtensor", {&s.places, nullptr, &s.extents});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
