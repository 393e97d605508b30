// fold_options: what a reduction folds with, and on what: the operation where an instruction knows
// it, the type, the architecture. lane_fold: how the lanes of a warp fold.
//
//     plan_reduce(P, S, {1}, {fold_operation::plus, element_type::s32, architecture::sm_80})     a sum of integers: redux.sync where a warp folds into one value
//
//     redux.sync     one instruction for the 32 lanes of a warp: +, minimum and maximum of s32 and u32; of f32 minimum and maximum, on sm_100a
//     shuffles       butterflies and gathers: every operation and type, any group of lanes
//
// redux.sync is first: it is one instruction where shuffles are five, with five of the operation.
// Groups of fewer lanes would take one redux.sync each, one after the other, where all groups
// shuffle together: it is declined then. What it gives is what shuffles give: integers wrap alike
// in every order, and of f32 both leave out a NaN where there is a number, as fminf and fmaxf do,
// and put -0 below +0. Denormal f32 stay what they are, with -ftz=true too.
// Source: PTX ISA, "redux.sync" (f32: PTX 8.6, sm_100a). Definition: docs/plans.md, "Elementwise
// and reductions".
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// How the lanes of a warp fold what they hold; any: the planner's choice.
enum class lane_fold : unsigned char { any, redux, shuffles };

AXE_FN constexpr char const* name_of(lane_fold f) {
  constexpr char const* names[] = {"any", "redux.sync", "shfl.sync"};
  return names[static_cast<int>(f)];
}

/// The operations that an instruction has; another is any function of two values.
enum class fold_operation : unsigned char { another, plus, minimum, maximum };

AXE_FN constexpr char const* name_of(fold_operation o) {
  constexpr char const* names[] = {"another", "plus", "minimum", "maximum"};
  return names[static_cast<int>(o)];
}
AXE_PLANNER constexpr bool try_fold_operation(char const* name, fold_operation& found) {
  return detail::find_name<fold_operation, 4>(name, found);
}

struct fold_options {
  fold_operation operation = fold_operation::another;
  element_type type = element_type::f32;
  architecture on = architecture::sm_80;
  lane_fold forced = lane_fold::any;
};

namespace detail {

/// Does redux.sync fold groups of `lanes` lanes so?
AXE_PLANNER constexpr refusal check_redux(fold_options const& fold, integer lanes) {
  if (lanes != 32) return {rule::redux_lanes, {lanes}};
  bool const ordered =
      fold.operation == fold_operation::minimum || fold.operation == fold_operation::maximum;
  bool const integers = fold.type == element_type::s32 || fold.type == element_type::u32;
  bool const floats = fold.type == element_type::f32 && number_of(fold.on) == 100;
  if (!(integers && (ordered || fold.operation == fold_operation::plus)) && !(floats && ordered))
    return {rule::redux_operation, {bits_of(fold.type)}};
  return {};
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
