// The opcode table: every supported instruction by its canonical name. Others are rejected before
// the launch. A signature is results, '=', sources:
//
//     p: predicate   b h w l q: 8, 16, 32, 64, 128 bits   f: f32   g: f64   |p: second result
//     B H W L Q: the register may be wider than the type (ld, st, cvt)
//     letter and number: a vector of that length   ?: the operands after it may be missing
//     A: 64-bit address   S: 32-bit address   m: member mask   i: literal integer
//     T and a digit: a tensor address, [map, {that number of coordinates}]
#pragma once

#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "execute/vectors.hpp"
#include "program/instruction.hpp"
#include "text/types.hpp"

namespace machine {

struct table_row {
  std::string name;
  std::string signature;
  handler run = nullptr;
  control kind = control::plain;
  bool aligned = false;       // all lanes of the warp must execute it
  bool sign_extends = false;  // true if the result is sign-extended into a wider register
  std::uint32_t payload = 0;  // stored in instruction::target for the handler
};

class opcode_table {
 public:
  /// Builds all rows, with handlers compiled for these vector instructions.
  explicit opcode_table(vector_set which);
  /// Returns the table for this processor, which is built once.
  static opcode_table const& instance();

  void add(table_row row);
  [[nodiscard]] table_row const* find(std::string_view name) const;
  /// Returns every row, sorted by name.
  [[nodiscard]] std::vector<table_row const*> rows() const;

  /// Adds a row from a scalar lambda; its parameter types give the signature (execute/lanes.hpp).
  template <class Function> void lanes(std::string name, Function function);
  [[nodiscard]] vector_set vectors() const { return vectors_; }

 private:
  vector_set vectors_;
  std::unordered_map<std::string, table_row> rows_;
};

/// Returns "ld.global.v4.f32" for "ld.global.nc.L1::no_allocate.v4.f32".
std::string canonical_name(std::string_view opcode);

}  // namespace machine
