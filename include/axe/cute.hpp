// SPDX-License-Identifier: MIT
// CuTe's vocabulary on layouts of one axis. Each result is exact or a refusal.
//
//     using namespace axe::cute::literals;
//     static_assert(axe::cute::zipped_divide("(64,32):(1,64)"_cute, {16, 8}) ==
//                   "((16,8),(4,4)):((1,64),(16,512))"_cute);
//
// Names, notation and order of modes are CuTe's (docs/cute.md). A file that also includes CuTe
// writes axe::cute and ::cute in full.
#pragma once

#include <axe/sentence/stop.hpp>  // first: keeps error messages short

#include <axe/cute/coalesce.hpp>
#include <axe/cute/complement.hpp>
#include <axe/cute/composition.hpp>
#include <axe/cute/convert.hpp>
#include <axe/cute/coordinates.hpp>
#include <axe/cute/divide.hpp>
#include <axe/cute/layout.hpp>
#include <axe/cute/left_inverse.hpp>
#include <axe/cute/max_common.hpp>
#include <axe/cute/notation.hpp>
#include <axe/cute/product.hpp>
#include <axe/cute/recast.hpp>
#include <axe/cute/right_inverse.hpp>
#include <axe/cute/tile_to_shape.hpp>
#include <axe/cute/tiler.hpp>
