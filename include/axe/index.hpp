// SPDX-License-Identifier: MIT
// Index code: addresses from layouts, for host code, device code and NVRTC.
//
//     auto const p = axe::bind_pointer(data, sizes, row, column);
//     float const next = *p.at<0, 1>();
//
// Definition: docs/index_code.md.
#pragma once

// These come first, so that their errors list few includes.
#include <axe/index/bind_address.hpp>
#include <axe/index/coordinate.hpp>
#include <axe/index/dimension.hpp>
#include <axe/index/dynamic_layout.hpp>

#include <axe/index/bind_offset.hpp>
#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/partition.hpp>
#include <axe/index/pointer.hpp>
#include <axe/index/row_major.hpp>
#include <axe/index/tensor_of.hpp>
#include <axe/index/thread_tile_in_bounds.hpp>
#include <axe/index/vector_of.hpp>
