// Measures the cost of a plan for 1,024 devices, 10^12 elements and 5 parts, in microseconds.
//
//     plans [--json FILE]
#include "../../examples/support/json.hpp"

#include <axe/axe.hpp>
#include <axe/distributed.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");
constexpr axe::notation on_mesh{y, x};

axe::sharding side(char const* places, axe::mesh const& devices) {
  return {on_mesh(places), {1000000, 1000000}, devices, 0, {}};
}

/// The median time of nine runs, in microseconds.
template <class Run> double microseconds(Run const& run) {
  std::vector<double> all;
  for (int k = 0; k < 9; ++k) {
    auto const start = std::chrono::steady_clock::now();
    run();
    all.push_back(
        std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
            .count());
  }
  std::sort(all.begin(), all.end());
  return all[4];
}

}  // namespace

int main(int count, char** words) {
  axe::mesh const devices{{y, 32}, {x, 32}};
  // Before: blocks of 250 rows, block-cyclic along y, with replicas along x. After: blocks of 125
  // columns, block-cyclic along x, with replicas along y.
  axe::sharding const from =
      side("S[(125,32,250,32,31250):(250000000,1@y,1000000,31250,1)] + R[32:1@x]", devices);
  axe::sharding const to =
      side("S[(32,31250,250,32,125):(976562500,31250,125,1@x,1)] + R[32:1@y]", devices);
  axe::reshard_plan const plan = axe::plan_reshard(from, to);
  axe::integer volatile sink = 0;
  double const planned =
      microseconds([&] { sink = sink + axe::plan_reshard(from, to).tensor.parts.size(); });
  double const least = microseconds([&] { sink = sink + axe::least_volume(plan); });
  double const largest_send =
      microseconds([&] { sink = sink + axe::try_largest_send(plan).value.elements; });
  double const device = microseconds([&] {
    for (axe::message const& m : axe::messages(plan, 1023)) sink = sink + axe::count(plan, m);
  });
  std::FILE* out = stdout;
  for (int k = 1; k + 1 < count; ++k)
    if (std::strcmp(words[k], "--json") == 0) out = std::fopen(words[k + 1], "w");
  if (out == nullptr) return 1;
  text::json line;
  line.object().key("plan_reshard_us").real(planned).key("least_volume_us").real(least);
  line.key("largest_send_us").real(largest_send).key("messages_of_a_device_us").real(device);
  line.key("parts").number(plan.tensor.parts.size()).end();
  std::fprintf(out, "%s\n", line.str().c_str());
}
