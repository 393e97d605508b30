// Computes the figure of interleaved measurements and writes it as a line of JSON. It needs no
// device; tests/examples/figures_test.cpp tests it with given times.
//
//     figure f = figure_of({"transpose", "8192x8192", "tma", "NVIDIA H200"}, {.bytes = 5e8}, ours,
//                          {{"cudaMemcpyAsync", …}, {"copy kernel", …}});
//     f.ratio    median over the rounds of (time of the best baseline / ours); > 1: ours is faster
//
// A sample is the microseconds of one launch, averaged over a batch. Sample k belongs to round k.
#pragma once

#include "json.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace example {

struct work {
  double bytes = 0;       // bytes read plus bytes written
  double operations = 0;  // for a product 2 m n k
};

struct samples {
  std::string name;
  std::vector<double> microseconds;
};

/// The quantile of a list of values, with linear interpolation. `part` = 0.5 is the median.
inline double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  double const at = part * static_cast<double>(values.size() - 1);
  std::size_t const below = static_cast<std::size_t>(at);
  std::size_t const above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

struct measured {
  std::string example, size, what, device;
};

struct figure {
  measured of;
  work done;
  samples ours;
  std::vector<samples> baselines;
  std::string best_baseline;  // the one with the smallest median; "" if there is none
  double ratio = 0;
  double working_set = 0;
  // True if the working set is below four times the L2 cache. The rate is then not that of global
  // memory.
  bool in_cache = false;
  bool simulated = false;  // true on the PTX machine, whose times mean nothing
  int batch = 1;
};

inline figure figure_of(measured of, work done, samples ours, std::vector<samples> baselines) {
  figure f{std::move(of), done, std::move(ours), std::move(baselines), {}, 0, 0, false, false, 1};
  samples const* best = nullptr;
  for (auto const& each : f.baselines)
    if (best == nullptr || quantile(each.microseconds, 0.5) < quantile(best->microseconds, 0.5))
      best = &each;
  if (best == nullptr) return f;
  f.best_baseline = best->name;
  std::vector<double> ratios;
  for (std::size_t k = 0; k < std::min(best->microseconds.size(), f.ours.microseconds.size()); ++k)
    ratios.push_back(best->microseconds[k] / f.ours.microseconds[k]);
  f.ratio = quantile(ratios, 0.5);
  return f;
}

namespace detail {
inline void write(text::json& out, samples const& s) {
  out.object().key("name").string(s.name);
  out.key("median_us").real(quantile(s.microseconds, 0.5));
  out.key("p10_us").real(quantile(s.microseconds, 0.1));
  out.key("p90_us").real(quantile(s.microseconds, 0.9));
  out.key("rounds").number(s.microseconds.size()).end();
}
}  // namespace detail

inline std::string to_json(figure const& f) {
  text::json out;
  out.object().key("example").string(f.of.example).key("size").string(f.of.size);
  out.key("what").string(f.of.what).key("device").string(f.of.device);
  out.key("bytes").real(f.done.bytes).key("operations").real(f.done.operations);
  out.key("batch").number(f.batch).key("working_set").real(f.working_set);
  out.key("in_cache").boolean(f.in_cache).key("simulated").boolean(f.simulated);
  out.key("ours");
  detail::write(out, f.ours);
  out.key("baselines").array();
  for (samples const& each : f.baselines) detail::write(out, each);
  out.end().key("best_baseline").string(f.best_baseline).key("ratio").real(f.ratio).end();
  return out.str();
}

/// The figure as "123.4 us (p10 120.2, p90 125.0), 4.310 TB/s, 0.970 of cudaMemcpyAsync".
inline std::string to_words(figure const& f) {
  double const us = quantile(f.ours.microseconds, 0.5);
  char text[200];
  std::snprintf(text, sizeof(text), "%.1f us (p10 %.1f, p90 %.1f)", us,
                quantile(f.ours.microseconds, 0.1), quantile(f.ours.microseconds, 0.9));
  std::string out = text;
  if (f.done.operations > 0)
    std::snprintf(text, sizeof(text), ", %.1f TFLOP/s", f.done.operations / us * 1e-6);
  if (f.done.operations > 0) out += text;
  if (f.done.bytes > 0) std::snprintf(text, sizeof(text), ", %.3f TB/s", f.done.bytes / us * 1e-6);
  if (f.done.bytes > 0) out += text;
  if (!f.best_baseline.empty()) {
    std::snprintf(text, sizeof(text), ", %.3f of ", f.ratio);
    out += text + f.best_baseline;
  }
  if (f.in_cache) out += ", in the L2 cache";
  if (f.simulated) out += ", on the PTX machine: not a measurement";
  return out;
}

}  // namespace example
