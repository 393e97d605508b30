// SPDX-License-Identifier: MIT
// Operations for elementwise and reduce.
//
//     elementwise(plus{}, sum, sum, part);      from sm_100 on, add.rn.f32x2
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000 && !defined(__clang__)
inline constexpr bool has_float_pairs = true;
__device__ __forceinline__ float2 add_pairs(float2 a, float2 b) { return __fadd2_rn(a, b); }
__device__ __forceinline__ float2 multiply_pairs(float2 a, float2 b) { return __fmul2_rn(a, b); }
#else
inline constexpr bool has_float_pairs = false;
#ifdef __CUDA_ARCH__
__device__ __forceinline__ float2 add_pairs(float2 a, float2 b) { return {a.x + b.x, a.y + b.y}; }
__device__ __forceinline__ float2 multiply_pairs(float2 a, float2 b) {
  return {a.x * b.x, a.y * b.y};
}
#endif
#endif
}  // namespace detail

struct plus {
  template <class T> AXE_FN constexpr T operator()(T const& a, T const& b) const { return a + b; }
#ifdef __CUDA_ARCH__
  __device__ __forceinline__ float2 operator()(float2 a, float2 b) const {
    return detail::add_pairs(a, b);
  }
#endif
};
struct times {
  template <class T> AXE_FN constexpr T operator()(T const& a, T const& b) const { return a * b; }
#ifdef __CUDA_ARCH__
  __device__ __forceinline__ float2 operator()(float2 a, float2 b) const {
    return detail::multiply_pairs(a, b);
  }
#endif
};
struct maximum {
  template <class T> AXE_FN constexpr T operator()(T const& a, T const& b) const {
    return a < b ? b : a;
  }
#ifdef __CUDA_ARCH__
  __device__ __forceinline__ float operator()(float a, float b) const { return fmaxf(a, b); }
#endif
};
struct minimum {
  template <class T> AXE_FN constexpr T operator()(T const& a, T const& b) const {
    return b < a ? b : a;
  }
#ifdef __CUDA_ARCH__
  __device__ __forceinline__ float operator()(float a, float b) const { return fminf(a, b); }
#endif
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
