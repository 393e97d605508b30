// Visiting the messages of a permutation of n x n devices costs O(n^3). Visiting each pair of
// devices would cost O(n^4). The cost is the number of basic blocks that run
// (tests/algebra/count_blocks.cpp).
#include <axe/axe.hpp>
#include <axe/distributed.hpp>

#include "support/catch.hpp"

extern unsigned long long blocks_run;

namespace {

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");

/// The devices (i, j) and (j, i) of n x n exchange their elements, from node to node.
unsigned long long cost_of(axe::integer n) {
  axe::mesh const devices{{y, n}, {x, n}};
  axe::reshard_options options;
  options.levels.push(y);
  axe::reshard_plan const p =
      axe::plan_reshard({axe::S({n, n}, {1 * y, 1 * x}), n * n, devices, 0, {}},
                        {axe::S({n, n}, {1 * x, 1 * y}), n * n, devices, 0, {}}, options);
  unsigned long long const before = blocks_run;
  CHECK(axe::volume(p) == n * n - n);
  return blocks_run - before;
}

TEST_CASE("visiting the messages of a permutation costs less than visiting all pairs of devices") {
  CHECK(cost_of(16) < 10 * cost_of(8));
}

}  // namespace
