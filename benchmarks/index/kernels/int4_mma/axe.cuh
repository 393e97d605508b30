// Products of 4-bit weights and up to eight tokens on tensor cores, with weights packed as in
// Marlin (marlin/marlin_cuda_kernel.cu).
#pragma once

#include "../accumulators.cuh"

namespace int4_mma {
using namespace axe::literals;
using axe::direct_sum;
using kernels::atom;
/// (row / 16, group, lane, 4). Word j of a lane has its registers of A in instruction j.
using packed = axe::tensor<unsigned const, axe::row_major<4, 32, 4>, axe::aligned<16>>;
/// Vectors of a row of weights, for each group or token. The number of rows is a multiple of 16.
template <class T> using by_rows = axe::tensor<T, axe::column_major<2>, axe::aligned<32>>;
using words = axe::carrier<"S[(32,4):(1@lane,1@reg)]"_axe>;
/// A lane has 16 adjacent columns of a token: the registers of B in four instructions.
using columns = axe::carrier<"S[(8,4,16):(4@lane,1@lane,1@reg)]"_axe>;
using a_lanes = axe::carrier<direct_sum("S[4:8@reg]"_axe, {1, 4}, atom::a, {16, 16})>;
using b_lanes = axe::carrier<direct_sum("S[4:4@reg]"_axe, {4, 1}, atom::b, {16, 8})>;
using c_lanes = axe::carrier<atom::accumulator>;
using c_of_warps =
    axe::carrier<direct_sum("S[(4,1):(1@warp,0)]"_axe, {4, 1}, atom::accumulator, {16, 8})>;
/// Sums of warps in the order of the registers of C, and one element of all warps in each thread.
using by_lanes = axe::carrier<"S[(4,2,8,4,2):(128,2,16,4,1)]"_axe>;
using by_elements = axe::carrier<"S[(4,2,8,4,2):(1@reg,2@tid,16@tid,4@tid,1@tid)]"_axe>;
template <class T> using sums = axe::fragment<T, c_lanes, axe::extents<16, 8>>;

__device__ __forceinline__ unsigned halves_of(unsigned word) {
  unsigned halves;
  asm("lop3.b32 %0, %1, 0x000f000f, 0x64006400, 0xea;" : "=r"(halves) : "r"(word));
  __half2 const both =
      __hsub2(reinterpret_cast<__half2 const&>(halves), __half2half2(__ushort_as_half(0x6408)));
  return reinterpret_cast<unsigned const&>(both);
}
}  // namespace int4_mma

extern "C" __global__ void __launch_bounds__(128)
    axe_int4_mma(axe::tensor<__half const, axe::row_major<2>, axe::aligned<128>> x,
                 int4_mma::packed weights, int4_mma::by_rows<__half const> scales,
                 int4_mma::by_rows<__half> out) {
  using namespace int4_mma;
  auto const row = axe::block_x();
  auto const zero = axe::constant<0>{};
  axe::fragment<unsigned, words, axe::extents<1, 1, 32, 4>> q;
  axe::fragment<__half, columns, axe::extents<8, 64>> held;
  axe::reduced<sums<__half>, 1> narrow;
  axe::reduced<sums<float>, 1> scale;
  axe::fragment<__half, a_lanes, axe::extents<16, 64>> a;
  axe::fragment<__half, b_lanes, axe::extents<64, 8>> b;
  sums<float> c, part;
  auto const read_weights =
      axe::prepare_copy<1>(axe::tile<1, 1, 32, 4>(weights, row, zero, zero, zero), q, axe::warp);
  auto const read_x =
      axe::prepare_copy<1, axe::zero_fill>(axe::tile<8, 64>(x, zero, zero), held, axe::warp);
  auto const read_scales =
      axe::prepare_copy<1>(axe::tile<16, 1>(scales, row, zero), narrow, axe::warp);
  c.fill(0);
#pragma unroll 1
  for (unsigned k = threadIdx.x / 32; k < axe::extent<1>(weights); k += 4) {
    read_weights(k);
    read_x(k);
    read_scales(k);
    axe::cast(narrow, scale);
    axe::for_each_register<4>([&](auto j) {
      unsigned const halves[4] = {halves_of(q[j]), halves_of(q[j] >> 4), halves_of(q[j] >> 8),
                                  halves_of(q[j] >> 12)};
      memcpy(&a[axe::constant<8>{} * j], halves, 16);
    });
    axe::for_each_register<b.size>([&](auto r) { b[r] = held[r]; });
    part.fill(0);
    axe::mma(part, a, b);
    axe::elementwise([](float sum, float p, float s) { return sum + p * s; }, c, c, part, scale);
  }
  axe::fragment<float, c_of_warps, axe::extents<4, 16, 8>> parts;
  axe::for_each_register<c.size>([&](auto r) { parts[r] = c[r]; });
  __shared__ axe::shared_tile<float, by_lanes, axe::extents<4, 16, 8>> staged;
  axe::copy(parts, staged, axe::cta<128>);
  axe::sync(axe::cta<128>);
  auto const element = axe::load<by_elements>(staged, axe::cta<128>);
  axe::reduced<decltype(element), 0> sum;
  axe::reduce<0>(axe::plus{}, element, sum, axe::cta<128>);
  axe::fragment<__half, decltype(sum)::layout_type, axe::extents<16, 8>> rounded;
  rounded[0] = __float2half(sum[0]);
  axe::copy(rounded, axe::tile<16, 8>(out, row, 0), axe::cta<128>);
}
