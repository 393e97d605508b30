// Figures of interleaved measurements, and their line of JSON. Needs no device:
// tests/examples/figures_test.cpp tests it with given times.
//
//     figure f = figure_of({"transpose", "8192x8192", "tma", "NVIDIA H200"}, {.bytes = 5e8}, ours,
//                          {{"cudaMemcpyAsync", …}, {"copy kernel", …}});
//     f.ratio    median over the rounds of (time of the better baseline / our time); above 1: faster
//
// A sample is the microseconds of one launch, from a batch; sample k belongs to round k. The better
// baseline has the smaller median.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace example {

struct work {
  double bytes = 0;       // read once and written once
  double operations = 0;  // of a product: 2 m n k
};

struct samples {
  std::string name;
  std::vector<double> microseconds;
};

/// The quantile of sorted values, interpolated.
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
  std::string best_baseline;  // empty: none
  double ratio = 0;
  double working_set = 0;
  // The working set is below four times the L2: the rate is labelled, and not one of global memory.
  bool in_cache = false;
  bool simulated = false;  // on the PTX machine: not a measurement
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
inline std::string json_number(double value) {
  char text[40];
  std::snprintf(text, sizeof(text), "%.6g", value);
  return text;
}
inline std::string json_text(std::string const& text) {
  std::string out = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out + '"';
}
inline std::string json_samples(samples const& s) {
  return "{\"name\":" + json_text(s.name) +
         ",\"median_us\":" + json_number(quantile(s.microseconds, 0.5)) +
         ",\"p10_us\":" + json_number(quantile(s.microseconds, 0.1)) +
         ",\"p90_us\":" + json_number(quantile(s.microseconds, 0.9)) +
         ",\"rounds\":" + std::to_string(s.microseconds.size()) + "}";
}
}  // namespace detail

inline std::string to_json(figure const& f) {
  using namespace detail;
  std::string out =
      "{\"example\":" + json_text(f.of.example) + ",\"size\":" + json_text(f.of.size) +
      ",\"what\":" + json_text(f.of.what) + ",\"device\":" + json_text(f.of.device) +
      ",\"bytes\":" + json_number(f.done.bytes) +
      ",\"operations\":" + json_number(f.done.operations) +
      ",\"batch\":" + std::to_string(f.batch) + ",\"working_set\":" + json_number(f.working_set) +
      ",\"in_cache\":" + (f.in_cache ? "true" : "false") +
      ",\"simulated\":" + (f.simulated ? "true" : "false") + ",\"ours\":" + json_samples(f.ours) +
      ",\"baselines\":[";
  for (std::size_t k = 0; k < f.baselines.size(); ++k)
    out += (k == 0 ? "" : ",") + json_samples(f.baselines[k]);
  return out + "],\"best_baseline\":" + json_text(f.best_baseline) +
         ",\"ratio\":" + json_number(f.ratio) + "}";
}

/// "123.4 us, 4.31 TB/s, 0.97 of cudaMemcpyAsync (120.1 us)"
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
