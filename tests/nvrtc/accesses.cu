// Bank conflicts, and a swizzle that removes them, in a kernel that NVRTC compiles.
#include <axe/analysis.hpp>
#include <axe/axe.hpp>
#include <axe/synthesis.hpp>

using namespace axe::literals;

constexpr auto plain = "S[(64,64):(64,1)]"_axe;
static_assert(axe::conflicts(plain, axe::ldmatrix_rows<16>) == 8);
static_assert(axe::conflict_free_swizzle(plain, axe::ldmatrix_rows<16>, axe::rows_of_128_bits<16>)
                  .swizzle == axe::swizzle_128B<16>);

extern "C" __global__ void accesses(long long* out) {
  // Results are constants. An access form that is passed at run time must be a copy, because NVRTC
  // does not compile a reference to a variable template of the library.
  constexpr axe::layout l = axe::compose(axe::swizzle_64B<16>, plain);
  constexpr auto rows = axe::ldmatrix_rows<16>;
  constexpr auto conflicts = axe::conflicts(l, rows);
  out[0] = conflicts;
  out[1] = axe::conflicts(axe::compose(axe::swizzle{3, 2, 3}, plain), rows);
  out[2] = axe::widest_vector(l, 16);
}
