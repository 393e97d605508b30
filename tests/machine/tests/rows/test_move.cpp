// Tests mov with vectors, and rows of the opcode table that only the assembler emits
// (program/assembler.hpp): changes of width and packing.
#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows {
namespace {

using machine::say;

/// Tests resize.2.4.s, to which the assembler translates ld.s16 into a register of 32 bits.
verdict test_resize(machine::table_row const& row, name_parts const& name) {
  int const from = std::stoi(name.modifiers[0]) * 8, to = std::stoi(name.modifiers[1]) * 8;
  std::string const sign = name.modifiers[2], loaded = sign + std::to_string(from);
  std::string const widen = R"(
  ld.global.$LOADED %d, [%in];
  st.global.b$TO [%out], %d;
)";
  std::string const narrow = R"(
  ld.global.b$FROM %s, [%in];
  st.global.b$TO [%out], %s;
)";
  std::string const ptx =
      filled(kernel(".reg .b$TO %d;\n.reg .b$FROM %s;\n", from < to ? widen : narrow),
             {{"$LOADED", loaded}, {"$FROM", from}, {"$TO", to}});
  auto const in = random_operands(), out = launch(ptx, in);
  for (unsigned set = 0; set < sets; ++set) {
    std::uint64_t const want = cut(integer(in[set * slots], loaded), static_cast<unsigned>(to));
    if (out[set * slots] != want)
      return say(row.name, " gives ", machine::hexadecimal(out[set * slots]),
                 "; the definition gives ", machine::hexadecimal(want));
  }
  return {};
}

/// A register of `width` bits that is packed from, or unpacked to, `parts` registers. With one
/// part, it is copied.
struct packing {
  unsigned width, parts;
  bool unpacks;

  unsigned part_width() const { return width / parts; }
  /// The address of byte k of the register in a buffer whose parts are 8 bytes apart.
  unsigned byte_in_parts(unsigned k) const {
    unsigned const bytes = part_width() / 8;
    return k / bytes * 8 + k % bytes;
  }
};

packing packing_of(name_parts const& name) {  // mov.b32, mov.b32.pack2, mov.b32.unpack2
  packing made{width_of(name.modifiers[0]), 1, false};
  if (name.modifiers.size() > 1) {
    made.parts = static_cast<unsigned>(name.modifiers[1].back() - '0');
    made.unpacks = name.modifiers[1].starts_with("un");
  }
  return made;
}

std::string body_of(packing const& of) {
  if (of.parts == 1 && of.width == 128)
    return R"(
  ld.global.b128 %w, [%in];
  mov.b128 %s0, %w;
  st.global.b128 [%out], %s0;
)";
  std::string before, after;
  for (unsigned k = 0; k < of.parts; ++k) {
    before += say("ld.global.b", of.part_width(), " %s", k, ", [%in+", 8 * k, "];\n");
    after += say("st.global.b", of.part_width(), " [%out+", 8 * k, "], %s", k, ";\n");
  }
  std::string const unpack = R"(
  ld.global.b$WIDTH %w, [%in];
  mov.b$WIDTH $PARTS, %w;
)";
  std::string const pack = R"(
  mov.b$WIDTH %w, $PARTS;
  st.global.b$WIDTH [%out], %w;
)";
  return filled(of.unpacks ? unpack + after : before + pack,
                {{"$WIDTH", of.width}, {"$PARTS", braces("%s", of.parts)}});
}

}  // namespace

/// Tests mov.b32.pack2 and similar: packs and unpacks, compared with bytes of memory.
verdict test_move(machine::table_row const& row) {
  auto const name = split(row.name);
  if (name.opcode == "resize") return test_resize(row, name);
  packing const of = packing_of(name);
  auto const in = random_operands();
  auto const out = launch(
      kernel(say(".reg .b", of.width, " %w;\n.reg .b", of.part_width(), " %s<4>;\n"), body_of(of)),
      in);
  for (unsigned set = 0; set < sets; ++set)
    for (unsigned byte = 0; byte < of.width / 8; ++byte) {
      unsigned const apart = of.byte_in_parts(byte);
      unsigned const from = of.unpacks ? byte : apart;
      unsigned const to = of.unpacks ? apart : byte;
      std::uint64_t const want = byte_of(&in[set * slots], from);
      std::uint64_t const got = byte_of(&out[set * slots], to);
      if (got != want)
        return say(row.name, " has byte ", byte, " wrong in lane ", set % 32, ": ", got,
                   " instead of ", want);
    }
  return {};
}

}  // namespace machine_rows
