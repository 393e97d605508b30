// The layouts that hardware prescribes: operands of matrix instructions in registers, shared memory
// and tensor memory.
//
//     #include <axe/atoms.hpp>
//
//     using atom = axe::mma_atom<16, 8, 16, 16>;                                       // bf16
//     static_assert(axe::span(atom::accumulator, axe::axis::lane) == 32);
//
// mma.sync in atoms/atom.hpp, ldmatrix and its relatives in atoms/ldmatrix.hpp, wgmma in atoms/wgmma.hpp,
// its
// operands in shared memory in atoms/operand.hpp and
// atoms/shared_layout.hpp, swizzles of Blackwell's tensor maps in atoms/swizzle_atoms.hpp, tcgen05 in
// atoms/tensor_memory.hpp, Trainium in atoms/trainium.hpp. Not part of axe/axe.hpp.
// Definition: docs/algebra.md, D23.
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
