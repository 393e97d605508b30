// Sums, tiles and slices of large swizzled layouts, which the library decides without visiting
// every element. Without replicas none may be undecided, and results must be right at sampled
// elements.
//
//     tile(swizzle(M=0,B=3,S=3) o S[(128,4,8):(4,1,512)], (4096), S[(16,256,2):(2,32,1)], (8192))
//     swizzle(M=13,B=3,S=3) o …: 2^13 * f(a) + b = g(2^13 * a + b)
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <axe/axe.hpp>

#include <algorithm>
#include <vector>

using namespace axe;
using namespace axe::literals;

namespace {

using dice = axe_test::dice<integer>;

/// A layout of about 2^bits elements, whose strides nest in any order. `swizzled` percent of the
/// layouts have a swizzle.
layout random_layout(dice& d, integer bits, int swizzled) {
  layout l;
  std::vector<int> order;
  bool const odd = d.chance(30);
  while (bits > 0) {
    integer const part = d.between(1, std::min<integer>(bits, 12));
    integer const e = integer{1} << part;
    order.push_back(l.shards.size());
    l.shards.push({odd && d.chance(20) ? e / 2 * 3 : e, 0, axis::m});
    bits -= part;
  }
  std::shuffle(order.begin(), order.end(), d.engine);
  integer next = 1;
  for (int k : order) {
    l.shards[k].stride = d.chance(8) ? -next : next;
    next *= l.shards[k].extent;
  }
  if (d.chance(20)) l.offsets.push({d.between(1, 4096), axis::m});
  int const s = static_cast<int>(d.between(1, 4));
  if (d.chance(swizzled))
    l.swizzle = {static_cast<int>(d.between(0, 6)), static_cast<int>(d.between(1, 4)),
                 d.chance(75) ? s : -s};
  return l;
}

integer address(layout const& l, integer x) { return places(l, x).first()[axis::m]; }

/// Compares 60 elements of a result. It may be a refusal, but not undecided.
template <class Places>
void require_places(dice& d, outcome<layout> const& got, integer elements, Places expected) {
  REQUIRE(got.why.which != rule::undecided);
  if (!got) return;
  REQUIRE(size(*got) == elements);
  for (int k = 0; k < 60; ++k) {
    integer const x = k < 8 ? (elements - 1) / 7 * k : d.between(0, elements - 1);
    REQUIRE(address(*got, x) == expected(x));
  }
}

/// The inverse of a layout. Requires that it maps the places of 60 elements back to them.
layout checked_inverse(char const* text) {
  layout const l = parse(text);
  layout const inverted = inverse(l, {axis::m});
  integer const begin = min(l, axis::m);
  for (int k = 0; k < 60; ++k) {
    integer const x = (size(l) - 1) / 59 * k;
    REQUIRE(address(inverted, address(l, x) - begin) == x);
  }
  return inverted;
}

/// The operands of a sum, as its closed forms and its search of digits read them.
struct sum_operands : detail::summed_operands {
  constexpr sum_operands(layout const& first, shape const& s_first, layout const& second,
                         shape const& s_second) {
    if (admit(first, s_first, second, s_second)) throw "the test gives operands that do not fit";
  }
};

/// True if a few elements of a + b prove that no digits have its places.
constexpr bool rules_out(sum_operands const& of) {
  using namespace axe::detail;
  summed_places const source(of.a, 1, of.b, interleave(of.outer, of.inner));
  step_limit steps;
  return bool(rule_out_digits({&source, {}}, source.size, divisors_of(source.size), steps));
}
static_assert(!rules_out({"S[(3,4):(1,8)]"_axe, {12}, "S[(5,2):(100,-7)]"_axe, {10}}));
static_assert(!rules_out({"S[(2,6):(0,5)]"_axe, {2, 6}, "S[(6,5):(60,2@lane)]"_axe, {6, 5}}));
static_assert(rules_out({"S[2:64]"_axe, {2}, "swizzle(M=0,B=1,S=2) o S[64:1]"_axe, {64}}));

/// The swizzle of 8 * a + b by the closed forms.
constexpr swizzle swizzle_of_tile(sum_operands const& of) {
  detail::axis_factors by_eight;
  by_eight.by.push({8, axis::m});
  return detail::swizzled_sum_of(of.a, by_eight, of.b, detail::interleave(of.outer, of.inner),
                                 step_limit(1000))
      ->swizzle;
}
static_assert(swizzle_of_tile({"swizzle(M=0,B=1,S=1) o S[4:1]"_axe, {4}, "S[8:1]"_axe, {8}}) ==
              swizzle{3, 1, 1});
static_assert(swizzle_of_tile({"S[4:1]"_axe, {4}, "swizzle(M=0,B=2,S=2) o S[8:1]"_axe, {8}}) ==
              swizzle{0, 1, 2});

static_assert(to_text(inverse("swizzle(0,1,-1) o S[(512,512):(1,512)]"_axe, {axis::m})) ==
              "swizzle(M=9,B=1,S=-1) o S[(512,512):(1,512)]");
// The bits of one period decide, not its 2,048 or 4,096 places.
static_assert(to_text(inverse("swizzle(4,4,4) o S[(8,2048):(1,8)]"_axe, {axis::m})) ==
              "swizzle(M=1,B=4,S=4) o S[(2048,8):(1,2048)]");
static_assert(to_text(inverse("swizzle(3,2,-7) o S[(32,8,16):(8,1,256)] + 4096"_axe, {axis::m})) ==
              "swizzle(M=2,B=2,S=5) o S[(16,256):(1,16)]");

// Beside another axis, a sum has no swizzle. The slowest digit moves by whole periods.
constexpr layout pairs = "swizzle(0,1,1) o S[(1048576,2):(4,2)]"_axe;
static_assert(direct_sum("S[2:1@lane]"_axe, {2}, pairs, {2097152}) ==
              "S[(2,1048576,2):(1@lane,4,3)]"_axe);
static_assert(try_direct_sum("S[2:1@lane]"_axe, {2}, "swizzle(0,1,1) o S[(4,3,3):(64,8,1)]"_axe,
                             {36}, step_limit{3})
                  .why.which == rule::undecided);
static_assert(rewrite(pairs, {axis::m, place{{4, axis::P}, {1, axis::F}}}) ==
              "S[(1048576,2):(1@P,3@F)]"_axe);

}  // namespace

TEST_CASE("inverses of large swizzled permutations are decided by one period") {
  CHECK(to_text(checked_inverse("swizzle(3,3,3) o S[(4096,4096):(1,4096)] + 512")) ==
        "swizzle(M=15,B=3,S=3) o S[(4096,4096):(1,4096)]");
  CHECK(to_text(checked_inverse("swizzle(3,3,3) o S[(512,8,64):(64,32768,1)]")) ==
        "swizzle(M=3,B=3,S=6) o S[(8,512,64):(64,512,1)]");
  CHECK(to_text(checked_inverse("swizzle(3,3,3) o S[(125,8,8,64):(512,64,64000,1)]")) ==
        "swizzle(M=3,B=3,S=6) o S[(8,1000,64):(64,512,1)]");
  CHECK(to_text(checked_inverse("swizzle(3,3,3) o S[(3000,512):(-512,1)] + 1535488")) ==
        "swizzle(M=3,B=3,S=3) o S[(3000,512):(-512,1)] + 1535488");
  CHECK(to_text(checked_inverse("swizzle(4,4,4) o S[(8,2048):(1,8)]")) ==
        "swizzle(M=1,B=4,S=4) o S[(2048,8):(1,2048)]");
  CHECK(to_text(checked_inverse("swizzle(3,2,-7) o S[(32,8,16):(8,1,256)] + 4096")) ==
        "swizzle(M=2,B=2,S=5) o S[(16,256):(1,16)]");
}

TEST_CASE("no random tile, sum or slice of large swizzled layouts is undecided") {
  dice d(20261126);
  for (int n = 0; n < axe_test::drawn(60); ++n) {
    layout const a = random_layout(d, d.between(2, 12), 20);
    layout const b = random_layout(d, d.between(12, 18), 70);
    text<512> shown;
    print(shown, a);
    print(shown, b);
    INFO(shown.c_str());
    integer const inner = size(b);
    auto const sum = [&](integer scale) {
      return [&a, &b, inner, scale](integer x) {
        return scale * address(a, x / inner) + address(b, x % inner);
      };
    };
    require_places(d, try_direct_sum(a, size(a), b, inner), size(a) * inner, sum(1));
    require_places(d, try_tile(a, size(a), b, inner), size(a) * inner, sum(span(b, axis::m)));

    layout const l = random_layout(d, d.between(20, 30), 60);
    integer const begin = d.between(0, size(l) - 1);
    integer const end = d.between(begin + 1, size(l));
    require_places(d, try_slice(l, size(l), {{begin, end}}), end - begin,
                   [&](integer x) { return address(l, begin + x); });
  }
}

TEST_CASE("closed forms decide large swizzled tiles") {
  auto const tiled = [](char const* a, shape const& s_a, char const* b, shape const& s_b) {
    return try_tile(parse(a), s_a, parse(b), s_b);
  };
  // The swizzle of A, moved by the span of B.
  CHECK(tiled("swizzle(M=0,B=3,S=3) o S[(128,4,8):(4,1,512)]", {4096}, "S[(16,256,2):(2,32,1)]",
              {8192})
            ->swizzle == swizzle{13, 3, 3});
  // The swizzle of B, without the bits that no address of B has.
  CHECK(tiled("S[(2048,8,2):(1,2,1)]", {1, 2048, 16},
              "swizzle(M=6,B=3,S=4) o S[(32,4,2,8):(64,16,8,1)]", {32, 1, 64})
            ->swizzle == swizzle{6, 1, 4});
  // The swizzle of A, which changes no bit of B.
  CHECK(to_text(direct_sum(parse("swizzle(3,3,3) o S[64:8] + R[512:512] + 8"), 64,
                           parse("S[8:1] + R[3:4096] + 1024"), 8)) ==
        "swizzle(M=3,B=3,S=3) o S[512:1] + R[528:512] + 1032");
  // The tile has places on lane, but a swizzled layout lies on m only.
  CHECK(tiled("swizzle(M=0,B=1,S=3) o S[(8,2):(2,-1)] + 4086", {8, 2, 1},
              "S[(2,64,2048):(64@lane,1@lane,1)]", {1, 128, 2048})
            .why.which == rule::no_layout_steps);
  // The dimension of 1152 cuts the digit of 128 unevenly.
  refusal const why =
      tiled("S[8:1]", {1, 8}, "S[(3072,128,4,2,3):(24,147456,1,4,8)]", {8192, 1152}).why;
  CHECK(why.which == rule::no_layout_steps);
}

TEST_CASE("a sum without carries is decided by the bits of its digits") {
  CHECK(to_text(direct_sum(parse("S[4096:1]"), 4096, parse("swizzle(15,3,3) o S[512:4096]"),
                           512)) == "swizzle(M=15,B=3,S=3) o S[(4096,512):(1,4096)]");
}

TEST_CASE("a search with many replicas ends at the step limit") {
  // Without such a limit, thousands of swizzles read 1000 replicas each: half a minute.
  CHECK(
      try_slice("swizzle(0,3,3) o S[(3125,3):(2000,1000000000)] + R[1000:1]"_axe, 9375, {{1, 9374}})
          .why.which == rule::undecided);
}
