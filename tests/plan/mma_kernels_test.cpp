// Tests mma(c, a, b), compiled by nvcc, on the PTX machine (tests/machine) with all checks. For
// every kind of operand the result is compared with the product by definition.
#include "machine.hpp"
#include "support/catch.hpp"
#include "support/targets.hpp"

#include <axe/index.hpp>

#include <fstream>
#include <sstream>
#include <vector>

namespace {

std::string text_of(std::string const& target) {
  std::ifstream file(std::string(AXE_PLAN_PTX) + "/mma_kernels_" + target + ".ptx");
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The kernels' parameters: a pointer and three sizes (rows, columns, pitch).
using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 20), axe::dynamic(1).below(1 << 20),
                                   axe::dynamic(2).below(1 << 20)>;
template <class T> struct view {
  std::uint64_t data;
  matrix sizes;
};

struct product {
  char const* entry;
  int m, n, k, threads;
  int times;   // the number of times that A * B is added
  int before;  // the initial value of C
};

/// Small whole numbers, for which products and sums are exact in every type.
int a_at(int r, int c) { return (r * 7 + c * 3) % 5 - 2; }
int b_at(int r, int c) { return (r * 5 + c * 11) % 7 - 3; }

/// How many elements of C are wrong after one launch. The seed decides the order of warps.
int wrong(machine::module& program, machine::device& device, product const& p, unsigned seed) {
  auto const size = [](int a, int b) {
    return static_cast<std::size_t>(a) * static_cast<std::size_t>(b);
  };
  std::vector<int> a, b;
  for (int r = 0; r < p.m; ++r)
    for (int c = 0; c < p.k; ++c) a.push_back(a_at(r, c));
  for (int r = 0; r < p.k; ++r)
    for (int c = 0; c < p.n; ++c) b.push_back(b_at(r, c));
  std::vector<float> c(size(p.m, p.n), -7777);
  auto const put = [&](auto const& from) {
    auto const address = device.allocate(4 * from.size());
    device.copy_in(address, from.data(), 4 * from.size());
    return address;
  };
  auto const at_a = put(a), at_b = put(b), at_c = put(c);
  machine::launch_options options;
  options.strict = true;
  options.seed = seed;
  program.launch(p.entry, {1}, {static_cast<std::uint32_t>(p.threads)}, {}, 0,
                 {view<int>{at_a, matrix(p.m, p.k, p.k)}, view<int>{at_b, matrix(p.k, p.n, p.n)},
                  view<float>{at_c, matrix(p.m, p.n, p.n)}},
                 options);
  device.copy_out(c.data(), at_c, 4 * c.size());
  int count = 0;
  for (int r = 0; r < p.m; ++r)
    for (int x = 0; x < p.n; ++x) {
      int sum = 0;
      for (int d = 0; d < p.k; ++d) sum += a_at(r, d) * b_at(d, x);
      count +=
          c[static_cast<std::size_t>(r * p.n + x)] != static_cast<float>(p.before + p.times * sum);
    }
  return count;
}

constexpr product by_warps[] = {
    {"warp_bf16", 32, 16, 32, 32, 1, 1},     {"warp_f16_k8", 32, 16, 16, 32, 1, 1},
    {"warp_f16_sums", 32, 16, 32, 32, 1, 1}, {"warp_tf32", 32, 16, 16, 32, 1, 1},
    {"warp_tf32_k4", 32, 16, 8, 32, 1, 1},   {"warp_s8", 32, 16, 64, 32, 1, 1},
    {"warp_s8_m8", 16, 16, 32, 32, 1, 1},    {"warp_f64", 16, 16, 8, 32, 1, 1},
    {"four_warps", 64, 64, 32, 128, 1, 1},
};
constexpr product on_hopper[] = {
    {"warp_f64_k16", 32, 16, 32, 32, 1, 1},      {"warp_e4m3", 32, 16, 64, 32, 1, 1},
    {"group_bf16", 64, 128, 64, 128, 2, 0},      {"group_by_rows", 64, 64, 32, 128, 2, 0},
    {"group_64_bytes", 64, 32, 64, 128, 2, 0},   {"group_32_bytes", 64, 48, 32, 128, 2, 0},
    {"group_unswizzled", 64, 24, 32, 128, 2, 0}, {"group_a_registers", 64, 8, 64, 128, 2, 0},
    {"group_f16_sums", 64, 40, 64, 128, 2, 0},   {"group_tf32", 64, 16, 32, 128, 2, 0},
    {"group_e4m3", 64, 136, 64, 128, 2, 0},      {"group_e4m3_registers", 64, 16, 64, 128, 2, 0},
    {"group_s8", 64, 96, 64, 128, 2, 0},         {"two_groups", 128, 32, 64, 256, 1, 0},
    {"group_by_eights", 64, 64, 32, 128, 2, 0},  {"group_by_sixteens", 64, 64, 32, 128, 2, 0},
};

}  // namespace

TEST_CASE("products by mma.sync of every type, on each architecture") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    machine::device device;
    machine::module program = machine::load(text_of(target), device);
    for (product const& p : by_warps) {
      CAPTURE(target, p.entry);
      CHECK(wrong(program, device, p, 1) == 0);
    }
  }
}

TEST_CASE("products by wgmma, from registers and shared memory under every swizzle") {
  machine::device device;
  machine::module program = machine::load(text_of("sm_90a"), device);
  for (product const& p : on_hopper)
    for (unsigned seed : {1, 2, 3}) {
      CAPTURE(p.entry, seed);
      CHECK(wrong(program, device, p, seed) == 0);
    }
}
