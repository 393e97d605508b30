// What one access of a warp costs, by the two rules that programmers count with.
//
//     global memory   sectors: the 32-byte pieces that the lanes touch. Least: as many bytes as they touch, packed.
//     shared memory   32 banks of 4 bytes. Up to 4 bytes per lane all lanes go together, with 8 bytes 16 lanes, with 16 bytes
//                     8 lanes: a phase. A phase takes as many wavefronts as the busiest bank has different words; equal words
//                     are one. Least: one for each phase that has a lane.
//
//     32 lanes, 4 bytes each, 128 bytes apart:    32 sectors, 4 would do;     32 wavefronts, 1 would do
//
// The rules are NVIDIA's documented ones (CUDA C++ Best Practices Guide, "Coalesced Access to
// Global Memory", "Shared Memory and Memory Banks"); phases of wide accesses are what its profiler
// reports.
#pragma once

#include <cstdint>
#include <span>

namespace machine {

struct cost {
  std::uint64_t taken = 0;
  std::uint64_t least = 0;
};

/// Addresses of the lanes that take part, `bytes` (at most 16) from each.
cost sectors_of(std::span<std::uint64_t const> addresses, unsigned bytes);

/// Shared addresses of 32 lanes; those outside the mask are ignored.
cost wavefronts_of(std::span<std::uint32_t const, 32> addresses, std::uint32_t mask,
                   unsigned bytes);

}  // namespace machine
