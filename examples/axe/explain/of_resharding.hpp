// Three elements of a resharding, by hand.
#pragma once

#include "explain/explain.hpp"

#include <axe/distributed/reshard_plan.hpp>

namespace explain {

/// Elements with more than `steps` places or summands are left out.
std::vector<statement> of_resharding(axe::reshard_plan const& p, axe::integer steps);

}  // namespace explain
