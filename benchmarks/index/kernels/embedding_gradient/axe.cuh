// Adds the gradient of each token to the row of its word, like PyTorch's
// aten/src/ATen/native/cuda/Embedding.cu. Words below 0 are padding.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_embedding_gradient(kernels::rows_of<float const, 2, 256> gradient,
                           kernels::list_of<int const> words,
                           kernels::rows_of<float, 2, 256> table) {
  using namespace axe::literals;
  using by_lanes = axe::carrier<"S[(2,32,4):(4@reg,1@lane,1@reg)]"_axe>;
  auto const token = axe::constant<8>{} * axe::block_x() + axe::warp_id<256>();
  if (token >= axe::extent<0>(words)) return;
  int const word = words(token);
  if (word < 0) return;
  auto const g = axe::load<by_lanes>(axe::tile<1, 256>(gradient, token, 0), axe::warp);
  axe::atomic_add(g, axe::tile<1, 256>(table, static_cast<unsigned>(word), 0), axe::warp);
}
