// Frames: the registers a function call gets, filled with its literals, special registers and stack
// addresses.
#pragma once

#include <cstdint>

#include "state/grid.hpp"

namespace machine {

/// Registers for `function` at `depth`, for the lanes of the mask; they start at the function's
/// first instruction.
frame& enter_function(warp& w, std::uint32_t function, std::uint32_t depth, std::uint32_t mask);

/// The frame of lanes that are at `depth` with program counter `pc`.
std::byte* registers_at(warp& w, std::uint32_t depth, std::uint32_t pc);

/// A fresh warp of a block: all lanes at the entry's first instruction.
void start_warp(warp& w, std::uint32_t existing);

std::uint32_t special_value(warp const& w, special which, unsigned lane);

register_storage make_registers(std::size_t bytes);

}  // namespace machine
