// Kernels with dimensions of several dynamic digits, offsets, and elements of 4 bits.
// sizes_test.cpp runs them.
#include "sizes.hpp"

#include <axe/cuda/fragment.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/thread.hpp>

namespace views {

/// Moves the channels of images from the innermost to the outermost dimension.
extern "C" __global__ void to_channels_first(axe::tensor<float const, any_last> in,
                                             axe::tensor<float, any_first> out) {
  auto const from = axe::local_partition<by_threads>(
      axe::tile<1, 256>(in, axe::block_y(), axe::block_x()), threadIdx.x);
  auto const to = axe::local_partition<by_threads>(
      axe::tile<1, 256>(out, axe::block_y(), axe::block_x()), threadIdx.x);
  axe::for_each_element(from, [&](auto e) {
    if (e.in_bounds()) to.element(e).store(e.load());
  });
}

/// Copies images, four channels at a time.
extern "C" __global__ void copy_by_fours(axe::tensor<float const, fours_last, axe::aligned<16>> in,
                                         axe::tensor<float, fours_last, axe::aligned<16>> out) {
  auto const from = axe::vectors(axe::local_partition<by_threads>(
      axe::tile<1, 256>(in, axe::block_y(), axe::block_x()), threadIdx.x));
  auto const to = axe::vectors(axe::local_partition<by_threads>(
      axe::tile<1, 256>(out, axe::block_y(), axe::block_x()), threadIdx.x));
  static_assert(from.width == 4 && from.whole_at_edges && from.size == 1);
  if (from.in_bounds(axe::constant<0>{}))
    to.store(axe::constant<0>{}, from.load(axe::constant<0>{}));
}

/// Copies a tile through shared memory, and adds k to nibble k of each word. For each nibble n of
/// columns 3, 11, 19, …, `threes` gets n + 16 * n: the first n is loaded by coordinates with a
/// bound, the second by coordinates without one.
extern "C" __global__ void nibbles(nibble_input in, nibble_output out, unsigned* threes) {
  __shared__ axe::packed_tile<4, unsigned, nibble_tile, 8, 256> staged;
  auto const from = axe::local_partition<words_by_fours>(
      axe::tile<8, 32>(in.packs(), axe::block_y(), axe::block_x()), threadIdx.x);
  auto const to = axe::local_partition<words_by_fours>(
      axe::tile<8, 32>(out.packs(), axe::block_y(), axe::block_x()), threadIdx.x);
  auto const there = axe::local_partition<words_by_fours>(staged, threadIdx.x);
  static_assert(from.vector_width == 4 && there.vector_width == 4);
  axe::fragment<unsigned, words_by_fours, axe::extents<8, 32>> words;
  from.load_into(words, 0u);
  there.store_from(words);
  __syncthreads();
  axe::for_each_element(there, [&](auto e) {
    axe::packed<4, unsigned> p{e.load()};
    axe::for_each_register<8>([&](auto k) { p.set<k.value>(p.get<k.value>() + k.value); });
    auto const target = to.element(e);
    if (target.in_bounds()) target.store(p.bits);
  });
  auto const t = axe::thread_id<64>();
  auto const row = axe::constant<8>{} * axe::block_y() + t.bits<3, 3>();
  auto const columns = static_cast<unsigned>(in.sizes.extent<1>());
  axe::for_each_register<4>([&](auto k) {
    auto const column = axe::constant<256>{} * axe::block_x() +
                        axe::constant<8>{} * t.bits<0, 3>() + axe::constant<64 * k.value + 3>{};
    if (row() < static_cast<unsigned>(in.sizes.extent<0>()) && column() < columns)
      threes[row() * (columns / 8) + column() / 8] =
          in.load(row, column) + 16 * in.load(axe::any(row()), axe::any(column()));
  });
}

}  // namespace views
