// SPDX-License-Identifier: MIT
// partition_data: coordinates of registers as sums of digits of thread and register numbers.
//
//     P = S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)], tile (16,8):
//         coordinate 1 is 2 * (lane mod 4) + reg mod 2
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/algebra/join_axes.hpp>
#include <axe/base/sort.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Adds step * ((n / divisor) mod extent) to a coordinate, for thread or register number n.
struct partition_digit {
  int dimension = 0;
  integer step = 0;
  integer divisor = 0;
  integer extent = 0;
};
using partition_digits = list<partition_digit, capacity::shards>;
AXE_FN constexpr int next_digit(partition_digits const& digits, int k, int dimension) {
  while (k < digits.count && digits.at[k].dimension != dimension) ++k;
  return k;
}

struct partition_data {
  refusal why{};
  axis thread = axis::null;  // null: one thread owns all elements
  integer threads = 1;       // how many own elements, from first_thread on
  integer first_thread = 0;
  integer registers = 1;
  integer shared = 1;  // elements per register: the product of the extents of stride 0
  int rank = 0;
  partition_digits by_thread;
  partition_digits by_register;
};

/// Rejects iters on axis a unless they are the digits of one number. Sets `numbers` to its bound.
AXE_FN constexpr refusal digits_of_one_number(layout const& l, axis a, integer& numbers) {
  list<iter, capacity::shards + capacity::replicas> sorted;
  auto const add = [&](iter const& i) {
    if (i.on == a && i.extent != 1 && i.stride != 0) sorted.push(i);
  };
  for (iter const& i : l.shards) add(i);
  for (iter const& i : l.replicas) add(i);
  sort_by(sorted, [](iter const& i) { return i.stride; });
  numbers = 1;
  iter last{};
  for (int k = 0; k < sorted.count; ++k) {
    iter const& i = sorted.at[k];
    if (i.stride < 0) return {rule::partition_runs_down, {i.extent, i.stride}, {a}};
    if (i.stride < numbers)
      return {rule::partition_digits_overlap, {last.extent, last.stride, i.extent, i.stride}, {a}};
    if (i.stride != numbers) return {rule::partition_has_gaps, {numbers, i.stride}, {a}};
    numbers *= i.extent;
    last = i;
  }
  return {};
}

/// Joins thread axes of a CTA into tid. Sets `thread` from null to the one thread axis.
AXE_LAZY_FN constexpr outcome<layout> on_one_thread_axis(layout const& l, axis& thread) {
  using enum axis;
  outcome<layout> joined = l;
  bool joins = false;
  for (axis a : axes_of(l))
    joins = joins || a == warp || a == wg || a == wid_in_wg || a == tid_in_wg;
  if (joins) joined = try_to_tid(l);
  for (axis a : axes_of(joined.value)) {
    if (a == reg) continue;
    if (kind_of(a) != kind::thread) return refusal{rule::partition_on_another_axis, {}, {a}};
    if (thread != null) return refusal{rule::partition_of_two_thread_axes, {}, {thread, a}};
    thread = a;
  }
  return joined;
}

AXE_LAZY_FN constexpr partition_data partition_from(layout const& l, shape const& s) {
  partition_data p;
  outcome<layout> const joined = on_one_thread_axis(l, p.thread);
  p.why = joined.why;
  p.rank = s.rank();
  if (p.why) return p;
  outcome<layout> const grouped = try_group(*joined, s);
  p.why = grouped.why;
  if (!p.why) p.why = digits_of_one_number(*joined, p.thread, p.threads);
  if (!p.why) p.why = digits_of_one_number(*joined, axis::reg, p.registers);
  if (p.why) return p;
  p.first_thread = grouped->offset(p.thread);
  if (p.first_thread < 0) {
    p.why = {rule::partition_below_zero, {p.first_thread}, {p.thread}};
    return p;
  }
  int k = 0;
  for (int d = 0; d < p.rank; ++d) {
    int const last = k + grouped->blocks[d];
    integer divisor = 1;
    for (int i = last - 1; i >= k; --i) {
      iter const digit = grouped->shards[i];
      if (digit.on != axis::null && digit.stride != 0)
        (digit.on == axis::reg ? p.by_register : p.by_thread)
            .push({d, divisor, digit.stride, digit.extent});
      else
        p.shared *= digit.extent;
      divisor *= digit.extent;
    }
    k = last;
  }
  return p;
}

AXE_FN constexpr integer register_step(partition_data const& p, int r, int d) {
  integer sum = 0;
  for (partition_digit const& digit : p.by_register)
    if (digit.dimension == d) sum += digit.step * (r / digit.divisor % digit.extent);
  return sum;
}

/// True if thread first_thread + k owns element k of a flat tile.
AXE_FN constexpr bool counts_upwards(partition_data const& p) {
  for (partition_digit const& digit : p.by_thread)
    if (digit.step != digit.divisor) return false;
  return true;
}

/// True if subtracting first_thread changes none of a thread's digits.
AXE_FN constexpr bool first_thread_keeps_digits(partition_data const& p) {
  for (partition_digit const& digit : p.by_thread)
    if (p.first_thread % (digit.divisor * digit.extent) != 0) return false;
  return true;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
