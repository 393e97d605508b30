// Sectors and wavefronts of a warp access (CUDA C++ Best Practices Guide, "Memory Optimizations").
//
//     global memory   the 32-byte sectors that the lanes touch; minimum: the sectors that the
//                     touched bytes would fill without gaps
//     shared memory   phases of 32 lanes (4 bytes), 16 (8 bytes) or 8 (16 bytes). A phase takes as
//                     many wavefronts as its busiest bank has different words; minimum: one.
//
// 32 lanes read 4 bytes each, 128 bytes apart: 32 sectors (minimum 4), 32 wavefronts (minimum 1).
#pragma once

#include <cstdint>
#include <span>

namespace machine {

struct cost {
  std::uint64_t taken = 0;
  std::uint64_t least = 0;  // the minimum
};

/// `addresses` has one address for each active lane. Each lane accesses `bytes`, at most 16.
cost sectors_of(std::span<std::uint64_t const> addresses, unsigned bytes);

/// Takes the shared addresses of 32 lanes. Those of lanes outside the mask are ignored.
cost wavefronts_of(std::span<std::uint32_t const, 32> addresses, std::uint32_t mask,
                   unsigned bytes);

}  // namespace machine
