// Reports a cluster in which no thread can continue.
#pragma once

#include "state/grid.hpp"

namespace machine {

/// Throws trouble::deadlock with one line for each group of lanes and the reason why it waits.
[[noreturn]] void report_deadlock(running const& run, cluster const& stuck);

}  // namespace machine
