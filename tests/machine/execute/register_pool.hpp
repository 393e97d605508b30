// The registers that setmaxnreg moves between the warps of a block (ISA, "setmaxnreg"). A block
// starts with E registers for each thread and an empty pool.
//
//     setmaxnreg.dec.sync.aligned.u32 40     keeps 40 and releases E - 40, for each thread
//     setmaxnreg.inc.sync.aligned.u32 232    waits until the pool has 232 - E of them
//
// ptxas 13.0 chooses E (`entry_registers`). If E is 0, setmaxnreg has no effect.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace machine {

struct block;
struct program;
struct running;
struct warp;

struct register_pool {
  struct member {
    std::uint32_t registers = 0;  // of each thread
    std::uint32_t changes = 0;    // how many setmaxnreg the warp has executed
    std::uint32_t statement = 0;  // of the last setmaxnreg
    std::uint32_t clock = 0;      // the warp's clock at the last setmaxnreg (check/history.hpp)
  };
  std::vector<member> of;  // by warp; empty if setmaxnreg has no effect
  std::uint32_t free = 0;  // counted in registers per thread of one warp
};

/// Returns E. With .maxnreg, E is its number, rounded up to a multiple of 8. With .minnctapersm c
/// and .maxntid or .reqntid, E is 65536 registers divided by the threads of c blocks of whole
/// warpgroups, rounded down to a multiple of 8, and at most the largest operand of setmaxnreg in
/// the kernel. It is 0 without these directives, and in kernels without setmaxnreg.
std::uint32_t entry_registers(program const& code);

/// Called when a block starts. Nothing is tracked if `entry` is 0.
void start_pool(block& home, std::uint32_t entry, std::size_t warps);

/// Returns, for deadlock reports, how many registers a warp still needs to have `wanted`.
std::string describe_pool(warp const& w, std::uint32_t wanted);

/// Called when a cluster has ended. Throws unless all warps of a warpgroup executed the same number
/// of setmaxnreg.
void require_equal_changes(running const& run, block const& home);

}  // namespace machine
