// SPDX-License-Identifier: MIT
// Layouts without bank conflicts: finds a swizzle, a padding or a matrix, or proves that all
// candidates have conflicts.
//
//     constexpr auto found = axe::conflict_free_swizzle(plain, axe::ldmatrix_rows<16>,
//                                                       axe::rows_of_128_bits<16>);
//
// Definition: docs/algebra.md, D20.
#pragma once

#include <axe/sentence/stop.hpp>  // first: keeps error messages short

#include <axe/synthesis/accesses.hpp>
#include <axe/synthesis/conflict_free_layout.hpp>
#include <axe/synthesis/conflict_free_matrix.hpp>
#include <axe/synthesis/conflict_free_pitch.hpp>
#include <axe/synthesis/conflict_free_swizzle.hpp>
#include <axe/synthesis/linear_access.hpp>
