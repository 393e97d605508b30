// Facts about the stage and the phase of each use of a ring of stages.
#include <axe/cuda/pipeline.hpp>

#include "support/catch.hpp"

using ring_state = axe::pipeline_state<3>;

constexpr bool states_are_right(unsigned uses) {
  ring_state at;
  for (unsigned n = 0; n < uses; ++n, at.advance())
    if (at.stage != n % 3 || at.parity != n / 3 % 2) return false;
  return true;
}
static_assert(states_are_right(40));

TEST_CASE("use n of a ring of 3 has stage n % 3 and parity n / 3 % 2") {
  CHECK(states_are_right(1000));
}
