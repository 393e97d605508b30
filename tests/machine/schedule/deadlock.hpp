// What to say when nothing can move any more.
#pragma once

#include "state/grid.hpp"

namespace machine {

/// Throws trouble::deadlock with one line for each group of lanes and what it waits for.
[[noreturn]] void report_deadlock(running const& run, cluster const& stuck);

}  // namespace machine
