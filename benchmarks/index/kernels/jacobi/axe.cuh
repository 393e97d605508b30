// Replaces each point of a grid by the mean of its four neighbours, like jacobi2D of PolyBench/GPU.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_jacobi(axe::tensor<float const, axe::row_major<2>> in,
               axe::tensor<float, axe::row_major<2>> out) {
  auto const t = axe::thread_id<256>();
  axe::constant<1> const one{};
  auto const row =
      axe::constant<32>{} * axe::block_y() + axe::constant<4>{} * t.digit<32, 8>() + one;
  auto const column = axe::constant<32>{} * axe::block_x() + t.digit<1, 32>() + one;
  if (column + 1 >= axe::extent<1>(in)) return;
  auto const p = axe::bind_pointer(in.data, in.sizes, row, column);
  auto const q = axe::bind_pointer(out.data, in.sizes, row, column);
  axe::for_each_register<4>([&](auto i) {
    constexpr int r = i.value;
    if (row + r + 1 < axe::extent<0>(in))
      *q.at<r, 0>() =
          (*p.at<r, -1>() + *p.at<r, 1>() + *p.at<r - 1, 0>() + *p.at<r + 1, 0>()) * 0.25f;
  });
}
