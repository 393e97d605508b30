// The layouts that matrix instructions prescribe for registers, shared memory and tensor memory.
//
//     using atom = axe::mma_atom<16, 8, 16, 16>;                                       // bf16
//     static_assert(axe::span(atom::accumulator, axe::axis::lane) == 32);
//
// Not part of axe/axe.hpp. Definition: docs/algebra.md, D23.
#pragma once

#include <axe/atoms/atom.hpp>
#include <axe/atoms/ldmatrix.hpp>
#include <axe/atoms/operand.hpp>
#include <axe/atoms/quad_pairs.hpp>
#include <axe/atoms/shared_layout.hpp>
#include <axe/atoms/swizzle_atoms.hpp>
#include <axe/atoms/tensor_memory.hpp>
#include <axe/atoms/trainium.hpp>
#include <axe/atoms/wgmma.hpp>
