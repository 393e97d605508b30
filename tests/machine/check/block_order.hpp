// Records what each warp knows of the warps of all blocks. Release and acquire pass this knowledge
// on (PTX ISA, "Memory Consistency Model").
//
//     block 0:  fence.acq_rel.gpu; st.relaxed.gpu [f], 1     [f] publishes what the warp knows
//     block 1:  ld.relaxed.gpu [f]; fence.acq_rel.gpu        the fence acquires what [f] published
//
// Inside a block the clocks of history.hpp order the warps. A warp that knows a clock of another
// warp also knows what that warp had acquired before.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "check/history.hpp"

namespace machine {

/// The indices of the clocks of a block:
///
///     from 0               its 32 warps
///     from first_bulk      the bulk stores of each warp
///     from first_fenced    for each of these 64, the last clock whose writes a proxy fence covers
///     from first_copy      each warp's copies to shared memory; their clock is that of the issue
///     from first_engine_actor    the matrix engines (history.hpp)
using block_clocks = std::array<std::uint32_t, 172>;
inline constexpr std::uint32_t first_bulk = 32, first_fenced = 64, first_copy = 128,
                               first_engine_actor = 160;

constexpr std::uint32_t actor_of(std::uint32_t warp_or_engine) {
  return warp_or_engine < first_engine ? warp_or_engine
                                       : first_engine_actor + warp_or_engine - first_engine;
}

/// The known clocks of each block, by the block's number.
using knowledge = std::map<std::uint32_t, block_clocks>;
using shared_knowledge = std::shared_ptr<knowledge const>;
using knowledge_at = std::unordered_map<std::uint64_t, shared_knowledge>;  // by address

struct acquisition {
  std::uint32_t clock = 0;
  shared_knowledge known;  // all that the warp knows by this and all earlier acquisitions
};

struct warp_acquisitions {
  std::vector<acquisition> acquired;  // in the order of their clocks
  shared_knowledge last;    // the last acquired; a warp that polls a flag acquires it repeatedly
  knowledge_at seen;        // what relaxed reads saw and no fence or acquire has acquired yet
  shared_knowledge fenced;  // what the warp knew at its last fence; its strong writes publish it
  knowledge_at released;    // what it knew at its last release of each flag
  std::uint32_t bulk = 0;   // number of the last bulk store
};

struct block_acquisitions {
  std::array<warp_acquisitions, 32> warps;
  knowledge_at mbarriers;  // what other blocks of the cluster published, by offset
};

/// The order between the blocks of a launch.
struct block_order {
  knowledge_at flags;
  std::unordered_map<std::uint32_t, block_acquisitions> blocks;  // those not ended, by number
};

/// A moment of one actor of a block. `actor` is an index in block_clocks. With actor first_fenced +
/// k, the moment is known once a proxy fence covers what actor k wrote at this clock.
struct moment {
  std::uint32_t block, actor, clock;
};

std::uint32_t number_of(block const& b);
std::uint32_t cluster_of(running const& run, std::uint32_t block);
std::uint32_t& own_clock(warp& w);
warp_acquisitions& acquisitions_of(warp& w);

/// True if the warp knows this moment; `mine` are the warp's clocks in its own block.
bool knows(warp& w, clocks const& mine, moment const& at);
/// Returns all that the warp knows. A release publishes it.
shared_knowledge known_of(warp& w);
void acquire(warp& w, shared_knowledge const& known);

/// A strong access of scope .gpu or .sys to a flag. `observes` is true if the access returns the
/// flag's value to a register: for ld and atom, not for red. `continues` is true for atomics, which
/// continue the release sequence of earlier writes.
struct flag_access {
  bool observes, writes, continues, acquires, releases;
};
void synchronise(warp& w, std::uint64_t address, flag_access const& how);
/// Executes a fence of scope .gpu or .sys.
void fence_blocks(warp& w, bool acquires, bool releases);
/// Executes a proxy fence for global memory. It covers all writes that the warp knows.
void proxy_fence_global(warp& w);

/// At an mbarrier of another block of the cluster, publishes what the warp knows.
void publish_to_peer(warp& w, block& owner, std::uint32_t offset);
/// Publishes one moment to the threads that wait on an mbarrier of `owner`.
void publish_moment(warp& w, block& owner, std::uint32_t offset, moment const& at);
void acquire_from_peers(warp& w, std::uint32_t offset);
knowledge known_in(cluster& all);
void acquire_in_cluster(cluster& all, knowledge const& known);

}  // namespace machine
