// axe/linear.hpp: layouts as linear maps over F2, when everything is a power of two.
//
//     #include <axe/linear.hpp>
//     constexpr auto A = axe::linear("S[(8,8):(8@lane,1@reg)]"_axe, {8, 8});       dim0, dim1 -> reg, lane
//     static_assert(axe::rank(A) == 6 && axe::to_layout(axe::compose(A, axe::invert(A))) == …);
//
// Bits and matrices, maps with named axes, from and to layouts (swizzles, replicas and offsets
// included), composition, inverses, factors, sub-maps, and both printed forms. axe/axe.hpp does not
// include it; it includes no more of the standard library than axe/axe.hpp does.
// Definition: docs/algebra.md, D18.
#pragma once

#include <axe/sentence/stop.hpp>  // first: compilers print the way by which it was included

#include <axe/linear/bit_matrix.hpp>
#include <axe/linear/bit_solver.hpp>
#include <axe/linear/bit_space.hpp>
#include <axe/linear/compose_maps.hpp>
#include <axe/linear/divide.hpp>
#include <axe/linear/from_layout.hpp>
#include <axe/linear/invert.hpp>
#include <axe/linear/invert_and_compose.hpp>
#include <axe/linear/linear_carrier.hpp>
#include <axe/linear/linear_map.hpp>
#include <axe/linear/multiply.hpp>
#include <axe/linear/owner_map.hpp>
#include <axe/linear/part_and_quotient.hpp>
#include <axe/linear/print_map.hpp>
#include <axe/linear/read_map.hpp>
#include <axe/linear/to_layout.hpp>
