// Registers by live intervals: nvcc's PTX names every value once, and most are dead a few
// instructions later.
//
//     fma.rn.f32 %f1205, %f7, %f21, %f1141;      %f1141 is read for the last time here, so the next result may lie where it lay
//
// CuTe's sgemm_1 has 1293 registers of 128 bytes per warp, and about 100 are alive at a time: the
// difference between the first and the second cache. Lanes own columns, so what holds for one
// thread's path through the function holds for all of them.
//
// Left where they are: what is filled before the kernel starts, what an asynchronous operation may
// still read or write after its instruction (wgmma and everything that issues copies), and every
// operand of an instruction whose results are not known here.
#pragma once

#include <cstdint>
#include <vector>

#include "program/program.hpp"

namespace machine {

/// What is known of an instruction's operands: the first `results` are written, the rest read.
struct operand_use {
  std::uint16_t results = 0, operands = 0;
  bool is_known = false;
};

struct register_place {
  std::uint32_t offset, bytes;
};

/// `uses` by instruction, `registers` by function: all that were allocated.
void pack_registers(program& code, std::vector<operand_use> const& uses,
                    std::vector<std::vector<register_place>> const& registers);

}  // namespace machine
