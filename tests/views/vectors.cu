// Kernels that copy in vectors: whole vectors if no edge can cut them, otherwise single elements at
// the edge. vectors_test.cpp runs them.
#include "vectors.hpp"

#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/thread.hpp>

#include <cuda_fp16.h>

namespace views {

// Tests elements that are packed into words: reading, assigning, signed values, and zeros in unused
// bits.
constexpr axe::vector_of<short, 4> three{{1, 2, -3}};
static_assert(sizeof(three.elements.words) == 8 && three.elements.words[0] == 0x2'0001);
static_assert(three[1] == 2 && three[axe::constant<2>{}] == -3 && three.elements[3] == 0);
constexpr axe::vector_of<signed char, 8> changed(axe::vector_of<signed char, 8> v) {
  v[5] = -7;
  v[axe::constant<4>{}] = v.elements[5];
  return v;
}
static_assert(changed({}).elements.words[0] == 0 && changed({}).elements.words[1] == 0xf9f9);
static_assert(changed({{1, 2, 3, 4, 5, 6, 7, 8}}).elements[6] == 7 &&
              changed({{1, 2, 3, 4, 5, 6, 7, 8}}).elements[3] == 4);

/// Copies `in` to a swizzled tile, four floats at a time, and the tile to `out`, one at a time.
/// Both copies must use the same addresses.
extern "C" __global__ void staged_vectors(wide_input in, wide_output out) {
  __shared__ axe::shared_tile<float, in_chunks, square> staged;
  axe::copy_by<by_fours>(axe::tile<32, 32>(in, axe::block_y(), axe::block_x()), staged,
                         axe::cta<64>);
  __syncthreads();
  auto const read = axe::local_partition<by_ones>(staged, threadIdx.x);
  auto const written = axe::local_partition<by_ones>(
      axe::tile<32, 32>(out, axe::block_y(), axe::block_x()), threadIdx.x);
  axe::for_each_register<written.size>([&](auto r) {
    if (written.in_bounds(r)) written.store(r, read.load(r));
  });
}

/// out = in + 1, for rows of any length: in whole vectors, and in single elements at the edge.
extern "C" __global__ void vectors_of_any_row(any_row_input in, any_row_output out) {
  auto held = axe::load<by_fours, axe::zero_fill>(
      axe::tile<32, 32>(in, axe::block_y(), axe::block_x()), axe::cta<64>);
  for (float& each : held) each += 1;
  axe::copy(held, axe::tile<32, 32>(out, axe::block_y(), axe::block_x()), axe::cta<64>);
}

/// Elements of a vector that is not const convert as elements of the array do.
extern "C" __global__ void elements_as_numbers(__half const* in, float* out) {
  auto v = axe::load_vector<4>(in + 4 * threadIdx.x);
  v[2] = v[1] + v[0];
  v[3] = v[2];
  v[0] = 3;
  float const first = v[0];
  float sum = v[1];
  sum = first + sum;
  out[2 * threadIdx.x] = sum;
  out[2 * threadIdx.x + 1] = v[3];
}

}  // namespace views
