// Kernels that use only tensors and tiles, without index arithmetic. kernels_test.cpp runs them on
// the PTX machine.
#include "kernels.hpp"

#include <axe/cuda/fragment.hpp>
#include <axe/cuda/scope.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/shared_subtile.hpp>
#include <axe/cuda/thread.hpp>

namespace views {

/// Transposes a matrix of any size through a tile of shared memory with the layout Staging.
template <class Staging> __device__ void transpose(input const& in, output const& out) {
  __shared__ axe::shared_tile<float, Staging, square> staged;
  auto const from = axe::local_partition<by_rows>(
      axe::tile<32, 32>(in, axe::block_y(), axe::block_x()), threadIdx.x);
  auto const written = axe::local_partition<by_rows>(staged, threadIdx.x);
  axe::for_each_register<from.size>([&](auto r) {
    if (from.in_bounds(r)) written.store(r, from.load(r));
  });
  __syncthreads();
  auto const to = axe::local_partition<by_rows>(
      axe::tile<32, 32>(out, axe::block_x(), axe::block_y()), threadIdx.x);
  auto const read = axe::local_partition<by_rows>(axe::transposed(staged), threadIdx.x);
  axe::for_each_register<to.size>([&](auto r) {
    if (to.in_bounds(r)) to.store(r, read.load(r));
  });
}

extern "C" __global__ void transpose_padded(input in, output out) { transpose<padded>(in, out); }
extern "C" __global__ void transpose_swizzled(input in, output out) {
  transpose<swizzled>(in, out);
}

/// Each of two warpgroups loads a tile of `in`, adds one and stores the tile to `out`. The second
/// warpgroup has the tile below the tile of the first.
extern "C" __global__ void two_groups(input in, output out) {
  using first = axe::thread_scope<axe::carrier<"S[128:1@tid]"_axe>>;
  using second = axe::thread_scope<axe::carrier<"S[(4,32):(1@warp,1@lane)] + 4@warp"_axe>>;
  auto const work = [&](auto const& from, auto const& to) {
    axe::fragment<float, accumulator, accumulator_tile> c;
    c.fill(1);
    axe::for_each_register<c.size>([&](auto r) {
      if (from.in_bounds(r)) c[r] += from.load(r);
    });
    axe::for_each_register<c.size>([&](auto r) {
      if (to.in_bounds(r)) to.store(r, c[r]);
    });
  };
  auto const down = axe::constant<2>{} * axe::block_y();
  if (first::holds(threadIdx.x))
    work(
        axe::local_partition<accumulator>(axe::tile<64, 32>(in, down, axe::block_x()), threadIdx.x),
        axe::local_partition<accumulator>(axe::tile<64, 32>(out, down, axe::block_x()),
                                          threadIdx.x));
  if (second::holds(threadIdx.x))
    work(axe::local_partition<second_group>(
             axe::tile<64, 32>(in, down + axe::constant<1>{}, axe::block_x()), threadIdx.x),
         axe::local_partition<second_group>(
             axe::tile<64, 32>(out, down + axe::constant<1>{}, axe::block_x()), threadIdx.x));
}

}  // namespace views
