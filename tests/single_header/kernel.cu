// A kernel compiled from one string and one header, as a program does that writes its kernels at run time.
#include <axe_all.hpp>

using namespace axe::literals;
using tile = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
using matrix = axe::pitched<axe::given(0).below(1 << 24), axe::given(1).below(1 << 24), axe::given(2).below(1 << 24)>;
using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;

extern "C" __global__ void addresses(unsigned* out) {
  auto const lane = axe::on<axe::axis::lane, 32>(threadIdx.x);
  auto const rows = axe::fix<tile, axe::extents<64, 64>, 2>(lane.bits<0, 4>(), axe::constant<8>{} * lane.bits<4, 1>());
  out[threadIdx.x] = rows.at<16, 32>();
}

extern "C" __global__ void copied(axe::global_view<float const, matrix> in, axe::global_view<float, matrix> out) {
  auto const from = in.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_rows>(threadIdx.x);
  auto const to = out.tile<32, 32>(axe::block_y(), axe::block_x()).mine<by_rows>(threadIdx.x);
  // NVRTC takes an unmarked generic lambda for one of the host, unless it is told -default-device.
  axe::for_each_register<from.size>([&] __device__(auto r) {
    if (to.inside(r)) to.store(r, from.load(r));
  });
}
