// What is running: the launch, its clusters, their blocks.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
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
  std::uint32_t arrived = 0;   // threads
  std::uint32_t expected = 0;  // 0: all live threads
  std::uint64_t generation = 0;
  std::uint32_t votes_and = 1, votes_or = 0, votes_sum = 0;  // barrier.red
  std::uint32_t last_and = 1, last_or = 0,
                last_sum = 0;  // of the generation that has just completed
};

/// Bytes that have arrived; until a wait on the mbarrier succeeds nobody may know it.
struct unobserved {
  std::uint32_t barrier, begin, bytes;
};

struct counting;        // count/counting.hpp
struct register_watch;  // check/registers.hpp
struct warpgroup;       // async/warpgroup.hpp
struct shared_history;  // check/history.hpp
struct tensor_memory;   // tcgen05/tensor_memory.hpp

struct block {
  block();
  ~block();
  cluster* home = nullptr;
  extent3 index;           // ctaid
  std::uint32_t rank = 0;  // in its cluster
  std::uint32_t live_threads = 0;
  std::uint32_t shared_end = 0;     // absolute: shared_begin up to here exists
  register_storage shared;          // indexed by shared address
  register_storage shared_written;  // not zero once written
  std::array<block_barrier, 16> barriers;
  std::vector<std::unique_ptr<warpgroup>> warpgroups;
  std::unique_ptr<shared_history> history;  // when races are checked
  std::unique_ptr<tensor_memory> tensor;    // from the first tcgen05 instruction of its cluster on
  register_pool registers;                  // setmaxnreg
  std::vector<unobserved> landed;  // bytes of bulk copies whose mbarrier nobody has waited for yet
  std::vector<std::unique_ptr<warp>> warps;
};

struct cluster_barrier {
  std::uint32_t arrived = 0;
  std::uint64_t generation = 0;
};

/// An asynchronous copy that has been issued and has not taken effect.
struct pending_copy {
  std::function<void()> land;
};

struct cluster {
  std::uint64_t number = 0;  // in the grid
  std::uint64_t clock = 0;   // warp instructions so far
  std::uint64_t noise = 0;   // state of the generator behind landing::random and the priorities
  extent3 index;
  std::uint32_t live_threads = 0;
  cluster_barrier barrier;
  std::vector<std::unique_ptr<block>> blocks;
  std::uint64_t progress = 0;       // anything that others may wait for has happened
  std::deque<pending_copy> copies;  // bulk copies that complete on an mbarrier
};

/// Bounds that the last access of an instruction satisfied.
struct window {
  std::uint64_t low = 1, high = 0;  // empty
  bool writable = false;
};

/// When asynchronous operations take effect: the ISA allows every moment between issue and wait.
enum class landing : std::uint8_t { at_once, late, random };

/// How far a launch is.
struct launch_progress {
  std::string const& kernel;
  std::uint64_t done = 0, all = 0;  // clusters
  double seconds = 0;               // since it began
};

struct launch_options {
  bool check_written = true;            // reads of bytes that nothing has written are errors
  std::uint64_t instruction_limit = 0;  // 0: none; thread-instructions of one cluster
  bool check_races = true;  // shared memory: two warps, one of them writes, nothing orders them
  bool strict = false;  // proxy fences and copies in flight at exit: errors, for our own kernels
  /// What strict finds goes there and ends nothing (check/strict.hpp).
  warning_list* warnings = nullptr;
  landing when = landing::at_once;
  std::uint64_t seed = 0;         // 0: warps in turns; else random priorities with change points
  std::string* output = nullptr;  // printf goes here instead of standard output
  bool count = false;             // result::counts: count/counts.hpp
  /// Of the host, over clusters that are independent (schedule/independent.hpp); 0: one for each
  /// core. Results and reports do not depend on it.
  unsigned threads = 0;
  std::function<void(launch_progress const&)> progress = {};  // about once a second
};

struct counters {
  std::uint64_t thread_instructions = 0;
  std::uint64_t warp_instructions = 0;
};

/// One launch, as its instructions see it.
struct running {
  program const* code = nullptr;
  counting* counts = nullptr;             // when this launch counts
  register_watch const* watch = nullptr;  // when it checks, and the program has wgmma
  device* memory = nullptr;
  launch_options options;
  extent3 grid, block_extent, cluster_extent;
  std::uint32_t threads = 0;  // of a block
  std::uint32_t dynamic_shared = 0;
  std::uint64_t grid_number = 0;
  std::vector<std::byte> parameters;
  std::vector<window> windows;      // by slot of the instruction
  std::vector<std::uint64_t> runs;  // lanes that entered each run of instructions, by its first
  std::vector<std::uint64_t> warp_runs;
  std::uint64_t clock = 0;  // warp instructions of the cluster that is running
  std::uint64_t shadow_distance = 0;
  bool check_written = true;
  std::uint64_t noise = 0;  // of the cluster that is running

  void start_counters() {
    windows.assign(code->slots + 1, {});
    runs.assign(code->code.size(), 0);
    warp_runs.assign(code->code.size(), 0);
  }

  /// A random number below `bound`; the same sequence for the same seed.
  std::uint32_t random(std::uint32_t bound) {
    noise = noise * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<std::uint32_t>((noise >> 33) % bound);
  }
};

}  // namespace machine
