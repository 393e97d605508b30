// mov (ISA, "mov") and the accesses to parameters, which are kernel parameters or the stack.
//
//     mov.u32 %r1, %tid.x;    mov.u64 %rd1, table+8;    mov.pred %p1, 1;
//     mov.b32 {%rs1, %rs2}, %r1;    mov.b64 %rd1, {%r1, %r2};      unpack and pack, lowest part first
#include "program/assembler.hpp"

namespace machine {

void assembler::lower_move(statement const& from) {
  if (from.opcode.find('.') == std::string_view::npos) refuse("'mov' without a type");
  auto const type_name = from.opcode.substr(from.opcode.rfind('.'));
  auto const type = scalar_named(type_name);
  if (from.opcode.find('.') != from.opcode.rfind('.') || !type)
    refuse(say("'", from.opcode, "' is not in the opcode table"));
  if (from.operands.size() != 2) wrong("mov has two operands");
  if (from.operands[0].what == operand::kind::vector ||
      from.operands[1].what == operand::kind::vector) {
    lower_pack(from, width_of(*type));
    return;
  }
  char const letter = *type == scalar::pred   ? 'p'
                      : *type == scalar::f32  ? 'f'
                      : *type == scalar::f64  ? 'g'
                      : width_of(*type) == 2  ? 'h'
                      : width_of(*type) == 4  ? 'w'
                      : width_of(*type) == 8  ? 'l'
                      : width_of(*type) == 16 ? 'q'
                                              : 'b';
  std::uint32_t const from_offset = source(from.operands[1], letter, false);
  std::uint32_t const to_offset = result(from.operands[0], letter);
  auto& made =
      emit_row(*type == scalar::pred ? std::string("mov.pred") : say("mov.b", 8 * width_of(*type)));
  made.at[0] = to_offset;
  made.at[1] = from_offset;
}

void assembler::lower_pack(statement const& from, unsigned width) {
  bool const unpacks = from.operands[0].what == operand::kind::vector;
  auto const& vector = from.operands[unpacks ? 0 : 1];
  auto const& whole = from.operands[unpacks ? 1 : 0];
  auto const parts = static_cast<unsigned>(vector.parts.size());
  if (parts != 2 && parts != 4) wrong("a vector of mov has 2 or 4 parts");
  auto const letter_for = [](unsigned bytes) {
    return bytes == 1 ? 'b' : bytes == 2 ? 'h' : bytes == 4 ? 'w' : bytes == 8 ? 'l' : 'q';
  };
  char const part_letter = letter_for(width / parts);
  table_row row;
  auto const name = say("mov.b", 8 * width, unpacks ? ".unpack" : ".pack", parts);
  auto const* found = opcode_table::instance().find(name);
  if (found == nullptr) refuse(say("'", name, "' is not in the opcode table"));
  row = *found;
  row.signature = unpacks ? say(part_letter, parts, '=', letter_for(width))
                          : say(letter_for(width), '=', part_letter, parts);
  std::vector<operand> const operands{unpacks ? vector : whole, unpacks ? whole : vector};
  lower_by_row(from, row, operands);
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
  lower_by_row(from, *row, from.operands);
}

}  // namespace machine
