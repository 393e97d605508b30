// Multiplies exp2(S - max) by V: the second product of FlashAttention 2
// (csrc/flash_attn/src/flash_fwd_kernel.h). The accumulators of S are in the threads that need them
// as the A operand, so no element moves between threads.
#pragma once

#include "../accumulators.cuh"

namespace attention_values {
using namespace axe::literals;
using axe::direct_sum;
using kernels::atom;
using s_lanes = axe::carrier<direct_sum("S[8:4@reg]"_axe, {1, 8}, atom::accumulator, {16, 8})>;
using p_lanes = axe::carrier<direct_sum("S[4:8@reg]"_axe, {1, 4}, atom::a, {16, 16})>;
using v_lanes = axe::carrier<direct_sum("S[(4,16):(4@reg,16@reg)]"_axe, {4, 16}, atom::b, {16, 8})>;
using o_lanes = axe::carrier<direct_sum("S[16:4@reg]"_axe, {1, 16}, atom::accumulator, {16, 8})>;
using value_tile = axe::carrier<"swizzle(3,3,3) o S[(64,2,64):(64,4096,1)]"_axe>;
}  // namespace attention_values

extern "C" __global__ void __launch_bounds__(128)
    axe_attention_values(kernels::rows_of<float const> scores,
                         kernels::column_of<float const> largest,
                         kernels::rows_of<__half const> values, kernels::rows_of<float> out) {
  using namespace attention_values;
  __shared__ axe::shared_tile<__half, value_tile, axe::extents<64, 128>> staged;
  axe::copy_async(axe::exact_grid(axe::tile<64, 128>(values, axe::block_x(), 0)), staged,
                  axe::cta<128>);
  axe::async_commit();
  auto const row = axe::constant<4>{} * axe::block_x() + axe::warp_id<128>();
  auto s = axe::load<s_lanes>(axe::exact_grid(axe::tile<16, 64>(scores, row, 0)), axe::warp);
  axe::reduced<decltype(s), 1> maximum;
  axe::copy(axe::exact_grid(axe::tile<16, 1>(largest, row, 0)), maximum, axe::warp);
  axe::elementwise([](float x, float m) { return exp2f(x - m); }, s, s, maximum);
  axe::fragment<__half, p_lanes, axe::extents<16, 64>> p;
  axe::cast(s, p);
  axe::async_wait<0>();
  axe::sync(axe::cta<128>);
  axe::fragment<float, o_lanes, axe::extents<16, 128>> o;
  o.fill(0);
  axe::mma(o, p, axe::load<v_lanes>(staged, axe::warp));
  axe::copy(o, axe::exact_grid(axe::tile<16, 128>(out, row, 0)), axe::warp);
}
