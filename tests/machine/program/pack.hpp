// Lets registers with disjoint lifetimes share storage. In nvcc's PTX every value has its own
// register. CuTe's sgemm_1 has 1293 of 128 bytes per warp, of which about 100 are live at a time:
// packed, they fit into the first-level cache.
//
// Lanes own columns, so the liveness of one thread's path holds for all. Not packed: registers
// filled before the start, operands of asynchronous operations, and operands of instructions whose
// results are unknown.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace machine {

struct register_place {
  std::uint32_t offset, bytes;
};

/// `uses` has an entry for each instruction; `registers` has all allocated registers of each
/// function.
void pack_registers(program& code, std::vector<operand_use> const& uses,
                    std::vector<std::vector<register_place>> const& registers);

}  // namespace machine
