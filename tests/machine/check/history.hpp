// Finds data races on shared memory with vector clocks of the warps of a block. Arriving at a
// barrier publishes a warp's clocks; waiting acquires them. Each word records its last write and at
// most two reads since. An access races with an earlier one that its warp does not know (`clocks`):
//
//     warp 0: st.shared [s];     warp 1: ld.shared [s];     no bar.sync between them
//
// Strict mode also reports races between lanes of one warp. bar.warp.sync, barriers and mbarriers
// order these lanes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "state/grid.hpp"

namespace machine {

/// The actors that have clocks: 32 warps, the matrix engines of eight warpgroups, and the tensor
/// core of tcgen05. `other_blocks` takes the last of the 42 numbers. The engine reads the operands
/// of wgmma; a warp knows of these reads after it has waited for the group.
inline constexpr std::size_t most_actors = 42;
inline constexpr std::uint32_t first_engine = 32;
inline constexpr std::uint32_t tensor_core = 40;
/// touched::warp has this value if another block of the cluster has touched the word
/// (cluster_history.hpp).
inline constexpr std::uint32_t other_blocks = 41;

/// The vector clock of one actor, by the number of the other actor. The actor knows an access if
/// its clock for the accessing actor is at least the clock of the access.
using clocks = std::array<std::uint32_t, most_actors>;

/// One access. It is packed into 64 bits, because fetching the three records of a word takes half
/// of the time of a checked access.
struct touched {
  std::uint32_t clock = 0;  // 0: no access
  std::uint32_t warp : 6 = 0;
  std::uint32_t lane : 5 = 0;
  std::uint32_t asynchronous : 1 = 0;
  std::uint32_t atomic : 1 = 0;
  std::uint32_t statement : 19 = 0;
  friend bool operator==(touched const&, touched const&) = default;
};
inline constexpr std::uint32_t last_statement = (1u << 19) - 1;  // also stands for all later ones
static_assert(sizeof(touched) == 8 && most_actors <= 64);

struct word_history {
  touched write;
  touched reads[2];
  friend bool operator==(word_history const&, word_history const&) = default;
};

/// An access of another block of the cluster.
struct remote_touch {
  std::uint32_t block = 0;
  touched by;
  friend bool operator==(remote_touch const&, remote_touch const&) = default;
};
struct remote_word {
  remote_touch write;
  remote_touch reads[2];
  friend bool operator==(remote_word const&, remote_word const&) = default;
};

struct shared_history {
  std::vector<word_history> words;                         // of 4 bytes, indexed by shared address
  std::vector<clocks> warps;                               // what each actor knows, by its number
  std::array<clocks, most_actors - first_engine> heard{};  // see learn_together
  std::vector<std::uint32_t> fenced;      // each warp's clock at its last fence.proxy.async
  std::vector<clocks> at_fence;           // what each warp knew at that fence
  std::vector<std::uint32_t> core_reads;  // the tensor core's clock at each warp's last issue
  // For each named barrier, the clocks published for the current generation and the last complete
  // one.
  std::array<clocks, 16> barriers{};
  std::array<clocks, 16> completed{};
  // For each mbarrier, the clocks published up to now, and those up to the end of its last phase.
  std::map<std::uint32_t, clocks> mbarriers;
  std::map<std::uint32_t, clocks> ended;
  // For each warp, its clock at the last fence that makes its mbarriers visible to copies.
  std::vector<std::uint32_t> mbarrier_fenced;
  struct fresh_mbarrier {
    std::uint32_t warp = 0, clock = 0, statement = 0;
  };
  // For the mbarrier at each offset: the warp that initialised it, and its clock at that time.
  std::map<std::uint32_t, fresh_mbarrier> fresh;
  std::vector<std::uint32_t> ordered;  // each warp's clock when its lanes were last ordered
  // For each 16 bytes: 1 + the swizzle mode of the tensor copy that wrote them, or 0.
  std::vector<std::uint8_t> swizzles;
  std::vector<remote_word> remote;  // indexed like words; empty until another block accesses a word

  shared_history(std::size_t bytes, std::size_t warp_count);
};

/// Atomics use the generic proxy and do not race with each other.
enum class proxy : std::uint8_t { generic, async, atomic };

touched made_touch(std::uint32_t clock, std::uint32_t as, unsigned lane, proxy through,
                   instruction const& i);
std::string place_of(running const& run, touched const& at);

/// Checks one access and records it. Throws trouble::race, in strict mode also trouble::proxy. `as`
/// is the number of the warp or engine that accesses.
void track(warp& w, instruction const& i, unsigned lane, block& owner, std::uint32_t offset,
           std::uint32_t bytes, bool writes, proxy through, std::uint32_t as);
void track(warp& w, instruction const& i, unsigned lane, block& owner, std::uint32_t offset,
           std::uint32_t bytes, bool writes, proxy through);
/// Called when a bulk store has read its source. Throws trouble::race if a word was written after
/// the store was issued. `issued` are the issuing warp's clocks at the issue.
void require_unchanged(warp& w, instruction const& i, unsigned lane, std::uint32_t offset,
                       std::uint32_t bytes, clocks const& issued);
/// Called before an asynchronous write. In strict mode, throws trouble::proxy if a thread has read
/// these bytes and no fence.proxy.async lies between this read and the write.
void require_fenced_reads(warp& w, instruction const& i, unsigned lane, block& owner,
                          std::uint32_t offset, std::uint32_t bytes);
/// Check and record ld.shared and st.shared of all lanes, with the reports of track(). Legal
/// accesses have a fast path.
void track_loads(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t const* addresses,
                 std::uint32_t bytes);
void track_stores(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t const* addresses,
                  std::uint32_t bytes);
/// Checks and records an engine's reads of whole words through the asynchronous proxy, with the
/// reports of track(). Words that need no comparison have a fast path.
void track_engine_reads(warp& w, instruction const& i, block& owner, std::uint32_t offset,
                        std::uint32_t bytes, std::uint32_t as);

/// The later of both clocks of each actor.
void join(clocks& into, clocks const& from);

// Four warps issue a wgmma operation. The matrix engine knows the accesses that all four knew when
// they issued it. It has "heard" of the accesses that at least one of the four knew. Without a
// barrier, the other warps could have issued the wgmma before such an access. Strict mode reports a
// race with an access of which the engine has only heard.
void learn_together(warp const& w, clocks& known, clocks& heard, bool first);
void engine_learns(warp& w, clocks const& known, clocks const& heard);
std::uint32_t engine_finishes(warp& w);  // returns the clock of its reads
void engine_waited_for(warp& w, std::uint32_t clock);

// The tensor core knows what the issuing warp knows. A commit publishes the clock of the last reads
// that its warp issued.
void tensor_core_learns(warp& w);
clocks tensor_core_finishes(warp& w);

// These functions order the warps of a block.
void publish_at_barrier(warp& w, unsigned number);
void complete_barrier(block& home, unsigned number);
void acquire_barrier(warp& w, unsigned number);
void publish_at_mbarrier(warp& w, block& owner, std::uint32_t offset);
void end_phase(block& owner, std::uint32_t offset);
void acquire_mbarrier(warp& w, block& owner, std::uint32_t offset);
void publish_clocks(block& owner, std::uint32_t offset, clocks const& known);
clocks clocks_of(warp const& w);
/// Returns the warp's clocks at the issue of a bulk copy. The copy passes them to its waiters.
clocks issued_clocks(warp& w);
void order_lanes(warp& w);  // bar.warp.sync
/// `releases` makes earlier accesses of this warp visible to the asynchronous proxy, `acquires`
/// those that it has synchronised with.
void proxy_fence(warp& w, bool acquires, bool releases);

// Strict mode requires a fence between the initialisation of an mbarrier and the first copy that
// completes on it: fence.mbarrier_init of the initialising warp, or fence.proxy.async of this warp
// or of the one that issues the copy.
void mbarrier_fence(warp& w);
void mbarrier_initialised(warp& w, instruction const& i, block& owner, std::uint32_t offset);
void require_visible_mbarrier(warp& w, instruction const& i, unsigned lane, block& owner,
                              std::uint32_t offset);

void remember_swizzle(block& owner, std::uint32_t begin, std::uint32_t bytes, int mode);
void order_cluster(cluster& all);  // barrier.cluster orders all warps of the cluster

}  // namespace machine
