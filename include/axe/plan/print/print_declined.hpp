// Prints the declined candidates of a plan: `  declined ldmatrix.x4: rows are 72 bytes apart: …`.
//
// Definition: docs/plans.md, "Candidates".
#pragma once

#include <axe/notation/print.hpp>
#include <axe/plan/candidate.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// `about` has the operands of the plan, for the sentences.
template <class Out, class Instruction>
AXE_FN constexpr void print_declined(Out& out, candidate_list<Instruction> const& all,
                                     operands const& about) {
  for (candidate<Instruction> const& c : all) {
    if (c.accepted()) continue;
    out.put("  declined ");
    if constexpr (requires { out.put(name_of(c.instruction)); })
      out.put(name_of(c.instruction));
    else
      print(out, c.instruction);
    out.put(": ");
    print(out, c.why, about);
    out.put('\n');
  }
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
