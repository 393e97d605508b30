// compiled_architecture(): the architecture that this translation unit is compiled for, as plans
// name it.
//
//     plan_mma(types, a, b, c, detail::compiled_architecture())
//
// Source: CUDA C++ Programming Guide, "Architecture-Specific Features". Definition: docs/plans.md,
// "Inputs of a plan".
#pragma once

#include <axe/atoms/target.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The architecture that is compiled for; on the host, which runs no kernel, sm_90a.
AXE_FN constexpr architecture compiled_architecture() {
#if defined(__CUDA_ARCH__)
#if defined(__CUDA_ARCH_FEAT_SM100_ALL) || defined(__CUDA_ARCH_FEAT_SM103_ALL)
  return architecture::sm_100a;
#elif defined(__CUDA_ARCH_FEAT_SM90_ALL)
  return architecture::sm_90a;
#elif __CUDA_ARCH__ >= 900
  return architecture::sm_90;
#elif __CUDA_ARCH__ >= 890
  return architecture::sm_89;
#else
  return architecture::sm_80;
#endif
#else
  return architecture::sm_90a;
#endif
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
