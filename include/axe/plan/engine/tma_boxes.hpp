// SPDX-License-Identifier: MIT
// tma_box_planner: turns the atoms of a tile into dimensions of the box and loops over boxes.
//
//     atoms (extent, step, shared stride): (64, K by 1, 1), (64, M by 1, 64), (2, K by 64, 4096)
//         box {64, 64, 2} if 64 divides K, else box {64, 64} and 2 boxes 64 columns apart
#pragma once

#include <axe/plan/engine/tma_digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

using tma_atoms = list<tma_atom, 48>;

/// Where an atom may be cut: anywhere, at multiples of 128 bytes, or where the run can be cut too,
/// so that the rest of the atom has its own dimension of the map.
enum class tma_cut : unsigned char { anywhere, at_lines, by_dimensions };

/// The largest extent up to `most` at which the atom may be cut, or 0.
AXE_LAZY_FN constexpr integer largest_cut(tma_atom const& a, tma_run const& run, integer most,
                                          integer step_bits, integer multiple, tma_cut how) {
  for (integer d = smaller(a.extent, most); d > 0; --d) {
    if (a.extent % d != 0 || d * step_bits % multiple != 0) continue;
    bool const cuts_lines = d * step_bits % 1024 == 0;
    bool const cuts_run = run.extent.divisor() % (a.step * d) == 0;
    if (d == a.extent || how == tma_cut::anywhere ||
        (how == tma_cut::at_lines ? cuts_lines : cuts_run))
      return d;
  }
  return 0;
}

/// A box may span 256 elements along a dimension, including those that it skips.
AXE_LAZY_FN constexpr integer longest_atom(tma_atom const& a, tma_run const& run, integer width,
                                           bool first) {
  if (first) return width > 0 ? smaller(width, 256) : 256;
  bool const strided = a.step > 1 && a.step <= 8 && run.extent.divisor() % a.step != 0;
  return strided ? 256 / a.step : 256;
}

/// Cuts a run into dimensions of the map. If its extent is not a multiple of a step, this step
/// becomes the element stride instead.
struct tma_cuts {
  list<integer, 9> steps;  // of the dimensions in elements of the run, ascending from 1
  integer element_stride = 1;

  AXE_LAZY_FN constexpr refusal find(tma_run const& run, int number, tma_atoms const& chain,
                                     int count) {
    int found = 0;
    steps = {1};
    element_stride = 1;  // g++ 12 loses the default in the second plan of a file
    for (int k = 0; k < count; ++k) {
      if (chain[k].run != number) continue;
      ++found;
      if (chain[k].step != 1 && !steps.push(chain[k].step))
        return {rule::tma_rank, {steps.count + 1}};
    }
    sort_by(steps, [](integer step) { return step; });
    for (integer step : steps)
      if (run.extent.divisor() % step != 0) {
        if (found > 1 || step > 8) return not_a_multiple(run.extent, step);
        steps = {1};
        element_stride = step;
        return {};
      }
    return {};
  }

  AXE_LAZY_FN constexpr int digit_of(integer step) const {
    int digit = steps.count - 1;
    while (steps[digit] > step) --digit;
    return digit;
  }

  AXE_LAZY_FN constexpr tma_dimension dimension_of(tma_run const& run, int digit,
                                                   integer bits) const {
    integer const step = steps[digit];
    bool const slowest = digit == steps.count - 1;
    tma_dimension d;
    d.extent = slowest ? run.extent.scaled(1, step) : tma_number(steps[digit + 1] / step);
    // The stride of a single element is unused but must be legal.
    bool const single = run.extent.known() && run.extent.value() == 1;
    d.stride = single ? tma_number(integer{16}) : run.stride.scaled(step).scaled(bits / 8);
    return d;
  }
};

/// Has room for more dimensions than a map. check_limits (plan_tma.hpp) rejects the excess.
struct tma_box_plan {
  list<tma_dimension, 24> dimensions;
  list<tma_move, 24> moves;
  list<tma_loop, 48> loops;

  /// dimension[run][digit]: 1 + the dimension's number; 0: none.
  int dimension[capacity::shards][10]{};
};

struct tma_box_planner : tma_plan {
  tma_digits digits{};
  tma_atoms chain{}, rest{};

  /// Finds the `chain` of atoms that fills shared memory from address 0 on.
  AXE_LAZY_FN constexpr refusal find_chain(tma_cut how) {
    integer const bits = bits_of(unit);
    chain.clear();
    rest = digits.atoms;
    integer const width = static_cast<integer>(swizzle) * 8 / bits;
    integer filled = 1;
    for (int k = 0; k < rest.count; ++k) {
      tma_atom const a = rest[k];
      if (a.shared_stride != filled || a.run < 0) continue;
      bool const first = chain.count == 0;
      tma_run const& run = digits.runs.at[a.run];
      bool const any_stride = run.extent.known() && run.extent.value() == 1;
      if (first) {
        if (!any_stride && !run.stride.known())
          return {rule::tma_step_is_dynamic, {run.stride.of.slot}};
        integer const apart = (any_stride ? 1 : run.stride.value()) * a.step;
        if (apart != 1) return {rule::tma_not_adjacent, {apart}};
      }
      integer const most = longest_atom(a, run, width, first), multiple = first ? 128 : 1;
      integer cut = largest_cut(a, run, most, filled * bits, multiple, how);
      // A cut by dimensions gives the rest of the atom its own dimension. A map has 5.
      if (first && width == 0 && how == tma_cut::anywhere && digits.runs.count < 5) {
        integer const of_run = largest_cut(a, run, most, bits, multiple, tma_cut::by_dimensions);
        if (of_run * bits >= 1024) cut = of_run;
      }
      if (first && cut == 0) return {rule::tma_row, {a.extent, a.extent * bits / 8}};
      if (first && width > 0 && cut != width)
        return {rule::tma_row_of_swizzle, {cut, cut * bits / 8, static_cast<integer>(swizzle)}};
      if (cut <= 1) continue;
      chain.push({a.run, cut, a.step, a.shared_stride});
      rest.erase(k);
      if (cut < a.extent &&
          !rest.push({a.run, a.extent / cut, a.step * cut, a.shared_stride * cut}))
        return {rule::too_many_shards, {rest.count + 1}};
      filled *= cut;
      k = -1;  // the next atom may come earlier in `rest`
    }
    if (chain.count == 0) return {rule::tma_row, {1, bits / 8}};
    return {};
  }

  AXE_LAZY_FN constexpr refusal make_boxes(int count, tma_box_plan& out) const {
    integer const bits = bits_of(unit);
    tma_cuts cuts[capacity::shards]{};
    for (int r = 0; r < digits.runs.count; ++r)
      if (refusal const bad = cuts[r].find(digits.runs.at[r], r, chain, count)) return bad;
    auto const dimension_number = [&](int run, integer step) {
      int const digit = cuts[run].digit_of(step);
      int& at = out.dimension[run][digit];
      if (at == 0) {
        out.dimensions.push(cuts[run].dimension_of(digits.runs.at[run], digit, bits));
        at = out.dimensions.count;
      }
      return at - 1;
    };
    for (int k = 0; k < count; ++k) {
      tma_atom const& a = chain[k];
      tma_dimension& d = out.dimensions.at[dimension_number(a.run, a.step)];
      d.element_stride = cuts[a.run].element_stride;
      d.box = a.extent * d.element_stride;
    }
    auto const add_loop = [&](tma_atom const& a) {
      tma_loop l{a.extent, a.shared_stride * bits / 8, -1, 0};
      if (a.run >= 0) {
        l.to = dimension_number(a.run, a.step);
        l.step = a.step / cuts[a.run].steps[cuts[a.run].digit_of(a.step)];
      }
      out.loops.push(l);
    };
    for (int k = chain.count - 1; k >= count; --k) add_loop(chain[k]);
    for (tma_atom const& a : rest) add_loop(a);
    for (int r = 0; r < digits.runs.count; ++r)
      for (tma_move m : digits.runs.at[r].moves) {
        integer const last = cuts[r].steps.back();
        m.to = dimension_number(r, last);
        m.factor /= last;
        out.moves.push(m);
      }
    return {};
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
