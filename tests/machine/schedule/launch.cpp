// Schedules the clusters of a launch.
//
// A thread of the host runs clusters one after the other. A cluster that exceeds its time slice is
// set aside so that others run: a block may wait for a flag that a later block sets. The storage of
// a finished cluster is used again. If clusters are independent, several threads share them
// (host_threads.hpp).
#include "schedule/launch.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

#include "async/copies.hpp"
#include "async/warpgroup.hpp"
#include "check/global_history.hpp"
#include "check/history.hpp"
#include "check/registers.hpp"
#include "check/strict.hpp"
#include "execute/register_pool.hpp"
#include "schedule/deadlock.hpp"
#include "schedule/frames.hpp"
#include "schedule/host_threads.hpp"
#include "schedule/interpreter.hpp"
#include "state/address_map.hpp"
#include "tcgen05/tensor_memory.hpp"

namespace machine {
namespace {

constexpr std::uint32_t slice = 4096;  // in warp instructions
// After this number of warp instructions another cluster runs.
constexpr std::uint64_t patience = 20'000'000;
// A deadlock is reported after this number of rounds of failed polls.
constexpr std::uint32_t idle_rounds = 2000;

class grid_runner {
 public:
  grid_runner(running& run, host_threads& all) : run_(run), all_(all) {
    auto const& c = run.cluster_extent;
    blocks_ = c.x * c.y * c.z;
    clusters_ = {run.grid.x / c.x, run.grid.y / c.y, run.grid.z / c.z};
  }

  /// Runs clusters until none is left or `most` have ended. Returns how many instructions the last
  /// one has executed.
  std::uint64_t run_clusters(std::uint64_t most) {
    std::uint64_t ended = 0;
    while (ended < most) {
      if (active_.empty() || starts_another_) start_next();
      starts_another_ = false;
      if (active_.empty()) break;
      auto current = std::move(active_.front());
      active_.pop_front();
      if (!all_.is_needed(current->number)) continue;
      if (!attempt(*current)) continue;
      all_.paused(run_, current->live_threads == 0);
      if (current->live_threads == 0) {
        if (run_.global != nullptr) run_.global->forget(*current);
        ++ended;
        spare_.push_back(std::move(current));
      } else {
        active_.push_back(std::move(current));
        starts_another_ = active_.size() < 512;
      }
    }
    return run_.clock;
  }

 private:
  void start_next();
  void turn(cluster& now);
  /// Runs the cluster for a turn. False if it failed.
  bool attempt(cluster& now) {
    try {
      turn(now);
    } catch (...) {
      all_.failed(now.number, std::current_exception());
      return false;
    }
    return true;
  }

  running& run_;
  host_threads& all_;
  std::uint32_t blocks_ = 1;
  extent3 clusters_;
  bool starts_another_ = false;
  std::deque<std::unique_ptr<cluster>> active_;
  std::vector<std::unique_ptr<cluster>> spare_;
};

void start_block(running& run, cluster& home, block& b, std::uint32_t rank) {
  auto const& c = run.cluster_extent;
  b.home = &home;
  b.rank = rank;
  b.index = {home.index.x * c.x + rank % c.x, home.index.y * c.y + rank / c.x % c.y,
             home.index.z * c.z + rank / c.x / c.y};
  b.live_threads = run.threads;
  std::uint32_t const end = run.code->dynamic_shared_base + run.dynamic_shared;
  b.shared_end =
      std::max(run.code->static_shared_end, run.dynamic_shared == 0 ? shared_begin : end);
  if (b.shared == nullptr) {
    b.shared = make_registers(b.shared_end);
    b.shared_written = make_registers(b.shared_end);
  } else {  // the memory of an ended block: its mbarriers must not look initialised
    std::memset(b.shared.get(), 0, b.shared_end);
    std::memset(b.shared_written.get(), 0, b.shared_end);
  }
  b.barriers.fill({});
  b.warpgroups.clear();
  b.landed.clear();
  start_pool(b, run.code->entry_registers, (run.threads + 31) / 32);
  b.history.reset();
  b.tensor.reset();
  if (run.options.check_races && (b.shared_end > shared_begin || run.global != nullptr))
    b.history = std::make_unique<shared_history>(b.shared_end, (run.threads + 31) / 32);
  std::uint32_t const warps = (run.threads + 31) / 32;
  while (b.warps.size() < warps) {
    b.warps.push_back(std::make_unique<warp>());
    auto& w = *b.warps.back();
    w.run = &run;
    w.home = &b;
    w.number = static_cast<std::uint32_t>(b.warps.size() - 1);
  }
  for (auto& w : b.warps) {
    w->watched.reset();
    std::uint32_t const first = 32 * w->number;
    std::uint32_t const lanes = std::min(32u, run.threads - first);
    start_warp(*w, lanes == 32 ? all_lanes : (1u << lanes) - 1);
  }
}

void grid_runner::start_next() {
  auto const next = all_.next();
  if (!next) return;
  std::unique_ptr<cluster> fresh;
  if (spare_.empty()) {
    fresh = std::make_unique<cluster>();
  } else {
    fresh = std::move(spare_.back());
    spare_.pop_back();
  }
  auto const number = fresh->number = *next;
  fresh->clock = 0;
  fresh->noise = run_.options.seed + 0x9e3779b97f4a7c15ull * number;
  fresh->index = {static_cast<std::uint32_t>(number % clusters_.x),
                  static_cast<std::uint32_t>(number / clusters_.x % clusters_.y),
                  static_cast<std::uint32_t>(number / clusters_.x / clusters_.y)};
  fresh->live_threads = blocks_ * run_.threads;
  fresh->barrier = {};
  fresh->progress = 0;
  fresh->copies.clear();
  fresh->cancelled = 0;
  fresh->saw_no_more = false;
  while (fresh->blocks.size() < blocks_) fresh->blocks.push_back(std::make_unique<block>());
  for (std::uint32_t rank = 0; rank < blocks_; ++rank)
    start_block(run_, *fresh, *fresh->blocks[rank], rank);
  active_.push_front(std::move(fresh));
}

/// The outcome of one round over a cluster's warps.
struct round {
  bool moved = false;
  bool polls = false;
  void count(outcome how) {
    moved |= how == outcome::sliced || how == outcome::finished;
    polls |= how == outcome::polling;
  }
};

round in_turns(cluster& now) {
  round turns;
  for (auto& b : now.blocks)
    for (auto& w : b->warps)
      if (w->live != 0) turns.count(run_warp(*w, slice));
  return turns;
}

/// Runs the warp with the highest priority that can run, and sometimes lowers its priority
/// (Burckhardt and others, "A randomized scheduler with probabilistic guarantees of finding bugs").
round by_priority(running& run, std::vector<warp*>& order) {
  round turns;
  for (std::size_t k = 0; k < order.size(); ++k) {
    warp* const w = order[k];
    if (w->live == 0) continue;
    turns.count(run_warp(*w, 1 + run.random(300)));
    if (!turns.moved) continue;
    if (run.random(16) == 0) {
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(k));
      order.push_back(w);
    }
    break;
  }
  return turns;
}

/// Reports bulk copies that no thread has waited for. On a GPU such a copy may complete after the
/// block has ended, in the shared memory of another block.
void require_all_waited_for(running const& run, cluster const& now) {
  auto copies = static_cast<std::size_t>(
      std::count_if(now.copies.begin(), now.copies.end(), [](auto const& c) { return c.is_bulk; }));
  for (auto const& b : now.blocks) copies += b->landed.size();
  if (copies != 0)
    fault_or_warn(run, trouble::in_flight,
                  say("ends while ", copies,
                      " of its bulk copies are in flight; no thread has waited for them"));
}

/// Runs the cluster until it ends or uses up its time slice.
void grid_runner::turn(cluster& now) {
  run_.clock = now.clock;
  run_.noise = now.noise;
  std::uint64_t const deadline = run_.clock + patience;
  std::uint32_t idle = 0;
  std::vector<warp*> order;
  if (run_.options.seed != 0) {
    for (auto& b : now.blocks)
      for (auto& w : b->warps)
        order.insert(order.begin() + run_.random(static_cast<std::uint32_t>(order.size() + 1)),
                     w.get());
  }
  while (now.live_threads != 0) {
    std::uint64_t const seen = now.progress;
    auto const turns = order.empty() ? in_turns(now) : by_priority(run_, order);
    if (run_.options.when == landing::random && run_.random(4) == 0) land_one(run_, now);
    if (turns.moved || now.progress != seen) {
      idle = 0;
    } else if (!land_one(run_, now) && (!turns.polls || ++idle > idle_rounds)) {
      report_deadlock(run_, now);
    }
    if (run_.options.instruction_limit != 0 && run_.clock > run_.options.instruction_limit)
      fail(trouble::deadlock, 0,
           say("kernel ", run_.code->name, " has not ended after ", run_.clock,
               " warp instructions, the limit of this launch"));
    if (run_.clock >= deadline && now.live_threads != 0) {
      now.clock = run_.clock;
      now.noise = run_.noise;
      return;
    }
  }
  if (run_.options.strict) require_all_waited_for(run_, now);
  for (auto const& b : now.blocks) {
    require_equal_changes(run_, *b);
    require_tensor_memory_freed(run_, *b);
  }
  for (auto& b : now.blocks)
    for (auto& w : b->warps) land_leftovers(*w);
}

/// A launch gets one more thread for each of this number of warp instructions. The estimate for a
/// cluster is the number that the first cluster has executed.
constexpr std::uint64_t worth_a_thread = 300'000;

}  // namespace

void run_grid(running& run) {
  auto const& c = run.cluster_extent;
  std::uint64_t const count =
      std::uint64_t{run.grid.x / c.x} * (run.grid.y / c.y) * (run.grid.z / c.z);
  std::unique_ptr<global_history> const global =
      tracks_global_memory(run.options) ? std::make_unique<global_history>() : nullptr;
  run.global = global.get();
  std::uint64_t const threads = std::min(threads_for(run), count);
  host_threads all(count, threads == 1);
  run.take_cluster = [&all] { return all.next(); };
  grid_runner mine(run, all);
  if (threads > 1) {
    std::uint64_t const of_one = mine.run_clusters(1);
    all.start(run, std::min(threads - 1, of_one * (count - 1) / worth_a_thread),
              [&all](running& own) { grid_runner(own, all).run_clusters(~std::uint64_t{0}); });
  }
  mine.run_clusters(~std::uint64_t{0});
  all.join(run);
}

}  // namespace machine
