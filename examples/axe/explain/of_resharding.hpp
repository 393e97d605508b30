// Statements about three elements of a resharding, computed from its plan.
#pragma once

#include "explain/explain.hpp"

#include <axe/distributed/reshard_plan.hpp>

namespace explain {

/// An element with more than `steps` places or summands is left out.
std::vector<statement> of_resharding(axe::reshard_plan const& p, axe::integer steps);

}  // namespace explain
