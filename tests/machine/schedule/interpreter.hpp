// Runs one warp until it waits, yields, ends, or uses up its slice, a number of instructions.
#pragma once

#include <cstdint>

#include "state/grid.hpp"

namespace machine {

enum class outcome : std::uint8_t {
  sliced,   // used up its slice, or yielded or blocked after progress (cluster::progress)
  polling,  // yielded after a poll, without progress
  blocked,  // no lane can run, and there was no progress
  finished
};

outcome run_warp(warp& w, std::uint32_t slice);

}  // namespace machine
