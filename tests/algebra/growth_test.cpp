// How the cost of the closed forms grows: at most n log n in the number of iters, and not at all with the extents.
//
//     cost(24) - cost(12) <= 2.45 * (cost(12) - cost(6))        the ratio is 2 for n, 2.43 for n log n, 4 for n^2
//
// Cost is the number of basic blocks that run (count_blocks.cpp), the same in every run and on every machine. Differences, so that what a call
// costs whatever its operands are hides nothing. The shapes have as many dimensions as there are iters; an offset keeps `check` from its short way for few
// and small digits.
#include <axe/algebra/direct_sum.hpp>
#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/group.hpp>
#include <axe/algebra/pack.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>

#include "support/catch.hpp"

extern unsigned long long blocks_run;

namespace {

using namespace axe;

/// `n` digits that do not fuse, as many dimensions, their order turned round, and the last entries of each.
struct sample {
  layout l;
  shape s;
  coordinate turned;
  region last;
};

sample sample_of(int n, bool large, integer first_stride) {
  sample made;
  REQUIRE(made.l.offsets.push({1, axis::m}));
  for (int k = 0; k < n; ++k) {
    integer const extent = large ? (integer{1} << 20) + k : 2 + k % 2;
    REQUIRE(made.l.shards.push({extent, first_stride + 7 * k, axis::m}));
    made.s.append(extent);
    made.turned.append(n - 1 - k);
    REQUIRE(made.last.ranges.push({1, extent}));
  }
  return made;
}

constexpr char const* operations[] = {"canonicalize", "equivalent", "group",  "tile",  "direct_sum",
                                      "slice",        "permute",    "unpack", "refuse"};

/// One operation on n iters in all; of two operands each has half of them.
bool done(int operation, sample const& whole, sample const& outer, sample const& inner) {
  switch (operation) {
    case 0: return static_cast<bool>(try_canonicalize(whole.l));
    case 1: return *try_equivalent(whole.l, whole.l);
    case 2: return static_cast<bool>(try_group(whole.l, whole.s));
    case 3: return static_cast<bool>(try_tile(outer.l, outer.s, inner.l, inner.s));
    case 4: return static_cast<bool>(try_direct_sum(outer.l, outer.s, inner.l, inner.s));
    case 5: return static_cast<bool>(try_slice(whole.l, whole.s, whole.last));
    case 6: return static_cast<bool>(try_permute(whole.l, whole.s, whole.turned));
    case 7: return static_cast<bool>(try_unpack(whole.l, 2, axis::reg));
    default: return !try_group(whole.l, {7});
  }
}

double cost(int operation, int n, bool large) {
  sample const whole = sample_of(n - (operation == 7), large, 1000);
  sample const outer = sample_of(n / 2, large, 1000);
  sample const inner = sample_of(n / 2, large, 1);
  unsigned long long const before = blocks_run;
  bool const ok = done(operation, whole, outer, inner);
  unsigned long long const after = blocks_run;
  CHECK(ok);
  return static_cast<double>(after - before);
}

TEST_CASE("the closed forms cost at most n log n in the number of iters") {
  for (int k = 0; k < static_cast<int>(std::size(operations)); ++k) {
    double const few = cost(k, 6, false);
    double const some = cost(k, 12, false);
    double const many = cost(k, 24, false);
    INFO(operations[k] << ": " << few << ", " << some << ", " << many << " blocks for 6, 12, 24 iters");
    CHECK(some > few);
    CHECK(many - some <= 2.45 * (some - few));
  }
}

TEST_CASE("the closed forms cost the same whatever the extents are") {
  for (int k = 0; k < static_cast<int>(std::size(operations)); ++k) {
    double const small = cost(k, 3, false);
    double const large = cost(k, 3, true);
    INFO(operations[k] << ": " << small << " blocks for extents of 2 and 3, " << large << " from 2^20 on");
    CHECK(large <= 1.5 * small);
  }
}

}  // namespace
