// Lets registers with disjoint lifetimes share storage. In nvcc's PTX every value has its own
// register. A warp of CuTe's sgemm_1 has 1293 registers of 128 bytes. About 100 are live at a time:
// packed, they fit into the first-level cache.
//
// Each lane has its own word of a register, so the word can be reused where the register is dead on
// the path of this thread. Some registers are not packed: those that are filled before the start,
// and operands of instructions that may access them later, such as asynchronous operations
// (operand_use::is_known).
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
