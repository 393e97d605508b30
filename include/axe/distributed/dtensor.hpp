// SPDX-License-Identifier: MIT
// Placements of PyTorch's DTensor: one for each axis of the mesh, the slowest axis first.
//
//     from_dtensor({{shard(0), replicate()}}, nodes, {64,64})     [Shard(0), Replicate()]
//     to_dtensor(s)                                                a sharding as placements
//
// Shard divides the rest of a dimension that earlier placements left, as torch.chunk does. With
// split_factor f it divides each of f parts. Partial(sum) is a summand dimension. The local tensor
// is row-major, with the pitch of a full part. Definition: docs/distributed.md, "DTensor".
#pragma once

#include <axe/distributed/placement_cuts.hpp>
#include <axe/distributed/sharding_difference.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class dtensor_kind : unsigned char { replicate, shard, partial };

struct dtensor_placement {
  dtensor_kind what = dtensor_kind::replicate;
  integer dimension = 0;  // of shard; a negative one counts from the last dimension
  integer split_factor = 1;

  constexpr bool operator==(dtensor_placement const&) const = default;
};
using dtensor_placements = list<dtensor_placement, capacity::mesh_axes>;

namespace detail {

/// The part that holds an element after nested torch.chunk of n elements. `parts` has the number of
/// chunks of each call, the outermost first.
AXE_FN constexpr integer chunk_of(integer n, iter_list const& parts, integer element) {
  integer part = 0;
  for (iter const& i : parts) {
    integer const length = ceil_divide(n, i.extent);
    integer const own = n == 0 ? 0 : element / length;
    part = part * i.extent + own;
    element -= own * length;
    n = smaller(length, n - own * length);
  }
  return part;
}

/// Compares nested torch.chunk of n elements with a division into parts of `length` elements.
/// Returns the first element that they put into different parts, or n. If a cut makes parts as long
/// as the division, only its last part can differ. Otherwise its first part differs, or the element
/// after it.
AXE_FN constexpr integer first_apart(integer n, iter_list const& parts, integer length) {
  integer first = n;
  integer begin = 0;
  integer below = product_of_extents(parts);
  for (iter const& i : parts) {
    if (n == 0) break;
    below /= i.extent;
    integer const own = ceil_divide(n, i.extent);
    if (own == length * below) {
      begin += n / own * own;
      n %= own;
    } else {
      if (n > own) first = begin + own;
      n = own;
    }
  }
  return first;
}

/// Sets `padded` to the padded extent of dimension d with n elements in nested parts. Rejects
/// unequal parts that padding cannot describe.
AXE_LAZY_FN constexpr refusal pad_chunks(mesh const& on, int d, integer n, iter_list const& parts,
                                         bool strided, integer& padded) {
  integer const count = product_of_extents(parts);
  padded = n;
  if (!pad_to(padded, count)) return {rule::size_overflows};
  if (padded == n) return {};
  if (strided) return {rule::placement_split_factor, {d, n, count}};
  integer const length = padded / count;
  auto const rank = [&](integer part) {
    integer device = 0;
    integer below = 1;
    integer rest = part;
    for (int k = on.axes.size() - 1; k >= 0; --k) {
      for (int p = parts.size() - 1; p >= 0; --p)
        if (parts[p].on == on.axes[k].on) {
          integer after = 1;
          for (int q = p + 1; q < parts.size(); ++q) after *= parts[q].extent;
          device += rest / after % parts[p].extent * below;
        }
      below *= on.axes[k].extent;
    }
    return on.rank_of(device);
  };
  integer const element = first_apart(n, parts, length);
  if (element == n) return {};
  return {rule::placement_nested_uneven,
          {d, n, element, rank(chunk_of(n, parts, element)), rank(element / length)}};
}

}  // namespace detail

/// The sharding of DTensor placements. Rejects a number of placements that is not the number of
/// mesh axes, and nested unequal parts that padding cannot describe.
AXE_LAZY_FN constexpr outcome<sharding> try_from_dtensor(dtensor_placements const& placements,
                                                         mesh const& on, shape const& tensor) {
  detail::extent_list real;
  if (refusal const bad = detail::admit_tensor(on, tensor, real)) return bad;
  if (placements.size() != on.axes.size())
    return refusal{rule::placement_count, {placements.size(), on.axes.size()}};
  detail::extent_list padded;
  for (int d = 0; d < real.size(); ++d) {
    detail::iter_list parts;
    bool strided = false;
    for (int k = 0; k < placements.size(); ++k) {
      dtensor_placement const& p = placements[k];
      if (p.what != dtensor_kind::shard) continue;
      if (p.dimension < -real.size() || p.dimension >= real.size())
        return refusal{rule::placement_dimension, {p.dimension, real.size()}};
      if (p.dimension != d && p.dimension != d - real.size()) continue;
      parts.push({on.axes[k].extent, 1, on.axes[k].on});
      strided = strided || p.split_factor != 1;
    }
    integer extent = 1;
    if (refusal const bad = detail::pad_chunks(on, d, real[d], parts, strided, extent)) return bad;
    padded.push(extent);
  }
  detail::placement_cuts cuts(on, real, padded);
  for (int k = 0; k < placements.size(); ++k) {
    dtensor_placement const& p = placements[k];
    iter const all{on.axes[k].extent, 1, on.axes[k].on};
    bool done = true;
    if (p.what == dtensor_kind::replicate) done = cuts.replicate(all);
    if (p.what == dtensor_kind::partial) done = cuts.add_up(all);
    if (p.what == dtensor_kind::shard) {
      int const d = static_cast<int>(p.dimension < 0 ? p.dimension + real.size() : p.dimension);
      integer parts = all.extent;
      if (!detail::multiply(parts, p.split_factor)) return refusal{rule::size_overflows};
      if (p.split_factor < 1 || !cuts.cut(d, p.split_factor, all))
        return refusal{rule::placement_split_factor, {d, real[d], parts}};
    }
    if (!done) return refusal{rule::too_many_replicas, {capacity::replicas + 1}};
  }
  return cuts.finish();
}

/// The DTensor placements of a sharding. Rejects a mesh axis that one placement does not describe,
/// and local elements that are not row-major.
AXE_LAZY_FN constexpr outcome<dtensor_placements> try_to_dtensor(sharding const& s,
                                                                 step_limit steps = {}) {
  outcome<detail::digits_of_dimensions> const found = detail::digits_by_dimension(s, steps);
  if (found.why) return found.why;
  dtensor_placements out;
  for (int k = 0; k < s.devices.axes.size(); ++k) {
    mesh_axis const& a = s.devices.axes[k];
    dtensor_placement p;
    int uses = a.extent == 1;
    auto const is_whole = [&](iter const& i) { return i.extent == a.extent && i.stride == 1; };
    for (iter const& r : s.places.replicas)
      if (r.on == a.on) uses += is_whole(r) ? 1 : 2;
    for (iter const& i : found.value.summands)
      if (i.on == a.on) {
        uses += is_whole(i) ? 1 : 2;
        p.what = dtensor_kind::partial;
      }
    for (int d = 0; d < found.value.dimensions.size(); ++d) {
      integer behind = 1;  // the product of the extents in memory and on axes that are cut later
      for (iter const& i : found.value.dimensions[d]) {
        if (i.on == a.on) {
          uses += is_whole(i) ? 1 : 2;
          p = {dtensor_kind::shard, d, behind};
        } else if (s.devices.index_of(i.on) < 0 || s.devices.index_of(i.on) > k) {
          behind *= i.extent;
        }
      }
    }
    if (uses != 1) return refusal{rule::other_axis_digits, {}, {a.on}};
    out.push(p);
  }
  shape tensor;
  for (integer n : found.value.real) tensor.append(n);
  if (refusal const bad = detail::same_form(s, try_from_dtensor(out, s.devices, tensor), steps))
    return bad;
  return out;
}

namespace detail {

AXE_FN constexpr void skip_keyword(reader& in, char const* name) {
  if (!in.sees(name, '=')) return;
  in.take_word(name);
  in.take('=');
}

AXE_LAZY_FN constexpr bool read_placement(reader& in, dtensor_placement& p) {
  int const start = in.position;
  bool const strided = in.take_word("_StridedShard");
  if (strided || in.take_word("Shard") || in.take_word("S")) {
    p.what = dtensor_kind::shard;
    if (!in.require('(', rule::expected_a_placement)) return false;
    skip_keyword(in, "dim");
    if (!in.read_integer(p.dimension, rule::expected_a_number)) return false;
    if (strided) {
      if (!in.require(',', rule::expected_a_placement)) return false;
      skip_keyword(in, "split_factor");
      skip_keyword(in, "sf");
      if (!in.read_integer(p.split_factor, rule::expected_a_number)) return false;
    }
    return in.require(')', rule::expected_a_comma_or_parenthesis);
  }
  if (in.take_word("Replicate") || in.take_word("R")) {
    if (in.take('(')) return in.require(')', rule::expected_a_comma_or_parenthesis);
    return true;
  }
  if (!in.take_word("Partial") && !in.take_word("P"))
    return in.fail_at(start, rule::expected_a_placement);
  p.what = dtensor_kind::partial;
  if (!in.take('(') || in.take(')')) return true;
  char const quote = in.next();
  bool const quoted = quote == '"' || quote == '\'';
  if (quoted) in.take(quote);
  if (!in.take_word("sum")) return in.fail(rule::placement_of_another_sum);
  if (quoted && !in.take(quote)) return in.fail(rule::placement_of_another_sum);
  return in.require(')', rule::expected_a_comma_or_parenthesis);
}

}  // namespace detail

/// Reads `[Shard(0), _StridedShard(dim=1, split_factor=2), Replicate(), Partial("sum")]`, in
/// brackets or parentheses; S(0), R and P are short forms.
AXE_LAZY_FN constexpr bool read(reader& in, dtensor_placements& out) {
  bool const bracket = in.take('[');
  if (!bracket && !in.require('(', rule::expected_a_placement)) return false;
  char const close = bracket ? ']' : ')';
  while (!in.take(close)) {
    dtensor_placement p;
    if (!detail::read_placement(in, p)) return false;
    if (!out.push(p)) return in.fail(rule::mesh_too_large, capacity::mesh_axes);
    if (!in.take(',') && in.next() != close) return in.fail(rule::expected_a_placement);
  }
  return true;
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
  auto const result = try_from_dtensor(form, on, tensor);
  detail::stop_on(result.why, "from_dtensor");
  return result.value;
}

AXE_LAZY_FN constexpr dtensor_placements to_dtensor(sharding const& s, step_limit steps = {}) {
  auto const result = try_to_dtensor(s, steps);
  detail::stop_on(result.why, "to_dtensor", {&s.places, nullptr, &s.extents});
  return result.value;
}

template <class Out> AXE_FN constexpr void print(Out& out, dtensor_placements const& placements) {
  out.put('[');
  for (int k = 0; k < placements.size(); ++k) {
    dtensor_placement const& p = placements[k];
    if (k > 0) out.put(", ");
    if (p.what == dtensor_kind::replicate) out.put("Replicate()");
    if (p.what == dtensor_kind::partial) out.put("Partial(sum)");
    if (p.what != dtensor_kind::shard) continue;
    out.put(p.split_factor == 1 ? "Shard(" : "_StridedShard(");
    out.put(p.dimension);
    if (p.split_factor != 1) {
      out.put(", split_factor=");
      out.put(p.split_factor);
    }
    out.put(')');
  }
  out.put(']');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
