// Executes plans of matrix products in plain loops over the registers of lanes, and compares them
// with the product by definition. Instructions are executed as the ISA describes them
// (tests/atoms/formulas.hpp).
#include "atoms/formulas.hpp"
#include "support/catch.hpp"

#include <axe/algebra/direct_sum.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/atoms.hpp>
#include <axe/construct/literal.hpp>
#include <axe/map/places.hpp>
#include <axe/plan/plan_mma.hpp>

#include <map>
#include <random>
#include <tuple>
#include <vector>

using namespace axe;

namespace {

/// The ISA's formula for row and column of element i of a lane of a warp, or a thread of a
/// warpgroup.
using formula = isa::element (*)(int, int);
struct operation {
  formula a, b, c;
  int a_each, b_each, c_each;  // the number of elements in each thread
};

operation operation_of(mma_instruction const& i, integer bits) {
  if (i.kind == mma_kind::wgmma) {
    formula const a = bits == 16  ? isa::a_wgmma_16bit
                      : bits == 8 ? isa::a_wgmma_8bit
                                  : isa::a_wgmma_32bit;
    return {a, nullptr, isa::d_wgmma, i.k / 2, 0, i.n / 2};
  }
  operation o{nullptr,        nullptr, i.m == 8 ? formula{isa::c_m8n8} : formula{isa::c_m16n8},
              i.m * i.k / 32, i.k / 4, i.m / 4};
  auto const is = [&](int m, int k, integer b) { return i.m == m && i.k == k && bits == b; };
  if (is(16, 16, 16)) o.a = isa::a_m16n8k16_16bit, o.b = isa::b_m16n8k16_16bit;
  if (is(16, 8, 16)) o.a = isa::a_m16n8k8_16bit, o.b = isa::b_m16n8k8_16bit;
  if (is(16, 32, 8)) o.a = isa::a_m16n8k32_8bit, o.b = isa::b_m16n8k32_8bit;
  if (is(16, 8, 32)) o.a = isa::a_m16n8k8_32bit, o.b = isa::b_m16n8k8_32bit;
  if (is(16, 4, 32)) o.a = isa::a_m16n8k4_32bit, o.b = isa::b_m16n8k4_32bit;
  if (is(8, 4, 64)) o.a = isa::a_m8n8k4_64bit, o.b = isa::b_m8n8k4_64bit;
  // For f64 the ISA has the formulas of tf32: m16n8k4 is two m8n8k4, one above the other.
  if (is(16, 8, 64)) o.a = isa::a_m16n8k8_32bit, o.b = isa::b_m16n8k8_32bit;
  if (is(16, 4, 64)) o.a = isa::a_m16n8k4_32bit, o.b = isa::b_m16n8k4_32bit;
  if (is(16, 16, 64)) o.a = isa::a_m16n8k16_64bit, o.b = isa::b_m16n8k16_64bit;
  REQUIRE(o.a != nullptr);
  return o;
}

/// The value in each (warp, lane, register).
using registers = std::map<std::tuple<long long, long long, long long>, long long>;

/// Writes value(r, c) for element (r, c) to every place that the layout gives it.
template <class Value>
registers spread(layout const& l, int rows, int columns, Value const& value) {
  registers out;
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      for (place const& p : places(l, {rows, columns}, {r, c}))
        out[{p[axis::warp] + p[axis::wid_in_wg] + 4 * p[axis::wg], p[axis::lane], p[axis::reg]}] =
            value(r, c);
  return out;
}

struct tiles {
  layout a, b, c;
  int m, n, k;
};

/// How many elements of C the plan computes wrongly. All operands are in registers of `warps`
/// warps.
int wrong_in_registers(tiles const& t, mma_plan const& p, int warps) {
  std::mt19937 random(3);
  std::vector<long long> a(static_cast<std::size_t>(t.m * t.k)),
      b(static_cast<std::size_t>(t.k * t.n));
  for (auto* all : {&a, &b})
    for (auto& x : *all) x = static_cast<long long>(random() % 19) - 9;
  auto const a_at = [&](int r, int c) { return a[static_cast<std::size_t>(r * t.k + c)]; };
  auto const b_at = [&](int r, int c) { return b[static_cast<std::size_t>(r * t.n + c)]; };
  registers const a_in = spread(t.a, t.m, t.k, a_at), b_in = spread(t.b, t.k, t.n, b_at);
  registers c_in = spread(t.c, t.m, t.n, [](int r, int c) { return r * 1000 + c; });
  mma_instruction const i = p.instruction;
  operation const o = operation_of(i, bits_of(p.types.a));
  for (int w = 0; w < warps; ++w)
    for (int k = 0; k < p.k_steps; ++k)
      for (int m = 0; m < p.m_steps; ++m)
        for (int n = 0; n < p.n_steps; ++n) {
          auto const a0 = detail::place_on(p.a, m * p.k_steps + k, axis::reg);
          auto const b0 = detail::place_on(p.b, k * p.n_steps + n, axis::reg);
          auto const c0 = detail::place_on(p.c, m * p.n_steps + n, axis::reg);
          std::vector<std::vector<long long>> x(16, std::vector<long long>(64)),
              y(64, std::vector<long long>(8));
          for (int lane = 0; lane < 32; ++lane) {
            for (int e = 0; e < o.a_each; ++e) {
              auto const at = o.a(lane, e);
              x[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)] =
                  a_in.at({w, lane, a0 + e});
            }
            for (int e = 0; e < o.b_each; ++e) {
              auto const at = o.b(lane, e);
              y[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(at.column)] =
                  b_in.at({w, lane, b0 + e});
            }
          }
          for (int lane = 0; lane < 32; ++lane)
            for (int e = 0; e < o.c_each; ++e) {
              auto const at = o.c(lane, e);
              for (int d = 0; d < i.k; ++d)
                c_in.at({w, lane, c0 + e}) +=
                    x[static_cast<std::size_t>(at.row)][static_cast<std::size_t>(d)] *
                    y[static_cast<std::size_t>(d)][static_cast<std::size_t>(at.column)];
            }
        }
  registers const expected = spread(t.c, t.m, t.n, [&](int r, int c) {
    long long sum = r * 1000 + c;
    for (int d = 0; d < t.k; ++d) sum += a_at(r, d) * b_at(d, c);
    return sum;
  });
  int count = 0;
  for (auto const& [at, value] : expected) count += c_in.at(at) != value;
  return count;
}

mma_types types_of(integer bits) {
  if (bits == 64) return {element_type::f64, element_type::f64, element_type::f64};
  if (bits == 32) return {element_type::tf32, element_type::tf32, element_type::f32};
  if (bits == 8) return {element_type::s8, element_type::u8, element_type::s32};
  return {element_type::bf16, element_type::bf16, element_type::f32};
}

/// A warp's fragment of rows x columns repetitions of an atom in consecutive registers. With
/// `by_columns`, the repetitions in a column are consecutive.
layout repeated(layout const& atom, shape const& s, integer rows, integer columns, bool by_columns,
                integer size) {
  layout outer;
  outer.shards.push({rows, by_columns ? size : columns * size, axis::reg});
  outer.shards.push({columns, by_columns ? rows * size : size, axis::reg});
  return direct_sum(outer, {rows, columns}, atom, s);
}

}  // namespace

TEST_CASE("products of one warp are right: every width and shape, repetitions in both orders") {
  int plans = 0;
  for (auto const& [bits, m, k] : {std::tuple<integer, integer, integer>{16, 16, 16},
                                   {16, 16, 8},
                                   {8, 16, 32},
                                   {32, 16, 8},
                                   {32, 16, 4},
                                   {64, 8, 4},
                                   {64, 16, 16}})
    for (auto const& [ms, ns, ks] :
         {std::tuple<integer, integer, integer>{1, 1, 1}, {2, 4, 1}, {3, 2, 2}})
      for (bool by_columns : {false, true}) {
        CAPTURE(bits, m, k, ms, ns, ks, by_columns);
        auto const atom = [&, m = m, k = k, bits = bits](mma_operand which) {
          return mma_fragment(which, m, 8, k, bits);
        };
        tiles const t{repeated(atom(mma_operand::a), {m, k}, ms, ks, by_columns, m * k / 32),
                      repeated(atom(mma_operand::b), {k, 8}, ks, ns, by_columns, k / 4),
                      repeated(atom(mma_operand::accumulator), {m, 8}, ms, ns, by_columns, m / 4),
                      static_cast<int>(ms * m),
                      static_cast<int>(ns * 8),
                      static_cast<int>(ks * k)};
        outcome<mma_plan> const p =
            try_plan_mma(types_of(bits), {t.a, {t.m, t.k}}, {t.b, {t.k, t.n}}, {t.c, {t.m, t.n}},
                         architecture::sm_90);
        CAPTURE(sentence(p.why).c_str());
        REQUIRE(p);
        CHECK(p->m_steps * p->n_steps * p->k_steps * p->instruction.m * p->instruction.k ==
              ms * ns * ks * m * k);
        CHECK(wrong_in_registers(t, *p, 1) == 0);
        ++plans;
      }
  CHECK(plans == 42);
}

TEST_CASE("a plan is rejected if one of 400,000 warps lacks A, and at the step limit") {
  using atom = mma_atom<16, 8, 16, 16>;
  auto const on_warps = [](layout l, integer warps) {
    l.replicas.push({warps, 1, axis::warp});
    return l;
  };
  auto const rejected_by = [&](integer warps_of_a, integer warps) {
    return try_plan_mma({element_type::bf16, element_type::bf16, element_type::f32},
                        {on_warps(atom::a, warps_of_a), {16, 16}},
                        {on_warps(atom::b, warps), {16, 8}},
                        {on_warps(atom::accumulator, warps), {16, 8}}, architecture::sm_80)
        .why.which;
  };
  CHECK(rejected_by(400000, 400000) == rule::none);
  CHECK(rejected_by(399999, 400000) == rule::mma_warps);
  CHECK(rejected_by(600000, 600000) == rule::undecided);
}

TEST_CASE("plans of warps that share operands compute the product, in every arrangement") {
  using atom = mma_atom<16, 8, 16, 16>;
  for (auto const& [down, across] : {std::pair<integer, integer>{2, 2}, {4, 1}, {1, 4}, {2, 4}})
    for (bool rows_first : {true, false}) {
      integer const by_m = rows_first ? across : 1, by_n = rows_first ? 1 : down;
      auto const over_warps = [&](layout const& inside, shape const& s, integer r, integer sr,
                                  integer c, integer sc, integer replicas, integer sx) {
        layout outer;
        outer.shards.push({r, sr, axis::warp});
        outer.shards.push({c, sc, axis::warp});
        if (replicas > 1) outer.replicas.push({replicas, sx, axis::warp});
        return direct_sum(outer, {r, c}, inside, s);
      };
      layout const a = repeated(atom::a, {16, 16}, 2, 2, false, 8),
                   b = repeated(atom::b, {16, 8}, 2, 2, false, 4),
                   c = repeated(atom::accumulator, {16, 8}, 2, 2, false, 4);
      integer const d = down, x = across;
      tiles const t{over_warps(a, {32, 32}, d, by_m, 1, 0, x, by_n),
                    over_warps(b, {32, 16}, 1, 0, x, by_n, d, by_m),
                    over_warps(c, {32, 16}, d, by_m, x, by_n, 1, 0),
                    static_cast<int>(32 * d),
                    static_cast<int>(16 * x),
                    32};
      CAPTURE(d, x, rows_first);
      mma_types const types = types_of(16);
      mma_plan const p = plan_mma(types, {t.a, {t.m, t.k}}, {t.b, {t.k, t.n}}, {t.c, {t.m, t.n}},
                                  architecture::sm_80);
      CHECK(p.m_steps == 2);
      CHECK(p.n_steps == 2);
      CHECK(wrong_in_registers(t, p, static_cast<int>(d * x)) == 0);
      // If A is not replicated, some warps lack rows that they multiply.
      layout alone = t.a;
      alone.replicas.clear();
      outcome<mma_plan> const lacking = try_plan_mma(types, {alone, {t.m, t.k}}, {t.b, {t.k, t.n}},
                                                     {t.c, {t.m, t.n}}, architecture::sm_80);
      CHECK(bool(lacking) == (x == 1));
      if (!lacking) CHECK(lacking.why.which == rule::mma_warps);
    }
}

TEST_CASE("plans of a warpgroup compute the product, with A in registers or shared memory") {
  for (integer n : {8, 24, 64, 160, 256, 320})
    for (integer blocks : {1, 2})
      for (bool from_registers : {false, true}) {
        integer const one = n <= 256 ? n : n / 2;
        layout const c = repeated(wgmma_fragment(mma_operand::accumulator, one, 16), {64, one},
                                  blocks, n / one, false, one / 2);
        layout const registers =
            repeated(wgmma_fragment(mma_operand::a, 64, 16), {64, 16}, blocks, 4, false, 8);
        layout const in_shared = mma_shared_layout(16, swizzle_mode::bytes_128, {64 * blocks, 64});
        layout const b =
            permute(mma_shared_layout(16, swizzle_mode::bytes_128, {n, 64}), {n, 64}, {1, 0});
        mma_tile const a{from_registers ? registers : in_shared,
                         {64 * blocks, 64},
                         from_registers ? memory_space::registers : memory_space::shared};
        mma_plan const p = plan_mma(types_of(16), a, {b, {64, n}, memory_space::shared},
                                    {c, {64 * blocks, n}}, architecture::sm_90a);
        CAPTURE(n, blocks, from_registers);
        REQUIRE(p.instruction == mma_instruction{mma_kind::wgmma, 64, static_cast<int>(one), 16});
        CHECK(p.m_steps == blocks);
        CHECK(p.k_steps == 4);
        // The registers of all repetitions, by the ISA's formula, must be those of the layout of C.
        int missed = 0;
        for (int i = 0; i < blocks; ++i)
          for (int j = 0; j < n / one; ++j)
            for (int thread = 0; thread < 128; ++thread)
              for (int e = 0; e < one / 2; ++e) {
                auto const at = isa::d_wgmma(thread, e);
                place const found =
                    places(c, {64 * blocks, n}, {64 * i + at.row, one * j + at.column}).first();
                missed +=
                    found[axis::reg] != detail::place_on(p.c, i * (n / one) + j, axis::reg) + e ||
                    found[axis::lane] + 32 * found[axis::wid_in_wg] != thread;
              }
        CHECK(missed == 0);
        for (int i = 0; from_registers && i < blocks; ++i)
          for (int k = 0; k < 4; ++k)
            CHECK(detail::place_on(p.a, 4 * i + k, axis::reg) == 32 * i + 8 * k);
        CHECK((from_registers || p.a_shared.start(blocks - 1, 3) == 8192 * (blocks - 1) + 96));
        CHECK(p.b_shared.start(n / one - 1, 2) == (n / one - 1) * one * 128 + 64);
      }
}
