// Whether the clusters of a launch can tell that others exist.
//
//     atom.global.add.f32, atom.global.cas.b32      yes: the order of clusters shows in results
//     ld.volatile.global, st.release.gpu.global     yes: that is how threads of different blocks agree
//     red.global.add.u32                            no: sums of integers are the same in any order
//     ld.global.f32, st.global.f32                  no: two blocks that touch the same word without agreeing are a race anyway
//
// Only where they cannot tell may several run at once: then results and reports are the same on any
// number of threads.
#pragma once

#include "program/program.hpp"

namespace machine {

bool clusters_are_independent(program const& code);

}  // namespace machine
