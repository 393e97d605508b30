// Random layouts and accesses, of odd sizes, swizzled, with copies and offsets, at every width: the library's counts against warps played out lane by lane.
#include "analysis/warp.hpp"
#include "support/catch.hpp"

#include <axe/analysis.hpp>

#include <cstdlib>
#include <random>

namespace {

using axe::integer;

/// Small numbers, drawn.
struct draw {
  std::mt19937 from;

  explicit draw(unsigned seed) : from(seed) {}
  integer operator()(integer least, integer most) {
    return least + static_cast<integer>(from() % static_cast<unsigned long>(most - least + 1));
  }
  bool once_in(int n) { return (*this)(1, n) == 1; }
  template <class T> T one_of(std::initializer_list<T> list) {
    return list.begin()[(*this)(0, static_cast<integer>(list.size()) - 1)];
  }
};

struct drawn_case {
  axe::layout l;
  axe::shape s;
  axe::access_pattern a;
};

/// A tile with rows of whole vectors, more or less: pitches odd or not, sometimes strides of any kind.
axe::layout draw_layout(draw& d, integer rows, integer columns, integer vector) {
  axe::layout l;
  integer const pitch = columns + vector * d(0, 5) + (d.once_in(5) ? d(0, 3) : 0);
  bool const any = d.once_in(6);
  integer const split = rows % 2 == 0 && d.once_in(3) ? 2 : rows % 3 == 0 && d.once_in(3) ? 3 : 1;
  l.shards.push({split, any ? d(-40, 80) : pitch * (rows / split), axe::axis::m});
  l.shards.push({rows / split, any ? d(-40, 80) : d.once_in(8) ? 0 : pitch, axe::axis::m});
  l.shards.push({columns, d.once_in(12) ? d(-3, 3) : 1, axe::axis::m});
  for (axe::iter& i : l.shards)
    if (i.stride == 0) i.on = axe::axis::null;
  if (d.once_in(4)) l.replicas.push({d(1, 4), vector * d(-9, 30), axe::axis::m});
  if (d.once_in(8)) l.replicas.push({2, vector * d(1, 3), axe::axis::m});
  for (axe::iter& i : l.replicas)
    if (i.stride == 0) i.on = axe::axis::null;
  if (integer const o = vector * d(-70, 300); o != 0 && d.once_in(3)) l.offsets.push({o, axe::axis::m});
  if (d.once_in(2)) {
    int const B = static_cast<int>(d(1, 4)), S = static_cast<int>(d(1, 5));
    l.swizzle = {static_cast<int>(d(0, 4)), B, d.once_in(3) ? -S : S};
  }
  return l;
}

drawn_case draw_case(draw& d) {
  int const bits = d.one_of({1, 2, 4, 8, 16, 32, 64, 128});
  int const width = std::max(d.one_of({8, 16, 32, 64, 128}), bits);
  int const values = width / bits;
  integer const vectors = d.one_of<integer>({1, 2, 3, 4, 5, 7, 8, 16});
  integer const rows = d.one_of<integer>({1, 2, 3, 6, 8, 12, 16, 17, 24, 32, 33});
  drawn_case c;
  integer const columns = vectors * values;
  c.s = axe::shape{rows, columns};
  c.l = draw_layout(d, rows, columns, values);
  axe::access_form form{bits, values, 1, d.once_in(2), false};
  if (width == 128 && rows % 8 == 0 && d.once_in(3)) form = {bits, values, 1, true, true};
  if (rows % 4 == 0 && d.once_in(4)) form.height = 4;
  if (form.matrices) form.height = 1;
  c.a = axe::access_on(form, c.s);
  if (d.once_in(4)) {  // not only the named ones
    c.a.lanes = static_cast<int>(d(1, 32));
    c.a.sweep = 0;
  }
  if (d.once_in(6)) {
    axe::layout& p = c.a.elements;
    p.shards = {};
    integer const lanes = d.one_of<integer>({8, 16, 31, 32});
    p.shards.push({lanes, values * d(0, 1) * (columns * rows / values / lanes), axe::axis::m});
    if (p.shards[0].stride == 0) p.shards[0].on = axe::axis::null;
    p.shards.push({values, 1, axe::axis::m});
    c.a.sweep = 0;
  }
  return c;
}

warp::memory to_warp(axe::layout const& l) {
  warp::memory out;
  for (axe::iter const& i : l.shards) out.d.push_back({i.extent, i.stride});
  for (axe::iter const& i : l.replicas) out.r.push_back({i.extent, i.stride});
  out.offset = l.offset(axe::axis::m);
  out.f = {l.swizzle.M, l.swizzle.B, l.swizzle.S};
  return out;
}

warp::counts played(drawn_case const& c) {
  warp::memory const pattern = to_warp(c.a.elements);
  integer const size = warp::size(pattern.d);
  integer const vectors = size / c.a.values;
  return warp::play(to_warp(c.l),
                    warp::instructions([&](warp::number i) { return warp::address(pattern, i, 0); }, size,
                                       c.a.values, c.a.lanes, c.a.sweep == 0 ? vectors : c.a.sweep),
                    c.a.bits);
}

}  // namespace

TEST_CASE("conflicts, wavefronts, sectors and lines are those of warps played out lane by lane") {
  draw d(20240611);
  axe::step_budget const enough(10'000'000);
  int counted = 0, refused = 0, conflicting = 0, swizzled = 0, copied = 0;
  for (int n = 0; n < 6000; ++n) {
    drawn_case const c = draw_case(d);
    INFO("case " << n << ": " << axe::to_text(c.l).c_str() << " of " << c.a.bits << " bits under "
                 << axe::to_text(c.a.elements).c_str() << ", vectors of " << c.a.values << ", lanes "
                 << c.a.lanes);
    warp::counts const expected = played(c);
    axe::outcome<axe::shared_traffic> const shared = axe::try_shared_memory(c.l, c.s, c.a, enough);
    axe::outcome<axe::global_traffic> const global = axe::try_global_memory(c.l, c.s, c.a, enough);
    REQUIRE(static_cast<bool>(shared) == expected.legal);
    REQUIRE(static_cast<bool>(global) == expected.legal);
    if (!expected.legal) {
      ++refused;
      CHECK((shared.why.which == axe::rule::access_not_aligned ||
             shared.why.which == axe::rule::access_not_contiguous));
      continue;
    }
    ++counted;
    conflicting += expected.conflicts > 1 ? 1 : 0;
    swizzled += c.l.swizzle.none() ? 0 : 1;
    copied += c.l.replicas.empty() ? 0 : 1;
    CHECK(shared->conflicts == expected.conflicts);
    CHECK(shared->wavefronts == expected.wavefronts);
    CHECK(shared->phases == expected.phases);
    CHECK(global->instructions == expected.instructions);
    CHECK(global->sectors == expected.sectors);
    CHECK(global->least_sectors == expected.least_sectors);
    CHECK(global->lines == expected.lines);
    CHECK(global->least_lines == expected.least_lines);
  }
  CHECK(counted > 2000);
  CHECK(refused > 500);
  CHECK(conflicting > 500);
  CHECK(swizzled > 500);
  CHECK(copied > 400);
}

TEST_CASE("contiguity, alignment and the widest vector are what a walk over all addresses finds") {
  draw d(7);
  axe::step_budget const enough(10'000'000);
  int wide = 0, narrow = 0;
  for (int n = 0; n < 4000; ++n) {
    int const bits = d.one_of({4, 8, 16, 32, 64, 128});
    axe::layout const l = draw_layout(d, d(1, 9), d(1, 5) * d.one_of<integer>({1, 2, 4, 8}),
                                      d.one_of<integer>({1, 2, 4, 8, 16}));
    INFO("case " << n << ": " << axe::to_text(l).c_str() << " of " << bits << " bits");
    warp::memory const m = to_warp(l);
    warp::number const size = warp::size(m.d);
    warp::number divisor = 0;
    for (warp::number copy : warp::copies(m))
      for (warp::number x = 0; x < size; ++x) {
        warp::number a = std::abs(warp::address(m, x, copy)), b = divisor;
        while (a != 0) std::swap(b %= a, a);
        divisor = b;
      }
    auto const runs_of = [&](warp::number run, bool aligned) {
      if (size % run != 0) return false;
      for (warp::number copy : warp::copies(m))
        for (warp::number x = 0; x < size; ++x) {
          warp::number const begin = warp::address(m, x / run * run, copy);
          if (warp::address(m, x, copy) != begin + x % run || (aligned && warp::wrapped(begin, run) != 0))
            return false;
        }
      return true;
    };
    warp::number longest = size;
    while (!runs_of(longest, false)) --longest;
    warp::number widest = 128 / bits;
    while (!runs_of(widest, true)) widest /= 2;
    CHECK(axe::alignment(l, enough) == divisor);
    CHECK(axe::contiguity(l, enough) == longest);
    CHECK(axe::widest_vector(l, bits, enough) == (widest == 0 ? 1 : widest));
    (widest > 1 ? wide : narrow) += 1;
  }
  CHECK(wide > 500);
  CHECK(narrow > 500);
}
