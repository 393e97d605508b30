// Kernels that copy tiles. copy_kernels_test.cpp runs them on the PTX machine.
#include "copy_kernels.hpp"

#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/copy/copy_if.hpp>
#include <axe/cuda/copy/prepared.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/shared_subtile.hpp>
#include <axe/cuda/thread.hpp>
#include <axe/cuda/tma/instructions.hpp>

namespace copies {

/// A copy through shared memory. The same number of threads copies into it and out of it.
template <class Staging, class S, axe::integer Threads, axe::copy_how How = axe::copy_how{},
          class T, class M>
__device__ void through(operands<T, M> const& x) {
  constexpr axe::integer r = S::value.nodes.value(1), c = S::value.nodes.value(2);
  __shared__ axe::shared_tile<T, Staging, S> staged;
  axe::copy<How>(axe::tile<r, c>(x.in, axe::block_y(), axe::block_x()), staged, axe::cta<Threads>);
  __syncthreads();
  axe::copy<axe::copy_how{.allows_slow = How.allows_slow}>(
      staged, axe::tile<r, c>(x.out, axe::block_y(), axe::block_x()), axe::cta<Threads>);
}

using square = axe::extents<64, 64>;
using swizzled_16 = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
using padded_16 = axe::carrier<"S[(64,64):(72,1)]"_axe>;
using odd_tile = axe::extents<33, 65>;
using odd = axe::carrier<"S[(33,65):(68,1)]"_axe>;
using odd_columns = axe::carrier<"S[(33,65):(1,33)]"_axe>;

extern "C" __global__ void swizzled(operands<unsigned short, lined> x) {
  through<swizzled_16, square, 128>(x);
}
/// Rows that lie inside a period of the swizzle. The swizzle moves no address of the first row.
using swizzled_rows =
    axe::shared_tile<float, axe::carrier<"swizzle(2,2,3) o S[(16,32):(32,1)]"_axe>>;
extern "C" __global__ void to_rows_of_a_swizzle(operands<float, lined> x) {
  __shared__ swizzled_rows staged;
  auto const [i, j] = axe::block<2>();
  for (unsigned r = 0; r < 16 && 16 * i + r < axe::extent<0>(x.in); ++r)
    axe::copy(axe::tile<1, 32>(x.in, 16 * i + r, j), axe::tile<1, 32>(staged, r, 0), axe::cta<64>);
  axe::sync(axe::cta<64>);
  axe::copy(staged, axe::tile<16, 32>(x.out, i, j), axe::cta<64>);
}
extern "C" __global__ void from_rows_of_a_swizzle(operands<float, lined> x) {
  __shared__ swizzled_rows staged;
  auto const [i, j] = axe::block<2>();
  axe::copy(axe::tile<16, 32>(x.in, i, j), staged, axe::cta<64>);
  axe::sync(axe::cta<64>);
  for (unsigned r = 0; r < 16 && 16 * i + r < axe::extent<0>(x.out); ++r) {
    axe::copy_if(axe::tile<1, 16>(staged, r, 0),
                 axe::tile<1, 16>(x.out, 16 * i + r, axe::constant<2>{} * j), axe::cta<64>,
                 [](unsigned, unsigned) { return true; });
    auto const column = axe::transposed(axe::tile<1, 16>(staged, r, 1));
    unsigned const c = 32 * j + 16 + threadIdx.x;
    if (threadIdx.x < 16 && c < axe::extent<1>(x.out))
      x.out(16 * i + r, c) = column(threadIdx.x, 0);
  }
}
extern "C" __global__ void unaligned(operands<unsigned short, any> x) {
  through<padded_16, square, 96, axe::allow_slow>(x);
}
extern "C" __global__ void forced(operands<unsigned short, lined> x) {
  through<padded_16, square, 128, axe::force<axe::copy_instruction::vector_4>>(x);
}
/// The load has one cache hint, the store another.
template <axe::copy_how In, axe::copy_how Out, class T>
__device__ void hinted(operands<T, lined> const& x) {
  __shared__ axe::shared_tile<T, axe::carrier<"S[(16,64):(80,1)]"_axe>, axe::extents<16, 64>>
      staged;
  axe::copy<In>(axe::tile<16, 64>(x.in, axe::block_y(), axe::block_x()), staged, axe::cta<64>);
  __syncthreads();
  axe::copy<Out>(staged, axe::tile<16, 64>(x.out, axe::block_y(), axe::block_x()), axe::cta<64>);
}
extern "C" __global__ void read_once(operands<unsigned char, lined> x) {
  hinted<axe::cached<axe::cache_hint::read_only>, axe::cached<axe::cache_hint::no_allocate>>(x);
}
extern "C" __global__ void kept_in_l2(operands<unsigned short, lined> x) {
  hinted<axe::cached<axe::cache_hint::evict_last>, axe::cached<axe::cache_hint::evict_first>>(x);
}
extern "C" __global__ void odd_rows(operands<float, lined> x) { through<odd, odd_tile, 100>(x); }
extern "C" __global__ void by_columns(operands<double, any> x) {
  through<odd_columns, odd_tile, 128>(x);
}
extern "C" __global__ void bytes(operands<unsigned char, lined> x) {
  through<axe::carrier<"swizzle(4,2,3) o S[(16,128):(128,1)]"_axe>, axe::extents<16, 128>, 64>(x);
}

/// Copies from tensor to tensor, without shared memory.
extern "C" __global__ void direct(operands<float, lined> x) {
  axe::copy(axe::tile<8, 128>(x.in, axe::block_y(), axe::block_x()),
            axe::tile<8, 128>(x.out, axe::block_y(), axe::block_x()), axe::cta<64>);
}
extern "C" __global__ void by_given_threads(operands<float, lined> x) {
  using columns = axe::carrier<"S[(8,32,4):(1@reg,1@tid,8@reg)]"_axe>;
  axe::copy_by<columns>(axe::tile<8, 128>(x.in, axe::block_y(), axe::block_x()),
                        axe::tile<8, 128>(x.out, axe::block_y(), axe::block_x()), axe::warp);
}

/// A thread has 16 accesses, in two batches.
extern "C" __global__ void in_batches(operands<float, lined> x) {
  axe::copy(axe::tile<32, 128>(x.in, axe::block_y(), axe::block_x()),
            axe::tile<32, 128>(x.out, axe::block_y(), axe::block_x()), axe::cta<64>);
}

/// A thread has 16 accesses in one row, with one test for each.
extern "C" __global__ void in_one_row(operands<float, lined> x) {
  axe::copy(axe::tile<1, 64>(x.in, axe::block_y(), axe::block_x()),
            axe::tile<1, 64>(x.out, axe::block_y(), axe::block_x()), axe::thread);
}

/// A thread has elements in three rows and five columns.
extern "C" __global__ void by_elements(operands<float, lined> x) {
  using elements = axe::carrier<"S[(3,4,5,8):(5@reg,8@tid,1@reg,1@tid)]"_axe>;
  axe::copy_by<elements>(axe::tile<12, 40>(x.in, axe::block_y(), axe::block_x()),
                         axe::tile<12, 40>(x.out, axe::block_y(), axe::block_x()), axe::warp);
}

/// The source has whole tiles, and 32 of 64 threads copy.
using elements_of_32 = axe::carrier<"S[(3,4,5,8):(5@reg,8@tid,1@reg,1@tid)]"_axe>;
extern "C" __global__ void from_whole_tiles(operands<float, lined> x) {
  axe::copy_by<elements_of_32>(
      axe::exact_grid(axe::tile<12, 40>(x.in, axe::block_y(), axe::block_x())),
      axe::tile<12, 40>(x.out, axe::block_y(), axe::block_x()), axe::cta<64>);
}
extern "C" __global__ void from_prepared_tiles(operands<float, lined> x) {
  auto const zero = axe::constant<0>{};
  auto const copy =
      axe::prepare_copy<1>(axe::exact_grid(axe::tile<12, 1>(x.in, axe::block_y(), zero)),
                           axe::tile<12, 1>(x.out, axe::block_y(), zero), axe::cta<4>);
  unsigned const columns = axe::extent<1>(x.out);
  for (unsigned i = 40 * blockIdx.x; i < 40 * blockIdx.x + 40 && i < columns; ++i) copy(i);
}

/// A thread has eight columns. The extent of the source is a multiple of 4, that of the target not.
extern "C" __global__ void from_fours(operands<float, any> x) {
  using fours = axe::dynamic_matrix<rows, axe::dynamic(1).below(1 << 24).multiple_of(4),
                                    axe::dynamic(2).below(1 << 24)>;
  using eights = axe::carrier<"S[(2,8,4,8):(8@reg,4@tid,1@tid,1@reg)]"_axe>;
  axe::tensor<float const, fours> const in(
      x.in.data, fours(axe::extent<0>(x.in), axe::extent<1>(x.in), axe::stride<0>(x.in)));
  axe::copy_by<eights>(axe::tile<16, 32>(in, axe::block_y(), axe::block_x()),
                       axe::tile<16, 32>(x.out, axe::block_y(), axe::block_x()), axe::warp);
}

/// Copies tiles of 12 rows from a tensor whose rows come in groups of 8.
extern "C" __global__ void across_groups(operands<float, grouped_rows> x) {
  axe::copy(axe::tile<12, 24>(x.in, axe::block_y(), axe::block_x()),
            axe::tile<12, 24>(x.out, axe::block_y(), axe::block_x()), axe::cta<96>);
}

/// Partial tiles are filled with zeros in shared memory, so the sum of the shared tile is the sum
/// of the elements in bounds.
extern "C" __global__ void zeros(operands<float, lined> x) {
  __shared__ axe::shared_tile<float, axe::carrier<"S[(16,32):(32,1)]"_axe>, axe::extents<16, 32>>
      staged;
  axe::copy<axe::zero_fill>(axe::tile<16, 32>(x.in, axe::block_y(), axe::block_x()), staged,
                            axe::cta<64>);
  __syncthreads();
  if (threadIdx.x >= 16) return;
  axe::fragment<float, axe::carrier<"S[(16,2,16):(1@reg,16@reg,1@tid)]"_axe>, axe::extents<16, 32>>
      f;
  axe::copy(staged, f, axe::cta<16>);
  float sum = 0;
  axe::for_each_register<f.size>([&](auto r) { sum += f[r]; });
  atomicAdd(&x.out(0u, 0u), sum);
}

/// The operands A and B of m16n8k16, B for two instructions side by side.
using a = axe::carrier<"S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
using b = axe::carrier<"S[(2,4,2,2,8):(2@reg,1@lane,1@reg,4@reg,4@lane)]"_axe>;
/// Each warp copies its 16 x 16 tile to shared memory, by ldmatrix to an operand of mma, back to
/// shared memory, and to global memory.
template <class Fragment, class Staging>
__device__ void through_registers(operands<unsigned short, lined> const& x) {
  using tile = axe::extents<16, 16>;
  __shared__ axe::shared_tile<unsigned short, Staging, tile> staged[4], again[4];
  unsigned const warp = threadIdx.x / 32;
  auto const across = axe::constant<4>{} * axe::block_x() + axe::below<4>(warp);
  axe::copy<axe::zero_fill>(axe::tile<16, 16>(x.in, axe::block_y(), across), staged[warp],
                            axe::warp);
  __syncwarp();
  axe::fragment<unsigned short, Fragment, tile> f;
  axe::copy(staged[warp], f, axe::warp);
  axe::copy(f, again[warp], axe::warp);  // stmatrix on sm_90 and later
  __syncwarp();
  axe::copy(again[warp], axe::tile<16, 16>(x.out, axe::block_y(), across), axe::warp);
}
extern "C" __global__ void matrices(operands<unsigned short, lined> x) {
  through_registers<a, axe::carrier<"S[(16,16):(24,1)]"_axe>>(x);
}
extern "C" __global__ void matrices_transposed(operands<unsigned short, lined> x) {
  through_registers<b, axe::carrier<"swizzle(3,1,3) o S[(16,16):(16,1)]"_axe>>(x);
}

/// Copies a tile through a fragment: an operand A of 8-bit or 32-bit elements in one warp, or the
/// accumulator of wgmma in a warpgroup.
template <class Fragment, class Staging, axe::integer Rows, axe::integer Columns,
          axe::integer Threads, class T>
__device__ void through_fragment(operands<T, lined> const& x) {
  using tile = axe::extents<Rows, Columns>;
  __shared__ axe::shared_tile<T, Staging, tile> staged, again;
  axe::copy<axe::zero_fill>(axe::tile<Rows, Columns>(x.in, axe::block_y(), axe::block_x()), staged,
                            axe::cta<Threads>);
  __syncthreads();
  axe::fragment<T, Fragment, tile> f;
  axe::copy(staged, f, axe::cta<Threads>);
  axe::copy(f, again, axe::cta<Threads>);
  __syncthreads();
  axe::copy(again, axe::tile<Rows, Columns>(x.out, axe::block_y(), axe::block_x()),
            axe::cta<Threads>);
}
extern "C" __global__ void matrices_of_bytes(operands<unsigned char, lined> x) {
  using a8 = axe::carrier<"S[(2,8,2,4,4):(4@reg,4@lane,8@reg,1@lane,1@reg)]"_axe>;
  through_fragment<a8, axe::carrier<"S[(16,32):(48,1)]"_axe>, 16, 32, 32>(x);
}
extern "C" __global__ void matrices_of_words(operands<float, lined> x) {
  using a32 = axe::carrier<"S[(2,8,2,4):(1@reg,4@lane,2@reg,1@lane)]"_axe>;
  through_fragment<a32, axe::carrier<"S[(16,8):(12,1)]"_axe>, 16, 8, 32>(x);
}
extern "C" __global__ void warpgroup(operands<unsigned short, lined> x) {
  using accumulator = axe::carrier<"S[(4,2,8,8,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
  through_fragment<accumulator, swizzled_16, 64, 64, 128>(x);
}

/// Four lanes hold each element.
extern "C" __global__ void shared_by_lanes(operands<float, lined> x) {
  using held = axe::carrier<"S[(8,4):(4@lane,1@reg)] + R[4:1@lane]"_axe>;
  axe::fragment<float, held, axe::extents<8, 4>> f;
  auto const from = axe::tile<8, 4>(x.in, axe::block_y(), axe::block_x());
  f.fill(-1);
  axe::copy(from, f, axe::warp);
  axe::copy(f, axe::tile<8, 4>(x.out, axe::block_y(), axe::block_x()), axe::warp);
}
/// Only warps 4 to 7 of the block copy.
extern "C" __global__ void second_group(operands<float, lined> x) {
  using group = axe::thread_scope<axe::carrier<"S[(4,32):(1@warp,1@lane)] + 4@warp"_axe>>;
  using accumulator =
      axe::carrier<"S[(4,2,8,4,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)] + 4@warp"_axe>;
  if (!group::holds(threadIdx.x)) return;
  axe::fragment<float, accumulator, axe::extents<64, 32>> f;
  f.fill(0);
  axe::copy(axe::tile<64, 32>(x.in, axe::block_y(), axe::block_x()), f, group{});
  axe::copy(f, axe::tile<64, 32>(x.out, axe::block_y(), axe::block_x()), group{});
}

/// cp.async in two stages. With zero_fill, elements out of bounds are zero in shared memory. The
/// copies to global memory skip them.
template <axe::copy_how How, class T, class M> __device__ void in_groups(operands<T, M> const& x) {
  using tile = axe::extents<16, 64>;
  using rows_of = axe::carrier<"S[(16,64):(80,1)]"_axe>;
  __shared__ axe::shared_tile<T, rows_of, tile> staged[2];
  auto const two = [&](auto k) { return axe::constant<2>{} * axe::block_y() + k; };
  axe::copy_async<How>(axe::tile<16, 64>(x.in, two(axe::constant<0>{}), axe::block_x()), staged[0],
                       axe::cta<64>);
  axe::async_commit();
  axe::copy_async<How>(axe::tile<16, 64>(x.in, two(axe::constant<1>{}), axe::block_x()), staged[1],
                       axe::cta<64>);
  axe::async_commit();
  axe::async_wait<1>();
  __syncthreads();
  axe::copy(staged[0], axe::tile<16, 64>(x.out, two(axe::constant<0>{}), axe::block_x()),
            axe::cta<64>);
  axe::async_wait<0>();
  __syncthreads();
  axe::copy(staged[1], axe::tile<16, 64>(x.out, two(axe::constant<1>{}), axe::block_x()),
            axe::cta<64>);
}
extern "C" __global__ void groups(operands<unsigned short, lined> x) {
  in_groups<axe::zero_fill>(x);
}
extern "C" __global__ void groups_kept(operands<unsigned short, lined> x) {
  in_groups<axe::copy_how{.outside = axe::copy_outside::zero,
                          .cache = axe::cache_hint::evict_last}>(x);
}
extern "C" __global__ void groups_of_words(operands<float, any> x) {
  in_groups<axe::copy_how{}>(x);
}

#if __CUDA_ARCH__ >= 900
/// Copies a whole tile by bulk copies, to shared memory and back.
extern "C" __global__ void in_bulk(operands<float, whole> x) {
  using plain = axe::carrier<"S[(16,32):(32,1)]"_axe>;
  __shared__ axe::shared_tile<float, plain, axe::extents<16, 32>> staged;
  __shared__ axe::mbarrier_storage<1> bars;
  if (threadIdx.x != 0) return;
  bars[0].init(1);
  axe::fence_mbarrier_init();
  bars[0].arrive_and_expect_tx(axe::bytes_of_tile<decltype(staged)>);
  axe::copy_async<axe::cached<axe::cache_hint::evict_first>>(
      axe::tile<16, 32>(x.in, axe::block_y(), axe::block_x()), staged, bars[0], axe::thread);
  bars[0].wait(0);
  axe::copy_async<axe::cached<axe::cache_hint::evict_last>>(
      staged, axe::tile<16, 32>(x.out, axe::block_y(), axe::block_x()), axe::thread);
  axe::bulk_commit();
  axe::bulk_wait<0>();
}
#endif

}  // namespace copies
