// Sums rows on the tensor cores, as a product with a matrix of ones. The main loop has three
// stages, as in CUTLASS's gemm/threadblock/mma_multistage.h.
#pragma once

#include "../accumulators.cuh"

namespace row_sum_ring {
using namespace axe::literals;
using axe::direct_sum;
using kernels::atom;
using a_lanes = axe::carrier<direct_sum("S[4:8@reg]"_axe, {1, 4}, atom::a, {16, 16})>;
using b_lanes = axe::carrier<direct_sum("S[4:4@reg]"_axe, {4, 1}, atom::b, {16, 8})>;
using swizzled = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
}  // namespace row_sum_ring

extern "C" __global__ void __launch_bounds__(128)
    axe_row_sum_ring(kernels::rows_of<__half const> in, kernels::list_of<float> sums) {
  using namespace row_sum_ring;
  __shared__ axe::shared_tile<__half, swizzled> ring[3];
  unsigned const steps = axe::tiles<1, 64>(in);
  auto const load = [&](unsigned k) {
    if (k < steps)
      axe::copy_async(axe::exact_grid(axe::tile<64, 64>(in, axe::block_x(), k)), ring[k % 3],
                      axe::cta<128>);
    axe::async_commit();
  };
  load(0);
  load(1);
  axe::fragment<__half, b_lanes, axe::extents<64, 8>> ones;
  ones.fill(__float2half(1.0f));
  axe::fragment<float, axe::carrier<atom::accumulator>, axe::extents<16, 8>> c;
  c.fill(0);
#pragma unroll 1
  for (unsigned k = 0; k < steps; ++k) {
    axe::async_wait<1>();
    axe::sync(axe::cta<128>);
    load(k + 2);
    auto const a =
        axe::load<a_lanes>(axe::tile<16, 64>(ring[k % 3], axe::warp_id<128>(), 0), axe::warp);
    axe::mma(c, a, ones);
  }
  axe::for_each(c, axe::warp, [&](float v, unsigned row, unsigned column) {
    if (column == 0)
      sums(axe::constant<64>{} * axe::block_x() + axe::constant<16>{} * axe::warp_id<128>() + row) =
          v;
  });
}
