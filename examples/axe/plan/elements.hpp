// Statements about three elements of a plan, for `axe explain plan`.
//
//     element 2867  digits (…) in the modes (…), by thread …, access …: from byte 360550 to
//     byte 5734; true
#pragma once

#include "explain/explain.hpp"

#include <axe/plan/copy_plan.hpp>
#include <axe/plan/plan_mma.hpp>
#include <axe/plan/plan_reduce.hpp>

#include <functional>
#include <optional>

namespace program {

using statements = std::vector<explain::statement>;

statements elements_of(axe::copy_plan const& plan, axe::layout const& from, axe::layout const& to);
/// `global_of(x)`: the address of element x in global memory, in elements. Empty past the end of
/// the tensor.
statements elements_of(axe::tma_plan const& plan, axe::layout const& shared,
                       std::function<std::optional<axe::integer>(axe::integer)> const& global_of);
statements elements_of(axe::mma_plan const& plan, axe::mma_tile const& a, axe::mma_tile const& b,
                       axe::mma_tile const& c);
statements elements_of(axe::reduce_plan const& plan, axe::layout const& l, axe::shape const& tile,
                       axe::list<int, axe::capacity::shards> const& over);

}  // namespace program
