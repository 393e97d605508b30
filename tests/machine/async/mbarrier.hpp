// mbarrier objects (PTX ISA, "mbarrier"), stored as 64-bit words in shared memory:
//
//     bits 0-19    pending arrivals         bits 40-61   pending bytes, signed
//     bits 20-39   arrivals of a phase      bit 62       parity of the current phase
//     bit 63       set by mbarrier.init: a word without it is not an mbarrier
//
// A phase ends when both pending counts are zero. The parity then flips and the arrivals are
// loaded again.
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

/// Subtracts `arrived` from the pending bytes, and ends the phase if it is complete. A negative
/// number adds expected bytes. `offset` locates the mbarrier in its block. Returns a sentence on
/// error.
std::string add_bytes(block& owner, std::uint32_t offset, std::int64_t arrived);

/// Counts an arrival that no thread made, such as a tcgen05.commit. Returns a sentence on error.
std::string arrive_once(block& owner, std::uint32_t offset);

/// Describes a wait for deadlock reports:
/// "waits for the mbarrier at 0x.., in a phase of parity 0 where 1 of 2 arrivals and 4096 bytes are
/// missing"
std::string describe_mbarrier(block const& home, std::uint32_t address);

}  // namespace machine
