// Fragments and shared memory of the kernel for sm_90a. A warpgroup has 64 queries. The accumulator
// of the scores, rounded to 16 bits, has the layout of an operand of the next product.
#pragma once

#include "tensors.cuh"

#include <axe/cuda/mma/wgmma.hpp>

template <int N> struct wgmma_lanes {
  static constexpr axe::layout value = axe::wgmma_atom<N, 16>::accumulator;
};
/// The accumulator of 64 x N, with elements of type T.
template <class T, int N> using accumulator = axe::fragment<T, wgmma_lanes<N>, axe::extents<64, N>>;

template <int D> struct rows_source {
  static constexpr auto mode = axe::swizzle_mode::bytes_128;
  static constexpr axe::layout value = axe::mma_shared_layout(16, mode, {128, D});
};
template <int D> using rows_of = axe::shared_tile<bf16, rows_source<D>, axe::extents<128, D>>;
/// The inputs. The tensor maps q, k and v load tiles to shared memory; Q and K give the sizes.
template <int D> struct hopper_inputs {
  axe::tensor_map q, k, v;
  heads<bf16 const, D> Q, K;
  sequences begins;
  float scale;
};
using stage = axe::pipeline_state<4>;
/// Shared memory: the queries, and stages that hold keys and values in turn.
template <int D> struct hopper_memory {
  rows_of<D> queries, stages[4];
};
