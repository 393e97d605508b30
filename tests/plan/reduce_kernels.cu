// Reductions and elementwise operations on fragments. reduce_kernels_test.cpp runs them on the PTX
// machine.
#include "reduce_kernels.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <axe/cuda/cast.hpp>
#include <axe/cuda/online_softmax.hpp>

using namespace axe::literals;

namespace reductions {

template <class P, class S> using tile = axe::fragment<float, axe::carrier<P::value>, S>;

/// Register r of thread t is in[t * size + r], and that of the result out[t * size + r].
template <class F> __device__ void fetch(F& f, typename F::value_type const* in) {
  axe::for_each_register<F::size>([&](auto r) { f[r] = in[threadIdx.x * F::size + r.value]; });
}
template <class F> __device__ void put(F const& f, typename F::value_type* out) {
  axe::for_each_register<F::size>([&](auto r) { out[threadIdx.x * F::size + r.value] = f[r]; });
}

template <class F, int... Dims, class Scope>
__device__ void in_warps(float const* in, float* out, Scope scope) {
  F x;
  fetch(x, in);
  axe::reduced<F, Dims...> sums;
  axe::reduce<Dims...>(axe::plus{}, x, sums, scope);
  put(sums, out);
}
template <class F, int... Dims, class Scope>
__device__ void in_block(float const* in, float* out, Scope scope) {
  __shared__ axe::reduce_scratch<F, Dims...> scratch;
  F x;
  fetch(x, in);
  axe::reduced<F, Dims...> sums;
  axe::reduce<Dims...>(axe::plus{}, x, sums, scratch, scope);
  put(sums, out);
}

extern "C" __global__ void rows_of_mma(float const* in, float* out) {
  in_warps<mma_accumulator, 1>(in, out, axe::warp);
}
extern "C" __global__ void columns_of_mma(float const* in, float* out) {
  in_warps<mma_accumulator, 0>(in, out, axe::warp);
}
extern "C" __global__ void all_of_mma(float const* in, float* out) {
  in_warps<mma_accumulator, 0, 1>(in, out, axe::warp);
}
/// Reduces the registers of each thread first and the lanes afterwards.
extern "C" __global__ void rows_in_two_steps(float const* in, float* out) {
  mma_accumulator x;
  fetch(x, in);
  axe::reduced<mma_accumulator, 1> sums;
  sums.fill(0);
  axe::accumulate_registers<1>(axe::plus{}, x, sums);
  axe::combine_lanes<mma_accumulator, 1>(axe::plus{}, sums, axe::warp);
  put(sums, out);
}
/// y = 3 x + s, where s is the sum of the thread's registers of x in the same row.
extern "C" __global__ void sums_to_each_register(float const* in, float* out) {
  mma_accumulator x, y;
  fetch(x, in);
  axe::elementwise([](float v) { return 3 * v; }, y, x);
  axe::accumulate_registers<1>(axe::plus{}, x, y);
  put(y, out);
}
/// A softmax over three blocks of 16 x 8 scores, the second of which is masked. The output has the
/// weights of the last block, the factor that rescales earlier blocks, the result of finish, and
/// the logarithm of the sum.
extern "C" __global__ void softmax_of_blocks(float const* in, float* out) {
  axe::online_softmax<mma_accumulator> softmax(0.5f);
  mma_accumulator s;
  fetch(s, in);
  softmax.weigh(s, axe::warp);
  s.fill(softmax.masked());
  softmax.weigh(s, axe::warp);
  fetch(s, in + 32 * s.size);
  put(softmax.weigh(s, axe::warp), out + 32 * s.size);
  put(s, out);
  put(softmax.finish(axe::warp), out + 32 * s.size + 64);
  put(softmax.sum, out + 32 * s.size + 128);
}
/// A softmax of scores that are all masked.
extern "C" __global__ void softmax_of_nothing(float const*, float* out) {
  axe::online_softmax<mma_accumulator> softmax(1.5f);
  mma_accumulator s;
  for (int block = 0; block < 2; ++block) {
    s.fill(softmax.masked());
    put(softmax.weigh(s, axe::warp), out + 32 * s.size);
  }
  put(s, out);
  put(softmax.finish(axe::warp), out + 32 * s.size + 64);
  put(softmax.sum, out + 32 * s.size + 128);
}
extern "C" __global__ void three_lanes_each(float const* in, float* out) {
  in_warps<three_lanes, 1>(in, out, axe::warp);
}
extern "C" __global__ void columns_in_half_warps(float const* in, float* out) {
  in_warps<half_warp, 0>(in, out, axe::group_scope<16>{});
}
extern "C" __global__ void long_row(float const* in, float* out) {
  in_block<row, 0>(in, out, axe::cta<256>);
}
extern "C" __global__ void uneven(float const* in, float* out) {
  // 96 of the 128 threads hold the tile.
  in_block<sixes, 1>(in, out, axe::cta<128>);
}
// The last warp is partial. Its lanes must not read lanes that do not exist.
extern "C" __global__ void fours_in_partial_warps(float const* in, float* out) {
  in_warps<fours_of_300, 1>(in, out, axe::cta<300>);
}
extern "C" __global__ void columns_in_partial_warps(float const* in, float* out) {
  in_block<fours_of_300, 0>(in, out, axe::cta<300>);
}
extern "C" __global__ void row_in_partial_warps(float const* in, float* out) {
  in_block<row_of_300, 0>(in, out, axe::cta<300>);
}
extern "C" __global__ void eights_beside_idle_lanes(float const* in, float* out) {
  in_warps<eights_of_296, 1>(in, out, axe::cta<300>);
}
extern "C" __global__ void threes_beside_idle_lanes(float const* in, float* out) {
  in_warps<threes_of_30, 1>(in, out, axe::cta<70>);
}
/// Threads before the first one with elements must not read outside of the scratch.
extern "C" __global__ void rows_from_thread_101(float const* in, float* out) {
  in_block<from_thread_101, 1>(in, out, axe::cta<500>);
}
extern "C" __global__ void columns_from_thread_101(float const* in, float* out) {
  in_block<from_thread_101, 0>(in, out, axe::cta<500>);
}
extern "C" __global__ void replicated(float const* in, float* out) {
  in_block<replicated_rows, 0>(in, out, axe::cta<256>);
}
/// A reduction with 64 results. The next kernel has 640. A thread combines the warps' parts of one
/// of the 64 results, and of four or none of the 640.
extern "C" __global__ void sums_of_columns(float const* in, float* out) {
  in_block<columns, 0>(in, out, axe::cta<256>);
}
extern "C" __global__ void sums_of_many_columns(float const* in, float* out) {
  in_block<many_columns, 0>(in, out, axe::cta<256>);
}
/// The operation returns float, which converts to __half and back.
extern "C" __global__ void sums_of_halves(float const* in, float* out) {
  using halves = axe::fragment<__half, columns::layout_type, columns::shape_type>;
  __shared__ axe::reduce_scratch<halves, 0> scratch;
  columns x;
  fetch(x, in);
  halves rounded;
  axe::cast(x, rounded);
  axe::reduced<halves, 0> sums;
  axe::reduce<0>([](float a, float b) { return a + b; }, rounded, sums, scratch, axe::cta<256>);
  axe::reduced<columns, 0> result;
  axe::cast(sums, result);
  put(result, out);
}

// Sums, and products with a column. From sm_100 on, one instruction computes registers 2p and
// 2p + 1.
template <class F> __device__ void with_itself(auto op, float const* in, float* out) {
  F x;
  fetch(x, in);
  axe::elementwise(op, x, x, x);
  put(x, out);
}
extern "C" __global__ void sums_of_four_columns(float const* in, float* out) {
  with_itself<four_columns>(axe::plus{}, in, out);
}
extern "C" __global__ void sums_of_seven_columns(float const* in, float* out) {
  with_itself<seven_columns>(axe::plus{}, in, out);
}
/// Single products, so that a reduction of the squares can fuse them with its additions.
extern "C" __global__ void squares_of_four_columns(float const* in, float* out) {
  with_itself<four_columns>(axe::times{}, in, out);
}
/// One factor for each row, the first value of the thread's registers of that row.
extern "C" __global__ void products_with_a_column(float const* in, float* out) {
  four_columns x;
  fetch(x, in);
  one_column const factor{x[axe::constant<0>{}], x[axe::constant<4>{}]};
  axe::elementwise(axe::times{}, x, x, factor);
  put(x, out);
}

/// A structure of 12 bytes moves through shared memory word by word. The sums are 1, 2 and 4 times
/// those of x.
struct triple {
  float one, two, four;
};
template <class F> __device__ void sum_triples(float const* in, float* out) {
  using triples = axe::fragment<triple, typename F::layout_type, typename F::shape_type>;
  __shared__ axe::reduce_scratch<triples, 0> scratch;
  F x;
  fetch(x, in);
  triples multiples;
  axe::elementwise([](float v) { return triple{v, 2 * v, 4 * v}; }, multiples, x);
  axe::reduced<triples, 0> sums;
  axe::reduce<0>(
      [](triple a, triple b) { return triple{a.one + b.one, a.two + b.two, a.four + b.four}; },
      multiples, sums, scratch, axe::cta<256>);
  axe::reduced<F, 0> result;
  axe::elementwise([](triple t) { return t.four - t.two - t.one; }, result, sums);
  put(result, out);
}
extern "C" __global__ void sums_of_triples(float const* in, float* out) {
  sum_triples<columns>(in, out);
}
/// Lanes fold the eight partial results.
extern "C" __global__ void sum_of_triples(float const* in, float* out) {
  sum_triples<row>(in, out);
}

/// The sums of x and of 3x.
extern "C" __global__ void two_sums(float const* in, float* out) {
  using pairs = axe::fragment<float2, three_lanes::layout_type, three_lanes::shape_type>;
  three_lanes x;
  fetch(x, in);
  pairs both;
  axe::elementwise([](float v) { return float2{v, 3 * v}; }, both, x);
  axe::reduced<pairs, 1> sums;
  axe::reduce<1>(axe::plus{}, both, sums, axe::warp);
  axe::reduced<three_lanes, 1> result;
  axe::elementwise([](float2 v) { return v.y - 2 * v.x; }, result, sums);
  put(result, out);
}

// Reductions of each row with the given operation, by redux.sync or by shuffles.
template <class F, int Dim, class Op, class T = typename F::value_type>
__device__ void rows_by(Op const& op, T const* in, T* out) {
  F x;
  fetch(x, in);
  axe::reduced<F, Dim> result;
  axe::reduce<Dim>(op, x, result, axe::warp);
  put(result, out);
}
extern "C" __global__ void int_plus(int const* in, int* out) {
  rows_by<warp_rows<int>, 1>(axe::plus{}, in, out);
}
extern "C" __global__ void int_minimum(int const* in, int* out) {
  rows_by<warp_rows<int>, 1>(axe::minimum{}, in, out);
}
extern "C" __global__ void unsigned_maximum(unsigned const* in, unsigned* out) {
  rows_by<warp_rows<unsigned>, 1>(axe::maximum{}, in, out);
}
extern "C" __global__ void unsigned_plus_over_warps(unsigned const* in, unsigned* out) {
  using F = long_row_of<unsigned>;
  __shared__ axe::reduce_scratch<F, 0> scratch;
  F x;
  fetch(x, in);
  axe::reduced<F, 0> sum;
  sum.fill(7);
  axe::accumulate<0>(axe::plus{}, x, sum, scratch, axe::cta<256>);
  put(sum, out);
}
extern "C" __global__ void int_or(int const* in, int* out) {
  rows_by<warp_rows<int>, 1>([](int a, int b) { return a | b; }, in, out);
}
extern "C" __global__ void int_plus_of_eights(int const* in, int* out) {
  rows_by<eights, 1>(axe::plus{}, in, out);
}
extern "C" __global__ void float_maximum(float const* in, float* out) {
  rows_by<warp_rows<float>, 1>(axe::maximum{}, in, out);
}

template <class T, class Pair> __device__ void rounded_maximum(float const* in, float* out) {
  warp_rows<float> x;
  fetch(x, in);
  warp_rows<T> rounded;
  axe::cast(x, rounded);
  axe::reduced<warp_rows<T>, 1> largest, least;
  axe::reduce<1>(axe::maximum{}, rounded, largest, axe::warp);
  axe::elementwise([](T v) { return -v; }, rounded, rounded);
  axe::reduce<1>(axe::minimum{}, rounded, least, axe::warp);
  axe::elementwise(
      [](T a, T b) {
        Pair const above = axe::maximum{}(Pair{a, b}, Pair{b, a});
        Pair const below = axe::minimum{}(Pair{a, b}, Pair{b, a});
        bool const same = above.x == above.y && below.x == below.y && above.x == -below.x;
        return (a == -b && same) || (a != a && b != b) ? a : T(99);
      },
      largest, largest, least);
  axe::reduced<warp_rows<float>, 1> result;
  axe::cast(largest, result);
  put(result, out);
}
extern "C" __global__ void f16_maximum(float const* in, float* out) {
  rounded_maximum<__half, __half2>(in, out);
}
extern "C" __global__ void bf16_maximum(float const* in, float* out) {
  rounded_maximum<__nv_bfloat16, __nv_bfloat162>(in, out);
}

/// Subtracts the maximum of each row from the row, rounds to bf16, and adds the sum of the row to
/// 100.
extern "C" __global__ void softmax_like(float const* in, float* out) {
  mma_accumulator x, shifted;
  fetch(x, in);
  axe::reduced<mma_accumulator, 1> largest, sum;
  axe::reduce<1>(axe::maximum{}, x, largest, axe::warp);
  axe::elementwise([](float a, float m) { return a - m; }, shifted, x, largest);
  axe::fragment<__nv_bfloat16, mma_accumulator::layout_type, mma_accumulator::shape_type> rounded;
  axe::cast(shifted, rounded);
  axe::cast(rounded, shifted);
  sum.fill(100);
  axe::accumulate<1>(axe::plus{}, shifted, sum, axe::warp);
  put(sum, out);
}

/// Casts to each of the types, one after the other.
template <class T, class... More, class F> __device__ void cast_through(F const& x, float* out) {
  axe::fragment<T, typename F::layout_type, typename F::shape_type> next;
  axe::cast(x, next);
  if constexpr (sizeof...(More) == 0)
    put(next, out);
  else
    cast_through<More...>(next, out);
}
/// Rounds to each type and back, and from each narrow type to another one.
extern "C" __global__ void casts(float const* in, float* out) {
  mma_accumulator x;
  fetch(x, in);
  cast_through<float, __nv_fp8_e4m3, float>(x, out);
  cast_through<__nv_fp8_e5m2, __nv_fp8_e4m3, float>(x, out + 32 * x.size);
  cast_through<__half, float>(x, out + 64 * x.size);
  cast_through<__nv_bfloat16, float>(x, out + 96 * x.size);
}
extern "C" __global__ void casts_of_narrow_floats(float const* in, float* out) {
  mma_accumulator x;
  fetch(x, in);
  cast_through<__half, __nv_fp8_e4m3, __nv_bfloat16, __nv_fp8_e5m2, __half, __nv_bfloat16, float>(
      x, out);
}
/// Widens all 256 values of an 8-bit float: by CUDA one by one, by cast, and by cast through f16.
template <class T> __device__ void widen_all(float* out) {
  using by_lanes = axe::carrier<"S[(32,8):(1@lane,1@reg)]"_axe>;
  axe::fragment<T, by_lanes, axe::extents<256>> all;
  axe::fragment<float, by_lanes, axe::extents<256>> one_by_one;
  axe::for_each_register<8>([&](auto r) {
    all[r].__x = static_cast<unsigned char>(8 * threadIdx.x + r);
    one_by_one[r] = static_cast<float>(all[r]);
  });
  put(one_by_one, out);
  cast_through<float>(all, out + 256);
  cast_through<__half, float>(all, out + 512);
}
extern "C" __global__ void casts_of_all_bytes(float const*, float* out) {
  widen_all<__nv_fp8_e4m3>(out);
  widen_all<__nv_fp8_e5m2>(out + 768);
}
/// Truncates to signed bytes, rounds to signed bytes, truncates twice the size to unsigned bytes,
/// converts positive values to true, and saturates four times the value as signed, unsigned bytes.
extern "C" __global__ void casts_to_bytes(float const* in, float* out) {
  mma_accumulator x, other;
  fetch(x, in);
  cast_through<signed char, __half, float>(x, out);
  axe::elementwise([](float v) { return rintf(v); }, other, x);
  cast_through<signed char, float>(other, out + 32 * x.size);
  axe::elementwise([](float v) { return 2 * fabsf(v); }, other, x);
  cast_through<unsigned char, __nv_bfloat16, float>(other, out + 64 * x.size);
  axe::elementwise([](float v) { return fmaxf(v, 0); }, other, x);
  cast_through<bool, float>(other, out + 96 * x.size);
  axe::elementwise([](float v) { return 4 * v; }, other, x);
  cast_through<signed char, float>(other, out + 128 * x.size);
  cast_through<__half, unsigned char, float>(other, out + 160 * x.size);
}

}  // namespace reductions
