// Who touched which word of shared memory, and what orders the warps of a cluster (vector clocks).
//
// Every warp has a clock for each warp of its block. Arriving at a barrier publishes the warp's
// clocks there, waiting takes them over. A word remembers its last write and its last two reads; an
// access that does not know of an earlier conflicting one, because no barrier lies between, is a
// race:
//
//     warp 0: st.shared [s];                    warp 1: ld.shared [s];        no bar.sync between: reported
//
// Lanes of one warp are compared in strict mode: between an access and a conflicting one of another
// lane lies a bar.warp.sync, a barrier, or a wait on an mbarrier. Reads before the last two by
// other warps are forgotten, and of a warp all but the last, so a write that races with three
// readers may name any of the last two.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "state/grid.hpp"

namespace machine {

/// 32 warps, and behind them the matrix engines of eight warpgroups: what wgmma reads, an engine
/// reads, and a warp knows of it once it has waited for the group. The last is the tensor core of
/// tcgen05.
inline constexpr std::size_t most_warps = 41;
inline constexpr std::uint32_t first_engine = 32;
inline constexpr std::uint32_t tensor_core = 40;

using clocks = std::array<std::uint32_t, most_warps>;

/// 64 bits, since three stand for every word: half of the time of a checked access is spent on
/// fetching them.
struct touched {
  std::uint32_t clock = 0;  // 0: never
  std::uint32_t warp : 6 = 0;
  std::uint32_t lane : 5 = 0;
  std::uint32_t asynchronous : 1 = 0;
  std::uint32_t atomic : 1 = 0;
  std::uint32_t statement : 19 = 0;
};
inline constexpr std::uint32_t last_statement = (1u << 19) - 1;  // and all behind it
static_assert(sizeof(touched) == 8 && most_warps <= 64);

struct word_history {
  touched write;
  touched reads[2];
};

struct shared_history {
  std::vector<word_history> words;                        // of 4 bytes, by shared address
  std::vector<clocks> warps;                              // what each warp knows
  std::array<clocks, most_warps - first_engine> heard{};  // what each engine has heard of
  std::vector<std::uint32_t> fenced;  // each warp's clock at its last fence.proxy.async
  std::vector<clocks> at_fence;       // what it knew at the last one
  // Named barriers: what has been published for the current generation.
  std::array<clocks, 16> barriers{};
  std::array<clocks, 16> completed{};  // and for the one that is complete
  std::map<std::uint32_t, clocks> mbarriers;
  // Fences of each warp that make mbarriers visible to copies.
  std::vector<std::uint32_t> barrier_fences;
  struct fresh_mbarrier {
    std::uint32_t warp = 0, fences = 0, statement = 0;
  };
  // By offset: the warp that initialised the mbarrier, and the number of its fences before that.
  std::map<std::uint32_t, fresh_mbarrier> fresh;
  std::vector<std::uint32_t> ordered;  // each warp's clock since something last ordered its lanes
  // For each 16 bytes: 1 + the swizzle mode of the tensor copy that wrote them; 0: another write.
  std::vector<std::uint8_t> swizzles;

  shared_history(std::size_t bytes, std::size_t warp_count);
};

/// Atomics go through the generic proxy, and are not a race with each other.
enum class proxy : std::uint8_t { generic, async, atomic };

/// Checks one access and remembers it; throws trouble::race (or trouble::proxy in strict mode).
/// `as`: the warp's number, or an engine's.
void track(warp& w, instruction const& i, unsigned lane, block& owner, std::uint32_t offset,
           std::uint32_t bytes, bool writes, proxy through, std::uint32_t as);
void track(warp& w, instruction const& i, unsigned lane, block& owner, std::uint32_t offset,
           std::uint32_t bytes, bool writes, proxy through);
/// The same for the lanes of ld.shared and st.shared: what is legal takes a short way.
void track_loads(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t const* addresses,
                 std::uint32_t bytes);
void track_stores(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t const* addresses,
                  std::uint32_t bytes);

// The engine of a warpgroup.
// What one of its warps knows is not yet known to the engine: without a barrier between them a
// sister may issue before this warp's stores. So the engine knows what all four know when they
// issue. What only some of them know it has heard of: that no warp's part begins before all four
// have issued is how the machine does it, and no more; what was only heard of is a race in strict
// mode.
void learn_together(warp const& w, clocks& known, clocks& heard, bool first);
void engine_learns(warp& w, clocks const& known, clocks const& heard);
std::uint32_t engine_finishes(warp& w);  // its clock after an operation
void engine_waited_for(warp& w, std::uint32_t clock);

// The tensor core knows what the issuing warp knows; a commit tells what it has read.
void tensor_core_learns(warp& w);
clocks tensor_core_finishes(warp& w);

// What orders warps.
void publish_at_barrier(warp& w, unsigned number);
void complete_barrier(block& home, unsigned number);
void acquire_barrier(warp& w, unsigned number);
void publish_at_mbarrier(warp& w, block& owner, std::uint32_t offset);
void acquire_mbarrier(warp& w, block& owner, std::uint32_t offset);
void publish_clocks(block& owner, std::uint32_t offset, clocks const& known);
clocks clocks_of(warp const& w);
/// What a bulk copy passes on to those who wait for it; what its warp does afterwards is not in it.
clocks issued_clocks(warp& w);
void order_lanes(warp& w);  // bar.warp.sync
void proxy_fence(warp& w);

// mbarriers and the asynchronous proxy: between init and the first copy that completes there lies a
// fence.mbarrier_init or a fence.proxy.async of the warp that initialised (strict mode).
void mbarrier_fence(warp& w);
void mbarrier_initialised(warp& w, instruction const& i, block& owner, std::uint32_t offset);
void require_visible_mbarrier(warp& w, instruction const& i, unsigned lane, block& owner,
                              std::uint32_t offset);

void remember_swizzle(block& owner, std::uint32_t begin, std::uint32_t bytes, int mode);
void order_cluster(cluster& all);  // barrier.cluster: everybody knows everything

}  // namespace machine
