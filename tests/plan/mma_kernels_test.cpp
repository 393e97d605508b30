// Tests mma(c, a, b), compiled by nvcc, on the PTX machine (tests/machine) with all checks. For
// every kind of operand the result is compared with the product by definition.
#include "products.hpp"

#include "support/catch.hpp"
#include "support/ptx.hpp"
#include "support/targets.hpp"

namespace {

using namespace products;

/// The seed decides the order of warps.
machine::launch_options with_seed(unsigned seed) {
  machine::launch_options options;
  options.seed = seed;
  return options;
}

constexpr product by_warps[] = {
    {"warp_bf16", 32, 16, 32, 32, 1, 1},     {"warp_f16_k8", 32, 16, 16, 32, 1, 1},
    {"warp_f16_sums", 32, 16, 32, 32, 1, 1}, {"warp_tf32", 32, 16, 16, 32, 1, 1},
    {"warp_tf32_k4", 32, 16, 8, 32, 1, 1},   {"warp_s8", 32, 16, 64, 32, 1, 1},
    {"warp_s8_m8", 16, 16, 32, 32, 1, 1},    {"warp_f64", 16, 16, 8, 32, 1, 1},
    {"four_warps", 64, 64, 32, 128, 1, 1},
};
constexpr product on_hopper[] = {
    {"warp_f64_k16", 32, 16, 32, 32, 1, 1},
    {"warp_e4m3", 32, 16, 64, 32, 1, 1},
    {"group_bf16", 64, 128, 64},
    {"group_by_rows", 64, 64, 32},
    {"group_64_bytes", 64, 32, 64},
    {"group_32_bytes", 64, 48, 32},
    {"group_unswizzled", 64, 24, 32},
    {"group_a_registers", 64, 8, 64},
    {"group_f16_sums", 64, 40, 64},
    {"group_tf32", 64, 16, 32},
    {"group_e4m3", 64, 136, 64},
    {"group_e4m3_registers", 64, 16, 64},
    {"group_s8", 64, 96, 64},
    {"two_groups", 128, 32, 64, 256, 1, 0},
    {"group_by_eights", 64, 64, 32},
    {"group_by_sixteens", 64, 64, 32},
};

}  // namespace

TEST_CASE("products by the forms of mma.sync that sm_80 has are right on sm_80 and sm_90a") {
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    machine::device device;
    machine::module program =
        machine::load(axe_test::ptx_of(AXE_PLAN_PTX, "mma_kernels", target), device);
    for (product const& p : by_warps) {
      CAPTURE(target, p.entry);
      CHECK(wrong(program, device, p, with_seed(1)) == 0);
    }
  }
}

TEST_CASE(
    "products of sm_90a are right: mma.sync, and wgmma from registers and under every swizzle") {
  machine::device device;
  machine::module program =
      machine::load(axe_test::ptx_of(AXE_PLAN_PTX, "mma_kernels", "sm_90a"), device);
  for (product const& p : on_hopper)
    for (unsigned seed : {1, 2, 3}) {
      CAPTURE(p.entry, seed);
      CHECK(wrong(program, device, p, with_seed(seed)) == 0);
    }
}
