// Compares mma.sync with the definition: elements are placed by the ISA's formulas and multiplied
// one by one. Each register and lane of D is compared.
#include "tensor/mma.hpp"

#include <set>

#include "mma_positions.hpp"
#include "support.hpp"
#include "support/catch.hpp"
#include "tensor/kernels.hpp"
#include "tensor/volta.hpp"

using namespace machine::tensor;
using namespace machine::tensor::test;
namespace numerics = machine::numerics;

namespace {

using registers =
    std::vector<std::vector<std::uint64_t>>;  // [register][lane]; 32-bit values, for f64 64-bit
using matrix = std::vector<std::vector<std::uint64_t>>;  // bits of elements

matrix make(int rows, int columns, auto&& fill) {
  matrix result(static_cast<std::size_t>(rows),
                std::vector<std::uint64_t>(static_cast<std::size_t>(columns)));
  for (auto& row : result)
    for (auto& bits : row) bits = fill();
  return result;
}

std::uint64_t& at(matrix& from, place where) {
  return from[static_cast<std::size_t>(where.row)][static_cast<std::size_t>(where.column)];
}

registers spread(matrix& from, element type, int count, formula position) {
  int const slot = type == element::f64 ? 64 : 32;
  int const per = slot / width_of(type);
  registers result(static_cast<std::size_t>(count), std::vector<std::uint64_t>(32));
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < count * per; ++i)
      result[static_cast<std::size_t>(i / per)][static_cast<std::size_t>(lane)] |=
          at(from, position(lane, i)) << (i % per * width_of(type));
  return result;
}

// Computes D = A * B + C. Integers are exact. Floats begin with C and add the products in the order
// of k, with one rounding for each product.
matrix product(mma_instruction const& it, matrix& a, matrix& b, matrix& c) {
  matrix d = c;
  for (int row = 0; row < it.m; ++row)
    for (int column = 0; column < it.n; ++column) {
      std::uint64_t& out = at(d, {row, column});
      double exact = 0;
      float single = static_cast<float>(number(it.c, out));
      double full = it.c == element::f64 ? number(it.c, out) : 0;
      for (int k = 0; k < it.k; ++k) {
        double const x = number(it.a, at(a, {row, k}));
        double const y = number(it.b, at(b, {k, column}));
        exact += it.exclusive_or ? (x != y ? 1 : 0) : x * y;
        single = std::fma(static_cast<float>(x), static_cast<float>(y), single);
        full = std::fma(x, y, full);
      }
      if (it.d == element::s32) {
        double total = number(element::s32, out) + exact;
        if (it.satfinite) total = std::min(std::max(total, -2147483648.0), 2147483647.0);
        out = static_cast<std::uint32_t>(static_cast<std::int64_t>(total));
      } else if (it.d == element::f64) {
        out = std::bit_cast<std::uint64_t>(full);
      } else if (it.d == element::f32) {
        out = single != single ? 0x7fffffffu : std::bit_cast<std::uint32_t>(single);
      } else {
        out = numerics::encode<numerics::f16>(static_cast<double>(single), numerics::rounding::rn);
      }
    }
  return d;
}

registers run(mma_instruction const& it, registers const& a, registers const& b,
              registers const& c) {
  registers d(static_cast<std::size_t>(registers_of(it).d), std::vector<std::uint64_t>(32));
  if (it.a == element::f64) {
    auto const view = [](auto& from) {
      std::vector<std::uint64_t const*> pointers;
      for (auto& lanes : from) pointers.push_back(lanes.data());
      return pointers;
    };
    std::vector<std::uint64_t*> out;
    for (auto& lanes : d) out.push_back(lanes.data());
    mma_f64(it, out.data(), view(a).data(), view(b).data(), view(c).data());
    return d;
  }
  using words = std::vector<std::vector<std::uint32_t>>;
  auto const narrow = [](registers const& from) {
    words result;
    for (auto const& lanes : from) {
      result.emplace_back();
      for (std::uint64_t word : lanes) result.back().push_back(static_cast<std::uint32_t>(word));
    }
    return result;
  };
  auto const view = [](words& from) {
    std::vector<std::uint32_t*> pointers;
    for (auto& lanes : from) pointers.push_back(lanes.data());
    return pointers;
  };
  words in_a = narrow(a), in_b = narrow(b), in_c = narrow(c), out = narrow(d);
  mma(it, view(out).data(), view(in_a).data(), view(in_b).data(), view(in_c).data());
  for (std::size_t r = 0; r < d.size(); ++r) d[r].assign(out[r].begin(), out[r].end());
  return d;
}

void check(shape_case const& shape, mma_instruction const& it, bit_stream& bits, bool any_bits) {
  INFO("m" << it.m << "n" << it.n << "k" << it.k << " " << name_of(it.a) << " " << name_of(it.b)
           << " " << name_of(it.d));
  REQUIRE(refuse_mma(it) == nullptr);
  auto const fill = [&](element type) {
    return [&bits, type, any_bits]() -> std::uint64_t {
      if (any_bits) return bits.next() & mask_of(type);
      return whole(type,
                   bits.below(7) -
                       (type == element::u8 || type == element::u4 || type == element::b1 ? 0 : 3));
    };
  };
  matrix a = make(it.m, it.k, fill(it.a)), b = make(it.k, it.n, fill(it.b)),
         c = make(it.m, it.n, fill(it.c));
  mma_registers const count = registers_of(it);
  registers const got = run(it, spread(a, it.a, count.a, shape.a),
                            spread(b, it.b, count.b, shape.b), spread(c, it.c, count.c, shape.c));
  matrix d = product(it, a, b, c);
  registers const want = spread(d, it.d, count.d, shape.c);
  auto const difference = first_difference(got, want);
  INFO((difference ? *difference : ""));
  REQUIRE(!difference);
  if (!any_bits) CHECK(notices_each_flipped_bit(want));
}

}  // namespace

TEST_CASE("each mma.sync equals the product of its elements bit for bit") {
  bit_stream bits(1);
  for (shape_case const& shape : shape_cases())
    for (element a : shape.types)
      for (element b : shape.types)
        for (element sum : shape.sums) {
          mma_instruction it{shape.m, shape.n, shape.k, a, b, sum, sum};
          check(shape, it, bits, false);
          if (a != element::f64)  // the ISA leaves the NaN payloads of f64 open
            for (int repeat = 0; repeat < 8; ++repeat) check(shape, it, bits, true);
          it.satfinite = is_integer(a);
          it.exclusive_or = a == element::b1;
          if (it.satfinite || it.exclusive_or)
            for (int repeat = 0; repeat < 4; ++repeat) check(shape, it, bits, true);
        }
}

TEST_CASE("D may be the registers of C in another order") {
  for (element type : {element::s8, element::b1, element::f16}) {
    bool const real = type == element::f16;
    mma_instruction const it{16,
                             8,
                             type == element::b1 ? 128 : 16,
                             type,
                             type,
                             real ? element::f32 : element::s32,
                             real ? element::f32 : element::s32};
    std::vector<std::vector<std::uint32_t>> words(10, std::vector<std::uint32_t>(32));
    bit_stream bits(11);
    for (auto& lanes : words)
      for (auto& word : lanes) word = static_cast<std::uint32_t>(bits.next()) & 0x3fff3fffu;
    std::vector<std::uint32_t*> a, b, c, d, apart;
    std::vector<std::vector<std::uint32_t>> fresh(4, std::vector<std::uint32_t>(32));
    for (std::size_t i = 0; i < 4; ++i) {
      a.push_back(words[i].data());
      c.push_back(words[4 + i].data());
      d.push_back(words[4 + (i + 1) % 4].data());
      apart.push_back(fresh[i].data());
    }
    b = {words[8].data(), words[9].data()};
    mma(it, apart.data(), a.data(), b.data(), c.data());
    mma(it, d.data(), a.data(), b.data(), c.data());
    for (std::size_t i = 0; i < 4; ++i) CHECK(words[4 + (i + 1) % 4] == fresh[i]);
  }
}

TEST_CASE("each shape's positions cover its matrix exactly once") {
  for (shape_case const& shape : shape_cases()) {
    auto const covers = [](formula position, int elements, int rows, int columns) {
      std::set<std::pair<int, int>> seen;
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < elements; ++i)
          seen.insert({position(lane, i).row, position(lane, i).column});
      return static_cast<int>(seen.size()) == rows * columns && seen.begin()->first == 0 &&
             seen.rbegin()->first == rows - 1;
    };
    CHECK(covers(shape.a, shape.m * shape.k / 32, shape.m, shape.k));
    CHECK(covers(shape.b, shape.n * shape.k / 32, shape.k, shape.n));
    CHECK(covers(shape.c, shape.m * shape.n / 32, shape.m, shape.n));
  }
}

TEST_CASE("integer sums wrap, and clamp with .satfinite") {
  mma_instruction it{16, 8, 32, element::u8, element::u8, element::s32, element::s32};
  registers const ones(4, std::vector<std::uint64_t>(32, 0xffffffffu)),
      high(4, std::vector<std::uint64_t>(32, 0x7fffffffu));
  registers const b(2, std::vector<std::uint64_t>(32, 0xffffffffu));
  CHECK(run(it, ones, b, high)[0][0] == (0x7fffffffu + 32u * 255u * 255u));
  it.satfinite = true;
  CHECK(run(it, ones, b, high)[3][31] == 0x7fffffffu);
}

TEST_CASE("m8n8k4 of f16 is four products, one for each quad pair") {
  bit_stream bits(3);
  using enum element;
  for (bool a_column : {false, true})
    for (bool b_row : {false, true})
      for (auto [c_type, d_type] : {std::pair{f16, f16}, {f16, f32}, {f32, f32}}) {
        mma_instruction const it{.m = 8,
                                 .n = 8,
                                 .k = 4,
                                 .a = f16,
                                 .b = f16,
                                 .c = c_type,
                                 .d = d_type,
                                 .a_is_column = a_column,
                                 .b_is_row = b_row};
        REQUIRE(refuse_mma(it) == nullptr);
        matrix a[4], b[4], c[4];
        for (int p = 0; p < 4; ++p) {
          a[p] = make(8, 4, [&] { return whole(f16, bits.below(9) - 4); });
          b[p] = make(4, 8, [&] { return whole(f16, bits.below(9) - 4); });
          c[p] = make(8, 8, [&] { return whole(c_type, bits.below(9) - 4); });
        }
        mma_registers const count = registers_of(it);
        auto const spread_four = [&](matrix* from, element type, int registers_in, auto position) {
          registers result(static_cast<std::size_t>(registers_in), std::vector<std::uint64_t>(32));
          int const per = 32 / width_of(type);
          for (int lane = 0; lane < 32; ++lane)
            for (int i = 0; i < registers_in * per; ++i)
              result[static_cast<std::size_t>(i / per)][static_cast<std::size_t>(lane)] |=
                  at(from[lane % 16 / 4], position(lane, i)) << (i % per * width_of(type));
          return result;
        };
        // The ISA: "row = %laneid % 4 if %laneid < 16, (%laneid % 4) + 4 otherwise; col = i". The
        // other operands are similar.
        auto const a_place = [&](int l, int i) {
          return a_column ? place{i % 4 + (l < 16 ? 0 : 4), l % 4}
                          : place{l % 4 + (l < 16 ? 0 : 4), i};
        };
        auto const b_place = [&](int l, int i) {
          return b_row ? place{l % 4, i + (l < 16 ? 0 : 4)} : place{i, l % 4 + (l < 16 ? 0 : 4)};
        };
        auto const c_place = [&](element type) {
          return [type](int l, int i) {
            if (type == f16) return place{l % 4 + (l < 16 ? 0 : 4), i};
            return place{(l & 1) + (i & 2) + (l < 16 ? 0 : 4), (i & 4) + (l & 2) + (i & 1)};
          };
        };
        registers const got =
            run(it, spread_four(a, f16, count.a, a_place), spread_four(b, f16, count.b, b_place),
                spread_four(c, c_type, count.c, c_place(c_type)));
        matrix d[4];
        for (int p = 0; p < 4; ++p) d[p] = product(it, a[p], b[p], c[p]);
        auto const difference =
            first_difference(got, spread_four(d, d_type, count.d, c_place(d_type)));
        INFO((difference ? *difference : ""));
        CHECK(!difference);
      }
}

TEST_CASE("mma.sync instructions that the ISA does not have are rejected with a sentence") {
  using enum element;
  CHECK_THAT(refuse_mma({16, 8, 32, f16, f16, f32, f32}), axe_test::contains_text("m16n8k16"));
  CHECK_THAT(refuse_mma({16, 16, 16, f16, f16, f32, f32}), axe_test::contains_text("m16n8"));
  CHECK_THAT(refuse_mma({16, 8, 16, bf16, bf16, f16, f16}),
             axe_test::contains_text("accumulates in f32"));
  CHECK_THAT(refuse_mma({16, 8, 16, f16, bf16, f32, f32}), axe_test::contains_text("one type"));
  CHECK_THAT(refuse_mma({16, 8, 16, s8, u4, s32, s32}), axe_test::contains_text("one width"));
  CHECK_THAT(refuse_mma({16, 8, 16, s8, u8, s32, f32}), axe_test::contains_text("s32"));
  CHECK_THAT(refuse_mma({8, 8, 4, f16, f16, f32, f16}), axe_test::contains_text("m8n8k4"));
  CHECK_THAT(
      refuse_mma(
          {.m = 16, .n = 8, .k = 16, .a = f16, .b = f16, .c = f32, .d = f32, .satfinite = true}),
      axe_test::contains_text("satfinite"));
  CHECK_THAT(
      refuse_mma(
          {.m = 16, .n = 8, .k = 16, .a = f16, .b = f16, .c = f32, .d = f32, .a_is_column = true}),
      axe_test::contains_text("row.col"));
  CHECK_THAT(refuse_mma({16, 8, 8, e4m3, e5m2, f32, f32}), axe_test::contains_text("m16n8k32"));
}
