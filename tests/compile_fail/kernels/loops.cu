// Mistakes in main loops: pipelines, tensor copies, products and epilogues. The code before the
// cases shows the correct calls.
#include "setup.hpp"

#include <axe/cuda/mma/wgmma.hpp>

#include <cuda_bf16.h>

using halves = axe::tensor<__half, axe::row_major<2>, axe::aligned<16>>;
template <int Rows, axe::swizzle_mode Mode> struct rows_of {
  static constexpr axe::layout value = axe::mma_shared_layout(16, Mode, {Rows, 64});
};
using in_128 = rows_of<64, axe::swizzle_mode::bytes_128>;
using in_64 = rows_of<64, axe::swizzle_mode::bytes_64>;
using plain = axe::carrier<"S[(64,64):(64,1)]"_axe>;
using padded = axe::carrier<"S[(64,64):(72,1)]"_axe>;
using box = axe::extents<64, 64>;
using buffer = axe::shared_tile<__half, in_128, box>;
using accumulator = axe::carrier<axe::wgmma_atom<64, 16>::accumulator>;
using mma_sums = axe::carrier<axe::mma_atom<16, 8, 16, 16>::accumulator>;
using small_a = axe::carrier<axe::mma_atom<16, 8, 8, 16>::a>;
using big_a = axe::carrier<axe::mma_atom<16, 8, 16, 16>::a>;
using big_b = axe::carrier<axe::mma_atom<16, 8, 16, 16>::b>;
using small_b = axe::carrier<axe::mma_atom<16, 8, 8, 16>::b>;
/// B has 64 x 64 elements. Each of two warps has 32 of its columns.
using b_of_warps = axe::carrier<axe::direct_sum("S[(4,2,4):(16@reg,1@warp,4@reg)]"_axe, {4, 8},
                                                axe::mma_atom<16, 8, 16, 16>::b, {16, 8})>;

using const_halves = axe::tensor<__half const, axe::row_major<2>, axe::aligned<16>>;
using with_any_columns = axe::tensor<
    __half, axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2).multiple_of(8)>,
    axe::aligned<16>>;
using bfloats = axe::tensor<__nv_bfloat16, axe::row_major<2>, axe::aligned<16>>;
using aligned_floats = axe::tensor<float, axe::row_major<2>, axe::aligned<16>>;
constexpr auto add = axe::tma_reduction::add;

__global__ void loop(halves A, halves C, output F, __grid_constant__ axe::tensor_map const map,
                     const_halves fixed, bfloats others, with_any_columns any_columns) {
  __shared__ alignas(1024) axe::shared_tile<__half, in_128, box> a[3], b[3];
  __shared__ axe::shared_tile<__half, in_64, box> narrow;
  __shared__ axe::shared_tile<__half, plain> rows;
  __shared__ axe::shared_tile<__half, padded> apart;
  __shared__ axe::pipeline_storage<3> storage;
  __shared__ axe::mbarrier_storage<3> bars;
  axe::pipeline<3> const pipe(storage);
  axe::pipeline_state<3> at;
  axe::pipeline_state<4> of_four;
  axe::fragment<float, accumulator, box> c;
  axe::fragment<__half, accumulator, box> rounded;
  axe::fragment<float, mma_sums, axe::extents<16, 8>> d;
  axe::fragment<__half, small_a, axe::extents<16, 8>> sa;
  axe::fragment<__half, big_a, axe::extents<16, 16>> ba;
  axe::fragment<__half, big_b, axe::extents<16, 8>> bb;
  axe::fragment<__half, small_b, axe::extents<8, 8>> sb;
  c.fill(0), d.fill(0), sa.fill(0), ba.fill(0), bb.fill(0), sb.fill(0);
  auto const fill =
      axe::prepare_copy_async<1>(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), a, axe::thread);
  fill(0, at.stage, pipe.full(at.stage));
  auto const drain =
      axe::prepare_copy_async<1>(a, axe::mapped(map, axe::tile<64, 64>(C, 0, 0)), axe::thread);
  drain(0, at.stage);
#if !MISTAKE
  axe::fragment<__half, b_of_warps, box> of_warps;
  axe::prepare_copy(b, of_warps, axe::cta<64>)(at.stage);
  axe::copy_async(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), a[at.stage],
                  pipe.fill(at, axe::bytes_of_tile<buffer>), axe::thread);
  pipe.wait_until_full(at);
  axe::mma(c, a[at.stage], axe::transposed(b[at.stage]));
  pipe.release(at);
  pipe.release(at, axe::warpgroup);
  axe::mma(d, ba, bb);
  axe::mma(d, sa, sb);
  axe::cast(c, rounded);
  axe::copy(rounded, a[0], axe::warpgroup);
  axe::copy(rounded, axe::tile<64, 64>(C, 0, 0), axe::warpgroup);
  axe::copy_async(a[0], axe::mapped(map, axe::tile<64, 64>(C, 0, 0)), axe::thread);
  axe::copy_async(axe::mapped(map, axe::tile<64, 64>(any_columns, 0, 0)), a[0], bars[0],
                  axe::thread);
  axe::copy_async(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), a[0], bars[0], axe::thread);
  axe::copy_async(axe::mapped(map, axe::tile<64, 64>(fixed, 0, 0)), a[0], bars[0], axe::thread);
  axe::copy_async<axe::reducing<add>>(a[0], axe::mapped(map, axe::tile<64, 64>(C, 0, 0)),
                                      axe::thread);
  auto const sum = axe::prepare_copy_async<1, axe::reducing<add>>(
      a, axe::mapped(map, axe::tile<64, 64>(C, 0, 0)), axe::thread);
  sum(0, at.stage);
  axe::bulk_wait_read<1>();
  axe::wgmma_fence(c);
  axe::wgmma_wait<0>(c);
  axe::increase_registers<240>();
#endif
  (void)narrow, (void)rows, (void)apart, (void)of_four;

#if MISTAKE == 1  // to convert from "unsigned int" to "axe::.*pipeline_state<3>"
  pipe.wait_until_full(at.stage);
#elif MISTAKE == 2   // from "axe::.*pipeline_state<4>" to "axe::.*pipeline<3>::state"
  pipe.wait_until_full(of_four);
#elif MISTAKE == 4   // pipeline_state<Stages>::operator unsigned int\(\).* is a deleted function
  pipe.full(at);
#elif MISTAKE == 7   // a prepared load takes its mbarrier
  fill(0, at.stage);
#elif MISTAKE == 8   // is an integer, such as s.stage of a pipeline_state s
  fill(0, at, pipe.full(at.stage));
#elif MISTAKE == 9   // a prepared store takes none
  drain(0, at.stage, bars[0]);
#elif MISTAKE == 62  // this prepared copy takes a step and a stage
  drain(0);
#elif MISTAKE == 63  // pipeline_state<Stages>::operator unsigned int\(\).* is a deleted function
  axe::mma(c, a[at], axe::transposed(b[at.stage]));
#elif MISTAKE == 64  // pipeline_state<Stages>::operator unsigned int\(\).* is a deleted function
  if (at == 2) axe::mma(c, a[0], axe::transposed(b[0]));
#elif MISTAKE == 56  // is not a positive multiple of the instruction's
  axe::mma_async(d, ba, bb);
#elif MISTAKE == 55  // takes no number: no side is a tensor or an array of tiles
  axe::prepare_copy(rows, apart, axe::cta<256>)(0);
#elif MISTAKE == 57  // takes one number: the step of its tensors
  axe::prepare_copy<0>(axe::tile<64, 64>(A, 0, 0), axe::tile<64, 64>(C, 0, 0), axe::cta<256>)(0, 1);
#elif MISTAKE == 58  // must be a multiple of
  axe::copy_async(a[0], axe::mapped(map, axe::tile<64, 64>(any_columns, 0, 0)), axe::thread);
#elif MISTAKE == 10  // it takes three operands, no scope
  axe::mma(c, a[0], b[0], axe::warpgroup);
#elif MISTAKE == 11  // which do not multiply
  axe::mma(d, sa, bb);
#elif MISTAKE == 12  // axe::cast converts fragments
  axe::copy(c, axe::tile<64, 64>(C, 0, 0), axe::warpgroup);
#elif MISTAKE == 13  // and stored by copy_async
  axe::copy_async(a[0], axe::mapped(map, axe::tile<64, 64>(C, 0, 0)), bars[0], axe::thread);
#elif MISTAKE == 14  // a mapped tile is loaded by copy_async
  axe::copy_async(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), a[0], axe::thread);
#elif MISTAKE == 15  // a mapped tile is loaded by copy_async
  axe::copy(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), a[0], axe::thread);
#elif MISTAKE == 61  // a mapped tile is loaded by copy_async
  axe::copy_async(map, a[0], bars[0], axe::thread);
#elif MISTAKE == 16  // which is not a multiple of 128
  axe::copy_async(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), apart, bars[0], axe::thread);
#elif MISTAKE == 17  // mapped takes a map and a tile
  axe::copy_async(axe::mapped(map, A), a[0], bars[0], axe::thread);
#elif MISTAKE == 18  // "axe::.*mapped" matches the argument list
  axe::copy_async(axe::mapped(A, axe::tile<64, 64>(A, 0, 0)), a[0], bars[0], axe::thread);
#elif MISTAKE == 19  // "axe::.*wgmma_wait" matches the argument list
  axe::wgmma_wait(0);
#elif MISTAKE == 20  // "axe::.*increase_registers" matches the argument list
  axe::increase_registers(240);
#elif MISTAKE == 21  // no default constructor exists for class "axe::.*pipeline<3>"
  axe::pipeline<3> const wrong;
#elif MISTAKE == 22  // pipeline<Stages>::pipeline \[with Stages=4\]
  axe::pipeline<4> const wrong(storage);
#elif MISTAKE == 23  // the operand has \{2\}
  axe::elementwise([](float x) { return __float2half(x); }, rounded, d);
#elif MISTAKE == 24  // must be a multiple of 8
  axe::increase_registers<250>();
#elif MISTAKE == 25  // axe::cast converts fragments
  axe::copy(a[0], c, axe::warpgroup);
#elif MISTAKE == 26  // a shared tile takes them as axe::shared_tile<T, L, axe::extents<64, 16>>
  __shared__ axe::shared_tile<__half, in_128> without_shape;
  axe::mma(c, without_shape, axe::transposed(b[0]));
#elif MISTAKE == 27  // use axe::mma_shared_layout
  axe::mma<axe::mma_choice::wgmma>(c, apart, b[0]);
#elif MISTAKE == 28  // pass axe::transposed\(b\) of a tile with N rows
  axe::mma(c, a[0], axe::tile<32, 64>(b[0], 0, 0));
#elif MISTAKE == 29  // this call needs a scope
  pipe.release(at, 128);
#elif MISTAKE == 30  // prepare_copy_async takes an array of shared tiles
  axe::prepare_copy_async<1>(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), a[0], axe::thread);
#elif MISTAKE == 31  // prepare_copy_async takes an array of shared tiles
  axe::prepare_copy_async<1>(a[0], axe::mapped(map, axe::tile<64, 64>(C, 0, 0)), axe::thread);
#elif MISTAKE == 32  // wgmma_fence and wgmma_wait take the fragments of the product
  axe::wgmma_wait<0>(c, at);
#elif MISTAKE == 33  // wgmma_fence and wgmma_wait take the fragments of the product
  axe::wgmma_fence(c, a[0]);
#elif MISTAKE == 34  // cannot write to a tensor of const elements
  axe::copy_async(a[0], axe::mapped(map, axe::tile<64, 64>(fixed, 0, 0)), axe::thread);
#elif MISTAKE == 35  // both sides must have the same element type
  axe::copy_async<axe::reducing<add>>(a[0], axe::mapped(map, axe::tile<64, 64>(others, 0, 0)),
                                      axe::thread);
#elif MISTAKE == 36  // not pointers or arrays
  axe::copy_async(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), a, bars[0], axe::thread);
#elif MISTAKE == 37  // a copy is between tiles of the same shape
  axe::copy_async(axe::mapped(map, axe::tile<64, 32>(A, 0, 0)), a[0], bars[0], axe::thread);
#elif MISTAKE == 38  // cannot write to a tensor of const elements
  auto const wrong =
      axe::prepare_copy_async<1>(a, axe::mapped(map, axe::tile<64, 64>(fixed, 0, 0)), axe::thread);
#elif MISTAKE == 39  // both sides must have the same element type
  auto const wrong = axe::prepare_copy_async<1, axe::reducing<add>>(
      a, axe::mapped(map, axe::tile<64, 64>(others, 0, 0)), axe::thread);
#elif MISTAKE == 40  // name the dimension along which the tensor advances
  auto const wrong =
      axe::prepare_copy_async<2>(a, axe::mapped(map, axe::tile<64, 64>(C, 0, 0)), axe::thread);
#elif MISTAKE == 41  // name the dimension along which the tensor advances
  auto const wrong =
      axe::prepare_copy_async(axe::mapped(map, axe::tile<64, 64>(A, 0, 0)), a, axe::thread);
#elif MISTAKE == 49  // bulk_wait<Pending>: Pending must be at least 0
  axe::bulk_wait<-1>();
#elif MISTAKE == 50  // bulk_wait_read<Pending>: Pending must be at least 0
  axe::bulk_wait_read<-1>();
#elif MISTAKE == 51  // the array has no such stage
  fill(0, axe::constant<3>{}, bars[0]);
#elif MISTAKE == 52  // pipeline_state<Stages>: Stages must be at least 1
  axe::pipeline_state<0> const none;
#elif MISTAKE == 47  // both sides must have the same element type
  axe::copy_async(axe::tile<64, 64>(others, 0, 0), a[0], axe::cta<128>);
#elif MISTAKE == 48  // both sides must have the same element type
  axe::fragment<__nv_bfloat16, big_a, axe::extents<16, 16>> held;
  axe::copy(axe::tile<16, 16>(rows, 0, 0), held, axe::warp);
#elif MISTAKE == 59  // need tiles that begin at multiples of
  axe::mma(c, axe::tile<64, 32>(a[0], 0, 1), axe::tile<32, 64>(axe::transposed(b[0]), 1, 0));
#elif MISTAKE == 60  // need tiles that begin at multiples of
  axe::copy_async(axe::mapped(map, axe::tile<64, 32>(A, 0, 1)), axe::tile<64, 32>(b[0], 0, 1),
                  bars[0], axe::thread);
#endif
}

void maps(halves A) {
  axe::tensor_map const map = axe::map_for<buffer>(A);
  static_cast<void>(map);
  static_cast<void>(axe::mapped_for<buffer>(A));
#if MISTAKE == 44  // and a tensor with elements of the same size
  axe::tensor_map const wrong = axe::map_for<axe::shared_tile<float, in_128, box>>(A);
#elif MISTAKE == 45  // which is not a multiple of 128
  axe::tensor_map const wrong =
      axe::map_for<axe::shared_tile<__half, axe::carrier<"S[(64,64):(72,1)]"_axe>>>(A);
#elif MISTAKE == 46  // which is not a multiple of 128
  auto const wrong =
      axe::mapped_for<axe::shared_tile<__half, axe::carrier<"S[(64,64):(72,1)]"_axe>>>(A);
#endif
}

__global__ void count(float* data, int n) {
  for (int i = axe::thread_id<256>(); i < n; i += 256) data[i] = 0;
#if MISTAKE == 53  // count in an int
  for (auto i = axe::thread_id<256>(); i < n; i += 256) data[i] = 0;
#elif MISTAKE == 54  // count in an int
  for (auto i = axe::block_x(); i < n; ++i) data[i] = 0;
#endif
}
