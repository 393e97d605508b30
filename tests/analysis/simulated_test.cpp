// Compares random accesses with warps that are simulated lane by lane. ./run fuzz --accesses makes
// more.
#include "analysis/random_cases.hpp"
#include "support/catch.hpp"

#include <numeric>

using namespace axe_test;

TEST_CASE("conflicts, wavefronts, sectors and lines are those of simulated warps") {
  random_source d(20240611);
  int counted = 0, illegal = 0, conflicting = 0, swizzled = 0, replicated = 0;
  for (int n = 0; n < drawn(6000); ++n) {
    random_case const c = make_random_case(d);
    judged_case const j = judge(c);
    if (char const* wrong = disagreement(j))
      FAIL("case " << n << ": " << wrong << ": " << text_of(c));
    (j.expected.legal ? counted : illegal) += 1;
    if (!j.expected.legal) continue;
    conflicting += j.expected.conflicts > 1 ? 1 : 0;
    swizzled += c.l.swizzle.none() ? 0 : 1;
    replicated += c.l.replicas.empty() ? 0 : 1;
  }
  CHECK(counted > drawn(2000));
  CHECK(illegal > drawn(500));
  CHECK(conflicting > drawn(500));
  CHECK(swizzled > drawn(500));
  CHECK(replicated > drawn(400));
}

TEST_CASE("contiguity, alignment and the widest vector agree with all addresses") {
  random_source d(7);
  axe::step_limit const enough(10'000'000);
  int wide = 0, narrow = 0;
  for (int n = 0; n < drawn(4000); ++n) {
    int const bits = d.one_of({4, 8, 16, 32, 64, 128});
    axe::layout const l =
        random_layout(d, d.between(1, 9), d.between(1, 5) * d.one_of<integer>({1, 2, 4, 8}),
                      d.one_of<integer>({1, 2, 4, 8, 16}));
    INFO("case " << n << ": " << axe::to_text(l).c_str() << " of " << bits << " bits");
    warp::memory const m = to_warp(l);
    warp::number const size = warp::size(m.d);
    warp::number divisor = 0;
    for (warp::number replica : warp::replica_offsets(m))
      for (warp::number x = 0; x < size; ++x)
        divisor = std::gcd(divisor, warp::address(m, x, replica));
    auto const has_address = [&](warp::number x, warp::number address) {
      for (warp::number replica : warp::replica_offsets(m))
        if (warp::address(m, x, replica) == address) return true;
      return false;
    };
    // True if the elements are runs of this length, each at a multiple of its length if `aligned`.
    auto const runs_of = [&](warp::number run, bool aligned) {
      if (size % run != 0) return false;
      for (warp::number replica : warp::replica_offsets(m))
        for (warp::number x = 0; x < size; ++x) {
          warp::number const begin = warp::address(m, x / run * run, replica);
          if (!has_address(x, begin + x % run) || (aligned && warp::wrapped(begin, run) != 0))
            return false;
        }
      return true;
    };
    warp::number longest = size;
    while (!runs_of(longest, false)) --longest;
    warp::number widest = 128 / bits;
    while (!runs_of(widest, true)) widest /= 2;
    CHECK(*axe::try_alignment(l, enough) == divisor);
    CHECK(*axe::try_contiguity(l, enough) == longest);
    CHECK(*axe::try_widest_vector(l, bits, enough) == (widest == 0 ? 1 : widest));
    (widest > 1 ? wide : narrow) += 1;
  }
  CHECK(wide > drawn(500));
  CHECK(narrow > drawn(500));
}
