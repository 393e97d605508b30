// Draws random layouts and accesses: odd sizes, swizzles, replicas, offsets, vectors of every
// width. Compares the library's counts with those of warps that analysis/warp.hpp simulates.
//
//     random_source d(seed);  disagreement(judge(make_random_case(d)))        null, or what differs
#pragma once

#include "analysis/warp.hpp"
#include "support/dice.hpp"

#include <axe/analysis.hpp>

#include <random>
#include <string>

namespace axe_test {

using axe::integer;

using random_source = dice<integer, std::mt19937>;

struct random_case {
  axe::layout l;
  axe::shape s;
  axe::access_pattern a;
};

/// A tile whose rows consist of whole vectors. The pitch may be odd. Some tiles have arbitrary
/// strides.
inline axe::layout random_layout(random_source& d, integer rows, integer columns, integer vector) {
  axe::layout l;
  integer const pitch = columns + vector * d.between(0, 5) + (d.one_in(5) ? d.between(0, 3) : 0);
  bool const arbitrary = d.one_in(6);
  integer const split = rows % 2 == 0 && d.one_in(3) ? 2 : rows % 3 == 0 && d.one_in(3) ? 3 : 1;
  l.shards.push({split, arbitrary ? d.between(-40, 80) : pitch * (rows / split), axe::axis::m});
  l.shards.push({rows / split,
                 arbitrary     ? d.between(-40, 80)
                 : d.one_in(8) ? 0
                               : pitch,
                 axe::axis::m});
  l.shards.push({columns, d.one_in(12) ? d.between(-3, 3) : 1, axe::axis::m});
  for (axe::iter& i : l.shards)
    if (i.stride == 0) i.on = axe::axis::null;
  if (d.one_in(4)) l.replicas.push({d.between(1, 4), vector * d.between(-9, 30), axe::axis::m});
  if (d.one_in(8)) l.replicas.push({2, vector * d.between(1, 3), axe::axis::m});
  for (axe::iter& i : l.replicas)
    if (i.stride == 0) i.on = axe::axis::null;
  if (integer const o = vector * d.between(-70, 300); o != 0 && d.one_in(3))
    l.offsets.push({o, axe::axis::m});
  if (d.one_in(2)) {
    int const B = static_cast<int>(d.between(1, 4)), S = static_cast<int>(d.between(1, 5));
    l.swizzle = {static_cast<int>(d.between(0, 4)), B, d.one_in(3) ? -S : S};
  }
  return l;
}

inline random_case make_random_case(random_source& d) {
  int const bits = d.one_of({1, 2, 4, 8, 16, 32, 64, 128});
  int const width = std::max(d.one_of({8, 16, 32, 64, 128}), bits);
  int const values = width / bits;
  integer const vectors = d.one_of<integer>({1, 2, 3, 4, 5, 7, 8, 16});
  integer const rows = d.one_of<integer>({1, 2, 3, 6, 8, 12, 16, 17, 24, 32, 33});
  random_case c;
  integer const columns = vectors * values;
  c.s = axe::shape{rows, columns};
  c.l = random_layout(d, rows, columns, values);
  axe::access_form form{bits, values, 1, d.one_in(2), false};
  if (width == 128 && rows % 8 == 0 && d.one_in(3)) form = {bits, values, 1, true, true};
  if (rows % 4 == 0 && d.one_in(4)) form.height = 4;
  if (form.matrices) form.height = 1;
  c.a = axe::access_on(form, c.s);
  if (d.one_in(4)) {  // an access pattern that has no name in the library
    c.a.lanes = static_cast<int>(d.between(1, 32));
    c.a.sweep = 0;
  }
  if (d.one_in(6)) {
    axe::layout& p = c.a.elements;
    p.shards = {};
    integer const lanes = d.one_of<integer>({8, 16, 31, 32});
    p.shards.push(
        {lanes, values * d.between(0, 1) * (columns * rows / values / lanes), axe::axis::m});
    if (p.shards[0].stride == 0) p.shards[0].on = axe::axis::null;
    p.shards.push({values, 1, axe::axis::m});
    c.a.sweep = 0;
  }
  return c;
}

inline warp::memory to_warp(axe::layout const& l) {
  warp::memory out;
  for (axe::iter const& i : l.shards) out.d.push_back({i.extent, i.stride});
  for (axe::iter const& i : l.replicas) out.r.push_back({i.extent, i.stride});
  out.offset = l.offset(axe::axis::m);
  out.f = {l.swizzle.M, l.swizzle.B, l.swizzle.S};
  return out;
}

inline warp::counts simulated(random_case const& c) {
  warp::memory const pattern = to_warp(c.a.elements);
  integer const size = warp::size(pattern.d);
  integer const vectors = size / c.a.values;
  return warp::simulate(
      to_warp(c.l),
      warp::instructions([&](warp::number i) { return warp::address(pattern, i, 0); }, size,
                         c.a.values, c.a.lanes, c.a.sweep == 0 ? vectors : c.a.sweep),
      c.a.bits);
}

/// The counts of the library and those of the simulated warps.
struct judged_case {
  warp::counts expected;
  axe::outcome<axe::shared_traffic> shared;
  axe::outcome<axe::global_traffic> global;
};

inline judged_case judge(random_case const& c) {
  axe::step_limit const enough(10'000'000);
  return {simulated(c), axe::try_shared_memory(c.l, c.s, c.a, enough),
          axe::try_global_memory(c.l, c.s, c.a, enough)};
}

/// Names the first count that differs. Null if all agree.
inline char const* disagreement(judged_case const& j) {
  warp::counts const& e = j.expected;
  if (static_cast<bool>(j.shared) != e.legal || static_cast<bool>(j.global) != e.legal)
    return e.legal ? "a legal access is rejected" : "an access with an invalid vector is counted";
  if (!e.legal) {
    bool const right = j.shared.why.which == axe::rule::access_not_aligned ||
                       j.shared.why.which == axe::rule::access_not_contiguous;
    return right ? nullptr : "rejected for another reason";
  }
  if (j.shared->conflicts != e.conflicts) return "conflicts";
  if (j.shared->wavefronts != e.wavefronts) return "wavefronts";
  if (j.shared->phases != e.phases) return "phases";
  if (j.shared->instruction != e.instruction || j.shared->phase != e.phase ||
      j.shared->bank != e.bank)
    return "the worst phase";
  if (j.global->instructions != e.instructions) return "instructions";
  if (j.global->sectors != e.sectors || j.global->least_sectors != e.least_sectors)
    return "sectors";
  if (j.global->lines != e.lines || j.global->least_lines != e.least_lines) return "lines";
  return nullptr;
}

inline std::string text_of(random_case const& c) {
  return std::string(axe::to_text(c.l).c_str()) + " of " + std::to_string(c.a.bits) +
         " bits under " + axe::to_text(c.a.elements).c_str() + ", vectors of " +
         std::to_string(c.a.values) + ", lanes " + std::to_string(c.a.lanes) + ", sweep " +
         std::to_string(c.a.sweep);
}

}  // namespace axe_test
