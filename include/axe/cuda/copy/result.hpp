// SPDX-License-Identifier: MIT
// copy_call<…>::type: the result of a copy, void or a class whose static_assert rejects the call.
//
//     class Result = typename copy_call<From, To, Scope, planned_case<…>>::type
//
// Compilers instantiate the class only for the selected overload, and name the call's line.
#pragma once

#include <axe/cuda/copy/case.hpp>
#include <axe/cuda/copy/matrices.hpp>
#include <axe/cuda/copy/sides.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class From, class To, class Scope, copy_how How, class P = partition_by_planner>
using case_of = copy_case<operand_type<From>, operand_type<stl::remove_reference_t<To>>,
                          Scope::size, How, P, are_groups<Scope>>;

/// Unlike case_of, valid in a call without a scope.
template <class From, class To, class Scope, packed_how How, class P = partition_by_planner>
struct planned_case {
  using type = case_of<From, To, Scope, How, P>;
};
template <class Case, class Scope, bool Refused = static_cast<bool>(Case::refused)>
struct checked_case {
  using type = verdict<Case>;
};
template <class Case, class Scope> struct checked_case<Case, Scope, false> {
  using type =
      result_if<Case::types_fit, type_check<false>,
                result_if<fragments_fit<Case, Scope>, lane_scope_check<false>,
                          result_if<matrices_fit<Case, Scope>, matrix_scope_check<false>>>>;
};
template <class Case, class Scope> using case_result = checked_case<Case, Scope>::type;
template <class Check, class Planned, class Scope> struct checked_copy {
  using type = Check;
};
template <class Planned, class Scope> struct checked_copy<void, Planned, Scope> {
  using type = case_result<typename Planned::type, Scope>;
};
template <bool HasLayout, bool IsFree> struct partition_check {
  static_assert(HasLayout, "copy_by needs its partition as a type: axe::carrier<...>");
  static_assert(IsFree, "a fragment says which thread holds each element: use copy, not copy_by");
};
template <class X>
inline constexpr bool in_registers =
    copy_operand<operand_type<X>>::space == memory_space::registers;
template <class P, class From, class To> struct partition_result {
  using type =
      result_if<carries_layout<P>, partition_check<false, true>,
                result_if<!in_registers<From> && !in_registers<To>, partition_check<true, false>>>;
};

/// Not an alias: under AXE_DEBUG nvcc 13.0 would report a line of axe.
template <class From, class To, class Scope, class Planned, class Accepted = void>
struct copy_call {
#if defined(__CUDA_ARCH__) || defined(__clang__)
  using type = checked_copy<sides_result<Scope, From, To, Accepted>, Planned, Scope>::type;
#else  // nvcc's device passes check it
  using type = void;
#endif
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
