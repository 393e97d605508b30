// Tests mma(c, a, b) with accumulators in tensor memory, compiled by nvcc, on the PTX machine
// (tests/machine) with all checks. Every kind of operand is compared with the product by
// definition.
#include "on_the_machine.hpp"
#include "products.hpp"

namespace {

using namespace products;

constexpr product all[] = {
    {"bf16", 128, 64, 64},
    {"by_rows", 128, 64, 32},
    {"rows_64", 64, 32, 64},
    {"unswizzled", 128, 16, 32},
    {"tf32", 128, 32, 32},
    {"e4m3", 128, 32, 64},
    {"s8", 128, 32, 32},
    {"a_in_tensor", 128, 32, 64},
    {"pair_bf16", 256, 128, 64, 128, 2, 0, 2},
    {"pair_by_rows", 256, 64, 32, 128, 2, 0, 2},
    {"pair_64_rows", 128, 128, 64, 128, 2, 0, 2},
    {"pair_a_in_tensor", 256, 64, 64, 128, 2, 0, 2},
};

}  // namespace

TEST_CASE("products by tcgen05 are right on one CTA and on a pair, whenever operations complete") {
  machine::device device;
  machine::module program =
      machine::load(on_the_machine::text_of("tcgen05_kernels", "sm_100a"), device);
  for (product const& p : all)
    for (int round = 0; round < 4; ++round) {
      CAPTURE(p.entry, round);
      CHECK(wrong(program, device, p, on_the_machine::options_for(round)) == 0);
    }
}
