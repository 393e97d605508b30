// SPDX-License-Identifier: MIT
// mma_sync<Op, T>(d, a, b): D += A * B by one mma.sync.
//
//   mma_sync<mma_instruction{mma_kind::mma_sync, 16, 8, 16}, mma_types{bf16, bf16, f32}>(d, a, b);
//
// Operands are 32-bit registers, the first element in the lowest bits. Pass f64 as double and f32
// sums as float. A product of b1 is popc(A & B).
#pragma once

#include <axe/cuda/mma/modifiers.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

template <mma_instruction Op, mma_types T, class D, class A>
__device__ __forceinline__ void mma_sync(D* d, A const* a, A const* b) {
  detail::verdict<detail::mma_check<Op, T>>::passes();
  constexpr int bits = bits_of(T.a), in_word = bits == 64 ? 1 : 32 / bits;
  constexpr int of_a = Op.m * Op.k / 32 / in_word, of_b = Op.k * 8 / 32 / in_word;
  constexpr int of_d = Op.m * 8 / 32 / (T.sum == element_type::f16 ? 2 : 1);
  constexpr bool floats = T.sum == element_type::f32, doubles = T.sum == element_type::f64;
  using name = detail::assembly_text<detail::mma_name(Op, T)>;
// AXE_MMA_4_2_1: d has 4 registers, a 2 and b 1. D and A are the asm constraints of d and of a, b.
#define AXE_MMA_4_4_2(D, A)                                                                 \
  asm volatile("mma.sync.aligned.%10 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
               : D(d[0]), D(d[1]), D(d[2]), D(d[3])                                         \
               : A(a[0]), A(a[1]), A(a[2]), A(a[3]), A(b[0]), A(b[1]), "C"(name::value))
#define AXE_MMA_4_2_1(D, A)                                                       \
  asm volatile("mma.sync.aligned.%7 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};" \
               : D(d[0]), D(d[1]), D(d[2]), D(d[3])                               \
               : A(a[0]), A(a[1]), A(b[0]), "C"(name::value))
  if constexpr (doubles && of_a == 1) {
    asm volatile("mma.sync.aligned.%4 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a[0]), "d"(b[0]), "C"(name::value));
  } else if constexpr (doubles && of_a == 2) {
    AXE_MMA_4_2_1("+d", "d");
  } else if constexpr (doubles && of_a == 4) {
    AXE_MMA_4_4_2("+d", "d");
  } else if constexpr (doubles) {
    asm volatile(
        "mma.sync.aligned.%16 {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, "
        "{%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]),
          "d"(b[0]), "d"(b[1]), "d"(b[2]), "d"(b[3]), "C"(name::value));
  } else if constexpr (floats && of_a == 4) {
    AXE_MMA_4_4_2("+f", "r");
  } else if constexpr (floats) {
    AXE_MMA_4_2_1("+f", "r");
  } else if constexpr (of_d == 4 && of_a == 4) {
    AXE_MMA_4_4_2("+r", "r");
  } else if constexpr (of_d == 4) {
    AXE_MMA_4_2_1("+r", "r");
  } else if constexpr (of_a == 4) {
    asm volatile("mma.sync.aligned.%8 {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]),
                   "C"(name::value));
  } else if constexpr (of_a == 2) {
    asm volatile("mma.sync.aligned.%5 {%0,%1}, {%2,%3}, {%4}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a[0]), "r"(a[1]), "r"(b[0]), "C"(name::value));
  } else {
    asm volatile("mma.sync.aligned.%4 {%0,%1}, {%2}, {%3}, {%0,%1};"
                 : "+r"(d[0]), "+r"(d[1])
                 : "r"(a[0]), "r"(b[0]), "C"(name::value));
  }
#undef AXE_MMA_4_4_2
#undef AXE_MMA_4_2_1
  static_assert(of_a >= of_b && of_d >= 2,
                "an MMA needs at least as many registers for A as for B, and 2 or more for D");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
