// The layouts that hardware prescribes: operands of matrix instructions in registers, shared memory
// and tensor memory.
//
//     #include <axe/mma.hpp>
//
//     using atom = axe::mma_atom<16, 8, 16, 16>;                                       // bf16
//     static_assert(axe::span(atom::accumulator, axe::axis::lane) == 32);
//
// mma.sync in mma/atom.hpp, ldmatrix and its relatives in mma/ldmatrix.hpp, wgmma in mma/wgmma.hpp,
// its
// operands in shared memory in mma/operand.hpp and
// mma/shared_layout.hpp, swizzles of Blackwell's tensor maps in mma/swizzle_atoms.hpp, tcgen05 in
// mma/tensor_memory.hpp, Trainium in mma/trainium.hpp. Not part of axe/axe.hpp.
// Definition: docs/algebra.md, D23.
#pragma once

#include <axe/mma/atom.hpp>
#include <axe/mma/ldmatrix.hpp>
#include <axe/mma/operand.hpp>
#include <axe/mma/quad_pairs.hpp>
#include <axe/mma/shared_layout.hpp>
#include <axe/mma/swizzle_atoms.hpp>
#include <axe/mma/tensor_memory.hpp>
#include <axe/mma/trainium.hpp>
#include <axe/mma/wgmma.hpp>
