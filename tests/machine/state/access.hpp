// Checked access to every state space: one address of one lane to the bytes behind it.
//
// The fast paths of execute/memory.cpp look at 32 addresses at once and come here only when
// something about them is unusual; what comes here and is wrong leaves as an error with the thread
// and the address in it.
#pragma once

#include <cstdint>
#include <string>

#include "state/address_map.hpp"
#include "state/grid.hpp"
#include "text/types.hpp"

namespace machine {

struct reached {
  std::byte* bytes = nullptr;
  // The same number of bytes: not zero once written; nullptr: always written.
  std::byte* written = nullptr;
};

enum class access : std::uint8_t { read, write, update };

/// Throws when [address, address + size) is not memory of that space for this lane, or is
/// misaligned.
reached reach(warp& w, instruction const& i, unsigned lane, space where, std::uint64_t address,
              std::uint32_t size, access how, std::uint32_t alignment);

/// Throws when a byte has never been written, or not yet; a launch that collects warnings is warned
/// of the former.
void require_written(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                     reached const& at, std::uint32_t size);

/// Beside a byte that an asynchronous copy owns; 0 says never written, 0xff written.
inline constexpr std::byte is_in_flight{1};

inline void mark_written(reached const& at, std::uint32_t size) {
  if (at.written != nullptr)
    for (std::uint32_t k = 0; k < size; ++k) at.written[k] = std::byte{0xff};
}

/// What an error of one lane of the instruction that is executing says.
report report_of(warp const& w, instruction const& i, unsigned lane, trouble what,
                 std::uint64_t address, std::string sentence);

/// Throws it.
[[noreturn]] void fault(warp const& w, instruction const& i, unsigned lane, trouble what,
                        std::uint64_t address, std::string sentence);

/// The block of the cluster that a shared address names, and the byte in it.
block& block_of(warp& w, instruction const& i, unsigned lane, std::uint32_t address);

extent3 thread_index(running const& run, std::uint32_t linear);

}  // namespace machine
