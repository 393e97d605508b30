// SPDX-License-Identifier: MIT
// vector_planner: plans a copy by cp.async, or by loads and stores of 1 to 16 bytes.
#pragma once

#include <axe/plan/engine/copy_partition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr refusal check_base(integer bytes, integer alignment) {
  if (alignment < 1 || alignment % bytes != 0)
    return {rule::copy_base_not_aligned, {bytes, alignment}};
  return {};
}
/// Of two unaligned steps, the refusal of the smaller one.
AXE_LAZY_FN constexpr refusal clearer_of(refusal const& a, refusal const& b) {
  if (!a || !b) return a ? a : b;
  if (a.which != rule::copy_step_not_aligned) return a;
  bool const smaller_step = b.which != a.which || magnitude(b.numbers[1]) < magnitude(a.numbers[1]);
  return smaller_step ? b : a;
}

struct access_planner : partition_planner {
  using partition_planner::partition_planner;

  AXE_LAZY_FN constexpr bool are_aligned_vectors(layout const& side, integer elements) const {
    integer step = 1;  // between elements of an access
    int k = modes.count - 1;
    for (; modes[k].values == 1; --k) step *= modes[k].extent;
    step_limit steps;
    for (integer x = 0; x < product_of_extents(side.shards); ++x) {
      integer const e = x / step % modes[k].extent % elements;
      integer const start = address_at(side, x - e * step);
      if (!steps.take() || start != floor_divide(start, elements) * elements ||
          address_at(side, x) != start + e)
        return false;
    }
    return true;
  }

  /// The refusal names the smallest unaligned stride. This is a static one if possible, because
  /// dynamic strides are planned as large numbers.
  AXE_LAZY_FN constexpr refusal check_steps(layout const& side, integer elements,
                                            bool matrix_rows = false) const {
    integer const width = elements * bits / 8;
    if (!side.swizzle.none() && elements > (integer{1} << side.swizzle.M))
      if (integer const kept = kept_together(side); elements > kept)
        return !matrix_rows && are_aligned_vectors(side, elements)
                   ? refusal{}
                   : refusal{rule::copy_swizzle_splits, {width, kept * bits / 8}};
    if (side.offset(axis::m) % elements != 0)
      return {rule::copy_step_not_aligned, {width, side.offset(axis::m), bits}};
    integer worst = 0;
    for (int k = 0; k < modes.count; ++k) {
      integer const step = side.shards[k].stride;
      if (modes[k].values > 1 || step % elements == 0) continue;
      if (worst == 0 || magnitude(step) < magnitude(worst)) worst = step;
    }
    if (worst == 0) return {};
    return matrix_rows ? refusal{rule::copy_matrix_rows, {magnitude(worst) * bits / 8}}
                       : refusal{rule::copy_step_not_aligned, {width, worst, bits}};
  }

  AXE_LAZY_FN constexpr refusal check_alignment(integer elements) const {
    integer const width = elements * bits / 8;
    refusal bad;
    if (from_memory && !from_by_element) bad = check_steps(from, elements);
    if (to_memory && !to_by_element) bad = clearer_of(bad, check_steps(to, elements));
    if (!bad && from_memory) bad = check_base(width, request->options.from_alignment);
    if (!bad && to_memory) bad = check_base(width, request->options.to_alignment);
    return bad;
  }

  AXE_LAZY_FN constexpr bool may_end_inside_access(int k, integer elements) const {
    copy_mode const& m = modes[k];
    if (m.extent % elements != 0) return true;
    return edge_of(m) != 0 && edge_of(m) % (m.coordinate_step * elements) != 0;
  }
};

struct vector_planner : access_planner {
  using access_planner::access_planner;

  AXE_LAZY_FN constexpr refusal find_vector() {
    if (values == 1) return {};
    if (!modes_are_iters) return {rule::copy_no_common_digits};
    integer longest = 1;
    for (int k = 0; k < modes.count; ++k) {
      bool adjacent = modes[k].step != 0;
      if (from_memory) adjacent = adjacent && from.shards[k].stride == 1;
      if (to_memory) adjacent = adjacent && to.shards[k].stride == 1;
      if (partitioned) {
        iter const held = holders.shards[k];
        bool const in_registers = !from_memory || !to_memory;
        adjacent =
            adjacent && held.is_on(axis::reg) && (!in_registers || held.stride == 1 || bits >= 32);
      }
      if (!adjacent || modes[k].extent <= longest) continue;
      vector = k;
      longest = modes[k].extent;
    }
    if (longest < values || (partitioned && longest % values != 0))
      return {rule::copy_too_few_adjacent, {values, longest, bits}};
    return {};
  }

  AXE_LAZY_FN constexpr outcome<copy_plan> plan_by(copy_instruction i) {
    instruction = i;
    bytes = bytes_of(i);
    values = bytes * 8 / bits;
    bool const cp_async = is_cp_async(i);
    if (cp_async && !request->copies(memory_space::global, memory_space::shared))
      return refusal{rule::copy_not_between_these};
    if (values < 1) return refusal{rule::copy_access_too_narrow, {bytes, bits}};
    if (refusal const bad = find_vector()) return bad;
    if (vector >= 0) {
      modes[vector].values = values;
      cut = may_end_inside_access(vector, values);
    }
    if (cp_async && cut) {
      copy_mode const& m = modes[vector];
      if (m.extent % values != 0)
        return refusal{rule::copy_too_few_adjacent, {values, m.extent, bits}};
      if (outside == copy_outside::skip)
        return refusal{rule::copy_accesses_cut, {values, edge_of(m)}};
    }
    if (refusal const bad = check_alignment(values)) return bad;
    if (partitioned)
      follow_partition();
    else
      make_partition();
    return finish_plan();
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
