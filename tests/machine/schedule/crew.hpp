// The threads of the host that run the clusters of one launch, and what they share.
//
//     crew all(16);
//     all.next()            0, 1, 2, ...: the next cluster, for whoever asks
//     all.failed(7, why)    clusters behind 7 are needed no more; those before it still run, and if cluster 3 fails too, 3 is told
//
// So the report is that of the first cluster that fails, on any number of threads.
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

/// How many threads a launch may use: what its options say, one where its clusters can tell
/// (independent.hpp).
std::uint64_t threads_for(running const& run);

class crew {
 public:
  /// `together`: clusters may wait for each other, so that none is needed when one has failed.
  crew(std::uint64_t count, bool together);
  ~crew();
  crew(crew const&) = delete;
  crew& operator=(crew const&) = delete;

  std::optional<std::uint64_t> next();
  bool is_needed(std::uint64_t number);
  void failed(std::uint64_t number, std::exception_ptr why);
  /// A cluster has ended, or has used up its budget and goes on later: time to tell how far the
  /// launch is.
  void paused(running const& run, bool has_ended);

  /// Starts `threads` more, each with a launch of its own to count in.
  void hire(running const& run, std::uint64_t threads, std::function<void(running&)> const& work);
  /// Waits for all, adds up what they counted, and throws what was wrong.
  void dismiss(running& run);

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
