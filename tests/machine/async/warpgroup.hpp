// Declares the wgmma operations in flight. An operation begins once all four warps of the warpgroup
// have issued it, and completes for all of them. So wait_group also waits until the other warps
// have issued.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include "check/history.hpp"
#include "state/grid.hpp"

namespace machine {

struct matrix_operation {
  instruction const* what = nullptr;
  std::uint32_t issued = 0;  // one bit for each warp of the group
  bool done = false;
  std::uint32_t clock = 0;  // the matrix engine's clock (check/history.hpp)
  clocks known{};           // what all issuing warps know
  clocks heard{};           // what at least one of them knows
  std::uint64_t descriptor_a = 0, descriptor_b = 0;
  bool scale_d = false;
  // For each warp, the registers that the operation writes; each has 32 lanes.
  std::array<std::vector<std::uint32_t*>, 4> accumulators;
  // A copy of the A registers at the issue: [warp][register][lane].
  std::array<std::array<std::array<std::uint32_t, 32>, 4>, 4> a;
};

struct warpgroup {
  std::deque<matrix_operation> operations;  // oldest first; the front has number `first`
  std::uint64_t first = 0;
  std::array<std::uint64_t, 4> issued{};  // how many operations each warp has issued
  std::array<std::uint64_t, 4> waited{};  // how many operations each warp has waited for
  // For each warp, how many operations it had issued at each of its commits.
  std::array<std::deque<std::uint64_t>, 4> commits;
};

warpgroup& warpgroup_of(warp& w);

/// Returns how many leading operands of a wgmma.mma_async are registers: the accumulators, and A if
/// it is in registers.
std::size_t registers_used(instruction const& i);

}  // namespace machine
