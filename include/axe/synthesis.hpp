// Synthesis: the swizzle, the padding, or the matrix that frees given accesses of bank conflicts,
// or a proof that its family has none.
//
//     #include <axe/synthesis.hpp>
//
//     constexpr auto found = axe::conflict_free_swizzle("S[(64,64):(64,1)]"_axe, axe::ldmatrix_rows<16>, axe::rows_of_128_bits<16>);
//     static_assert(found && found.swizzle == axe::swizzle_128B<16>);
//
// Definition: docs/algebra.md, D20.
#pragma once

#include <axe/sentence/stop.hpp>  // first: compilers print the way by which it was included

#include <axe/synthesis/accesses.hpp>
#include <axe/synthesis/conflict_free_layout.hpp>
#include <axe/synthesis/conflict_free_matrix.hpp>
#include <axe/synthesis/conflict_free_pitch.hpp>
#include <axe/synthesis/conflict_free_swizzle.hpp>
#include <axe/synthesis/linear_access.hpp>
