// SPDX-License-Identifier: MIT
// architecture, memory_space, execution_scope: the arguments of a plan besides its layouts.
//
//     architecture::sm_90a, memory_space::shared, execution_scope::warpgroup
//
// name_of(x) is the name that users write. try_architecture, try_memory_space and
// try_execution_scope read it.
// Source: PTX ISA, "State Spaces", "Target Architectures"; the Axe paper, section 4.
// Definition: docs/plans.md, "Inputs of a plan".
#pragma once

#include <axe/base/text.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Each architecture has the instructions of those before it, except that sm_100a lacks wgmma.
enum class architecture : unsigned char { sm_80, sm_89, sm_90, sm_90a, sm_100a };

/// Where a tensor is. `tensor`: the tensor memory of sm_100a.
enum class memory_space : unsigned char { global, shared, registers, tensor };

enum class execution_scope : unsigned char { thread, warp, warpgroup, cta, cluster };

AXE_FN constexpr char const* name_of(architecture a) {
  constexpr char const* names[] = {"sm_80", "sm_89", "sm_90", "sm_90a", "sm_100a"};
  return names[static_cast<int>(a)];
}
AXE_FN constexpr char const* name_of(memory_space s) {
  constexpr char const* names[] = {"global", "shared", "registers", "tensor"};
  return names[static_cast<int>(s)];
}
AXE_FN constexpr char const* name_of(execution_scope s) {
  constexpr char const* names[] = {"thread", "warp", "warpgroup", "cta", "cluster"};
  return names[static_cast<int>(s)];
}

namespace detail {
/// The number in the name. Compare it: for == of enumerators clang tries 144 overloads.
AXE_FN constexpr int number_of(architecture a) {
  constexpr unsigned char numbers[] = {80, 89, 90, 90, 100};
  return numbers[static_cast<int>(a)];
}
}  // namespace detail

AXE_FN constexpr bool has_stmatrix(architecture a) { return detail::number_of(a) >= 90; }
AXE_FN constexpr bool has_tma(architecture a) { return detail::number_of(a) >= 90; }
AXE_FN constexpr bool has_wgmma(architecture a) { return a == architecture::sm_90a; }
AXE_FN constexpr bool has_tensor_memory(architecture a) { return detail::number_of(a) == 100; }
/// The largest shared memory of a CTA, in bytes.
/// Source: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
AXE_FN constexpr integer shared_bytes(architecture a) {
  return (detail::number_of(a) == 80 ? 163 : detail::number_of(a) == 89 ? 99 : 227) * 1024;
}

/// Returns 0 for a CTA and a cluster, whose size the kernel chooses.
AXE_LAZY_FN constexpr integer threads_of(execution_scope s) {
  constexpr unsigned char threads[] = {1, 32, 128, 0, 0};
  return threads[static_cast<int>(s)];
}

namespace detail {
AXE_FN constexpr bool same_name(char const* a, char const* b) {
  while (*a != '\0' && *a == *b) ++a, ++b;
  return *a == *b;
}
template <class Enum, int Count> AXE_FN constexpr bool find_name(char const* name, Enum& found) {
  for (int k = 0; k < Count; ++k)
    if (same_name(name_of(static_cast<Enum>(k)), name)) {
      found = static_cast<Enum>(k);
      return true;
    }
  return false;
}
}  // namespace detail

/// False, without a change of `found`, if the name is unknown.
AXE_LAZY_FN constexpr bool try_architecture(char const* name, architecture& found) {
  return detail::find_name<architecture, 5>(name, found);
}
AXE_LAZY_FN constexpr bool try_memory_space(char const* name, memory_space& found) {
  return detail::find_name<memory_space, 4>(name, found);
}
AXE_LAZY_FN constexpr bool try_execution_scope(char const* name, execution_scope& found) {
  return detail::find_name<execution_scope, 5>(name, found);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
