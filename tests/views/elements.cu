// Kernels that use coordinates of elements, and the position of a thread in its block, scope and
// cluster. elements_test.cpp runs them.
#include "kernels.hpp"

#include <axe/cuda/fragment.hpp>
#include <axe/cuda/scope.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/thread.hpp>

namespace views {

using namespace axe::literals;

/// The search for the exact size of this tile, 17,535 elements, exceeds the step limit of plans. So
/// axe rounds the size up to whole periods of the swizzle.
using odd_rows = axe::carrier<"swizzle(3,3,3) o S[(128,128):(137,1)]"_axe>;
static_assert(axe::shared_tile<unsigned short, odd_rows, axe::extents<128, 128>>::elements ==
              35 * 512);

using rows_of_128 = axe::carrier<"S[(8,4,32):(1@reg,32@tid,1@tid)]"_axe>;

/// Copies a tile through shared memory. Adds two numbers to each element: 1000 * row + column of
/// its coordinates in the tensor, and (32 * row + column) / 1024 of its coordinates in the tile.
extern "C" __global__ void labelled(input in, output out) {
  __shared__ axe::shared_tile<float, padded, square> staged;
  auto const from = axe::local_partition<rows_of_128>(
      axe::tile<32, 32>(in, axe::block_y(), axe::block_x()), threadIdx.x);
  auto const there = axe::local_partition<rows_of_128>(staged, threadIdx.x);
  axe::for_each_register<from.size>([&](auto r) {
    if (from.in_bounds(r))
      there.store(r, from.load(r) + 1000.0f * static_cast<float>(from.coordinate<0>(r)) +
                         static_cast<float>(from.coordinate<1>(r)));
  });
  __syncthreads();
  auto const to = axe::local_partition<rows_of_128>(
      axe::tile<32, 32>(out, axe::block_y(), axe::block_x()), threadIdx.x);
  axe::for_each_register<there.size>([&](auto r) {
    auto const again = there.coordinate<0>(r) * 32 + there.coordinate<1>(r);
    if (to.in_bounds(r)) to.store(r, there.load(r) + static_cast<float>(again) / 1024);
  });
}

/// A causal mask over an accumulator: each register gets 1000 * i + j on and below the diagonal,
/// and 0 above.
extern "C" __global__ void masked(output out) {
  axe::fragment<float, accumulator, accumulator_tile> c;
  axe::for_each(c, axe::cta<128>, [](float& x, unsigned row, unsigned column) {
    x = 1000.0f * static_cast<float>(row) + static_cast<float>(column);
  });
  axe::for_each(c, axe::cta<128>, [](float& x, unsigned row, unsigned column) {
    if (column > row) x = 0;
  });
  auto const to = axe::local_partition<accumulator>(
      axe::tile<64, 32>(out, axe::block_y(), axe::block_x()), threadIdx.x);
  axe::for_each_register<to.size>([&](auto r) {
    if (to.in_bounds(r)) to.store(r, c[r]);
  });
}

/// Writes the position of each of 256 threads. The threads of warps 4 to 7 also exchange their
/// numbers. Only these threads take part in the barrier of the exchange.
extern "C" __global__ void thread_positions(unsigned* out) {
  using second_group = axe::thread_scope<axe::carrier<"S[(4,32):(1@warp,1@lane)] + 4@warp"_axe>>;
  __shared__ unsigned numbers[128];
  unsigned const t = threadIdx.x;
  unsigned seen = 0;
  if (second_group::holds(t)) {
    numbers[axe::thread_id(second_group{})] = t;
    axe::sync<1>(second_group{});
    seen = numbers[127 - axe::thread_id(second_group{})];
  }
  unsigned const all = axe::uniform_warpgroup_id<256>()();
  unsigned const last = t < 128 ? 0 : axe::uniform_warpgroup_id<256, 128>()();
  out[8 * t] = axe::warpgroup_id<256>()() + 16 * all + 256 * last;
  out[8 * t + 1] = axe::thread_id(axe::warpgroup);
  out[8 * t + 2] = axe::thread_id<256>().digit<32, 4>()();
  out[8 * t + 3] = axe::block<1>().x;
  out[8 * t + 4] = seen;
  out[8 * t + 5] = t < 128 ? axe::lane_id<256>()() : axe::thread_id(axe::warp);
  out[8 * t + 6] = axe::warp_id<256>()() + axe::thread_id(axe::thread);
  axe::sync(axe::warp);
  out[8 * t + 7] = axe::block<1>().x + t;
}

}  // namespace views

#if __CUDA_ARCH__ >= 900
namespace views {
/// Writes the rank of the CTA in its cluster of 2 x 2.
extern "C" __global__ void cta_positions(unsigned* out) {
  out[32 * (blockIdx.y * gridDim.x + blockIdx.x) + threadIdx.x] = axe::cta_in_cluster<4>()();
}
}  // namespace views
#endif
