// The cost of the closed forms grows at most as n log n with the number n of iters, and not with
// the extents:
//
//     cost(24) - cost(12) <= 2.45 * (cost(12) - cost(6))    the ratio is 2 for n, 2.43 for n log n
//
// The cost is the number of basic blocks that run (count_blocks.cpp), which is equal in every run
// and on every machine. The differences remove the constant cost of a call. Shapes have one
// dimension for each iter. Layouts have an offset, because `check` has a shorter path without one.
#include <axe/algebra/broadcast.hpp>
#include <axe/algebra/compose.hpp>
#include <axe/algebra/direct_sum.hpp>
#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/factor.hpp>
#include <axe/algebra/group.hpp>
#include <axe/algebra/group_many.hpp>
#include <axe/algebra/inverse.hpp>
#include <axe/algebra/pack.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/unpack.hpp>

#include "support/catch.hpp"

extern unsigned long long blocks_run;

namespace {

using namespace axe;

/// A layout of `n` digits that canonicalize does not merge, its shape, the permutation that
/// reverses its dimensions, and the region without index 0 of each dimension.
struct sample {
  layout l;
  shape s;
  coordinate reversed;
  region tail;
};

sample sample_of(int n, int bits, integer first_stride) {
  sample made;
  REQUIRE(made.l.offsets.push({1, axis::m}));
  for (int k = 0; k < n; ++k) {
    integer const extent = bits == 1 ? 2 + k % 2 : (integer{1} << bits) + k;
    REQUIRE(made.l.shards.push({extent, first_stride + 7 * k, axis::m}));
    made.s.append(extent);
    made.reversed.append(n - 1 - k);
    REQUIRE(made.tail.ranges.push({1, extent}));
  }
  return made;
}

/// A layout without gaps whose extents are those of `of`: an operand of inverse, and the inner
/// operand of compose.
layout compact(sample const& of) {
  layout l;
  integer stride = 1;
  for (int k = of.l.shards.size() - 1; k >= 0; --k) {
    integer const extent = of.l.shards[k].extent;
    REQUIRE(l.shards.push({extent, stride, axis::m}));
    stride *= extent;
  }
  return l;
}

/// An operand of pack(…, 2): the last digit has stride 1, and all other strides and the offset are
/// even.
layout narrow(sample const& of) {
  layout l = of.l;
  for (iter& i : l.shards) i.stride *= 2;
  l.offsets[0].n = 2;
  l.shards.back() = {2 * l.shards.back().extent, 1, axis::m};
  return l;
}

/// The operands of all operations for n iters: one of n iters, and two of n / 2 with their direct
/// sum and their tile.
struct operands {
  sample whole;
  sample outer;
  sample inner;
  layout sum;
  layout tiled;
  shape both;
};

operands operands_of(int n, int bits) {
  operands made{sample_of(n, bits, 1000),
                sample_of(n / 2, bits, 1000),
                sample_of(n / 2, bits, 1),
                {},
                {},
                {}};
  made.sum = direct_sum(made.outer.l, made.outer.s, made.inner.l, made.inner.s);
  made.tiled = tile(made.outer.l, made.outer.s, made.inner.l, made.inner.s);
  for (int k = 0; k < n / 2; ++k)
    made.both.append(made.outer.l.shards[k].extent * made.inner.l.shards[k].extent);
  return made;
}

/// One operation. Its operands have n iters in total; two operands have n / 2 each.
struct operation {
  char const* name;
  bool (*succeeds)(operands const&);
  int only_in_result = 0;  // iters that only the result has
};
constexpr operation operations[] = {
    {"canonicalize",
     [](operands const& o) { return static_cast<bool>(try_canonicalize(o.whole.l)); }},
    {"equivalent", [](operands const& o) { return *try_equivalent(o.whole.l, o.whole.l); }},
    {"group", [](operands const& o) { return static_cast<bool>(try_group(o.whole.l, o.whole.s)); }},
    {"group_many",
     [](operands const& o) {
       return static_cast<bool>(try_group_many(o.whole.l, {o.whole.s, o.whole.s}));
     }},
    {"tile",
     [](operands const& o) {
       return static_cast<bool>(try_tile(o.outer.l, o.outer.s, o.inner.l, o.inner.s));
     }},
    {"direct_sum",
     [](operands const& o) {
       return static_cast<bool>(try_direct_sum(o.outer.l, o.outer.s, o.inner.l, o.inner.s));
     }},
    {"tile_outer",
     [](operands const& o) {
       return static_cast<bool>(try_tile_outer(o.tiled, o.both, o.inner.l, o.inner.s));
     }},
    {"tile_inner",
     [](operands const& o) {
       return static_cast<bool>(try_tile_inner(o.tiled, o.both, o.outer.l, o.outer.s));
     }},
    {"sum_outer",
     [](operands const& o) {
       return static_cast<bool>(try_sum_outer(o.sum, o.both, o.inner.l, o.inner.s));
     }},
    {"sum_inner",
     [](operands const& o) {
       return static_cast<bool>(try_sum_inner(o.sum, o.both, o.outer.l, o.outer.s));
     }},
    {"slice",
     [](operands const& o) {
       return static_cast<bool>(try_slice(o.whole.l, o.whole.s, o.whole.tail));
     }},
    {"permute",
     [](operands const& o) {
       return static_cast<bool>(try_permute(o.whole.l, o.whole.s, o.whole.reversed));
     }},
    {"broadcast",
     [](operands const& o) { return static_cast<bool>(try_broadcast(o.whole.l, o.whole.s, 0, 3)); },
     1},
    {"pack",
     [](operands const& o) { return static_cast<bool>(try_pack(narrow(o.whole), 2, axis::m)); }},
    {"unpack",
     [](operands const& o) { return static_cast<bool>(try_unpack(o.whole.l, 2, axis::reg)); }, 1},
    {"inverse",
     [](operands const& o) { return static_cast<bool>(try_inverse(compact(o.whole), {axis::m})); }},
    {"compose",
     [](operands const& o) { return static_cast<bool>(try_compose(o.whole.l, compact(o.whole))); }},
    {"refuse", [](operands const& o) { return !try_group(o.whole.l, {7}); }},
};

double cost(operation const& of, int n, int bits) {
  operands const o = operands_of(n - of.only_in_result, bits);
  unsigned long long const before = blocks_run;
  bool const ok = of.succeeds(o);
  unsigned long long const after = blocks_run;
  INFO(of.name);
  CHECK(ok);
  return static_cast<double>(after - before);
}

TEST_CASE("the closed forms cost at most n log n in the number of iters") {
  for (operation const& k : operations) {
    double const few = cost(k, 6, 1);
    double const some = cost(k, 12, 1);
    double const many = cost(k, 24, 1);
    INFO(k.name << ": " << few << ", " << some << ", " << many << " blocks for 6, 12, 24 iters");
    CHECK(some > few);
    CHECK(many - some <= 2.45 * (some - few));
  }
}

TEST_CASE("the cost of the closed forms does not grow with the extents") {
  for (operation const& k : operations) {
    double const small = cost(k, 3, 1);
    double const some = cost(k, 3, 17);
    double const large = cost(k, 3, 20);
    INFO(k.name << ": " << small << " blocks for extents of 2 and 3, " << some << " from 2^17 on, "
                << large << " from 2^20 on");
    CHECK(large <= 1.02 * some);
    // The factor is 2, because `check` has a short path for small numbers and inverse checks two
    // layouts.
    CHECK(large <= 2 * small);
  }
}

}  // namespace
