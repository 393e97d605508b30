// A kernel that uses tensors and tiles, compiled from one string. Its generic lambda is not marked
// __device__, so NVRTC gets the option --device-as-default-execution-space.
#include <axe_all.hpp>

using namespace axe::literals;
using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 24), axe::dynamic(1).below(1 << 24),
                                   axe::dynamic(2).below(1 << 24)>;
using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
using tile = axe::carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>;
using square = axe::extents<32, 32>;

extern "C" __global__ void copied(axe::tensor<float const, matrix> in,
                                  axe::tensor<float, matrix> out) {
  auto const from = axe::local_partition<by_rows>(
      axe::tile<32, 32>(in, axe::block_y(), axe::block_x()), threadIdx.x);
  auto const to = axe::local_partition<by_rows>(
      axe::tile<32, 32>(out, axe::block_y(), axe::block_x()), threadIdx.x);
  axe::for_each_register<from.size>([&](auto r) {
    if (to.in_bounds(r)) to.store(r, from.load(r));
  });
}

extern "C" __global__ void transposed(axe::tensor<float const, matrix> in,
                                      axe::tensor<float, matrix> out) {
  __shared__ axe::shared_tile<float, tile, square> staged;
  auto const from = axe::local_partition<by_rows>(
      axe::tile<32, 32>(in, axe::block_y(), axe::block_x()), threadIdx.x);
  auto const written = axe::local_partition<by_rows>(staged, threadIdx.x);
  axe::for_each_register<from.size>([&](auto r) {
    if (from.in_bounds(r)) written.store(r, from.load(r));
  });
  __syncthreads();
  auto const read = axe::local_partition<by_rows>(axe::transposed(staged), threadIdx.x);
  auto const to = axe::local_partition<by_rows>(
      axe::tile<32, 32>(out, axe::block_x(), axe::block_y()), threadIdx.x);
  axe::fragment<float, by_rows, square> kept{};
  axe::for_each_register<to.size>([&](auto r) { kept[r] = read.load(r); });
  axe::for_each_register<to.size>([&](auto r) {
    if (to.in_bounds(r)) to.store(r, kept[r]);
  });
}
