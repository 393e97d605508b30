// SPDX-License-Identifier: MIT
// copy_execution<Case>: executes a copy's plan in one thread.
//
//     64 halves per thread: 8 loads of 16 bytes, then 8 stores
#pragma once

#include <axe/cuda/copy/guard.hpp>
#include <axe/cuda/copy/matrices.hpp>
#include <axe/cuda/debug.hpp>
#include <axe/cuda/scope.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class Case> struct copy_execution {
  static constexpr copy_steps plan = Case::plan;
  using element = Case::element;
  static constexpr int values = plan.values;
  static constexpr int issues = plan.issues;
  static constexpr bool from_registers = plan.from_space == memory_space::registers;
  /// Registers of elements out of bounds keep their values. The copy reads them first.
  static constexpr bool keeps_old_values = plan.to_space == memory_space::registers &&
                                           !from_registers && plan.outside != copy_outside::zero;
  using staged = vector_of<element, values>;
  using all = indices_to<values>;
  /// A thread loads this many vectors before it stores them. With 32 vectors of 1 or 2 bytes
  /// nvcc 13.0 spills registers on sm_100a.
  static constexpr int largest_batch = plan.bytes < 4 ? 16 : static_cast<int>(128 / plan.bytes);
  static constexpr int batch = issues < largest_batch ? issues : largest_batch;

  __device__ __forceinline__ static vector_of<element, 1> vector_of_one(element const& e) {
    return {{e}};
  }
  template <int... V>
  __device__ __forceinline__ static void load_cut(auto const& side, auto const& guard, auto issue,
                                                  staged& into, indices<V...>) {
    if (guard.template has_value<values - 1>(issue.steps)) {
      into = side.load(issue.access, all{});
    } else {
      if constexpr (!has_initial_values) into = {};
      ((guard.template has_value<V>(issue.steps)
            ? void(into.elements[V] = side.load(issue.access, indices<V>{}).elements[0])
            : void()),
       ...);
    }
  }
  template <int... V>
  __device__ __forceinline__ static void store_cut(auto const& side, auto const& guard, auto issue,
                                                   staged const& from, indices<V...>) {
    if (guard.template has_value<values - 1>(issue.steps))
      side.store(issue.access, from, all{});
    else
      ((guard.template has_value<V>(issue.steps)
            ? side.store(issue.access, vector_of_one(from.elements[V]), indices<V>{})
            : void()),
       ...);
  }

  /// Before sm_100, hides only elements of 4 bytes: nvcc would mask hidden ones of 1 or 2 bytes.
  static constexpr bool hides_elements = from_sm_100 || sizeof(element) == 4;
  /// Hides from nvcc the values of a load that may be skipped. nvcc would split them into elements
  /// and, for sm_100a, emit the stores once for each path.
  __device__ __forceinline__ static void hide_values(staged& v) {
    if constexpr (requires { v.elements.words; }) {
#pragma unroll
      for (unsigned& word : v.elements.words) asm("" : "+r"(word));
    } else if constexpr (hides_elements && __is_trivially_copyable(element)) {
      using bits = stl::conditional_t<sizeof(element) == 8, unsigned long long, word_for<element>>;
#pragma unroll
      for (element& one : v.elements) {
        stl::conditional_t<(sizeof(one) < 4), unsigned, bits> word = __builtin_bit_cast(bits, one);
        if constexpr (sizeof(word) == 16)
          asm("" : "+r"(word.x), "+r"(word.y), "+r"(word.z), "+r"(word.w));
        else if constexpr (sizeof(word) == 8)
          asm("" : "+l"(word));
        else
          asm("" : "+r"(word));
        one = __builtin_bit_cast(element, static_cast<bits>(word));
      }
    }
  }
  static constexpr bool has_initial_values = plan.outside == copy_outside::zero || keeps_old_values;
  template <class Guard>
  __device__ __forceinline__ static void load(auto const& from, Guard const& guard, auto issue,
                                              staged& into) {
    if constexpr (has_initial_values && !keeps_old_values) into = {};
    if (from_registers || Guard::tests::values_suffice || guard.in_bounds(issue.steps)) {
      if constexpr (plan.cut && !from_registers)
        load_cut(from, guard, issue, into, all{});
      else
        into = from.load(issue.access, all{});
    }
    if constexpr (!from_registers && (has_initial_values || Guard::tests::first_varying >= 0))
      hide_values(into);
  }
  __device__ __forceinline__ static void store(auto const& to, auto const& guard, auto issue,
                                               staged const& from) {
    if (keeps_old_values || guard.in_bounds(issue.steps)) {
      if constexpr (plan.cut && !keeps_old_values)
        store_cut(to, guard, issue, from, all{});
      else
        to.store(issue.access, from, all{});
    }
  }

  template <int First, int... Access, class From, class To, class Loads, class Stores>
  __device__ __forceinline__ static void run_batch(indices<Access...>, From const& from,
                                                   To const& to, Loads const& loads,
                                                   Stores const& stores) {
    using tests = Stores::tests;
    // A struct, because nvcc would merge arrays of several calls.
    struct {
      staged at[sizeof...(Access)];
    } in_flight;
    if constexpr (keeps_old_values)
      ((in_flight.at[Access] = to.load(access_at<To, First + Access>, all{})), ...);
    // Loads are in one branch if one test serves them all.
    constexpr bool loads_at_once =
        keeps_old_values || (has_initial_values && !from_registers && sizeof...(Access) > 2);
    if constexpr (loads_before_tests(plan, tests::value)) {
      if (loads.in_bounds({})) {
        ((in_flight.at[Access] = from.load(access_at<From, First + Access>, all{})), ...);
        (store(to, stores, issue_at<To, Stores, First + Access>, in_flight.at[Access]), ...);
      }
    } else if constexpr (loads_at_once && !plan.cut && Loads::tests::first_varying < 0) {
      if constexpr (!keeps_old_values) ((in_flight.at[Access] = {}), ...);
      if (loads.in_bounds({}))
        ((in_flight.at[Access] = from.load(access_at<From, First + Access>, all{})), ...);
      if constexpr (Loads::tests::count > 0) (hide_values(in_flight.at[Access]), ...);
      (store(to, stores, issue_at<To, Stores, First + Access>, in_flight.at[Access]), ...);
    } else if constexpr (plan.to_space == memory_space::registers) {
      // Each store follows its load, so that one test serves both.
      ((load(from, loads, issue_at<From, Loads, First + Access>, in_flight.at[Access]),
        store(to, stores, issue_at<To, Stores, First + Access>, in_flight.at[Access])),
       ...);
    } else {
      (load(from, loads, issue_at<From, Loads, First + Access>, in_flight.at[Access]), ...);
      // The first `reusing` stores use the test results of their loads, the others test again.
      constexpr bool ptxas_joins_tests =
          plan.to_space != memory_space::global || has_tested_products<To>;
      constexpr bool once = from_registers || tests::first_varying < 0 ||
                            (tests::overflows_predicates && ptxas_joins_tests);
      constexpr int reusing = once ? batch : tests::overflows_predicates ? 6 : 0;
      auto const again = stores.again();
      (store(to, Access < reusing ? stores : again, issue_at<To, Stores, First + Access>,
             in_flight.at[Access]),
       ...);
    }
  }
};

template <class Case, class Scope> __device__ __forceinline__ unsigned plan_thread(Scope scope) {
  constexpr integer first = types_of<Case>::access_partition::value.first_thread;
  constexpr integer begin = begin_on_axis<Scope>(first);
  static_assert(first >= begin && first + Case::plan.threads <= begin + Scope::size,
                "copy: the layout is on threads outside the scope: pass a scope with all of them");
  if constexpr (Case::uses_thread_idx)
    return threadIdx.x;
  else
    return number_on_axis<first>(scope);
}

template <class Case, int First, class Execution, class... SidesAndGuards>
__device__ __forceinline__ void run_batches(Execution const& execution,
                                            SidesAndGuards const&... sides_and_guards) {
  constexpr int left = Case::plan.issues - First;
  if constexpr (requires { Execution::batch; }) {
    constexpr int batch = Execution::batch;
    execution.template run_batch<First>(indices_to<(left < batch ? left : batch)>{},
                                        sides_and_guards...);
    if constexpr (left > batch) run_batches<Case, First + batch>(execution, sides_and_guards...);
  } else {
    [&]<int... Access>(indices<Access...>) {
      (execution.template issue<Access>(sides_and_guards...), ...);
    }(indices_to<left>{});
  }
}
#ifdef AXE_DEBUG
AXE_FN constexpr integer last_step(copy_steps const& plan, int d) {
  integer sum = dimension_step(plan, d, plan.issues - 1);
  for (int k = 0; k < plan.modes.count; ++k)
    sum += mode_step(plan.modes[k], d) * (plan.modes[k].values - 1);
  return sum;
}
/// Checks the thread's last element.
template <class Case, class Tile>
__device__ void check_side(Tile const& tile, unsigned thread, char const* file, int line) {
  if constexpr (tile_of_tensor<Tile>)
    [&]<int... D>(indices<D...>) {
      check_tile(tile, file, line,
                 smaller(tile_coordinate<Case, D>(thread)() + as_constant<last_step(Case::plan, D)>,
                         Tile::shape_type::value.extent(D) - 1)...);
    }(indices_to<Tile::rank>{});
}
template <class Case>
__device__ __forceinline__ void check_sides(auto const& execution, auto const& from, auto const& to,
                                            unsigned thread AXE_CALLED_FROM) {
  unsigned const first = types_of<Case>::access_partition::value.first_thread;
  // A copy_if may skip elements.
  if constexpr (!requires { execution.chosen; })
    if (Case::uses_thread_idx ||
        thread - first < static_cast<unsigned>(as_constant<Case::plan.threads>)) {
      check_side<Case>(from, thread AXE_CALLER);
      check_side<Case>(to, thread AXE_CALLER);
    }
  check_distinct(from, to AXE_CALLER);
}
#endif
template <class Case>
__device__ __forceinline__ void execute_sides(auto const& execution, auto const& source,
                                              auto const& target, auto const& from, auto const& to,
                                              unsigned thread AXE_CALLED_FROM) {
#ifdef AXE_DEBUG
  check_sides<Case>(execution, from, to, thread AXE_CALLER);
#endif
  if constexpr (Case::plan.outside == copy_outside::zero) {
    copy_guard<Case, true, false> const loads(from, to, thread);
    copy_guard<Case, false, true> const stores(from, to, thread);
    run_batches<Case, 0>(execution, source, target, loads, stores);
  } else {
    copy_guard<Case, true, true> const both(from, to, thread);
    run_batches<Case, 0>(execution, source, target, both, both);
  }
}
/// True if a thread whose first element is out of bounds stores nothing. It then binds no address.
template <class Case, class Execution> AXE_FN constexpr bool binds_in_branch() {
  if constexpr (Case::plan.to_space == memory_space::global &&
                Case::plan.outside != copy_outside::zero &&
                stl::is_same_v<Execution, copy_execution<Case>>) {
    using tests = guard_tests<Case, true, true>;
    return tests::count > 0 &&
           (tests::first_varying < 0 || loads_before_tests(Case::plan, tests::value));
  }
  return false;
}

template <class Result, class Planned, template <class> class Execution>
__device__ __forceinline__ Result execute(auto&& from_side, auto&& to_side,
                                          auto scope AXE_CALLED_FROM, auto const&... state) {
  if constexpr (stl::is_same_v<Result, void>) {
    using planned = Planned::type;
    auto&& from = operand(from_side);
    auto&& to = operand(to_side);
    using source_side = side_of<planned, true, stl::remove_reference_t<decltype(from)>>::type;
    using target_side = side_of<planned, false, stl::remove_reference_t<decltype(to)>>::type;
    Execution<planned> const execution{state...};
    unsigned const thread = plan_thread<planned>(scope);
#ifdef AXE_DEBUG
    check_index("thread of the scope with number", thread_id(scope),
                decltype(scope)::size AXE_CALLER);
#endif
    if constexpr (binds_in_branch<planned, Execution<planned>>()) {
#ifdef AXE_DEBUG
      check_sides<planned>(execution, from, to, thread AXE_CALLER);
#endif
      copy_guard<planned, true, true> const both(from, to, thread);
      if (both.in_bounds({})) {
        source_side const source(from, thread);
        target_side const target(to, thread);
        run_batches<planned, 0>(execution, source, target, both, both);
      }
    } else {
      source_side const source(from, thread);
      target_side const target(to, thread);
      execute_sides<planned>(execution, source, target, from, to, thread AXE_CALLER);
    }
  }
  return Result();
}

template <class Case>
using execution_of = stl::conditional_t<is_matrix(Case::plan.instruction), matrix_execution<Case>,
                                        copy_execution<Case>>;

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
