// Lets registers with disjoint lifetimes share storage. In nvcc's PTX every value has its own
// register. A warp of CuTe's sgemm_1 has 1293 registers of 128 bytes. About 100 are live at a time:
// packed, they fit into the first-level cache.
//
// Each lane has its own column of a register, so the liveness along one thread's path holds for all
// lanes. These registers are not packed: those that are filled before the start, operands of
// asynchronous operations, and operands of instructions whose results are unknown.
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
