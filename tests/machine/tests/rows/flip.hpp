// A wrong machine on purpose: one row of the table leaves one bit of one lane's result flipped,
// whenever it runs.
//
//     flip_row("add.s32");           add.s32 of the middle lane has bit 20 wrong from now on
//
// The result is the first result register; for rows without one the memory that the first operand
// names, or the tensor. Rows that have neither (fences, prefetches, barriers) cannot be flipped. A
// test that still passes does not test its row.
#pragma once

#include <string>

#include "program/table.hpp"

namespace machine_rows {

enum class flippable { registers, memory, tensor, nothing };

flippable flippable_result(machine::table_row const& row);

/// Before anything is loaded; one row at a time, the one before is right again.
void flip_row(std::string const& name);

}  // namespace machine_rows
