// Tests the helpers of comparisons with the oracle: the converter, the numbering of small layouts,
// the random layouts of a seed, and shrink().
#include "oracle/convert.hpp"
#include "oracle/require.hpp"

#include <axe/construct/literal.hpp>

#include <set>

using namespace axe_test;
using namespace axe::literals;

TEST_CASE("the converter keeps every part of a layout") {
  oracle::layout const o =
      to_oracle("S[(8,2,3):(4@lane,-1@warp,0)] + R[2:4@warp] + 5@warp - 3"_axe);
  REQUIRE(o.d.size() == 3);
  CHECK((o.d[0].extent == 8 && o.d[0].stride == 4 && o.d[0].on == 1));
  CHECK((o.d[1].extent == 2 && o.d[1].stride == -1 && o.d[1].on == 2));
  CHECK((o.d[2].extent == 3 && o.d[2].stride == 0 && o.d[2].on == oracle::nowhere));
  REQUIRE(o.r.size() == 1);
  CHECK((o.r[0].extent == 2 && o.r[0].stride == 4 && o.r[0].on == 2));
  CHECK(o.o == oracle::place{-3, 0, 5});
  oracle::layout const w = to_oracle("swizzle(M=1,B=2,S=-3) o S[8:1]"_axe);
  CHECK((w.f.M == 1 && w.f.B == 2 && w.f.S == -3));
  CHECK_THROWS(to_oracle("S[1:1] + 1@gpuid"_axe));  // an axis without a number stops the test
}

TEST_CASE("digits are numbered without gaps: extents 1 to 4, strides -3 to 8, two axes") {
  std::set<std::tuple<axe::integer, axe::integer, axe::axis>> seen;
  for (int n = 0; n < digit_count(2); ++n) {
    axe::iter const i = numbered_digit(n);
    CHECK((i.extent >= 1 && i.extent <= 4 && i.stride >= -3 && i.stride <= 8));
    CHECK(i.on == (n < digit_count(1) ? axe::axis::m : axe::axis::lane));
    seen.insert({i.extent, i.stride, i.on});
  }
  CHECK(seen.size() == 96);
}

TEST_CASE("for_each_list visits every list once") {
  std::set<std::vector<int>> seen;
  int visits = 0;
  for_each_list(
      3, 4, [&](std::vector<int> const& picked) { return ++visits, seen.insert(picked), true; });
  CHECK((visits == 64 && seen.size() == 64));
  for_each_list(0, 4, [&](std::vector<int> const& picked) { return seen.insert(picked), true; });
  CHECK(seen.size() == 65);
}

TEST_CASE("random layouts are valid, of every kind, and the same for the same seed") {
  random_source a{7};
  random_source b{7};
  int swizzled = 0, inner = 0, short_shift = 0, replicas = 0, negative = 0, offsets = 0, empty = 0;
  for (int i = 0; i < 10000; ++i) {
    axe::layout const l = a.layout();
    REQUIRE(l == b.layout());
    REQUIRE(axe::check(l).which == axe::rule::none);
    swizzled += !l.swizzle.none();
    inner += l.swizzle.S > 0;
    short_shift +=
        !l.swizzle.none() && (l.swizzle.S < 0 ? -l.swizzle.S : l.swizzle.S) < l.swizzle.B;
    replicas += !l.replicas.empty();
    offsets += !l.offsets.empty();
    empty += l.shards.empty();
    for (axe::iter const& s : l.shards) negative += s.stride < 0;
    axe::layout const n = a.neighbour(l);
    REQUIRE(axe::check(n).which == axe::rule::none);
    REQUIRE(n == b.neighbour(l));
  }
  CHECK((swizzled > 800 && inner > 400 && short_shift > 200 && replicas > 5000 && negative > 1000 &&
         offsets > 4000 && empty > 1000));
}

TEST_CASE("the shrinker finds the smallest layout that fails") {
  auto const fails = [](axe::layout const& l) {
    for (axe::iter const& i : l.shards)
      if (i.extent >= 3 && i.stride < -1) return true;
    return false;
  };
  CHECK(shrink("S[(2,4,4):(1,-3,-3@lane)] + R[2:5] + 7"_axe, fails) == "S[3:-2@lane]"_axe);
  CHECK(shrink("swizzle(0,1,1) o S[4:1] + R[4:8] - 4"_axe,
               [](axe::layout const& l) { return l.offset(axe::axis::m) < -1; }) == "S[] - 2"_axe);
}
