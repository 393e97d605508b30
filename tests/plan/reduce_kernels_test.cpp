// Reductions on the machine that executes PTX: every thread that holds a result holds all of it, whatever digits were folded, against sums over sets of places.
#include "reduce_kernels.hpp"
#include "copy_play.hpp"
#include "machine.hpp"
#include "support/catch.hpp"

#include <axe/plan/reduce.hpp>

#include <fstream>
#include <sstream>
#include <vector>

namespace {

using namespace reductions;

std::string text_of(std::string const& target) {
  std::ifstream file(std::string(AXE_REDUCE_PTX) + "/reduce_" + target + ".ptx");
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

float value_of(std::size_t element) { return static_cast<float>(static_cast<int>(element * 37 % 101) - 50); }

/// A fragment in memory: register r of thread t at t * size + r.
template <class F> std::size_t slot(oracle::place const& at) {
  return static_cast<std::size_t>(at[2]) * F::size + static_cast<std::size_t>(at[1]);
}

template <class F> std::vector<float> held(int threads, float (*value)(std::size_t)) {
  std::vector<float> all(static_cast<std::size_t>(threads) * F::size, -9999);
  oracle::map_table const map = axe_test::places_of(F::layout_type::value);
  for (std::size_t x = 0; x < map.size(); ++x)
    for (oracle::place const& at : map[x]) all[slot<F>(at)] = value(x);
  return all;
}

/// The number of x in the tile with `folded` dimensions counted once.
std::size_t kept(axe::shape const& s, axe::list<int, 24> const& folded, std::size_t x) {
  std::size_t number = 0, radix = 1;
  for (int d = s.rank() - 1; d >= 0; --d) {
    auto const extent = static_cast<std::size_t>(s.nodes[s.entry(d)].value);
    bool gone = false;
    for (int f : folded) gone = gone || f == d;
    if (!gone) {
      number += x % extent * radix;
      radix *= extent;
    }
    x /= extent;
  }
  return number;
}

std::vector<float> run(std::string const& target, char const* entry, std::vector<float> const& in, int blocks,
                       int threads, std::size_t results, unsigned seed) {
  machine::device device;
  machine::module program = machine::load(text_of(target), device);
  auto const from = device.allocate(4 * in.size()), to = device.allocate(4 * results);
  device.copy_in(from, in.data(), 4 * in.size());
  machine::launch_options options;
  options.strict = true;
  options.seed = seed;
  program.launch(entry, {static_cast<std::uint32_t>(blocks)}, {static_cast<std::uint32_t>(threads)}, {}, 0,
                 {from, to}, options);
  std::vector<float> out(results);
  device.copy_out(out.data(), to, 4 * results);
  return out;
}

/// How many results are wrong.
template <class F>
int wrong(std::string const& target, char const* entry, axe::list<int, 24> const& over, int threads,
          unsigned seed) {
  axe::shape const s = F::shape_type::value;
  axe::reduce_plan const plan = axe::plan_reduce(F::layout_type::value, s, over);
  oracle::map_table const map = axe_test::places_of(F::layout_type::value),
                          result = axe_test::places_of(plan.result);
  std::vector<float> sums(result.size());
  for (std::size_t x = 0; x < map.size(); ++x) sums[kept(s, over, x)] += value_of(x);
  auto const per_thread = static_cast<std::size_t>(plan.results);
  auto const out = run(target, entry, held<F>(threads, value_of), 1, threads,
                       static_cast<std::size_t>(threads) * per_thread, seed);
  int count = 0;
  for (std::size_t y = 0; y < result.size(); ++y)
    for (oracle::place const& at : result[y])
      count += out[static_cast<std::size_t>(at[2]) * per_thread + static_cast<std::size_t>(at[1])] != sums[y];
  return count;
}

}  // namespace

TEST_CASE("reductions by registers, lanes and warps") {
  for (char const* target : {"sm_80", "sm_90a"})
    for (unsigned seed : {0u, 1u, 2u}) {
      CAPTURE(target, seed);
      CHECK(wrong<mma_accumulator>(target, "rows_of_mma", {1}, 32, seed) == 0);
      CHECK(wrong<mma_accumulator>(target, "columns_of_mma", {0}, 32, seed) == 0);
      CHECK(wrong<mma_accumulator>(target, "all_of_mma", {0, 1}, 32, seed) == 0);
      CHECK(wrong<three_lanes>(target, "threes", {1}, 32, seed) == 0);
      CHECK(wrong<row>(target, "long_row", {0}, 256, seed) == 0);
      CHECK(wrong<sixes>(target, "uneven", {1}, 128, seed) == 0);
      CHECK(wrong<copies>(target, "copied", {0}, 256, seed) == 0);
    }
}

TEST_CASE("a maximum that is broadcast, casts there and back, and a sum that is added to") {
  auto const in = held<mma_accumulator>(32, value_of);
  for (char const* target : {"sm_80", "sm_90a"}) {
    auto const out = run(target, "softmax_like", in, 1, 32, 64, 0);
    for (std::size_t row = 0; row < 16; ++row) {
      float most = -1000, sum = 100;
      for (std::size_t c = 0; c < 8; ++c) most = std::max(most, value_of(row * 8 + c));
      for (std::size_t c = 0; c < 8; ++c) sum += value_of(row * 8 + c) - most;  // below 256: exact in bf16
      for (std::size_t lane = 0; lane < 4; ++lane) {
        CAPTURE(target, row, lane);
        CHECK(out[(row % 8 * 4 + lane) * 2 + row / 8] == sum);
      }
    }
  }
}

TEST_CASE("a row over the CTAs of a cluster") {
  std::vector<float> in;
  float sum = 0;
  for (int i = 0; i < 4 * 4096; ++i) {
    in.push_back(static_cast<float>(i % 31 - 15));
    sum += in.back();
  }
  for (unsigned seed : {0u, 1u, 2u}) {
    auto const out = run("sm_90a", "in_cluster", in, 4, 256, 4 * 256, seed);
    for (float const each : out) CHECK(each == sum);
  }
}
