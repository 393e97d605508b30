// SPDX-License-Identifier: MIT
// copy_if(from, to, scope, chosen): copies the elements of a tile for which chosen(i, j) is true.
//
//     copy_if(in_tile, staged, cta<256>,
//             [&](unsigned row, unsigned column) { return row < valid_rows; });
//
// i and j count from the tile's start. Elements not chosen are skipped, or 0 with zero_fill.
// Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/cuda/copy/copy.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class Case, class Chosen> struct chosen_execution {
  static constexpr copy_steps plan = Case::plan;
  static constexpr int values = plan.values;
  static constexpr int batch = copy_execution<Case>::batch;
  static constexpr int rank = Case::target::tile_shape::value.rank();
  using staged = copy_execution<Case>::staged;

  unsigned thread;
  Chosen const& chosen;

  AXE_FN static constexpr integer value_step(int d, integer v) {
    integer sum = 0;
    for (copy_mode const& m : plan.modes)
      if (m.values > 1) sum += mode_step(m, d) * v;
    return sum;
  }
  template <int Issue, int V, int... D>
  __device__ __forceinline__ bool is_chosen(indices<D...>) const {
    return chosen(
        (tile_coordinate<Case, D>(thread)() +
         static_cast<unsigned>(as_constant<dimension_step(plan, D, Issue) + value_step(D, V)>))...);
  }
  struct chosen_values {
    enum { none, all, some } amount = none;
    bool of[values]{};
  };
  static constexpr bool reads_all =
      copy_execution<Case>::from_registers && plan.outside != copy_outside::zero;

  template <int Issue, class Loads, int... V>
  __device__ __forceinline__ chosen_values choose(Loads const& loads, indices<V...>) const {
    int n = values;
    if constexpr (plan.cut) {
      constexpr auto tested = test_steps_of<typename Loads::tests, Issue>;
      n = loads.values(tested);
    }
    chosen_values c;
    ((c.of[V] = V < n && is_chosen<Issue, V>(indices_to<rank>{})), ...);
    c.amount = (c.of[V] && ...)   ? chosen_values::all
               : (c.of[V] || ...) ? chosen_values::some
                                  : chosen_values::none;
    return c;
  }
  template <int Issue, class From, class Loads, int... V>
  __device__ __forceinline__ chosen_values load(From const& from, Loads const& loads, staged& into,
                                                indices<V...> all) const {
    constexpr auto issue = issue_at<From, Loads, Issue>;
    into = {};
    if (!loads.in_bounds(issue.steps)) return {};
    chosen_values const c = choose<Issue>(loads, all);
    if (c.amount == chosen_values::all)
      into = from.load(issue.access, all);
    else if (c.amount == chosen_values::some)
      ((c.of[V] ? void(into.elements[V] = from.load(issue.access, indices<V>{}).elements[0])
                : void()),
       ...);
    return c;
  }
  template <int Issue, class To, class Stores, int... V>
  __device__ __forceinline__ void store(To const& to, Stores const& stores, staged const& from,
                                        chosen_values c, indices<V...> all) const {
    constexpr auto issue = issue_at<To, Stores, Issue>;
    constexpr bool fills_zeros = plan.outside == copy_outside::zero;
    if (!stores.in_bounds(issue.steps)) return;
    int n = values;
    if constexpr (plan.cut) n = stores.values(issue.steps);
    if ((fills_zeros || c.amount == chosen_values::all) && n >= values)
      to.store(issue.access, from, all);
    else if (plan.cut || reads_all || c.amount == chosen_values::some)
      ((V < n && (fills_zeros || c.of[V])
            ? to.store(issue.access, copy_execution<Case>::vector_of_one(from.elements[V]),
                       indices<V>{})
            : void()),
       ...);
  }

  /// Chooses and stores in one branch. Otherwise, before sm_100, nvcc 13.0 would keep the choice in
  /// registers and test it again.
  template <int Issue, class From, class Loads>
  __device__ __forceinline__ void store_registers(From const& from, auto const& to,
                                                  Loads const& loads, auto const& stores) const {
    constexpr auto issue = issue_at<From, Loads, Issue>;
    constexpr indices_to<values> all{};
    if (loads.in_bounds(issue.steps))
      store<Issue>(to, stores, from.load(issue.access, all), choose<Issue>(loads, all), all);
  }

  template <int First, int... Access>
  __device__ __forceinline__ void run_batch(indices<Access...>, auto const& from, auto const& to,
                                            auto const& loads, auto const& stores) const {
    if constexpr (reads_all) {
      (store_registers<First + Access>(from, to, loads, stores), ...);
    } else {
      staged in_flight[sizeof...(Access)];
      chosen_values const chosen_of[]{
          load<First + Access>(from, loads, in_flight[Access], indices_to<values>{})...};
      (store<First + Access>(to, stores, in_flight[Access], chosen_of[Access],
                             indices_to<values>{}),
       ...);
    }
  }
};

/// Pads `edges` with 0 to one entry for each dimension, so that each mode has a coordinate.
template <class Tile> struct by_dimension;
template <class Tile> struct copy_operand<by_dimension<Tile>> : copy_operand<Tile> {
  AXE_FN static constexpr operand_facts make() {
    operand_facts f = copy_operand<Tile>::facts;
    while (f.edges.count < copy_operand<Tile>::tile_shape::value.rank()) f.edges.push(0);
    return f;
  }
  static constexpr operand_facts facts = make();
};

template <copy_how How, class Case> AXE_FN constexpr copy_how without_matrices() {
  copy_how how = How;
  if (is_matrix(Case::plan.instruction))
    how.force = vector_of_bytes(sizeof(typename Case::element));
  return how;
}
/// `how` is a member, because nvcc 13.0 loses the value of an expression in a template argument.
template <class From, class To, class Scope, packed_how How> struct case_without_matrices {
  static constexpr copy_how how = without_matrices<How, case_of<From, To, Scope, How>>();
  using type = case_of<From, To, Scope, how>;
};

template <class From, class Chosen> AXE_FN constexpr bool takes_coordinates() {
  using from = copy_operand<operand_type<From>>;
  if constexpr (from::is_operand)
    return []<int... D>(indices<D...>) {
      return requires(Chosen const& chosen, unsigned c) {
        static_cast<bool>(chosen(((void)D, c)...));
      };
    }(indices_to<from::tile_shape::value.rank()>{});
  return true;  // sides_result rejects From
}
template <class Chosen> struct chosen_by {
  template <class Case> using execution = chosen_execution<Case, Chosen>;
};
template <bool Passed> struct predicate_check {
  static_assert(
      Passed,
      "the predicate of copy_if takes one coordinate for each dimension of the tile, returns a "
      "bool and is not mutable");
};
template <class From, class Chosen> struct predicate_result {
  using type = result_if<takes_coordinates<From, Chosen>(), predicate_check<false>>;
};
}  // namespace detail

/// Without a scope, the predicate is the argument `scope`, and scope_check rejects it.
template <
    packed_how How = copy_how{}, class From, class To, class Scope, class Chosen = detail::no_scope,
    class Planned = detail::case_without_matrices<
        detail::by_dimension<typename detail::named_operand<From>::type>, To, Scope, How>,
    class Result = typename detail::copy_call<
        From, To, Scope, Planned, typename detail::predicate_result<From, Chosen>::type>::type>
__device__ __forceinline__ Result
copy_if(From const& from, To&& to, Scope scope, Chosen const& chosen = {} AXE_CALLED_FROM) {
  using namespace detail;
  if constexpr (stl::is_same_v<Result, void>) {
    using planned = Planned::type;
#ifdef AXE_DEBUG
    auto const checked = [&](auto... element) {
      bool const is_chosen = chosen(element...);
      if (is_chosen) {
        check_tile(operand(from) AXE_CALLER, element...);
        check_tile(operand(to) AXE_CALLER, element...);
      }
      return is_chosen;
    };
#else
    Chosen const& checked = chosen;
#endif
    execute<Result, Planned, chosen_by<stl::remove_cvref_t<decltype(checked)>>::template execution>(
        from, to, scope AXE_CALLER, plan_thread<planned>(scope), checked);
  }
  return Result();
}
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
