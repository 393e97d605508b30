// SPDX-License-Identifier: MIT
// ldmatrix and stmatrix, and the copies that use them.
#pragma once

#include <axe/cuda/assembly_operands.hpp>
#include <axe/cuda/copy/guard.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// Loads Count 8 x 8 matrices of 16-bit elements, one word of each per lane. Lane l passes the
/// address of row l % 8 of matrix l / 8. All lanes call it.
template <int Count, bool Transposed, integer Immediate>
__device__ __forceinline__ void ldmatrix(unsigned (&words)[Count],
                                         displaced<unsigned, Immediate> const& at) {
  static_assert(Count == 1 || Count == 2 || Count == 4, "ldmatrix must load 1, 2 or 4 matrices");
// A form as an assembly_text would add a mov to the PTX.
#define AXE_LDMATRIX(FORM)                                                                  \
  if constexpr (Count == 4)                                                                 \
    asm volatile("ldmatrix.sync.aligned.m8n8.x4" FORM ".shared.b16 {%0,%1,%2,%3}, [%4+%5];" \
                 : AXE_OPERANDS_4("=r", words, 0)                                           \
                 : "r"(at.base), "n"(Immediate)                                             \
                 : "memory");                                                               \
  else if constexpr (Count == 2)                                                            \
    asm volatile("ldmatrix.sync.aligned.m8n8.x2" FORM ".shared.b16 {%0,%1}, [%2+%3];"       \
                 : AXE_OPERANDS_2("=r", words, 0)                                           \
                 : "r"(at.base), "n"(Immediate)                                             \
                 : "memory");                                                               \
  else                                                                                      \
    asm volatile("ldmatrix.sync.aligned.m8n8.x1" FORM ".shared.b16 {%0}, [%1+%2];"          \
                 : "=r"(words[0])                                                           \
                 : "r"(at.base), "n"(Immediate)                                             \
                 : "memory")
  if constexpr (Transposed) {
    AXE_LDMATRIX(".trans");
  } else {
    AXE_LDMATRIX("");
  }
#undef AXE_LDMATRIX
}

/// The addresses are as for ldmatrix.
template <int Count, bool Transposed, integer Immediate>
__device__ __forceinline__ void stmatrix(unsigned const (&words)[Count],
                                         displaced<unsigned, Immediate> const& at) {
  AXE_NEEDS_SM_90(Count, "stmatrix");
  static_assert(Count == 1 || Count == 2 || Count == 4, "stmatrix must store 1, 2 or 4 matrices");
#define AXE_STMATRIX(FORM)                                                              \
  if constexpr (Count == 4)                                                             \
    asm volatile("stmatrix.sync.aligned.m8n8.x4" FORM                                   \
                 ".shared.b16 [%4+%5], {%0,%1,%2,%3};" ::AXE_OPERANDS_4("r", words, 0), \
                 "r"(at.base), "n"(Immediate)                                           \
                 : "memory");                                                           \
  else if constexpr (Count == 2)                                                        \
    asm volatile("stmatrix.sync.aligned.m8n8.x2" FORM                                   \
                 ".shared.b16 [%2+%3], {%0,%1};" ::AXE_OPERANDS_2("r", words, 0),       \
                 "r"(at.base), "n"(Immediate)                                           \
                 : "memory");                                                           \
  else                                                                                  \
    asm volatile("stmatrix.sync.aligned.m8n8.x1" FORM                                   \
                 ".shared.b16 [%1+%2], {%0};" ::"r"(words[0]),                          \
                 "r"(at.base), "n"(Immediate)                                           \
                 : "memory")
  if constexpr (Transposed) {
    AXE_STMATRIX(".trans");
  } else {
    AXE_STMATRIX("");
  }
#undef AXE_STMATRIX
}

namespace detail {

template <bool Fits> struct matrix_scope_check {
  static_assert(Fits,
                "ldmatrix and stmatrix need a scope that begins at the first lane of a warp: pass "
                "axe::warp, or a thread_scope of whole warps");
  using rejected = void;
};
template <class Case, class Scope>
inline constexpr bool matrices_fit = !is_matrix(Case::plan.instruction) || Scope::first % 32 == 0;

/// Fragments and shared tiles are whole: guards test only whether the thread takes part.
template <class Case> struct matrix_execution {
  static constexpr copy_instruction instruction = Case::plan.instruction;
  static constexpr int values = Case::plan.values;

  template <int Issue, class From, class To>
  __device__ __forceinline__ static void issue(From const& from, To const& to, auto const&,
                                               auto const& stores) {
    if (!stores.in_bounds({})) return;
    unsigned words[matrices_of(instruction)];
    if constexpr (is_ldmatrix(instruction)) {
      ldmatrix<matrices_of(instruction), is_transposed(instruction)>(
          words, from.where.template at<Issue>());
      vector_of<typename Case::element, values> v;
      memcpy(&v, words, sizeof(v));
      to.store(access_at<To, Issue>, v, indices_to<values>{});
    } else {
      auto const v = from.load(access_at<From, Issue>, indices_to<values>{});
      memcpy(words, &v, sizeof(v));
      stmatrix<matrices_of(instruction), is_transposed(instruction)>(words,
                                                                     to.where.template at<Issue>());
    }
  }
};

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
