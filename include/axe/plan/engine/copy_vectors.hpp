// SPDX-License-Identifier: MIT
// plan_vectors: plans a copy by loads and stores or by cp.async of 1 to 16 bytes.
#pragma once

#include <axe/engine/commuting_swizzle.hpp>
#include <axe/plan/engine/copy_partition.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr outcome<int> vector_mode(copy_request const& r, copy_view const& v,
                                               integer values) {
  if (values == 1) return -1;
  if (!v.simple) return refusal{rule::copy_not_simple};
  integer longest = 1;
  int found = -1;
  for (int k = 0; k < v.modes.count; ++k) {
    bool adjacent = v.modes[k].step != 0;
    if (in_memory(r.from_space)) adjacent = adjacent && v.from.shards[k].stride == 1;
    if (in_memory(r.to_space)) adjacent = adjacent && v.to.shards[k].stride == 1;
    if (v.partitioned) {
      iter const held = v.holders.shards[k];
      bool const in_registers = !in_memory(r.from_space) || !in_memory(r.to_space);
      adjacent =
          adjacent && held.is_on(axis::reg) && (!in_registers || held.stride == 1 || v.bits >= 32);
    }
    if (!adjacent || v.modes[k].extent <= longest) continue;
    found = k;
    longest = v.modes[k].extent;
  }
  if (found < 0 || longest < values || (v.partitioned && longest % values != 0))
    return refusal{rule::copy_too_few_adjacent, {values, longest, v.bits}};
  return found;
}

AXE_LAZY_FN constexpr bool are_aligned_vectors(copy_view const& v, layout const& side,
                                               integer values) {
  integer step = 1;  // between elements of an access
  int k = v.modes.count - 1;
  for (; v.modes[k].values == 1; --k) step *= v.modes[k].extent;
  step_limit steps;
  for (integer x = 0; x < product_of_extents(side.shards); ++x) {
    integer const e = x / step % v.modes[k].extent % values;
    integer const start = place_of(side, x - e * step);
    if (!steps.take() || start != floor_divide(start, values) * values ||
        place_of(side, x) != start + e)
      return false;
  }
  return true;
}

/// The refusal names the smallest failing stride. Static ones come first, because dynamic strides
/// are planned as large numbers.
AXE_LAZY_FN constexpr refusal check_steps(copy_view const& v, layout const& side, integer values,
                                          bool matrix_rows = false) {
  integer const bytes = values * v.bits / 8;
  if (values == 1) return {};
  if (!side.swizzle.none() && values > (integer{1} << side.swizzle.M))
    if (integer const kept = kept_together(side); values > kept)
      return !matrix_rows && are_aligned_vectors(v, side, values)
                 ? refusal{}
                 : refusal{rule::copy_swizzle_splits, {bytes, kept * v.bits / 8}};
  if (side.offset(axis::m) % values != 0)
    return {rule::copy_step_not_aligned, {bytes, side.offset(axis::m), v.bits}};
  integer worst = 0;
  for (int k = 0; k < v.modes.count; ++k) {
    integer const step = side.shards[k].stride;
    if (v.modes[k].values > 1 || step % values == 0) continue;
    if (worst == 0 || magnitude(step) < magnitude(worst)) worst = step;
  }
  if (worst == 0) return {};
  return matrix_rows ? refusal{rule::copy_matrix_rows, {magnitude(worst) * v.bits / 8}}
                     : refusal{rule::copy_step_not_aligned, {bytes, worst, v.bits}};
}
AXE_LAZY_FN constexpr refusal check_base(integer bytes, integer base) {
  if (base < 1 || base % bytes != 0) return {rule::copy_base_not_aligned, {bytes, base}};
  return {};
}
AXE_LAZY_FN constexpr refusal clearer_of(refusal const& a, refusal const& b) {
  if (!a || !b) return a ? a : b;
  if (a.which != rule::copy_step_not_aligned) return a;
  bool const smaller_step = b.which != a.which || magnitude(b.numbers[1]) < magnitude(a.numbers[1]);
  return smaller_step ? b : a;
}
AXE_LAZY_FN constexpr refusal check_alignment(copy_request const& r, copy_view const& v,
                                              integer values) {
  integer const bytes = values * v.bits / 8;
  bool const from = in_memory(r.from_space), to = in_memory(r.to_space);
  refusal bad;
  if (from && !v.from_by_element) bad = check_steps(v, v.from, values);
  if (to && !v.to_by_element) bad = clearer_of(bad, check_steps(v, v.to, values));
  if (!bad && from) bad = check_base(bytes, r.options.from_alignment);
  if (!bad && to) bad = check_base(bytes, r.options.to_alignment);
  return bad;
}

AXE_LAZY_FN constexpr bool may_end_inside_access(copy_view const& v, int k, integer values) {
  if (values == 1) return false;
  copy_mode const& m = v.modes[k];
  if (m.extent % values != 0) return true;
  return v.edge_of(m) != 0 && v.edge_of(m) % (m.coordinate_step * values) != 0;
}

AXE_LAZY_FN constexpr outcome<copy_plan> plan_vectors(copy_request const& r, copy_view const& view,
                                                      copy_instruction instruction) {
  copy_view v = view;
  v.instruction = instruction;
  v.bytes = bytes_of(instruction);
  v.values = v.bytes * 8 / v.bits;
  bool const cp_async = is_cp_async(instruction);
  if (r.options.remote || (cp_async && !r.copies(memory_space::global, memory_space::shared)))
    return refusal{rule::copy_not_between_these};
  if (v.values < 1) return refusal{rule::copy_access_too_narrow, {v.bytes, v.bits}};
  outcome<int> const mode = vector_mode(r, v, v.values);
  if (mode.why) return mode.why;
  if (*mode >= 0) {
    v.modes[*mode].values = v.values;
    v.cut = may_end_inside_access(v, *mode, v.values);
  }
  if (cp_async && v.cut) {
    copy_mode const& m = v.modes[*mode];
    if (m.extent % v.values != 0)
      return refusal{rule::copy_too_few_adjacent, {v.values, m.extent, v.bits}};
    if (r.options.outside == copy_outside::skip)
      return refusal{rule::copy_accesses_cut, {v.values, v.edge_of(m)}};
  }
  if (refusal const bad = check_alignment(r, v, v.values)) return bad;
  if (v.partitioned)
    follow_partition(v);
  else
    make_partition(r, v, *mode);
  return finish_plan(r, v, *mode);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
