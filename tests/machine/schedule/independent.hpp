// Decides whether the clusters of a launch can observe each other. If not, they may run at the same
// time, with the same results and reports for any number of threads.
//
//     atom.global.add.f32, atom.global.cas.b32    yes: results depend on the order of clusters
//     ld.volatile.global, st.release.gpu.global   yes: used to synchronise blocks
//     red.global.add.u32                          no: integer sums do not depend on the order
//     ld.global.f32, st.global.f32                no: unsynchronised conflicts are races anyway
#pragma once

#include "program/program.hpp"

namespace machine {

bool clusters_are_independent(program const& code);

}  // namespace machine
