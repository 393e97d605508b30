// SPDX-License-Identifier: MIT
// Matrix products with block scales (MXFP8, NVFP4) and f32 sums, on sm_100a. One thread executes:
//
//     auto sa = memory.tile<unsigned char, scales_of_a, extents<128, 4>>(256);        column 256
//     copy(stage.scales_a, sa, thread);             tcgen05.cp of 512-byte blocks
//     mma(c, a, b, sa, sb, k > 0);
//
// Later products wait for the copy. The copy does not wait for earlier products. Definition:
// docs/plans.md, "tcgen05".
#pragma once

#include <axe/algebra/equivalent.hpp>
#include <axe/atoms/tensor_memory_operands.hpp>
#include <axe/cuda/mma/tcgen05.hpp>

#ifdef __CUDACC__

struct __nv_fp4x2_e2m1;

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Checks the layout of scale factors in tensor memory or, if `Blocks`, in 512-byte blocks of
/// shared memory.
template <class L, class S, bool Blocks = false> struct scales_check {
  static constexpr integer rows = S::value.extent(0), factors = S::value.extent(1);
  AXE_FN static constexpr refusal why() {
    outcome<layout> const wanted = Blocks ? try_scale_factor_blocks(rows, factors)
                                          : try_scale_factors_in_tensor_memory(rows, factors);
    if (wanted.why) return wanted.why;
    outcome<bool> const same = try_equivalent(L::value, *wanted);
    return same && *same ? refusal{} : refusal{rule::mma_scales, {rows, factors}};
  }
};
/// Plans two e2m1 in a byte as an 8-bit float, which has the same layout.
template <class Operand> struct bytes_of_operand {
  using type = Operand;
};
template <class L, class S, integer Alignment>
struct bytes_of_operand<shared_tile_ref<::__nv_fp4x2_e2m1, L, S, Alignment>> {
  using type = shared_tile_ref<::__nv_fp8_e4m3, L, S, Alignment>;
};
template <class Operand> using planned_bytes = bytes_of_operand<operand_type<Operand>>::type;
template <class Operand>
inline constexpr bool has_pairs = !stl::is_same_v<planned_bytes<Operand>, operand_type<Operand>>;

AXE_FN constexpr modifier_text scaled_kind_name(int ctas, bool nvfp4) {
  return modifier_text("cta_group::")
      .put(ctas)
      .put(".kind::")
      .put(nvfp4 ? "mxf4nvf4.block_scale.block16" : "mxf8f6f4.block_scale");
}

/// The instruction descriptor. `byte` is the byte of the 32-bit columns that holds the scales.
AXE_FN constexpr unsigned encode_scaled(tcgen05_instruction i, bool nvfp4, int byte) {
  if (nvfp4) i.a = i.b = element_type::e2m1;
  i.scales = nvfp4 ? tcgen05_scales::ue4m3 : tcgen05_scales::ue8m0;
  i.a_byte = i.b_byte = byte;
  return encode_instruction(i);
}

template <class Plan, bool Nvfp4> struct scaled_product {
  unsigned c, a, b, scales_a, scales_b;
  bool accumulate;

  template <int RowBlock, int ColumnBlock, int Step> __device__ __forceinline__ void issue() const {
    using constants = tcgen05_constants<Plan>;
    constexpr mma_instruction i = constants::i;
    // A column holds four factors. An instruction uses all four (NVFP4) or one (MXFP8).
    constexpr int steps_in_column = Nvfp4 ? 1 : 4;
    constexpr int group = Step / steps_in_column, byte = Step % steps_in_column;
    constexpr int rows_a = i.m / i.ctas * Plan::plan.m_steps;
    constexpr int rows_b = i.n * Plan::plan.n_steps;
    constexpr unsigned column_a = group * (rows_a / 32) + RowBlock * (i.m / i.ctas / 32);
    constexpr unsigned column_b = group * (rows_b / 32) + ColumnBlock * (i.n / 32);
    constexpr unsigned idesc = encode_scaled(constants::unscaled, Nvfp4, byte);
    asm volatile(
        "{\n.reg .pred accumulate;\nsetp.ne.b32 accumulate, %6, 0;\n"
        "tcgen05.mma.%7 [%0], %1, %2, %3, [%4], [%5], accumulate;\n}" ::"r"(
            c + constants::template c<RowBlock, ColumnBlock>),
        "l"(descriptor_of<Plan, mma_operand::a, RowBlock, Step>(a)),
        "l"(descriptor_of<Plan, mma_operand::b, ColumnBlock, Step>(b)), "r"(idesc),
        "r"(scales_a + column_a), "r"(scales_b + column_b), "r"(Step > 0 || accumulate ? 1u : 0u),
        "C"(assembly_text<scaled_kind_name(i.ctas, Nvfp4)>::value)
        : "memory");
  }
};
}  // namespace detail

/// Copies scale factors. For a pair of CTAs, one thread calls it, and each CTA copies from its own
/// shared memory.
template <tile_in_shared_memory From, class F, class L, class S, int Ctas>
__device__ __forceinline__ void copy(From const& from, tensor_memory_tile<F, L, S, Ctas> to,
                                     group_scope<1>) {
  using namespace detail;
  using source = operand_type<From>;
  using blocks = scales_check<typename source::layout_type, S, true>;
  verdict<blocks>::passes();
  verdict<scales_check<L, S>>::passes();
  static_assert(stl::is_same_v<typename source::value_type, F> && sizeof(F) == 1,
                "copy of scale factors: both tiles must hold bytes of the same type");
  static_assert(source::shape_type::value == S::value,
                "copy of scale factors: both tiles must have the same shape");
  constexpr unsigned rows = blocks::rows, groups = blocks::factors / 4;
  constexpr stl::uint64_t fields = encode_descriptor({.stride = 128, .tcgen05 = true});
  unsigned const address = address_of(from);
#pragma unroll
  for (unsigned r = 0; r < rows / 128; ++r)
#pragma unroll
    for (unsigned g = 0; g < groups; ++g)
      asm volatile("tcgen05.cp.cta_group::%2.32x128b.warpx4 [%0], %1;" ::"r"(
                       to.address + g * (rows / 32) + 4 * r),
                   "l"(fields + (((address + (r * groups + g) * 512) & 0x3ffff) >> 4)), "n"(Ctas)
                   : "memory");
}

/// `scales_a` has the factors of the rows of A in this CTA, `scales_b` those of the columns of C.
template <class L, class S, int Ctas, class A, class B, class F, class LA, class SA, class LB,
          class SB>
__device__ __forceinline__ void mma(tensor_memory_tile<float, L, S, Ctas> const& c, A const& a,
                                    B const& b, tensor_memory_tile<F, LA, SA, Ctas> const& scales_a,
                                    tensor_memory_tile<F, LB, SB, Ctas> const& scales_b,
                                    bool accumulate = true) {
  using namespace detail;
  using planned = mma_of<tensor_memory_sums<float, L, S, Ctas>, planned_bytes<A>, planned_bytes<B>>;
  verdict<planned>::passes();
  using for_a = scales_check<LA, SA>;
  using for_b = scales_check<LB, SB>;
  verdict<for_a>::passes();
  verdict<for_b>::passes();
  constexpr bool nvfp4 = has_pairs<A>;
  static_assert(has_pairs<B> == nvfp4, "A and B must both have pairs of e2m1, or neither");
  static_assert(stl::is_same_v<F, stl::conditional_t<nvfp4, ::__nv_fp8_e4m3, unsigned char>>,
                "scales must be unsigned char (UE8M0), or __nv_fp8_e4m3 for e2m1");
  constexpr integer bytes = planned::plan.instruction.k * planned::plan.k_steps;
  constexpr integer factors = nvfp4 ? bytes / 8 : bytes / 32;
  static_assert(planned::plan.a_space == memory_space::shared,
                "mma with block scales: A must be in shared memory");
  static_assert(
      for_a::rows == S::value.extent(0) && for_a::factors == factors,
      "scales_a must have a scale for each row of A in this CTA and each 32 (e2m1: 16) of K");
  static_assert(for_b::rows == S::value.extent(1) && for_b::factors == factors,
                "scales_b must have a scale for each column of C and each 32 (e2m1: 16) of K");
  issue_all<planned>(scaled_product<planned, nvfp4>{
      c.address, address_of(a), address_of(b), scales_a.address, scales_b.address, accumulate});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
