// SPDX-License-Identifier: MIT
// prepare_copy(from, to, scope): a copy for a loop, with addresses that are computed before it.
//
//     auto const fill = prepare_copy_async<1>(tile<64, 64>(x, row, 0), ring, cta<128>);
//     fill(k, stage);       copies x's tile (row, k) to the stage; <1>: k counts along dimension 1
//
// A call costs one multiplication for a tensor, and one for a stage unless it is a stage_offset.
// Definition: docs/index_code.md, "Prepared copies".
#pragma once

#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/copy/prepared_side.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class X>
using prepared_argument = stl::conditional_t<is_fragment<X>, X, stl::remove_const_t<X>>;
/// Keeps fragments by reference, stages and tiles by value.
template <class X> __device__ __forceinline__ decltype(auto) prepared_of(X& x) {
  if constexpr (stages_in_shared_memory<X>)
    return stages_of(x);
  else if constexpr (tile_in_shared_memory<stl::remove_const_t<X>>)
    return shared_stages<operand_type<X>, 0, 0>{operand(x)};
  else
    return operand(x);
}
template <class X>
using prepared_type = stl::remove_cvref_t<decltype(prepared_of(*static_cast<X*>(nullptr)))>;

template <class Case>
using prepared_execution =
    stl::conditional_t<Case::plan.asynchronous(), async_execution<Case>, execution_of<Case>>;

template <class... Given>
using last_of = stl::remove_cvref_t<decltype((*static_cast<Given*>(nullptr), ...))>;
template <class First = void, class...> inline constexpr bool begins_with_stage = is_stage<First>;
/// Used in default template arguments, because an error inside the copy would print its plan.
template <int Needed, bool Steps, class... Given> struct numbers_check {
  static constexpr bool counted = sizeof...(Given) == Needed;
  static_assert(counted || Needed != 2, "this prepared copy takes a step and a stage");
  static_assert(counted || Needed != 1,
                "this prepared copy takes one number: the step of its tensors, or the stage of its "
                "arrays of tiles");
  static_assert(counted || Needed != 0,
                "this prepared copy takes no number: no side is a tensor or an array of tiles");
  static constexpr bool are_numbers =
      ((any_integer<Given> || coordinate_part<Given> || is_stage<Given>) && ...);
  static_assert(are_numbers,
                "a step or a stage is an integer, such as s.stage of a pipeline_state s");
  static constexpr bool in_order = !(Steps && begins_with_stage<Given...>);
  static_assert(in_order, "the step of the tensors comes before the stage: fill(k, stage)");
  static constexpr bool passed = counted && are_numbers && in_order;
};

/// True if zero_fill tests the same bounds in each step. The guards are then constructed once. For
/// sm_100a this would need more instructions.
template <class Case, int Along> AXE_FN consteval bool tests_steps_alike() {
  if constexpr (from_sm_100 || Case::refused || Case::plan.outside != copy_outside::zero) {
    return false;
  } else {
    for (copy_test const& t : guard_tests<Case, true, true>::value)
      if (t.mode < 0 && t.dimension == Along) return false;
    return true;
  }
}
template <class Case, bool Kept> struct kept_guards {
  __device__ __forceinline__ kept_guards(auto const&, auto const&, unsigned) {}
};
template <class Case> struct kept_guards<Case, true> {
  copy_guard<Case, true, false> loads;
  copy_guard<Case, false, true> stores;

  __device__ __forceinline__ kept_guards(auto const& from, auto const& to, unsigned thread)
      : loads(from, to, thread), stores(from, to, thread) {}
};

template <class Case, int Along, class From, class To> class prepared_copy {
  using source_operand = prepared_operand<Along, stl::remove_const_t<From>>;
  using target_operand = prepared_operand<Along, stl::remove_const_t<To>>;
  static constexpr bool steps = tile_of_tensor<From> || tile_of_tensor<To>;
  static constexpr bool staged = source_operand::stage_bytes + target_operand::stage_bytes != 0;
  static constexpr int numbers = int{steps} + int{staged};
  static constexpr bool keeps_guards = tests_steps_alike<Case, Along>();
  unsigned thread;
  prepared_side<Case, true, Along, From> source;
  prepared_side<Case, false, Along, To> target;
  kept_guards<Case, keeps_guards> guards;
#ifdef AXE_DEBUG
  char const* axe_file;
  int axe_line;
#endif

  template <class Operand> __device__ __forceinline__ unsigned stage_at(auto const& stage) const {
    return bytes_to<Operand::stage_bytes, Operand::stages>(stage AXE_CALLER);
  }
  __device__ __forceinline__ void execute(auto const& number, auto const& stage) const {
    if constexpr (!Case::refused) {
      unsigned const step = loop_number(number);
#ifdef AXE_DEBUG
      check_step(step AXE_CALLER);
#endif
      auto&& from = source.tile(step);
      auto&& to = target.tile(step);
      prepared_execution<Case> const execution{};
      auto const source_at = source.at(step, stage_at<source_operand>(stage));
      auto const target_at = target.at(step, stage_at<target_operand>(stage));
      if constexpr (keeps_guards) {
#ifdef AXE_DEBUG
        check_sides<Case>(execution, from, to, thread AXE_CALLER);
#endif
        run_batches<Case, 0>(execution, source_at, target_at, guards.loads, guards.stores);
      } else {
        execute_sides<Case>(execution, source_at, target_at, from, to, thread AXE_CALLER);
      }
    }
  }

 public:
  __device__ __forceinline__ prepared_copy(auto& from, auto& to, auto scope AXE_CALLED_FROM)
      : thread(plan_thread<Case>(scope)),
        source(from, thread),
        target(to, thread),
        guards(source.tile(0), target.tile(0), thread) AXE_KEEPS_CALLER {}

  template <class Operand, class... Numbers>
  using stage_check_of =
      stage_check<Operand::stage_bytes, Operand::stages, last_of<Numbers const...>>;

  template <class... Numbers, bool Fits = numbers_check<numbers, steps, Numbers...>::passed &&
                                          stage_check_of<source_operand, Numbers...>::passed &&
                                          stage_check_of<target_operand, Numbers...>::passed>
  __device__ __forceinline__ void operator()(Numbers... given) const {
    if constexpr (!Fits) {
    } else if constexpr (numbers == 2) {
      execute(given...);
    } else if constexpr (steps) {
      execute(given..., 0u);
    } else if constexpr (staged) {
      execute(0u, given...);
    } else {
      execute(0u, 0u);
    }
  }
};

template <int Along, class From, class To, class Scope, copy_how How>
using prepared_case = copy_case<typename prepared_operand<Along, From>::type,
                                typename prepared_operand<Along, To>::type, Scope::size, How,
                                partition_by_planner, are_groups<Scope>>;

template <int Along, copy_how How, class From, class To, class Scope>
__device__ __forceinline__ auto prepare(From& from, To& to, Scope scope AXE_CALLED_FROM) {
  using planned =
      prepared_case<Along, stl::remove_const_t<From>, stl::remove_const_t<To>, Scope, How>;
  case_result<planned, Scope>();
  return prepared_copy<planned, Along, prepared_argument<From>, prepared_argument<To>>(
      from, to, scope AXE_CALLER);
}

template <class X>
using stage_type = prepared_operand<-1, prepared_type<stl::remove_reference_t<X> const>>::type;

template <int Along, class X>
inline constexpr bool can_advance =
    !tile_of_tensor<stage_type<X>> || has_dimension<Along, stage_type<X>>();
template <bool Passed> struct dimension_check : rejected_copy {
  static_assert(Passed,
                "name the dimension along which the tensor advances: prepare_copy<1>(from, to, "
                "scope)");
};
template <int Along, class From, class To, class Scope> struct preparation {
  using type = sides_result<
      Scope, From, To,
      result_if<can_advance<Along, From> && can_advance<Along, To>, dimension_check<false>>,
      stage_type>;
};
template <int Along, class From, class To, class Scope>
using preparation_result = preparation<Along, From, To, Scope>::type;
template <int Along, class From, class To, class Scope>
inline constexpr bool can_prepare =
    stl::is_same_v<typename preparation<Along, From, To, Scope>::type, void>;
}  // namespace detail

/// Prepares copy(from, to, scope). A tensor advances tile by tile along dimension Along.
template <int Along = -1, packed_how How = copy_how{}, class From, class To,
          class Scope = detail::no_scope>
  requires detail::can_prepare<Along, From, To, Scope>
__device__ __forceinline__ auto prepare_copy(
    From const& from, To&& to, Scope scope = {} AXE_CALLED_FROM) {
  auto&& source = detail::prepared_of(from);
  auto&& target = detail::prepared_of(to);
  return detail::prepare<Along, How>(source, target, scope AXE_CALLER);
}
template <int Along = -1, packed_how How = copy_how{}, class From, class To,
          class Scope = detail::no_scope>
  requires(!detail::can_prepare<Along, From, To, Scope>)
__device__ detail::preparation_result<Along, From, To, Scope> prepare_copy(From const&, To&&,
                                                                           Scope = {});
template <class... More>
__device__ detail::dimension_check<detail::never<More...>> prepare_copy(detail::any_argument,
                                                                        detail::any_argument,
                                                                        detail::any_argument,
                                                                        detail::any_argument,
                                                                        More const&...);
/// Takes only options. No side advances.
template <copy_how How, class From, class To, class Scope = detail::no_scope>
  requires detail::can_prepare<-1, From, To, Scope>
__device__ __forceinline__ auto prepare_copy(
    From const& from, To&& to, Scope scope = {} AXE_CALLED_FROM) {
  return prepare_copy<-1, How>(from, to, scope AXE_CALLER);
}
template <copy_how How, class From, class To, class Scope = detail::no_scope>
  requires(!detail::can_prepare<-1, From, To, Scope>)
__device__ detail::preparation_result<-1, From, To, Scope> prepare_copy(From const&, To&&,
                                                                        Scope = {});
/// Prepares copy_async(from, to, scope) by cp.async. The caller commits and waits.
template <int Along = -1, packed_how How = copy_how{}, class From, class To,
          class Scope = detail::no_scope>
__device__ __forceinline__ auto prepare_copy_async(
    From const& from, To const& to, Scope scope = {} AXE_CALLED_FROM) {
  constexpr copy_how in_groups =
      detail::with_completion(How, copy_instruction::any, copy_completion::group);
  return prepare_copy<Along, in_groups>(from, to, scope AXE_CALLER);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
