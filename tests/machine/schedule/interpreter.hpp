// Runs one warp until it waits, yields, ends, or uses up its slice, a number of instructions.
#pragma once

#include <cstdint>

#include "state/grid.hpp"

namespace machine {

enum class outcome : std::uint8_t {
  sliced,   // used up its slice, or yielded after useful work
  polling,  // yielded after a failed poll, with no other effect
  blocked,  // no lane can run
  finished
};

outcome run_warp(warp& w, std::uint32_t slice);

}  // namespace machine
