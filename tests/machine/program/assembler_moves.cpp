// Lowers mov (PTX ISA, "mov"), and accesses to parameters of kernels and calls.
//
//     mov.u32 %r1, %tid.x;    mov.u64 %rd1, table+8;    mov.pred %p1, 1;
//     mov.b32 {%rs1, %rs2}, %r1;    mov.b64 %rd1, {%r1, %r2};    unpack and pack, lowest first
//     mov.v2.f32 v, {%f1, %f2};                                    element by element
#include "program/assembler.hpp"

namespace machine {
namespace {

// The letters of signatures (table.hpp).
char letter_of_bits(unsigned bytes) {
  return bytes == 1 ? 'b' : bytes == 2 ? 'h' : bytes == 4 ? 'w' : bytes == 8 ? 'l' : 'q';
}

char letter_of(scalar type) {
  switch (type) {
    case scalar::pred: return 'p';
    case scalar::f32: return 'f';
    case scalar::f64: return 'g';
    default: return letter_of_bits(width_of(type));
  }
}

}  // namespace

void assembler::lower_move(statement const& from) {
  if (from.opcode.find('.') == std::string_view::npos) refuse("'mov' has no type");
  auto const type_name = from.opcode.substr(from.opcode.rfind('.'));
  auto const type = scalar_named(type_name);
  auto const modifiers = from.opcode.substr(3, from.opcode.size() - 3 - type_name.size());
  bool const is_vector = modifiers == ".v2" || modifiers == ".v4";
  if (!type || !(modifiers.empty() || (is_vector && *type != scalar::pred)))
    refuse(say("'", from.opcode, "' is not in the opcode table"));
  if (from.operands.size() != 2) wrong("mov has two operands");
  if (is_vector) return lower_vector_move(from, modifiers == ".v2" ? 2 : 4);
  if (from.operands[0].what == operand::kind::vector ||
      from.operands[1].what == operand::kind::vector) {
    lower_pack(from, width_of(*type));
    return;
  }
  char const letter = letter_of(*type);
  std::uint32_t const from_offset = source(from.operands[1], letter, false);
  std::uint32_t const to_offset = result(from.operands[0], letter);
  auto& made =
      emit_row(*type == scalar::pred ? std::string("mov.pred") : say("mov.b", 8 * width_of(*type)));
  made.at[0] = to_offset;
  made.at[1] = from_offset;
}

// Reads all elements before it writes the first, because {a, b} may be moved to {b, a}.
void assembler::lower_vector_move(statement const& from, std::size_t elements) {
  scalar const type = *scalar_named(from.opcode.substr(from.opcode.rfind('.')));
  for (auto const& each : from.operands)
    if (each.what != operand::kind::vector || each.parts.size() != elements)
      wrong(say("a vector of ", elements, " is expected"));
  std::uint32_t kept[4] = {};
  for (std::size_t k = 0; k < elements; ++k) {
    std::uint32_t const part = source(from.operands[1].parts[k], letter_of(type), false);
    kept[k] = scratch(width_of(type));
    move(kept[k], part, width_of(type));
  }
  for (std::size_t k = 0; k < elements; ++k)
    move(result(from.operands[0].parts[k], letter_of(type)), kept[k], width_of(type));
}

void assembler::move(std::uint32_t to, std::uint32_t from, std::uint32_t width) {
  auto& made = emit_row(say("mov.b", 8 * width));
  made.at[0] = to;
  made.at[1] = from;
}

void assembler::lower_pack(statement const& from, unsigned width) {
  bool const unpacks = from.operands[0].what == operand::kind::vector;
  auto const& vector = from.operands[unpacks ? 0 : 1];
  auto const& whole = from.operands[unpacks ? 1 : 0];
  auto const parts = static_cast<unsigned>(vector.parts.size());
  if (parts != 2 && parts != 4) wrong("a vector of mov has 2 or 4 parts");
  char const letter = letter_of_bits(width);
  char const part_letter = letter_of_bits(width / parts);
  auto const name = say("mov.b", 8 * width, unpacks ? ".unpack" : ".pack", parts);
  auto const* found = opcode_table::instance().find(name);
  if (found == nullptr) refuse(say("'", name, "' is not in the opcode table"));
  table_row row = *found;
  row.signature =
      unpacks ? say(part_letter, parts, '=', letter) : say(letter, '=', part_letter, parts);
  std::vector<operand> const operands{unpacks ? vector : whole, unpacks ? whole : vector};
  lower_by_row(row, operands);
}

void assembler::lower_parameter_access(statement const& from) {
  bool const is_load = from.opcode.substr(0, 2) == "ld";
  std::size_t const at = is_load ? 1 : 0;
  if (from.operands.size() != 2 || from.operands[at].what != operand::kind::address ||
      from.operands[at].parts.empty())
    wrong("a parameter access has a register (or vector) and an address");
  auto const& base = from.operands[at].parts.front();
  bool const on_stack = !source_.is_entry ||
                        (base.what == operand::kind::symbol && base.symbol->where == space::local);
  std::string name = canonical_name(from.opcode);
  if (on_stack) name.replace(name.find(".param"), 6, ".local");
  auto const* row = opcode_table::instance().find(name);
  if (row == nullptr) refuse(say("'", from.opcode, "' is not in the opcode table"));
  lower_by_row(*row, from.operands);
}

}  // namespace machine
