// Shared by the printers of plans: parts of a line, and declined candidates.
//
//     put_all(out, plan.instruction, ": ", counted{plan.tile, "element"})   vector.16: 64 elements
//     print_declined(…)     declined ldmatrix.x4: rows are 72 bytes apart: …
//
// Definition: docs/plans.md, "Candidates".
#pragma once

#include <axe/atoms/shared_layout.hpp>
#include <axe/notation/print.hpp>
#include <axe/plan/candidate.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Prints texts, numbers, enumerators with a name, and values with a `print`, in turn.
template <class Out, class... Parts>
AXE_FN constexpr void put_all(Out& out, Parts const&... parts) {
  auto const put = [&out](auto const& part) {
    if constexpr (requires { name_of(part); })
      out.put(name_of(part));
    else if constexpr (requires { out.put(part); })
      out.put(part);
    else if constexpr (requires { integer{part}; })
      out.put(integer{part});
    else
      print(out, part);
  };
  (put(parts), ...);
}

/// Prints as `1 thread` or `4 threads`.
struct counted {
  integer n;
  char const* one;
  char const* plural = "s";
};
template <class Out> AXE_FN constexpr void print(Out& out, counted const& c) {
  put_all(out, c.n, ' ', c.one, c.n == 1 ? "" : c.plural);
}

}  // namespace detail

template <class Out> AXE_FN constexpr void print(Out& out, swizzle_mode mode) {
  if (mode == swizzle_mode::none) return out.put("no swizzle");
  detail::put_all(out, "swizzle of ", static_cast<integer>(mode), " bytes");
}

namespace detail {

/// `about` has the operands of the plan, for the sentences.
template <class Out, class Instruction>
AXE_FN constexpr void print_declined(Out& out, candidate_list<Instruction> const& all,
                                     operands const& about) {
  for (candidate<Instruction> const& c : all) {
    if (c.accepted()) continue;
    put_all(out, "  declined ", c.instruction, ": ");
    print(out, c.why, about);
    out.put('\n');
  }
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
