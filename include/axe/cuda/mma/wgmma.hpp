// SPDX-License-Identifier: MIT
// wgmma.mma_async for each number of registers of D: an asm statement must name each register.
//
//     detail::wgmma_registers<128>::issue<Modifiers>(d, a, b, accumulate)       a, b: descriptors
#pragma once

#include <axe/cuda/assembly_operands.hpp>
#include <axe/cuda/mma/mma.hpp>

#ifdef __CUDA_ARCH_FEAT_SM90_ALL

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

// AXE_SUMS_n(Q): the asm operands d[0] to d[n - 1], with constraint Q.
#define AXE_NAMES_6 "%0, %1, %2, %3, %4, %5"
#define AXE_NAMES_10 AXE_NAMES_8 ", %8, %9"
#define AXE_NAMES_12 AXE_NAMES_8 ", %8, %9, %10, %11"
#define AXE_NAMES_14 AXE_NAMES_8 ", %8, %9, %10, %11, %12, %13"
#define AXE_NAMES_18 AXE_NAMES_16 ", %16, %17"
#define AXE_NAMES_20 AXE_NAMES_16 ", %16, %17, %18, %19"
#define AXE_NAMES_22 AXE_NAMES_16 ", %16, %17, %18, %19, %20, %21"
#define AXE_NAMES_24 AXE_NAMES_16 ", %16, %17, %18, %19, %20, %21, %22, %23"
#define AXE_NAMES_26 AXE_NAMES_24 ", %24, %25"
#define AXE_NAMES_28 AXE_NAMES_24 ", %24, %25, %26, %27"
#define AXE_NAMES_30 AXE_NAMES_24 ", %24, %25, %26, %27, %28, %29"
#define AXE_NAMES_34 AXE_NAMES_32 ", %32, %33"
#define AXE_NAMES_36 AXE_NAMES_32 ", %32, %33, %34, %35"
#define AXE_NAMES_38 AXE_NAMES_32 ", %32, %33, %34, %35, %36, %37"
#define AXE_NAMES_40 AXE_NAMES_32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define AXE_NAMES_42 AXE_NAMES_40 ", %40, %41"
#define AXE_NAMES_44 AXE_NAMES_40 ", %40, %41, %42, %43"
#define AXE_NAMES_46 AXE_NAMES_40 ", %40, %41, %42, %43, %44, %45"
#define AXE_NAMES_48 AXE_NAMES_40 ", %40, %41, %42, %43, %44, %45, %46, %47"
#define AXE_NAMES_50 AXE_NAMES_48 ", %48, %49"
#define AXE_NAMES_52 AXE_NAMES_48 ", %48, %49, %50, %51"
#define AXE_NAMES_54 AXE_NAMES_48 ", %48, %49, %50, %51, %52, %53"
#define AXE_NAMES_56 AXE_NAMES_48 ", %48, %49, %50, %51, %52, %53, %54, %55"
#define AXE_NAMES_58 AXE_NAMES_56 ", %56, %57"
#define AXE_NAMES_60 AXE_NAMES_56 ", %56, %57, %58, %59"
#define AXE_NAMES_62 AXE_NAMES_56 ", %56, %57, %58, %59, %60, %61"
#define AXE_NAMES_64 AXE_NAMES_56 ", %56, %57, %58, %59, %60, %61, %62, %63"
#define AXE_NAMES_68 AXE_NAMES_64 ", %64, %65, %66, %67"
#define AXE_NAMES_72 AXE_NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define AXE_NAMES_76 AXE_NAMES_72 ", %72, %73, %74, %75"
#define AXE_NAMES_80 AXE_NAMES_72 ", %72, %73, %74, %75, %76, %77, %78, %79"
#define AXE_NAMES_84 AXE_NAMES_80 ", %80, %81, %82, %83"
#define AXE_NAMES_88 AXE_NAMES_80 ", %80, %81, %82, %83, %84, %85, %86, %87"
#define AXE_NAMES_92 AXE_NAMES_88 ", %88, %89, %90, %91"
#define AXE_NAMES_96 AXE_NAMES_88 ", %88, %89, %90, %91, %92, %93, %94, %95"
#define AXE_NAMES_100 AXE_NAMES_96 ", %96, %97, %98, %99"
#define AXE_NAMES_104 AXE_NAMES_96 ", %96, %97, %98, %99, %100, %101, %102, %103"
#define AXE_NAMES_108 AXE_NAMES_104 ", %104, %105, %106, %107"
#define AXE_NAMES_112 AXE_NAMES_104 ", %104, %105, %106, %107, %108, %109, %110, %111"
#define AXE_NAMES_116 AXE_NAMES_112 ", %112, %113, %114, %115"
#define AXE_NAMES_120 AXE_NAMES_112 ", %112, %113, %114, %115, %116, %117, %118, %119"
#define AXE_NAMES_124 AXE_NAMES_120 ", %120, %121, %122, %123"
#define AXE_NAMES_128 AXE_NAMES_120 ", %120, %121, %122, %123, %124, %125, %126, %127"
#define AXE_SUMS_0(Q)
#define AXE_SUMS_8(Q) AXE_SUMS_0(Q) AXE_OPERANDS_8(Q, d, 0),
#define AXE_SUMS_16(Q) AXE_SUMS_8(Q) AXE_OPERANDS_8(Q, d, 8),
#define AXE_SUMS_24(Q) AXE_SUMS_16(Q) AXE_OPERANDS_8(Q, d, 16),
#define AXE_SUMS_32(Q) AXE_SUMS_24(Q) AXE_OPERANDS_8(Q, d, 24),
#define AXE_SUMS_40(Q) AXE_SUMS_32(Q) AXE_OPERANDS_8(Q, d, 32),
#define AXE_SUMS_48(Q) AXE_SUMS_40(Q) AXE_OPERANDS_8(Q, d, 40),
#define AXE_SUMS_56(Q) AXE_SUMS_48(Q) AXE_OPERANDS_8(Q, d, 48),
#define AXE_SUMS_64(Q) AXE_SUMS_56(Q) AXE_OPERANDS_8(Q, d, 56),
#define AXE_SUMS_72(Q) AXE_SUMS_64(Q) AXE_OPERANDS_8(Q, d, 64),
#define AXE_SUMS_80(Q) AXE_SUMS_72(Q) AXE_OPERANDS_8(Q, d, 72),
#define AXE_SUMS_88(Q) AXE_SUMS_80(Q) AXE_OPERANDS_8(Q, d, 80),
#define AXE_SUMS_96(Q) AXE_SUMS_88(Q) AXE_OPERANDS_8(Q, d, 88),
#define AXE_SUMS_104(Q) AXE_SUMS_96(Q) AXE_OPERANDS_8(Q, d, 96),
#define AXE_SUMS_112(Q) AXE_SUMS_104(Q) AXE_OPERANDS_8(Q, d, 104),
#define AXE_SUMS_120(Q) AXE_SUMS_112(Q) AXE_OPERANDS_8(Q, d, 112),

// D has COUNT = BASE + REST registers, asm operands 0 to COUNT - 1. Ak is COUNT + k.
#define AXE_WGMMA_FORMS(TYPE, Q, COUNT, BASE, REST, A1, A2, A3, A4, A5, A6, A7)                   \
  template <class Modifiers>                                                                      \
  static __device__ __forceinline__ void issue(TYPE* d, stl::uint64_t a, stl::uint64_t b,         \
                                               unsigned accumulate) {                             \
    asm volatile("{.reg .pred accumulate; setp.ne.b32 accumulate, %" #A2                          \
                 ", 0; wgmma.mma_async.sync.aligned.%" #A3 " {" AXE_NAMES_##COUNT                 \
                 "}, %" #COUNT ", %" #A1 ", accumulate%" #A4 ";}"                                 \
                 : AXE_SUMS_##BASE(Q) AXE_OPERANDS_##REST(Q, d, BASE)                             \
                 : "l"(a), "l"(b), "r"(accumulate), "C"(Modifiers::name::value),                  \
                   "C"(Modifiers::tail::value));                                                  \
  }                                                                                               \
  template <class Modifiers>                                                                      \
  static __device__ __forceinline__ void issue(TYPE* d, unsigned const* a, stl::uint64_t b,       \
                                               unsigned accumulate) {                             \
    asm volatile("{.reg .pred accumulate; setp.ne.b32 accumulate, %" #A5                          \
                 ", 0; wgmma.mma_async.sync.aligned.%" #A6 " {" AXE_NAMES_##COUNT                 \
                 "}, {%" #COUNT ", %" #A1 ", %" #A2 ", %" #A3 "}, %" #A4 ", accumulate%" #A7 ";}" \
                 : AXE_SUMS_##BASE(Q) AXE_OPERANDS_##REST(Q, d, BASE)                             \
                 : AXE_OPERANDS_4("r", a, 0), "l"(b), "r"(accumulate),                            \
                   "C"(Modifiers::name::value), "C"(Modifiers::tail::value));                     \
  }
#define AXE_WGMMA_COUNT(COUNT, ...)                     \
  template <> struct wgmma_registers<COUNT> {           \
    AXE_WGMMA_FORMS(float, "+f", COUNT, __VA_ARGS__)    \
    AXE_WGMMA_FORMS(unsigned, "+r", COUNT, __VA_ARGS__) \
  };
// Nk is BASE + k.
#define AXE_WGMMA_BY_TWO(BASE, N2, N3, N4, N5, N6, N7, N8, N9, N10, N11, N12, N13, N14, N15) \
  AXE_WGMMA_COUNT(N2, BASE, 2, N3, N4, N5, N6, N7, N8, N9)                                   \
  AXE_WGMMA_COUNT(N4, BASE, 4, N5, N6, N7, N8, N9, N10, N11)                                 \
  AXE_WGMMA_COUNT(N6, BASE, 6, N7, N8, N9, N10, N11, N12, N13)                               \
  AXE_WGMMA_COUNT(N8, BASE, 8, N9, N10, N11, N12, N13, N14, N15)
#define AXE_WGMMA_BY_FOUR(BASE, N4, N5, N6, N7, N8, N9, N10, N11, N12, N13, N14, N15) \
  AXE_WGMMA_COUNT(N4, BASE, 4, N5, N6, N7, N8, N9, N10, N11)                          \
  AXE_WGMMA_COUNT(N8, BASE, 8, N9, N10, N11, N12, N13, N14, N15)

AXE_WGMMA_BY_TWO(0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
AXE_WGMMA_BY_TWO(8, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23)
AXE_WGMMA_BY_TWO(16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)
AXE_WGMMA_BY_TWO(24, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39)
AXE_WGMMA_BY_TWO(32, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47)
AXE_WGMMA_BY_TWO(40, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55)
AXE_WGMMA_BY_TWO(48, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63)
AXE_WGMMA_BY_TWO(56, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71)
AXE_WGMMA_BY_FOUR(64, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79)
AXE_WGMMA_BY_FOUR(72, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87)
AXE_WGMMA_BY_FOUR(80, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94, 95)
AXE_WGMMA_BY_FOUR(88, 92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102, 103)
AXE_WGMMA_BY_FOUR(96, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111)
AXE_WGMMA_BY_FOUR(104, 108, 109, 110, 111, 112, 113, 114, 115, 116, 117, 118, 119)
AXE_WGMMA_BY_FOUR(112, 116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127)
AXE_WGMMA_BY_FOUR(120, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 134, 135)

#undef AXE_WGMMA_FORMS
#undef AXE_WGMMA_COUNT
#undef AXE_WGMMA_BY_TWO
#undef AXE_WGMMA_BY_FOUR

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
