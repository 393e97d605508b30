// For tests that run the kernels of benchmarks/index on the PTX machine (tests/machine), written by
// hand and with axe. Both forms must give the results of a plain loop.
#pragma once

#include "executed.hpp"
#include "kernels_runner.hpp"

#include <axe/cuda/tensor.hpp>

#include "support/catch.hpp"
#include "support/targets.hpp"

#include <bit>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>
#include <vector>

using std::uint16_t;
using std::uint64_t;
template <class T, int Rank = 2, axe::integer... Last>
using rows_of = axe::tensor<T, axe::row_major<Rank, Last...>, axe::aligned<16>>;
template <class T, int Rank = 1, axe::integer... Last>
using plain = axe::tensor<T, axe::row_major<Rank, Last...>>;
template <class T> using column_of = axe::tensor<T, axe::column_major<2>>;

/// Numbers from -2 to 15/8 in steps of 1/8. A half represents them exactly.
inline std::vector<float> numbers(std::size_t n, unsigned seed) {
  std::vector<float> all(n);
  for (std::size_t i = 0; i < n; ++i)
    all[i] =
        static_cast<float>(static_cast<int>((i * 2654435761u + seed * 40503u) >> 11 & 31) - 16) / 8;
  return all;
}
inline std::vector<uint16_t> halves(std::vector<float> const& from) {
  std::vector<uint16_t> all;
  for (float const x : from) all.push_back(half_of(x));
  return all;
}
/// The numbers must be exact in bf16, as those of `numbers` are.
inline std::vector<uint16_t> bf16s(std::vector<float> const& from) {
  std::vector<uint16_t> all;
  for (float const x : from)
    all.push_back(static_cast<uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16));
  return all;
}

/// Prints at the end what both forms of the kernels executed, as in docs/index_code.md, and a row
/// for each kernel in which axe's form executed more, as in benchmarks/results/executed.md.
struct executed_in_all {
  struct count {
    uint64_t hand = 0, axe = 0;
  };
  /// counts[target][kernel][whole]
  std::map<std::string, std::map<std::string, count[2]>> counts;

  ~executed_in_all() {
    for (auto const& [target, kernels] : counts) {
      count all, partial, whole;
      auto const add = [](count& to, count const& from) {
        to.hand += from.hand;
        to.axe += from.axe;
      };
      for (auto const& [kernel, at] : kernels) {
        for (bool const whole_tiles : {false, true})
          if (count const& n = at[whole_tiles]; n.axe > n.hand)
            std::printf("| %s | %s%s | %" PRIu64 " | %" PRIu64 " |\n", target.c_str(),
                        kernel.c_str(), whole_tiles ? ", whole tiles" : "", n.hand, n.axe);
        add(all, at[0]);
        if (at[1].hand == 0) continue;
        add(partial, at[0]);
        add(whole, at[1]);
      }
      auto const print = [&](char const* what, count const& n) {
        if (n.hand != 0)
          std::printf("%s, %s: axe executes %.1f%% more\n", target.c_str(), what,
                      100 * (static_cast<double>(n.axe) / static_cast<double>(n.hand) - 1));
      };
      print("all kernels", all);
      print("kernels that also run whole tiles, with partial tiles", partial);
      print("the same kernels with whole tiles", whole);
    }
  }
};
inline executed_in_all executed_in_tests;

/// Calls check(runner) for both forms and all targets. axe's form must execute as many instructions
/// as executed.hpp says, or at most as many as the hand-written one. `whole`: all tiles are whole.
template <class Check> void in_every_form(bool whole, Check const& check) {
  CAPTURE(whole);
  for (char const* target : axe_test::compiled_for({"sm_80", "sm_90a"})) {
    std::map<std::string, std::uint64_t> by_hand;
    for (char const* form : {"hand", "axe"}) {
      CAPTURE(target, form);
      runner run(form, target);
      check(run);
      if (by_hand.empty()) by_hand = run.executed();
      if (form == std::string_view("hand") || !run.compiled_by("13.0")) continue;
      for (auto const& [kernel, executed] : run.executed()) {
        executed_in_tests.counts[target][kernel][whole] = {by_hand[kernel], executed};
        std::uint64_t const known = known_executed(kernel, target, whole);
        CAPTURE(kernel, by_hand[kernel], known);
        if (known == 0) {
          CHECK(executed <= by_hand[kernel]);
        } else {
          CHECK(executed > by_hand[kernel]);  // otherwise executed.hpp need not name the kernel
          CHECK(executed == known);
        }
      }
    }
  }
}

template <class Check> void in_every_form(Check const& check) { in_every_form(false, check); }

template <class T>
void near(std::vector<T> const& found, std::vector<double> const& expected, double tolerance) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    double const got = static_cast<double>(found[i]);
    bool const right = std::isinf(expected[i])
                           ? got == expected[i]
                           : std::abs(got - expected[i]) <= tolerance * (1 + std::abs(expected[i]));
    if (!right) {
      CAPTURE(i, got, expected[i]);
      FAIL("a wrong element");
    }
  }
}
inline std::vector<float> floats(std::vector<uint16_t> const& from) {
  std::vector<float> all;
  for (uint16_t const x : from) all.push_back(float_of(x));
  return all;
}
inline std::vector<float> floats_of_bf16(std::vector<uint16_t> const& from) {
  std::vector<float> all;
  for (uint16_t const x : from) all.push_back(std::bit_cast<float>(std::uint32_t{x} << 16));
  return all;
}
