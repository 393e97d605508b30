// Runs the kernels of benchmarks/index for rows: their sums, products, transforms and scans.
#include "kernels_support.hpp"

#include <bit>
#include <cmath>

namespace {

TEST_CASE("executed.hpp names kernels of benchmarks/index") {
  std::string const target = axe_test::compiled_for({"sm_80", "sm_90a"}).front();
  std::string const ptx = axe_test::ptx_of(AXE_CODEGEN_PTX, "all_axe", target);
  using list = std::span<executed_by_axe const>;
  for (list const known_list : {list(known_excess), list(known_excess_of_whole_tiles)})
    for (executed_by_axe const& known : known_list) {
      CAPTURE(known.kernel);
      CHECK(ptx.find(" axe_" + std::string(known.kernel) + "(") != std::string::npos);
    }
}

TEST_CASE("axpy computes a * x + y") {
  bool const whole = GENERATE(false, true);
  unsigned const n = whole ? 2048 : 1236;
  auto const x = numbers(n, 1), y = numbers(n, 2);
  std::vector<double> expected(n);
  for (unsigned i = 0; i < n; ++i) expected[i] = 0.5 * x[i] + y[i];
  in_every_form(whole, [&](runner& run) {
    auto* const from = run.put(x);
    auto* const to = run.put(y);
    run.launch("axpy", {2, 1, 1}, 256, {from, to, n, 0.5f},
               {rows_of<float const, 1>(from, n), rows_of<float, 1>(to, n), 0.5f});
    near(run.get(to, n), expected, 0);
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

TEST_CASE("silu_and_mul computes silu(x) * y") {
  bool const whole = GENERATE(false, true);
  unsigned const rows = 3, columns = whole ? 2048 : 1036;
  auto const x = numbers(rows * columns * 2, 1);
  std::vector<double> expected(rows * columns);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) {
      double const g = x[i * 2 * columns + j];
      expected[i * columns + j] = g / (1 + std::exp(-g)) * x[(i * 2 + 1) * columns + j];
    }
  in_every_form(whole, [&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(rows * columns);
    run.launch("silu_and_mul", {2, rows, 1}, 256, {in, out, columns},
               {rows_of<float const, 3>(in, rows, 2, columns),
                rows_of<float, 3, 1, 0>(out, rows, columns)});
    near(run.get(out, rows * columns), expected, 1e-5);
  });
}

TEST_CASE("add_rms_norm adds x to the residual and normalises the sum") {
  unsigned const rows = 3, columns = 8 * 259;
  float const epsilon = 1e-5f;
  auto const x = numbers(rows * columns, 1), r = numbers(rows * columns, 2),
             w = numbers(columns, 3);
  std::vector<double> sums(rows * columns), expected(rows * columns);
  for (unsigned i = 0; i < rows; ++i) {
    double squares = 0;
    for (unsigned j = 0; j < columns; ++j) {
      double const sum = double{x[i * columns + j]} + r[i * columns + j];
      sums[i * columns + j] = sum;
      squares += sum * sum;
    }
    for (unsigned j = 0; j < columns; ++j)
      expected[i * columns + j] =
          sums[i * columns + j] * w[j] / std::sqrt(squares / columns + epsilon);
  }
  in_every_form([&](runner& run) {
    auto* const to = run.put(bf16s(x));
    auto* const stream = run.put(bf16s(r));
    auto* const weights = run.put(bf16s(w));
    run.launch("add_rms_norm", {rows, 1, 1}, 256, {to, stream, weights, columns, epsilon},
               {rows_of<uint16_t>(to, rows, columns), rows_of<uint16_t>(stream, rows, columns),
                rows_of<uint16_t const>(weights, 1, columns), epsilon});
    near(floats_of_bf16(run.get(stream, rows * columns)), sums, 0);
    near(floats_of_bf16(run.get(to, rows * columns)), expected, 4e-3);
  });
}

TEST_CASE("tf32_batch multiplies pairs of matrices") {
  unsigned const count = 6;
  auto const a = numbers(count * 256, 1), b = numbers(count * 256, 2);
  std::vector<double> expected(count * 256);
  for (unsigned n = 0; n < count; ++n)
    for (unsigned i = 0; i < 16; ++i)
      for (unsigned j = 0; j < 16; ++j)
        for (unsigned k = 0; k < 16; ++k)
          expected[(n * 16 + i) * 16 + j] +=
              double{a[(n * 16 + i) * 16 + k]} * b[(n * 16 + k) * 16 + j];
  in_every_form([&](runner& run) {
    auto* const pa = run.put(a);
    auto* const pb = run.put(b);
    auto* const pc = run.zeros<float>(count * 256);
    using operands = rows_of<float const, 3, 16, 16>;
    run.launch("tf32_batch", {2, 1, 1}, 128, {pa, pb, pc, count},
               {operands(pa, count), operands(pb, count), rows_of<float, 3, 16, 16>(pc, count)});
    near(run.get(pc, count * 256), expected, 1e-6);
  });
}

TEST_CASE("bias_relu computes max(x + bias, 0)") {
  bool const whole = GENERATE(false, true);
  unsigned const rows = whole ? 128 : 75, columns = whole ? 128 : 88;
  auto const x = numbers(rows * columns, 1), bias = numbers(columns, 2);
  std::vector<double> expected(rows * columns);
  for (unsigned i = 0; i < rows * columns; ++i)
    expected[i] = std::fmax(x[i] + bias[i % columns], 0);
  in_every_form(whole, [&](runner& run) {
    auto* const in = run.put(x);
    auto* const pb = run.put(bias);
    auto* const out = run.zeros<uint16_t>(rows * columns);
    run.launch("bias_relu", {2, 2, 1}, 128, {in, pb, out, rows, columns},
               {rows_of<float const>(in, rows, columns), rows_of<float const>(pb, 1, columns),
                rows_of<uint16_t>(out, rows, columns)});
    near(floats(run.get(out, rows * columns)), expected, 1e-3);
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

TEST_CASE("split_k_sum adds up the splits") {
  bool const whole = GENERATE(false, true);
  unsigned const splits = 3, rows = whole ? 8 : 6, columns = whole ? 256 : 132;
  auto const x = numbers(splits * rows * columns, 1);
  std::vector<double> expected(rows * columns);
  for (unsigned k = 0; k < splits; ++k)
    for (unsigned i = 0; i < rows * columns; ++i) expected[i] += x[k * rows * columns + i];
  in_every_form(whole, [&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(rows * columns);
    run.launch("split_k_sum", {2, 2, 1}, 128, {in, out, splits, rows, columns},
               {rows_of<float const, 3>(in, splits, rows, columns),
                rows_of<float, 3>(out, 1, rows, columns)});
    near(run.get(out, rows * columns), expected, 1e-6);
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
  bool const whole = GENERATE(false, true);
  unsigned const segments = whole ? 16 : 11;
  auto const x = numbers(segments * 512, 1);
  std::vector<double> expected(segments);
  for (unsigned i = 0; i < segments * 512; ++i) expected[i / 512] += x[i];
  in_every_form(whole, [&](runner& run) {
    auto* const in = run.put(x);
    auto* const sums = run.zeros<float>(segments);
    run.launch("segmented_sum", {2, 1, 1}, 256, {in, sums, segments},
               {rows_of<float const, 2, 512>(in, segments), column_of<float>(sums, segments, 1)});
    near(run.get(sums, segments), expected, 1e-4);
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

TEST_CASE("long_softmax computes the softmax of rows of more than one step of the block") {
  unsigned const rows = 3, columns = 4104, pitch = 4112;
  auto const x = numbers(rows * pitch, 1);
  std::vector<double> expected(rows * pitch);
  for (unsigned i = 0; i < rows; ++i) {
    double sum = 0;
    for (unsigned j = 0; j < columns; ++j) sum += std::exp(x[i * pitch + j]);
    for (unsigned j = 0; j < columns; ++j)
      expected[i * pitch + j] = std::exp(x[i * pitch + j]) / sum;
  }
  in_every_form([&](runner& run) {
    auto* const in = run.put(halves(x));
    auto* const out = run.zeros<uint16_t>(rows * pitch);
    run.launch("long_softmax", {rows, 1, 1}, 512, {in, out, columns, pitch},
               {rows_of<uint16_t const>(in, rows, columns, pitch),
                rows_of<uint16_t>(out, rows, columns, pitch)});
    near(floats(run.get(out, rows * pitch)), expected, 1e-6);
  });
}

TEST_CASE("all_reduce adds the halves of eight devices") {
  struct peers {
    uint16_t const* data[8];
    unsigned* flags[8];
  };
  unsigned const size = 2 * 2 * 2048 + 24, blocks = 2, rank = 5, epoch = 3;
  std::vector<double> expected(size);
  in_every_form([&](runner& run) {
    peers all{};
    expected.assign(size, 0);
    for (unsigned r = 0; r < 8; ++r) {
      auto const x = numbers(size, r);
      for (unsigned i = 0; i < size; ++i) expected[i] += x[i];
      all.data[r] = run.put(halves(x));
      all.flags[r] = run.put(std::vector<unsigned>(blocks * 8, r == rank ? epoch : 0));
    }
    auto* const out = run.zeros<uint16_t>(size);
    run.launch("all_reduce", {blocks, 1, 1}, 256, {all, out, size, rank, epoch},
               {all, rows_of<uint16_t, 1>(out, size), rank, epoch});
    near(floats(run.get(out, size)), expected, 0);
    for (unsigned r = 0; r < 8; ++r) CHECK(run.get(all.flags[r], blocks * 8)[8 + rank] == epoch);
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

TEST_CASE("transpose_fp8 transposes bytes and the scales of their blocks") {
  unsigned const rows = 384, columns = 256;
  std::vector<uint8_t> x(rows * columns), expected(rows * columns);
  for (unsigned i = 0; i < rows * columns; ++i) x[i] = static_cast<uint8_t>(i * 2654435761u >> 24);
  for (unsigned i = 0; i < rows; ++i)
    for (unsigned j = 0; j < columns; ++j) expected[j * rows + i] = x[i * columns + j];
  using axe::aligned, axe::row_major, axe::tensor;
  in_every_form([&](runner& run) {
    auto* const in = run.put(x);
    auto* const scales = run.put(std::vector<float>{1, 2, 3, 4, 5, 6});
    auto* const out = run.zeros<uint8_t>(rows * columns);
    auto* const out_scales = run.zeros<float>(6);
    run.launch("transpose_fp8", {2, 3, 1}, 256, {in, scales, out, out_scales, rows, columns},
               {tensor<uint8_t const, row_major<2>, aligned<128>>(in, rows, columns),
                plain<float const, 2>(scales, 3, 2),
                tensor<uint8_t, row_major<2>, aligned<128>>(out, columns, rows),
                plain<float, 2>(out_scales, 2, 3)});
    CHECK(run.get(out, rows * columns) == expected);
    CHECK(run.get(out_scales, 6) == std::vector<float>{1, 3, 5, 2, 4, 6});
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

}  // namespace
