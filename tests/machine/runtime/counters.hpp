// Counters of a whole program, which are summed for each kernel and printed when the program ends.
#pragma once

#include "runtime/context.hpp"

namespace machine::runtime {

/// Reads AXE_MACHINE_COUNTERS. It is called once, before main.
void open_counters(context& all);
void add_counts(context& all, kernel_counts const& of_one_launch);

}  // namespace machine::runtime
