// SPDX-License-Identifier: MIT
// candidate: one way to execute a tile primitive, with the reason if it was declined.
//
//     plan.candidates     ldmatrix.x4 (declined), vector.16 (declined), vector.8 (accepted)
//         declined vector.16: accesses of 16 bytes are too wide: the swizzle keeps 8 bytes together
//
// Definition: docs/plans.md, "Candidates".
#pragma once

#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// `Instruction` is an enum with a name_of.
template <class Instruction> struct candidate {
  Instruction instruction{};
  refusal why{};

  AXE_FN constexpr bool accepted() const { return !why; }
  constexpr bool operator==(candidate const&) const = default;
};

/// In the order in which the planner considered them.
template <class Instruction> using candidate_list = list<candidate<Instruction>, 16>;

}  // namespace AXE_NAMESPACE
}  // namespace axe
