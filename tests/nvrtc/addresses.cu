// Addresses in a kernel that NVRTC compiles: positive and negative constants, and a loop over
// tiles.
#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/cuda/thread.hpp>
#include <axe/index.hpp>

using namespace axe::literals;
using swizzled = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
using rows = axe::carrier<"S[(5,8):(9,1)]"_axe>;
using matrix = axe::dynamic_matrix<axe::dynamic(0), axe::dynamic(1), axe::dynamic(2)>;
using by_rows = axe::carrier<"S[(8,4,32):(32@tid,1@reg,1@tid)]"_axe>;

extern "C" __global__ void addresses(unsigned* out) {
  auto const lane = axe::thread_id<32>();
  auto const a = axe::bind_address<swizzled, axe::extents<64, 64>, 2>(
      lane.bits<0, 4>(), axe::constant<8>{} * lane.bits<4, 1>());
  out[0] = a.at<16, 32>();
  out[1] = a.at<1, 8>();
  out[2] = axe::bind_address<rows, axe::extents<40>, 4>(lane + axe::constant<8>{}).at<-3>();
}

extern "C" __global__ void pointers(float* data, matrix sizes, float* out) {
  auto const p =
      axe::bind_pointer(data, sizes, axe::block_y(), axe::thread_id<256>() + axe::constant<1>{});
  *out = *p.at<1, -1>();
}

extern "C" __global__ void tiles_of_rows(axe::tensor<float, matrix> from,
                                         axe::tensor<float, matrix> to, unsigned tiles) {
  for (unsigned k = 0; k < tiles; ++k) {
    constexpr axe::constant<2> r{};
    auto const in =
        axe::local_partition<by_rows>(axe::tile<32, 32>(from, axe::block_y(), k), threadIdx.x);
    auto const out =
        axe::local_partition<by_rows>(axe::tile<32, 32>(to, axe::block_y(), k), threadIdx.x);
    if (in.in_bounds(r)) out.store(r, 2 * in.load(r));
  }
}
