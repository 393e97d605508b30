// Runs a grid: cluster after cluster, and the warps of a cluster in turns.
#pragma once

#include "state/grid.hpp"

namespace machine {

void run_grid(running& run);

}  // namespace machine
