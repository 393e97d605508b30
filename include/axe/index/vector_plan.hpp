// SPDX-License-Identifier: MIT
// plan_vectors: proves which registers of a thread form vectors in memory.
//
//     columns 4*(t mod 8) + reg of floats, pitch dynamic(2): vectors of 1
//     .multiple_of(4) and a pointer aligned to 16 bytes: vectors of 4
//
// Definition: docs/index_code.md, "Vectors".
#pragma once

#include <axe/index/partition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// One sum in an address: the bytes of all static strides, or the steps of one dynamic stride.
struct address_sum {
  address_plan const* plan = nullptr;
  integer unit = 0;  // divides the bytes of one step
  int slot = 0;      // of the dynamic stride; -1: static strides
};

/// Divisors along a dimension in which the tile may be partial.
struct vector_edge {
  integer extent_divisor = 0;
  integer inner = 0;  // divides the product of the extents of faster digits
  int slot = 0;       // of the dynamic extent; -1: static
  integer grain = 0;  // divides the coordinate of register 0; 0 if that is 0
};

/// A coordinate of the address: the coordinate of a tile's dimension, or its quotient or remainder.
struct vector_dimension {
  int of_tile = 0;
  integer constant = 0;
  integer grain = 0;     // constants below this do not change a quotient; 0: not divided
  bool fastest = false;  // the remainder of the first division
};

struct vector_question {
  partition_data const* partition;
  integer element_bytes;
  integer base_alignment;
  coordinate_parts parts;
  list<vector_dimension, capacity::shards> dimensions{};
  list<address_sum, capacity::shards> sums{};
  list<vector_edge, capacity::shards> edges{};  // empty: no tile is partial
  integer chunk_bytes = 0;                      // the swizzle moves whole chunks; 0: no limit
  refusal why{};                                // set if an address plan was rejected

  AXE_FN constexpr void put(address_sum const& s) {
    if (s.plan->why) why = s.plan->why;
    sums.push(s);
  }
};

/// Of a divided coordinate, only the remainder has a constant: the part below the grain.
AXE_FN constexpr integer constant_of(vector_question const& q, int r, int d) {
  vector_dimension const& v = q.dimensions.at[d];
  integer const constant = v.constant + register_step(*q.partition, r, v.of_tile);
  if (v.grain == 0) return constant;
  return v.fastest ? constant % v.grain : 0;
}

/// The address of register r is at[r] plus a rest. Registers with equal `alike` have the same rest.
template <int Count> struct register_places {
  integer at[Count]{};                    // bytes
  int alike[Count]{};                     // the first register with the same rest
  integer divisor = 0;                    // divides the rest, in bytes
  list<integer, capacity::shards> steps;  // for each sum, a divisor of its steps
};

/// Registers with different keys get different `alike`.
template <int Count>
AXE_FN constexpr void tell_apart(register_places<Count>& places, integer const (&key)[Count]) {
  int first[Count]{};
  for (int r = 0; r < Count; ++r)
    while (places.alike[first[r]] != places.alike[r] || key[first[r]] != key[r]) ++first[r];
  for (int r = 0; r < Count; ++r) places.alike[r] = first[r];
}

/// Adds to `value` the run's terms that are equal in all threads. Makes `divisor` divide the other
/// terms.
template <int Count>
AXE_FN constexpr void place_run(register_places<Count>& places, vector_question const& q,
                                address_plan const& plan, dimension_run const& run,
                                integer (&value)[Count], integer& divisor) {
  run_digits const digits = plan.digits_of(run);
  largest_remainders const remainders = remainders_of(digits, parts_of_run(plan, run, q.parts));
  integer key[Count]{};
  bool carries = false;
  for (int r = 0; r < Count; ++r) {
    integer const index = index_in_run(plan, run, [&](int d) { return constant_of(q, r, d); });
    if (!run.added_up && !remainders.may_carry(index)) {
      value[r] += address_at(digits, index);
    } else {
      integer const rest = index % remainders.common_divisor;
      value[r] += rest * digits.fastest_first[0].stride;
      key[r] = index - rest + 1;  // not 0, the key of registers that do not carry
      carries = true;
    }
  }
  if (!carries) return;
  tell_apart(places, key);
  for (int k = 0; k < digits.count; ++k)
    divisor = greatest_common_divisor(
        divisor, (k == 0 ? remainders.common_divisor : 1) * digits.fastest_first[k].stride);
}

AXE_FN constexpr integer divisor_of_registers(address_plan const& plan, vector_question const& q) {
  integer divisor = 0;
  for (planned_register const& r : plan.registers) {
    if (r.from == origin::sum) continue;
    integer const grain = r.from == origin::part ? q.parts.parts[r.index].step * r.weight : 1;
    for (quotient_term const& t : r.quotients)
      divisor = greatest_common_divisor(
          divisor, t.weight * (grain % t.boundary == 0 ? grain / t.boundary : integer{1}));
  }
  return divisor;
}

template <int Count>
AXE_FN constexpr register_places<Count> place_registers(vector_question const& q) {
  register_places<Count> places;
  for (vector_dimension const& d : q.dimensions) {
    if (!d.fastest) continue;
    integer chunk[Count]{};  // registers of different chunks may have different quotients
    for (int r = 0; r < Count; ++r)
      chunk[r] = (d.constant + register_step(*q.partition, r, d.of_tile)) / d.grain;
    tell_apart(places, chunk);
  }
  for (address_sum const& s : q.sums) {
    integer value[Count]{};
    integer divisor = divisor_of_registers(*s.plan, q);
    for (dimension_run const& run : s.plan->runs)
      place_run(places, q, *s.plan, run, value, divisor);
    if (s.slot < 0) {
      for (int r = 0; r < Count; ++r) places.at[r] += value[r] + s.plan->offset;
      places.divisor = greatest_common_divisor(places.divisor, divisor);
    } else {
      tell_apart(places, value);
      for (integer const steps : value) divisor = greatest_common_divisor(divisor, steps);
    }
    places.steps.push(divisor);
  }
  return places;
}

/// Vector v holds registers[v * width] to registers[v * width + width - 1].
template <int Count> struct vector_plan {
  refusal why{};
  refusal edge{};  // says why a vector may be partly in bounds
  short registers[Count]{};
};

template <int Count>
AXE_FN constexpr refusal check_alignment(vector_question const& q,
                                         register_places<Count> const& places, integer bytes) {
  if (bytes > 16 || !is_power_of_two(bytes))
    return {rule::vector_bytes, {bytes / q.element_bytes, bytes}};
  if (q.chunk_bytes != 0 && q.chunk_bytes < bytes)
    return {rule::vector_in_a_swizzle, {bytes, q.chunk_bytes}};
  if (places.divisor % bytes != 0)
    return {rule::vector_unaligned, {bytes, greatest_common_divisor(places.divisor, bytes)}};
  for (int s = 0; s < q.sums.count; ++s) {
    integer const needed =
        bytes / greatest_common_divisor(bytes, places.steps[s] * q.element_bytes);
    integer const multiple = q.sums.at[s].unit / q.element_bytes;
    if (q.sums.at[s].slot >= 0 && places.steps[s] != 0 && multiple % needed != 0)
      return {rule::vector_needs_a_multiple, {bytes, q.sums.at[s].slot, needed, multiple}};
  }
  if (q.base_alignment % bytes != 0)
    return {rule::vector_needs_an_aligned_pointer, {bytes, q.base_alignment}};
  return {};
}

template <int Count>
AXE_FN constexpr refusal find_vectors(register_places<Count> const& places, integer element,
                                      int width, short (&registers)[Count]) {
  integer const bytes = element * width;
  bool taken[Count]{};
  int found = 0;
  for (int r = 0; r < Count; ++r) {
    if (taken[r]) continue;
    integer const start = floor_divide(places.at[r], bytes) * bytes;
    for (int k = 0; k < width; ++k) {
      int next = r;
      while (next < Count && (taken[next] || places.alike[next] != places.alike[r] ||
                              places.at[next] != start + k * element))
        ++next;
      if (next == Count) return {rule::vector_of_registers_apart, {bytes, width, r}};
      taken[next] = true;
      registers[found++] = static_cast<short>(next);
    }
  }
  return {};
}

template <int Count>
AXE_FN constexpr refusal check_edges(vector_question const& q, vector_plan<Count> const& plan,
                                     int width) {
  for (int d = 0; d < q.edges.count; ++d) {
    vector_edge const& edge = q.edges.at[d];
    for (int v = 0; v < Count; v += width) {
      integer least = largest, most = 0;
      for (int k = 0; k < width; ++k) {
        integer const step = register_step(*q.partition, plan.registers[v + k], d);
        least = smaller(least, step);
        most = larger(most, step);
      }
      integer const span = most - least + 1;
      integer const begin_divisor = greatest_common_divisor(edge.grain, least);
      if (span == 1 || greatest_common_divisor(begin_divisor, edge.extent_divisor) >= span)
        continue;
      if (begin_divisor % span != 0)
        return {rule::vector_begins_anywhere, {width, d, begin_divisor, span}};
      if (edge.slot < 0)
        return {rule::vector_leaves_a_known_extent, {width, d, edge.extent_divisor, span}};
      integer const needed = span / greatest_common_divisor(span, edge.inner);
      return {rule::vector_needs_a_whole_extent,
              {width, edge.slot, needed, edge.extent_divisor / edge.inner}};
    }
  }
  return {};
}

template <int Count>
AXE_FN constexpr vector_plan<Count> plan_vectors(vector_question const& q,
                                                 register_places<Count> const& places, int width) {
  vector_plan<Count> plan;
  for (int r = 0; r < Count; ++r) plan.registers[r] = static_cast<short>(r);
  if (width == 1) return plan;
  plan.why = q.why ? q.why : check_alignment(q, places, q.element_bytes * width);
  if (!plan.why && Count % width != 0)
    plan.why = {rule::vector_of_registers_apart,
                {q.element_bytes * width, width, Count / width * width}};
  if (!plan.why) plan.why = find_vectors(places, q.element_bytes, width, plan.registers);
  if (!plan.why) plan.edge = check_edges(q, plan, width);
  return plan;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
