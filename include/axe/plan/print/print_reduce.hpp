// Prints a plan of a reduction for people.
//
//     4 registers into 2, then lanes ^ 1, lanes ^ 2: 4 shuffles
//       the result: S[(8,2):(4@lane,1@reg)] + R[4:1@lane] on (16,1)
//
// Definition: docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/notation/print.hpp>
#include <axe/plan/plan_reduce.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <class Out>
AXE_FN constexpr void print_words(Out& out, char const* before, integer n, char const* after) {
  out.put(before);
  out.put(n);
  out.put(after);
}
}  // namespace detail

template <class Out> AXE_FN constexpr void print(Out& out, reduce_plan const& p) {
  detail::print_words(out, "", p.registers, p.registers == 1 ? " register" : " registers");
  detail::print_words(out, " into ", p.results, "");
  bool const shuffles = p.by == lane_fold::shuffles;
  for (int k = 0; shuffles && k < p.lanes.size(); ++k) {
    lane_round const& l = p.lanes[k];
    out.put(k == 0 ? ", then " : ", ");
    if (l.butterfly)
      detail::print_words(out, "lanes ^ ", l.divisor, "");
    else
      detail::print_words(out, "all ", l.extent, l.divisor == 1 ? " lanes in a row" : " lanes");
    if (!l.butterfly && l.divisor != 1) detail::print_words(out, " ", l.divisor, " apart");
  }
  if (!shuffles) detail::print_words(out, ", then redux.sync over the 32 lanes: ", p.results, "");
  if (shuffles && !p.lanes.empty())
    detail::print_words(out, ": ", p.shuffles(), p.shuffles() == 1 ? " shuffle" : " shuffles");
  if (p.folds_warps()) {
    detail::print_words(out, "\n  through shared memory: ", p.partials,
                        " partial results, written ");
    out.put(p.writers.empty() ? "by every thread" : "where");
    for (int k = 0; k < p.writers.size(); ++k) {
      detail::print_words(out, k == 0 ? " thread / " : ", thread / ", p.writers[k].divisor, "");
      detail::print_words(out, " mod ", p.writers[k].extent, " = 0");
    }
    detail::print_words(out, "; each thread reads ", p.reads(), " for each of its results");
  }
  if (p.ctas > 1) detail::print_words(out, "\n  then over the ", p.ctas, " CTAs of the cluster");
  for (auto const& c : p.candidates) {
    if (c.accepted()) continue;
    out.put("\n  declined ");
    out.put(name_of(c.instruction));
    out.put(": ");
    print(out, c.why, {});
  }
  out.put("\n  the result: ");
  print(out, p.result);
  out.put(" on (");
  for (int d = 0; d < p.result_extents.size(); ++d)
    detail::print_words(out, d == 0 ? "" : ",", p.result_extents[d], "");
  out.put(")\n");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
