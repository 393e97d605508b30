// Tests atom and red: the returned old value and the new value in memory, with one cell for each
// lane.
#include <algorithm>

#include "rows/harness.hpp"
#include "text/error.hpp"

namespace machine_rows {
namespace {

using machine::say;

std::uint64_t stepped(name_parts const& name, std::uint64_t old, std::uint64_t b, std::uint64_t c,
                      bool shared) {
  std::string const& type = name.last();
  if (name.has("exch")) return b;
  if (name.has("cas")) return old == b ? c : old;
  if (name.has("inc")) return old >= b ? 0 : old + 1;
  if (name.has("dec")) return old == 0 || old > b ? b : old - 1;
  if (name.has("and")) return old & b;
  if (name.has("or")) return old | b;
  if (name.has("xor")) return old ^ b;
  // Only f32 in global memory flushes subnormals.
  if (!is_integer(type))
    return evaluate((!shared && type == "f32" ? "add.rn.ftz." : "add.rn.") + type, {old, b})
        ->results[0];
  return evaluate((name.has("add")   ? "add."
                   : name.has("min") ? "min."
                                     : "max.") +
                      type,
                  {old, b})
      ->results[0];
}

bool both_nan(std::uint64_t a, std::uint64_t b, std::string const& type) {
  auto const f = format_named(type);
  return f && is_nan(a, *f) && is_nan(b, *f);
}

}  // namespace

verdict test_atomic(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const returns = name.opcode == "atom";
  bool const shared = name.has("shared");
  unsigned const width = width_of(name.last()) == 16 && name.last().find("x2") != std::string::npos
                             ? 32
                             : width_of(name.last());
  std::string declarations = say(".reg .b", width, " %d, %s<3>;\n.reg .b64 %a;\n.reg .b32 %x;\n");
  std::string body = "add.u64 %a, %out, 32;\n";
  if (shared) {
    declarations += ".shared .align 8 .b8 cells[256];\n";
    body = "mov.u32 %x, cells;\nmad.lo.u32 %x, %lane, 8, %x;\ncvt.u64.u32 %a, %x;\n";
  }
  std::string const space = shared ? "shared" : "global";
  for (int k = 0; k < 3; ++k) body += say("ld.global.b", width, " %s", k, ", [%in+", 8 * k, "];\n");
  body += say("mov.b", width, " %d, %s0;\nst.", space, ".b", width, " [%a], %s0;\n", row.name,
              returns ? " %d, " : " ", "[%a], %s1", name.has("cas") ? ", %s2" : "",
              ";\nst.global.b", width, " [%out], %d;\nld.", space, ".b", width,
              " %d, [%a];\nst.global.b", width, " [%out+8], %d;\n");
  generator random;
  char const letter = name.last() == "f32"   ? 'f'
                      : name.last() == "f64" ? 'g'
                      : width == 16          ? 'h'
                      : width == 32          ? 'w'
                                             : 'l';
  std::vector<std::uint64_t> in(sets * slots, 0);
  for (unsigned set = 0; set < sets; ++set) {
    for (unsigned k = 0; k < 3; ++k) in[set * slots + k] = interesting(random, letter, row.name);
    if (set % 3 == 0)
      in[set * slots + 1] = in[set * slots];  // equal operands: cas swaps, inc wraps
  }
  auto const out = launch(kernel(declarations, body), in);
  for (unsigned set = 0; set < sets; ++set) {
    std::uint64_t const* const v = &in[set * slots];
    std::uint64_t const want =
        cut(static_cast<s128>(stepped(name, v[0], v[1], v[2], shared)), width);
    std::uint64_t const old = out[set * slots], now = out[set * slots + 1];
    if (old != v[0] || (now != want && !both_nan(now, want, name.last())))
      return say(row.name, " of ", in_hexadecimal({v[0], v[1], v[2]}), " returns ",
                 machine::hexadecimal(old), " and leaves ", machine::hexadecimal(now),
                 "; the formula gives ", machine::hexadecimal(want));
  }
  return {};
}

}  // namespace machine_rows
