// Measures kernels and baselines in the same process, in interleaved batches: median and spread.
//
//     example::measure(p, "swizzled", {.bytes = 8.0 * rows * columns}, [&] { … launch … });
//     example::measure(p, "mma", {.operations = 2.0 * m * n * k}, [&] { … }, {contender{…}});
//
// With --bench, each contender warms up with 20 launches. A round times a batch of 1 to 50 launches
// (about 2 ms) of each contender with two CUDA events. There are at most 300 rounds, with at least
// 99 launches of each. Copies are also compared with cudaMemcpyAsync and a copy kernel.
#pragma once

#include "example.hpp"
#include "figures.hpp"

#include <functional>

namespace example {

struct contender {
  std::string name;
  std::function<void()> launch;
};

/// Copies n vectors of 16 bytes. It is a template because the header may be in several translation
/// units.
template <class Vector>
__global__ void copy_vectors(Vector* __restrict__ to, Vector const* __restrict__ from, integer n) {
  integer const step = static_cast<integer>(gridDim.x) * blockDim.x;
  integer k = static_cast<integer>(blockIdx.x) * blockDim.x + threadIdx.x;
  for (; k + 3 * step < n; k += 4 * step) {  // has four loads in flight
    Vector const a = from[k], b = from[k + step], c = from[k + 2 * step], d = from[k + 3 * step];
    to[k] = a, to[k + step] = b, to[k + 2 * step] = c, to[k + 3 * step] = d;
  }
  for (; k < n; k += step) to[k] = from[k];
}

namespace detail {

class stop_watch {
 public:
  stop_watch() { check(cudaEventCreate(&begin)), check(cudaEventCreate(&end)); }
  stop_watch(stop_watch const&) = delete;
  ~stop_watch() { cudaEventDestroy(begin), cudaEventDestroy(end); }
  /// Runs a batch and returns the microseconds of one launch.
  double time(contender const& which, int batch) {
    check(cudaEventRecord(begin));
    for (int k = 0; k < batch; ++k) which.launch();
    check(cudaEventRecord(end));
    check(cudaEventSynchronize(end));
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin, end));
    return static_cast<double>(milliseconds) * 1000 / batch;
  }

 private:
  cudaEvent_t begin{}, end{};
};

/// Returns the times of all contenders. Every round has one batch of each.
inline std::vector<samples> interleaved(std::vector<contender> const& all, int& batch) {
  stop_watch watch;
  double slowest = 0;
  for (auto const& each : all) {
    watch.time(each, on_machine() ? 1 : 20);
    slowest = std::max(slowest, watch.time(each, on_machine() ? 1 : 3));
  }
  batch = on_machine() ? 1 : std::clamp(static_cast<int>(2000 / slowest), 1, 50);
  int const rounds = on_machine() ? 2
                                  : std::clamp(static_cast<int>(1e6 / (slowest * batch)),
                                               std::max(20, 100 / batch), 300);
  std::vector<samples> taken;
  for (auto const& each : all) taken.push_back({each.name, {}});
  for (int round = 0; round < rounds; ++round)
    for (std::size_t k = 0; k < all.size(); ++k)
      taken[k].microseconds.push_back(watch.time(all[k], batch));
  return taken;
}

}  // namespace detail

/// Measures a kernel and its baselines, prints the figure and appends it to the file of results.
inline void measure(problem const& p, std::string const& what, work const& done,
                    std::function<void()> const& ours, std::vector<contender> baselines = {},
                    double working_set = 0) {
  if (!p.bench()) return;
  auto const half = static_cast<std::size_t>(done.bytes / 2) / 16 * 16;
  void *from = nullptr, *to = nullptr;
  if (done.bytes > 0 && done.operations == 0) {
    check(cudaMalloc(&from, std::max<std::size_t>(half, 16)));
    check(cudaMalloc(&to, std::max<std::size_t>(half, 16)));
    check(cudaMemset(from, 1, std::max<std::size_t>(half, 16)));
    unsigned const blocks = on_machine() ? 1 : multiprocessors() * 4;
    baselines.push_back(
        {"cudaMemcpyAsync",
         [=] { check(cudaMemcpyAsync(to, from, half, cudaMemcpyDeviceToDevice, nullptr)); }});
    baselines.push_back({"copy kernel", [=] {
                           copy_vectors<<<blocks, 512>>>(static_cast<uint4*>(to),
                                                         static_cast<uint4 const*>(from),
                                                         static_cast<integer>(half / 16));
                           check(cudaGetLastError());
                         }});
  }
  std::vector<contender> all{{"ours", ours}};
  for (auto& each : baselines) all.push_back(std::move(each));
  int batch = 1;
  auto taken = detail::interleaved(all, batch);
  samples const first = taken.front();
  taken.erase(taken.begin());
  figure f = figure_of({p.example_name(), p.size_text(), what, device_name()}, done, first,
                       std::move(taken));
  int cache = 0;
  check(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, 0));
  f.batch = batch;
  f.working_set = working_set > 0 ? working_set : done.bytes;
  f.in_cache = done.operations == 0 && f.working_set < 4.0 * cache;
  f.simulated = on_machine();
  check(cudaFree(from));
  check(cudaFree(to));
  std::printf("%s %s, %s: %s\n", p.example_name(), p.size_text().c_str(), what.c_str(),
              to_words(f).c_str());
  if (p.options().results.empty()) return;
  std::ofstream out(p.options().results, std::ios::app);
  out << to_json(f) << '\n';
  if (out.flush()) return;
  std::fprintf(stderr, "cannot write %s\n", p.options().results.c_str());
  std::exit(wrong_usage);
}

}  // namespace example
