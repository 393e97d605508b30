// Facts about the stage and the phase of each use of a ring of stages.
#include <axe/cuda/pipeline.hpp>

#include "../support/catch.hpp"

using position = axe::pipeline_state<3>;

constexpr bool counts_alike(unsigned uses) {
  position at;
  for (unsigned n = 0; n < uses; ++n, at.advance())
    if (at.stage != n % 3 || at.parity != n / 3 % 2 || position::at(n).stage != at.stage ||
        position::at(n).parity != at.parity)
      return false;
  return true;
}
static_assert(counts_alike(40));
static_assert(position::at(7).stage == 1 && position::at(7).parity == 0 &&
              position::at(5).parity == 1);

TEST_CASE("stages and phases of a ring") { CHECK(counts_alike(1000)); }
