// The state spaces in the 64-bit generic address space.
//
//     global      host addresses of the device's allocations: below 2^48
//     shared      shared_window + 32-bit shared address: the block's rank in its cluster in bits 24
//                 and up (CUTLASS clears bit 24 to reach an even block), the byte in bits 0 to 23
//     local       local_window + offset in the thread's stack
//     parameter   parameter_window + offset in the kernel's parameters
//     functions   function_window + 16 * number
#pragma once

#include <cstdint>

namespace machine {

inline constexpr std::uint64_t shared_window = 0x00a0'0000'0000'0000;
inline constexpr std::uint64_t local_window = 0x00b0'0000'0000'0000;
inline constexpr std::uint64_t parameter_window = 0x00c0'0000'0000'0000;
inline constexpr std::uint64_t function_window = 0x00d0'0000'0000'0000;
inline constexpr std::uint64_t window_mask = 0xffff'0000'0000'0000;

/// True for a generic address of shared memory. Bits 32 to 47 of such an address are 0.
constexpr bool is_in_shared_window(std::uint64_t address) {
  return address >> 32 == shared_window >> 32;
}

inline constexpr std::uint32_t shared_rank_shift = 24;
inline constexpr std::uint32_t shared_offset_mask = (1u << shared_rank_shift) - 1;
/// On Hopper the first kilobyte of shared memory is reserved; variables start after it.
inline constexpr std::uint32_t shared_begin = 1024;
/// One block has at most 227 KB (cudaDevAttrMaxSharedMemoryPerBlockOptin), plus the reserved
/// kilobyte.
inline constexpr std::uint32_t shared_limit = 232448 + 1024;

}  // namespace machine
