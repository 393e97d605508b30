// Runs the kernels of benchmarks/index for attention, its caches and its scores.
#include "kernels_support.hpp"

#include <cmath>

namespace {

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

TEST_CASE("rotary rotates each pair of neighbouring columns") {
  bool const whole = GENERATE(false, true);
  unsigned const b = 2, h = 2, n = whole ? 16 : 11, xt = 136, xh = xt * n, xb = xh * h, yt = 128,
                 yh = yt * n, yb = yh * h;
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
  in_every_form(whole, [&](runner& run) {
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

}  // namespace
