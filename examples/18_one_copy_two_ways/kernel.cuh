// One copy, written twice: thread by thread, each with the vectors that it owns, and as a
// collective that says only what is copied and who does it. Both take a tile of
// 32 x 64 through swizzled shared memory and back out by other threads than those that brought it.
// The PTX is the same, instruction for instruction (CMakeLists.txt compares).
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/thread.hpp>

using namespace axe::literals;
using axe::given;

/// Whole tiles, rows at multiples of 16 bytes.
inline constexpr axe::integer most = 1 << 24;
using matrix = axe::pitched<given(0).multiple_of(32).below(most),  //
                            given(1).multiple_of(64).below(most),  //
                            given(2).multiple_of(4).below(most)>;
using input = axe::global_view<float const, matrix, 16>;
using output = axe::global_view<float, matrix, 16>;

using tile = axe::extents<32, 64>;
using staging = axe::carrier<"swizzle(2,3,3) o S[(32,64):(64,1)]"_axe>;
/// Four vectors of four elements per thread: of rows 8 apart, and of rows next to each other.
using rows_apart = axe::carrier<"S[(4,8,16,4):(4@reg,16@tid,1@tid,1@reg)]"_axe>;
using rows_adjacent = axe::carrier<"S[(8,4,16,4):(16@tid,4@reg,1@tid,1@reg)]"_axe>;

__global__ void together(input in, output out) {
  __shared__ axe::shared_buffer<float, staging, tile> staged;
  auto const from = in.tile<32, 64>(axe::block_y(), axe::block_x());
  auto const to = out.tile<32, 64>(axe::block_y(), axe::block_x());
  axe::copy_by<rows_apart>(from, staged.tile(), axe::every<128>);
  __syncthreads();
  axe::copy_by<rows_adjacent>(staged.tile(), to, axe::every<128>);
}

__global__ void by_threads(input in, output out) {
  __shared__ axe::shared_buffer<float, staging, tile> staged;
  auto const from = in.tile<32, 64>(axe::block_y(), axe::block_x());
  auto const to = out.tile<32, 64>(axe::block_y(), axe::block_x());
  axe::vector_of<float, 4> held[4];
  auto const mine = from.mine<rows_apart>(threadIdx.x).vectors<4>();
  auto const written = staged.tile().mine<rows_apart>(threadIdx.x).vectors<4>();
  axe::for_each_register<4>([&](auto k) { held[k.value] = mine.load(k); });
  axe::for_each_register<4>([&](auto k) { written.store(k, held[k.value]); });
  __syncthreads();
  auto const read = staged.tile().mine<rows_adjacent>(threadIdx.x).vectors<4>();
  auto const theirs = to.mine<rows_adjacent>(threadIdx.x).vectors<4>();
  axe::for_each_register<4>([&](auto k) { held[k.value] = read.load(k); });
  axe::for_each_register<4>([&](auto k) { theirs.store(k, held[k.value]); });
}
