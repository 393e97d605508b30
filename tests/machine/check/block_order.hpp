// What a warp knows of the warps of all blocks: release and acquire between blocks (PTX ISA, "Memory
// Consistency Model").
//
//     block 0:  fence.acq_rel.gpu; st.relaxed.gpu [f], 1       what the warp knew at the fence is
//     block 1:  ld.relaxed.gpu [f]; fence.acq_rel.gpu          published at f, and acquired here
//
// Inside a block the clocks of history.hpp order the warps: a warp that knows another one's clock
// also knows what that one had acquired by then.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "check/history.hpp"

namespace machine {

/// The clocks of a block's 32 warps, and of the bulk stores of each warp behind them.
using block_clocks = std::array<std::uint32_t, 64>;
inline constexpr std::uint32_t first_bulk = 32;

/// What is known of each block, by number.
using knowledge = std::map<std::uint32_t, block_clocks>;
using shared_knowledge = std::shared_ptr<knowledge const>;

struct acquisition {
  std::uint32_t clock = 0;
  shared_knowledge known;  // with all earlier ones
};

struct warp_acquisitions {
  std::vector<acquisition> acquired;  // by clock
  shared_knowledge seen;              // by strong reads, until a fence acquires it
  shared_knowledge fenced;            // what the warp knew at its last fence, for its strong writes
  std::uint32_t bulk = 0;             // number of the last bulk store
};

/// The synchronisation between the blocks of a launch.
struct block_order {
  std::unordered_map<std::uint64_t, shared_knowledge> flags;      // by address
  std::unordered_map<std::uint64_t, shared_knowledge> mbarriers;  // by block and offset
  std::unordered_map<std::uint64_t, warp_acquisitions> warps;     // by block and warp
};

/// A moment of a warp, or of its bulk stores (actor first_bulk + warp).
struct moment {
  std::uint32_t block, actor, clock;
};

std::uint32_t number_of(block const& b);
std::uint64_t key_of(block const& b, std::uint32_t within);
std::uint32_t& own_clock(warp& w);
warp_acquisitions& acquisitions_of(warp& w);

bool is_known(knowledge const& known, moment const& at);
bool knows(warp& w, moment const& at);
/// All that the warp knows. A release publishes it.
shared_knowledge known_of(warp& w);
void acquire(warp& w, shared_knowledge const& known);

/// A strong access of scope .gpu or .sys to a flag.
struct flag_access {
  bool reads, writes, acquires, releases;
};
void synchronise(warp& w, std::uint64_t address, flag_access const& how);
/// A fence of scope .gpu or .sys.
void fence_blocks(warp& w, bool acquires, bool releases);

// Synchronisation inside a cluster.
void publish_to_peer(warp& w, block& owner, std::uint32_t offset);
void acquire_from_peers(warp& w, std::uint32_t offset);
knowledge known_in(cluster& all);
void acquire_in_cluster(cluster& all, knowledge const& known);

}  // namespace machine
