// SPDX-License-Identifier: MIT
// launch(kernel, grid, scope, arguments...): launches a kernel. grid_of: one block for each tile.
//
//     axe::launch(transpose, axe::grid_of<32, 32>(rows, columns), axe::cta<256>, in, out);
//
// grid_of makes the last dimension x, so that axe::block<2>() is (row, column) in the kernel.
// launch is asynchronous and returns CUDA's error code. Source: CUDA Runtime API,
// cudaLaunchKernelEx.
#pragma once

#include <axe/cuda/scope.hpp>

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {

/// The grid with one block for each tile of Tile... elements. Sizes are given slowest first:
/// grid_of<32, 32>(100, 70) is dim3(3, 4).
template <integer... Tile, class... Sizes> dim3 grid_of(Sizes... sizes) {
  constexpr bool paired =
      sizeof...(Tile) == sizeof...(Sizes) && sizeof...(Tile) >= 1 && sizeof...(Tile) <= 3;
  static_assert(paired, "grid_of takes one size for each extent of the tile, at most 3");
  if constexpr (paired) {
    // Leading ones stand for missing dimensions.
    unsigned const tiles[]{
        1, 1, static_cast<unsigned>((static_cast<integer>(sizes) + (Tile - 1)) / Tile)...};
    constexpr int x = sizeof...(Tile) + 1;
    return {tiles[x], tiles[x - 1], tiles[x - 2]};
  } else {
    return {};
  }
}

namespace detail {
template <class Scope> inline constexpr bool is_cta = false;
template <integer Threads> inline constexpr bool is_cta<cta_scope<Threads>> = true;
}  // namespace detail

template <class... Parameters, class Scope, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, Scope scope,
                   Arguments const&... arguments) {
  static_assert(detail::is_cta<Scope>, "launch takes the threads of a block as axe::cta<256>");
  constexpr bool paired = sizeof...(Parameters) == sizeof...(Arguments);
  static_assert(paired, "launch takes one argument for each parameter of the kernel");
  if constexpr (paired && detail::is_cta<Scope>) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = dim3(static_cast<unsigned>(scope.size));
    return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
  } else {
    return cudaErrorInvalidValue;
  }
}
/// Rejects a scope in the place of the grid.
template <class... Parameters, class Scope, class... Arguments>
  requires detail::is_cta<Scope>
cudaError_t launch(void (*)(Parameters...), Scope, dim3, Arguments const&...) {
  static_assert(detail::never<Scope>,
                "launch takes the grid before the scope: launch(kernel, grid, axe::cta<256>, "
                "arguments...)");
  return cudaErrorInvalidValue;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
