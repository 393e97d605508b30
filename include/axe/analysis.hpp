// SPDX-License-Identifier: MIT
// The cost of memory accesses: bank conflicts, wavefronts, sectors, the widest vector.
//
//     constexpr auto plain = "S[(64,64):(64,1)]"_axe;
//     static_assert(axe::conflicts(plain, axe::ldmatrix_rows<16>) == 8);
//
// Definition: docs/algebra.md, D19.
#pragma once

#include <axe/sentence/stop.hpp>  // first: keeps error messages short

#include <axe/analysis/access.hpp>
#include <axe/analysis/access_form.hpp>
#include <axe/analysis/conflicts.hpp>
#include <axe/analysis/fragment_access.hpp>
#include <axe/analysis/sectors.hpp>
#include <axe/analysis/widest_vector.hpp>
