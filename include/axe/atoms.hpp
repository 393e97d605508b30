// SPDX-License-Identifier: MIT
// The layouts that matrix instructions prescribe for registers, shared memory and tensor memory.
//
//     using atom = axe::mma_atom<16, 8, 16, 16>;                                       // bf16
//     static_assert(axe::span(atom::accumulator, axe::axis::lane) == 32);
//
// Definition: docs/algebra.md, D23.
#pragma once

#include <axe/atoms/ldmatrix_fragment.hpp>
#include <axe/atoms/mma_atom.hpp>
#include <axe/atoms/shared_layout.hpp>
#include <axe/atoms/shared_operand.hpp>
#include <axe/atoms/tensor_memory.hpp>
#include <axe/atoms/tensor_memory_operands.hpp>
#include <axe/atoms/trainium_tiles.hpp>
#include <axe/atoms/wgmma_atom.hpp>
