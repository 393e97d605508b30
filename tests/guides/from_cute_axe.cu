// The idioms of docs/guides/from_cute.md, written with axe. from_cute_cute.cu is CuTe's side.
// A number is that of its idiom in the guide.
#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/mma/mma.hpp>

#include <cuda_fp16.h>

using namespace axe::literals;
using axe::extents;

__global__ void views(float* a, int m, int n, int lda) {
  // 1
  axe::tensor<float, axe::row_major<2>> const A(a, m, n, lda);

  // 2
  auto const tile = axe::tile<64, 32>(A, axe::block_y(), axe::block_x());

  // 3
  using by_rows = axe::carrier<"S[(8,8,32):(1@reg,32@tid,1@tid)]"_axe>;
  auto const thread_tile = axe::local_partition<by_rows>(tile, axe::thread_id());

  // 4
  axe::fragment<float, by_rows, extents<64, 32>> held;
  held.fill(0);

  // 5
  axe::for_each_register<thread_tile.size>([&](auto r) {
    if (thread_tile.in_bounds(r)) thread_tile.store(r, held[r] + 1);
  });
}

using aligned_input = axe::tensor<__half const, axe::row_major<2>, axe::aligned<16>>;
using aligned_output = axe::tensor<__half, axe::row_major<2>, axe::aligned<16>>;

__global__ void copies(aligned_input in, aligned_output out) {
  // 6
  using swizzled = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
  __shared__ axe::shared_tile<__half, swizzled, extents<64, 64>> staged;

  auto const from = axe::tile<64, 64>(in, axe::block_y(), axe::block_x());
  auto const to = axe::tile<64, 64>(out, axe::block_y(), axe::block_x());
  // 7
  axe::copy_async<axe::zero_fill>(from, staged, axe::cta<128>);
  axe::async_commit();
  axe::async_wait<0>();
  axe::sync(axe::cta<128>);

  // 8
  axe::copy(staged, to, axe::cta<128>);
}

__global__ void product(aligned_input A, aligned_input B, axe::tensor<float, axe::row_major<2>> C) {
  using swizzled = axe::carrier<"swizzle(3,1,3) o S[(16,16):(16,1)]"_axe>;
  __shared__ axe::shared_tile<__half, swizzled, extents<16, 16>> shared_a, shared_b;
  axe::copy(axe::tile<16, 16>(A, 0, 0), shared_a, axe::cta<32>);
  axe::copy(axe::tile<16, 16>(B, 0, 0), shared_b, axe::cta<32>);
  axe::sync(axe::cta<32>);

  // 9
  using atom = axe::mma_atom<16, 8, 16, 16>;
  using a_lanes = axe::carrier<atom::a>;
  using b_lanes =
      axe::carrier<axe::direct_sum("S[(1,2):(0@reg,4@reg)]"_axe, {1, 2}, atom::b, {16, 8})>;
  using c_lanes = axe::carrier<axe::direct_sum("S[(1,2):(0@reg,4@reg)]"_axe, {1, 2},
                                               atom::accumulator, {16, 8})>;

  // 10
  axe::fragment<float, c_lanes, extents<16, 16>> c;
  c.fill(0);
  axe::mma(c, axe::load<a_lanes>(shared_a, axe::warp),
           axe::load<b_lanes>(axe::transposed(shared_b), axe::warp));
  axe::copy(c, axe::tile<16, 16>(C, 0, 0), axe::warp);
}
