// wgmma in flight. A warpgroup is one unit: an operation exists once all four warps have issued it,
// and completes for all of them; a wait_group of one warp stays until its sisters have issued what
// it waits for.
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
  std::uint32_t issued = 0;  // bit for each warp of the group
  bool done = false;
  std::uint32_t clock = 0;  // the engine's, for check/history.hpp
  clocks known{};           // what all warps that have issued know
  clocks heard{};           // what any of them knows
  std::uint64_t descriptor_a = 0, descriptor_b = 0;
  bool scale_d = false;
  std::array<std::vector<std::uint32_t*>, 4> accumulators;  // of each warp: registers of 32 lanes
  // Snapshot of A registers: [warp][register][lane].
  std::array<std::array<std::array<std::uint32_t, 32>, 4>, 4> a;
};

struct warpgroup {
  std::deque<matrix_operation> operations;  // oldest first; front has number `first`
  std::uint64_t first = 0;
  std::array<std::uint64_t, 4> issued{};  // operations each warp has issued
  std::array<std::uint64_t, 4> waited{};  // operations each warp has waited for
  // For each warp, the number of operations at the end of each commit group.
  std::array<std::deque<std::uint64_t>, 4> commits;
};

warpgroup& warpgroup_of(warp& w);

/// How many of the first operands of a wgmma.mma_async are registers that it takes: accumulators,
/// and A where it is in registers.
std::size_t registers_taken(instruction const& i);

}  // namespace machine
