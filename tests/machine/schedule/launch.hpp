// Runs a grid: its clusters, and the warps of each cluster in turn.
#pragma once

#include "state/grid.hpp"

namespace machine {

void run_grid(running& run);

}  // namespace machine
