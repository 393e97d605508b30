// SPDX-License-Identifier: MIT
// launch(kernel, grid, scope, arguments...): launches a kernel on the default stream,
// asynchronously.
//
//     launch(transpose, grid_of<32, 32>(rows, columns), cta<256>, in, out);
//
// grid_of makes the last dimension x, as block<Rank>() expects. launch returns CUDA's error code.
// Source: CUDA Runtime API, cudaLaunchKernelEx.
#pragma once

#include <axe/cuda/scope.hpp>
#include <axe/index/quotient.hpp>

#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {

/// One block for each tile: grid_of<32, 32>(100, 70) is dim3(3, 4).
template <integer... Tile, class... Sizes> dim3 grid_of(Sizes... sizes) {
  constexpr bool paired = sizeof...(Tile) == sizeof...(Sizes) && sizeof...(Tile) >= 1 &&
                          sizeof...(Tile) <= 3 && ((Tile >= 1) && ...) &&
                          (detail::any_integer<Sizes> && ...);
  static_assert(
      paired,
      "grid_of takes one size, an integer, for each extent of the tile: 1 to 3 extents of "
      "at least 1");
  if constexpr (paired) {
    // Beyond 32 bits the grid is 2^32 - 1, which CUDA rejects.
    auto const count = [](integer size, integer tile) {
      return static_cast<unsigned>(detail::smaller(detail::ceil_divide(size, tile), 0xffff'ffff));
    };
    unsigned const tiles[]{1, 1, count(static_cast<integer>(sizes), Tile)...};
    constexpr int x = sizeof...(Tile) + 1;
    return {tiles[x], tiles[x - 1], tiles[x - 2]};
  } else {
    return {};
  }
}

template <integer... Tile> dim3 grid_of(initializer_list<integer>) {
  static_assert(detail::never<detail::integers<Tile...>>, "grid_of takes its sizes without braces");
  return {};
}

namespace detail {
/// Classes, such as tensor, report a wrong argument themselves.
template <class Parameter, class Argument>
inline constexpr bool accepts =
    __is_class(Parameter) || (stl::is_convertible_v<Argument const&, Parameter> &&
                              !(any_integer<Parameter> && stl::is_floating_point_v<Argument>));
template <class Kernel, class... Arguments> inline constexpr bool all_accept = true;
template <class... Parameters, class... Arguments>
  requires(sizeof...(Parameters) == sizeof...(Arguments))
inline constexpr bool all_accept<void(Parameters...), Arguments...> =
    (accepts<Parameters, Arguments> && ...);
/// Used in a default template argument, because errors inside launch would print all arguments.
template <bool Ordered, bool Paired, bool ByValue, bool Convertible> struct launch_check {
  static_assert(Ordered,
                "launch takes the grid and then the threads of a block: launch(kernel, grid, "
                "axe::cta<256>, arguments...)");
  static_assert(Paired,
                "launch takes one argument, without braces, for each parameter of the kernel; a "
                "template needs its arguments: kernel<float>; for another stream write "
                "kernel<<<grid, 256, 0, stream>>>(arguments...)");
  static_assert(ByValue, "a kernel must take its parameters by value, not by reference");
  static_assert(Convertible || !ByValue,
                "an argument of launch does not convert to its parameter of the kernel: a void* or "
                "a float const* is not a float*, and 1.5 is not an int");
  static constexpr bool passed = Ordered && Paired && ByValue && Convertible;
};
}  // namespace detail

/// Returns the error of the launch. Errors of the kernel itself appear in later calls of CUDA.
template <
    class... Parameters, class Grid = dim3, class Scope, class... Arguments,
    bool Fits = detail::launch_check<
        detail::is_cta<Scope> && detail::stl::is_convertible_v<Grid, dim3>,
        sizeof...(Parameters) == sizeof...(Arguments),
        (detail::stl::is_same_v<Parameters, detail::stl::remove_reference_t<Parameters>> && ...),
        detail::all_accept<void(Parameters...), Arguments...>>::passed>
cudaError_t launch(void (*kernel)(Parameters...), Grid grid, Scope scope,
                   Arguments const&... arguments) {
  if constexpr (Fits) {
    cudaLaunchConfig_t config{};
    config.gridDim = grid;
    config.blockDim = dim3(static_cast<unsigned>(scope.size));
    return cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
  } else {
    return cudaErrorInvalidValue;
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
