// Compares a layout with the oracle. On failure the test prints the disagreement, searches for a
// simpler layout that also fails, and stops.
//
//     require_agrees(l, [](axe::layout const& c) { return map_disagreement(c); });
//     S[(3,2):(4,1@lane)] + R[4:8] + 7: cosize; the simplest such layout: S[2:1]: cosize
//
// Random runs print their seed. The environment variables AXE_TEST_SEED and AXE_TEST_SAMPLES set
// the seed and the number of samples.
#pragma once

#include "oracle/samples.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <axe/layout/check.hpp>
#include <axe/notation/print.hpp>

#include <cstdio>

namespace axe_test {

inline int const samples = samples_from_environment();

inline random_source seeded(char const* name, unsigned long long seed, int count = samples) {
  seed = seed_from_environment(seed);
  std::printf("%s: %d samples, AXE_TEST_SEED=%llu\n", name, count, seed);
  return random_source{seed};
}

/// `disagreement` returns what differs, or null. If it returns a text for l, the test fails with
/// it.
template <class Disagreement> void require_agrees(axe::layout const& l, Disagreement disagreement) {
  char const* const wrong = disagreement(l);
  if (wrong == nullptr) return;
  axe::layout const simplest = shrink(l, [&](axe::layout const& c) {
    return axe::check(c).which == axe::rule::none && disagreement(c) != nullptr;
  });
  FAIL(axe::to_text(l).c_str() << ": " << wrong << "; the simplest such layout: "
                               << axe::to_text(simplest).c_str() << ": " << disagreement(simplest));
}

}  // namespace axe_test
