// Runs all kernels of benchmarks/index on the PTX machine (tests/machine), written by hand and with
// axe. Both forms must give the results of a plain loop.
#include "kernels_runner.hpp"

#include <axe/cuda/tensor.hpp>

#include "support/catch.hpp"
#include "support/targets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace {

using std::uint16_t;
using std::uint64_t;
template <class T, int Rank = 2, axe::integer... Last>
using rows_of = axe::tensor<T, axe::row_major<Rank, Last...>, axe::aligned<16>>;
template <class T, int Rank = 1, axe::integer... Last>
using plain = axe::tensor<T, axe::row_major<Rank, Last...>>;
template <class T> using column_of = axe::tensor<T, axe::column_major<2>>;

/// Numbers from -2 to 15/8 in steps of 1/8. A half represents them exactly.
std::vector<float> numbers(std::size_t n, unsigned seed) {
  std::vector<float> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] =
        static_cast<float>(static_cast<int>((i * 2654435761u + seed * 40503u) >> 11 & 31) - 16) / 8;
  return all;
}
std::vector<uint16_t> halves(std::vector<float> const& from) {
  std::vector<uint16_t> all;
  for (float const x : from) all.push_back(half_of(x));
  return all;
}

/// Calls check(runner) for both forms and all targets.
template <class Check> void in_every_form(Check const& check) {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"}))
    for (char const* form : {"hand", "axe"}) {
      CAPTURE(target, form);
      runner run(form, target);
      check(run);
    }
}

template <class T>
void near(std::vector<T> const& found, std::vector<double> const& expected, double tolerance) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    double const got = static_cast<double>(found[i]);
    bool const right = std::isinf(expected[i])
                           ? got == expected[i]
                           : std::abs(got - expected[i]) <= tolerance * (1 + std::abs(expected[i]));
    if (!right) {
      CAPTURE(i, got, expected[i]);
      FAIL("a wrong element");
    }
  }
}
std::vector<float> floats(std::vector<uint16_t> const& from) {
  std::vector<float> all;
  for (uint16_t const x : from) all.push_back(float_of(x));
  return all;
}

}  // namespace

TEST_CASE("attention_values adds up exp2(score - maximum) * value") {
  unsigned const blocks = 2, pitch = 136, rows = 64 * blocks;
  auto const s = numbers(rows * 64, 1), m = numbers(rows, 2), v = numbers(rows * pitch, 3);
  std::vector<double> expected(rows * 128);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < 128; ++j)
      for (unsigned k = 0; k < 64; ++k)
        expected[i * 128 + j] += double{float_of(half_of(std::exp2(s[i * 64 + k] - m[i])))} *
                                 v[(i / 64 * 64 + k) * pitch + j];
  in_every_form([&](runner& run) {
    auto* const ps = run.put(s);
    auto* const pm = run.put(m);
    auto* const pv = run.put(halves(v));
    auto* const out = run.zeros<float>(rows * 128);
    run.launch("attention_values", {blocks, 1, 1}, 128, {ps, pm, pv, out, pitch},
               {rows_of<float const>(ps, rows, 64), column_of<float const>(pm, rows, 1),
                rows_of<uint16_t const>(pv, rows, 128, pitch), rows_of<float>(out, rows, 128)});
    near(run.get(out, rows * 128), expected, 1e-2);
  });
}

TEST_CASE("axpy computes a * x + y") {
  unsigned const n = 1236;
  auto const x = numbers(n, 1), y = numbers(n, 2);
  std::vector<double> expected(n);
  for (unsigned i = 0; i < n; ++i) expected[i] = 0.5 * x[i] + y[i];
  in_every_form([&](runner& run) {
    auto* const from = run.put(x);
    auto* const to = run.put(y);
    run.launch("axpy", {2, 1, 1}, 256, {from, to, n, 0.5f},
               {rows_of<float const, 1>(from, n), rows_of<float, 1>(to, n), 0.5f});
    near(run.get(to, n), expected, 0);
  });
}

TEST_CASE("causal_mask sets the scores above the diagonal to minus infinity") {
  unsigned const pitch = 136, rows = 128;
  auto const s = numbers(rows * pitch, 1);
  std::vector<double> expected(s.begin(), s.end());
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = i + 1; j < 128; ++j) expected[i * pitch + j] = -HUGE_VAL;
  in_every_form([&](runner& run) {
    auto* const p = run.put(s);
    run.launch("causal_mask", {2, 2, 1}, 128, {p, pitch}, {rows_of<float>(p, rows, 128, pitch)});
    near(run.get(p, rows * pitch), expected, 0);
  });
}

TEST_CASE("softmax_rescale multiplies rows by exp2(old maximum - new maximum)") {
  unsigned const pitch = 72, rows = 128;
  auto const o = numbers(rows * pitch, 1), m = numbers(rows, 2), n = numbers(rows, 3);
  std::vector<double> expected(o.begin(), o.end());
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < 64; ++j) expected[i * pitch + j] *= std::exp2(m[i] - n[i]);
  in_every_form([&](runner& run) {
    auto* const p = run.put(o);
    auto* const before = run.put(m);
    auto* const now = run.put(n);
    run.launch("softmax_rescale", {2, 1, 1}, 128, {p, before, now, pitch},
               {rows_of<float>(p, rows, 64, pitch), column_of<float const>(before, rows, 1),
                column_of<float const>(now, rows, 1)});
    near(run.get(p, rows * pitch), expected, 1e-5);
  });
}

TEST_CASE("combine_splits adds up splits with their weights") {
  unsigned const rows = 7, splits = 3;
  auto const v = numbers(splits * rows * 128, 1), s = numbers(splits * rows, 2),
             all = numbers(rows, 3);
  std::vector<double> expected(rows * 128);
  for (unsigned k = 0; k < splits; ++k)
    for (unsigned i = 0; i < rows; ++i)
      for (unsigned j = 0; j < 128; ++j)
        expected[i * 128 + j] += std::exp2(s[k * rows + i] - all[i]) * v[(k * rows + i) * 128 + j];
  in_every_form([&](runner& run) {
    auto* const pv = run.put(v);
    auto* const ps = run.put(s);
    auto* const pa = run.put(all);
    auto* const out = run.zeros<float>(rows * 128);
    run.launch("combine_splits", {2, 1, 1}, 128, {pv, ps, pa, out, splits, rows},
               {rows_of<float const>(pv, splits * rows, 128), plain<float const>(ps, splits * rows),
                plain<float const>(pa, rows), rows_of<float>(out, rows, 128), splits});
    near(run.get(out, rows * 128), expected, 1e-4);
  });
}

TEST_CASE("dot_gradient computes the dot product of each pair of rows") {
  unsigned const rows = 13, pitch = 136;
  auto const g = numbers(rows * pitch, 1), o = numbers(rows * pitch, 2);
  std::vector<double> expected(rows);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < 128; ++j) expected[i] += double{g[i * pitch + j]} * o[i * pitch + j];
  using matrix = axe::tensor<uint16_t const,
                             axe::dynamic_matrix<axe::dynamic(0).below(1 << 30), 128,
                                                 axe::dynamic(1).multiple_of(8).below(1 << 30)>,
                             axe::aligned<16>>;
  in_every_form([&](runner& run) {
    auto* const pg = run.put(halves(g));
    auto* const po = run.put(halves(o));
    auto* const sums = run.zeros<float>(rows);
    run.launch("dot_gradient", {2, 1, 1}, 128, {pg, po, sums, rows, pitch},
               {matrix(pg, rows, pitch), matrix(po, rows, pitch), column_of<float>(sums, rows, 1)});
    near(run.get(sums, rows), expected, 1e-4);
  });
}

TEST_CASE("append_paged stores each token at its position in its page") {
  unsigned const tokens = 3, heads = 12, pages = 4;
  auto const v = halves(numbers(tokens * heads * 128, 1));
  std::vector<unsigned> const page{2, 0, 3}, position{5, 47, 16};
  std::vector<uint16_t> expected(pages * 16 * heads * 128);
  for (unsigned i = 0; i < tokens; ++i)
    for (unsigned k = 0; k < heads * 128; ++k)
      expected[(page[i] * 16 + position[i] % 16) * heads * 128 + k] = v[i * heads * 128 + k];
  in_every_form([&](runner& run) {
    auto* const pv = run.put(v);
    auto* const pp = run.put(page);
    auto* const pn = run.put(position);
    auto* const cache = run.zeros<uint16_t>(expected.size());
    run.launch(
        "append_paged", {2, tokens, 1}, 128, {pv, pp, pn, cache, heads},
        {rows_of<uint16_t const, 3, 128>(pv, tokens, heads), plain<unsigned const>(pp, tokens),
         plain<unsigned const>(pn, tokens), rows_of<uint16_t, 3, 128>(cache, pages * 16, heads)});
    CHECK(run.get(cache, expected.size()) == expected);
  });
}

TEST_CASE("merge_states averages two states with their weights") {
  unsigned const rows = 6;
  auto const va = numbers(rows * 128, 1), vb = numbers(rows * 128, 2), sa = numbers(rows, 3),
             sb = numbers(rows, 4);
  std::vector<double> expected(rows * 128);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < 128; ++j) {
      double const x = std::exp2(sa[i]), y = std::exp2(sb[i]);
      expected[i * 128 + j] = (va[i * 128 + j] * x + vb[i * 128 + j] * y) / (x + y);
    }
  in_every_form([&](runner& run) {
    auto* const a = run.put(va);
    auto* const b = run.put(vb);
    auto* const s = run.put(sa);
    auto* const t = run.put(sb);
    auto* const out = run.zeros<float>(rows * 128);
    run.launch("merge_states", {2, 1, 1}, 128, {a, s, b, t, out, rows},
               {rows_of<float const, 2, 128>(a, rows), plain<float const>(s, rows),
                rows_of<float const, 2, 128>(b, rows), plain<float const>(t, rows),
                rows_of<float, 2, 128>(out, rows)});
    near(run.get(out, rows * 128), expected, 1e-5);
  });
}

TEST_CASE("rotary rotates each pair of neighbouring columns") {
  unsigned const b = 2, h = 2, n = 11, xt = 136, xh = xt * n, xb = xh * h, yt = 128, yh = yt * n,
                 yb = yh * h;
  auto const x = numbers(xb * b, 1), c = numbers(n * 64, 2), s = numbers(n * 64, 3);
  std::vector<double> expected(yb * b);
  for (unsigned i = 0; i < b; ++i)
    for (unsigned j = 0; j < h; ++j)
      for (unsigned t = 0; t < n; ++t)
        for (unsigned k = 0; k < 64; ++k) {
          double const u = x[i * xb + j * xh + t * xt + 2 * k],
                       v = x[i * xb + j * xh + t * xt + 2 * k + 1];
          double const co = c[t * 64 + k], si = s[t * 64 + k];
          expected[i * yb + j * yh + t * yt + 2 * k] = u * co - v * si;
          expected[i * yb + j * yh + t * yt + 2 * k + 1] = u * si + v * co;
        }
  in_every_form([&](runner& run) {
    auto* const px = run.put(halves(x));
    auto* const pc = run.put(c);
    auto* const ps = run.put(s);
    auto* const y = run.zeros<uint16_t>(yb * b);
    run.launch("rotary", {2, h, b}, 128, {px, y, pc, ps, n, xb, xh, xt, yb, yh, yt},
               {rows_of<uint16_t const, 4>(px, b, h, n, 128, xb, xh, xt),
                rows_of<uint16_t, 4>(y, b, h, n, 128, yb, yh, yt),
                rows_of<float const, 2, 64>(pc, n), rows_of<float const, 2, 64>(ps, n)});
    near(floats(run.get(y, yb * b)), expected, 2e-3);
  });
}

TEST_CASE("paged_gather copies the pages of each sequence up to its length") {
  unsigned const pages = 5, heads = 3, batch = 2, each = 4, row = heads * 128;
  auto const v = halves(numbers(pages * 16 * row, 1));
  std::vector<unsigned> const table{4, 1, 2, 0, 3, 0, 1, 2}, lengths{35, 64};
  std::vector<uint16_t> expected(batch * each * 16 * row);
  for (unsigned b = 0; b < batch; ++b)
    for (unsigned t = 0; t < lengths[b]; ++t)
      for (unsigned k = 0; k < row; ++k)
        expected[(b * each * 16 + t) * row + k] =
            v[(table[b * each + t / 16] * 16 + t % 16) * row + k];
  in_every_form([&](runner& run) {
    auto* const cache = run.put(v);
    auto* const pt = run.put(table);
    auto* const pl = run.put(lengths);
    auto* const out = run.zeros<uint16_t>(expected.size());
    run.launch("paged_gather", {1, heads, batch}, 128, {cache, pt, pl, out, each, heads},
               {rows_of<uint16_t const, 3, 128>(cache, pages * 16, heads),
                plain<unsigned const>(pt, batch * each), plain<unsigned const>(pl, batch),
                rows_of<uint16_t, 3, 128>(out, batch * each * 16, heads), each});
    CHECK(run.get(out, expected.size()) == expected);
  });
}

TEST_CASE("reshape_and_cache stores keys in blocks of 16 slots, by chunks of 8 columns") {
  unsigned const tokens = 3, heads = 10, blocks = 3;
  auto const v = halves(numbers(tokens * heads * 128, 1));
  std::vector<unsigned> const slots{7, 40, 16};
  std::vector<uint16_t> expected(blocks * heads * 2048);
  for (unsigned i = 0; i < tokens; ++i)
    for (unsigned h = 0; h < heads; ++h)
      for (unsigned k = 0; k < 128; ++k)
        expected[((slots[i] / 16 * heads + h) * 16 + k / 8) * 128 + slots[i] % 16 * 8 + k % 8] =
            v[(i * heads + h) * 128 + k];
  in_every_form([&](runner& run) {
    auto* const keys = run.put(v);
    auto* const ps = run.put(slots);
    auto* const cache = run.zeros<uint16_t>(expected.size());
    run.launch(
        "reshape_and_cache", {2, tokens, 1}, 128, {keys, ps, cache, heads},
        {rows_of<uint16_t const, 5, 16, 1, 8>(keys, tokens, heads),
         plain<unsigned const>(ps, tokens), rows_of<uint16_t, 5, 16, 16, 8>(cache, blocks, heads)});
    CHECK(run.get(cache, expected.size()) == expected);
  });
}

TEST_CASE("silu_and_mul computes silu(x) * y") {
  unsigned const rows = 3, columns = 1036;
  auto const x = numbers(rows * columns * 2, 1);
  std::vector<double> expected(rows * columns);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) {
      double const g = x[i * 2 * columns + j];
      expected[i * columns + j] = g / (1 + std::exp(-g)) * x[(i * 2 + 1) * columns + j];
    }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(rows * columns);
    run.launch("silu_and_mul", {2, rows, 1}, 256, {in, out, columns},
               {rows_of<float const, 3>(in, rows, 2, columns),
                rows_of<float, 3, 1, 0>(out, rows, columns)});
    near(run.get(out, rows * columns), expected, 1e-5);
  });
}

TEST_CASE("moe_sum adds up the four rows of each token") {
  unsigned const tokens = 3, columns = 516;
  auto const x = numbers(tokens * 4 * columns, 1);
  std::vector<double> expected(tokens * columns);
  for (unsigned i = 0; i < tokens; ++i)
    for (unsigned k = 0; k < 4; ++k)
      for (unsigned j = 0; j < columns; ++j)
        expected[i * columns + j] += x[(i * 4 + k) * columns + j];
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(tokens * columns);
    run.launch("moe_sum", {2, tokens, 1}, 128, {in, out, columns},
               {rows_of<float const, 3, 4, 0>(in, tokens, columns),
                rows_of<float, 3, 1, 0>(out, tokens, columns)});
    near(run.get(out, tokens * columns), expected, 1e-6);
  });
}

TEST_CASE("transpose_scales transposes a matrix") {
  unsigned const rows = 100, columns = 37;
  auto const x = numbers(rows * columns, 1);
  std::vector<float> expected(rows * columns);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) expected[j * rows + i] = x[i * columns + j];
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(rows * columns);
    run.launch("transpose_scales", {2, 2, 1}, 256, {in, out, rows, columns},
               {plain<float const, 2>(in, rows, columns), plain<float, 2>(out, columns, rows)});
    CHECK(run.get(out, rows * columns) == expected);
  });
}

TEST_CASE("pack_scales packs the exponents of four columns into a word") {
  unsigned const rows = 200, columns = 8, pitch = 12, out_pitch = 204;
  std::vector<float> x(rows * pitch);
  std::vector<unsigned> expected(columns / 4 * out_pitch);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) {
      int const power = static_cast<int>((i * 7 + j * 3) % 40) - 20;
      x[i * pitch + j] = std::ldexp(1.0f, power);
      expected[j / 4 * out_pitch + i] |= static_cast<unsigned>(power + 127) << 8 * (j % 4);
    }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<unsigned>(expected.size());
    run.launch("pack_scales", {2, columns / 4, 1}, 128, {in, out, rows, pitch, out_pitch},
               {rows_of<float const>(in, rows, columns, pitch),
                column_of<unsigned>(out, rows, columns / 4, out_pitch)});
    CHECK(run.get(out, expected.size()) == expected);
  });
}

TEST_CASE("row_sum_ring computes the sum of each row") {
  unsigned const rows = 128, columns = 320, pitch = 328;
  auto const x = numbers(rows * pitch, 1);
  std::vector<double> expected(rows);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) expected[i] += x[i * pitch + j];
  in_every_form([&](runner& run) {
    auto* const in = run.put(halves(x));
    auto* const sums = run.zeros<float>(rows);
    run.launch("row_sum_ring", {2, 1, 1}, 128, {in, sums, columns, pitch},
               {rows_of<uint16_t const>(in, rows, columns, pitch), plain<float>(sums, rows)});
    near(run.get(sums, rows), expected, 1e-4);
  });
}

TEST_CASE("split_k_sum adds up the splits") {
  unsigned const splits = 3, rows = 6, columns = 132;
  auto const x = numbers(splits * rows * columns, 1);
  std::vector<double> expected(rows * columns);
  for (unsigned k = 0; k < splits; ++k)
    for (unsigned i = 0; i < rows * columns; ++i) expected[i] += x[k * rows * columns + i];
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(rows * columns);
    run.launch("split_k_sum", {2, 2, 1}, 128, {in, out, splits, rows, columns},
               {rows_of<float const, 3>(in, splits, rows, columns),
                rows_of<float, 3>(out, 1, rows, columns)});
    near(run.get(out, rows * columns), expected, 1e-6);
  });
}

TEST_CASE("bias_relu computes max(x + bias, 0)") {
  unsigned const rows = 75, columns = 88;
  auto const x = numbers(rows * columns, 1), bias = numbers(columns, 2);
  std::vector<double> expected(rows * columns);
  for (unsigned i = 0; i < rows * columns; ++i)
    expected[i] = std::fmax(x[i] + bias[i % columns], 0);
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const pb = run.put(bias);
    auto* const out = run.zeros<uint16_t>(rows * columns);
    run.launch("bias_relu", {2, 2, 1}, 128, {in, pb, out, rows, columns},
               {rows_of<float const>(in, rows, columns), rows_of<float const>(pb, 1, columns),
                rows_of<uint16_t>(out, rows, columns)});
    near(floats(run.get(out, rows * columns)), expected, 1e-3);
  });
}

TEST_CASE("block_exchange computes the prefix sums of every 8 elements") {
  unsigned const blocks = 2;
  std::vector<unsigned> x(blocks * 1024), expected(blocks * 1024);
  for (unsigned i = 0; i < x.size(); ++i) {
    x[i] = i * 2654435761u >> 20;
    expected[i] = x[i] + (i % 8 != 0 ? expected[i - 1] : 0);
  }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<unsigned>(x.size());
    run.launch("block_exchange", {blocks, 1, 1}, 128, {in, out},
               {plain<unsigned const>(in, x.size()), rows_of<unsigned, 1>(out, x.size())});
    CHECK(run.get(out, x.size()) == expected);
  });
}

TEST_CASE("segmented_sum computes the sum of each segment") {
  unsigned const segments = 11;
  auto const x = numbers(segments * 512, 1);
  std::vector<double> expected(segments);
  for (unsigned i = 0; i < segments * 512; ++i) expected[i / 512] += x[i];
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const sums = run.zeros<float>(segments);
    run.launch("segmented_sum", {2, 1, 1}, 256, {in, sums, segments},
               {rows_of<float const, 2, 512>(in, segments), column_of<float>(sums, segments, 1)});
    near(run.get(sums, segments), expected, 1e-4);
  });
}

TEST_CASE("laplacian computes a seven-point stencil at the inner points") {
  unsigned const nz = 6, ny = 13, nx = 45;
  auto const x = numbers(nz * ny * nx, 1);
  std::vector<double> expected(nz * ny * nx);
  auto const at = [&](unsigned k, unsigned j, unsigned i) {
    return double{x[(k * ny + j) * nx + i]};
  };
  for (unsigned k = 1; k + 1 < nz; ++k)
    for (unsigned j = 1; j + 1 < ny; ++j)
      for (unsigned i = 1; i + 1 < nx; ++i)
        expected[(k * ny + j) * nx + i] =
            0.5 * at(k, j, i) + 0.25 * (at(k - 1, j, i) + at(k + 1, j, i) + at(k, j - 1, i) +
                                        at(k, j + 1, i) + at(k, j, i - 1) + at(k, j, i + 1));
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(x.size());
    run.launch(
        "laplacian", {2, 2, 1}, 256, {in, out, nz, ny, nx, 0.5f, 0.25f},
        {plain<float const, 3>(in, nz, ny, nx), plain<float, 3>(out, nz, ny, nx), 0.5f, 0.25f});
    near(run.get(out, x.size()), expected, 1e-5);
  });
}

TEST_CASE("jacobi averages the four neighbours of each inner point") {
  unsigned const rows = 43, columns = 50;
  auto const x = numbers(rows * columns, 1);
  std::vector<double> expected(rows * columns);
  for (unsigned i = 1; i + 1 < rows; ++i)
    for (unsigned j = 1; j + 1 < columns; ++j) {
      unsigned const k = i * columns + j;
      expected[k] = (double{x[k - 1]} + x[k + 1] + x[k - columns] + x[k + columns]) / 4;
    }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(x.size());
    run.launch("jacobi", {2, 2, 1}, 256, {in, out, rows, columns},
               {plain<float const, 2>(in, rows, columns), plain<float, 2>(out, rows, columns)});
    near(run.get(out, x.size()), expected, 1e-5);
  });
}

TEST_CASE("fft_stage computes one radix-4 pass of a Fourier transform") {
  unsigned const lines = 2;
  auto const x = numbers(lines * 8192, 1), turns = numbers(512, 2);
  std::vector<double> expected(lines * 8192);
  for (unsigned l = 0; l < lines; ++l)
    for (unsigned j = 0; j < 1024; ++j) {
      double re[4], im[4];
      for (unsigned r = 0; r < 4; ++r) {
        double const a = x[2 * (l * 4096 + j + 1024 * r)], b = x[2 * (l * 4096 + j + 1024 * r) + 1];
        double const c = turns[2 * (j % 64 + 64 * r)], d = turns[2 * (j % 64 + 64 * r) + 1];
        re[r] = a * c - b * d;
        im[r] = a * d + b * c;
      }
      for (unsigned r = 0; r < 4; ++r) {
        unsigned const at = 2 * (l * 4096 + j / 64 * 256 + j % 64 + 64 * r);
        for (unsigned k = 0; k < 4; ++k) {
          double const c[4]{1, 0, -1, 0}, s[4]{0, -1, 0, 1};
          expected[at] += re[k] * c[k * r % 4] - im[k] * s[k * r % 4];
          expected[at + 1] += re[k] * s[k * r % 4] + im[k] * c[k * r % 4];
        }
      }
    }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const pt = run.put(turns);
    auto* const out = run.zeros<float>(x.size());
    auto* const pairs = reinterpret_cast<double const*>(in);  // a double holds a float2
    run.launch("fft_stage", {lines * 4, 1, 1}, 256, {in, out, pt},
               {plain<double const, 3, 4, 1024>(pairs, lines),
                plain<double, 3, 16, 256>(reinterpret_cast<double*>(out), lines),
                plain<double const, 2, 64>(reinterpret_cast<double const*>(pt), 4)});
    near(run.get(out, x.size()), expected, 1e-4);
  });
}

TEST_CASE("bit_reversal stores each element at the reversed bits of its index") {
  unsigned const lines = 2;
  std::vector<uint64_t> x(lines * 4096), expected(lines * 4096);
  for (unsigned i = 0; i < x.size(); ++i) x[i] = i * uint64_t{0x9e3779b97f4a7c15};
  for (unsigned i = 0; i < x.size(); ++i) {
    unsigned to = 0;
    for (unsigned bit = 0; bit < 12; ++bit) to |= (i >> bit & 1) << (11 - bit);
    expected[i / 4096 * 4096 + to] = x[i];
  }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<uint64_t>(x.size());
    run.launch("bit_reversal", {lines, 1, 1}, 256, {in, out},
               {plain<uint64_t const, 2, 4096>(in, lines), plain<uint64_t, 2, 4096>(out, lines)});
    CHECK(run.get(out, x.size()) == expected);
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
  unsigned const rows = 3, columns = 2064;
  std::vector<signed char> x(rows * columns);
  for (unsigned i = 0; i < x.size(); ++i) x[i] = static_cast<signed char>(i * 37);
  auto const s = numbers(rows, 1);
  std::vector<double> expected(rows * columns);
  for (unsigned i = 0; i < x.size(); ++i) expected[i] = x[i] * s[i / columns];
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const ps = run.put(s);
    auto* const out = run.zeros<float>(x.size());
    run.launch("int8_rows", {2, rows, 1}, 128, {in, ps, out, columns},
               {rows_of<signed char const>(in, rows, columns), plain<float const>(ps, rows),
                rows_of<float>(out, rows, columns)});
    near(run.get(out, x.size()), expected, 1e-6);
  });
}

TEST_CASE("im2col copies the 3 x 3 window of each pixel") {
  struct divisor {
    unsigned m, s;
  };
  auto const divide_by = [](unsigned d) {
    unsigned s = 0;
    while ((1u << s) < d) ++s;
    return divisor{static_cast<unsigned>(((uint64_t{1} << (31 + s)) + d - 1) / d), s};
  };
  unsigned const n = 2, height = 5, width = 7, channels = 128, pixels = n * height * width;
  auto const x = halves(numbers(pixels * channels, 1));
  std::vector<uint16_t> expected(pixels * 9 * channels);
  for (unsigned p = 0; p < pixels; ++p)
    for (unsigned tap = 0; tap < 9; ++tap)
      for (unsigned c = 0; c < channels; ++c) {
        unsigned const h = p / width % height + tap / 3, w = p % width + tap % 3;
        if (h - 1 < height && w - 1 < width)
          expected[(p * 9 + tap) * channels + c] =
              x[((p / (width * height) * height + h - 1) * width + w - 1) * channels + c];
      }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<uint16_t>(expected.size());
    run.launch(
        "im2col", {3, 2, 1}, 256,
        {in, out, pixels, height, width, channels, divide_by(width), divide_by(height)},
        {rows_of<uint16_t const, 4>(in, n, height, width, channels),
         rows_of<uint16_t, 3, 9, 0>(out, pixels, channels), divide_by(width), divide_by(height)});
    CHECK(run.get(out, expected.size()) == expected);
  });
}

TEST_CASE("max_pool computes the maximum of 2 x 2 pixels") {
  unsigned const lines = 3, width = 10, channels = 260;
  auto const x = numbers(lines * 2 * width * channels, 1);
  std::vector<double> expected(lines * (width / 2) * channels, -HUGE_VAL);
  for (unsigned y = 0; y < lines * 2; ++y)
    for (unsigned i = 0; i < width; ++i)
      for (unsigned c = 0; c < channels; ++c) {
        double& largest = expected[(y / 2 * (width / 2) + i / 2) * channels + c];
        largest = std::fmax(largest, x[(y * width + i) * channels + c]);
      }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(expected.size());
    run.launch("max_pool", {width / 2, lines, 1}, 128, {in, out, width, channels},
               {rows_of<float const, 5, 2, 0, 2, 0>(in, lines, width / 2, channels),
                rows_of<float, 5, 1, 0, 1, 0>(out, lines, width / 2, channels)});
    near(run.get(out, expected.size()), expected, 0);
  });
}

TEST_CASE("depthwise computes the 3 x 3 convolution of each channel") {
  unsigned const height = 4, width = 5, channels = 260;
  auto const x = numbers(height * width * channels, 1), w = numbers(9 * channels, 2);
  std::vector<double> expected(x.size());
  for (unsigned y = 0; y < height; ++y)
    for (unsigned i = 0; i < width; ++i)
      for (unsigned c = 0; c < channels; ++c)
        for (unsigned tap = 0; tap < 9; ++tap) {
          unsigned const h = y + tap / 3 - 1, v = i + tap % 3 - 1;
          if (h < height && v < width)
            expected[(y * width + i) * channels + c] +=
                double{x[(h * width + v) * channels + c]} * w[tap * channels + c];
        }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const pw = run.put(w);
    auto* const out = run.zeros<float>(x.size());
    run.launch(
        "depthwise", {width, height, 1}, 128, {in, pw, out, height, width, channels},
        {rows_of<float const, 3>(in, height, width, channels),
         rows_of<float const>(pw, 9, channels), rows_of<float, 3>(out, height, width, channels)});
    near(run.get(out, x.size()), expected, 1e-5);
  });
}

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

TEST_CASE("copy_valid_rows copies the valid rows and sets the others to zero") {
  unsigned const rows = 48, columns = 64;
  auto const x = halves(numbers(2 * rows * columns, 1));
  std::vector<unsigned> const lengths{19, 48};
  auto expected = x;
  for (unsigned b = 0; b < 2; ++b)
    for (unsigned i = lengths[b] * columns; i < rows * columns; ++i)
      expected[b * rows * columns + i] = 0;
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const valid = run.put(lengths);
    auto* const out = run.put(std::vector<uint16_t>(x.size(), 0x3c00));
    run.launch("copy_valid_rows", {1, rows / 16, 2}, 128, {in, valid, out, columns, rows},
               {rows_of<uint16_t const>(in, 2 * rows, columns), plain<unsigned const>(valid, 2),
                rows_of<uint16_t>(out, 2 * rows, columns), rows});
    CHECK(run.get(out, x.size()) == expected);
  });
}

TEST_CASE("add_splits adds a matrix to another one") {
  unsigned const rows = 64, columns = 128;
  auto const x = numbers(rows * columns, 1), start = numbers(rows * columns, 2);
  std::vector<double> expected(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i] = double{x[i]} + start[i];
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.put(start);
    run.launch("add_splits", {columns / 64, rows / 64, 1}, 128, {in, out, columns},
               {rows_of<float const>(in, rows, columns), rows_of<float>(out, rows, columns)});
    near(run.get(out, x.size()), expected, 1e-6);
  });
}

TEST_CASE("winograd_input computes the input transform of 4 x 4 tiles") {
  unsigned const planes = 2, height = 7, width = 9, down = 4, across = 5;
  auto const x = numbers(planes * height * width, 1);
  int const b[4][4] = {{1, 0, -1, 0}, {0, 1, 1, 0}, {0, -1, 1, 0}, {0, 1, 0, -1}};
  std::vector<double> expected(16 * planes * down * across);
  for (unsigned p = 0; p < planes; ++p)
    for (unsigned i = 0; i < down; ++i)
      for (unsigned j = 0; j < across; ++j)
        for (int n = 0; n < 256; ++n) {
          int const u = n / 64, v = n / 16 % 4, r = n / 4 % 4, c = n % 4;
          unsigned const row = 2 * i + r - 1, column = 2 * j + c - 1;
          if (row < height && column < width)
            expected[(((4 * u + v) * planes + p) * down + i) * across + j] +=
                b[u][r] * b[v][c] * double{x[(p * height + row) * width + column]};
        }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(expected.size());
    run.launch("winograd_input", {1, down, planes}, 128,
               {in, out, height, width, height * width, across, down * across,
                std::uint64_t{planes * down * across}},
               {plain<float const, 3>(in, planes, height, width),
                plain<float, 4>(out, 16, planes, down, across)});
    near(run.get(out, expected.size()), expected, 1e-6);
  });
}

TEST_CASE("row_scan computes the prefix sums of each row") {
  unsigned const rows = 3;
  auto const x = numbers(rows * 1024, 1);
  std::vector<double> expected(x.begin(), x.end());
  for (unsigned i = 0; i < rows * 1024; ++i)
    if (i % 1024 != 0) expected[i] += expected[i - 1];
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(rows * 1024);
    run.launch("row_scan", {rows, 1, 1}, 256, {in, out},
               {rows_of<float const, 2, 1024>(in, rows), rows_of<float, 2, 1024>(out, rows)});
    near(run.get(out, rows * 1024), expected, 1e-5);
  });
}

TEST_CASE("histogram counts the bytes of each value") {
  unsigned const size = 2 * 4096 + 4096 / 3 / 16 * 16;
  std::vector<unsigned char> x(size);
  std::vector<unsigned> expected(256);
  for (unsigned i = 0; i < size; ++i) {
    x[i] = static_cast<unsigned char>((i * 2654435761u >> 20) % 200);
    ++expected[x[i]];
  }
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const bins = run.zeros<unsigned>(256);
    run.launch("histogram", {2, 1, 1}, 256, {in, bins, size / 16},
               {rows_of<unsigned char const, 1>(in, size), plain<unsigned, 1, 256>(bins)});
    CHECK(run.get(bins, 256) == expected);
  });
}

TEST_CASE("cross_entropy computes the loss of each row") {
  unsigned const rows = 5, columns = 600, pitch = 608;
  auto const x = numbers(rows * pitch, 1);
  std::vector<unsigned> labels(rows);
  std::vector<double> expected(rows);
  for (unsigned i = 0; i < rows; ++i) {
    labels[i] = i * 149;
    for (unsigned j = 0; j < columns; ++j) expected[i] += std::exp(x[i * pitch + j]);
    expected[i] = std::log(expected[i]) - x[i * pitch + labels[i]];
  }
  in_every_form([&](runner& run) {
    auto* const in = run.put(halves(x));
    auto* const chosen = run.put(labels);
    auto* const losses = run.zeros<float>(rows);
    run.launch("cross_entropy", {2, 1, 1}, 128, {in, chosen, losses, rows, columns, pitch},
               {rows_of<uint16_t const>(in, rows, columns, pitch),
                plain<unsigned const>(chosen, rows), plain<float>(losses, rows)});
    near(run.get(losses, rows), expected, 1e-5);
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

TEST_CASE("gather_fp8 gathers rows of e4m3 and multiplies groups of columns by their scales") {
  unsigned const tokens = 5, rows = 3, columns = 2176, groups = columns / 128;
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
  in_every_form([&](runner& run) {
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

TEST_CASE("hadamard transforms each row") {
  unsigned const rows = 11;
  auto const x = numbers(rows * 256, 1);
  std::vector<double> expected(rows * 256);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < 256; ++j)
      for (unsigned k = 0; k < 256; ++k)
        expected[i * 256 + j] += (std::popcount(j & k) % 2 ? -1 : 1) * x[i * 256 + k] / 16.;
  in_every_form([&](runner& run) {
    auto* const from = run.put(halves(x));
    auto* const to = run.zeros<uint16_t>(rows * 256);
    run.launch("hadamard", {2, 1, 1}, 256, {from, to, rows},
               {rows_of<uint16_t const, 2, 256>(from, rows), rows_of<uint16_t, 2, 256>(to, rows)});
    near(floats(run.get(to, rows * 256)), expected, 1e-3);
  });
}

TEST_CASE("selective_scan updates the states of each channel and adds them up") {
  unsigned const batches = 3, channels = 96, n = batches * channels;
  auto const h = numbers(n * 16, 1), a = numbers(channels * 16, 2), x = numbers(n, 3),
             dt = numbers(n, 4), b = numbers(batches * 16, 5), c = numbers(batches * 16, 6),
             d = numbers(channels, 7);
  std::vector<double> states(n * 16), sums(n);
  for (unsigned i = 0; i < n; ++i) {
    sums[i] = double{d[i % channels]} * x[i];
    for (unsigned k = 0; k < 16; ++k) {
      states[i * 16 + k] = h[i * 16 + k] * std::exp(double{dt[i]} * a[i % channels * 16 + k]) +
                           double{dt[i]} * x[i] * b[i / channels * 16 + k];
      sums[i] += states[i * 16 + k] * c[i / channels * 16 + k];
    }
  }
  in_every_form([&](runner& run) {
    auto* const ph = run.put(h);
    auto* const pa = run.put(a);
    auto* const px = run.put(x);
    auto* const pdt = run.put(dt);
    auto* const pb = run.put(b);
    auto* const pc = run.put(c);
    auto* const pd = run.put(d);
    auto* const out = run.zeros<float>(n);
    run.launch(
        "selective_scan", {3, batches, 1}, 128, {ph, pa, px, pdt, pb, pc, pd, out, channels},
        {rows_of<float, 3, 16>(ph, batches, channels), rows_of<float const, 2, 16>(pa, channels),
         plain<float const, 2>(px, batches, channels),
         plain<float const, 2>(pdt, batches, channels), rows_of<float const, 2, 16>(pb, batches),
         rows_of<float const, 2, 16>(pc, batches), plain<float const>(pd, channels),
         plain<float, 2>(out, batches, channels)});
    near(run.get(ph, n * 16), states, 1e-5);
    near(run.get(out, n), sums, 1e-4);
  });
}
