// Kernels that are compiled from one string and one header, as in programs that generate kernels at
// run time.
#include <axe_all.hpp>

using namespace axe::literals;
using tile = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;

extern "C" __global__ void addresses(unsigned* out) {
  auto const lane = axe::on<axe::axis::lane, 32>(threadIdx.x);
  auto const rows = axe::bind_address<tile, axe::extents<64, 64>, 2>(
      lane.bits<0, 4>(), axe::constant<8>{} * lane.bits<4, 1>());
  out[threadIdx.x] = rows.at<16, 32>();
}

// This file is compiled without --device-as-default-execution-space, so the call operator is marked
// __device__. The lambda in views.cu is not.
struct add_up {
  float const* values;
  float* sum;
  template <class Register> __device__ void operator()(Register) const {
    *sum += values[Register::value];
  }
};

extern "C" __global__ void sums(float const* in, float* out) {
  float sum = 0;
  axe::for_each_register<4>(add_up{in + 4 * threadIdx.x, &sum});
  out[threadIdx.x] = sum;
}
