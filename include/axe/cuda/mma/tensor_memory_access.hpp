// SPDX-License-Identifier: MIT
// tcgen05.ld and tcgen05.st of one warp with 1 to 32 registers.
//
//     detail::tcgen05_load<tmem_shape::lanes_32_bits_32, 32>(words, address);     .32x32b.x32
//
// The caller executes tcgen05.wait.
#pragma once

#include <axe/atoms/tensor_memory.hpp>
#include <axe/cuda/assembly_operands.hpp>
#include <axe/cuda/mma/modifiers.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_FN constexpr modifier_text tensor_memory_name(tmem_shape which, int repeat) {
  constexpr char const* shapes[] = {"32x32b", "16x64b", "16x128b", "16x256b"};
  return modifier_text(shapes[static_cast<int>(which)]).put(".x").put(repeat);
}

// The asm operands: registers, address, the instruction's name.
#define AXE_TMEM_EACH_COUNT(DO) \
  DO(1, "%1", "%2");            \
  DO(2, "%2", "%3");            \
  DO(4, "%4", "%5");            \
  DO(8, "%8", "%9");            \
  DO(16, "%16", "%17");         \
  DO(32, "%32", "%33")

template <tmem_shape Which, int Repeat, int Count>
__device__ __forceinline__ void tcgen05_load(unsigned (&words)[Count], unsigned address) {
#define AXE_LOAD(N, ADDRESS, NAME)                                                          \
  if constexpr (Count == N)                                                                 \
  asm volatile("tcgen05.ld.sync.aligned." NAME ".b32 {" AXE_NAMES_##N "}, [" ADDRESS "];"   \
               : AXE_OPERANDS_##N("=r", words, 0)                                           \
               : "r"(address), "C"(assembly_text<tensor_memory_name(Which, Repeat)>::value) \
               : "memory")
  AXE_TMEM_EACH_COUNT(AXE_LOAD);
#undef AXE_LOAD
}
template <tmem_shape Which, int Repeat, int Count>
__device__ __forceinline__ void tcgen05_store(unsigned address, unsigned const (&words)[Count]) {
#define AXE_STORE(N, ADDRESS, NAME)                                                       \
  if constexpr (Count == N)                                                               \
  asm volatile("tcgen05.st.sync.aligned." NAME ".b32 [" ADDRESS "], {" AXE_NAMES_##N      \
               "};" ::AXE_OPERANDS_##N("r", words, 0),                                    \
               "r"(address), "C"(assembly_text<tensor_memory_name(Which, Repeat)>::value) \
               : "memory")
  AXE_TMEM_EACH_COUNT(AXE_STORE);
#undef AXE_STORE
}
#undef AXE_TMEM_EACH_COUNT

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
