// Converts the striped arrangement to the blocked one through padded shared memory, as hand.cuh
// does. Each thread stores the running sums of its items.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(128)
    axe_block_exchange(kernels::list_of<unsigned const> in,
                       axe::tensor<unsigned, axe::row_major<1>, axe::aligned<16>> out) {
  using namespace axe::literals;
  using blocked = axe::carrier<"S[(128,8):(1@tid,1@reg)]"_axe>;
  __shared__ axe::shared_tile<unsigned, axe::carrier<"S[(32,32):(33,1)]"_axe>, axe::extents<1024>>
      staged;
  axe::copy(axe::exact_grid(axe::tile<1024>(in, axe::block_x())), staged, axe::cta<128>);
  axe::sync(axe::cta<128>);
  auto sum = axe::load<blocked>(staged, axe::cta<128>);
#pragma unroll
  for (int i = 1; i < 8; ++i) sum[i] += sum[i - 1];
  axe::copy(sum, axe::exact_grid(axe::tile<1024>(out, axe::block_x())), axe::cta<128>);
}
