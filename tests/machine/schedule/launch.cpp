// The scheduler.
//
// Clusters are independent unless a program synchronises its grid through memory. They run one after the other; one
// that has not ended after a large budget is set aside and others get their turn, so that a block may wait for a
// flag which a later block sets. Storage of a cluster that has ended serves the next one.
#include "schedule/launch.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

#include "async/copies.hpp"
#include "async/warpgroup.hpp"
#include "check/history.hpp"
#include "check/registers.hpp"
#include "schedule/deadlock.hpp"
#include "schedule/frames.hpp"
#include "schedule/interpreter.hpp"
#include "state/address_map.hpp"

namespace machine {
namespace {

constexpr std::uint32_t slice = 4096;           // warp instructions
constexpr std::uint64_t patience = 20'000'000;  // warp instructions before another cluster gets its turn
constexpr std::uint32_t idle_rounds = 2000;     // rounds of nothing but failed polls: a deadlock

class grid_runner {
 public:
  explicit grid_runner(running& run) : run_(run) {
    auto const& c = run.cluster_extent;
    blocks_ = c.x * c.y * c.z;
    clusters_ = {run.grid.x / c.x, run.grid.y / c.y, run.grid.z / c.z};
    left_ = std::uint64_t{clusters_.x} * clusters_.y * clusters_.z;
  }

  void all() {
    while (left_ != 0 || !active_.empty()) {
      if (active_.empty() || waiting_turn_) start_next();
      waiting_turn_ = false;
      auto current = std::move(active_.front());
      active_.pop_front();
      if (turn(*current)) {
        spare_.push_back(std::move(current));
      } else {
        active_.push_back(std::move(current));
        waiting_turn_ = left_ != 0 && active_.size() < 512;
      }
    }
  }

 private:
  void start_next();
  bool turn(cluster& now);
  running& run_;
  std::uint32_t blocks_ = 1;
  extent3 clusters_;
  std::uint64_t left_ = 0;
  std::uint64_t next_ = 0;
  bool waiting_turn_ = false;
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
  b.shared_end = std::max(run.code->static_shared_end, run.dynamic_shared == 0 ? shared_begin : end);
  if (b.shared == nullptr) {
    b.shared = make_registers(b.shared_end);
    b.shared_written = make_registers(b.shared_end);
  } else {
    std::memset(b.shared_written.get(), 0, b.shared_end);
  }
  b.barriers.fill({});
  b.warpgroups.clear();
  b.landed.clear();
  b.history.reset();
  if (run.options.check_races && b.shared_end > shared_begin)
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
  std::unique_ptr<cluster> fresh;
  if (spare_.empty()) {
    fresh = std::make_unique<cluster>();
  } else {
    fresh = std::move(spare_.back());
    spare_.pop_back();
  }
  auto const number = next_++;
  --left_;
  fresh->index = {static_cast<std::uint32_t>(number % clusters_.x),
                  static_cast<std::uint32_t>(number / clusters_.x % clusters_.y),
                  static_cast<std::uint32_t>(number / clusters_.x / clusters_.y)};
  fresh->live_threads = blocks_ * run_.threads;
  fresh->barrier = {};
  fresh->progress = 0;
  fresh->copies.clear();
  while (fresh->blocks.size() < blocks_) fresh->blocks.push_back(std::make_unique<block>());
  for (std::uint32_t rank = 0; rank < blocks_; ++rank) start_block(run_, *fresh, *fresh->blocks[rank], rank);
  active_.push_front(std::move(fresh));
}

/// What one round of a cluster's warps came to.
struct round {
  bool moved = false;
  bool polls = false;
  void count(outcome how) {
    moved |= how == outcome::sliced || how == outcome::finished;
    polls |= how == outcome::polling;
  }
};

round in_turns(cluster& now) {
  round told;
  for (auto& b : now.blocks)
    for (auto& w : b->warps)
      if (w->live != 0) told.count(run_warp(*w, slice));
  return told;
}

/// The warp with the highest priority that can do something runs; now and then it loses its place (Burckhardt and
/// others, "A randomized scheduler with probabilistic guarantees of finding bugs").
round by_priority(running& run, std::vector<warp*>& order) {
  round told;
  for (std::size_t k = 0; k < order.size(); ++k) {
    warp* const w = order[k];
    if (w->live == 0) continue;
    told.count(run_warp(*w, 1 + run.random(300)));
    if (!told.moved) continue;
    if (run.random(16) == 0) {
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(k));
      order.push_back(w);
    }
    break;
  }
  return told;
}

/// True when the cluster has ended; false when its budget is used up.
bool grid_runner::turn(cluster& now) {
  std::uint64_t const deadline = run_.clock + patience;
  std::uint32_t idle = 0;
  std::vector<warp*> order;
  if (run_.options.seed != 0) {
    for (auto& b : now.blocks)
      for (auto& w : b->warps)
        order.insert(order.begin() + run_.random(static_cast<std::uint32_t>(order.size() + 1)), w.get());
  }
  while (now.live_threads != 0) {
    std::uint64_t const seen = now.progress;
    auto const told = order.empty() ? in_turns(now) : by_priority(run_, order);
    if (run_.options.when == landing::random && run_.random(4) == 0) land_one(run_, now);
    if (told.moved || now.progress != seen) {
      idle = 0;
    } else if (!land_one(run_, now) && (!told.polls || ++idle > idle_rounds)) {
      report_deadlock(run_, now);
    }
    if (run_.options.instruction_limit != 0 && run_.clock > run_.options.instruction_limit)
      fail(trouble::deadlock, 0,
           say("kernel ", run_.code->name, " has not ended after ", run_.clock,
               " warp instructions, the limit of this launch"));
    if (run_.clock >= deadline && now.live_threads != 0) return false;
  }
  if (run_.options.strict && !now.copies.empty())
    fail(trouble::in_flight, 0,
         say("kernel ", run_.code->name, " ends while ", now.copies.size(),
             " of its bulk copies are in flight"));
  for (auto& b : now.blocks)
    for (auto& w : b->warps) land_leftovers(*w);
  return true;
}

}  // namespace

void run_grid(running& run) { grid_runner(run).all(); }

}  // namespace machine
