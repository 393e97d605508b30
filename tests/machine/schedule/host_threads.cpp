#include "schedule/host_threads.hpp"

#include <sched.h>

#include <algorithm>

#include "schedule/independent.hpp"

namespace machine {
namespace {

/// Returns the number of cores that this process may use.
std::uint64_t cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return static_cast<std::uint64_t>(CPU_COUNT(&set));
  return std::max(1u, std::thread::hardware_concurrency());
}

}  // namespace

std::uint64_t threads_for(running const& run) {
  // A launch that collects warnings runs on one thread, because warnings are listed in the order of
  // their reports. So does a launch that records accesses to global memory.
  std::uint64_t const asked = run.options.threads != 0 ? run.options.threads : cores();
  if (asked == 1 || run.options.warnings != nullptr || run.global != nullptr ||
      !clusters_are_independent(*run.code))
    return 1;
  return asked;
}

host_threads::host_threads(std::uint64_t count, bool together)
    : count_(count), together_(together) {}

host_threads::~host_threads() {
  for (auto& each : helpers_)
    if (each->thread.joinable()) each->thread.join();
}

std::optional<std::uint64_t> host_threads::next() {
  std::lock_guard const hold(lock_);
  if (next_ >= count_ || why_ != nullptr) return std::nullopt;
  return next_++;
}

bool host_threads::is_needed(std::uint64_t number) {
  std::lock_guard const hold(lock_);
  return why_ == nullptr || (!together_ && number < first_failed_);
}

void host_threads::failed(std::uint64_t number, std::exception_ptr why) {
  std::lock_guard const hold(lock_);
  if (why_ != nullptr && number > first_failed_) return;
  first_failed_ = number;
  why_ = std::move(why);
}

void host_threads::paused(running const& run, bool has_ended) {
  std::lock_guard const hold(lock_);
  ended_ += has_ended ? 1 : 0;
  if (!run.options.progress) return;
  auto const now = std::chrono::steady_clock::now();
  if (now - shown_ < std::chrono::seconds(1)) return;
  shown_ = now;
  run.options.progress(
      {run.code->name, ended_, count_, std::chrono::duration<double>(now - begin_).count()});
}

void host_threads::start(running const& run, std::uint64_t threads,
                         std::function<void(running&)> const& work) {
  for (std::uint64_t k = 0; k < threads; ++k) {
    auto& mine = *helpers_.emplace_back(std::make_unique<helper>());
    mine.run = run;
    if (run.counts != nullptr) {
      mine.counts = run.counts->with_zero_counts();
      mine.run.counts = mine.counts.get();
      mine.run.code = &mine.counts->copy;
    }
    mine.run.start_counters();
    mine.thread = std::thread([&mine, work] { work(mine.run); });
  }
}

void host_threads::join(running& run) {
  for (auto& each : helpers_) {
    each->thread.join();
    for (std::size_t k = 0; k < run.runs.size(); ++k) {
      run.runs[k] += each->run.runs[k];
      run.warp_runs[k] += each->run.warp_runs[k];
    }
    if (each->counts != nullptr) run.counts->add(*each->counts);
  }
  if (why_ != nullptr) std::rethrow_exception(why_);
}

}  // namespace machine
