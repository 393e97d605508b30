// The template argument of a kernel may be a carrier, a struct with static layouts, or the type of
// an operation's result. It may not be a layout value: nvcc 13.0 repeats template arguments in its
// host stub and cannot spell an array there.
#include <axe/axe.hpp>
#include <axe/cute.hpp>

#include <cstdio>

using namespace axe::literals;
using namespace axe::cute::literals;
using axe::axis;

constexpr auto atom = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;
using atom_type = axe::carrier<atom>;
// nvcc writes these layouts into its host code as braced values.
using in_code = axe::carrier<axe::S({8, 4}, {4 * axis::lane, 1 * axis::lane}) + 5 * axis::warp>;
using grouped = axe::carrier<axe::group(in_code::value, {4, 8})>;
using of_cute = axe::carrier<axe::cute::to_axe("(8,4):(4,1)"_cute)>;
static_assert(axe::size(of_cute::value) == 32);
constexpr auto two_warps = "S[(2,32):(1@warp,1@lane)]"_axe;

struct configuration {
  static constexpr axe::layout shared =
      axe::compose(axe::swizzle_128B<16>, "S[(64,64):(64,1)]"_axe);
  static constexpr axe::layout registers = "S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe;
};

template <class Layout> __global__ void sizes(long long* out) {
  static_assert(axe::carries_layout<Layout>);
  constexpr axe::layout l = Layout::value;
  out[0] = axe::size(l);
  out[1] = axe::span(l, axis::lane);
}

template <class Layout> __global__ void sizes_of(long long* out, Layout) {
  out[0] = axe::size(Layout::value);
}

template <class Configuration> __global__ void addresses(long long* out) {
  constexpr axe::layout l = Configuration::shared;
  out[threadIdx.x] = axe::places(l, static_cast<axe::integer>(threadIdx.x) * 64).first()[axis::m];
}

using blocks = decltype(axe::tile(axe::carrier<"S[(2,2):(2@warp,1@warp)]"_axe>{},
                                  axe::extents<2, 2>{}, atom_type{}, axe::extents<8, 16>{}));

/// Carriers of a dependent layout. g++ 12.2 crashes on `alias` if axe::carrier is a direct alias.
template <class Configuration> struct of_configuration {
  using type = decltype(axe::carry<Configuration::registers>());
  using alias = axe::carrier<Configuration::registers>;
};
static_assert(of_configuration<configuration>::alias::value == configuration::registers);

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("skipped: compiled and linked, not launched: no GPU");
    return 77;
  }
  long long* out = nullptr;
  if (cudaMallocManaged(&out, 64 * sizeof(long long)) != cudaSuccess) return 1;
  sizes<atom_type><<<1, 1>>>(out);
  bool right = cudaDeviceSynchronize() == cudaSuccess && out[0] == 128 && out[1] == 32;
  // nvcc rejects most launches with an axe::carrier written in a function: `carry` names the type.
  sizes<decltype(axe::carry<configuration::registers>())><<<1, 1>>>(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 64;
  sizes_of<<<1, 1>>>(out, axe::carry<atom>());
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 128;
  sizes<decltype(axe::to_tid(axe::carry<two_warps>()))><<<1, 1>>>(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 64;
  sizes<typename of_configuration<configuration>::type><<<1, 1>>>(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 64;
  sizes<blocks><<<1, 1>>>(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 512;
  sizes<in_code><<<1, 1>>>(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 32 && out[1] == 32;
  sizes<grouped><<<1, 1>>>(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess && out[0] == 32 && out[1] == 32;
  addresses<configuration><<<1, 8>>>(out);
  right = right && cudaDeviceSynchronize() == cudaSuccess;
  for (int row = 0; row < 8; ++row) right = right && out[row] == 72 * row;
  std::puts(right ? "layouts in kernels: right" : "layouts in kernels: WRONG");
  return right ? 0 : 1;
}
