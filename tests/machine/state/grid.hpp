// A running launch: its clusters and their blocks.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "execute/register_pool.hpp"
#include "program/program.hpp"
#include "state/device.hpp"
#include "state/warp.hpp"
#include "text/error.hpp"

namespace machine {

struct cluster;
class warning_list;  // check/strict.hpp

/// One of the sixteen barriers of a block (bar, barrier).
struct block_barrier {
  std::uint32_t arrived = 0;   // number of threads
  std::uint32_t expected = 0;  // 0: all live threads
  std::uint64_t generation = 0;
  barrier_votes votes;
};

/// A completed bulk copy whose mbarrier no thread has successfully waited on yet. `barrier` is an
/// address in the block whose `landed` holds the copy. `begin` is an address in shared::cluster,
/// because the bytes may lie in another block.
struct unobserved {
  std::uint32_t barrier, begin, bytes;
};

struct counting;        // count/counting.hpp
struct register_watch;  // check/registers.hpp
struct warpgroup;       // async/warpgroup.hpp
struct shared_history;  // check/history.hpp
class global_history;   // check/global_history.hpp
struct tensor_memory;   // tcgen05/tensor_memory.hpp

struct block {
  block();
  ~block();
  cluster* home = nullptr;
  extent3 index;           // ctaid
  std::uint32_t rank = 0;  // of the block in its cluster
  std::uint32_t live_threads = 0;
  std::uint32_t shared_end = 0;     // shared memory is [shared_begin, shared_end)
  register_storage shared;          // indexed by shared address
  register_storage shared_written;  // shadow bytes (state/access.hpp)
  std::array<block_barrier, 16> barriers;
  std::vector<std::unique_ptr<warpgroup>> warpgroups;
  std::unique_ptr<shared_history> history;  // set if races are checked
  std::unique_ptr<tensor_memory> tensor;  // created by the first tcgen05 instruction of the cluster
  register_pool registers;                // for setmaxnreg
  std::vector<unobserved> landed;         // copies that completed on this block's mbarriers
  std::vector<std::unique_ptr<warp>> warps;
};

struct cluster_barrier {
  std::uint32_t arrived = 0;
  std::uint64_t generation = 0;
};

/// An asynchronous copy that has been issued and has not completed.
struct pending_copy {
  std::function<void()> land;
  bool is_bulk = true;  // false for the arrival after a cp.async
};

struct cluster {
  std::uint64_t number = 0;  // index in the grid
  std::uint64_t clock = 0;   // warp instructions executed
  std::uint64_t noise = 0;   // state of the random generator for landing::random and priorities
  extent3 index;
  std::uint32_t live_threads = 0;
  cluster_barrier barrier;
  std::vector<std::unique_ptr<block>> blocks;
  std::uint64_t progress = 0;       // counts events that other warps may wait for
  std::deque<pending_copy> copies;  // those that complete on an mbarrier
  std::uint32_t cancelled = 0;      // clusters that clusterlaunchcontrol.try_cancel has taken
  bool saw_no_more = false;         // a query has seen that try_cancel failed
};

/// The bounds of the allocation that an instruction accessed last.
struct window {
  std::uint64_t low = 1, high = 0;  // empty
  bool writable = false;
};

/// When asynchronous operations complete: the ISA allows every moment between issue and wait.
enum class landing : std::uint8_t { at_once, late, random };

/// The progress of a launch.
struct launch_progress {
  std::string const& kernel;
  std::uint64_t done = 0, all = 0;  // clusters
  double seconds = 0;               // since its start
};

struct launch_options {
  bool check_written = true;            // reports reads of bytes that were never written
  std::uint64_t instruction_limit = 0;  // for each cluster; 0: no limit
  bool check_races = true;  // reports races in shared memory, in strict mode in global memory too
  bool strict = false;      // adds the checks of strict mode (README)
  /// Collects reports as warnings instead of ending the launch (check/strict.hpp).
  warning_list* warnings = nullptr;
  landing when = landing::at_once;
  std::uint64_t seed = 0;         // 0: warps in turn; else random priorities
  std::string* output = nullptr;  // receives the output of printf instead of standard output
  bool count = false;             // fills result::counts (count/counts.hpp)
  /// The number of the host's threads for independent clusters (schedule/independent.hpp); 0: one
  /// for each core. Results and reports do not depend on it.
  unsigned threads = 0;
  std::function<void(launch_progress const&)> progress = {};  // called at most once a second
};

struct counters {
  std::uint64_t thread_instructions = 0;
  std::uint64_t warp_instructions = 0;
};

/// One launch. Every warp points to its launch.
struct running {
  program const* code = nullptr;
  counting* counts = nullptr;             // if this launch counts
  register_watch const* watch = nullptr;  // if registers of wgmma or tcgen05.ld are checked
  global_history* global = nullptr;       // if this launch reports races in global memory
  device* memory = nullptr;
  launch_options options;
  extent3 grid, block_extent, cluster_extent;
  std::uint32_t threads = 0;  // in a block
  std::uint32_t dynamic_shared = 0;
  std::uint64_t grid_number = 0;
  std::vector<std::byte> parameters;
  std::vector<window> windows;  // indexed by instruction::slot
  // How many lanes and warps entered each run of plain instructions, indexed by the run's first
  // instruction.
  std::vector<std::uint64_t> runs;
  std::vector<std::uint64_t> warp_runs;
  std::uint64_t clock = 0;            // warp instructions of the current cluster
  std::uint64_t shadow_distance = 0;  // of the device (state/device.hpp)
  bool check_written = true;
  std::uint64_t noise = 0;  // state of the random generator of the current cluster

  void start_counters() {
    windows.assign(code->slots + 1, {});
    runs.assign(code->code.size(), 0);
    warp_runs.assign(code->code.size(), 0);
  }

  /// Returns a random number below `bound`, determined by the seed.
  std::uint32_t random(std::uint32_t bound) {
    noise = noise * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::uint32_t>((noise >> 33) % bound);
  }

  /// Cancels a cluster that has not started (clusterlaunchcontrol) and returns its number. The grid
  /// must run on one host thread.
  std::function<std::optional<std::uint64_t>()> take_cluster;
};

}  // namespace machine
