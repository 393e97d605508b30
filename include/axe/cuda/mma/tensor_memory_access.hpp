// SPDX-License-Identifier: MIT
// tcgen05.ld and tcgen05.st of one warp with 1 to 32 registers.
//
//     detail::tcgen05_load<tmem_shape::lanes_32_bits_32, 32>(words, address);     .32x32b.x32
//
// The caller executes tcgen05.wait.
#pragma once

#include <axe/atoms/tensor_memory.hpp>
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
#define AXE_TMEM_WORDS_1(C, N) C(words[N])
#define AXE_TMEM_WORDS_2(C, N) AXE_TMEM_WORDS_1(C, N), AXE_TMEM_WORDS_1(C, N + 1)
#define AXE_TMEM_WORDS_4(C, N) AXE_TMEM_WORDS_2(C, N), AXE_TMEM_WORDS_2(C, N + 2)
#define AXE_TMEM_WORDS_8(C, N) AXE_TMEM_WORDS_4(C, N), AXE_TMEM_WORDS_4(C, N + 4)
#define AXE_TMEM_WORDS_16(C, N) AXE_TMEM_WORDS_8(C, N), AXE_TMEM_WORDS_8(C, N + 8)
#define AXE_TMEM_WORDS_32(C, N) AXE_TMEM_WORDS_16(C, N), AXE_TMEM_WORDS_16(C, N + 16)
#define AXE_TMEM_NAMES_1 "%0"
#define AXE_TMEM_NAMES_2 AXE_TMEM_NAMES_1 ",%1"
#define AXE_TMEM_NAMES_4 AXE_TMEM_NAMES_2 ",%2,%3"
#define AXE_TMEM_NAMES_8 AXE_TMEM_NAMES_4 ",%4,%5,%6,%7"
#define AXE_TMEM_NAMES_16 AXE_TMEM_NAMES_8 ",%8,%9,%10,%11,%12,%13,%14,%15"
#define AXE_TMEM_NAMES_32 \
  AXE_TMEM_NAMES_16 ",%16,%17,%18,%19,%20,%21,%22,%23,%24,%25,%26,%27,%28,%29,%30,%31"
#define AXE_TMEM_EACH_COUNT(DO) \
  DO(1, "%1", "%2");            \
  DO(2, "%2", "%3");            \
  DO(4, "%4", "%5");            \
  DO(8, "%8", "%9");            \
  DO(16, "%16", "%17");         \
  DO(32, "%32", "%33")
#define AXE_READ_INTO(WORD) "=r"(WORD)
#define AXE_WRITE_FROM(WORD) "r"(WORD)

template <tmem_shape Which, int Repeat, int Count>
__device__ __forceinline__ void tcgen05_load(unsigned (&words)[Count], unsigned address) {
#define AXE_LOAD(N, ADDRESS, NAME)                                                             \
  if constexpr (Count == N)                                                                    \
  asm volatile("tcgen05.ld.sync.aligned." NAME ".b32 {" AXE_TMEM_NAMES_##N "}, [" ADDRESS "];" \
               : AXE_TMEM_WORDS_##N(AXE_READ_INTO, 0)                                          \
               : "r"(address), "C"(assembly_text<tensor_memory_name(Which, Repeat)>::value)    \
               : "memory")
  AXE_TMEM_EACH_COUNT(AXE_LOAD);
#undef AXE_LOAD
}
template <tmem_shape Which, int Repeat, int Count>
__device__ __forceinline__ void tcgen05_store(unsigned address, unsigned const (&words)[Count]) {
#define AXE_STORE(N, ADDRESS, NAME)                                                       \
  if constexpr (Count == N)                                                               \
  asm volatile("tcgen05.st.sync.aligned." NAME ".b32 [" ADDRESS "], {" AXE_TMEM_NAMES_##N \
               "};" ::AXE_TMEM_WORDS_##N(AXE_WRITE_FROM, 0),                              \
               "r"(address), "C"(assembly_text<tensor_memory_name(Which, Repeat)>::value) \
               : "memory")
  AXE_TMEM_EACH_COUNT(AXE_STORE);
#undef AXE_STORE
}
#undef AXE_TMEM_WORDS_1
#undef AXE_TMEM_WORDS_2
#undef AXE_TMEM_WORDS_4
#undef AXE_TMEM_WORDS_8
#undef AXE_TMEM_WORDS_16
#undef AXE_TMEM_WORDS_32
#undef AXE_TMEM_NAMES_1
#undef AXE_TMEM_NAMES_2
#undef AXE_TMEM_NAMES_4
#undef AXE_TMEM_NAMES_8
#undef AXE_TMEM_NAMES_16
#undef AXE_TMEM_NAMES_32
#undef AXE_TMEM_EACH_COUNT
#undef AXE_READ_INTO
#undef AXE_WRITE_FROM

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
