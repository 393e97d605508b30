// right_inverse(L): from the places 0, 1, 2, … back to elements, as far as they go: L(R(i)) = i for
// every i < size(R).
//
//     right_inverse((4,8):(8,1))                        (8,4):(4,1)
//     right_inverse((2,4):(1,4))                        2:1                 nothing lies at 2
//     right_inverse((3,2):(1,2))                        (2,2):(1,3)         cut from 3:1 so that 2:2 can follow
//     right_inverse(Sw<0,0,1> o 3 o 4:-1)               Sw<0,0,1> o 3 o 4:-1
//     right_inverse(Sw<1,1,2> o 0 o (4,8):(8,1))        Sw<1,0,-3> o 0 o (8,4):(4,1)
//     right_inverse(Sw<1,1,3> o 0 o (8,2):(1,16))       8:1                 the swizzle moves no place before 16
//     right_inverse(Sw<3,3,3> o 0 o (64,128):(128,1))   Sw<3,9,3> o 0 o 128:64    from place 128 on rows XOR into columns: no one swizzle of elements
//
// R's digits are digits of L one after another, each beginning where the ones before end; the last
// may be cut, an earlier one where another digit begins. R is the longest such list. Where L is
// injective no other layout is longer either. CuTe takes each digit whole and the first of equal
// strides. Behind a swizzle or an offset, and where strides of both signs meet, R is the longest
// layout of the first elements at the places 0, 1, 2, … (of copies the first): behind no swizzle,
// or, where L has one, behind any that reads and writes bits of the elements; among equally long
// ones none before L's before others. Powers of two whose places do not carry are decided by their
// bits, at any size; else the first places that show that there is no longer one are asked, swizzle
// by swizzle, and a layout of many thousand elements can end out of steps.
// Refused: no element at place 0, out of steps.
// Definition: docs/algebra.md, D22.
#pragma once

#include <axe/cute/as_plain.hpp>
#include <axe/cute/bit_image.hpp>
#include <axe/cute/element_at.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

/// Digits of L that follow one another from place 1 on, the longest list of them.
struct run_search {
  leaf_list digits;                    // extent, stride
  integer weight[capacity::shards]{};  // in an element's number
  leaf_list best{};
  integer longest = 1;

  AXE_FN constexpr void extend(integer place, unsigned used, leaf_list const& so_far,
                               step_budget& steps) {
    if (!steps.take()) return;
    if (place > longest) {
      longest = place;
      best = so_far;
    }
    for (int k = 0; k < digits.size(); ++k) {
      if ((used >> k & 1) != 0 || digits[k].stride != place) continue;
      for (int other = -1; other < digits.size(); ++other) {
        integer extent = digits[k].extent;  // whole, or cut where another digit begins
        if (other >= 0) {
          integer const at = digits[other].stride;
          if (other == k || (used >> other & 1) != 0 || at <= place || at % place != 0 ||
              at / place >= extent)
            continue;
          extent = at / place;
        }
        leaf_list longer = so_far;
        add_coalesced(longer, {extent, weight[k]});
        extend(place * extent, used | 1u << k, longer, steps);
      }
    }
  }
};

/// The longest run from place 0 on; negative strides count from their other end where `turned`,
/// else they stay at 0.
AXE_FN constexpr outcome<layout> run_of(leaf_list const& leaves, step_budget& steps,
                                        bool turned = false) {
  run_search search{coalesced(leaves)};
  integer weight = 1;
  for (int k = 0; k < search.digits.size(); ++k) {
    leaf& d = search.digits[k];
    bool const turn = turned && d.stride < 0;
    search.weight[k] = turn ? -weight : weight;
    weight *= d.extent;
    if (turn) d.stride = -d.stride;
  }
  search.extend(1, 0, {}, steps);
  if (steps.taken > steps.allowed) return steps.refusal();
  return of_leaves(search.best);
}

/// The swizzle g with P^-1(f(i)) = g(run(i)), run = P^-1 in digits of powers of two: each bit that
/// f reads or writes is a bit of the element. False where it is no swizzle, or f leaves the run.
AXE_FN constexpr bool turned_swizzle(leaf_list const& run, axe::swizzle f, axe::swizzle& g) {
  if ((f.S < 0 ? -f.S : f.S) < f.B) return false;  // f undoes itself
  list<int, 64> element_bit;                       // of each bit of a place
  int writable = 0;
  for (int k = 0; k < run.size(); ++k) {
    if (run[k].extent == 1) continue;
    int const extent_bits = log2_of(run[k].extent);
    int const weight_bits = run[k].stride < 1 ? 0 : log2_of(run[k].stride);
    bool const whole = run[k].extent == integer{1} << extent_bits;
    if (run[k].stride != integer{1} << weight_bits || (!whole && k + 1 < run.size())) return false;
    writable = element_bit.size();
    for (integer e = run[k].extent; e % 2 == 0; e /= 2) ++writable;
    for (int j = 0; j < extent_bits; ++j) element_bit.push(weight_bits + j);
  }
  int const reads = f.M + (f.S > 0 ? f.S : 0);
  int const writes = f.M + (f.S < 0 ? -f.S : 0);
  g = {};
  int distance = 0;
  for (int k = 0; k < f.B && reads + k < element_bit.size(); ++k) {
    if (writes + k >= writable) return false;
    int const from = element_bit[reads + k];
    int const to = element_bit[writes + k];
    if (k == 0) distance = from - to;
    int const lower = from < to ? from : to;
    if (k == 0) g.M = lower;
    if (from - to != distance || lower != g.M + k) return false;
    ++g.B;
  }
  if (g.B > 0) g.S = distance;
  return g.valid();
}

/// g o start o digits, with a flaw where the digits were too many for a list.
AXE_FN constexpr layout layout_behind(axe::swizzle g, integer start, leaf_list const& digits,
                                      bool too_many) {
  layout l = of_leaves(digits);
  if (too_many) l.flaw = flaw::too_large;
  l.swizzle = g;
  l.offset = start;
  return l;
}

/// The longest layout of the first elements at places 0, 1, 2, …, behind any swizzle.
struct prefix_search {
  element_search elements;
  axe::swizzle f;
  step_budget* steps;
  integer held = 0;            // places 0 to held - 1 have elements
  list<integer, 256> known{};  // the first of these
  integer asked = 0;
  layout best{};
  integer longest = 0;

  AXE_FN constexpr bool spent() const { return steps->taken > steps->allowed; }
  AXE_FN constexpr integer element(integer place) {
    return place < known.size() ? known[static_cast<int>(place)]
                                : elements.first_at(f.inverse(place), *steps);
  }
  /// Of `size` elements those before place `run` need not be asked one by one: all of them are
  /// there, and f moves none out of its periods.
  AXE_FN constexpr void look(integer size, integer run) {
    for (integer e = 0; held < size && !spent(); ++held) {
      if (held == known.capacity) held = larger(held, run / f.period() * f.period());
      if (held == size) return;
      e = elements.first_at(f.inverse(held), *steps);
      if (e < 0) return;
      if (held < known.capacity) known.push(e);
    }
  }

  /// g before the element at a place, from that at place 0 on.
  AXE_FN constexpr integer at(axe::swizzle g, integer place) {
    steps->taken += ++asked % 4 == 0;  // what is known costs less than a step
    return g.inverse(element(place)) - g.inverse(known[0]);
  }
  /// How long the first run of every grain-th place is, of so many.
  AXE_FN constexpr integer run_at(axe::swizzle g, integer grain, integer entries) {
    integer const step = at(g, grain);
    integer run = 2;
    while (run < entries && at(g, run * grain) == run * step) ++run;
    return run;
  }

  /// How many of the first n places a layout behind g could begin with. Runs that end before them
  /// are digits of it, and repeat; the last ones may be cut.
  AXE_FN constexpr integer begins(axe::swizzle g, integer n) {
    for (integer grain = 1; grain < n && !spent();) {
      integer const entries = ceil_divide(n, grain);
      integer const run = run_at(g, grain, entries);
      integer const step = at(g, grain);
      for (integer begin = run; begin < entries; begin += run) {
        integer const first = at(g, begin * grain);
        for (integer c = 1; c < run && begin + c < entries; ++c)
          if (at(g, (begin + c) * grain) != first + c * step) return (begin + c) * grain;
        if (spent()) return 0;
      }
      grain *= run;
    }
    return n;
  }

  /// The same of all places that are held. Most end early, so that a few are asked before the
  /// others.
  AXE_FN constexpr integer longest_beginning(axe::swizzle g) {
    for (integer window = known.capacity;; window *= 4) {
      integer const asked_for = smaller(window, held);
      integer const n = begins(g, asked_for);
      if (n < asked_for || n == held || spent()) return n;
    }
  }

  /// Digits from the fastest on. Each is as long as its run, for a shorter one would go on in the
  /// next; `n` is what all of them repeat in.
  AXE_FN constexpr bool tries(axe::swizzle g) {
    integer n = longest_beginning(g);
    for (integer before = held; n < before && n > longest && !spent();) {
      before = n;
      n = begins(g, n);
    }
    integer grain = 1;
    bool too_many = false;
    leaf_list digits;
    while (n / grain > 1 && n > longest && !spent()) {
      integer const run = run_at(g, grain, n / grain);
      if (!add_coalesced(digits, {run, at(g, grain)})) too_many = true;
      grain *= run;
      n -= n % grain;
    }
    return takes(g, g.inverse(known[0]), digits, grain, too_many);
  }

  /// The same of powers of two, whose bits decide.
  AXE_FN constexpr bool tries(axe::swizzle g, bit_prefix const& bits) {
    bit_prefix::digits const found = bits.behind(g);
    steps->taken += 1 + log2_of(found.size) / 4;
    return takes(g, found.origin, found.leaves, found.size, found.too_many);
  }

  AXE_FN constexpr bool takes(axe::swizzle g, integer origin, leaf_list const& digits, integer size,
                              bool too_many) {
    if (size > longest && !spent()) {
      longest = size;
      best = layout_behind(g, origin, digits, too_many);
    }
    return longest == held || spent();
  }
};

/// From the digits of L alone: R, or a first one that perhaps is not the longest, of size 0 where
/// there is none. True where no longer one is possible. Without an offset the places 0 to `held` -
/// 1 have elements before the swizzle.
AXE_FN constexpr bool by_digits(layout const& l, element_search& elements, outcome<layout>& run,
                                integer& held, step_budget& steps) {
  bool turns = false;
  for (leaf const& d : l.leaves) turns = turns || (d.extent > 1 && d.stride < 0);
  if (l.swizzle.none() && elements.least == 0 && (turns || l.offset != 0)) {
    run = run_of(l.leaves, steps, true);
    run.value.offset = elements.origin;
    return true;
  }
  if (l.offset != 0) return false;
  outcome<layout> found = run_of(l.leaves, steps);
  if (found) held = size_of(*found);
  if (found && !l.swizzle.none() && !turned_swizzle(found->leaves, l.swizzle, found.value.swizzle))
    return false;
  run = found;
  return !run || (l.swizzle.none() && !turns) ||
         elements.holds_none(l.swizzle.inverse(size_of(*run)), steps);
}

/// … or no leaves.
AXE_FN constexpr outcome<layout> right_by_digits(layout const& l, step_budget steps) {
  element_search elements(l.leaves, l.offset);
  outcome<layout> run;
  integer held = 0;
  by_digits(l, elements, run, held, steps);
  return run;
}

}  // namespace detail

AXE_FN constexpr outcome<layout> try_right_inverse(layout const& operand, step_budget steps = {}) {
  if (refusal const bad = check(operand)) return bad;
  layout const l = detail::as_plain(operand);
  detail::element_search elements(l.leaves, l.offset);
  outcome<layout> run;
  integer held = 0;
  if (detail::by_digits(l, elements, run, held, steps)) return run;
  detail::prefix_search search{elements, l.swizzle, &steps};
  integer const size = detail::size_of(l);
  detail::bit_image const image(l);
  detail::bit_prefix const bits(image);
  search.look(image.exact ? 1 : size, held);
  if (image.exact) search.held = bits.places();
  if (search.spent()) return steps.refusal();
  if (search.held == 0) return refusal{rule::cute_nothing_at_zero};
  search.best = detail::single(1, 0);
  search.best.offset = search.known[0];
  if (!run->leaves.empty()) {
    search.best = *run;
    search.longest = detail::size_of(*run);
  }
  detail::each_swizzle(l.swizzle, detail::log2_of(size), [&](axe::swizzle const& g) {
    return image.exact ? search.tries(g, bits) : search.tries(g);
  });
  if (search.spent()) return steps.refusal();
  if (refusal const bad = check(search.best)) return bad;
  return search.best;
}

AXE_FN constexpr layout right_inverse(layout const& l, step_budget steps = {}) {
  outcome<layout> const result = try_right_inverse(l, steps);
  if (!result) detail::stop_on(result.why, "right_inverse", {});
  return *result;
}
AXE_CUTE_LIFT(right_inverse);

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
