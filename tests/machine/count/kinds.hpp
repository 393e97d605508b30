// Sorts instructions into kinds, by what they compute or which memory they access:
//
//     kind_of("fma.rn.f32") = "float"
//     kind_of("ld.shared.v4.f32") = "shared memory"
//     kind_of("mma.sync...") = "tensor core"
#pragma once

#include <string_view>

namespace machine {

/// Returns one of: integer, bits, float, double, half, conversion, compare, move, control, launch
/// control, warp, global memory, shared memory, local memory, tensor memory, parameters, constant
/// memory, generic memory, matrix move, tensor core, asynchronous copy, mbarrier, barrier, fence,
/// other. `opcode` is the full PTX opcode.
std::string_view kind_of(std::string_view opcode);

/// True if `part` is a dotted part of the opcode, with or without a suffix (shared matches
/// shared::cta).
bool has_part(std::string_view opcode, std::string_view part);

}  // namespace machine
