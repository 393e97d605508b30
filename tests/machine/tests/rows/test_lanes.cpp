// Tests rows that compute lane by lane: every set of operands is compared with evaluate().
#include <algorithm>
#include <cctype>

#include "rows/harness.hpp"
#include "rows/ptx.hpp"

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

namespace {

/// An instruction that sets the carry, reads it or both: add.cc, addc, addc.cc and similar.
struct carry_row {
  name_parts name;
  bool multiplies() const { return name.opcode.starts_with("mad"); }
  bool subtracts() const { return name.opcode.starts_with("sub"); }
  bool reads() const { return name.opcode.ends_with("c"); }
  bool writes() const { return name.has("cc"); }
  unsigned width() const { return width_of(name.last()); }
};

/// %c is the carry before the instruction, then the carry after it.
std::string kernel_of(machine::table_row const& row, carry_row const& of) {
  return filled(kernel(R"(
  .reg .b32 %c, %x;
  .reg .b$WIDTH %d, %s0, %s1, %s2;
)",
                       R"(
  ld.global.b$WIDTH %s0, [%in+0];
  ld.global.b$WIDTH %s1, [%in+8];
  $LOAD_THIRD
  ld.global.u32 %c, [%in+24];
  add.cc.u32 %x, %c, 0xffffffff;
  $NAME %d, %s0, %s1$THIRD;
  addc.u32 %c, 0, 0;
  st.global.b$WIDTH [%out], %d;
  st.global.u32 [%out+8], %c;
)"),
                {{"$LOAD_THIRD", of.multiplies() ? "ld.global.b$WIDTH %s2, [%in+16];" : ""},
                 {"$THIRD", of.multiplies() ? ", %s2" : ""},
                 {"$NAME", row.name},
                 {"$WIDTH", of.width()}});
}

std::vector<std::uint64_t> operands_of(machine::table_row const& row, carry_row const& of) {
  generator random;
  std::vector<std::uint64_t> in(sets * slots, 0);
  for (unsigned set = 0; set < sets; ++set) {
    for (unsigned k = 0; k < 3; ++k)
      in[set * slots + k] = interesting(random, of.width() == 32 ? 'w' : 'l', row.name);
    in[set * slots + 3] = random() & 1;
  }
  return in;
}

/// Returns the result and the carry for the operands a, b, c and the carry before.
words wanted(carry_row const& of, std::uint64_t const* v) {
  u128 const ones = (u128{1} << of.width()) - 1;
  u128 a = v[0], b = v[1];
  if (of.multiplies()) {
    std::string const half = of.name.has("hi") ? "hi." : "lo.";
    a = evaluate("mul." + half + of.name.last(), {v[0], v[1]})->results[0];
    b = v[2];
  }
  if (of.subtracts()) b = ones - b;
  u128 const carry_in = of.reads() ? v[3] : of.subtracts() ? 1 : 0;
  u128 const sum = a + b + carry_in;
  return {static_cast<std::uint64_t>(sum & ones),
          of.writes() ? static_cast<std::uint64_t>(sum >> of.width()) : v[3]};
}

}  // namespace

verdict test_carry(machine::table_row const& row) {
  carry_row const of{split(row.name)};
  auto const in = operands_of(row, of);
  auto const out = launch(kernel_of(row, of), in);
  for (unsigned set = 0; set < sets; ++set) {
    std::uint64_t const* const v = &in[set * slots];
    words const want = wanted(of, v), got{out[set * slots], out[set * slots + 1]};
    if (got != want)
      return say(row.name, " of ", in_hexadecimal({v[0], v[1], v[2], v[3]}), " gives ",
                 in_hexadecimal(got), "; the formula gives ", in_hexadecimal(want));
  }
  return {};
}

}  // namespace machine_rows
