// SPDX-License-Identifier: MIT
// partition_planner: divides the accesses of a copy among threads.
//
//     modes of 64 and 6 accesses, 128 threads
//         6 threads on the second mode, 16 on the first: 4 issues of 96 threads
#pragma once

#include <axe/plan/engine/copy_planner.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

using mode_order = list<int, copy_plan::most_modes>;

struct thread_choice {
  bool divides = false;
  integer issues = 0;
  integer column_tests = 1;  // bounds tests in the fastest mode's dimension
  integer row_tests = 1;     // in other dimensions
  integer covered = 0;       // accesses, also those past the end
  integer threads[copy_plan::most_modes]{};
};

struct partition_planner : copy_planner {
  int vector = -1;  // the mode of vectors, or -1

  AXE_FN constexpr explicit partition_planner(copy_planner const& p) : copy_planner(p) {}

  /// Orders the modes: the one of vectors first, then by ascending stride.
  AXE_LAZY_FN constexpr mode_order thread_order() const {
    bool const by_from = from_space == memory_space::global && to_space != memory_space::global;
    layout const& side = by_from ? from : to;
    bool const by_element = by_from ? from_by_element : to_by_element;
    mode_order order;
    auto const key = [&](int k) {
      if (k == vector) return integer{0};
      if (by_element || !modes_are_iters) return modes[k].step;
      integer const stride = magnitude(side.shards[k].stride);
      return stride == 0 ? largest : stride;
    };
    for (int k = modes.count - 1; k >= 0; --k) {
      if (modes[k].step == 0) continue;
      int at = 0;
      while (at < order.count && key(order[at]) <= key(k)) ++at;
      order.insert(at, k);
    }
    return order;
  }

  /// Moves modes that need row tests directly after the fastest mode.
  AXE_LAZY_FN constexpr mode_order row_tests_first(mode_order const& order) const {
    mode_order out;
    int const fastest = modes[order[0]].dimension;
    for (int first = 1; first >= 0; --first)
      for (int n = 0; n < order.count; ++n) {
        copy_mode const& m = modes[order[n]];
        if ((n == 0 || (m.dimension != fastest && edge_of(m) != 0)) == first) out.push(order[n]);
      }
    return out;
  }

  /// Puts `first` threads along the fastest mode, then the rest along one mode after the other.
  /// With `divides`, the number of threads along each later mode divides its accesses.
  AXE_LAZY_FN constexpr thread_choice choose_threads(mode_order const& order, integer first,
                                                     integer most_threads, bool divides) const {
    thread_choice choice;
    choice.divides = divides;
    choice.issues = choice.covered = 1;
    integer left = most_threads;
    for (int n = 0; n < order.count; ++n) {
      copy_mode const& m = modes[order[n]];
      integer const accesses = m.accesses();
      integer const most = n == 0    ? first
                           : divides ? greatest_common_divisor(accesses, left)
                                     : smaller(accesses, left);
      integer const times = (accesses - 1) / most + 1;
      integer const along = (accesses - 1) / times + 1;
      choice.threads[order[n]] = along;
      choice.issues *= times;
      bool const of_fastest = m.dimension == modes[order[0]].dimension;
      if (edge_of(m) != 0) (of_fastest ? choice.column_tests : choice.row_tests) *= times;
      choice.covered *= times * along;
      left /= along;
    }
    return choice;
  }

  /// Prefers few issues, then few accesses past the end, then a choice without `divides`, then many
  /// threads along the fastest mode.
  AXE_LAZY_FN constexpr thread_choice best_threads(mode_order const& order,
                                                   integer most_threads) const {
    copy_mode const& fastest = modes[order[0]];
    integer const accesses = fastest.accesses();
    integer const vector_bytes = fastest.values * bits / 8;
    thread_choice best;
    for (int divides = 0; divides <= 1; ++divides) {
      integer last = 0;
      for (integer t = smaller(accesses, most_threads); t >= 1; --t) {
        // If possible, adjacent threads access at least 64 bytes.
        if (best.issues != 0 && t * vector_bytes < 64 && t != accesses) break;
        integer const along = (accesses - 1) / ((accesses - 1) / t + 1) + 1;
        if (along == last) continue;
        last = along;
        thread_choice const here = choose_threads(order, along, most_threads, divides);
        if (best.issues == 0 || here.issues < best.issues ||
            (here.issues == best.issues && here.covered < best.covered))
          best = here;
      }
    }
    return best;
  }

  AXE_LAZY_FN constexpr void save_row_tests(mode_order& order, thread_choice& best,
                                            integer most_threads) const {
    integer const along_fastest = best.threads[order[0]];
    bool const fills_128_bytes = along_fastest * modes[order[0]].values * bits >= 1024;
    if (vector < 0 || order.count <= 2 || !fills_128_bytes) return;
    mode_order const reordered = row_tests_first(order);
    thread_choice const here = choose_threads(reordered, along_fastest, most_threads, best.divides);
    // If column tests increase, each access needs its own test, and in cp.async its own size. This
    // pays only if column tests far outnumber row tests.
    integer const least_ratio = request->options.asynchronous ? 4 : 2;
    if (here.issues == best.issues && here.covered == best.covered &&
        here.row_tests < best.row_tests &&
        (here.column_tests == best.column_tests ||
         here.column_tests / least_ratio >= here.row_tests)) {
      order = reordered;
      best = here;
    }
  }

  AXE_LAZY_FN constexpr void make_partition() {
    mode_order order = thread_order();
    thread_choice best;
    if (order.count != 0) {
      integer const most_threads = smaller(scope, 16 * 1024);
      best = best_threads(order, most_threads);
      save_row_tests(order, best, most_threads);
    }
    integer stride = 1;
    for (int const k : order) {
      copy_mode& m = modes[k];
      m.threads = best.threads[k];
      m.issues = (m.accesses() - 1) / m.threads + 1;
      m.thread_stride = stride;
      stride *= m.threads;
    }
    for (copy_mode& m : modes)
      if (m.step == 0) m.issues = m.extent;
  }

  AXE_LAZY_FN constexpr void follow_partition() {
    for (int k = 0; k < modes.count; ++k) {
      copy_mode& m = modes[k];
      iter const held = holders.shards[k];
      if (!held.is_on(axis::reg) && held.stride != 0) {
        m.threads = m.extent;
        m.thread_stride = held.stride;
      } else {
        m.issues = m.accesses();
      }
    }
  }

  AXE_LAZY_FN constexpr void find_registers(mode_order const& order) {
    if (!from_memory || !to_memory) {
      partition = holders;
      if (vector >= 0) of_value.push({values, holders.shards[vector].stride});
      for (int const k : order)
        if (modes[k].issues > 1)
          of_issue.insert(
              0, {modes[k].issues, holders.shards[k].stride * modes[k].values * modes[k].threads});
      return;
    }
    if (values > 1) of_value.push({values, 1});
    if (issues > 1) of_issue.push({issues, values});
    for (int k = 0; k < modes.count; ++k) {
      copy_mode const& m = modes[k];
      if (m.issues > 1) partition.shards.push({m.issues, m.issue_stride * values, axis::reg});
      if (m.threads > 1) partition.shards.push({m.threads, m.thread_stride, thread});
      if (m.values > 1) partition.shards.push({m.values, from.shards[k].stride, axis::reg});
    }
    partition.replicas = access_partition.replicas;
    partition.offsets = access_partition.offsets;
  }

  AXE_LAZY_FN constexpr outcome<copy_plan> finish_plan() {
    mode_order order;  // fastest first
    for (int k = modes.count - 1; k >= 0; --k) order.push(k);
    // More than 128 bytes of a thread are stored in the order of registers, in which mma.sync
    // computes them. With bounds tests or an index, rows come first.
    if (!from_memory && to_space == memory_space::global && !has_edge(edges) &&
        !request->options.by_rows && tile * bits > 1024 * scope)
      sort_by(order, [&](int k) { return holders.shards[k].stride; });
    issues = 1;
    for (int const k : order) {
      modes[k].issue_stride = issues;
      issues *= modes[k].issues;
    }
    shape accesses;
    for (copy_mode const& m : modes) {
      if (m.issues > 1) access_partition.shards.push({m.issues, m.issue_stride, axis::reg});
      if (m.threads > 1) access_partition.shards.push({m.threads, m.thread_stride, thread});
      accesses.append(m.issues * m.threads);
    }
    integer const first = holders.offset(thread);
    if (first != 0) access_partition.offsets.push({first, thread});
    partition_data const by_threads = partition_from(access_partition, accesses);
    // The threads come from the side in registers, or else from the partition.
    if (by_threads.why) return of_operand(!from_memory ? 0 : !to_memory ? 1 : 2, by_threads.why);
    threads = by_threads.threads;
    if (threads > scope) return refusal{rule::scope_too_small, {threads, scope}};
    find_registers(order);
    return *this;
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
