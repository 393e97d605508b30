// The claims of the Axe paper's appendices, A to H, in order: exhausted up to stated bounds, or the
// counterexample. What the sweeps beside this file exhaust already is said where it belongs.
#include "algebra/meaning.hpp"
#include "oracle/samples.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

layout of_digits(std::vector<iter> const& digits) {
  layout l;
  for (iter const& i : digits) l.shards.push(i);
  return l;
}

/// D0 and D1 at places drawn at random, until neither applies.
std::vector<iter> rewritten(std::vector<iter> digits, draw& d) {
  for (;;) {
    std::vector<std::size_t> at;
    for (std::size_t k = 0; k < digits.size(); ++k) {
      bool const fuses = k > 0 && digits[k - 1].on == digits[k].on &&
                         digits[k - 1].stride == digits[k].extent * digits[k].stride;
      if (digits[k].extent == 1 || fuses) at.push_back(k);
    }
    if (at.empty()) return digits;
    std::size_t const k = at[static_cast<std::size_t>(d.between(0, static_cast<int>(at.size()) - 1))];
    if (digits[k].extent != 1)
      digits[k - 1] = {digits[k - 1].extent * digits[k].extent, digits[k].stride, digits[k].on};
    digits.erase(digits.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

/// All digits with extents 1 to 4 and strides -3 to 8 but 0, on m or lane.
std::vector<iter> small_digits(bool two_axes) {
  std::vector<iter> all;
  for (int n = 0; n < digit_count(two_axes ? 2 : 1); ++n)
    if (numbered_digit(n).stride != 0) all.push_back(numbered_digit(n));
  return all;
}

}  // namespace

TEST_CASE("A.1: D0 and D1 end in one form, whatever the order: all lists of 3 digits on one axis, 2 on two") {
  draw d{1};
  long looked = 0;
  auto const look = [&](std::vector<iter> const& digits) {
    ++looked;
    if (!(of_digits(rewritten(digits, d)) == canonicalize(of_digits(digits))))
      FAIL(to_text(of_digits(digits)).c_str());
  };
  std::vector<iter> const one = small_digits(false), two = small_digits(true);
  for (iter const& a : one)
    for (iter const& b : one)
      for (iter const& c : one) look({a, b, c});
  for (iter const& a : two)
    for (iter const& b : two) look({a, b});
  CHECK(looked == 44 * 44 * 44 + 88 * 88);
}

TEST_CASE("A.1, not so: C2 as printed changes the set, and guarded it does not end in one form") {
  // (2:1)(2:3): k = 3 > 2; the printed rule makes (5:1) of it.
  CHECK_FALSE(equivalent("S[] + R[2:1] + R[2:3]"_axe, "S[] + R[4:1]"_axe));
  CHECK(places("S[] + R[2:1] + R[2:3]"_axe, 0) == place_set{0 * m, 1 * m, 3 * m, 4 * m});
  // (3:2)(2:3)(2:6): 6 is absorbed by 2 (k = 3 <= 3) or by 3 (k = 2 <= 2), and neither result absorbs
  // further.
  CHECK(equivalent("S[] + R[6:2] + R[2:3]"_axe, "S[] + R[3:2] + R[4:3]"_axe));
  CHECK(canonicalize("S[] + R[6:2] + R[2:3]"_axe) == "S[] + R[6:2] + R[2:3]"_axe);
  CHECK(canonicalize("S[] + R[3:2] + R[4:3]"_axe) == "S[] + R[3:2] + R[4:3]"_axe);
}

TEST_CASE(
    "A.2, A.12: under the pairwise gap condition lists are unique (sweep_test.cpp); a weaker condition does "
    "not do") {
  CHECK(equivalent("S[] + R[3:1] + R[2:4] + R[2:5] + R[3:6]"_axe,
                   "S[] + R[3:1] + R[2:4] + R[2:7] + R[2:10]"_axe));
  CHECK_FALSE(gap_ok("S[] + R[3:1] + R[2:4] + R[2:5] + R[3:6]"_axe));
  // Two lists that share their two least strides: the set's next boundary does not give the third.
  CHECK_FALSE(gap_ok("S[] + R[2:2] + R[2:3] + R[2:7]"_axe));
  CHECK_FALSE(equivalent("S[] + R[2:2] + R[2:3] + R[2:7]"_axe, "S[] + R[2:2] + R[2:3] + R[2:5]"_axe));
}

TEST_CASE("A.2: equality holds without the gap condition only as sets") {
  CHECK(equivalent("S[] + R[2:1] + R[4:3] + R[2:5]"_axe, "S[] + R[2:1] + R[3:3] + R[3:4]"_axe));
  CHECK_FALSE(canonicalize("S[] + R[2:1] + R[4:3] + R[2:5]"_axe) ==
              canonicalize("S[] + R[2:1] + R[3:3] + R[3:4]"_axe));
}

TEST_CASE(
    "A.13: with positive replicas the least place of an element is D(x) + O: all pairs of a digit and a "
    "replica") {
  for (int a = 0; a < digit_count(1); ++a)
    for (int b = 0; b < digit_count(1); ++b) {
      layout l = canonicalize(shards_of({a}) + 7 * m);
      layout with_copies = l;
      with_copies.replicas.push(numbered_digit(b));
      with_copies = canonicalize(with_copies);
      layout bare = with_copies;
      bare.replicas.clear();
      for (integer x = 0; x < size(l); ++x) {
        integer least = detail::largest;
        for (place const& p : places(with_copies, x)) least = p[m] < least ? p[m] : least;
        REQUIRE(places(bare, x) == place_set{least * m});
      }
    }
}

TEST_CASE("B.1, B.2: a digit splits at every divisor, and the parts fuse: extents to 24, strides -6 to 6") {
  for (integer e = 1; e <= 24; ++e)
    for (integer s = -6; s <= 6; ++s)
      for (integer f = 1; f <= e; ++f)
        if (e % f == 0) REQUIRE(equivalent(S({e}, {s * m}), S({e / f, f}, {f * s * m, s * m})));
}

TEST_CASE(
    "B.3: greedy grouping finds every grouping: group_test.cpp exhausts it; an order other than D's never "
    "groups") {
  CHECK(try_group("S[(2,3):(3,1)]"_axe, {3, 2}));
  CHECK_FALSE(try_group("S[(2,3):(1,2)]"_axe, {3, 2}));
}

TEST_CASE(
    "C.1: the closed form of the span, with absolute strides: every digit with every replica and digit") {
  for_each_list(3, digit_count(1), [&](std::vector<int> const& picked) {
    if (picked[0] % 3 != 0) return true;  // a third of them, with all extents and strides in the other two
    layout l = shards_of({picked[0], picked[1]}) + 5 * m;
    l.replicas.push(numbered_digit(picked[2]));
    integer closed = 1;
    for (iter const& i : l.shards) closed += (i.extent - 1) * detail::magnitude(i.stride);
    for (iter const& i : l.replicas) closed += (i.extent - 1) * detail::magnitude(i.stride);
    if (span(l, m) != closed) FAIL(to_text(l).c_str());
    return true;
  });
  CHECK(span("S[4:-1]"_axe, m) == 4);  // without absolute values: -2
}

TEST_CASE("C.2: the tile is sigma*A + B, with copies and offsets scaled; as printed, without, it is not") {
  layout const a = "S[2:1] + R[2:2] + 1"_axe, b = "S[3:1]"_axe;
  CHECK(tile_means(a, 2, b, 3) == nullptr);
  CHECK_FALSE(equivalent(tile(a, 2, b, 3), "S[6:1] + R[2:2] + 1"_axe));
}

TEST_CASE("C.3: a tile groups by the alternating shape: all pairs of two digits with extents 2 and 3") {
  for (integer e : {2, 3})
    for (integer f : {2, 3})
      for (integer s = -3; s <= 8; ++s)
        for (integer t = -3; t <= 8; ++t) {
          layout const a = S({e, f}, {s * m, t * m}), b = S({f, e}, {t * m, s * m});
          REQUIRE(try_group(tile(a, {e, f}, b, {f, e}), {e, f, f, e}));
        }
}

TEST_CASE("D.1, not so as printed: a subsequence accepts a block that is no suffix") {
  // (2:1) stands in (2:1)(2:2); what remains, (2:2), divides by the span 2: C = (2:1). But tile(C, B) =
  // (2:2)(2:1).
  layout const t = "S[(2,2):(1,2)]"_axe, b = "S[2:1]"_axe, c = "S[2:1]"_axe;
  CHECK_FALSE(equivalent(tile(c, 2, b, 2), t));
  CHECK_FALSE(try_tile_outer(t, 4, b, 2));
}

TEST_CASE("D.4: replicas decompose as sets; a list that subtracts nothing may still have an answer") {
  CHECK(equivalent(sum_outer("S[] + R[4:1]"_axe, 1, "S[] + R[2:1]"_axe, 1), "S[] + R[3:1]"_axe));
}

TEST_CASE("E.1: no wrap: every range inside a digit of up to 12, with a peeled digit below") {
  for (integer e = 2; e <= 12; ++e)
    for (integer b = 0; b < e; ++b)
      for (integer t = 1; b + t <= e; ++t)
        for (integer below : {1, 3}) {
          layout const l = S({2, e, below}, {1000 * m, 7 * m, 1 * m});
          range const all{b * below, (b + t) * below};
          REQUIRE(slice_means(l, 2 * e * below, {all}) == nullptr);
          REQUIRE(slice(l, 2 * e * below, {all}) == canonicalize(S({t, below}, {7 * m, 1 * m}) + 7 * b * m));
        }
}

TEST_CASE(
    "E.2: one wrap in the middle holds only where the digit above has room; E.3 is sufficient, not "
    "necessary") {
  CHECK(to_text(slice("S[(8,8):(100,1)]"_axe, 64, {{5, 11}})) == "S[(2,3):(95,1)] + 5");
  // No room: the printed step, 10 - 2*1 = 8, is not what happens at the carry into 100.
  CHECK_FALSE(equivalent(slice("S[(2,2,4):(100,10,1)]"_axe, 16, {{6, 10}}), "S[(2,2):(8,1)] + 12"_axe));
  // Neither form: the pivot wraps three times, and the slice exists.
  CHECK(slice_means("S[(8,8):(100,1)]"_axe, 64, {{4, 20}}) == nullptr);
}

TEST_CASE(
    "F.1, F.3: the sum is pointwise, and a tile is the sum of the scaled outer layout (tile_test.cpp)") {
  CHECK(sum_means("S[(2,3):(5,1@lane)] + R[2:7] + 1@lane"_axe, {2, 3}, "S[(3,2):(1,-4)] + R[2:2@lane]"_axe,
                  {3, 2}) == nullptr);
}

TEST_CASE(
    "F.4: 16:1 is a sum around (2,2):(4,1) and no tile of it; the digits need no permuting, and must not be "
    "permuted") {
  layout const a = "S[(2,2):(8,2)]"_axe, b = "S[(2,2):(4,1)]"_axe;
  CHECK(equivalent(direct_sum(a, {2, 2}, b, {2, 2}), "S[16:1]"_axe));
  CHECK_FALSE(equivalent("S[(2,2,2,2):(8,2,4,1)]"_axe, "S[(2,2,2,2):(8,4,2,1)]"_axe));
  CHECK_FALSE(try_tile_outer("S[16:1]"_axe, {4, 4}, b, {2, 2}));
  for (integer s = -16; s <= 16; ++s)
    for (integer t = -16; t <= 16; ++t)
      for (integer o = -16; o <= 16; ++o)
        REQUIRE_FALSE(equivalent(tile(S({2, 2}, {s * m, t * m}) + o * m, {2, 2}, b, {2, 2}), "S[16:1]"_axe));
}

TEST_CASE("G: a column-major matrix of 2 x 3 is no linear map of bits") {
  layout const l = "S[(2,3):(1,2)]"_axe;
  auto const f = [&](integer x) { return places(l, x).first()[m]; };
  CHECK((f(1) ^ f(2)) != f(1 ^ 2));
}

TEST_CASE(
    "H: operands of the systolic array: the contraction along 128 partitions, the rest along the free axis") {
  layout const a = "S[(128,512):(1@P,1@F)]"_axe;  // A[K, M]
  layout const b = "S[(128,128):(1@P,1@F)]"_axe;  // B[K, N]
  layout const c = permute("S[(512,128):(1@F,1@P)]"_axe, {512, 128},
                           {1, 0});  // C stored as (N on F, M on P), seen as C[M, N]
  for (layout const& l : {a, b, c}) {
    CHECK(span(l, P) == 128);
    CHECK(is_injective(l));
  }
  CHECK(c == "S[(128,512):(1@P,1@F)]"_axe);
  // A matrix of 4 x 2 such tiles in one scratchpad: rows of tiles beside each other on F, their partitions
  // shared.
  CHECK(to_text(tile("S[(4,2):(2@F,1@F)]"_axe, {4, 2}, a, {128, 512})) == "S[(4,128,1024):(1024@F,1@P,1@F)]");
}
