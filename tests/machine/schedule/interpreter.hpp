// Runs one warp until it has to wait, gives way, ends, or has used up its slice.
#pragma once

#include <cstdint>

#include "state/grid.hpp"

namespace machine {

enum class outcome : std::uint8_t {
  sliced,   // the slice is used up, or a lane group made way after useful work
  polling,  // gave way because a poll failed, and did nothing else that others can see
  blocked,  // no lane can run
  finished
};

outcome run_warp(warp& w, std::uint32_t slice);

}  // namespace machine
