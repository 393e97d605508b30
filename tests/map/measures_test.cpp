// Tests min, max, span, cosize and size: facts, and the limits of 64 bits. sweep_test.cpp tests
// every small layout.
#include <axe/axe.hpp>

namespace {

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

constexpr integer least(layout const& l, axis a = m) { return (min)(l, a); }
constexpr integer largest(layout const& l, axis a = m) { return (max)(l, a); }

static_assert(size("S[]"_axe) == 1 && size("S[] + R[4:1]"_axe) == 1 &&
              size("S[(7,48,100)]"_axe) == 33600 && size("S[(1,1):(5,5)]"_axe) == 1);

// The span is 1 + the sum of (extent - 1) * |stride| over D and R. It ignores the offset.
static_assert(span("S[8:1]"_axe, m) == 8 && span("S[8:-1]"_axe, m) == 8 &&
              span("S[8:2]"_axe, m) == 15 && span("S[8:-3]"_axe, m) == 22);
static_assert(span("S[4:0]"_axe, m) == 1 && span("S[4:0@m]"_axe, m) == 1 &&
              span("S[1:1000]"_axe, m) == 1 && span("S[8:1]"_axe, lane) == 1);
static_assert(span("S[2:1] + R[3:10]"_axe, m) == 22 && span("S[] + R[3:-10]"_axe, m) == 21 &&
              span("S[8:1] + 100"_axe, m) == 8);
static_assert(span("S[2:1] + R[3:10@lane] + 7@lane"_axe, lane) == 21 &&
              span("S[] + 7@lane"_axe, lane) == 1);

static_assert(least("S[8:1] + 5"_axe) == 5 && largest("S[8:1] + 5"_axe) == 12 &&
              cosize("S[8:1] + 5"_axe) == 13);
static_assert(least("S[8:-1] + 5"_axe) == -2 && largest("S[8:-1] + 5"_axe) == 5 &&
              least("S[4:1] + R[2:-6]"_axe) == -6);
static_assert(largest("S[4:1] + R[2:-6]"_axe) == 3 && least("S[4:-1] + R[2:-6]"_axe) == -9 &&
              largest("S[4:-1] + R[2:6]"_axe) == 6);
static_assert(least("S[8:1]"_axe, reg) == 0 && largest("S[8:1]"_axe, reg) == 0 &&
                  cosize("S[8:1]"_axe, reg) == 1,
              "an axis that is not named has one place, 0");
static_assert(least("S[] - 4@gpuid"_axe, gpuid) == -4 && largest("S[] - 4@gpuid"_axe, gpuid) == -4);
static_assert(try_cosize("S[8:-1] + 5"_axe, m).why ==
              refusal{rule::least_place_is_negative, {-2}, {m}});
static_assert(cosize("S[8:-1] + 7"_axe) == 8, "0 is not a negative place");

// 65536 x 65536 elements have a size and a cosize beyond 32 bits. Sizes and places beyond 64 bits
// are rejected.
static_assert(size("S[(65536,65536)]"_axe) == 4294967296 &&
              cosize("S[(65536,65536)]"_axe) == 4294967296);
static_assert(cosize("S[(65536,65536):(1,65536)]"_axe) == 4294967296 &&
              span("S[(65536,65536):(65536,-1)]"_axe, m) == 4294967296);
static_assert(try_size(S({4294967296, 4294967296}, {0, 0})).why.which == rule::size_overflows);
static_assert(size("S[(4294967296,2147483647):(0,0)]"_axe) == 9223372032559808512);
static_assert(try_span(S({9223372036854775807}, {2}), m).why ==
              refusal{rule::places_overflow, {}, {m}});
static_assert(try_span(S({2}, {1 * lane}) + R({9223372036854775807}, {2 * lane}), lane).why ==
              refusal{rule::places_overflow, {}, {lane}});
static_assert(try_size(S({2}, {1 * lane}) + R({9223372036854775807}, {2 * lane})).why.which ==
                  rule::places_overflow,
              "an invalid layout has no measures");
static_assert(largest("S[9223372036854775807:1]"_axe) == 9223372036854775806 &&
              cosize("S[9223372036854775807:1]"_axe) == 9223372036854775807);
static_assert(try_cosize(S({9223372036854775807}, {1}) + 1).why.which == rule::places_overflow,
              "the cosize would be 2^63, so no measure is given");
static_assert(try_span(S({4611686018427387904, 4611686018427387904}, {1, 0}) +
                           R({4611686018427387904}, {-1}),
                       m)
                  .why.which == rule::size_overflows);
static_assert(span("S[4611686018427387904:1] + R[4611686018427387904:-1]"_axe, m) ==
              9223372036854775807);
static_assert(try_span(S({4611686018427387904}, {1}) + R({4611686018427387905}, {-1}), m)
                  .why.which == rule::places_overflow);
static_assert(check(layout{} + 9223372036854775807).which == rule::places_overflow,
              "cosize would be 2^63");
static_assert(check("S[] - 9223372036854775807"_axe).which == rule::none &&
              (min)("S[] - 9223372036854775807"_axe, m) == -9223372036854775807);
static_assert(check(S({2}, {-9223372036854775807 - 1})).which == rule::places_overflow &&
              check("S[1:-9223372036854775808]"_axe).which == rule::none);
static_assert(check(S({2}, {9223372036854775806}) + R({2}, {-9223372036854775806})).which ==
                  rule::places_overflow,
              "the least and the largest place fit 64 bits, the span does not");

/// Adds a swizzle without the check that a literal makes.
constexpr layout swizzled(layout l) {
  l.swizzle = {3, 3, 3};
  return l;
}

// Measures of a swizzled layout are those of the addresses that it reaches after the swizzle.
static_assert(largest("swizzle(3,3,3) o S[(8,8):(64,1)]"_axe) == 511 &&
              span("swizzle(3,3,3) o S[(8,8):(64,1)]"_axe, m) == 512);
static_assert(largest("S[(8,8):(64,1)]"_axe) == 455, "the same layout without the swizzle");
static_assert(cosize("swizzle(3,3,3) o S[(8,64):(64,1)]"_axe) == 512 &&
              cosize("swizzle(0,1,1) o S[3:1]"_axe) == 4 &&
              cosize("swizzle(0,1,1) o S[2:1] + 2"_axe) == 4);
static_assert(least("swizzle(0,1,1) o S[] + 2"_axe) == 3 &&
              least("swizzle(0,1,1) o S[4:1] - 4"_axe) == -4);
static_assert(largest("swizzle(0,2,-2) o S[2:1]"_axe) == 5, "S < 0: bit 0 is XORed into bit 2");
static_assert(
    cosize("swizzle(3,3,3) o S[(65536,65536):(65536,1)]"_axe) == 4294967296,
    "steps of whole periods are added after the swizzle, without a table of 2^32 addresses");
static_assert(cosize("swizzle(3,3,3) o S[(1000000,8):(64,1)]"_axe) == 64000000,
              "every eighth step of 64 is a multiple of the period, 512");
static_assert(cosize("swizzle(3,3,3) o S[(1000001,8):(64,1)]"_axe) == 64000008);
static_assert(span("swizzle(3,3,3) o S[8:1] + R[1000000:-512]"_axe, m) == 511999496);
static_assert(largest("swizzle(3,3,3) o S[536870912:17179869184]"_axe) == 9223372019674906624,
              "2^29 * 2^34 = 2^63 overflows and is not computed");
static_assert(cosize("swizzle(3,3,3) o S[64:1]"_axe, m) == 64 &&
              check(swizzled(S({8}, {1 * lane}))) ==
                  refusal{rule::swizzle_acts_on_memory_only, {}, {lane}});
static_assert(check(swizzled(S({8}, {1}) + 9223372036854775800)).which == rule::places_overflow,
              "the swizzle may move the address beyond 64 bits");

// An invalid layout has no measures, even if it was made without a literal or builder.
constexpr layout with(iter const& i) {
  layout l;
  l.shards.push(i);
  return l;
}
static_assert(check(with({0, 1, m})) == refusal{rule::extent_below_one, {0, 0}} &&
              check(with({-3, 1, m})) == refusal{rule::extent_below_one, {0, -3}});
static_assert(check(with({2, 1, axis::null})) == refusal{rule::stride_on_no_axis, {0, 1}} &&
              check(with({2, 0, axis::null})) == refusal{});
constexpr layout wrong_blocks() {
  layout l = "S[(2,2):(2,1)]"_axe;
  l.blocks.push(1);
  return l;
}
static_assert(check(wrong_blocks()) == refusal{rule::blocks_do_not_cover, {1, 2}} &&
              !try_size(wrong_blocks()));
constexpr layout wrong_swizzle() {
  layout l = "S[8:1]"_axe;
  l.swizzle = {3, 3, 0};
  return l;
}
static_assert(check(wrong_swizzle()) == refusal{rule::swizzle_parameters, {3, 3, 0}});

}  // namespace
