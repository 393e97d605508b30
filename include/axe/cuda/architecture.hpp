// SPDX-License-Identifier: MIT
// The AXE_NEEDS_ macros assert that the compiled architecture has an instruction.
//
//     AXE_NEEDS_SM_90(Ctas, "a cluster");      for sm_80: "a cluster needs sm_90 or later: ..."
//
// Source: CUDA C++ Programming Guide, "Architecture-Specific Features".
#pragma once

#include <axe/atoms/target.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

// The unused int depends on a template parameter, so that only instantiated code is checked.
template <int Least> AXE_FN constexpr bool has_architecture(int) {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__ >= Least;
#else
  return true;
#endif
}
AXE_FN constexpr bool has_target_suffix(int) {
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL) || \
    defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FAMILY_SPECIFIC__)
  return true;
#else
  return false;
#endif
}
/// sm_100 to sm_110, with suffix a or f.
AXE_FN constexpr bool has_tcgen05([[maybe_unused]] int n) {
#ifdef __CUDA_ARCH__
  return has_target_suffix(n) && __CUDA_ARCH__ >= 1000 && __CUDA_ARCH__ < 1200;
#else
  return true;
#endif
}
/// sm_100a and sm_110a.
AXE_FN constexpr bool has_tcgen05_integers(int) {
#ifndef __CUDA_ARCH__
  return true;
#elif defined(__CUDA_ARCH_SPECIFIC__) || defined(__CUDA_ARCH_FEAT_SM100_ALL)
  return __CUDA_ARCH__ == 1000 || __CUDA_ARCH__ == 1100;
#else
  return false;
#endif
}

/// Host code counts as sm_90a.
AXE_FN constexpr architecture compiled_architecture() {
#if !defined(__CUDA_ARCH__) || defined(__CUDA_ARCH_FEAT_SM90_ALL)
  return architecture::sm_90a;
#elif __CUDA_ARCH__ >= 900
  return has_tcgen05(0) ? architecture::sm_100a : architecture::sm_90;
#elif __CUDA_ARCH__ >= 890
  return architecture::sm_89;
#else
  return architecture::sm_80;
#endif
}
AXE_FN constexpr bool has_wgmma(int) { return compiled_architecture() == architecture::sm_90a; }

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#define AXE_NEEDS_SM_90(DEPENDENT, WHAT)                              \
  static_assert(::axe::detail::has_architecture<900>(int{DEPENDENT}), \
                WHAT " needs sm_90 or later: compile with -arch=sm_90, for example")
#define AXE_NEEDS_WGMMA(DEPENDENT, WHAT)                  \
  static_assert(::axe::detail::has_wgmma(int{DEPENDENT}), \
                WHAT " exists on sm_90a only: compile with -gencode arch=compute_90a,code=sm_90a")
#define AXE_NEEDS_SETMAXNREG(DEPENDENT, WHAT)                                                \
  static_assert(::axe::detail::has_target_suffix(int{DEPENDENT}), WHAT                       \
                " needs sm_90a or a later target with suffix a or f: compile with -gencode " \
                "arch=compute_90a,code=sm_90a")
#define AXE_NEEDS_TCGEN05(DEPENDENT, WHAT)                  \
  static_assert(::axe::detail::has_tcgen05(int{DEPENDENT}), \
                WHAT " needs tensor memory: compile with -gencode arch=compute_100a,code=sm_100a")
#define AXE_NEEDS_TCGEN05_INTEGERS(INTEGERS, WHAT)                                              \
  static_assert(!(INTEGERS) || ::axe::detail::has_tcgen05_integers(int{INTEGERS}), WHAT         \
                " exists on sm_100a and sm_110a only: compile with -gencode arch=compute_100a," \
                "code=sm_100a")
