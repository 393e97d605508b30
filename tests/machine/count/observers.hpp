// Counts the sectors, wavefronts and bytes of an instruction from its operands, before it runs.
// Illegal operands are left to the instruction; only an unreachable tensor map is reported here.
#pragma once

#include "count/counting.hpp"

namespace machine {

enum class bulk_kind : std::uint8_t { loaded, multicast, stored, reduced };

/// Counts ld, st, atom and red of global, shared and generic addresses.
void observe_access(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                    std::size_t index);
/// Counts ldmatrix and stmatrix.
void observe_matrix_rows(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                         std::size_t index);
/// Counts a cp.async, which reads global memory and writes shared memory.
void observe_small_copy(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                        std::size_t index);
/// The first function counts the operations of mma and wgmma, the second those of tcgen05.mma.
void observe_product(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                     std::size_t index);
void observe_tcgen05_product(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                             std::size_t index);
/// Counts bulk copies without and with a tensor map.
template <bulk_kind kind>
void observe_bulk(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                  std::size_t index);
template <bulk_kind kind>
void observe_tensor(warp& w, instruction const& i, std::uint32_t mask, counting& all,
                    std::size_t index);

}  // namespace machine
