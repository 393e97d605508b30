// Makes one row of the opcode table wrong: it flips one bit of one lane's result whenever it runs.
// A test that still passes does not test its row.
//
//     flip_row("add.s32");           bit 20, 21 or 22 of the middle lane's result is wrong
//
// The result is the first result register; for rows without one, the memory at the first operand,
// or the tensor of its tensor map. Rows without a result (fences, prefetches, barriers) cannot be
// flipped.
#pragma once

#include <string>

#include "program/table.hpp"

namespace machine_rows {

enum class flippable { registers, memory, tensor, nothing };

flippable flippable_result(machine::table_row const& row);

/// Call it before loading a program. Restores the row that was flipped before.
void flip_row(std::string const& name);

}  // namespace machine_rows
