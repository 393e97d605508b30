// Tests rows that compute lane by lane: every set of operands is compared with evaluate().
#include <algorithm>
#include <cctype>

#include "rows/harness.hpp"
#include "text/error.hpp"

namespace machine_rows {
namespace {

using machine::say;

struct shape {
  std::string results, sources;
  bool pair = false;
};

shape shape_of(machine::table_row const& row) {
  auto const equals = row.signature.find('=');
  shape made{row.signature.substr(0, equals), row.signature.substr(equals + 1), false};
  if (auto const bar = made.results.find('|'); bar != std::string::npos) {
    made.results.erase(bar, 1);
    made.pair = true;
  }
  return made;
}

std::string load(std::size_t slot, char letter) {
  std::string const address = say("[%in+", 8 * slot, "]");
  if (letter == 'p')
    return say("ld.global.u32 %x, ", address, ";\nsetp.ne.u32 %s", slot, ", %x, 0;\n");
  return say("ld.global.b", letter_width(letter), " %s", slot, ", ", address, ";\n");
}

std::string store(std::size_t slot, char letter) {
  std::string const address = say("[%out+", 8 * slot, "]");
  if (letter == 'p')
    return say("selp.u32 %x, 1, 0, %d", slot, ";\nst.global.u32 ", address, ", %x;\n");
  return say("st.global.b", letter_width(letter), " ", address, ", %d", slot, ";\n");
}

std::uint64_t ordered(std::uint64_t bits, unsigned width) {
  std::uint64_t const sign = std::uint64_t{1} << (width - 1);
  return (bits & sign) != 0 ? sign - (bits & (sign - 1)) : sign + bits;
}

bool agrees(expected const& wanted, std::size_t k, std::uint64_t got, unsigned width) {
  std::uint64_t const want = wanted.results[k];
  if (got == want) return true;
  if (wanted.any_nan) {
    std::uint64_t const infinity = 0x7ff0000000000000;
    if ((got & ~(std::uint64_t{1} << 63)) > infinity &&
        (want & ~(std::uint64_t{1} << 63)) > infinity)
      return true;
  }
  if (wanted.tolerance == 0) return false;
  std::uint64_t const a = ordered(got, width), b = ordered(want, width);
  return (a > b ? a - b : b - a) <= wanted.tolerance;
}

}  // namespace

verdict test_lanes(machine::table_row const& row) {
  auto const s = shape_of(row);
  std::string declarations = ".reg .b32 %x;\n", body, arguments;
  for (std::size_t k = 0; k < s.sources.size(); ++k) {
    declarations += say(".reg ", register_type(s.sources[k]), " %s", k, ";\n");
    body += load(k, s.sources[k]);
  }
  std::string destination;
  for (std::size_t k = 0; k < s.results.size(); ++k) {
    declarations += say(".reg ", register_type(s.results[k]), " %d", k, ";\n");
    destination += say(k == 0 ? "" : "|", "%d", k);
  }
  for (std::size_t k = 0; k < s.sources.size(); ++k) arguments += say(", %s", k);
  body += row_name(row) + " " + destination + arguments + ";\n";
  for (std::size_t k = 0; k < s.results.size(); ++k) body += store(k, s.results[k]);

  generator random;
  std::vector<std::uint64_t> in(sets * slots, 0);
  for (unsigned set = 0; set < sets; ++set)
    for (std::size_t k = 0; k < s.sources.size(); ++k)
      in[set * slots + k] =
          s.sources[k] == 'p' ? random() & 1 : interesting(random, s.sources[k], row.name);
  auto const out = launch(kernel(declarations, body), in);
  for (unsigned set = 0; set < sets; ++set) {
    words const operands(in.begin() + set * slots,
                         in.begin() + set * slots + static_cast<long>(s.sources.size()));
    auto const wanted = evaluate(row.name, operands);
    if (!wanted) return say(row.name, " has no formula");
    for (std::size_t k = 0; k < s.results.size(); ++k) {
      std::uint64_t const got = out[set * slots + k];
      if (!agrees(*wanted, k, got, letter_width(s.results[k])))
        return say(row.name, " of ", in_hexadecimal(operands), " gives ", machine::hexadecimal(got),
                   "; the formula gives ", machine::hexadecimal(wanted->results[k]), " (lane ",
                   set % 32, ", result ", k, ")");
    }
  }
  return {};
}

/// Tests add.cc, addc and similar: one instruction sets the carry, another reads it.
verdict test_carry(machine::table_row const& row) {
  auto const s = shape_of(row);
  auto const parts = split(row.name);
  std::string const type = parts.last();
  unsigned const width = width_of(type);
  bool const multiplies = parts.opcode.substr(0, 3) == "mad";
  bool const reads = parts.opcode.back() == 'c';
  bool const writes = parts.has("cc");
  std::string declarations = say(".reg .b32 %c, %x;\n.reg .b", width, " %d, %s0, %s1, %s2;\n"),
              body;
  for (int k = 0; k < (multiplies ? 3 : 2); ++k)
    body += say("ld.global.b", width, " %s", k, ", [%in+", 8 * k, "];\n");
  body += "ld.global.u32 %c, [%in+24];\nadd.cc.u32 %x, %c, 0xffffffff;\n";
  body += row.name + (multiplies ? " %d, %s0, %s1, %s2;\n" : " %d, %s0, %s1;\n");
  body +=
      say("addc.u32 %c, 0, 0;\nst.global.b", width, " [%out], %d;\nst.global.u32 [%out+8], %c;\n");
  generator random;
  std::vector<std::uint64_t> in(sets * slots, 0);
  for (unsigned set = 0; set < sets; ++set) {
    for (unsigned k = 0; k < 3; ++k)
      in[set * slots + k] = interesting(random, width == 32 ? 'w' : 'l', row.name);
    in[set * slots + 3] = random() & 1;
  }
  auto const out = launch(kernel(declarations, body), in);
  u128 const ones = (u128{1} << width) - 1;
  for (unsigned set = 0; set < sets; ++set) {
    std::uint64_t const* const v = &in[set * slots];
    u128 a = v[0], b = v[1];
    if (multiplies) {
      auto const product =
          evaluate("mul." + std::string(parts.has("hi") ? "hi." : "lo.") + type, {v[0], v[1]});
      a = product->results[0];
      b = v[2];
    }
    bool const subtracts = parts.opcode.substr(0, 3) == "sub";
    if (subtracts) b = ones - b;
    u128 const carry_in = reads ? v[3] : subtracts ? 1 : 0;
    u128 const sum = a + b + carry_in;
    auto const want = static_cast<std::uint64_t>(sum & ones);
    std::uint64_t const want_carry = writes ? static_cast<std::uint64_t>(sum >> width) : v[3];
    if (out[set * slots] != want || out[set * slots + 1] != want_carry)
      return say(row.name, " of ", in_hexadecimal({v[0], v[1], v[2], v[3]}), " gives ",
                 in_hexadecimal({out[set * slots], out[set * slots + 1]}), "; the formula gives ",
                 in_hexadecimal({want, want_carry}));
  }
  return {};
}

}  // namespace machine_rows
