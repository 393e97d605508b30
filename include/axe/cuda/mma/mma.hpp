// SPDX-License-Identifier: MIT
// mma(c, a, b): C += A * B, by the instruction that the planner chooses for their layouts.
//
//     mma(c, a, b);                                         mma.sync: three fragments
//     mma(c, stage_a, stage_b, k > 0);                      wgmma, after wgmma_fence
//
// A is (M,K), B (K,N), C (M,N). float is multiplied as tf32. All threads of the plan's warps or
// warpgroup call mma. Definition: docs/plans.md, "Matrix products".
#pragma once

#include <axe/cuda/mma/mma_sync.hpp>
#include <axe/cuda/mma/omitted.hpp>
#include <axe/cuda/mma/wgmma_fence.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/plan/plan_mma.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

struct mma_header {};

AXE_FN constexpr element_type factor_type_of(element_type of_operand) {
  return of_operand == element_type::f32 ? element_type::tf32 : of_operand;
}
AXE_FN constexpr element_type sum_type_of(element_type of_c) {
  return of_c == element_type::u32 ? element_type::s32 : of_c;
}

template <class Operand> struct mma_side;
template <class T, class P, class S> struct mma_side<fragment<T, P, S>> {
  using value_type = T;
  AXE_FN static constexpr mma_tile tile() { return {P::value, S::value, memory_space::registers}; }
};
template <class T, class L, class S, integer Alignment, class Inside>
struct mma_side<shared_tile_ref<T, L, S, Alignment, Inside>> {
  using value_type = stl::remove_const_t<T>;
  AXE_FN static constexpr mma_tile tile() { return {L::value, S::value, memory_space::shared}; }
};

template <class C, class A, class B, mma_choice Forced = mma_choice::any> struct mma_of {
  using a_side = mma_side<operand_type<A>>;
  using b_side = mma_side<operand_type<B>>;
  using c_side = mma_side<C>;
  static constexpr mma_types types{factor_type_of(element_of<typename a_side::value_type>),
                                   factor_type_of(element_of<typename b_side::value_type>),
                                   sum_type_of(element_of<typename c_side::value_type>)};
  AXE_FN static constexpr outcome<mma_plan> make() {
    if (begins_inside<operand_type<A>>) return begins_inside<operand_type<A>>;
    if (begins_inside<operand_type<B>>) return of_operand(1, begins_inside<operand_type<B>>);
    return try_plan_mma(types, a_side::tile(), b_side::tile(), c_side::tile(),
                        compiled_architecture(), Forced);
  }
  static constexpr outcome<mma_plan> result = make();
  static constexpr mma_plan plan = result.value;
};

// Without this concept nvcc 13.5 would pass `typename typename` to the host compiler.
template <class Side>
concept has_elements = requires { typename Side::value_type; };
template <class C, class A, class B>
inline constexpr bool are_mma_operands =
    is_fragment<C> && has_elements<mma_side<operand_type<A>>> &&
    has_elements<mma_side<operand_type<B>>>;
template <class X> inline constexpr bool is_rejected = requires { typename X::rejected; };
template <bool Fit> struct mma_memory_check {
  static_assert(
      Fit,
      "mma takes fragments and tiles of shared memory: first copy the tile of a tensor to "
      "one of them");
};

template <class Planned> AXE_FN constexpr bool lacks_wgmma_header() {
  constexpr mma_instruction i = Planned::plan.instruction;
  return i.kind == mma_kind::wgmma && !has_wgmma_header<i, Planned::plan.types>;
}

template <class C, class A, class B, mma_choice Forced> AXE_FN constexpr auto result_of_mma() {
  if constexpr (!are_mma_operands<C, A, B>)
    return stl::type_identity<mma_memory_check<is_rejected<A> || is_rejected<B>>>{};
  else if constexpr (lacks_wgmma_header<mma_of<C, A, B, Forced>>())
    return stl::type_identity<wgmma_header_check<never<C>>>{};
  else
    return stl::type_identity<verdict_result<mma_of<C, A, B, Forced>>>{};
}

AXE_FN constexpr int first_register(layout const& l, integer row, integer column, integer columns) {
  return static_cast<int>(place_on(l, row * columns + column, axis::reg) - l.offset(axis::reg));
}

template <class Plan> struct mma_registers {
  template <int RowBlock, int Step>
  static constexpr int a = first_register(Plan::plan.a, RowBlock, Step, Plan::plan.k_steps);
  template <int Step, int ColumnBlock>
  static constexpr int b = first_register(Plan::plan.b, Step, ColumnBlock, Plan::plan.n_steps);
  template <int RowBlock, int ColumnBlock>
  static constexpr int c = first_register(Plan::plan.c, RowBlock, ColumnBlock, Plan::plan.n_steps);
};

template <class Plan, mma_operand Operand, integer Block, integer Step>
__device__ __forceinline__ stl::uint64_t descriptor_of(unsigned address) {
  constexpr shared_operand_plan plan =
      Operand == mma_operand::a ? Plan::plan.a_shared : Plan::plan.b_shared;
  constexpr stl::uint64_t fields =
      encode_descriptor({.leading = plan.leading,
                         .stride = plan.stride,
                         .mode = plan.mode,
                         .tcgen05 = Plan::plan.instruction.kind == mma_kind::tcgen05});
  constexpr unsigned low =
      static_cast<unsigned>(fields) + static_cast<unsigned>(plan.start(Block, Step) >> 4);
  // Shared memory ends below 2^18 bytes, so no carry leaves the 14 bits of the start address.
  return (fields >> 32 << 32) | (((address & 0x3ffff) >> 4) + low);
}

/// Copies words one by one, because nvcc for sm_100a splits longer copies into bytes. A loop would
/// make example 23 spill 8 bytes on sm_80.
template <int Bytes, class To, class From>
__device__ __forceinline__ void copy_words(To* to, From const* from) {
  [&]<int... Word>(indices<Word...>) {
    (memcpy(to + 4 * Word / sizeof(To), from + 4 * Word / sizeof(From), 4), ...);
  }(indices_to<Bytes / 4>{});
}

/// Copies in a loop. Otherwise nvcc would set C to 0 twice (docs/decisions.md, "Products read C in
/// a loop").
template <int Bytes, class To, class From>
__device__ __forceinline__ void copy_sums(To* to, From const* from) {
#pragma unroll
  for (int byte = 0; byte < Bytes; byte += 4)
    memcpy(to + byte / int{sizeof(To)}, from + byte / int{sizeof(From)}, 4);
}

template <class Plan, class C, class A, class B> struct register_product {
  using first = mma_registers<Plan>;
  static constexpr mma_instruction i = Plan::plan.instruction;
  static constexpr mma_types t = Plan::plan.types;
  C& c;
  A const& a;
  B const& b;
  bool accumulate;

  template <int RowBlock, int ColumnBlock, int Step> __device__ __forceinline__ void issue() const {
    auto* const sums = c.registers + first::template c<RowBlock, ColumnBlock>;
    if constexpr (i.kind == mma_kind::mma_sync) {
      issue_mma_sync(sums, a.registers + first::template a<RowBlock, Step>,
                     b.registers + first::template b<Step, ColumnBlock>);
    } else if constexpr (t.sum == element_type::f32) {
      issue_wgmma<RowBlock, ColumnBlock, Step>(sums);
    } else {
      unsigned words[words_of_d<i, t>];
      copy_words<sizeof(words)>(words, sums);
      issue_wgmma<RowBlock, ColumnBlock, Step>(words);
      copy_words<sizeof(words)>(sums, words);
    }
  }

 private:
  __device__ __forceinline__ static void issue_mma_sync(auto* sums, auto const* from_a,
                                                        auto const* from_b) {
    if constexpr (bits_of(t.a) == 64) {
      mma_sync<i, t>(sums, from_a, from_b);
    } else {
      constexpr int in_word = 32 / bits_of(t.a);
      unsigned words_a[i.m * i.k / 32 / in_word], words_b[i.k * i.n / 32 / in_word];
      copy_words<sizeof(words_a)>(words_a, from_a);
      copy_words<sizeof(words_b)>(words_b, from_b);
      stl::conditional_t<t.sum == element_type::f32, float, unsigned>
          words_c[i.m * i.n / 32 / (t.sum == element_type::f16 ? 2 : 1)];
      copy_sums<sizeof(words_c)>(words_c, sums);
      mma_sync<i, t>(words_c, words_a, words_b);
      copy_sums<sizeof(words_c)>(sums, words_c);
    }
  }
  template <int RowBlock, int ColumnBlock, int Step, class Word>
  __device__ __forceinline__ void issue_wgmma(Word* sums) const {
    bool const accumulated = Step > 0 || accumulate;
    constexpr operand_major along_b = Plan::plan.b_shared.major;
    stl::uint64_t const of_b = descriptor_of<Plan, mma_operand::b, ColumnBlock, Step>(b.address);
    if constexpr (Plan::plan.a_space == memory_space::shared) {
      stl::uint64_t const of_a = descriptor_of<Plan, mma_operand::a, RowBlock, Step>(a.address);
      wgmma<i, t, Plan::plan.a_shared.major, along_b>(sums, of_a, of_b, accumulated);
    } else {
      unsigned of_a[4];
      copy_words<sizeof(of_a)>(of_a, a.registers + first::template a<RowBlock, Step>);
      wgmma<i, t, along_b>(sums, of_a, of_b, accumulated);
    }
  }
};

/// K is outermost, so that successive products add to different sums.
template <class Plan> __device__ __forceinline__ void issue_all(auto const& product) {
  constexpr int m = Plan::plan.m_steps, n = Plan::plan.n_steps;
  [&]<int... Number>(indices<Number...>) {
    (product.template issue<Number / n % m, Number % n, Number / n / m>(), ...);
  }(indices_to<m * n * Plan::plan.k_steps>{});
}

}  // namespace detail

/// If `accumulate` is false, C = A * B. mma<mma_choice::wgmma>(c, a, b) uses wgmma or does not
/// compile.
template <mma_choice Forced = mma_choice::any, class C, class A, class B,
          class Result = decltype(detail::result_of_mma<C, A, B, Forced>())::type>
__device__ __forceinline__ Result mma(C& c, A const& a, B const& b, bool accumulate = true) {
  using namespace detail;
  if constexpr (stl::is_same_v<Result, void>) {
    using planned = mma_of<C, A, B, Forced>;
    if (planned::plan.instruction.kind != mma_kind::wgmma && !accumulate) c.fill(0);
    issue_all<planned>(register_product<planned, C, operand_type<A>, operand_type<B>>{
        c, operand(a), operand(b), accumulate});
  }
  return Result();
}

namespace detail {
template <class... Last> inline constexpr bool are_too_few_or_many = sizeof...(Last) == 0;
template <class B, class Fourth>
inline constexpr bool are_too_few_or_many<B, Fourth> = is_scope<Fourth>;
template <bool Passed> struct operands_check {
  static_assert(Passed,
                "mma(c, a, b) adds the product of a and b to c: it takes three operands, no scope");
  using rejected = void;
};
template <bool Passed> struct factor_check {
  static_assert(Passed,
                "mma(c, a, b, accumulate) takes a bool, not a factor: scale c with elementwise");
};
template <bool Passed> struct instruction_check {
  static_assert(Passed,
                "mma(c, a, b) chooses its instruction by the fragments: it takes no extents and no "
                "atom in angle brackets");
};
}  // namespace detail
template <int Rows, int... More>
__device__ detail::instruction_check<detail::never<constant<Rows>>> mma(detail::any_argument,
                                                                        detail::any_argument,
                                                                        detail::any_argument);
template <class Atom>
__device__ detail::instruction_check<detail::never<Atom>> mma(detail::any_argument,
                                                              detail::any_argument,
                                                              detail::any_argument);
template <mma_choice Forced = mma_choice::any, class C, class A, class B, class Factor>
  requires(detail::stl::is_same_v<Factor, float> || detail::stl::is_same_v<Factor, double> ||
           detail::is_fragment<Factor>)
__device__ detail::stl::conditional_t<detail::is_fragment<Factor>,
                                      detail::operands_check<detail::never<Factor>>,
                                      detail::factor_check<detail::never<Factor>>>
mma(C&, A const&, B const&, Factor) {
  return {};
}
template <class... Last>
  requires detail::are_too_few_or_many<Last...>
__device__ detail::operands_check<detail::never<Last...>> mma(detail::any_argument,
                                                              detail::any_argument,
                                                              Last const&...) {
  return {};
}

/// Executes wgmma_fence, the products and wgmma_commit. Do not access c or a before wgmma_wait.
template <class C, class A, class B,
          class Result = decltype(detail::result_of_mma<C, detail::stl::remove_reference_t<A>, B,
                                                        mma_choice::wgmma>())::type>
__device__ __forceinline__ Result mma_async(C& c, A&& a, B const& b, bool accumulate = true) {
  if constexpr (detail::stl::is_same_v<Result, void>) {
    if constexpr (requires { a.registers; })
      wgmma_fence(c, a);
    else
      wgmma_fence(c);
    mma<mma_choice::wgmma>(c, a, b, accumulate);
    wgmma_commit();
  }
  return Result();
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
