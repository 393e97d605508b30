// The operands of wgmma.mma_async by how many registers the sums take: what inline assembly wants
// written out, once for each count.
//
//     detail::wgmma_registers<128>::shared<Modifiers>(d, a, b, keep)           float d[128]: m64n256, f32; a and b are descriptors
//     detail::wgmma_registers<128>::registers<Modifiers>(d, a, b, keep)        unsigned a[4]
//
// A row of the table names the operands behind the sums: those of A (4 registers, or a descriptor
// in the first place), B's descriptor, keep (0: D = A * B, else D += A * B), and two texts:
// Modifiers::name (m64n256k16.f32.bf16.bf16) and Modifiers::tail (scales and directions). Sums in
// f32: 4 to 128 registers; in f16 and s32 as words: 2 to 128.
// Source: PTX ISA, "wgmma.mma_async".
#pragma once

#include <axe/cuda/mma/modifiers.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int Count> struct wgmma_registers;

// How the registers of the sums are named in the text, and which variables they are, Q their
// constraint. Few macros deep, because the preprocessor follows each token back through all that it
// came by: with one for each count inside the next it took 274 million instructions here and not
// 77.
#define AXE_NAMES_2 "%0, %1"
#define AXE_NAMES_4 "%0, %1, %2, %3"
#define AXE_NAMES_6 "%0, %1, %2, %3, %4, %5"
#define AXE_NAMES_8 "%0, %1, %2, %3, %4, %5, %6, %7"
#define AXE_NAMES_10 AXE_NAMES_8 ", %8, %9"
#define AXE_NAMES_12 AXE_NAMES_8 ", %8, %9, %10, %11"
#define AXE_NAMES_14 AXE_NAMES_8 ", %8, %9, %10, %11, %12, %13"
#define AXE_NAMES_16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define AXE_NAMES_18 AXE_NAMES_16 ", %16, %17"
#define AXE_NAMES_20 AXE_NAMES_16 ", %16, %17, %18, %19"
#define AXE_NAMES_22 AXE_NAMES_16 ", %16, %17, %18, %19, %20, %21"
#define AXE_NAMES_24                                                                           \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
  "%20, %21, "                                                                                 \
  "%22, %23"
#define AXE_NAMES_26 AXE_NAMES_24 ", %24, %25"
#define AXE_NAMES_28 AXE_NAMES_24 ", %24, %25, %26, %27"
#define AXE_NAMES_30 AXE_NAMES_24 ", %24, %25, %26, %27, %28, %29"
#define AXE_NAMES_32                                                                           \
  "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, " \
  "%20, %21, "                                                                                 \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31"
#define AXE_NAMES_34 AXE_NAMES_32 ", %32, %33"
#define AXE_NAMES_36 AXE_NAMES_32 ", %32, %33, %34, %35"
#define AXE_NAMES_38 AXE_NAMES_32 ", %32, %33, %34, %35, %36, %37"
#define AXE_NAMES_40 AXE_NAMES_32 ", %32, %33, %34, %35, %36, %37, %38, %39"
#define AXE_NAMES_42 AXE_NAMES_40 ", %40, %41"
#define AXE_NAMES_44 AXE_NAMES_40 ", %40, %41, %42, %43"
#define AXE_NAMES_46 AXE_NAMES_40 ", %40, %41, %42, %43, %44, %45"
#define AXE_NAMES_48 \
  AXE_NAMES_32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47"
#define AXE_NAMES_50 AXE_NAMES_48 ", %48, %49"
#define AXE_NAMES_52 AXE_NAMES_48 ", %48, %49, %50, %51"
#define AXE_NAMES_54 AXE_NAMES_48 ", %48, %49, %50, %51, %52, %53"
#define AXE_NAMES_56                                                                             \
  AXE_NAMES_32                                                                                   \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
  "%50, "                                                                                        \
  "%51, %52, %53, %54, %55"
#define AXE_NAMES_58 AXE_NAMES_56 ", %56, %57"
#define AXE_NAMES_60 AXE_NAMES_56 ", %56, %57, %58, %59"
#define AXE_NAMES_62 AXE_NAMES_56 ", %56, %57, %58, %59, %60, %61"
#define AXE_NAMES_64                                                                             \
  AXE_NAMES_32                                                                                   \
  ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, " \
  "%50, "                                                                                        \
  "%51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define AXE_NAMES_68 AXE_NAMES_64 ", %64, %65, %66, %67"
#define AXE_NAMES_72 AXE_NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71"
#define AXE_NAMES_76 AXE_NAMES_72 ", %72, %73, %74, %75"
#define AXE_NAMES_80 \
  AXE_NAMES_64 ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79"
#define AXE_NAMES_84 AXE_NAMES_80 ", %80, %81, %82, %83"
#define AXE_NAMES_88                                                                             \
  AXE_NAMES_64                                                                                   \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, " \
  "%82, "                                                                                        \
  "%83, %84, %85, %86, %87"
#define AXE_NAMES_92 AXE_NAMES_88 ", %88, %89, %90, %91"
#define AXE_NAMES_96                                                                             \
  AXE_NAMES_64                                                                                   \
  ", %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, " \
  "%82, "                                                                                        \
  "%83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95"
#define AXE_NAMES_100 AXE_NAMES_96 ", %96, %97, %98, %99"
#define AXE_NAMES_104 AXE_NAMES_96 ", %96, %97, %98, %99, %100, %101, %102, %103"
#define AXE_NAMES_108 AXE_NAMES_104 ", %104, %105, %106, %107"
#define AXE_NAMES_112                                                                        \
  AXE_NAMES_96                                                                               \
  ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, " \
  "%111"
#define AXE_NAMES_116 AXE_NAMES_112 ", %112, %113, %114, %115"
#define AXE_NAMES_120                                                                              \
  AXE_NAMES_96                                                                                     \
  ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, "                                                                                         \
  "%113, %114, %115, %116, %117, %118, %119"
#define AXE_NAMES_124 AXE_NAMES_120 ", %120, %121, %122, %123"
#define AXE_NAMES_128                                                                              \
  AXE_NAMES_96                                                                                     \
  ", %96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, " \
  "%112, "                                                                                         \
  "%113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127"
#define AXE_SUMS_2(Q) Q(d[0]), Q(d[1])
#define AXE_SUMS_4(Q) Q(d[0]), Q(d[1]), Q(d[2]), Q(d[3])
#define AXE_SUMS_6(Q) Q(d[0]), Q(d[1]), Q(d[2]), Q(d[3]), Q(d[4]), Q(d[5])
#define AXE_SUMS_8(Q) Q(d[0]), Q(d[1]), Q(d[2]), Q(d[3]), Q(d[4]), Q(d[5]), Q(d[6]), Q(d[7])
#define AXE_SUMS_10(Q) AXE_SUMS_8(Q), Q(d[8]), Q(d[9])
#define AXE_SUMS_12(Q) AXE_SUMS_8(Q), Q(d[8]), Q(d[9]), Q(d[10]), Q(d[11])
#define AXE_SUMS_14(Q) AXE_SUMS_8(Q), Q(d[8]), Q(d[9]), Q(d[10]), Q(d[11]), Q(d[12]), Q(d[13])
#define AXE_SUMS_16(Q)                                                                      \
  Q(d[0]), Q(d[1]), Q(d[2]), Q(d[3]), Q(d[4]), Q(d[5]), Q(d[6]), Q(d[7]), Q(d[8]), Q(d[9]), \
      Q(d[10]), Q(d[11]), Q(d[12]), Q(d[13]), Q(d[14]), Q(d[15])
#define AXE_SUMS_18(Q) AXE_SUMS_16(Q), Q(d[16]), Q(d[17])
#define AXE_SUMS_20(Q) AXE_SUMS_16(Q), Q(d[16]), Q(d[17]), Q(d[18]), Q(d[19])
#define AXE_SUMS_22(Q) AXE_SUMS_16(Q), Q(d[16]), Q(d[17]), Q(d[18]), Q(d[19]), Q(d[20]), Q(d[21])
#define AXE_SUMS_24(Q)                                                                          \
  Q(d[0]), Q(d[1]), Q(d[2]), Q(d[3]), Q(d[4]), Q(d[5]), Q(d[6]), Q(d[7]), Q(d[8]), Q(d[9]),     \
      Q(d[10]), Q(d[11]), Q(d[12]), Q(d[13]), Q(d[14]), Q(d[15]), Q(d[16]), Q(d[17]), Q(d[18]), \
      Q(d[19]), Q(d[20]), Q(d[21]), Q(d[22]), Q(d[23])
#define AXE_SUMS_26(Q) AXE_SUMS_24(Q), Q(d[24]), Q(d[25])
#define AXE_SUMS_28(Q) AXE_SUMS_24(Q), Q(d[24]), Q(d[25]), Q(d[26]), Q(d[27])
#define AXE_SUMS_30(Q) AXE_SUMS_24(Q), Q(d[24]), Q(d[25]), Q(d[26]), Q(d[27]), Q(d[28]), Q(d[29])
#define AXE_SUMS_32(Q)                                                                          \
  Q(d[0]), Q(d[1]), Q(d[2]), Q(d[3]), Q(d[4]), Q(d[5]), Q(d[6]), Q(d[7]), Q(d[8]), Q(d[9]),     \
      Q(d[10]), Q(d[11]), Q(d[12]), Q(d[13]), Q(d[14]), Q(d[15]), Q(d[16]), Q(d[17]), Q(d[18]), \
      Q(d[19]), Q(d[20]), Q(d[21]), Q(d[22]), Q(d[23]), Q(d[24]), Q(d[25]), Q(d[26]), Q(d[27]), \
      Q(d[28]), Q(d[29]), Q(d[30]), Q(d[31])
#define AXE_SUMS_34(Q) AXE_SUMS_32(Q), Q(d[32]), Q(d[33])
#define AXE_SUMS_36(Q) AXE_SUMS_32(Q), Q(d[32]), Q(d[33]), Q(d[34]), Q(d[35])
#define AXE_SUMS_38(Q) AXE_SUMS_32(Q), Q(d[32]), Q(d[33]), Q(d[34]), Q(d[35]), Q(d[36]), Q(d[37])
#define AXE_SUMS_40(Q) \
  AXE_SUMS_32(Q), Q(d[32]), Q(d[33]), Q(d[34]), Q(d[35]), Q(d[36]), Q(d[37]), Q(d[38]), Q(d[39])
#define AXE_SUMS_42(Q) AXE_SUMS_40(Q), Q(d[40]), Q(d[41])
#define AXE_SUMS_44(Q) AXE_SUMS_40(Q), Q(d[40]), Q(d[41]), Q(d[42]), Q(d[43])
#define AXE_SUMS_46(Q) AXE_SUMS_40(Q), Q(d[40]), Q(d[41]), Q(d[42]), Q(d[43]), Q(d[44]), Q(d[45])
#define AXE_SUMS_48(Q)                                                                            \
  AXE_SUMS_32(Q), Q(d[32]), Q(d[33]), Q(d[34]), Q(d[35]), Q(d[36]), Q(d[37]), Q(d[38]), Q(d[39]), \
      Q(d[40]), Q(d[41]), Q(d[42]), Q(d[43]), Q(d[44]), Q(d[45]), Q(d[46]), Q(d[47])
#define AXE_SUMS_50(Q) AXE_SUMS_48(Q), Q(d[48]), Q(d[49])
#define AXE_SUMS_52(Q) AXE_SUMS_48(Q), Q(d[48]), Q(d[49]), Q(d[50]), Q(d[51])
#define AXE_SUMS_54(Q) AXE_SUMS_48(Q), Q(d[48]), Q(d[49]), Q(d[50]), Q(d[51]), Q(d[52]), Q(d[53])
#define AXE_SUMS_56(Q)                                                                            \
  AXE_SUMS_32(Q), Q(d[32]), Q(d[33]), Q(d[34]), Q(d[35]), Q(d[36]), Q(d[37]), Q(d[38]), Q(d[39]), \
      Q(d[40]), Q(d[41]), Q(d[42]), Q(d[43]), Q(d[44]), Q(d[45]), Q(d[46]), Q(d[47]), Q(d[48]),   \
      Q(d[49]), Q(d[50]), Q(d[51]), Q(d[52]), Q(d[53]), Q(d[54]), Q(d[55])
#define AXE_SUMS_58(Q) AXE_SUMS_56(Q), Q(d[56]), Q(d[57])
#define AXE_SUMS_60(Q) AXE_SUMS_56(Q), Q(d[56]), Q(d[57]), Q(d[58]), Q(d[59])
#define AXE_SUMS_62(Q) AXE_SUMS_56(Q), Q(d[56]), Q(d[57]), Q(d[58]), Q(d[59]), Q(d[60]), Q(d[61])
#define AXE_SUMS_64(Q)                                                                            \
  AXE_SUMS_32(Q), Q(d[32]), Q(d[33]), Q(d[34]), Q(d[35]), Q(d[36]), Q(d[37]), Q(d[38]), Q(d[39]), \
      Q(d[40]), Q(d[41]), Q(d[42]), Q(d[43]), Q(d[44]), Q(d[45]), Q(d[46]), Q(d[47]), Q(d[48]),   \
      Q(d[49]), Q(d[50]), Q(d[51]), Q(d[52]), Q(d[53]), Q(d[54]), Q(d[55]), Q(d[56]), Q(d[57]),   \
      Q(d[58]), Q(d[59]), Q(d[60]), Q(d[61]), Q(d[62]), Q(d[63])
#define AXE_SUMS_68(Q) AXE_SUMS_64(Q), Q(d[64]), Q(d[65]), Q(d[66]), Q(d[67])
#define AXE_SUMS_72(Q) \
  AXE_SUMS_64(Q), Q(d[64]), Q(d[65]), Q(d[66]), Q(d[67]), Q(d[68]), Q(d[69]), Q(d[70]), Q(d[71])
#define AXE_SUMS_76(Q) AXE_SUMS_72(Q), Q(d[72]), Q(d[73]), Q(d[74]), Q(d[75])
#define AXE_SUMS_80(Q)                                                                            \
  AXE_SUMS_64(Q), Q(d[64]), Q(d[65]), Q(d[66]), Q(d[67]), Q(d[68]), Q(d[69]), Q(d[70]), Q(d[71]), \
      Q(d[72]), Q(d[73]), Q(d[74]), Q(d[75]), Q(d[76]), Q(d[77]), Q(d[78]), Q(d[79])
#define AXE_SUMS_84(Q) AXE_SUMS_80(Q), Q(d[80]), Q(d[81]), Q(d[82]), Q(d[83])
#define AXE_SUMS_88(Q)                                                                            \
  AXE_SUMS_64(Q), Q(d[64]), Q(d[65]), Q(d[66]), Q(d[67]), Q(d[68]), Q(d[69]), Q(d[70]), Q(d[71]), \
      Q(d[72]), Q(d[73]), Q(d[74]), Q(d[75]), Q(d[76]), Q(d[77]), Q(d[78]), Q(d[79]), Q(d[80]),   \
      Q(d[81]), Q(d[82]), Q(d[83]), Q(d[84]), Q(d[85]), Q(d[86]), Q(d[87])
#define AXE_SUMS_92(Q) AXE_SUMS_88(Q), Q(d[88]), Q(d[89]), Q(d[90]), Q(d[91])
#define AXE_SUMS_96(Q)                                                                            \
  AXE_SUMS_64(Q), Q(d[64]), Q(d[65]), Q(d[66]), Q(d[67]), Q(d[68]), Q(d[69]), Q(d[70]), Q(d[71]), \
      Q(d[72]), Q(d[73]), Q(d[74]), Q(d[75]), Q(d[76]), Q(d[77]), Q(d[78]), Q(d[79]), Q(d[80]),   \
      Q(d[81]), Q(d[82]), Q(d[83]), Q(d[84]), Q(d[85]), Q(d[86]), Q(d[87]), Q(d[88]), Q(d[89]),   \
      Q(d[90]), Q(d[91]), Q(d[92]), Q(d[93]), Q(d[94]), Q(d[95])
#define AXE_SUMS_100(Q) AXE_SUMS_96(Q), Q(d[96]), Q(d[97]), Q(d[98]), Q(d[99])
#define AXE_SUMS_104(Q) \
  AXE_SUMS_96(Q), Q(d[96]), Q(d[97]), Q(d[98]), Q(d[99]), Q(d[100]), Q(d[101]), Q(d[102]), Q(d[103])
#define AXE_SUMS_108(Q) AXE_SUMS_104(Q), Q(d[104]), Q(d[105]), Q(d[106]), Q(d[107])
#define AXE_SUMS_112(Q)                                                                       \
  AXE_SUMS_96(Q), Q(d[96]), Q(d[97]), Q(d[98]), Q(d[99]), Q(d[100]), Q(d[101]), Q(d[102]),    \
      Q(d[103]), Q(d[104]), Q(d[105]), Q(d[106]), Q(d[107]), Q(d[108]), Q(d[109]), Q(d[110]), \
      Q(d[111])
#define AXE_SUMS_116(Q) AXE_SUMS_112(Q), Q(d[112]), Q(d[113]), Q(d[114]), Q(d[115])
#define AXE_SUMS_120(Q)                                                                       \
  AXE_SUMS_96(Q), Q(d[96]), Q(d[97]), Q(d[98]), Q(d[99]), Q(d[100]), Q(d[101]), Q(d[102]),    \
      Q(d[103]), Q(d[104]), Q(d[105]), Q(d[106]), Q(d[107]), Q(d[108]), Q(d[109]), Q(d[110]), \
      Q(d[111]), Q(d[112]), Q(d[113]), Q(d[114]), Q(d[115]), Q(d[116]), Q(d[117]), Q(d[118]), \
      Q(d[119])
#define AXE_SUMS_124(Q) AXE_SUMS_120(Q), Q(d[120]), Q(d[121]), Q(d[122]), Q(d[123])
#define AXE_SUMS_128(Q)                                                                       \
  AXE_SUMS_96(Q), Q(d[96]), Q(d[97]), Q(d[98]), Q(d[99]), Q(d[100]), Q(d[101]), Q(d[102]),    \
      Q(d[103]), Q(d[104]), Q(d[105]), Q(d[106]), Q(d[107]), Q(d[108]), Q(d[109]), Q(d[110]), \
      Q(d[111]), Q(d[112]), Q(d[113]), Q(d[114]), Q(d[115]), Q(d[116]), Q(d[117]), Q(d[118]), \
      Q(d[119]), Q(d[120]), Q(d[121]), Q(d[122]), Q(d[123]), Q(d[124]), Q(d[125]), Q(d[126]), \
      Q(d[127])

// From shared memory: names %a0 and %a1 are the descriptors, %a2 keep, %a3 and %a4 the texts.
#define AXE_WGMMA_SHARED(COUNT, TYPE, Q, A0, A1, A2, A3, A4)                                      \
  template <class Modifiers>                                                                      \
  static __device__ __forceinline__ void shared(TYPE* d, stl::uint64_t a, stl::uint64_t b,        \
                                                unsigned keep) {                                  \
    asm volatile(                                                                                 \
        "{\n.reg .pred keep;\nsetp.ne.b32 keep, %" #A2 ", 0;\nwgmma.mma_async.sync.aligned.%" #A3 \
        " {" AXE_NAMES_##COUNT "}, %" #A0 ", %" #A1 ", keep%" #A4 ";\n}"                          \
        : AXE_SUMS_##COUNT(Q)                                                                     \
        : "l"(a), "l"(b), "r"(keep), "C"(Modifiers::name::value), "C"(Modifiers::tail::value));   \
  }
// From registers: %a0 to %a3 are A, %a4 B's descriptor, %a5 keep, %a6 and %a7 the texts.
#define AXE_WGMMA_REGISTERS(COUNT, TYPE, Q, A0, A1, A2, A3, A4, A5, A6, A7)                     \
  template <class Modifiers>                                                                    \
  static __device__ __forceinline__ void registers(TYPE* d, unsigned const* a, stl::uint64_t b, \
                                                   unsigned keep) {                             \
    asm volatile("{\n.reg .pred keep;\nsetp.ne.b32 keep, %" #A5                                 \
                 ", 0;\nwgmma.mma_async.sync.aligned.%" #A6 " {" AXE_NAMES_##COUNT              \
                 "}, {%" #A0 ", %" #A1 ", %" #A2 ", %" #A3 "}, %" #A4 ", keep%" #A7 ";\n}"      \
                 : AXE_SUMS_##COUNT(Q)                                                          \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(keep),               \
                   "C"(Modifiers::name::value), "C"(Modifiers::tail::value));                   \
  }
#define AXE_WGMMA_FLOATS(COUNT, A0, A1, A2, A3, A4, A5, A6, A7)             \
  template <> struct wgmma_registers<COUNT> {                               \
    AXE_WGMMA_SHARED(COUNT, float, "+f", A0, A1, A2, A3, A4)                \
    AXE_WGMMA_REGISTERS(COUNT, float, "+f", A0, A1, A2, A3, A4, A5, A6, A7) \
  };
#define AXE_WGMMA_WORDS(COUNT, A0, A1, A2, A3, A4, A5, A6, A7)                 \
  template <> struct wgmma_registers<COUNT> {                                  \
    AXE_WGMMA_SHARED(COUNT, unsigned, "+r", A0, A1, A2, A3, A4)                \
    AXE_WGMMA_REGISTERS(COUNT, unsigned, "+r", A0, A1, A2, A3, A4, A5, A6, A7) \
  };
#define AXE_WGMMA_BOTH(COUNT, A0, A1, A2, A3, A4, A5, A6, A7)                  \
  template <> struct wgmma_registers<COUNT> {                                  \
    AXE_WGMMA_SHARED(COUNT, float, "+f", A0, A1, A2, A3, A4)                   \
    AXE_WGMMA_REGISTERS(COUNT, float, "+f", A0, A1, A2, A3, A4, A5, A6, A7)    \
    AXE_WGMMA_SHARED(COUNT, unsigned, "+r", A0, A1, A2, A3, A4)                \
    AXE_WGMMA_REGISTERS(COUNT, unsigned, "+r", A0, A1, A2, A3, A4, A5, A6, A7) \
  };

AXE_WGMMA_WORDS(2, 2, 3, 4, 5, 6, 7, 8, 9)
AXE_WGMMA_BOTH(4, 4, 5, 6, 7, 8, 9, 10, 11)
AXE_WGMMA_WORDS(6, 6, 7, 8, 9, 10, 11, 12, 13)
AXE_WGMMA_BOTH(8, 8, 9, 10, 11, 12, 13, 14, 15)
AXE_WGMMA_WORDS(10, 10, 11, 12, 13, 14, 15, 16, 17)
AXE_WGMMA_BOTH(12, 12, 13, 14, 15, 16, 17, 18, 19)
AXE_WGMMA_WORDS(14, 14, 15, 16, 17, 18, 19, 20, 21)
AXE_WGMMA_BOTH(16, 16, 17, 18, 19, 20, 21, 22, 23)
AXE_WGMMA_WORDS(18, 18, 19, 20, 21, 22, 23, 24, 25)
AXE_WGMMA_BOTH(20, 20, 21, 22, 23, 24, 25, 26, 27)
AXE_WGMMA_WORDS(22, 22, 23, 24, 25, 26, 27, 28, 29)
AXE_WGMMA_BOTH(24, 24, 25, 26, 27, 28, 29, 30, 31)
AXE_WGMMA_WORDS(26, 26, 27, 28, 29, 30, 31, 32, 33)
AXE_WGMMA_BOTH(28, 28, 29, 30, 31, 32, 33, 34, 35)
AXE_WGMMA_WORDS(30, 30, 31, 32, 33, 34, 35, 36, 37)
AXE_WGMMA_BOTH(32, 32, 33, 34, 35, 36, 37, 38, 39)
AXE_WGMMA_WORDS(34, 34, 35, 36, 37, 38, 39, 40, 41)
AXE_WGMMA_BOTH(36, 36, 37, 38, 39, 40, 41, 42, 43)
AXE_WGMMA_WORDS(38, 38, 39, 40, 41, 42, 43, 44, 45)
AXE_WGMMA_BOTH(40, 40, 41, 42, 43, 44, 45, 46, 47)
AXE_WGMMA_WORDS(42, 42, 43, 44, 45, 46, 47, 48, 49)
AXE_WGMMA_BOTH(44, 44, 45, 46, 47, 48, 49, 50, 51)
AXE_WGMMA_WORDS(46, 46, 47, 48, 49, 50, 51, 52, 53)
AXE_WGMMA_BOTH(48, 48, 49, 50, 51, 52, 53, 54, 55)
AXE_WGMMA_WORDS(50, 50, 51, 52, 53, 54, 55, 56, 57)
AXE_WGMMA_BOTH(52, 52, 53, 54, 55, 56, 57, 58, 59)
AXE_WGMMA_WORDS(54, 54, 55, 56, 57, 58, 59, 60, 61)
AXE_WGMMA_BOTH(56, 56, 57, 58, 59, 60, 61, 62, 63)
AXE_WGMMA_WORDS(58, 58, 59, 60, 61, 62, 63, 64, 65)
AXE_WGMMA_BOTH(60, 60, 61, 62, 63, 64, 65, 66, 67)
AXE_WGMMA_WORDS(62, 62, 63, 64, 65, 66, 67, 68, 69)
AXE_WGMMA_BOTH(64, 64, 65, 66, 67, 68, 69, 70, 71)
AXE_WGMMA_FLOATS(68, 68, 69, 70, 71, 72, 73, 74, 75)
AXE_WGMMA_BOTH(72, 72, 73, 74, 75, 76, 77, 78, 79)
AXE_WGMMA_FLOATS(76, 76, 77, 78, 79, 80, 81, 82, 83)
AXE_WGMMA_BOTH(80, 80, 81, 82, 83, 84, 85, 86, 87)
AXE_WGMMA_FLOATS(84, 84, 85, 86, 87, 88, 89, 90, 91)
AXE_WGMMA_BOTH(88, 88, 89, 90, 91, 92, 93, 94, 95)
AXE_WGMMA_FLOATS(92, 92, 93, 94, 95, 96, 97, 98, 99)
AXE_WGMMA_BOTH(96, 96, 97, 98, 99, 100, 101, 102, 103)
AXE_WGMMA_FLOATS(100, 100, 101, 102, 103, 104, 105, 106, 107)
AXE_WGMMA_BOTH(104, 104, 105, 106, 107, 108, 109, 110, 111)
AXE_WGMMA_FLOATS(108, 108, 109, 110, 111, 112, 113, 114, 115)
AXE_WGMMA_BOTH(112, 112, 113, 114, 115, 116, 117, 118, 119)
AXE_WGMMA_FLOATS(116, 116, 117, 118, 119, 120, 121, 122, 123)
AXE_WGMMA_BOTH(120, 120, 121, 122, 123, 124, 125, 126, 127)
AXE_WGMMA_FLOATS(124, 124, 125, 126, 127, 128, 129, 130, 131)
AXE_WGMMA_BOTH(128, 128, 129, 130, 131, 132, 133, 134, 135)

#undef AXE_WGMMA_SHARED
#undef AXE_WGMMA_REGISTERS
#undef AXE_WGMMA_FLOATS
#undef AXE_WGMMA_WORDS
#undef AXE_WGMMA_BOTH
#undef AXE_NAMES_2
#undef AXE_NAMES_4
#undef AXE_NAMES_6
#undef AXE_NAMES_8
#undef AXE_NAMES_10
#undef AXE_NAMES_12
#undef AXE_NAMES_14
#undef AXE_NAMES_16
#undef AXE_NAMES_18
#undef AXE_NAMES_20
#undef AXE_NAMES_22
#undef AXE_NAMES_24
#undef AXE_NAMES_26
#undef AXE_NAMES_28
#undef AXE_NAMES_30
#undef AXE_NAMES_32
#undef AXE_NAMES_34
#undef AXE_NAMES_36
#undef AXE_NAMES_38
#undef AXE_NAMES_40
#undef AXE_NAMES_42
#undef AXE_NAMES_44
#undef AXE_NAMES_46
#undef AXE_NAMES_48
#undef AXE_NAMES_50
#undef AXE_NAMES_52
#undef AXE_NAMES_54
#undef AXE_NAMES_56
#undef AXE_NAMES_58
#undef AXE_NAMES_60
#undef AXE_NAMES_62
#undef AXE_NAMES_64
#undef AXE_NAMES_68
#undef AXE_NAMES_72
#undef AXE_NAMES_76
#undef AXE_NAMES_80
#undef AXE_NAMES_84
#undef AXE_NAMES_88
#undef AXE_NAMES_92
#undef AXE_NAMES_96
#undef AXE_NAMES_100
#undef AXE_NAMES_104
#undef AXE_NAMES_108
#undef AXE_NAMES_112
#undef AXE_NAMES_116
#undef AXE_NAMES_120
#undef AXE_NAMES_124
#undef AXE_NAMES_128
#undef AXE_SUMS_2
#undef AXE_SUMS_4
#undef AXE_SUMS_6
#undef AXE_SUMS_8
#undef AXE_SUMS_10
#undef AXE_SUMS_12
#undef AXE_SUMS_14
#undef AXE_SUMS_16
#undef AXE_SUMS_18
#undef AXE_SUMS_20
#undef AXE_SUMS_22
#undef AXE_SUMS_24
#undef AXE_SUMS_26
#undef AXE_SUMS_28
#undef AXE_SUMS_30
#undef AXE_SUMS_32
#undef AXE_SUMS_34
#undef AXE_SUMS_36
#undef AXE_SUMS_38
#undef AXE_SUMS_40
#undef AXE_SUMS_42
#undef AXE_SUMS_44
#undef AXE_SUMS_46
#undef AXE_SUMS_48
#undef AXE_SUMS_50
#undef AXE_SUMS_52
#undef AXE_SUMS_54
#undef AXE_SUMS_56
#undef AXE_SUMS_58
#undef AXE_SUMS_60
#undef AXE_SUMS_62
#undef AXE_SUMS_64
#undef AXE_SUMS_68
#undef AXE_SUMS_72
#undef AXE_SUMS_76
#undef AXE_SUMS_80
#undef AXE_SUMS_84
#undef AXE_SUMS_88
#undef AXE_SUMS_92
#undef AXE_SUMS_96
#undef AXE_SUMS_100
#undef AXE_SUMS_104
#undef AXE_SUMS_108
#undef AXE_SUMS_112
#undef AXE_SUMS_116
#undef AXE_SUMS_120
#undef AXE_SUMS_124
#undef AXE_SUMS_128

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
