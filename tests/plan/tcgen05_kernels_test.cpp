// Tests mma(c, a, b) with accumulators in tensor memory, compiled by nvcc, on the PTX machine
// (tests/machine) with all checks. Every kind of operand is compared with the product by
// definition.
#include "machine.hpp"
#include "support/catch.hpp"

#include <axe/index.hpp>

#include <fstream>
#include <sstream>
#include <vector>

namespace {

using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 20), axe::dynamic(1).below(1 << 20),
                                   axe::dynamic(2).below(1 << 20)>;
struct view {
  std::uint64_t data;
  matrix sizes;
};

struct product {
  char const* entry;
  int m, n, k;
  unsigned ctas;
};
constexpr product all[] = {
    {"bf16", 128, 64, 64, 1},
    {"by_rows", 128, 64, 32, 1},
    {"rows_64", 64, 32, 64, 1},
    {"unswizzled", 128, 16, 32, 1},
    {"tf32", 128, 32, 32, 1},
    {"e4m3", 128, 32, 64, 1},
    {"s8", 128, 32, 32, 1},
    {"a_in_tensor", 128, 32, 64, 1},
    {"pair_bf16", 256, 128, 64, 2},
    {"pair_by_rows", 256, 64, 32, 2},
    {"pair_64_rows", 128, 128, 64, 2},
    {"pair_a_in_tensor", 256, 64, 64, 2},
};

/// Small whole numbers, for which products and sums are exact in every type.
int a_at(int r, int c) { return (r * 7 + c * 3) % 5 - 2; }
int b_at(int r, int c) { return (r * 5 + c * 11) % 7 - 3; }

/// How many elements of C are not 2 A B, the sum of two products, after one launch.
int wrong(machine::module& program, machine::device& device, product const& p,
          machine::launch_options const& options) {
  std::vector<int> a, b;
  for (int r = 0; r < p.m; ++r)
    for (int c = 0; c < p.k; ++c) a.push_back(a_at(r, c));
  for (int r = 0; r < p.k; ++r)
    for (int c = 0; c < p.n; ++c) b.push_back(b_at(r, c));
  std::vector<float> c(static_cast<std::size_t>(p.m) * static_cast<std::size_t>(p.n), -7777);
  auto const put = [&](auto const& from) {
    auto const address = device.allocate(4 * from.size());
    device.copy_in(address, from.data(), 4 * from.size());
    return address;
  };
  auto const at_a = put(a), at_b = put(b), at_c = put(c);
  program.launch(p.entry, {p.ctas}, {128}, {p.ctas}, 0,
                 {view{at_a, matrix(p.m, p.k, p.k)}, view{at_b, matrix(p.k, p.n, p.n)},
                  view{at_c, matrix(p.m, p.n, p.n)}},
                 options);
  device.copy_out(c.data(), at_c, 4 * c.size());
  int count = 0;
  for (int r = 0; r < p.m; ++r)
    for (int x = 0; x < p.n; ++x) {
      int sum = 0;
      for (int d = 0; d < p.k; ++d) sum += a_at(r, d) * b_at(d, x);
      count += c[static_cast<std::size_t>(r * p.n + x)] != static_cast<float>(2 * sum);
    }
  return count;
}

}  // namespace

TEST_CASE("products by tcgen05 on one CTA and on a pair, in order, late and at random") {
  std::ifstream file(std::string(AXE_PLAN_PTX) + "/tcgen05_kernels_sm_100a.ptx");
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  machine::device device;
  machine::module program = machine::load(text.str(), device);
  for (product const& p : all)
    for (unsigned seed : {0, 1, 2, 3}) {
      CAPTURE(p.entry, seed);
      machine::launch_options options;
      options.strict = true;
      options.seed = seed;
      options.when = seed == 0   ? machine::landing::at_once
                     : seed == 1 ? machine::landing::late
                                 : machine::landing::random;
      CHECK(wrong(program, device, p, options) == 0);
    }
}
