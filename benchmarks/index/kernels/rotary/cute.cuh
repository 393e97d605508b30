// Rotary embedding of neighbouring pairs, with CuTe. hand.cuh gives the shapes. xb, xh and xt are
// the strides of x over batches, heads and tokens; yb, yh and yt those of y.
#pragma once

#include "../cute.cuh"

extern "C" __global__ void __launch_bounds__(128)
    cute_rotary(__half const* x, __half* y, float const* cosines, float const* sines,
                unsigned tokens, unsigned xb, unsigned xh, unsigned xt, unsigned yb, unsigned yh,
                unsigned yt) {
  using namespace by_cute;
  if (blockIdx.x * 8 + threadIdx.x / 16 >= tokens) return;
  auto const part = [&](auto const& all, auto width) {
    auto const tile = local_tile(all, make_shape(_8{}, size<1>(all)), make_coord(blockIdx.x, 0));
    return zipped_divide(tile, make_tile(_1{}, width))(
        make_coord(_, _), make_coord(threadIdx.x / 16, threadIdx.x % 16));
  };
  std::int64_t const b = blockIdx.z, h = blockIdx.y;
  auto const from = part(matrix(x + (b * xb + h * xh), tokens, _128{}, xt), _8{});
  auto to = part(matrix(y + (b * yb + h * yh), tokens, _128{}, yt), _8{});
  auto const c = part(matrix(cosines, tokens, _64{}, 64), _4{});
  auto const s = part(matrix(sines, tokens, _64{}, 64), _4{});
  auto v = make_tensor<__half>(Shape<_1, _8>{});
  auto cs = make_tensor<float>(Shape<_1, _4>{}), sn = make_tensor<float>(Shape<_1, _4>{});
  AutoVectorizingCopyWithAssumedAlignment<128> const vectors{};
  copy(vectors, from, v);
  copy(vectors, c, cs);
  copy(vectors, s, sn);
  CUTE_UNROLL
  for (int i = 0; i < 4; ++i) {
    float2 const p = __half22float2(__halves2half2(v(2 * i), v(2 * i + 1)));
    __half2 const turned = __floats2half2_rn(p.x * cs(i) - p.y * sn(i), p.x * sn(i) + p.y * cs(i));
    v(2 * i) = __low2half(turned);
    v(2 * i + 1) = __high2half(turned);
  }
  copy(vectors, v, to);
}
