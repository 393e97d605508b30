// Transforms the input patches of the Winograd convolution F(2x2, 3x3), B^T d B (Lavin and Gray,
// 2016). A thread has one patch of 4 x 4; patches are 2 apart and padded by zeros.
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(128)
    axe_winograd_input(axe::tensor<float const, axe::row_major<3>> in,
                       axe::tensor<float, axe::row_major<4>> out) {
  using namespace axe::literals;
  using patch = axe::carrier<"S[16:1@reg]"_axe>;
  auto const [plane, i, column] = axe::block<3>();
  auto const j = axe::constant<128>{} * column + axe::thread_id<128>();
  if (j >= axe::extent<3>(out)) return;
  auto const d = axe::load<patch, axe::zero_fill>(
      axe::tile_at<1, 4, 4>(in, plane, 2 * static_cast<int>(i) - 1, 2 * static_cast<int>(j) - 1),
      axe::thread);
  float t[4][4];
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    t[0][c] = d[c] - d[8 + c];
    t[1][c] = d[4 + c] + d[8 + c];
    t[2][c] = d[8 + c] - d[4 + c];
    t[3][c] = d[4 + c] - d[12 + c];
  }
  axe::fragment<float, patch, axe::extents<16, 1, 1, 1>> v;
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    v[4 * r + 0] = t[r][0] - t[r][2];
    v[4 * r + 1] = t[r][1] + t[r][2];
    v[4 * r + 2] = t[r][2] - t[r][1];
    v[4 * r + 3] = t[r][1] - t[r][3];
  }
  axe::copy(v, axe::exact_grid(axe::tile<16, 1, 1, 1>(out, 0, plane, i, j)), axe::thread);
}
