// Applies a stencil of seven points to a box, walking along z with three values in registers
// (Micikevicius, 2009).
#pragma once

#include "../tensors.cuh"

extern "C" __global__ void __launch_bounds__(256)
    axe_laplacian(axe::tensor<float const, axe::row_major<3>> in,
                  axe::tensor<float, axe::row_major<3>> out, float c0, float c1) {
  auto const t = axe::thread_id<256>();
  axe::constant<1> const one{};
  auto const y = axe::constant<8>{} * axe::block_y() + t.digit<32, 8>() + one;
  auto const x = axe::constant<32>{} * axe::block_x() + t.digit<1, 32>() + one;
  if (x + 1 >= axe::extent<2>(in) || y + 1 >= axe::extent<1>(in)) return;
  auto p = axe::bind_pointer(in.data, in.sizes, one, y, x);
  auto q = axe::bind_pointer(out.data, in.sizes, one, y, x);
  float below = *p.at<-1, 0, 0>(), here = *p.at<>();
#pragma unroll 1
  for (unsigned z = 1; z + 1 < axe::extent<0>(in); ++z) {
    float const above = *p.at<1, 0, 0>();
    float const around =
        below + above + *p.at<0, 0, -1>() + *p.at<0, 0, 1>() + *p.at<0, -1, 0>() + *p.at<0, 1, 0>();
    *q.at<>() = c0 * here + c1 * around;
    below = here;
    here = above;
    p.advance<0>();
    q.advance<0>();
  }
}
