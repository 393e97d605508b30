// mbarrier objects (ISA, "Parallel Synchronization and Communication Instructions: mbarrier"), as
// words in shared memory.
//
//     bits 0-19 arrivals still missing   20-39 arrivals of a phase   40-61 bytes still missing, signed
//     bit 62 the current phase's parity  63 set by init: a word without it is not an mbarrier
//
// The phase ends when both counts are zero; then the parity flips and the arrivals are loaded
// again.
#pragma once

#include <cstdint>
#include <string>

#include "state/grid.hpp"

namespace machine {

struct mbarrier_word {
  std::uint32_t pending = 0;
  std::uint32_t expected = 0;
  std::int32_t bytes = 0;
  bool parity = false;
  bool valid = false;
};

mbarrier_word unpack_mbarrier(std::uint64_t bits);
std::uint64_t pack_mbarrier(mbarrier_word const& word);

/// Counts bytes that have arrived (negative: that are expected), and ends the phase if it is
/// complete; `where` names the block's barrier. Returns a sentence when that is an error.
std::string add_bytes(block& owner, std::uint32_t offset, std::int64_t arrived);

/// One arrival that is not from a thread. Returns a sentence when that is an error.
std::string arrive_once(block& owner, std::uint32_t offset);

/// "waits for the mbarrier at 0x.., phase 0, where 1 of 2 arrivals and 4096 bytes are missing"
std::string describe_mbarrier(block const& home, std::uint32_t address);

}  // namespace machine
