// SPDX-License-Identifier: MIT
// Prints a plan of a reduction.
//
//     4 registers into 2, then lanes ^ 1, lanes ^ 2: 4 shuffles
#pragma once

#include <axe/plan/plan_reduce.hpp>
#include <axe/plan/print/print_declined.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

AXE_FN constexpr void print(auto& out, reduce_plan const& p) {
  using namespace detail;
  print_all(out, counted{p.registers, "register"}, " into ", p.results);
  bool const shuffles = p.by == lane_fold::shuffles;
  for (int k = 0; shuffles && k < p.lanes.count; ++k) {
    lane_round const& l = p.lanes[k];
    out.put(k == 0 ? ", then " : ", ");
    if (l.butterfly)
      print_all(out, "lanes ^ ", l.divisor);
    else if (l.divisor == 1)
      print_all(out, "all ", l.extent, " lanes in a row");
    else
      print_all(out, "all ", l.extent, " lanes ", l.divisor, " apart");
  }
  if (!shuffles)
    print_all(out, ", then redux.sync over the 32 lanes: ", counted{p.results, "instruction"});
  if (shuffles && p.lanes.count != 0) print_all(out, ": ", counted{p.shuffles(), "shuffle"});
  if (p.folds_warps()) {
    print_all(out, "\n  through shared memory: ", p.partials, " partial results, written ",
              p.writers.count == 0 ? "by every thread" : "where");
    for (int k = 0; k < p.writers.count; ++k) {
      out.put(k == 0 ? " " : ", ");
      if (p.first_thread == 0)
        out.put("thread");
      else
        print_all(out, "(thread - ", p.first_thread, ')');
      if (p.writers[k].divisor != 1) print_all(out, " / ", p.writers[k].divisor);
      print_all(out, " mod ", p.writers[k].extent, " = 0");
    }
    if (p.shared_folds == 0)
      print_all(out, "; each thread reads ", p.reads(), " for each of its results");
    else
      print_all(out, "; a thread folds at most ", counted{p.shared_folds, "result"}, ", each from ",
                p.reads(), " partial results, and reads its own results after a second barrier");
  }
  out.put('\n');
  print_declined(out, p.candidates, {});
  print_all(out, "  the result: ", p.result, " on ", shape_with(p.result_extents), '\n');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
