// Lowers branches, branch tables, calls and returns.
//
//     call.uni (retval0), f, (param0, param1);      call (retval0), %rd1, (param0), prototype_4;
//
// Caller and callee have their own .param variables in their stack frames. For each lane a call
// copies the arguments, and a return copies the results.
#include "program/assembler.hpp"

namespace machine {

void assembler::lower_branch(statement const& from) {
  if (from.operands.size() != 1 || from.operands[0].what != operand::kind::label)
    wrong("bra needs a label");
  emit(nullptr, control::jump);
  branches_.push_back(
      {static_cast<std::uint32_t>(whole_.out->code.size() - 1), from.operands[0].id});
}

void assembler::lower_table_branch(statement const& from) {
  if (from.opcode.substr(0, 7) != "brx.idx")
    refuse(say("'", from.opcode, "' is not in the opcode table"));
  if (from.operands.size() != 2 || from.operands[1].what != operand::kind::label)
    wrong("brx.idx needs an index and the name of a .branchtargets list");
  std::uint32_t const list = from.operands[1].id;
  if (list >= source_.statements.size() || source_.statements[list].opcode != ".branchtargets")
    wrong(say("'", from.operands[1].name, "' is not a .branchtargets list"));
  auto const [found, fresh] =
      tables_.try_emplace(list, static_cast<std::uint32_t>(whole_.out->tables.size()));
  if (fresh) {
    auto const& labels = source_.statements[list].operands;
    whole_.out->tables.emplace_back(labels.size());
    for (std::uint32_t i = 0; i < labels.size(); ++i) {
      if (labels[i].what != operand::kind::label)
        wrong(say("'", labels[i].name, "' is not a label"));
      table_entries_.push_back({found->second, i, labels[i].id});
    }
  }
  std::uint32_t const index = source(from.operands[0], 'w', false);
  auto& made = emit(nullptr, control::jump_table);
  made.at[0] = index;
  made.target = found->second;
}

std::vector<std::uint32_t> assembler::parameter_slots(operand const& list,
                                                      std::vector<std::uint32_t>& bytes) {
  std::vector<std::uint32_t> slots;
  for (auto const& each : list.parts) {
    if (each.what != operand::kind::symbol || each.symbol->where != space::local)
      refuse("a call whose arguments are not .param variables");
    slots.push_back(stack_offset(*each.symbol));
    bytes.push_back(static_cast<std::uint32_t>(each.symbol->bytes));
  }
  return slots;
}

void assembler::lower_call(statement const& from) {
  auto const& operands = from.operands;
  std::size_t at = 0;
  call_site site;
  if (at < operands.size() && operands[at].what == operand::kind::list)
    site.results = parameter_slots(operands[at++], site.result_bytes);
  if (at >= operands.size()) wrong("call without a function");
  operand const& callee = operands[at++];
  if (at < operands.size() && operands[at].what == operand::kind::list)
    site.arguments = parameter_slots(operands[at++], site.argument_bytes);
  auto const number = static_cast<std::uint32_t>(whole_.out->calls.size());
  if (callee.what == operand::kind::reg) {
    whole_.has_pointer_calls = true;
    if (register_width(callee.id) != 8) wrong("a function pointer has 64 bits");
    std::uint32_t const pointer = offsets_[callee.id];
    auto& made = emit(nullptr, control::call_pointer);
    made.at[0] = pointer;
    made.target = number;
  } else if (callee.what == operand::kind::function) {
    auto const* known = whole_.out->source->find_function(callee.name);
    if (known != nullptr && known->has_body) {
      if (known->parameters.size() != site.arguments.size() ||
          known->results.size() != site.results.size())
        wrong(say("call of '", callee.name,
                  "' with another number of parameters or results than it declares"));
      for (std::size_t i = 0; i < site.arguments.size(); ++i)
        if (known->parameters[i]->bytes != site.argument_bytes[i])
          wrong(say("parameter ", i, " of '", callee.name, "' has another size than the argument"));
      site.callee = frame_of(whole_, *known);
      emit(nullptr, control::call).target = number;
    } else {
      auto const builtin = builtin_function(callee.name);
      if (builtin == nullptr) refuse(say("a call of '", callee.name, "', which has no body"));
      emit(builtin).target = number;
    }
  } else {
    wrong("call needs a function or a pointer to one");
  }
  whole_.out->calls.push_back(std::move(site));
}

void assembler::lower_return(statement const& from) {
  bool const leaves =
      from.opcode == "exit" || (from.opcode.substr(0, 3) == "ret" && source_.is_entry);
  emit(nullptr, leaves ? control::exit : control::ret);
}

void assembler::fix_targets() {
  for (auto const& each : branches_)
    whole_.out->code[each.instruction].target = starts_[each.statement];
  for (auto const& each : table_entries_)
    whole_.out->tables[each.table][each.entry] = starts_[each.statement];
}

}  // namespace machine
