// SPDX-License-Identifier: MIT
// Layouts whose extents are powers of two, as linear maps over F2.
//
//     constexpr auto A = axe::linear("S[(8,8):(8@lane,1@reg)]"_axe, {8, 8});
//     static_assert(axe::rank(A) == 6);
//
// Swizzles, replicas and offsets are allowed. Definition: docs/algebra.md, D18.
#pragma once

#include <axe/sentence/stop.hpp>  // first: keeps error messages short

#include <axe/linear/compose_maps.hpp>
#include <axe/linear/divide.hpp>
#include <axe/linear/engine/bit_matrix.hpp>
#include <axe/linear/engine/bit_space.hpp>
#include <axe/linear/from_layout.hpp>
#include <axe/linear/invert.hpp>
#include <axe/linear/linear_map.hpp>
#include <axe/linear/print_map.hpp>
#include <axe/linear/read_map.hpp>
#include <axe/linear/to_layout.hpp>
