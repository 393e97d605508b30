// Compares two matrix products, written as in real kernels, with sums on the host. Asynchronous
// copies complete at once, late and at random.
#include <bit>
#include <cmath>

#include "numerics/halves.hpp"
#include "support_machine.hpp"
#include "tile_map.hpp"

using machine::device;
using machine::landing;
using machine::launch_options;
using machine_test::array;
using machine_test::kernel_text;
using machine_test::noise;

namespace {

namespace numerics = machine::numerics;

std::vector<std::uint16_t> random_matrix(std::size_t count, std::uint64_t seed, bool bf16) {
  noise random(seed);
  std::vector<std::uint16_t> out(count);
  for (auto& each : out)
    each =
        bf16 ? numerics::float_to_bf16(random.uniform()) : numerics::float_to_f16(random.uniform());
  return out;
}

double widen(std::uint16_t bits, bool bf16) {
  return static_cast<double>(bf16 ? numerics::bf16_to_float(bits) : numerics::f16_to_float(bits));
}

double dot(std::vector<std::uint16_t> const& a, std::vector<std::uint16_t> const& b,
           std::size_t row, std::size_t column, std::size_t k, bool bf16) {
  double sum = 0;
  for (std::size_t i = 0; i < k; ++i)
    sum += widen(a[row * k + i], bf16) * widen(b[column * k + i], bf16);
  return sum;
}

void run_tma(int m, int n, int k, launch_options const& how) {
  device on;
  auto program = machine::load(kernel_text("gemm_tma"), on);
  auto const size = [](int x, int y) {
    return static_cast<std::size_t>(x) * static_cast<std::size_t>(y);
  };
  auto const a = random_matrix(size(m, k), 1, true), b = random_matrix(size(n, k), 2, true);
  array<std::uint16_t> const da(on, a), db(on, b), dc(on, size(m, n));
  auto const u = [](int x) { return static_cast<std::uint64_t>(x); };
  auto const blocks = [](int x) { return static_cast<unsigned>((x + 127) / 128); };
  program.launch("gemm_tma", {blocks(n), blocks(m)}, {384}, {}, 4 * 32768,
                 {machine_test::tile_map(da.address(), u(k), u(m), 128),
                  machine_test::tile_map(db.address(), u(k), u(n), 128),
                  machine_test::tile_map(dc.address(), u(n), u(m), 64), k},
                 how);
  auto const c = dc.values();
  for (int i = 0; i < m; i += 3)
    for (int j = 0; j < n; j += 5) {
      double const want = dot(a, b, static_cast<std::size_t>(i), static_cast<std::size_t>(j),
                              static_cast<std::size_t>(k), true);
      double const got = widen(c[size(i, n) + static_cast<std::size_t>(j)], true);
      INFO("row " << i << ", column " << j);
      REQUIRE(std::abs(got - want) <= std::abs(want) / 200 + 1e-4);
    }
}

}  // namespace

TEST_CASE("a warp-specialised bf16 product with tensor copies and wgmma has the host's sums",
          "[gemm]") {
  launch_options how;
  how.strict = true;
  run_tma(128, 128, 64, how);
  run_tma(200, 136, 200, how);
  run_tma(256, 128, 640, how);
  how.when = landing::late;
  run_tma(200, 136, 328, how);
  how.when = landing::random;
  for (how.seed = 1; how.seed <= 4; ++how.seed) run_tma(136, 200, 328, how);
}

TEST_CASE("an f16 product with cp.async, ldmatrix and mma.sync has the host's sums", "[gemm]") {
  int const m = 128, n = 192, k = 160;
  auto const a = random_matrix(m * k, 3, false), b = random_matrix(n * k, 4, false);
  for (auto const when : {landing::at_once, landing::late, landing::random}) {
    device on;
    auto program = machine::load(kernel_text("gemm_ampere"), on);
    array<std::uint16_t> const da(on, a), db(on, b);
    array<float> const dc(on, std::size_t{m * n});
    launch_options how;
    how.when = when;
    how.seed = when == landing::random ? 5 : 0;
    program.launch("gemm_ampere", {n / 64, m / 64}, {128}, {}, 0, {dc, da, db, n, k}, how);
    auto const c = dc.values();
    for (std::size_t i = 0; i < m; i += 3)
      for (std::size_t j = 0; j < n; ++j)
        REQUIRE(std::abs(static_cast<double>(c[i * n + j]) - dot(a, b, i, j, k, false)) < 1e-4);
  }
}
