// SPDX-License-Identifier: MIT
// JAX's PartitionSpec: the mesh axes that divide each dimension, slowest first.
//
//     P('x', None, ('y', 'z'))          dimension 0 over x, dimension 2 over y and z
//
// Dimensions left out are not divided. Definition: docs/distributed.md, "PartitionSpec".
#pragma once

#include <axe/distributed/placement_cuts.hpp>
#include <axe/distributed/sharding_difference.hpp>
#include <axe/notation/print.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct partition_spec {
  using axis_names = list<axis, capacity::mesh_axes>;

  list<axis_names, capacity::shards> dimensions;
  axis_names unreduced;  // over which a sum is pending

  constexpr bool operator==(partition_spec const&) const = default;
};

/// Rejects axes outside the mesh or named twice.
AXE_LAZY_FN constexpr outcome<sharding> try_from_partition_spec(partition_spec const& spec,
                                                                mesh const& on,
                                                                shape const& tensor) {
  detail::extent_list real;
  if (refusal const bad = detail::admit_tensor(on, tensor, real)) return bad;
  if (spec.dimensions.size() > real.size())
    return refusal{rule::spec_has_more_dimensions, {spec.dimensions.size(), real.size()}};
  axis_list seen;
  auto const use_axis = [&](axis a) -> refusal {
    if (on.index_of(a) < 0) return {rule::spec_axis, {}, {a}};
    if (seen.contains(a)) return {rule::spec_axis_twice, {}, {a}};
    seen.push(a);
    return {};
  };
  auto const all = [&](axis a) { return iter{on.axes[on.index_of(a)].extent, 1, a}; };
  detail::extent_list padded = real;
  for (int d = 0; d < spec.dimensions.size(); ++d) {
    integer parts = 1;
    for (axis a : spec.dimensions[d]) {
      if (refusal const bad = use_axis(a)) return bad;
      parts *= all(a).extent;
    }
    if (!detail::pad_to(padded[d], parts)) return refusal{rule::size_overflows};
  }
  detail::placement_cuts cuts(on, real, padded);
  for (int d = 0; d < spec.dimensions.size(); ++d)
    for (axis a : spec.dimensions[d])
      if (!cuts.cut(d, 1, all(a))) return refusal{rule::too_many_shards, {capacity::shards + 1}};
  for (axis a : spec.unreduced)
    if (refusal const bad = use_axis(a)) return bad;
  for (mesh_axis const& a : on.axes) {
    // `unreduced` is a set: the mesh orders its axes.
    if (spec.unreduced.contains(a.on) && !cuts.add_summand(all(a.on)))
      return refusal{rule::too_many_shards, {capacity::shards + 1}};
    if (!seen.contains(a.on) && !cuts.replicate(all(a.on))) return refusal{rule::too_many_replicas};
  }
  return cuts.finish();
}

/// Rejects a dimension that is divided over a part of a mesh axis, unless the other devices hold
/// padding. Memory must be row-major.
AXE_LAZY_FN constexpr outcome<partition_spec> try_to_partition_spec(sharding const& s,
                                                                    step_limit steps = {}) {
  outcome<detail::digits_of_dimensions> const found = detail::digits_by_dimension(s, steps);
  if (found.why) return found.why;
  partition_spec out;
  axis padded = axis::null;
  auto const add = [&](partition_spec::axis_names& names, iter const& i, bool slowest = false) {
    int const k = s.devices.index_of(i.on);
    if (k < 0) return true;
    bool const whole = i.extent == s.devices.axes[k].extent;
    if (i.stride != 1 || !(whole || slowest)) return false;
    if (!whole) padded = i.on;
    return names.push(i.on);
  };
  for (detail::iter_list const& digits : found.value.dimensions) {
    out.dimensions.push({});
    for (iter const& i : digits)
      if (!add(out.dimensions.back(), i, &i == digits.begin()))
        return refusal{rule::other_axis_digits, {}, {i.on}};
  }
  for (iter const& i : found.value.summands)
    if (!add(out.unreduced, i) || i.on == axis::m)
      return refusal{rule::other_axis_digits, {}, {i.on}};
  shape tensor;
  for (integer n : found.value.real) tensor.append(n);
  if (refusal const bad =
          detail::same_form(s, try_from_partition_spec(out, s.devices, tensor), steps))
    return padded == axis::null ? bad : refusal{rule::other_axis_digits, {}, {padded}};
  return out;
}

namespace detail {

AXE_LAZY_FN constexpr bool read_mesh_axis(reader& in, mesh const& on, axis& a) {
  char const quote = in.next();
  bool const quoted = quote == '"' || quote == '\'';
  if (quoted) in.take(quote);
  int const length = in.name_length();
  axis const named = pack_axis(in.characters + in.position, length < 9 ? length : 9, kind::device);
  if (length == 0) return in.fail(rule::expected_a_partition_spec);
  if (!in.read_axis(a)) return in.fail_with({rule::spec_axis, {}, {named}});
  if (on.index_of(a) < 0) return in.fail_with({rule::spec_axis, {}, {a}});
  return !quoted || in.require(quote, rule::expected_a_partition_spec);
}

AXE_LAZY_FN constexpr bool read_mesh_axes(reader& in, mesh const& on, char close,
                                          partition_spec::axis_names& names) {
  while (!in.take(close)) {
    axis a{};
    if (!read_mesh_axis(in, on, a)) return false;
    if (!names.push(a)) return in.fail(rule::list_is_too_long, names.capacity);
    if (!in.take(',') && in.next() != close) return in.fail(rule::expected_a_partition_spec);
  }
  return true;
}

}  // namespace detail

/// Precondition: `in` knows the mesh's declared axes.
AXE_LAZY_FN constexpr bool read(reader& in, mesh const& on, partition_spec& out) {
  if (!in.take_word("P") && !in.take_word("PartitionSpec"))
    return in.fail(rule::expected_a_partition_spec);
  if (!in.require('(', rule::expected_a_partition_spec)) return false;
  while (!in.take(')')) {
    if (in.sees("unreduced", '=')) {
      in.take_word("unreduced");
      in.take('=');
      if (!in.require('{', rule::expected_a_partition_spec) ||
          !detail::read_mesh_axes(in, on, '}', out.unreduced))
        return false;
    } else {
      partition_spec::axis_names names;
      if (in.take('(')) {
        if (!detail::read_mesh_axes(in, on, ')', names)) return false;
      } else if (!in.take_word("None")) {
        axis a{};
        if (!detail::read_mesh_axis(in, on, a)) return false;
        names.push(a);
      }
      if (!out.dimensions.push(names))
        return in.fail(rule::list_is_too_long, out.dimensions.capacity);
    }
    if (!in.take(',') && in.next() != ')') return in.fail(rule::expected_a_partition_spec);
  }
  return true;
}

AXE_LAZY_FN constexpr outcome<sharding> try_from_partition_spec(char const* text, mesh const& on,
                                                                shape const& tensor) {
  partition_spec read_form;
  refusal const bad =
      detail::read_whole(text, on, [&](reader& in) { return read(in, on, read_form); });
  if (bad) return bad;
  return try_from_partition_spec(read_form, on, tensor);
}

template <class Form>
AXE_FN constexpr sharding from_partition_spec(Form const& form, mesh const& on,
                                              shape const& tensor) {
  return detail::stop_on(try_from_partition_spec(form, on, tensor), "from_partition_spec");
}

AXE_LAZY_FN constexpr partition_spec to_partition_spec(sharding const& s, step_limit steps = {}) {
  return detail::stop_on(try_to_partition_spec(s, steps), "to_partition_spec",
                         {&s.places, nullptr, &s.extents});
}

AXE_FN constexpr void print(auto& out, partition_spec const& spec) {
  auto const put_all = [&](partition_spec::axis_names const& names, char const* open,
                           char const* close) {
    out.put(open);
    for (int k = 0; k < names.size(); ++k) {
      if (k > 0) out.put(", ");
      out.put('\'');
      print(out, names[k]);
      out.put('\'');
    }
    out.put(close);
  };
  out.put("P(");
  for (int d = 0; d < spec.dimensions.size(); ++d) {
    partition_spec::axis_names const& names = spec.dimensions[d];
    if (d > 0) out.put(", ");
    if (names.empty())
      out.put("None");
    else
      put_all(names, names.size() > 1 ? "(" : "", names.size() > 1 ? ")" : "");
  }
  if (!spec.unreduced.empty()) {
    if (!spec.dimensions.empty()) out.put(", ");
    put_all(spec.unreduced, "unreduced={", "}");
  }
  out.put(')');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
