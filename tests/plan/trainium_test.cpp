// Tests matrix products on Trainium. The first half states facts about plans and refusals. In the
// second half an emulator of the matmul instruction executes plans and checks its limits.
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <axe/construct/literal.hpp>
#include <axe/map/places.hpp>
#include <axe/notation/print.hpp>
#include <axe/plan/plan_trainium.hpp>

#include <random>
#include <stdexcept>
#include <vector>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr trainium_plan whole = plan_trainium_matmul(
    "S[(2,128,128):(128@F,1@P,1@F)]"_axe, {256, 128}, "S[(2,128,1024):(1024@F,1@P,1@F)]"_axe,
    {256, 1024}, "S[(128,2,512):(1@P,1@Bank,1@F)]"_axe, {128, 1024});
static_assert(whole.k == 128 && whole.m == 128 && whole.n == 512);
static_assert(whole.k_steps == 2 && whole.m_steps == 1 && whole.n_steps == 2);
static_assert(whole.a == "S[((2),()):((128@F),())]"_axe &&
              whole.b == "S[((2),(2)):((1024@F),(512@F))]"_axe &&
              whole.c == "S[((),(2)):((),(1@Bank))]"_axe);
// B has 1,000 columns, and a bank of PSUM holds 512 numbers: the largest divisor that fits is 500.
constexpr trainium_plan odd =
    plan_trainium_matmul("S[(64,96):(1@P,1@F)]"_axe, {64, 96}, "S[(64,1000):(1@P,1@F)]"_axe,
                         {64, 1000}, "S[(96,2,500):(1@P,1@Bank,1@F)]"_axe, {96, 1000});
static_assert(odd.k == 64 && odd.m == 96 && odd.n == 500 && odd.n_steps == 2);
constexpr refusal why(layout const& a, shape const& sa, layout const& b, shape const& sb,
                      layout const& c, shape const& sc) {
  return try_plan_trainium_matmul(a, sa, b, sb, c, sc).why;
}
constexpr layout square = "S[(8,8):(1@P,1@F)]"_axe;
static_assert(why(square, {8, 8}, "S[(8,8):(1@F,8@F)]"_axe, {8, 8}, square, {8, 8}) ==
              refusal{rule::trainium_contraction, {8, 1, 1}, {axis::P, axis::F}});
static_assert(why(square, {8, 8}, "S[(8,8):(1@P,1@F)] + 2@P"_axe, {8, 8}, square, {8, 8}) ==
              refusal{rule::trainium_first_partition, {0, 2}});
static_assert(why("S[(8,8):(2@P,1@F)]"_axe, {8, 8}, "S[(8,8):(2@P,1@F)]"_axe, {8, 8}, square,
                  {8, 8}) == refusal{rule::trainium_partitions, {1}});
static_assert(why("S[(8,8):(1@F,1@P)]"_axe, {8, 8}, "S[(8,8):(8@F,1@F)]"_axe, {8, 8}, square,
                  {8, 8}) == refusal{rule::trainium_free, {8}});
static_assert(why("S[(8,8):(1@lane,1@F)]"_axe, {8, 8}, square, {8, 8}, square, {8, 8}).which ==
              rule::trainium_axis);
static_assert(why("S[(256,8):(1@P,1@F)]"_axe, {256, 8}, "S[(256,8):(1@P,1@F)]"_axe, {256, 8},
                  square, {8, 8}) == refusal{rule::trainium_place, {255, 128}, {axis::P}});
static_assert(why("S[(8,256):(1@P,1@F)]"_axe, {8, 256}, square, {8, 8}, "S[(256,8):(1@P,1@F)]"_axe,
                  {256, 8}) == of_operand(2, refusal{rule::trainium_place, {255, 128}, {axis::P}}));
static_assert(why(square, {8, 8}, square, {8, 8}, "S[(8,8):(1@P,1@F)] + 121@P"_axe, {8, 8}) ==
              of_operand(2, refusal{rule::trainium_place, {128, 128}, {axis::P}}));
static_assert(why(square, {8, 8}, square, {8, 8}, "S[(8,2,4):(1@P,2@F,1@F)]"_axe, {8, 8}) ==
              of_operand(2, refusal{rule::mma_c_collides, {2, 4}}));
static_assert(why("S[(2,3,8):(4@P,1@P,1@F)]"_axe, {6, 8}, "S[(3,2,8):(1@P,3@P,1@F)]"_axe, {6, 8},
                  square, {8, 8}) == refusal{rule::trainium_digits, {0}});
static_assert(why("S[(8,2,3):(1@P,4@F,1@F)]"_axe, {8, 6}, square, {8, 8},
                  "S[(3,2,8):(1@P,3@P,1@F)]"_axe, {6, 8}) == refusal{rule::trainium_digits, {1}});
static_assert(why(square, {8, 8}, "S[(8,2,3):(1@P,4@F,1@F)]"_axe, {8, 6},
                  "S[(8,3,2):(1@P,4@F,1@F)]"_axe,
                  {8, 6}) == of_operand(1, refusal{rule::trainium_digits, {1}}));
static_assert(why(square, {8, 8}, square, {8, 8}, "S[(8,4):(1@P,1@F)]"_axe, {8, 4}).which ==
              rule::mma_shapes);

// C must lie in 8 banks of 512 numbers. One column too many, one bank too many, and starts that are
// too high or below 0 are rejected.
constexpr layout row500 = "S[(8,500):(1@P,1@F)]"_axe;
constexpr refusal c_of(layout const& b, layout const& c, integer n) {
  return why(square, {8, 8}, b, {8, n}, c, {8, n});
}
static_assert(c_of("S[(8,700):(1@P,1@F)]"_axe, "S[(8,700):(1@P,1@F)]"_axe, 700) ==
              of_operand(2, refusal{rule::trainium_place, {699, 512}, {axis::F}}));
static_assert(c_of("S[(8,512):(1@P,1@F)]"_axe, "S[(8,512):(1@P,1@F)]"_axe, 512).which ==
              rule::none);
static_assert(c_of(row500, "S[(8,500):(1@P,1@F)] + 12@F"_axe, 500).which == rule::none &&
              c_of(row500, "S[(8,500):(1@P,1@F)] + 13@F"_axe, 500) ==
                  of_operand(2, refusal{rule::trainium_place, {512, 512}, {axis::F}}));
static_assert(c_of(row500, "S[(8,2,250):(1@P,300@F,1@F)]"_axe, 500) ==
              of_operand(2, refusal{rule::trainium_place, {549, 512}, {axis::F}}));
static_assert(c_of(row500, "S[(8,500):(1@P,-1@F)] + 498@F"_axe, 500) ==
              of_operand(2, refusal{rule::trainium_place, {-1, 512}, {axis::F}}));
static_assert(c_of("S[(8,4500):(1@P,1@F)]"_axe, "S[(8,9,500):(1@P,1@Bank,1@F)]"_axe, 4500) ==
              of_operand(2, refusal{rule::trainium_place, {8, 8}, {axis::Bank}}));
static_assert(c_of(row500, "S[(8,500):(1@P,1@F)] + 7@Bank"_axe, 500).which == rule::none &&
              c_of(row500, "S[(8,500):(1@P,1@F)] + 8@Bank"_axe, 500) ==
                  of_operand(2, refusal{rule::trainium_place, {8, 8}, {axis::Bank}}));
// SBUF has no banks. Each of its partitions has 192 KiB.
static_assert(c_of("S[(8,2,4):(1@P,1@Bank,1@F)]"_axe, square, 8) ==
              of_operand(1, refusal{rule::trainium_axis, {}, {axis::Bank}}));
static_assert(c_of("S[(8,8):(1@P,1@F)] + 196600@F"_axe, square, 8).which == rule::none &&
              c_of("S[(8,8):(1@P,1@F)] + 196601@F"_axe, square, 8) ==
                  of_operand(1, refusal{rule::trainium_place, {196608, 196608}, {axis::F}}));
static_assert(try_plan_trainium_matmul(square, {8, 8}, "S[(8,8):(1@P,8000@F)]"_axe, {8, 8}, square,
                                       {8, 8}, 32)
                  .why == of_operand(1, refusal{rule::trainium_place, {56000, 49152}, {axis::F}}));
// K may run down the partitions in both operands, because the sum is the same. The offsets then
// name the lowest partition.
constexpr trainium_plan downwards =
    plan_trainium_matmul("S[(8,8):(-1@P,1@F)] + 9@P"_axe, {8, 8}, "S[(8,8):(-1@P,1@F)] + 9@P"_axe,
                         {8, 8}, square, {8, 8});
static_assert(downwards.k == 8 && downwards.k_steps == 1 && downwards.a.offset(axis::P) == 2 &&
              downwards.b.offset(axis::P) == 2);
// Two digits of K are on overlapping partitions, so that one of them becomes a step.
constexpr layout overlapping = "S[(2,2,8):(1@P,1@P,1@F)]"_axe;
constexpr trainium_plan overlapped =
    plan_trainium_matmul(overlapping, {4, 8}, overlapping, {4, 8}, square, {8, 8});
static_assert(overlapped.k == 2 && overlapped.k_steps == 2 &&
              overlapped.a.shards[0] == iter{2, 1, axis::P});
// Several rows of C need the same column of A. Each of them takes its own matmul.
static_assert(plan_trainium_matmul("S[(8,8):(1@P,0@F)]"_axe, {8, 8}, square, {8, 8}, square, {8, 8})
                  .m_steps == 8);
static_assert(c_of(square, "S[(8,8):(1@P,0@F)]"_axe, 8).which == rule::trainium_free);
// The columns of B run down along F, so that each takes its own matmul.
static_assert(plan_trainium_matmul(square, {8, 8}, "S[(8,8):(1@P,-1@F)] + 7@F"_axe, {8, 8}, square,
                                   {8, 8})
                  .n_steps == 8);

/// The value at each (partition, bank, element). Reading a place that was not written throws.
struct memory {
  static constexpr integer nothing = integer{1} << 60;
  integer banks, elements;  // of each of 128 partitions
  std::vector<integer> all =
      std::vector<integer>(static_cast<std::size_t>(128 * banks * elements), nothing);

  integer& cell(integer partition, integer bank, integer element) {
    if (partition < 0 || partition >= 128 || bank < 0 || bank >= banks || element < 0 ||
        element >= elements)
      throw std::out_of_range("no such place");
    return all[static_cast<std::size_t>((partition * banks + bank) * elements + element)];
  }
  integer& operator()(integer partition, integer bank, integer element) {
    integer& found = cell(partition, bank, element);
    if (found == nothing) throw std::logic_error("this place was not written");
    return found;
  }
};

/// Emulates the matmul instruction: C[pc + i][j] += the sum over p of A[p][i] B[p][j]. Fails for
/// sizes that the instruction does not have.
void matmul(memory& a, memory& b, memory& c, place const& at_a, place const& at_b,
            place const& at_c, trainium_plan const& p) {
  REQUIRE((p.k >= 1 && p.k <= 128 && p.m >= 1 && p.m <= 128 && p.n >= 1 && p.n <= 512));
  REQUIRE(at_a[axis::P] == at_b[axis::P]);
  for (integer i = 0; i < p.m; ++i)
    for (integer j = 0; j < p.n; ++j) {
      integer sum = 0;
      for (integer q = 0; q < p.k; ++q)
        sum += a(at_a[axis::P] + q, at_a[axis::Bank], at_a[axis::F] + i * p.a_stride) *
               b(at_b[axis::P] + q, at_b[axis::Bank], at_b[axis::F] + j * p.b_stride);
      c(at_c[axis::P] + i, at_c[axis::Bank], at_c[axis::F] + j * p.c_stride) += sum;
    }
}

template <class Value>
void write(memory& out, layout const& l, integer rows, integer columns, Value const& value) {
  for (integer r = 0; r < rows; ++r)
    for (integer x = 0; x < columns; ++x) {
      place const p = places(l, {rows, columns}, {r, x}).first();
      out.cell(p[axis::P], p[axis::Bank], p[axis::F]) = value(r, x);
    }
}

place begin_of(layout const& steps, integer i, integer j, integer across) {
  place p;
  for (axis a : {axis::P, axis::F, axis::Bank}) {
    integer const at = detail::place_on(steps, i * across + j, a);
    if (at != 0) p.terms.push({at, a});
  }
  return p;
}

int wrong_elements(layout const& a, layout const& b, layout const& c, integer m, integer n,
                   integer k, trainium_plan const& p) {
  auto const x = [](integer r, integer s) { return (r * 7 + s * 5) % 11 - 5; };
  auto const y = [](integer r, integer s) { return (r * 3 + s * 13) % 17 - 8; };
  memory in_a{1, 8192}, in_b{1, 8192}, sums{8, 512}, expected{8, 512};
  write(in_a, a, k, m, x), write(in_b, b, k, n, y);
  write(sums, c, m, n, [](integer, integer) { return 1; });
  for (integer i = 0; i < p.m_steps; ++i)
    for (integer j = 0; j < p.n_steps; ++j)
      for (integer d = 0; d < p.k_steps; ++d)
        matmul(in_a, in_b, sums, begin_of(p.a, d, i, p.m_steps), begin_of(p.b, d, j, p.n_steps),
               begin_of(p.c, i, j, p.n_steps), p);
  write(expected, c, m, n, [&](integer r, integer s) {
    integer sum = 1;
    for (integer d = 0; d < k; ++d) sum += x(d, r) * y(d, s);
    return sum;
  });
  int count = 0;
  for (std::size_t at = 0; at < expected.all.size(); ++at)
    count += sums.all[at] != expected.all[at];
  return count;
}

}  // namespace

TEST_CASE("the plans `whole` and `odd` compute the product") {
  CHECK(wrong_elements("S[(2,128,128):(128@F,1@P,1@F)]"_axe, "S[(2,128,1024):(1024@F,1@P,1@F)]"_axe,
                       "S[(128,2,512):(1@P,1@Bank,1@F)]"_axe, 128, 1024, 256, whole) == 0);
  CHECK(wrong_elements("S[(64,96):(1@P,1@F)]"_axe, "S[(64,1000):(1@P,1@F)]"_axe,
                       "S[(96,2,500):(1@P,1@Bank,1@F)]"_axe, 96, 1000, 64, odd) == 0);
}

namespace {
/// The largest divisor of n that is at most `limit`.
integer part_of(integer n, integer limit) {
  integer part = limit < n ? limit : n;
  while (n % part != 0) --part;
  return part;
}
}  // namespace

TEST_CASE("plans of odd and of the largest sizes compute the product") {
  struct {
    integer m, n, k;
    integer expected_m, expected_n, expected_k;
  } const sizes[] = {{1, 8, 16, 1, 8, 16},           {136, 200, 72, 68, 200, 72},
                     {129, 257, 40, 43, 257, 40},    {127, 511, 127, 127, 511, 127},
                     {128, 512, 128, 128, 512, 128}, {100, 1000, 129, 100, 500, 43},
                     {8, 4096, 256, 8, 512, 128},    {7, 1, 3, 7, 1, 3}};
  for (auto const& s : sizes) {
    CAPTURE(s.m, s.n, s.k);
    integer const mp = part_of(s.m, 128), nf = part_of(s.n, 512), kp = part_of(s.k, 128);
    integer const ms = s.m / mp, nb = s.n / nf, ks = s.k / kp;
    layout a, b, c;
    a.shards = {{ks, s.m, axis::F}, {kp, 1, axis::P}, {s.m, 1, axis::F}};
    b.shards = {{ks, s.n, axis::F}, {kp, 1, axis::P}, {s.n, 1, axis::F}};
    c.shards = {{ms, nb, axis::Bank}, {mp, 1, axis::P}, {nb, 1, axis::Bank}, {nf, 1, axis::F}};
    outcome<trainium_plan> const p =
        try_plan_trainium_matmul(a, {s.k, s.m}, b, {s.k, s.n}, c, {s.m, s.n}, 16);
    CAPTURE(sentence(p.why).c_str());
    REQUIRE(p);
    CHECK((p->m == s.expected_m && p->n == s.expected_n && p->k == s.expected_k));
    CHECK(p->m_steps * p->n_steps * p->k_steps == ms * nb * ks);
    CHECK(wrong_elements(a, b, c, s.m, s.n, s.k, *p) == 0);
  }
}

TEST_CASE("the refusal of a tile that exceeds a bank names the place and the limits") {
  CHECK(
      std::string(
          sentence(c_of("S[(8,700):(1@P,1@F)]"_axe, "S[(8,700):(1@P,1@F)]"_axe, 700)).c_str()) ==
      "an operand has the place 699@F, but F has 512 places here, counted from 0: P has 128, F 192 "
      "KiB in SBUF and 512 fp32 in each bank of PSUM, and Bank 8");
}

TEST_CASE("plans of operands with negative strides compute the product") {
  layout const up = "S[(6,4):(1@P,1@F)]"_axe;
  auto const is_right = [&](layout const& a, layout const& b, layout const& c) {
    outcome<trainium_plan> const p = try_plan_trainium_matmul(a, {6, 4}, b, {6, 4}, c, {4, 4});
    CAPTURE(sentence(p.why).c_str());
    REQUIRE(p);
    return wrong_elements(a, b, c, 4, 4, 6, *p) == 0;
  };
  layout const c = "S[(4,4):(1@P,1@F)]"_axe;
  layout const down = "S[(6,4):(-1@P,1@F)] + 8@P"_axe;
  CHECK(is_right(down, down, c));
  CHECK(is_right("S[(2,3,4):(-3@P,1@P,1@F)] + 3@P"_axe, "S[(2,3,4):(-3@P,1@P,2@F)] + 3@P"_axe, c));
  CHECK(is_right("S[(6,4):(1@P,-2@F)] + 6@F"_axe, up, c));
  CHECK(is_right(up, "S[(6,4):(1@P,-1@F)] + 3@F"_axe, c));
  CHECK(is_right(up, up, "S[(4,4):(-1@P,-1@F)] + 3@P + 3@F"_axe));
}

TEST_CASE("random layouts: every plan computes the product") {
  std::mt19937 random(11);
  auto const one_of = [&](std::initializer_list<integer> all) {
    return all.begin()[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)];
  };
  int planned = 0;
  for (int sample = 0; sample < axe_test::drawn(90); ++sample) {
    // K is split into partitions and steps, M into partitions of C and steps, and N into runs and
    // steps. The steps are the slower or the faster digit.
    integer const kp = one_of({1, 4, 6, 16}), ks = one_of({1, 2, 3}), mp = one_of({1, 4, 6, 10}),
                  ms = one_of({1, 2, 3}), nf = one_of({1, 8, 12}), ns = one_of({1, 2, 3});
    integer const k = kp * ks, m = mp * ms, n = nf * ns;
    layout a, b, c;
    bool const k_steps_first = sample % 2 == 0, m_steps_first = sample % 3 == 0,
               n_steps_first = sample % 5 != 0;
    auto const push_two = [](layout& l, bool steps_first, iter const& steps, iter const& inside) {
      l.shards.push(steps_first ? steps : inside);
      l.shards.push(steps_first ? inside : steps);
    };
    integer const gap = one_of({1, 1, 2});
    push_two(a, k_steps_first, {ks, m * gap, axis::F}, {kp, 1, axis::P});
    push_two(a, m_steps_first, {ms, m_steps_first ? mp * gap : gap, axis::F},
             {mp, m_steps_first ? gap : ms * gap, axis::F});
    push_two(b, k_steps_first, {ks, n * 2, axis::F}, {kp, 1, axis::P});
    push_two(b, n_steps_first, {ns, n_steps_first ? nf : 1, axis::F},
             {nf, n_steps_first ? 1 : ns, axis::F});
    push_two(c, m_steps_first, {ms, n * 3, axis::F}, {mp, 1, axis::P});
    bool const banks = sample % 7 == 0;
    push_two(c, n_steps_first,
             {ns,
              banks           ? 1
              : n_steps_first ? nf
                              : 1,
              banks ? axis::Bank : axis::F},
             {nf, n_steps_first || banks ? 1 : ns, axis::F});
    if (sample % 4 == 0) c.offsets.push({32, axis::P});
    CAPTURE(sample, k, m, n);
    outcome<trainium_plan> const p = try_plan_trainium_matmul(a, {k, m}, b, {k, n}, c, {m, n});
    CAPTURE(sentence(p.why).c_str());
    REQUIRE(p);
    CHECK(p->k == kp);
    CHECK(wrong_elements(a, b, c, m, n, k, *p) == 0);
    planned += p->m > 1 && p->n > 1;
  }
  CHECK(planned > (axe_test::drawn(90) < 90 ? 2 : 25));
}
