// Bank conflicts and the swizzle that cures them, asked for in a kernel that NVRTC compiles.
#include <axe/analysis.hpp>
#include <axe/axe.hpp>
#include <axe/synthesis.hpp>

using namespace axe::literals;

constexpr auto plain = "S[(64,64):(64,1)]"_axe;
static_assert(axe::conflicts(plain, axe::ldmatrix_rows<16>) == 8);
static_assert(axe::conflict_free_swizzle(plain, axe::ldmatrix_rows<16>, axe::rows_of_128_bits<16>).swizzle ==
              axe::swizzle_128B<16>);

extern "C" __global__ void accesses(long long* out) {
  axe::layout const l = axe::compose(axe::swizzle_64B<16>, plain);
  out[0] = axe::conflicts(l, axe::ldmatrix_rows<16>);
  out[1] = axe::widest_vector(l, 16);
}
