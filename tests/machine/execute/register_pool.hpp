// The registers of a block that setmaxnreg moves between its warps (ISA, "setmaxnreg").
//
//     a warp begins with E registers per thread, and the pool is empty: the block was given E for each of its threads
//     setmaxnreg.dec.sync.aligned.u32 40     this warp keeps 40 and puts E - 40 into the pool, for each of its threads
//     setmaxnreg.inc.sync.aligned.u32 232    waits until the pool has 232 - E of them
//
// E is what ptxas 13.0 gives the kernel (measured): .maxnreg; or, where .maxntid or .reqntid stand
// beside .minnctapersm c, what 65536 registers leave for each thread of c blocks of whole
// warpgroups, down to a multiple of 8, and no more than the largest operand of the kernel's
// setmaxnreg. With none of these ptxas ignores setmaxnreg, and so does the machine.
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
    std::uint32_t changes = 0;    // setmaxnreg executed
    std::uint32_t statement = 0;  // of the last one
    std::uint32_t clock = 0;      // the warp's, when it executed it: check/history.hpp
  };
  std::vector<member> of;  // by warp; empty where setmaxnreg has no effect
  std::uint32_t free = 0;  // each stands for one register of each thread of a warp
};

/// E, or 0 where ptxas cannot know it.
std::uint32_t entry_registers(program const& code);

/// At the block's start; nothing is counted where `entry` is 0.
void start_pool(block& home, std::uint32_t entry, std::size_t warps);

/// What a warp that waits for `wanted` registers lacks, for a deadlock report.
std::string describe_pool(warp const& w, std::uint32_t wanted);

/// At the block's end: every warp of a warpgroup has executed the same ones. Throws.
void require_equal_changes(running const& run, block const& home);

}  // namespace machine
