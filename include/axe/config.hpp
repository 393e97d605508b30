// Version, namespace and the one function annotation: the only file that knows which compiler reads
// us.
//
//   AXE_VERSION_MAJOR, _MINOR, _PATCH     the release, checked against CMake's project(VERSION) by a test
//   inline namespace AXE_NAMESPACE        names of two releases never meet in one program
//   AXE_FN                                a function that host code, device code and NVRTC may call
//   AXE_INLINE                            the same, inlined by host compilers before they simplify it
//   AXE_EXPECTED(CONDITION, VALUE)        a condition, and what it is as a rule
//   AXE_CALLS_BACK                        in front of AXE_FN where the function calls what the user hands it
//   axe::detail::stl                      ::std, or ::cuda::std where no host library exists (NVRTC)
//   axe::integer                          every extent, stride, offset and index: 64 bits, signed
#pragma once

#define AXE_VERSION_MAJOR 0
#define AXE_VERSION_MINOR 1
#define AXE_VERSION_PATCH 0
#define AXE_VERSION (AXE_VERSION_MAJOR * 10000 + AXE_VERSION_MINOR * 100 + AXE_VERSION_PATCH)
#define AXE_NAMESPACE v0_1

#if defined(__CUDACC_RTC__)
#include <cuda/std/cstdint>
#include <cuda/std/initializer_list>
#include <cuda/std/utility>
#else
#include <cstdint>
#include <initializer_list>
#endif

// nvcc wants every function that device code may call marked, constexpr ones too; host compilers
// have no such mark.
#if defined(__CUDACC__)
#define AXE_FN __host__ __device__
#else
#define AXE_FN
#endif

// Index code that is simplified where it stands alone is no longer seen through where it is used:
// host compilers then keep what the use would have removed.
#if defined(__CUDACC__)
#define AXE_INLINE AXE_FN
#else
#define AXE_INLINE [[gnu::always_inline]]
#endif

// Clang, compiling for hosts, branches on a condition that it expects to have a value before it
// computes what hangs on it, and lays out what it expects first: else it selects between two
// numbers, and compares anew what a subtraction has compared.
#if defined(__clang__) && !defined(__CUDA_ARCH__)
#define AXE_EXPECTED(CONDITION, VALUE) __builtin_expect(CONDITION, VALUE)
#else
#define AXE_EXPECTED(CONDITION, VALUE) (CONDITION)
#endif

// In front of a function that calls what it is handed: a kernel's lambda is the device's alone, and
// nvcc would not let a function of both call it.
#if defined(__CUDACC__) && !defined(__CUDACC_RTC__)
#define AXE_CALLS_BACK _Pragma("nv_exec_check_disable")
#else
#define AXE_CALLS_BACK
#endif

// In front of a planner, of an operation of the algebra and of what they call: g++ and nvcc compile
// the body of a template only where somebody asks for it. Clang makes an instance of a constexpr
// template as soon as another function names it: there they are plain functions, which it reads
// once and not twice.
#if defined(__clang__)
#define AXE_PLANNER AXE_FN
#else
#define AXE_PLANNER template <int = 0> AXE_FN
#endif

#if defined(__cpp_exceptions) && !defined(__CUDACC_RTC__)
#define AXE_EXCEPTIONS 1
#else
#define AXE_EXCEPTIONS 0
#endif

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
namespace stl {  // with names of its own in base/traits.hpp
#if defined(__CUDACC_RTC__)
using namespace ::cuda::std;
#else
using namespace ::std;
#endif
}  // namespace stl
}  // namespace detail

using integer = detail::stl::int64_t;

}  // namespace AXE_NAMESPACE
}  // namespace axe
