// Kernels with views in one string: their generic lambdas have no mark, so NVRTC is told
// --device-as-default-execution-space.
#include <axe_all.hpp>

using namespace axe::literals;
using matrix = axe::pitched<axe::given(0).below(1 << 24), axe::given(1).below(1 << 24),
                            axe::given(2).below(1 << 24)>;
using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
using tile = axe::carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>;
using square = axe::extents<32, 32>;

extern "C" __global__ void copied(axe::global_view<float const, matrix> in,
                                  axe::global_view<float, matrix> out) {
  auto const from = in.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_rows>(threadIdx.x);
  auto const to = out.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_rows>(threadIdx.x);
  axe::for_each_register<from.size>([&](auto r) {
    if (to.inside(r)) to.store(r, from.load(r));
  });
}

extern "C" __global__ void transposed(axe::global_view<float const, matrix> in,
                                      axe::global_view<float, matrix> out) {
  __shared__ axe::shared_buffer<float, tile, square> staged;
  auto const from = in.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_rows>(threadIdx.x);
  auto const written = staged.tile().mine<by_rows>(threadIdx.x);
  axe::for_each_register<from.size>([&](auto r) {
    if (from.inside(r)) written.store(r, from.load(r));
  });
  __syncthreads();
  auto const read = staged.tile().transposed().mine<by_rows>(threadIdx.x);
  auto const to = out.tile<32, 32>(axe::block_x(), axe::block_y()).mine<by_rows>(threadIdx.x);
  axe::fragment<float, by_rows, square> kept{};
  axe::for_each_register<to.size>([&](auto r) { kept[r] = read.load(r); });
  axe::for_each_register<to.size>([&](auto r) {
    if (to.inside(r)) to.store(r, kept[r]);
  });
}
