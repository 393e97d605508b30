// The threads of the host that share the clusters of one launch.
//
//     host_threads all(16);
//     all.next()            the next cluster: 0, 1, 2, ...
//     all.failed(7, why)    cancels the clusters after 7; those before it still run
//
// The report is that of the failing cluster with the lowest number, for any number of threads.
#pragma once

#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "count/counting.hpp"
#include "state/grid.hpp"

namespace machine {

/// Returns the number of threads for a launch: 1 unless its clusters are independent
/// (independent.hpp).
std::uint64_t threads_for(running const& run);

class host_threads {
 public:
  /// With `together` clusters may wait for each other, so a failure cancels all of them.
  host_threads(std::uint64_t count, bool together);
  ~host_threads();
  host_threads(host_threads const&) = delete;
  host_threads& operator=(host_threads const&) = delete;

  std::optional<std::uint64_t> next();
  bool is_needed(std::uint64_t number);
  void failed(std::uint64_t number, std::exception_ptr why);
  /// Called when a cluster has ended or has used its time slice; may report progress.
  void paused(running const& run, bool has_ended);

  /// Starts `threads` more threads, each with its own `running` and counters.
  void start(running const& run, std::uint64_t threads, std::function<void(running&)> const& work);
  /// Waits for all threads, adds their counters, and throws the failure of the lowest cluster.
  void join(running& run);

 private:
  struct helper {
    running run;
    std::unique_ptr<counting> counts;
    std::thread thread;
  };

  std::mutex lock_;
  std::uint64_t count_, next_ = 0, ended_ = 0;
  bool together_;
  std::uint64_t first_failed_ = ~std::uint64_t{0};
  std::exception_ptr why_;
  std::vector<std::unique_ptr<helper>> helpers_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now(), shown_ = begin_;
};

}  // namespace machine
