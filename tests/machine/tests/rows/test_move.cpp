// Tests mov with vectors, and rows of the opcode table that only the assembler emits
// (program/assembler.hpp): changes of width and packing.
#include "rows/harness.hpp"
#include "text/error.hpp"

namespace machine_rows {

using machine::say;

/// Tests mov.b32.pack2 and similar: packs and unpacks, compared with bytes of memory.
verdict test_move(machine::table_row const& row) {
  auto const name = split(row.name);
  if (name.opcode == "resize") {  // resize.2.4.s: ld.s16 into a 32-bit register
    auto const from = static_cast<unsigned>(std::stoi(name.modifiers[0])) * 8,
               to = static_cast<unsigned>(std::stoi(name.modifiers[1])) * 8;
    std::string const sign = name.modifiers[2];
    std::string body =
        from < to ? say("ld.global.", sign, from, " %d, [%in];\nst.global.b", to, " [%out], %d;\n")
                  : say("ld.global.b", from, " %s, [%in];\nst.global.b", to, " [%out], %s;\n");
    std::string const ptx = kernel(say(".reg .b", to, " %d;\n.reg .b", from, " %s;\n"), body);
    generator random;
    std::vector<std::uint64_t> in(sets * slots);
    for (auto& each : in) each = random();
    auto const out = launch(ptx, in);
    for (unsigned set = 0; set < sets; ++set) {
      std::uint64_t const want = cut(integer(in[set * slots], sign + std::to_string(from)), to);
      if (out[set * slots] != want)
        return say(row.name, " gives ", machine::hexadecimal(out[set * slots]),
                   "; the definition gives ", machine::hexadecimal(want));
    }
    return {};
  }
  unsigned const width = width_of(name.modifiers[0]);
  unsigned const parts =
      name.modifiers.size() < 2 ? 1 : static_cast<unsigned>(name.modifiers[1].back() - '0');
  unsigned const part = width / parts;
  std::string declarations = say(".reg .b", width, " %w;\n.reg .b", part, " %s<4>;\n"), body, list;
  for (unsigned k = 0; k < parts; ++k) {
    body += part == 128 ? "" : say("ld.global.b", part, " %s", k, ", [%in+", 8 * k, "];\n");
    list += say(k == 0 ? "" : ", ", "%s", k);
  }
  bool const unpacks = parts > 1 && name.modifiers[1].substr(0, 2) == "un";
  if (parts == 1 && width == 128)
    body = "ld.global.b128 %w, [%in];\nmov.b128 %s0, %w;\nst.global.b128 [%out], %s0;\n";
  else if (unpacks) {
    body = say("ld.global.b", width, " %w, [%in];\nmov.b", width, " {", list, "}, %w;\n");
    for (unsigned k = 0; k < parts; ++k)
      body += say("st.global.b", part, " [%out+", 8 * k, "], %s", k, ";\n");
  } else {
    body += say("mov.b", width, " %w, {", list, "};\nst.global.b", width, " [%out], %w;\n");
  }
  generator random;
  std::vector<std::uint64_t> in(sets * slots);
  for (auto& each : in) each = random();
  auto const out = launch(kernel(declarations, body), in);
  for (unsigned set = 0; set < sets; ++set)
    for (unsigned byte = 0; byte < width / 8; ++byte) {
      unsigned const apart =
          byte / (part / 8) * 8 + byte % (part / 8);  // part k of a set begins at byte 8 k
      unsigned const from = unpacks || parts == 1 ? byte : apart, to = unpacks ? apart : byte;
      std::uint64_t const want = (in[set * slots + from / 8] >> (8 * (from % 8))) & 0xff;
      std::uint64_t const got = (out[set * slots + to / 8] >> (8 * (to % 8))) & 0xff;
      if (got != want)
        return say(row.name, " has byte ", byte, " wrong in lane ", set % 32, ": ", got,
                   " instead of ", want);
    }
  return {};
}

}  // namespace machine_rows
