// Runs the kernels of benchmarks/index that select rows by a table, or have packed or scaled
// elements.
#include "kernels_support.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace {

TEST_CASE("gather_tokens and scatter_tokens copy rows by a table") {
  unsigned const rows = 48, columns = 128;
  auto const x = halves(numbers(rows * columns, 1));
  std::vector<int> table(rows);
  for (unsigned i = 0; i < rows; ++i) table[i] = i % 5 == 3 ? -1 : static_cast<int>(i * 7 % rows);
  std::vector<uint16_t> gathered(x.size()), scattered(x.size());
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned k = 0; k < columns && table[i] >= 0; ++k) {
      unsigned const other = static_cast<unsigned>(table[i]) * columns + k;
      gathered[i * columns + k] = x[other];
      scattered[other] = x[i * columns + k];
    }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const row_numbers = run.put(table);
    for (bool const gathers : {true, false}) {
      auto* const out = run.zeros<uint16_t>(x.size());
      run.launch(gathers ? "gather_tokens" : "scatter_tokens", {columns / 64, rows / 16, 1}, 128,
                 {in, row_numbers, out, columns},
                 {rows_of<uint16_t const>(in, rows, columns), plain<int const>(row_numbers, rows),
                  rows_of<uint16_t>(out, rows, columns)});
      CHECK(run.get(out, x.size()) == (gathers ? gathered : scattered));
    }
  });
}

TEST_CASE("moe_sum adds up the four rows of each token") {
  bool const whole = GENERATE(false, true);
  unsigned const tokens = 3, columns = whole ? 1024 : 516;
  auto const x = numbers(tokens * 4 * columns, 1);
  std::vector<double> expected(tokens * columns);
  for (unsigned i = 0; i < tokens; ++i)
    for (unsigned k = 0; k < 4; ++k)
      for (unsigned j = 0; j < columns; ++j)
        expected[i * columns + j] += x[(i * 4 + k) * columns + j];
  in_every_form(whole, [&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(tokens * columns);
    run.launch("moe_sum", {2, tokens, 1}, 128, {in, out, columns},
               {rows_of<float const, 3, 4, 0>(in, tokens, columns),
                rows_of<float, 3, 1, 0>(out, tokens, columns)});
    near(run.get(out, tokens * columns), expected, 1e-6);
  });
}

TEST_CASE("embedding_gradient adds the row of each token to the row of its word") {
  unsigned const tokens = 21, words = 6;
  auto const x = numbers(tokens * 256, 1);
  std::vector<int> chosen(tokens);
  std::vector<double> expected(words * 256);
  for (unsigned i = 0; i < tokens; ++i) {
    chosen[i] = static_cast<int>(i * 5 % (words + 1)) - 1;
    for (unsigned j = 0; chosen[i] >= 0 && j < 256; ++j)
      expected[static_cast<unsigned>(chosen[i]) * 256 + j] += x[i * 256 + j];
  }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const index = run.put(chosen);
    auto* const table = run.zeros<float>(words * 256);
    run.launch("embedding_gradient", {3, 1, 1}, 256, {in, index, table, tokens},
               {rows_of<float const, 2, 256>(in, tokens), plain<int const>(index, tokens),
                rows_of<float, 2, 256>(table, words)});
    near(run.get(table, words * 256), expected, 1e-5);
  });
}

TEST_CASE("ell_product multiplies an ELLPACK matrix by a vector") {
  unsigned const width = 5, rows = 200, columns = 90, pitch = 204;
  std::vector<unsigned> c(width * pitch);
  for (unsigned i = 0; i < c.size(); ++i) c[i] = i * 37 % columns;
  auto const v = numbers(width * pitch, 1), x = numbers(columns, 2);
  std::vector<double> expected(rows);
  for (unsigned k = 0; k < width; ++k)
    for (unsigned i = 0; i < rows; ++i)
      expected[i] += double{v[k * pitch + i]} * x[c[k * pitch + i]];
  in_every_form([&](runner& run) {
    auto* const pc = run.put(c);
    auto* const pv = run.put(v);
    auto* const px = run.put(x);
    auto* const y = run.zeros<float>(rows);
    run.launch("ell_product", {2, 1, 1}, 128, {pc, pv, px, y, width, rows, pitch},
               {plain<unsigned const, 2>(pc, width, rows, pitch),
                plain<float const, 2>(pv, width, rows, pitch), plain<float const>(px, columns),
                plain<float>(y, rows)});
    near(run.get(y, rows), expected, 1e-5);
  });
}

TEST_CASE("pack_scales packs the exponents of four columns into a word") {
  bool const whole = GENERATE(false, true);
  unsigned const rows = whole ? 256 : 200, columns = 8, pitch = 12, out_pitch = 260;
  std::vector<float> x(rows * pitch);
  std::vector<unsigned> expected(columns / 4 * out_pitch);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) {
      int const power = static_cast<int>((i * 7 + j * 3) % 40) - 20;
      x[i * pitch + j] = std::ldexp(1.0f, power);
      expected[j / 4 * out_pitch + i] |= static_cast<unsigned>(power + 127) << 8 * (j % 4);
    }
  in_every_form(whole, [&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<unsigned>(expected.size());
    run.launch("pack_scales", {2, columns / 4, 1}, 128, {in, out, rows, pitch, out_pitch},
               {rows_of<float const>(in, rows, columns, pitch),
                column_of<unsigned>(out, rows, columns / 4, out_pitch)});
    CHECK(run.get(out, expected.size()) == expected);
  });
}

TEST_CASE("int4_groups converts 4-bit weights by the zero and the scale of their group") {
  unsigned const rows = 256, columns = 140;
  std::vector<unsigned> w(rows / 8 * columns);
  for (unsigned i = 0; i < w.size(); ++i) w[i] = i * 2654435761u;
  auto const s = numbers(rows / 128 * columns, 1), z = numbers(rows / 128 * columns, 2);
  std::vector<double> expected(rows * columns);
  for (unsigned k = 0; k < rows; ++k)
    for (unsigned j = 0; j < columns; ++j)
      expected[k * columns + j] =
          ((w[k / 8 * columns + j] >> 4 * (k % 8) & 15) - double{z[k / 128 * columns + j]}) *
          s[k / 128 * columns + j];
  in_every_form([&](runner& run) {
    auto* const pw = run.put(w);
    auto* const ps = run.put(s);
    auto* const pz = run.put(z);
    auto* const out = run.zeros<float>(rows * columns);
    run.launch("int4_groups", {2, rows / 8, 1}, 128, {pw, ps, pz, out, columns},
               {plain<unsigned const, 2>(pw, rows / 8, columns),
                plain<float const, 2>(ps, rows / 128, columns),
                plain<float const, 2>(pz, rows / 128, columns),
                plain<float, 3, 8, 0>(out, rows / 8, columns)});
    near(run.get(out, rows * columns), expected, 1e-5);
  });
}

TEST_CASE("int8_rows multiplies each row of bytes by its scale") {
  bool const whole = GENERATE(false, true);
  unsigned const rows = 3, columns = whole ? 4096 : 2064;
  std::vector<signed char> x(rows * columns);
  for (unsigned i = 0; i < x.size(); ++i) x[i] = static_cast<signed char>(i * 37);
  auto const s = numbers(rows, 1);
  std::vector<double> expected(rows * columns);
  for (unsigned i = 0; i < x.size(); ++i) expected[i] = x[i] * s[i / columns];
  in_every_form(whole, [&](runner& run) {
    auto* const in = run.put(x);
    auto* const ps = run.put(s);
    auto* const out = run.zeros<float>(x.size());
    run.launch("int8_rows", {2, rows, 1}, 128, {in, ps, out, columns},
               {rows_of<signed char const>(in, rows, columns), plain<float const>(ps, rows),
                rows_of<float>(out, rows, columns)});
    near(run.get(out, x.size()), expected, 1e-6);
  });
}

TEST_CASE("int4_gemv multiplies a matrix of 4-bit weights by a vector") {
  unsigned const rows = 6, columns = 2048;
  auto const x = numbers(columns, 1), scales = numbers(rows * columns / 128, 2);
  std::vector<unsigned> q(rows * columns / 8);
  std::vector<double> expected(rows);
  for (unsigned i = 0; i < q.size(); ++i) q[i] = i * 2654435761u ^ i << 7;
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned k = 0; k < columns; ++k)
      expected[i] += double{x[k]} *
                     (static_cast<int>(q[(i * columns + k) / 8] >> 4 * (k % 8) & 15) - 8) *
                     scales[(i * columns + k) / 128];
  in_every_form([&](runner& run) {
    auto* const weights = run.put(q);
    auto* const groups = run.put(halves(scales));
    auto* const vector = run.put(halves(x));
    auto* const out = run.zeros<float>(rows);
    run.launch("int4_gemv", {2, 1, 1}, 128, {weights, groups, vector, out, rows, columns},
               {rows_of<unsigned const>(weights, rows, columns / 8),
                plain<uint16_t const, 2>(groups, rows, columns / 128),
                rows_of<uint16_t const, 1>(vector, columns), plain<float, 2, 1>(out, rows)});
    near(run.get(out, rows), expected, 1e-4);
  });
}

TEST_CASE("int4_mma multiplies 4-bit weights by tokens on tensor cores") {
  unsigned const rows = 32, groups = 7, columns = 64 * groups, tokens = 5;
  auto const x = numbers(tokens * columns, 1), scales = numbers(groups * rows, 2);
  std::vector<unsigned> q(rows * columns / 8);
  for (unsigned i = 0; i < q.size(); ++i) q[i] = i * 2654435761u ^ i << 7;
  std::vector<double> expected(tokens * rows);
  for (unsigned token = 0; token < tokens; ++token)
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned k = 0; k < columns; ++k) {
        // Lane 4 * (row % 8) + k / 16 % 4 has column k of its group.
        unsigned const group = k / 64, lane = row % 8 * 4 + k / 16 % 4, word = k / 4 % 4;
        unsigned const part = k / 2 % 2 * 2 + row / 8 % 2, half = k % 2;
        unsigned const bits = q[((row / 16 * groups + group) * 32 + lane) * 4 + word];
        expected[token * rows + row] +=
            double{x[token * columns + k]} *
            (static_cast<int>(bits >> (4 * part + 16 * half) & 15) - 8) *
            scales[group * rows + row];
      }
  in_every_form([&](runner& run) {
    auto* const from = run.put(halves(x));
    auto* const weights = run.put(q);
    auto* const by = run.put(halves(scales));
    auto* const out = run.zeros<uint16_t>(tokens * rows);
    run.launch(
        "int4_mma", {rows / 16, 1, 1}, 128, {from, weights, by, out, rows, columns, tokens},
        {axe::tensor<uint16_t const, axe::row_major<2>, axe::aligned<128>>(from, tokens, columns),
         rows_of<unsigned const, 4, 32, 4>(weights, rows / 16, groups),
         axe::tensor<uint16_t const, axe::column_major<2>, axe::aligned<32>>(by, rows, groups),
         axe::tensor<uint16_t, axe::column_major<2>, axe::aligned<32>>(out, rows, tokens)});
    near(floats(run.get(out, tokens * rows)), expected, 2e-3);
  });
}

TEST_CASE("grouped_gemm multiplies each group of rows by its own weights") {
  unsigned const k = 256, n = 128, groups = 4;
  std::vector<unsigned> const offsets{0, 37, 37, 150, 214};
  unsigned const rows = offsets.back();
  auto const x = numbers(rows * k, 1), weights = numbers(groups * k * n, 2);
  std::vector<double> expected(rows * n);
  for (unsigned g = 0; g < groups; ++g)
    for (unsigned row = offsets[g]; row < offsets[g + 1]; ++row)
      for (unsigned column = 0; column < n; ++column)
        for (unsigned i = 0; i < k; ++i)
          expected[row * n + column] += double{x[row * k + i]} * weights[(g * k + i) * n + column];
  in_every_form([&](runner& run) {
    using matrix = axe::tensor<uint16_t, axe::row_major<2>, axe::aligned<128>>;
    auto* const from = run.put(halves(x));
    auto* const of_groups = run.put(halves(weights));
    auto* const out = run.zeros<uint16_t>(rows * n);
    auto* const begins = run.put(offsets);
    std::vector<uint16_t const*> each;
    for (unsigned g = 0; g < groups; ++g) each.push_back(of_groups + g * k * n);
    auto* const pointers = run.put(each);
    run.launch("grouped_gemm", {5, 1, 1}, 128, {from, pointers, out, begins, groups, k, n},
               {matrix(from, rows, k), pointers, matrix(out, rows, n),
                plain<unsigned const>(begins, groups + 1)});
    near(floats(run.get(out, rows * n)), expected, 2e-3);
  });
}

TEST_CASE("gather_fp8 gathers rows of e4m3 and multiplies groups of columns by their scales") {
  bool const whole = GENERATE(false, true);
  unsigned const tokens = 5, rows = 3, columns = whole ? 4096 : 2176, groups = columns / 128;
  std::vector<int> const chosen{4, 0, 3};
  auto const scales = numbers(tokens * groups, 1);
  std::vector<std::uint8_t> x(tokens * columns);
  for (unsigned i = 0; i < x.size(); ++i)  // without NaN, which is 127 or 255
    x[i] = static_cast<std::uint8_t>((i * 2654435761u >> 13 & 128) | (i * 40503u % 127));
  auto const value_of = [](std::uint8_t byte) {
    int const exponent = byte >> 3 & 15, mantissa = byte & 7;
    double const size =
        exponent == 0 ? std::ldexp(mantissa, -9) : std::ldexp(8 + mantissa, exponent - 10);
    return byte & 128 ? -size : size;
  };
  std::vector<double> expected(rows * columns);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) {
      unsigned const token = static_cast<unsigned>(chosen[i]);
      expected[i * columns + j] =
          value_of(x[token * columns + j]) * scales[token * groups + j / 128];
    }
  in_every_form(whole, [&](runner& run) {
    auto* const from = run.put(x);
    auto* const by = run.put(scales);
    auto* const index = run.put(chosen);
    auto* const out = run.zeros<uint16_t>(rows * columns);
    run.launch("gather_fp8", {2, rows, 1}, 128, {from, by, index, out, columns, groups},
               {rows_of<std::uint8_t const>(from, tokens, columns),
                plain<float const, 2>(by, tokens, groups), plain<int const>(index, rows),
                rows_of<uint16_t>(out, rows, columns)});
    std::vector<float> found;
    for (uint16_t const bits : run.get(out, rows * columns)) {
      unsigned const word = unsigned{bits} << 16;
      std::memcpy(&found.emplace_back(), &word, sizeof(word));
    }
    near(found, expected, 4e-3);
  });
}

TEST_CASE("append_int8 quantises each head and skips tokens without a slot") {
  unsigned const tokens = 4, heads = 6, slots = 5, row = heads * 128;
  auto v = numbers(tokens * row, 1);
  for (unsigned k = 0; k < 128; ++k) v[2 * row + 3 * 128 + k] = 0;
  std::vector<int> const slot{4, -1, 0, 2};
  std::vector<double> expected(slots * row), scales(slots * heads);
  for (unsigned i = 0; i < tokens; ++i)
    for (unsigned h = 0; slot[i] >= 0 && h < heads; ++h) {
      auto const to = static_cast<unsigned>(slot[i]);
      double most = 1e-6;
      for (unsigned k = 0; k < 128; ++k) {
        double const x = v[i * row + h * 128 + k];
        expected[to * row + h * 128 + k] = x;
        most = std::max(most, std::abs(x));
      }
      scales[to * heads + h] = most / 127;
    }
  in_every_form([&](runner& run) {
    auto* const pv = run.put(halves(v));
    auto* const ps = run.put(slot);
    auto* const cache = run.zeros<signed char>(slots * row);
    auto* const by = run.zeros<float>(slots * heads);
    run.launch(
        "append_int8", {2, tokens, 1}, 128, {pv, ps, cache, by, heads, 2 * row, row, 4 * heads},
        {rows_of<uint16_t const, 3, 128>(pv, tokens, heads), plain<int const>(ps, tokens),
         rows_of<signed char, 3, 128>(cache, slots, heads), plain<float, 3, 1>(by, slots, heads)});
    auto const found = run.get(by, slots * heads);
    near(found, scales, 1e-6);
    std::vector<float> restored;
    for (signed char const byte : run.get(cache, slots * row))
      restored.push_back(found[restored.size() / 128] * static_cast<float>(byte));
    near(restored, expected, 8e-3);
  });
}

TEST_CASE("gather_int8 multiplies the bytes of each head by its scale") {
  unsigned const slots = 5, tokens = 3, heads = 18, row = heads * 128;
  std::vector<unsigned> const slot{4, 0, 3};
  auto const scales = numbers(slots * heads, 1);
  std::vector<signed char> x(slots * row);
  for (unsigned i = 0; i < x.size(); ++i) x[i] = static_cast<signed char>(i * 37);
  std::vector<double> expected(tokens * row);
  for (unsigned i = 0; i < expected.size(); ++i) {
    unsigned const from = slot[i / row] * row + i % row;
    expected[i] = x[from] * scales[from / 128];
  }
  in_every_form([&](runner& run) {
    auto* const cache = run.put(x);
    auto* const by = run.put(scales);
    auto* const ps = run.put(slot);
    auto* const out = run.zeros<uint16_t>(tokens * row);
    run.launch("gather_int8", {2, tokens, 1}, 128,
               {cache, by, ps, out, heads, row, 4 * heads, 2 * row},
               {rows_of<signed char const, 3, 128>(cache, slots, heads),
                plain<float const, 3, 1>(by, slots, heads), plain<unsigned const>(ps, tokens),
                rows_of<uint16_t, 3, 128>(out, tokens, heads)});
    near(floats(run.get(out, tokens * row)), expected, 1e-3);
  });
}

}  // namespace
