// SPDX-License-Identifier: MIT
// axe: layouts, their notation and their algebra.
//
// Not included: algebra/factor.hpp (tile_outer, sum_outer, …), algebra/window.hpp and
// algebra/reorder.hpp.
//
//     using namespace axe::literals;
//     constexpr auto tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;
//     static_assert(axe::size(tile) == 128 && axe::span(tile, axe::axis::lane) == 32);
#pragma once

#include <axe/config.hpp>
// These includes are first, because compilers print the chain of includes above their errors.
#include <axe/base/axis.hpp>
#include <axe/sentence/stop.hpp>

#include <axe/layout/check.hpp>
#include <axe/layout/layout.hpp>
#include <axe/layout/place.hpp>
#include <axe/layout/shape.hpp>

#include <axe/notation/print.hpp>
#include <axe/notation/read.hpp>

#include <axe/construct/build.hpp>
#include <axe/construct/carrier.hpp>
#include <axe/construct/literal.hpp>

#include <axe/map/coverage.hpp>
#include <axe/map/elements.hpp>
#include <axe/map/measures.hpp>
#include <axe/map/on_axis.hpp>
#include <axe/map/places.hpp>

#include <axe/algebra/broadcast.hpp>
#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/compose.hpp>
#include <axe/algebra/difference.hpp>
#include <axe/algebra/direct_sum.hpp>
#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/group.hpp>
#include <axe/algebra/group_many.hpp>
#include <axe/algebra/inverse.hpp>
#include <axe/algebra/is_injective.hpp>
#include <axe/algebra/join_axes.hpp>
#include <axe/algebra/not_owned_by.hpp>
#include <axe/algebra/owned_by.hpp>
#include <axe/algebra/pack.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/algebra/project.hpp>
#include <axe/algebra/rewrite.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/algebra/tile_to.hpp>
#include <axe/algebra/unpack.hpp>
