// The parser's result: variables and functions. A function is a flat list of statements in which
// registers are numbers. Scopes are resolved: `{ .reg .pred p; ... }` written twice declares two
// registers, and equal labels in two blocks are different labels.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "text/types.hpp"

namespace machine {

struct variable;

struct operand {
  enum class kind : std::uint8_t {
    reg,
    special,  // %tid.x
    integer,
    single,  // 0f3f800000
    real,    // 0d3ff0000000000000, 1.0
    symbol,
    label,
    function,
    address,  // [%rd1+8]
    vector,   // {%f1, %f2}
    pair,     // %p1|%p2
    list,     // (a, b)
    sink      // _
  };
  kind what = kind::sink;
  bool negated = false;              // !%p
  std::uint32_t id = 0;              // register number, or statement of a label
  std::uint64_t bits = 0;            // literal; byte offset of an address or symbol
  std::string_view name;             // as written
  variable const* symbol = nullptr;  // the variable that the operand names, if any
  // The elements of a vector, pair or list; the base (and coordinates) of an address.
  std::vector<operand> parts;
};

struct guard {
  bool present = false;
  bool negated = false;
  std::uint32_t id = 0;
};

struct statement {
  std::string_view opcode;  // with all modifiers: "ld.global.v4.f32"
  guard when;
  int line = 0;         // in the PTX text
  int source_file = 0;  // the number of a .file directive
  int source_line = 0;
  std::vector<operand> operands;
};

/// One part of an initialiser: literal bytes, or the address of a variable or function.
struct initial {
  std::uint64_t offset = 0;
  std::uint8_t bytes = 0;
  bool generic = false;
  std::uint64_t value = 0;       // literal, or addend of the symbol
  std::string_view symbol = {};  // empty: a literal
};

struct variable {
  std::string_view name;
  space where = space::none;
  scalar type = scalar::none;
  std::uint32_t alignment = 1;
  std::uint64_t bytes = 0;  // 0 for `extern .shared x[]`
  bool is_extern = false;
  bool in_function = false;  // declared inside a body
  int line = 0;
  std::vector<initial> initials;
};

struct function {
  std::string_view name;
  bool is_entry = false;
  bool has_body = false;
  int line = 0;
  // The .local, .shared and .param variables of the body. In a deque their addresses stay valid.
  std::deque<variable> locals;
  std::vector<variable const*> results;  // .func (results) name (parameters)
  std::vector<variable const*> parameters;
  std::vector<scalar> registers;  // the type of each register number
  std::vector<statement> statements;
  std::uint32_t required_threads[3] = {0, 0, 0};      // .reqntid
  std::uint32_t maximum_threads[3] = {0, 0, 0};       // .maxntid
  std::uint32_t required_cluster[3] = {0, 0, 0};      // .reqnctapercluster
  std::uint32_t most_registers[3] = {0, 0, 0};        // .maxnreg; [0] is the number
  std::uint32_t blocks_per_processor[3] = {0, 0, 0};  // .minnctapersm; [0] is the number
};

struct source_text {
  std::shared_ptr<std::string const> text;  // all views point into it
  std::deque<variable> variables;
  std::deque<function> functions;
  std::vector<std::string> files;  // by number of .file
  std::string_view target;

  [[nodiscard]] function const* find_function(std::string_view name) const;
  [[nodiscard]] variable const* find_variable(std::string_view name) const;
};

/// Parses a module. Throws an error with the line if the text is not well-formed PTX.
std::shared_ptr<source_text const> parse(std::string text);

}  // namespace machine
