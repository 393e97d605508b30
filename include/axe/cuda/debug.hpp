// SPDX-License-Identifier: MIT
// AXE_DEBUG: every element of a tensor that is named by coordinates, and every register of a thread
// tile, is checked against the bounds of its tensor.
//
//     nvcc -DAXE_DEBUG …      axe: kernel.cu:17: coordinate (3, 9) of a tensor of 4 x 8: block
//                             (0, 1, 0), thread (33, 0, 0); then the kernel traps
//
// Without AXE_DEBUG the checks and their arguments do not exist.
// Definition: docs/index_code.md, "Debugging".
#pragma once

#include <axe/index/dynamic_layout.hpp>
#include <axe/index/signed_coordinate.hpp>

#if defined(AXE_DEBUG)
#if !defined(__CUDACC_RTC__)
#include <cstdio>
#include <cstdlib>
#endif
/// Further parameters of a checked function: the line of the call.
#define AXE_CALLED_FROM , char const *axe_file = __builtin_FILE(), int axe_line = __builtin_LINE()

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN inline void print_numbers(char const* apart, integer const* numbers, int count) {
  for (int k = 0; k < count; ++k)
    printf("%s%lld", k == 0 ? "" : apart, static_cast<long long>(numbers[k]));
}
/// Extents: of the tensor; null for a thread tile, which does not keep them.
AXE_FN inline void stop_out_of_bounds(void const* data, integer const* coordinates,
                                      integer const* extents, int rank, char const* file,
                                      int line) {
  printf("axe: %s:%d: coordinate (", file, line);
  print_numbers(", ", coordinates, rank);
  printf(") is out of bounds of the tensor at %p", data);
  if (extents != nullptr) printf(" of ");
  if (extents != nullptr) print_numbers(" x ", extents, rank);
#if defined(__CUDA_ARCH__)
  printf(": block (%u, %u, %u), thread (%u, %u, %u)\n", blockIdx.x, blockIdx.y, blockIdx.z,
         threadIdx.x, threadIdx.y, threadIdx.z);
  __trap();
#else
  printf("\n");
  std::abort();
#endif
}

/// The number of a coordinate; signed integers keep their sign.
template <class C> AXE_FN integer debug_number(C const& c) {
  if constexpr (signed_integer<C>)
    return static_cast<integer>(c);
  else
    return static_cast<integer>(as_sum(c)());
}
template <class T, class Sized, int... D, class... Coordinates>
AXE_FN void check_element(T const* data, Sized const& sizes, integers<D...>, char const* file,
                          int line, Coordinates const&... coordinates) {
  integer const extents[]{sizes.template extent<D>()...};
  integer const at[]{debug_number(coordinates)...};
  if (((at[D] < 0 || at[D] >= extents[D]) || ...))
    stop_out_of_bounds(data, at, extents, sizeof...(D), file, line);
}
/// Register r of a thread tile.
template <class Tile, class R, int... D>
AXE_FN void check_register(Tile const& tile, R r, integers<D...>, char const* file, int line) {
  if (tile.in_bounds(r)) return;
  integer const at[]{static_cast<integer>(static_cast<int>(tile.template coordinate<D>(r)))...};
  stop_out_of_bounds(tile.pointer(constant<0>{}), at, nullptr, sizeof...(D), file, line);
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
#else
#define AXE_CALLED_FROM
#endif
