// partition: what one thread owns of a tile, read off a layout from the tile to threads and registers.
//
//     P = S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)], tile (16,8)         the accumulator of an 8-row mma: lane t holds row t/4 (and 8 more), columns 2*(t%4) + {0,1}
//     coordinate 0 = t.digit<4, 8>() + 8*(reg / 2)        coordinate 1 = 2 * t.digit<1, 4>() + reg mod 2
//
// A digit e:s@lane of dimension d with radix B puts B * ((t / s) mod e) into coordinate d: a part of the thread's register. A digit on reg is a constant, one for
// each register. Replicas on the thread axis change nothing of what a thread owns; warp and lane become tid. An offset moves the first thread or register.
// Refused: axes other than threads' and reg, digits that are no digits of one number (overlapping, downwards), threads or registers in between that hold nothing (a
// number there has digits all the same and would own what another owns), a tile that does not group.
// Definition: docs/index.md, "What a thread owns".
#pragma once

#include <axe/algebra/group.hpp>
#include <axe/algebra/rewrite.hpp>
#include <axe/index/fix.hpp>

namespace axe::inline AXE_NAMESPACE {

namespace detail {

/// step * ((n / divisor) mod extent) of a dimension's coordinate, n the thread's or the register's number.
struct owned_digit {
  int dimension = 0;
  integer step = 0;
  integer divisor = 0;
  integer extent = 0;
};
using owned_digits = list<owned_digit, capacity::shards>;

struct partition_data {
  refusal why{};
  axis thread = axis::null;  // null: one thread owns all
  integer threads = 1;       // one past the last thread that owns something
  integer first_thread = 0;
  integer registers = 1;
  integer first_register = 0;
  int rank = 0;
  owned_digits by_thread;
  owned_digits by_register;
};

/// Do these iters count as digits of one number on axis a? Fills in how many numbers there are.
AXE_FN constexpr refusal digits_of_one_number(layout const& l, axis a, integer& numbers) {
  list<iter, capacity::shards + capacity::replicas> sorted;
  auto const add_iter = [&](iter const& i) {
    if (i.on != a || i.extent == 1 || i.stride == 0) return;
    int at = 0;
    while (at < sorted.size() && sorted[at].stride < i.stride) ++at;
    sorted.insert(at, i);
  };
  for (iter const& i : l.shards) add_iter(i);
  for (iter const& i : l.replicas) add_iter(i);
  numbers = 1;
  for (int k = 0; k < sorted.size(); ++k) {
    if (sorted[k].stride < 0) return {rule::partition_runs_down, {sorted[k].extent, sorted[k].stride}, {a}};
    if (k > 0 && sorted[k].stride % (sorted[k - 1].stride * sorted[k - 1].extent) != 0)
      return {rule::partition_digits_overlap,
              {sorted[k - 1].extent, sorted[k - 1].stride, sorted[k].extent, sorted[k].stride},
              {a}};
    if (sorted[k].stride != numbers) return {rule::partition_has_gaps, {numbers, sorted[k].stride}, {a}};
    numbers *= sorted[k].extent;
  }
  return {};
}

AXE_FN constexpr partition_data partition_from(layout const& written, shape const& s) {
  partition_data p;
  outcome<layout> joined = written;
  bool several = false;  // axes inside a CTA other than lane or tid alone
  for (axis a : axes_of(written))
    several = several || a == axis::warp || a == axis::wg || a == axis::wid_in_wg || a == axis::tid_in_wg;
  if (several) joined = try_to_tid(written);
  if (!joined) p.why = joined.why;
  if (p.why.which != rule::none) return p;
  for (axis a : axes_of(*joined)) {
    if (a == axis::reg) continue;
    if (kind_of(a) != kind::thread)
      p.why = {rule::partition_on_another_axis, {}, {a}};
    else if (p.thread != axis::null)
      p.why = {rule::partition_of_two_thread_axes, {}, {p.thread, a}};
    if (p.why.which != rule::none) return p;
    p.thread = a;
  }
  outcome<layout> const grouped = try_group(*joined, s);
  if (p.why.which == rule::none) p.why = grouped.why;
  if (p.why.which == rule::none) p.why = digits_of_one_number(*joined, p.thread, p.threads);
  if (p.why.which == rule::none) p.why = digits_of_one_number(*joined, axis::reg, p.registers);
  if (p.why.which != rule::none) return p;
  p.first_thread = grouped->offset(p.thread);
  p.first_register = grouped->offset(axis::reg);
  p.rank = grouped->blocks.size();
  int k = 0;
  for (int d = 0; d < p.rank; ++d) {
    int const last = k + grouped->blocks[d];
    integer radix = 1;
    for (int i = last - 1; i >= k; --i) {
      iter const digit = grouped->shards[i];
      if (digit.on != axis::null && digit.stride != 0)
        (digit.on == axis::reg ? p.by_register : p.by_thread).push({d, radix, digit.stride, digit.extent});
      radix *= digit.extent;
    }
    k = last;
  }
  return p;
}

/// Where register r of a thread lies from its register 0, along dimension d.
AXE_FN constexpr integer register_step(partition_data const& p, int r, int d) {
  integer sum = 0;
  for (owned_digit const& o : p.by_register)
    if (o.dimension == d) sum += o.step * (r / o.divisor % o.extent);
  return sum;
}

/// Is element k of a flat tile the k-th thread's?
AXE_FN constexpr bool counts_upwards(partition_data const& p) {
  for (owned_digit const& o : p.by_thread)
    if (o.step != o.divisor) return false;
  return true;
}

/// Does the number of the first thread leave every digit as it is? Warps 4 to 7 of 32 lanes have the digits of warps 0 to 3.
AXE_FN constexpr bool first_thread_is_no_digit(partition_data const& p) {
  for (owned_digit const& o : p.by_thread)
    if (p.first_thread % (o.divisor * o.extent) != 0) return false;
  return true;
}

/// No member of a partition: nvcc would make device code of what it calls (cuda/copy/operand.hpp).
template <class P, class S> inline constexpr partition_data partitioned = partition_from(P::value, S::value);
template <class P, class S>
inline constexpr bool first_thread_fits = first_thread_is_no_digit(partitioned<P, S>);

}  // namespace detail

/// P on the tile S, as types: P a carrier, S extents<…>.
template <class P, class S> struct partition {
  static constexpr detail::partition_data value = detail::partitioned<P, S>;
  AXE_FN static constexpr refusal why() { return value.why; }
  AXE_FN static constexpr refusal_text text() {
    constexpr layout l = P::value;
    constexpr shape s = S::value;
    refusal_text out;
    out.put("partition: ");
    print(out, value.why, {&l, nullptr, &s});
    return out;
  }

  static constexpr axis thread_axis = value.thread;
  /// Threads 0 … threads - 1 of the axis take part, counted from the first.
  static constexpr integer threads = value.threads;
  /// How many registers a thread holds.
  static constexpr int registers = static_cast<int>(value.registers);
  static constexpr int rank = value.rank;

  /// Where register R of any thread lies from register 0, along dimension D.
  template <int R, int D> static constexpr integer step = detail::register_step(value, R, D);

  /// Coordinate D of register 0 of a thread, in parts of its register. `number`: on the thread axis.
  template <int D> AXE_FN static constexpr auto coordinate_of(unsigned number) {
    if constexpr (detail::first_thread_fits<P, S>)
      return from<D, 0, value.first_thread + value.threads>(number);
    else
      return from<D, 0, value.threads>(number - static_cast<unsigned>(value.first_thread));
  }

 private:
  template <int D, int K, integer Range> AXE_FN static constexpr auto from(unsigned t) {
    if constexpr (K == value.by_thread.count) {
      return coordinate_sum<0>{};
    } else if constexpr (value.by_thread.at[K].dimension != D) {
      return from<D, K + 1, Range>(t);
    } else {
      constexpr detail::owned_digit o = value.by_thread.at[K];
      return detail::prepend(index_part<named<value.thread>, Range, o.step, o.divisor, o.extent>{t},
                             from<D, K + 1, Range>(t));
    }
  }
};

}  // namespace axe::inline AXE_NAMESPACE
