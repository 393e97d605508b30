// Checks accesses to every state space, and translates one lane's address to the host's bytes.
//
// The fast paths of execute/memory.cpp check 32 addresses at once and call these functions if that
// check fails.
#pragma once

#include <cstdint>
#include <string>

#include "state/address_map.hpp"
#include "state/grid.hpp"
#include "text/types.hpp"

namespace machine {

struct reached {
  std::byte* bytes = nullptr;
  // The shadow bytes, one for each byte: 0xff if it was written, is_in_flight or 0. nullptr if all
  // bytes count as written.
  std::byte* written = nullptr;
};

enum class access : std::uint8_t { read, write, update };

/// Finds the bytes. Throws if [address, address + size) is outside the space, or misaligned.
reached reach(warp& w, instruction const& i, unsigned lane, space where, std::uint64_t address,
              std::uint32_t size, access how, std::uint32_t alignment);

/// Throws if a byte was never written, or if an asynchronous copy of it has not arrived. A launch
/// that collects warnings gets a warning for the first case instead.
void require_written(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                     reached const& at, std::uint32_t size);

/// The shadow byte of a byte that an asynchronous copy will write. 0 means never written, 0xff
/// written.
inline constexpr std::byte is_in_flight{1};

inline void mark_written(reached const& at, std::uint32_t size) {
  if (at.written != nullptr)
    for (std::uint32_t k = 0; k < size; ++k) at.written[k] = std::byte{0xff};
}

/// Makes the report of an error in one lane of the current instruction.
report report_of(warp const& w, instruction const& i, unsigned lane, trouble what,
                 std::uint64_t address, std::string sentence);

/// Throws the report that report_of makes.
[[noreturn]] void fault(warp const& w, instruction const& i, unsigned lane, trouble what,
                        std::uint64_t address, std::string sentence);

/// Returns the block of the cluster that a shared address belongs to.
block& block_of(warp& w, instruction const& i, unsigned lane, std::uint32_t address);

extent3 thread_index(running const& run, std::uint32_t linear);

/// Describes a statement: "gemm.cu:12 (PTX line 345) tcgen05.ld.sync.aligned.32x32b.x1.b32".
std::string place_of_statement(running const& run, std::uint32_t statement);

}  // namespace machine
