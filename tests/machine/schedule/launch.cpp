// The scheduler.
//
// Clusters are independent unless a program synchronises its grid through memory. They run one after the other; one
// that has not ended after a large budget is set aside and others get their turn, so that a block may wait for a
// flag which a later block sets. Storage of a cluster that has ended serves the next one.
#include "schedule/launch.hpp"

#include <algorithm>
#include <cstring>
#include <deque>

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
  std::uint32_t const warps = (run.threads + 31) / 32;
  while (b.warps.size() < warps) {
    b.warps.push_back(std::make_unique<warp>());
    auto& w = *b.warps.back();
    w.run = &run;
    w.home = &b;
    w.number = static_cast<std::uint32_t>(b.warps.size() - 1);
  }
  for (auto& w : b.warps) {
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
  while (fresh->blocks.size() < blocks_) fresh->blocks.push_back(std::make_unique<block>());
  for (std::uint32_t rank = 0; rank < blocks_; ++rank) start_block(run_, *fresh, *fresh->blocks[rank], rank);
  active_.push_front(std::move(fresh));
}

/// True when the cluster has ended; false when its budget is used up.
bool grid_runner::turn(cluster& now) {
  std::uint64_t const deadline = run_.clock + patience;
  std::uint32_t idle = 0;
  while (now.live_threads != 0) {
    std::uint64_t const seen = now.progress;
    bool moved = false;
    bool polls = false;
    for (auto& b : now.blocks)
      for (auto& w : b->warps) {
        if (w->live == 0) continue;
        auto const how = run_warp(*w, slice);
        moved |= how == outcome::sliced || how == outcome::finished;
        polls |= how == outcome::polling;
      }
    if (moved || now.progress != seen) {
      idle = 0;
    } else if (!polls || ++idle > idle_rounds) {
      report_deadlock(run_, now);
    }
    if (run_.options.instruction_limit != 0 && run_.clock > run_.options.instruction_limit)
      fail(trouble::deadlock, 0,
           say("kernel ", run_.code->name, " has not ended after ", run_.clock,
               " warp instructions, the limit of this launch"));
    if (run_.clock >= deadline && now.live_threads != 0) return false;
  }
  return true;
}

}  // namespace

void run_grid(running& run) { grid_runner(run).all(); }

}  // namespace machine
