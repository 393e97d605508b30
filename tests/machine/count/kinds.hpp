// The kind of an instruction, as a programmer sorts them: by what it keeps busy.
//
//     kind_of("fma.rn.f32") = "float"       kind_of("ld.shared.v4.f32") = "shared memory"      kind_of("mma.sync...") = "tensor core"
#pragma once

#include <string_view>

namespace machine {

/// One of: integer, bits, float, double, half, conversion, compare, move, control, warp, global
/// memory, shared memory, local memory, parameters, constant memory, generic memory, matrix move,
/// tensor core, asynchronous copy, mbarrier, barrier, fence, other. Takes the opcode as it stands
/// in the text.
std::string_view kind_of(std::string_view opcode);

/// Is `part` one of the dotted parts of the opcode, or one with a suffix (shared::cta for shared)?
bool has_part(std::string_view opcode, std::string_view part);

}  // namespace machine
