// Frames are the registers of function calls, filled with literals, special registers and
// addresses.
#pragma once

#include <cstdint>

#include "state/grid.hpp"

namespace machine {

/// Returns the frame of `function` at `depth`, which the first call there creates. The lanes of the
/// mask continue at the first instruction of the function.
frame& enter_function(warp& w, std::uint32_t function, std::uint32_t depth, std::uint32_t mask);

/// Returns the registers of the lanes at `depth` whose program counter is `pc`.
std::byte* registers_at(warp& w, std::uint32_t depth, std::uint32_t pc);

/// Starts a warp of a block: all lanes at the entry's first instruction.
void start_warp(warp& w, std::uint32_t existing);

std::uint32_t special_value(warp const& w, special which, unsigned lane);

register_storage make_registers(std::size_t bytes);

}  // namespace machine
