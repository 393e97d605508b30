// Where the state spaces lie in the 64-bit generic address space.
//
//     global      host addresses inside the device's arena: far below 2^47
//     shared      shared_window + shared address; a shared address is 32 bits: bits 24 and up hold the rank of
//                 a block in its cluster, the own one's too (CUTLASS masks bit 24 away to reach an even block), bits
//                 0 to 23 the byte
//     local       local_window + offset in the thread's own stack
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

inline constexpr std::uint32_t shared_rank_shift = 24;
inline constexpr std::uint32_t shared_offset_mask = (1u << shared_rank_shift) - 1;
/// The first kilobyte of shared memory belongs to the system on Hopper; user variables begin behind
/// it.
inline constexpr std::uint32_t shared_begin = 1024;
/// 227 KB for one block, and the reserved kilobyte (cudaDevAttrMaxSharedMemoryPerBlockOptin =
/// 232448).
inline constexpr std::uint32_t shared_limit = 232448 + 1024;

}  // namespace machine
