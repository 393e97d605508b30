// SPDX-License-Identifier: MIT
// fold_options: the operation, type and architecture of a reduction. lane_fold: how lanes reduce.
// redux.sync and shuffles give the same bits.
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class lane_fold : unsigned char { any, redux, shuffles };

AXE_FN constexpr char const* name_of(lane_fold f) {
  return detail::name_at(f, {"any", "redux.sync", "shfl.sync"});
}

/// `another` is any other operation.
enum class fold_operation : unsigned char { another, plus, minimum, maximum };

AXE_FN constexpr char const* name_of(fold_operation o) {
  return detail::name_at(o, {"another", "plus", "minimum", "maximum"});
}

struct fold_options {
  fold_operation operation = fold_operation::another;
  element_type type = element_type::f32;
  architecture on = architecture::sm_80;
  lane_fold forced = lane_fold::any;
};

namespace detail {

AXE_LAZY_FN constexpr refusal check_redux(fold_options const& fold, integer lanes) {
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
