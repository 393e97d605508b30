// SPDX-License-Identifier: MIT
// Moves tensors between shardings with MPI.
//
//     axe::mpi::resharder<float> move{plan, MPI_COMM_WORLD};
//     move(from, to);
//
// Include it after or instead of <mpi.h>. Definition: docs/distributed.md, "On MPI".
#pragma once

#include <axe/mpi/resharder.hpp>
