// SPDX-License-Identifier: MIT
// AXE_DEBUG: an access out of bounds, or another broken precondition, prints a message and traps.
//
//     axe: kernel.cu:17: coordinate (3, 9) is out of bounds of the tensor at 0x7f10 of 4 x 8: …
//
// Definition: docs/index_code.md, "Debugging".
#pragma once

#include <axe/base/text.hpp>
#include <axe/index/dynamic_layout.hpp>
#include <axe/index/signed_coordinate.hpp>

#ifdef AXE_DEBUG
#ifndef __CUDACC_RTC__
#include <cstdio>
#endif
#define AXE_CALLED_FROM , char const *axe_file = __builtin_FILE(), int axe_line = __builtin_LINE()
#define AXE_CALLER , axe_file, axe_line
#define AXE_KEEPS_CALLER , axe_file(axe_file), axe_line(axe_line)

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

#ifdef __CUDACC__
__device__ inline bool is_shared(void const* p) {
#if __CUDA_ARCH__ >= 900
  return __isClusterShared(p);
#else
  return __isShared(p);
#endif
}
#endif
/// Joins numbers for one printf, because the lanes would mix the output of several.
AXE_FN inline text<255> numbers_text(char const* separator, integer const* numbers, int count) {
  text<255> all;
  for (int k = 0; k < count; ++k) {
    if (k > 0) all.put(separator);
    all.put(numbers[k]);
  }
  return all;
}
[[gnu::noinline]] AXE_FN inline void stop_out_of_bounds(void const* data,
                                                        integer const* coordinates,
                                                        integer const* extents, int rank,
                                                        char const* file, int line) {
  auto const at = numbers_text(", ", coordinates, rank);
  auto const of = numbers_text(" x ", extents, rank);
#ifdef __CUDA_ARCH__
  printf(
      "axe: %s:%d: coordinate (%s) is out of bounds of the %s at %p of %s: block (%u, %u, %u), "
      "thread (%u, %u, %u)\n",
      file, line, at.characters, is_shared(data) ? "shared tile" : "tensor", data, of.characters,
      blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y, threadIdx.z);
#else
  printf("axe: %s:%d: coordinate (%s) is out of bounds of the tensor at %p of %s\n", file, line,
         at.characters, data, of.characters);
#endif
  halt();
}

AXE_FN inline void check_index(char const* name, unsigned index, unsigned count, char const* file,
                               int line) {
  if (index < count) return;
  printf("axe: %s:%d: there is no %s %d: there are %u, counted from 0\n", file, line, name,
         static_cast<int>(index), count);
  halt();
}
/// Checks the coordinates of a tensor copy, fastest first: docs/plans.md, "What an H200 does".
AXE_FN inline void check_box(int const* at, int rank, int element_bytes, bool stores,
                             char const* file, int line) {
  bool legal = at[0] * element_bytes % 16 == 0;
  integer coordinates[5]{};
  for (int d = 0; d < rank; ++d) {
    coordinates[rank - 1 - d] = at[d];
    legal = legal && (at[d] >= 0 || !stores);
  }
  if (legal) return;
  printf(
      "axe: %s:%d: a tensor copy cannot begin at (%s): its last coordinate must be a multiple of "
      "%d%s\n",
      file, line, numbers_text(", ", coordinates, rank).characters, 16 / element_bytes,
      stores ? ", and no coordinate may be below 0" : "");
  halt();
}
AXE_FN constexpr void check_step(unsigned n, char const* file, int line) {
  if (static_cast<int>(n) >= 0) return;
  printf("axe: %s:%d: the step of a prepared copy must be at least 0, not %d\n", file, line,
         static_cast<int>(n));
  halt();
}
struct located_register {
  int number;
  char const* file;
  int line;

  /// An int parameter would reject std::integral_constant, which would need two user-defined
  /// conversions.
  template <class Given>
    requires requires(void (*take)(int), Given const& n) { take(n); }
  AXE_FN located_register(Given const& n AXE_CALLED_FROM)
      : number(static_cast<int>(n)), file(axe_file), line(axe_line) {}
};

template <class C> AXE_FN integer debug_number(C const& c) {
  if constexpr (!coordinate_check<C>::passed)
    return 0;
  else if constexpr (signed_integer<C>)
    return static_cast<integer>(c);
  else
    return static_cast<integer>(as_sum(c)());
}
struct located_coordinate {
  integer number;
  char const* file;
  int line;

  template <class C>
  AXE_FN located_coordinate(C c AXE_CALLED_FROM)
      : number(debug_number(c)), file(axe_file), line(axe_line) {}
};
template <class T, int... D, class... Others>
AXE_FN void check_element(T const* data, auto const& sizes, integers<D...>,
                          located_coordinate const& first, Others const&... others) {
  integer const extents[]{sizes.template extent<D>()...};
  integer const at[]{first.number, debug_number(others)...};
  if (((at[D] < 0 || at[D] >= extents[D]) || ...))
    stop_out_of_bounds(data, at, extents, sizeof...(D), first.file, first.line);
}
template <class S> struct sizes_of_shape {
  template <int D> AXE_FN static constexpr integer extent() { return S::value.extent(D); }
};
template <bool Wide> AXE_FN constexpr integer as_number(unsigned coordinate) {
  return Wide ? integer{coordinate} : integer{static_cast<int>(coordinate)};
}
template <int... D>
AXE_FN void check_register(auto const& tile, auto r, integers<D...>, char const* file, int line) {
  // Registers of a tile of shared memory are in bounds.
  if constexpr (requires { tile.bound.extents; }) {
    using bound = stl::remove_cvref_t<decltype(tile.bound)>;
    integer const at[]{as_number<bound::template wide<D>>(tile.template coordinate<D>(r))...};
    if (tile.in_bounds(r) && ((at[D] >= 0 && at[D] < tile.bound.extents[D]) && ...)) return;
    stop_out_of_bounds(tile.pointer(constant<0>{}), at, tile.bound.extents, sizeof...(D), file,
                       line);
  }
}

#ifdef __CUDACC__
__device__ inline void check_shared(void const* p) {
  if (is_shared(p)) return;
  printf("axe: the tile, scratch or storage at %p is not in shared memory: declare it __shared__\n",
         p);
  halt();
}
__device__ void check_distinct(auto const& from, auto const& to, char const* file, int line) {
  if constexpr (requires { from.number == to.number; } &&
                !stl::is_same_v<decltype(from), decltype(to)>) {
    if (from.address != to.address || from.number != to.number) return;
    printf(
        "axe: %s:%d: the copy's source and target are the same shared memory: copy through "
        "a fragment, with a barrier between load and store\n",
        file, line);
    halt();
  }
}
#endif

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
#else
#define AXE_CALLED_FROM
#define AXE_CALLER
#define AXE_KEEPS_CALLER
#endif
