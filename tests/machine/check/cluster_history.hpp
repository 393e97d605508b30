// Finds races in the shared memory of another block of the cluster, in strict mode.
//
//     block 0:  st.shared::cluster [s of block 1]; barrier.cluster.arrive; barrier.cluster.wait
//     block 1:  barrier.cluster.arrive; barrier.cluster.wait; ld.shared [s]   without them: a race
//
// A word that another block has touched has a marker in its history (history.hpp), and that access
// is stored in `shared_history::remote`. The blocks are ordered as in block_order.hpp: by cluster
// barriers, arrivals at mbarriers of other blocks, and copies that complete on these mbarriers.
#pragma once

#include "check/block_order.hpp"

namespace machine {

/// Checks an access of warp w to shared memory of another block, and records it. Throws
/// trouble::race. `as` is the number of the warp or engine that accesses.
void track_remote(warp& w, instruction const& i, unsigned lane, block& owner, std::uint32_t offset,
                  std::uint32_t bytes, bool writes, proxy through, std::uint32_t as);

/// Throws trouble::race if the access `now` of w to a marked word of its own block is not ordered
/// after the accesses of other blocks. A write removes the records of other blocks; an atomic keeps
/// those of other atomics. True if the marker stays.
bool require_after_others(warp& w, instruction const& i, block& owner, std::uint32_t word,
                          touched const& now, bool writes);

/// True if `known`, clocks of w, include the last write of another block to this word of w's block.
bool knows_other_writer(warp& w, clocks const& known, std::uint32_t word);

/// Records that a copy to shared memory of the cluster has completed on an mbarrier of block
/// `signalled`. `issued` are the clocks of the copy's warp when it issued the copy.
void publish_copy(warp& w, block& signalled, std::uint32_t offset, clocks const& issued);
/// Records at an mbarrier of `owner` that the tensor core of w's block has completed its reads up
/// to the clocks `read`.
void publish_tensor_core(warp& w, block& owner, std::uint32_t offset, clocks const& read);

}  // namespace machine
