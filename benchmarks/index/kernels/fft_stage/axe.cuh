// Computes one radix 4 pass of a Stockham transform of 4096 complex numbers, in the order of VkFFT
// (Govindaraju et al., 2008).
#pragma once

#include "../tensors.cuh"

namespace fft_stage {
using namespace axe::literals;
using read = axe::carrier<"S[(4,256):(1@reg,1@tid)]"_axe>;
using turned = axe::carrier<"S[(4,64):(1@reg,1@tid)] + R[4:64@tid]"_axe>;
using written = axe::carrier<"S[(4,4,64):(64@tid,1@reg,1@tid)]"_axe>;
}  // namespace fft_stage

/// `in` has the shape (lines, 4, 1024), `out` has (lines, 16, 256), and `turns` has (4, 64).
extern "C" __global__ void __launch_bounds__(256)
    axe_fft_stage(axe::tensor<float2 const, axe::row_major<3, 4, 1024>> in,
                  axe::tensor<float2, axe::row_major<3, 16, 256>> out,
                  axe::tensor<float2 const, axe::row_major<2, 64>> turns) {
  using namespace fft_stage;
  unsigned const line = axe::block_x() / 4, quarter = axe::block_x() % 4;
  auto const x =
      axe::load<read>(axe::exact_grid(axe::tile<1, 4, 256>(in, line, 0, quarter)), axe::cta<256>);
  auto const w = axe::load<turned>(axe::exact_grid(axe::tile<4, 64>(turns, 0, 0)), axe::cta<256>);
  axe::fragment<float2, written, axe::extents<1, 4, 256>> v;
#pragma unroll
  for (int r = 0; r < 4; ++r)
    v[r] = make_float2(x[r].x * w[r].x - x[r].y * w[r].y, x[r].x * w[r].y + x[r].y * w[r].x);
  float2 const a = make_float2(v[0].x + v[2].x, v[0].y + v[2].y);
  float2 const b = make_float2(v[0].x - v[2].x, v[0].y - v[2].y);
  float2 const c = make_float2(v[1].x + v[3].x, v[1].y + v[3].y);
  float2 const d = make_float2(v[1].y - v[3].y, v[3].x - v[1].x);
  v[0] = make_float2(a.x + c.x, a.y + c.y);
  v[1] = make_float2(b.x + d.x, b.y + d.y);
  v[2] = make_float2(a.x - c.x, a.y - c.y);
  v[3] = make_float2(b.x - d.x, b.y - d.y);
  axe::copy(v, axe::exact_grid(axe::tile<1, 4, 256>(out, line, quarter, 0)), axe::cta<256>);
}
