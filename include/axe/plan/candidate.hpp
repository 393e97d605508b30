// SPDX-License-Identifier: MIT
// candidate: an instruction that a planner considered, and why it was declined.
//
//     plan.candidates     ldmatrix.x4 (declined), …, vector.16 (declined), vector.8 (accepted)
#pragma once

#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <class Instruction> struct candidate {
  Instruction instruction{};
  refusal why{};

  constexpr bool operator==(candidate const&) const = default;
};

template <class Instruction> using candidate_list = list<candidate<Instruction>, 16>;

}  // namespace AXE_NAMESPACE
}  // namespace axe
