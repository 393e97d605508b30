// SPDX-License-Identifier: MIT
// The version, the namespace and the annotations of functions.
//
// Two releases in one program have different symbols, because AXE_NAMESPACE is an inline namespace.
// axe::detail::stl is ::std, and ::cuda::std under NVRTC.
#pragma once

#if __cplusplus < 201709L
#error "axe needs C++20: compile with -std=c++20"
#include "axe-needs-c++20"  // does not exist: ends compilation
#endif

#define AXE_VERSION_MAJOR 0
#define AXE_VERSION_MINOR 1
#define AXE_VERSION_PATCH 0
#define AXE_VERSION (AXE_VERSION_MAJOR * 10000 + AXE_VERSION_MINOR * 100 + AXE_VERSION_PATCH)
#define AXE_NAMESPACE v0_1

#ifdef __CUDACC_RTC__
#include <cuda/std/cstdint>
#include <cuda/std/initializer_list>
#include <cuda/std/utility>
#else
#include <cstdint>
#include <initializer_list>
#endif

// AXE_FN is __host__ __device__. Those are three macros each, and one attribute compiles faster.
#ifdef __CUDACC__
#define AXE_FN __attribute__((host, device))
#else
#define AXE_FN
#endif

// AXE_TILE_FN: CUDA Tile C++ (nvcc --enable-tile) calls only __tile__ functions.
#ifdef __CUDACC_TILE__
#define AXE_TILE_FN __tile__ AXE_FN
#else
#define AXE_TILE_FN AXE_FN
#endif

// AXE_FORCE_INLINE: without CUDA, compilers inline the function early, so that the caller's
// constants shorten index code.
#ifdef __CUDACC__
#define AXE_FORCE_INLINE AXE_FN
#else
#define AXE_FORCE_INLINE [[gnu::always_inline]]
#endif

// AXE_BRANCH_HINT(condition, value): the condition, which usually has this value. Host clang emits
// a branch, not a select.
#if defined(__clang__) && !defined(__CUDA_ARCH__)
#define AXE_BRANCH_HINT(CONDITION, VALUE) __builtin_expect(CONDITION, VALUE)
#else
#define AXE_BRANCH_HINT(CONDITION, VALUE) (CONDITION)
#endif

// AXE_CALLS_USER_CODE: before an AXE_FN that may call a device lambda. Without it nvcc warns.
#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#define AXE_CALLS_USER_CODE _Pragma("nv_exec_check_disable")
#else
#define AXE_CALLS_USER_CODE
#endif

// AXE_LAZY_FN: a template, compiled only if called. With clang a plain function, because clang
// instantiates a constexpr template that another function names.
#ifdef __clang__
#define AXE_LAZY_FN AXE_FN
#else
#define AXE_LAZY_FN template <int = 0> AXE_FN
#endif

#if defined(__cpp_exceptions) && !defined(__CUDACC_RTC__)
#define AXE_EXCEPTIONS 1
#else
#define AXE_EXCEPTIONS 0
#endif

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
namespace stl {  // base/traits.hpp adds to it
#ifdef __CUDACC_RTC__
using namespace ::cuda::std;
#else
using namespace ::std;
#endif
}  // namespace stl

[[noreturn]] AXE_FN inline void halt() {
#if defined(__CUDA_ARCH__) || defined(__CUDACC_RTC__)
  __trap();
#else
  __builtin_trap();
#endif
}
}  // namespace detail

using integer = detail::stl::int64_t;
using detail::stl::initializer_list;

}  // namespace AXE_NAMESPACE
}  // namespace axe
