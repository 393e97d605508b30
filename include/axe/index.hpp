// SPDX-License-Identifier: MIT
// Index code: addresses from layouts, in the instructions that an expert would write.
//
// For host code, device code and NVRTC. Definition: docs/index_code.md.
#pragma once

// First, because errors point into this header, and compilers print the chain of includes to it.
#include <axe/index/bind_address.hpp>
#include <axe/index/dimension.hpp>
#include <axe/index/dynamic_layout.hpp>
#include <axe/index/part.hpp>

#include <axe/index/bind_offset.hpp>
#include <axe/index/bound_thread_tile.hpp>
#include <axe/index/limits.hpp>
#include <axe/index/partition.hpp>
#include <axe/index/pointer.hpp>
#include <axe/index/row_major.hpp>
#include <axe/index/tensor_of.hpp>
#include <axe/index/vectors.hpp>
#include <axe/index/walk.hpp>
