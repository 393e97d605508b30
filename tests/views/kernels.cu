// Kernels that use only views, without index arithmetic. kernels_test.cpp runs them on the PTX
// machine.
#include "kernels.hpp"

#include <axe/cuda/fragment.hpp>
#include <axe/cuda/scope.hpp>
#include <axe/cuda/thread.hpp>

namespace views {

/// out = in transposed, through a tile of shared memory with the given layout; any sizes.
template <class Staging> __device__ void transpose(input const& in, output const& out) {
  __shared__ axe::shared_buffer<float, Staging, square> staged;
  auto const from =
      in.tile<32, 32>(axe::block_y(), axe::block_x()).template mine<by_rows>(threadIdx.x);
  auto const written = staged.tile().template mine<by_rows>(threadIdx.x);
  axe::for_each_register<from.size>([&](auto r) {
    if (from.inside(r)) written.store(r, from.load(r));
  });
  __syncthreads();
  auto const to =
      out.tile<32, 32>(axe::block_x(), axe::block_y()).template mine<by_rows>(threadIdx.x);
  auto const read = staged.tile().transposed().template mine<by_rows>(threadIdx.x);
  axe::for_each_register<to.size>([&](auto r) {
    if (to.inside(r)) to.store(r, read.load(r));
  });
}

extern "C" __global__ void transpose_padded(input in, output out) { transpose<padded>(in, out); }
extern "C" __global__ void transpose_swizzled(input in, output out) {
  transpose<swizzled>(in, out);
}

/// Two warpgroups, each with an accumulator: the first has a tile of `in`, the second the one
/// below. Both add one and store.
extern "C" __global__ void two_groups(input in, output out) {
  using first = axe::warpgroup;
  using second = axe::thread_scope<axe::carrier<"S[(4,32):(1@warp,1@lane)] + 4@warp"_axe>>;
  auto const work = [&](auto const& from, auto const& to) {
    axe::fragment<float, accumulator, accumulator_tile> c;
    c.fill(1);
    axe::for_each_register<c.size>([&](auto r) {
      if (from.inside(r)) c[r] += from.load(r);
    });
    axe::for_each_register<c.size>([&](auto r) {
      if (to.inside(r)) to.store(r, c[r]);
    });
  };
  auto const down = axe::constant<2>{} * axe::block_y();
  if (first::holds(threadIdx.x))
    work(in.tile<64, 32>(down, axe::block_x()).mine<accumulator>(threadIdx.x),
         out.tile<64, 32>(down, axe::block_x()).mine<accumulator>(threadIdx.x));
  if (second::holds(threadIdx.x))
    work(in.tile<64, 32>(down + axe::constant<1>{}, axe::block_x()).mine<second_group>(threadIdx.x),
         out.tile<64, 32>(down + axe::constant<1>{}, axe::block_x())
             .mine<second_group>(threadIdx.x));
}

}  // namespace views
