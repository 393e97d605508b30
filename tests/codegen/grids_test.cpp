// Runs the kernels of benchmarks/index for grids and images: stencils, windows and Fourier
// transforms.
#include "kernels_support.hpp"

namespace {

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
  bool const whole = GENERATE(false, true);
  unsigned const lines = 3, width = 10, channels = whole ? 512 : 260;
  auto const x = numbers(lines * 2 * width * channels, 1);
  std::vector<double> expected(lines * (width / 2) * channels, -HUGE_VAL);
  for (unsigned y = 0; y < lines * 2; ++y)
    for (unsigned i = 0; i < width; ++i)
      for (unsigned c = 0; c < channels; ++c) {
        double& largest = expected[(y / 2 * (width / 2) + i / 2) * channels + c];
        largest = std::fmax(largest, x[(y * width + i) * channels + c]);
      }
  in_every_form(whole, [&](runner& run) {
    auto* const in = run.put(x);
    auto* const out = run.zeros<float>(expected.size());
    run.launch("max_pool", {width / 2, lines, 1}, 128, {in, out, width, channels},
               {rows_of<float const, 5, 2, 0, 2, 0>(in, lines, width / 2, channels),
                rows_of<float, 5, 1, 0, 1, 0>(out, lines, width / 2, channels)});
    near(run.get(out, expected.size()), expected, 0);
  });
}

TEST_CASE("depthwise computes the 3 x 3 convolution of each channel") {
  bool const whole = GENERATE(false, true);
  unsigned const height = 4, width = 5, channels = whole ? 512 : 260;
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
  in_every_form(whole, [&](runner& run) {
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

}  // namespace
