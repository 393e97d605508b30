// Declares how a barrier of a block completes: by its last arrival (barriers.cpp), or because the
// threads that it still waits for exit (schedule/interpreter.cpp).
#pragma once

#include "state/grid.hpp"

namespace machine {

/// Publishes the votes of the generation and begins the next one.
void begin_next_generation(block& home, block_barrier& barrier);

}  // namespace machine
