// The opcode table: every instruction the machine knows, by its full PTX name.
//
//     name         "fma.rn.f32", "setp.lt.and.s32", "ld.global.v4.u32"; modifiers that only hint (caching,
//                  eviction) are removed before the lookup, see canonical_name
//     signature    what the operands are: results, '=', sources
//                  p predicate   b h w l q: 8, 16, 32, 64, 128 bits   f f32   g f64   (width and kind of literal)
//                  capital: the register may be wider than the type (ld, st, cvt)
//                  digit after a letter: a vector of that many      |p: second result of a pair
//                  A address, 64 bits   S address, 32 bits   m member mask   i literal integer
//                  t label   x anything (the decoder of that instruction checks it)
//     run          the handler
//
// A name that is not in the table is refused, with its line, before the kernel is launched.
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
  bool aligned = false;       // needs the whole warp
  bool sign_extends = false;  // into a wider result register
  std::uint32_t payload = 0;  // what its handler finds in instruction::target
};

class opcode_table {
 public:
  /// All families, with handlers for these vector instructions.
  explicit opcode_table(vector_set which);
  /// All families, registered once, for this processor.
  static opcode_table const& instance();

  void add(table_row row);
  [[nodiscard]] table_row const* find(std::string_view name) const;
  /// Every row, sorted by name.
  [[nodiscard]] std::vector<table_row const*> rows() const;

  /// A row computed lane by lane from a lambda: results and sources are derived from its parameter
  /// types.
  template <class Function> void lanes(std::string name, Function function);
  [[nodiscard]] vector_set vectors() const { return vectors_; }

 private:
  vector_set vectors_;
  std::unordered_map<std::string, table_row> rows_;
};

/// "ld.global.nc.L1::no_allocate.v4.f32" -> "ld.global.v4.f32"
std::string canonical_name(std::string_view opcode);

}  // namespace machine
