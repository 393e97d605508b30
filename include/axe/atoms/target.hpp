// SPDX-License-Identifier: MIT
// architecture: the GPU for which a plan is made. memory_space: where a tile lies.
//
// Definition: docs/plans.md, "Inputs of a plan".
#pragma once

#include <axe/base/text.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Each has the instructions of those before it, but sm_100a lacks wgmma.
enum class architecture : unsigned char { sm_80, sm_89, sm_90, sm_90a, sm_100a };

/// `tensor` is the tensor memory of sm_100a.
enum class memory_space : unsigned char { global, shared, registers, tensor };

AXE_FN constexpr char const* name_of(architecture a) {
  return detail::name_at(a, {"sm_80", "sm_89", "sm_90", "sm_90a", "sm_100a"});
}
AXE_FN constexpr char const* name_of(memory_space s) {
  return detail::name_at(s, {"global", "shared", "registers", "tensor"});
}

namespace detail {
AXE_FN constexpr int number_of(architecture a) {
  constexpr unsigned char numbers[] = {80, 89, 90, 90, 100};
  return numbers[static_cast<int>(a)];
}
}  // namespace detail

AXE_FN constexpr bool has_stmatrix(architecture a) { return detail::number_of(a) >= 90; }
AXE_FN constexpr bool has_tma(architecture a) { return detail::number_of(a) >= 90; }
AXE_FN constexpr bool has_wgmma(architecture a) { return a == architecture::sm_90a; }
AXE_FN constexpr bool has_tensor_memory(architecture a) { return detail::number_of(a) == 100; }
/// The most shared memory of a CTA. Source: CUDA C++ Programming Guide, "Technical Specifications
/// per Compute Capability".
AXE_FN constexpr integer shared_bytes(architecture a) {
  return (detail::number_of(a) == 80 ? 163 : detail::number_of(a) == 89 ? 99 : 227) * 1024;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
