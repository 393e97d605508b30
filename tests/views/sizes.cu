// Kernels with dimensions of several dynamic digits, offsets, and elements of 4 bits.
// sizes_test.cpp runs them.
#include "sizes.hpp"

#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/thread.hpp>

namespace views {

/// Moves the channels of images from the innermost to the outermost dimension.
extern "C" __global__ void to_channels_first(axe::tensor<float const, any_last> in,
                                             axe::tensor<float, any_first> out) {
  auto const from = axe::local_partition<by_threads>(
      axe::tile<1, 256>(in, axe::block_y(), axe::block_x()), threadIdx.x);
  auto const to = axe::local_partition<by_threads>(
      axe::tile<1, 256>(out, axe::block_y(), axe::block_x()), threadIdx.x);
  axe::for_each_register<from.size>([&](auto r) {
    if (from.in_bounds(r)) to.store(r, from.load(r));
  });
}

/// Copies images through fragments.
extern "C" __global__ void copy_images(axe::tensor<float const, fours_last, axe::aligned<16>> in,
                                       axe::tensor<float, fours_last, axe::aligned<16>> out) {
  auto const held =
      axe::load<by_threads>(axe::tile<1, 256>(in, axe::block_y(), axe::block_x()), axe::cta<64>);
  axe::copy(held, axe::tile<1, 256>(out, axe::block_y(), axe::block_x()), axe::cta<64>);
}

}  // namespace views
