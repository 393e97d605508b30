// Products on Trainium: plans as facts, and plans executed by an emulator of its matmul that knows its limits and nothing else.
#include "../support/catch.hpp"

#include <axe/map/places.hpp>
#include <axe/notation/print.hpp>
#include <axe/notation/read.hpp>
#include <axe/plan/trainium.hpp>

#include <random>
#include <vector>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr trainium_plan whole = plan_trainium_matmul("S[(2,128,128):(128@F,1@P,1@F)]"_axe, {256, 128},
                                                     "S[(2,128,1024):(1024@F,1@P,1@F)]"_axe, {256, 1024},
                                                     "S[(128,2,512):(1@P,1@Bank,1@F)]"_axe, {128, 1024});
static_assert(whole.k == 128 && whole.m == 128 && whole.n == 512);
static_assert(whole.k_steps == 2 && whole.m_steps == 1 && whole.n_steps == 2);
static_assert(whole.a == "S[((2),()):((128@F),())]"_axe || whole.a.shards[0] == iter{2, 128, axis::F});
// B of 1000 columns in one bank each 500: the largest divisor that fits.
constexpr trainium_plan odd =
    plan_trainium_matmul("S[(64,96):(1@P,1@F)]"_axe, {64, 96}, "S[(64,1000):(1@P,1@F)]"_axe, {64, 1000},
                         "S[(96,2,500):(1@P,1@Bank,1@F)]"_axe, {96, 1000});
static_assert(odd.k == 64 && odd.m == 96 && odd.n == 500 && odd.n_steps == 2);
// 700 columns along F of PSUM that has no banks here: cut at 350.
static_assert(plan_trainium_matmul("S[(8,8):(1@P,1@F)]"_axe, {8, 8}, "S[(8,700):(1@P,1@F)]"_axe, {8, 700},
                                   "S[(8,700):(1@P,1@F)]"_axe, {8, 700})
                  .n == 350);
constexpr refusal why(layout const& a, shape const& sa, layout const& b, shape const& sb, layout const& c,
                      shape const& sc) {
  return try_plan_trainium_matmul(a, sa, b, sb, c, sc).why;
}
constexpr layout c88 = "S[(8,8):(1@P,1@F)]"_axe;
static_assert(why(c88, {8, 8}, "S[(8,8):(1@F,8@F)]"_axe, {8, 8}, c88, {8, 8}).which ==
              rule::trainium_contraction);
static_assert(why("S[(8,8):(2@P,1@F)]"_axe, {8, 8}, "S[(8,8):(2@P,1@F)]"_axe, {8, 8}, c88, {8, 8}) ==
              refusal{rule::trainium_partitions, {1}});
static_assert(why("S[(8,8):(1@F,1@P)]"_axe, {8, 8}, "S[(8,8):(8@F,1@F)]"_axe, {8, 8}, c88, {8, 8}) ==
              refusal{rule::trainium_free, {8}});
static_assert(why("S[(8,8):(1@lane,1@F)]"_axe, {8, 8}, c88, {8, 8}, c88, {8, 8}).which ==
              rule::trainium_axis);
static_assert(why("S[(256,8):(1@P,1@F)]"_axe, {256, 8}, "S[(256,8):(1@P,1@F)]"_axe, {256, 8}, c88, {8, 8}) ==
              refusal{rule::trainium_matmul_limit, {256, 128}});
static_assert(why("S[(8,256):(1@P,1@F)]"_axe, {8, 256}, c88, {8, 8}, "S[(256,8):(1@P,1@F)]"_axe, {256, 8}) ==
              refusal{rule::trainium_rows, {256}});
static_assert(why(c88, {8, 8}, c88, {8, 8}, "S[(8,8):(1@P,1@F)] + 121@P"_axe, {8, 8}) ==
              refusal{rule::trainium_rows, {129}});
static_assert(why(c88, {8, 8}, c88, {8, 8}, "S[(8,2,4):(1@P,2@F,1@F)]"_axe, {8, 8}).which ==
              rule::mma_c_collides);
static_assert(why(c88, {8, 8}, c88, {8, 8}, "S[(8,4):(1@P,1@F)]"_axe, {8, 4}).which == rule::mma_shapes);

/// (partition, bank, element) to what was put there; reading anything else fails.
struct memory {
  static constexpr integer nothing = integer{1} << 60;
  std::vector<integer> all = std::vector<integer>(160 * 4 * 2304, nothing);

  integer& operator()(integer partition, integer bank, integer element) {
    return all.at(static_cast<std::size_t>((partition * 4 + bank) * 2304 + element));
  }
  integer operator()(integer partition, integer bank, integer element) const {
    integer const found = all.at(static_cast<std::size_t>((partition * 4 + bank) * 2304 + element));
    if (found == nothing) FAIL("nothing was put there");
    return found;
  }
};

/// The tensor engine: C[pc + i][j] += sum over p of A[p][i] B[p][j]. Throws out what no matmul takes.
void matmul(memory const& a, memory const& b, memory& c, place const& at_a, place const& at_b,
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

template <class Value> memory put(layout const& l, integer rows, integer columns, Value const& value) {
  memory out;
  for (integer r = 0; r < rows; ++r)
    for (integer x = 0; x < columns; ++x) {
      place const p = places(l, {rows, columns}, {r, x}).first();
      out(p[axis::P], p[axis::Bank], p[axis::F]) = value(r, x);
    }
  return out;
}

place begin_of(layout const& steps, integer i, integer j, integer across) {
  place p;
  for (axis a : {axis::P, axis::F, axis::Bank}) {
    integer const at = detail::place_on(steps, i * across + j, a);
    if (at != 0) p.terms.push({at, a});
  }
  return p;
}

int wrong(layout const& a, layout const& b, layout const& c, integer m, integer n, integer k,
          trainium_plan const& p) {
  auto const x = [](integer r, integer s) { return (r * 7 + s * 5) % 11 - 5; };
  auto const y = [](integer r, integer s) { return (r * 3 + s * 13) % 17 - 8; };
  memory const in_a = put(a, k, m, x), in_b = put(b, k, n, y);
  memory sums = put(c, m, n, [](integer, integer) { return 1; });
  for (integer i = 0; i < p.m_steps; ++i)
    for (integer j = 0; j < p.n_steps; ++j)
      for (integer d = 0; d < p.k_steps; ++d)
        matmul(in_a, in_b, sums, begin_of(p.a, d, i, p.m_steps), begin_of(p.b, d, j, p.n_steps),
               begin_of(p.c, i, j, p.n_steps), p);
  memory const expected = put(c, m, n, [&](integer r, integer s) {
    integer sum = 1;
    for (integer d = 0; d < k; ++d) sum += x(d, r) * y(d, s);
    return sum;
  });
  int count = 0;
  for (std::size_t at = 0; at < expected.all.size(); ++at) count += sums.all[at] != expected.all[at];
  return count;
}

}  // namespace

TEST_CASE("the plans above, executed") {
  CHECK(wrong("S[(2,128,128):(128@F,1@P,1@F)]"_axe, "S[(2,128,1024):(1024@F,1@P,1@F)]"_axe,
              "S[(128,2,512):(1@P,1@Bank,1@F)]"_axe, 128, 1024, 256, whole) == 0);
  CHECK(wrong("S[(64,96):(1@P,1@F)]"_axe, "S[(64,1000):(1@P,1@F)]"_axe, "S[(96,2,500):(1@P,1@Bank,1@F)]"_axe,
              96, 1000, 64, odd) == 0);
}

TEST_CASE("drawn layouts: every plan computes the product") {
  std::mt19937 random(11);
  auto const one_of = [&](std::initializer_list<integer> all) {
    return all.begin()[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)];
  };
  int planned = 0;
  for (int draw = 0; draw < 90; ++draw) {
    // K in partitions and steps, M in partitions of C and steps, N in runs: each in one of two orders.
    integer const kp = one_of({1, 4, 6, 16}), ks = one_of({1, 2, 3}), mp = one_of({1, 4, 6, 10}),
                  ms = one_of({1, 2, 3}), nf = one_of({1, 8, 12}), ns = one_of({1, 2, 3});
    integer const k = kp * ks, m = mp * ms, n = nf * ns;
    layout a, b, c;
    bool const k_steps_first = draw % 2 == 0, m_steps_first = draw % 3 == 0, n_steps_first = draw % 5 != 0;
    auto const two = [](layout& l, bool steps_first, iter const& steps, iter const& inside) {
      l.shards.push(steps_first ? steps : inside);
      l.shards.push(steps_first ? inside : steps);
    };
    integer const gap = one_of({1, 1, 2});
    two(a, k_steps_first, {ks, m * gap, axis::F}, {kp, 1, axis::P});
    two(a, m_steps_first, {ms, m_steps_first ? mp * gap : gap, axis::F},
        {mp, m_steps_first ? gap : ms * gap, axis::F});
    two(b, k_steps_first, {ks, n * 2, axis::F}, {kp, 1, axis::P});
    two(b, n_steps_first, {ns, n_steps_first ? nf : 1, axis::F}, {nf, n_steps_first ? 1 : ns, axis::F});
    two(c, m_steps_first, {ms, n * 3, axis::F}, {mp, 1, axis::P});
    bool const banks = draw % 7 == 0;
    two(c, n_steps_first,
        {ns,
         banks           ? 1
         : n_steps_first ? nf
                         : 1,
         banks ? axis::Bank : axis::F},
        {nf, n_steps_first || banks ? 1 : ns, axis::F});
    if (draw % 4 == 0) c.offsets.push({32, axis::P});
    CAPTURE(draw, k, m, n);
    outcome<trainium_plan> const p = try_plan_trainium_matmul(a, {k, m}, b, {k, n}, c, {m, n});
    CAPTURE(sentence(p.why).c_str());
    REQUIRE(p);
    CHECK(p->k == kp);
    CHECK(wrong(a, b, c, m, n, k, *p) == 0);
    planned += p->m > 1 && p->n > 1;
  }
  CHECK(planned > 25);
}
