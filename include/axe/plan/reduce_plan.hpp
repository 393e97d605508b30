// SPDX-License-Identifier: MIT
// reduce_plan: the registers, lanes and warps that reduce a fragment.
//
//     plan.registers, plan.lanes, plan.through_shared      the three steps, in order
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/plan/candidate.hpp>
#include <axe/plan/engine/register_match.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// How lanes reduce. redux.sync and shuffles give the same bits.
enum class lane_fold : unsigned char { redux, shuffles };

AXE_FN constexpr char const* name_of(lane_fold f) {
  return detail::name_at(f, {"redux.sync", "shfl.sync"});
}

enum class fold_operation : unsigned char { another, plus, minimum, maximum };

AXE_FN constexpr char const* name_of(fold_operation o) {
  return detail::name_at(o, {"another", "plus", "minimum", "maximum"});
}

struct fold_options {
  fold_operation operation = fold_operation::another;
  element_type type = element_type::f32;
  architecture target = architecture::sm_80;
};

/// Reduces groups of `extent` lanes that are `divisor` apart. Each lane gets its group's result.
struct lane_round {
  integer divisor = 0;
  integer extent = 0;
  bool butterfly = false;  // each lane reads lane ^ divisor; false: every lane of its group

  constexpr bool operator==(lane_round const&) const = default;
};

/// A digit of the thread number.
struct shared_digit {
  integer divisor = 0;
  integer extent = 0;
  integer stride = 0;  // counts partial results
  bool reduced = false;

  constexpr bool operator==(shared_digit const&) const = default;
};

struct reduce_plan {
  layout result{};  // reduced dimensions have extent 1
  detail::extent_list result_extents{};
  axis thread = axis::null;  // null: each thread reduces alone
  integer threads = 1;       // threads that reduce, from first_thread on
  integer first_thread = 0;
  integer registers = 0;  // of a thread, before the reduction
  integer results = 0;    // of a thread, after the reduction
  register_match into{};  // register -> result; -1 for replicas
  list<lane_round, 16> lanes{};
  lane_fold by = lane_fold::shuffles;
  candidate_list<lane_fold> candidates{};
  list<shared_digit, capacity::shards> through_shared{};
  int unreduced_digits = 0;  // digits of through_shared that are not reduced
  // A thread writes if these digits of its number are 0.
  list<lane_round, capacity::shards> writers{};
  integer partials = 0;  // partial results in shared memory
  // Results that each thread folds, also those of others. 0: each folds its own.
  integer shared_folds = 0;

  AXE_FN constexpr integer lanes_together() const {
    integer n = 1;
    for (lane_round const& l : lanes) n *= l.extent;
    return n;
  }
  AXE_FN constexpr integer shuffles() const {
    integer n = 0;
    for (lane_round const& l : lanes) n += l.butterfly ? 1 : l.extent;
    return by == lane_fold::shuffles ? n * results : 0;
  }
  /// Partial results that are folded into one result.
  AXE_FN constexpr integer reads() const {
    integer n = folds_warps() ? 1 : 0;
    for (shared_digit const& s : through_shared) n *= s.reduced ? s.extent : 1;
    return n;
  }
  AXE_FN constexpr bool folds_warps() const { return through_shared.count != 0; }

  constexpr bool operator==(reduce_plan const&) const = default;
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
