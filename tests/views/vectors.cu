// Vectors of thread tiles through swizzled shared memory: whole ones if the edges are proved,
// element by element if not. Run by vectors_test.cpp.
#include "vectors.hpp"

#include <axe/cuda/fragment.hpp>
#include <axe/cuda/thread.hpp>

namespace views {

/// out = in, four floats at a time into a swizzled tile and one by one out of it: both must use the
/// same addresses.
extern "C" __global__ void staged_vectors(wide_input in, wide_output out) {
  __shared__ axe::shared_buffer<float, in_chunks, square> staged;
  auto const from =
      in.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_fours>(threadIdx.x).vectors();
  auto const to = staged.tile().mine<by_fours>(threadIdx.x).vectors();
  static_assert(from.width == 4 && to.width == 4 && from.size == 4 && from.whole_at_edges);
  axe::for_each_register<from.size>([&](auto v) {
    if (from.inside(v)) to.store(v, from.load(v));
  });
  __syncthreads();
  auto const read = staged.tile().mine<by_ones>(threadIdx.x);
  auto const written = out.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_ones>(threadIdx.x);
  axe::for_each_register<written.size>([&](auto r) {
    if (written.inside(r)) written.store(r, read.load(r));
  });
}

/// out = in + 1 with rows of any length: whole vectors inside, elements at the edge.
extern "C" __global__ void ragged_vectors(ragged_input in, ragged_output out) {
  auto const from = in.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_fours>(threadIdx.x);
  auto const to = out.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_fours>(threadIdx.x);
  static_assert(from.vector_width == 4 && !decltype(from.vectors())::whole_at_edges);
  axe::fragment<float, by_fours, square> c;
  from.load_into(c, -1.0f);
  axe::for_each_register<c.size>([&](auto r) { c[r] += 1; });
  to.store_from(c);
}

/// Halves: loaded eight at a time; a fragment with scattered registers is stored in pairs.
extern "C" __global__ void halves(half_input in, half_output out) {
  auto const from =
      in.tile<16, 64>(axe::block_y(), axe::block_x()).mine<half_rows>(threadIdx.x).vectors();
  auto const to =
      out.tile<16, 64>(axe::block_y(), axe::block_x()).mine<half_rows>(threadIdx.x).vectors<2>();
  static_assert(from.width == 8 && from.size == 4 && to.size == 16);
  axe::fragment<unsigned short, half_rows, half_tile> c;
  axe::for_each_register<from.size>([&](auto v) { from.unpack(v, from.load(v), c); });
  axe::for_each_register<to.size>([&](auto v) { to.store(v, to.pack(v, c)); });
}

}  // namespace views
