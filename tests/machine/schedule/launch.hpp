// Runs a grid: its clusters, and the warps of each cluster in turns.
#pragma once

#include "state/grid.hpp"

namespace machine {

void run_grid(running& run);

}  // namespace machine
