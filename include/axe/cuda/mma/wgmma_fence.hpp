// SPDX-License-Identifier: MIT
// wgmma<Op, T>(d, a, b, accumulate): one wgmma.mma_async, and the fence, commit and wait around it.
//
//     wgmma_fence(c);           before the first wgmma, and after writes to registers of C or A
//     wgmma<Op, T, k, k>(c.registers, a, b, true);   k: operand_major::k; a, b: descriptors
//     wgmma_commit(); wgmma_wait<0>(c);
//
// All threads of a warpgroup call them.
#pragma once

#include <axe/atoms/shared_operand.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/cuda/mma/modifiers.hpp>
#include <axe/cuda/mma/omitted.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// wgmma.hpp specialises it for device code of sm_90a.
template <int Count> struct wgmma_registers {
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
  using rejected = void;
#endif
  template <class Modifiers, class Word, class A>
  static __device__ void issue(Word*, A, stl::uint64_t, unsigned) {
    AXE_NEEDS_WGMMA(sizeof(Word), "wgmma");
  }
};

/// imm-scale-a, imm-scale-b, imm-trans-a, imm-trans-b, such as ", 1, 1, 0, 1" for bf16.
AXE_FN constexpr modifier_text wgmma_tail(mma_types const& t, bool a_in_registers, operand_major a,
                                          operand_major b) {
  modifier_text out;
  if (t.sum == element_type::s32) return out;
  out.put(", 1, 1");
  if (bits_of(t.a) != 16) return out;
  if (!a_in_registers) out.put(a == operand_major::mn ? ", 1" : ", 0");
  return out.put(b == operand_major::mn ? ", 1" : ", 0");
}

template <mma_instruction Op, mma_types T, bool AInRegisters, operand_major A, operand_major B>
struct wgmma_modifiers {
  using name = assembly_text<mma_name(Op, T)>;
  using tail = assembly_text<wgmma_tail(T, AInRegisters, A, B)>;
};

template <mma_instruction Op, mma_types T>
inline constexpr int words_of_d = Op.n / (T.sum == element_type::f16 ? 4 : 2);
template <mma_instruction Op, mma_types T>
inline constexpr bool has_wgmma_header =
    !requires { typename wgmma_registers<words_of_d<Op, T>>::rejected; };

template <int Bytes, class T> __device__ __forceinline__ void keep_in_place(T* registers) {
  if constexpr (stl::is_same_v<T, float>) {
    asm volatile("" : "+f"(*registers)::"memory");
  } else {
    unsigned words[(Bytes + 3) / 4]{};
    memcpy(words, registers, Bytes);
#pragma unroll
    for (unsigned& word : words) asm volatile("" : "+r"(word)::"memory");
    memcpy(registers, words, Bytes);
  }
}
/// Keeps the compiler from moving accesses to the registers. Without the loop, nvcc would set C to
/// 0 twice. A loop over bytes would keep the registers in local memory.
template <class Fragment> __device__ __forceinline__ void keep_registers(Fragment& f) {
  constexpr int bytes = sizeof(typename Fragment::value_type);
  constexpr int in_word = bytes < 4 ? 4 / bytes : 1;
  constexpr int last = Fragment::size % in_word;
#pragma unroll
  for (int r = 0; r + in_word <= Fragment::size; r += in_word)
    keep_in_place<in_word * bytes>(f.registers + r);
  if constexpr (last > 0) keep_in_place<last * bytes>(f.registers + Fragment::size - last);
}
template <bool Passed> struct wgmma_check {
  static constexpr bool passed = Passed;
  static_assert(Passed, "wgmma_fence and wgmma_wait take the fragments of the product");
};

}  // namespace detail

/// a and b are matrix descriptors. In the second form, a is an array of four registers.
template <mma_instruction Op, mma_types T, operand_major A, operand_major B, class Word,
          bool = detail::mma_kind_check<Op.kind == mma_kind::wgmma>::passed,
          bool = detail::wgmma_header_check<detail::has_wgmma_header<Op, T>>::passed>
__device__ __forceinline__ void wgmma(Word* d, detail::stl::uint64_t a, detail::stl::uint64_t b,
                                      bool accumulate) {
  using namespace detail;
  verdict<mma_check<Op, T>>::passes();
  wgmma_registers<words_of_d<Op, T>>::template issue<wgmma_modifiers<Op, T, false, A, B>>(
      d, a, b, accumulate);
}
template <mma_instruction Op, mma_types T, operand_major B, class Word,
          bool = detail::mma_kind_check<Op.kind == mma_kind::wgmma>::passed,
          bool = detail::wgmma_header_check<detail::has_wgmma_header<Op, T>>::passed>
__device__ __forceinline__ void wgmma(Word* d, unsigned const* a, detail::stl::uint64_t b,
                                      bool accumulate) {
  using namespace detail;
  verdict<mma_check<Op, T>>::passes();
  wgmma_registers<words_of_d<Op, T>>::template issue<
      wgmma_modifiers<Op, T, true, operand_major::k, B>>(d, a, b, accumulate);
}

/// The compiler moves no access to the fragments across wgmma_fence and wgmma_wait.
template <class... Fragments> __device__ __forceinline__ void wgmma_fence(Fragments&... fragments) {
  AXE_NEEDS_WGMMA(sizeof...(Fragments), "wgmma_fence");
  if constexpr (detail::wgmma_check<(detail::is_fragment<Fragments> && ...)>::passed)
    (detail::keep_registers(fragments), ...);
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
/// Makes the earlier wgmma of this warpgroup one group.
template <int Any = 0> __device__ __forceinline__ void wgmma_commit() {
  AXE_NEEDS_WGMMA(Any, "wgmma_commit");
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
/// Waits until all groups except the latest `Pending` have ended. Pass the fragments that the
/// program accesses next.
template <int Pending, class... Fragments>
__device__ __forceinline__ void wgmma_wait(Fragments&... read) {
  AXE_NEEDS_WGMMA(Pending, "wgmma_wait");
  static_assert(Pending >= 0 && Pending <= 7, "wgmma_wait<Pending>: Pending must be 0 to 7");
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
  if constexpr (detail::wgmma_check<(detail::is_fragment<Fragments> && ...)>::passed)
    (detail::keep_registers(read), ...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
