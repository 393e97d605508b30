// SPDX-License-Identifier: MIT
// mma_sync<Op, T>(d, a, b): D += A * B by one mma.sync.
//
//   mma_sync<mma_instruction{mma_kind::mma_sync, 16, 8, 16}, mma_types{bf16, bf16, f32}>(d, a, b);
//
// Operands are 32-bit registers, the first element in the lowest bits. Pass f64 as double and f32
// sums as float. A product of b1 is popc(A & B).
#pragma once

#include <axe/cuda/assembly_operands.hpp>
#include <axe/cuda/mma/modifiers.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

template <mma_instruction Op, mma_types T, class D, class A,
          bool = detail::mma_kind_check<Op.kind == mma_kind::mma_sync>::passed>
__device__ __forceinline__ void mma_sync(D* d, A const* a, A const* b) {
  detail::verdict<detail::mma_check<Op, T>>::passes();
  constexpr int bits = bits_of(T.a), in_word = bits == 64 ? 1 : 32 / bits;
  constexpr int of_a = Op.m * Op.k / 32 / in_word, of_b = Op.k * 8 / 32 / in_word;
  constexpr int of_d = Op.m * 8 / 32 / (T.sum == element_type::f16 ? 2 : 1);
  constexpr bool floats = T.sum == element_type::f32, doubles = T.sum == element_type::f64;
  constexpr bool words = !floats && !doubles;
  using name = detail::assembly_text<detail::mma_name(Op, T)>;
// OF_D, OF_A, OF_B: numbers of registers. D, A: constraints.
#define AXE_MMA(WHEN, D, OF_D, A, OF_A, OF_B, TEXT)   \
  if constexpr (WHEN && of_d == OF_D && of_a == OF_A) \
  asm volatile("mma.sync.aligned." TEXT               \
               : AXE_OPERANDS_##OF_D(D, d, 0)         \
               : AXE_OPERANDS_##OF_A(A, a, 0), AXE_OPERANDS_##OF_B(A, b, 0), "C"(name::value))
#define AXE_MMA_4(WHEN, D, A)                                                      \
  AXE_MMA(WHEN, D, 4, A, 2, 1, "%7 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"); \
  AXE_MMA(WHEN, D, 4, A, 4, 2, "%10 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};")
  AXE_MMA_4(doubles, "+d", "d");
  AXE_MMA_4(floats, "+f", "r");
  AXE_MMA_4(words, "+r", "r");
  AXE_MMA(doubles, "+d", 2, "d", 1, 1, "%4 {%0,%1}, {%2}, {%3}, {%0,%1};");
  AXE_MMA(doubles, "+d", 4, "d", 8, 4,
          "%16 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};");
  AXE_MMA(words, "+r", 2, "r", 1, 1, "%4 {%0,%1}, {%2}, {%3}, {%0,%1};");
  AXE_MMA(words, "+r", 2, "r", 2, 1, "%5 {%0,%1}, {%2,%3}, {%4}, {%0,%1};");
  AXE_MMA(words, "+r", 2, "r", 4, 2, "%8 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};");
#undef AXE_MMA
#undef AXE_MMA_4
  static_assert(of_a >= of_b && of_d >= 2,
                "an MMA needs at least as many registers for A as for B, and 2 or more for D");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
