// candidate: one way to carry out a tile primitive, and why it was declined where it was. A plan
// keeps every candidate that was looked at, in the order of preference.
//
//     plan.candidates    tma (chosen), cp.async, ld.global.v4 …
//     declined ldmatrix: rows are 72 bytes apart: 16-byte alignment fails at row 1
//
// `why` is a refusal like those of the algebra: flat, with its numbers, a sentence where it is
// read. The candidates before the chosen one were declined, those after it were not needed; a
// forced candidate stands alone.
// Definition: docs/plans.md, "Candidates".
#pragma once

#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// `Instruction`: an enum with a name_of.
template <class Instruction> struct candidate {
  Instruction instruction{};
  refusal why{};  // rule::none: it carries the primitive out

  AXE_FN constexpr bool accepted() const { return !why; }
  AXE_FN friend constexpr bool operator==(candidate const&, candidate const&) = default;
};

template <class Instruction> using candidate_list = list<candidate<Instruction>, 16>;

}  // namespace AXE_NAMESPACE
}  // namespace axe
