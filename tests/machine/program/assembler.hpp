// Lowers the statements of one function to a list of instructions.
//
//     assemble.cpp            the program: functions, shared memory, sequences without branches
//     assembler.cpp           one statement: finds its table_row, checks and lowers the operands
//     assembler_operands.cpp  registers, literals, special registers, symbols, addresses
//     assembler_moves.cpp     mov in all its forms, narrow loads into wide registers
//     assembler_flow.cpp      branches, tables, calls, returns
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "program/pack.hpp"
#include "program/program.hpp"
#include "program/table.hpp"
#include "text/error.hpp"

namespace machine {

/// The addresses of a module's variables, and the numbers of its functions.
struct linkage {
  // The generic addresses of .global and .const variables, which equal their global addresses.
  std::unordered_map<variable const*, std::uint64_t> addresses;
  std::unordered_map<std::string_view, std::uint32_t> function_numbers;
  bool packs_registers = true;  // registers with disjoint lifetimes share storage (pack.hpp)
};

struct assembly {
  program* out;
  linkage const* links;
  std::unordered_map<variable const*, std::uint32_t> shared_addresses;
  std::map<std::string_view, std::uint32_t> frames;  // function name -> index of its frame layout
  std::vector<function const*> queue;                // functions that are not assembled yet
  bool has_pointer_calls = false;
  std::vector<operand_use> uses = {};                       // by instruction
  std::vector<std::vector<register_place>> registers = {};  // by function
};

/// Returns the frame index of a function. A new function is queued for assembly.
std::uint32_t frame_of(assembly& whole, function const& callee);

/// Lowers one function. Functions such as source() return the byte offset of a register in the
/// frame.
class assembler {
 public:
  assembler(assembly& whole, function const& source, std::uint32_t number);
  void run();

 private:
  // assembler.cpp
  void lower(statement const& from);
  void lower_from_table(statement const& from);
  std::string row_name(statement const& from) const;
  struct lowered {  // the operands of one instruction
    std::vector<std::uint32_t> list;
    std::size_t results = 0;  // how many of the list are results
    std::int64_t offset = 0;
    std::uint32_t members = 0;
    bool has_address = false;
    bool is_result = true;  // whether the next operand is a result
  };
  void lower_by_row(table_row const& row, std::vector<operand> const& operands);
  void lower_operand(lowered& to, table_row const& row, char letter, std::size_t count,
                     operand const& from);
  void lower_address(lowered& to, char letter, std::size_t count, operand const& from);
  std::int64_t literal_of(table_row const& row, operand const& from) const;
  instruction& emit(handler run, control kind = control::plain);
  instruction& emit_row(std::string const& name);
  void finish_guard(std::size_t first);
  [[noreturn]] void refuse(std::string sentence) const;  // the machine does not support it
  [[noreturn]] void wrong(std::string sentence) const;   // it is not PTX

  // assembler_operands.cpp
  std::uint32_t result(operand const& from, char letter);
  std::uint32_t source(operand const& from, char letter, bool sign_extends);
  std::uint32_t address(operand const& from, bool narrow, std::int64_t& offset);
  std::uint32_t constant(std::uint64_t bits, std::uint32_t width);
  std::uint32_t shared_address(std::uint64_t bits, std::uint32_t width);
  std::uint32_t special_source(operand const& from, std::uint32_t width);
  std::uint32_t scratch(std::uint32_t width);
  std::uint32_t resized(std::uint32_t offset, std::uint32_t from, std::uint32_t to, bool is_signed);
  std::uint64_t literal(operand const& from, char letter) const;
  std::uint32_t symbol_address(operand const& from, std::uint32_t width);
  std::uint32_t stack_address(variable const& of, std::uint64_t offset, std::uint32_t width);
  std::uint32_t stack_offset(variable const& of);
  std::uint32_t register_width(std::uint32_t id) const;

  // assembler_moves.cpp
  void lower_move(statement const& from);
  void lower_vector_move(statement const& from, std::size_t elements);
  void move(std::uint32_t to, std::uint32_t from, std::uint32_t width);
  void lower_pack(statement const& from, unsigned width);
  void lower_parameter_access(statement const& from);

  // assembler_flow.cpp
  void lower_branch(statement const& from);
  void lower_table_branch(statement const& from);
  void lower_call(statement const& from);
  void lower_return(statement const& from);
  void fix_targets();
  std::vector<std::uint32_t> parameter_slots(operand const& list,
                                             std::vector<std::uint32_t>& bytes);

  struct widening {  // runs after the instruction, and widens a narrow result into its register
    std::uint32_t from_offset, from_width, to_offset, to_width;
    bool is_signed;
  };

  assembly& whole_;
  function const& source_;
  frame_layout& frame();
  std::uint32_t number_;  // of the function's frame layout
  statement const* current_ = nullptr;
  std::vector<std::uint32_t> offsets_;  // by register
  std::unordered_map<std::string, std::uint32_t> constants_;
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> shared_;
  std::map<special, std::uint32_t> specials_;
  // The offset of the nth scratch register of a width.
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> scratch_;
  std::map<std::uint32_t, std::uint32_t> scratch_used_;
  std::unordered_map<variable const*, std::uint32_t> stack_offsets_;
  std::map<std::uint64_t, std::uint32_t> depots_;
  std::vector<widening> widenings_;
  std::vector<std::uint32_t> starts_;  // statement -> its first instruction
  struct pending {
    std::uint32_t instruction, statement;
  };
  std::vector<pending> branches_;
  struct pending_table {
    std::uint32_t table, entry, statement;
  };
  std::vector<pending_table> table_entries_;
  std::unordered_map<std::uint32_t, std::uint32_t> tables_;  // statement of .branchtargets -> table
  std::uint32_t carry_ = 0;  // the offset of the condition code of add.cc and similar

  std::uint32_t allocate(std::uint32_t bytes);
};

/// Decodes an entry and the functions that it can reach. Throws if any of them has an unknown
/// instruction.
std::shared_ptr<program const> assemble(std::shared_ptr<source_text const> const& source,
                                        function const& entry, linkage const& links);

/// Returns the implementation of a function without a body: vprintf, __assertfail, malloc, free.
handler builtin_function(std::string_view name);

}  // namespace machine
