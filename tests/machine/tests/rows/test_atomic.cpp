// Tests atom and red: the returned old value and the new value in memory, with one cell for each
// lane.
#include <algorithm>

#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows {
namespace {

using machine::say;

/// The value in memory after the operation.
std::uint64_t value_after(name_parts const& name, std::uint64_t old, std::uint64_t b,
                          std::uint64_t c, bool shared) {
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

unsigned width_of_cell(std::string const& type) {
  return type.ends_with("16x2") ? 32 : width_of(type);
}

std::string kernel_of(machine::table_row const& row, name_parts const& name) {
  std::string const in_global = "add.u64 %a, %out, 32;";
  std::string const in_shared = R"(
  .shared .align 8 .b8 cells[256];
  mov.u32 %x, cells;
  mad.lo.u32 %x, %lane, 8, %x;
  cvt.u64.u32 %a, %x;
)";
  bool const returns = name.opcode == "atom", shared = name.has("shared");
  std::string const instruction =
      row.name + (returns ? " %d, " : " ") + "[%a], %s1" + (name.has("cas") ? ", %s2" : "") + ";";
  return filled(kernel(R"(
  .reg .b$WIDTH %d, %s<3>;
  .reg .b64 %a;
  .reg .b32 %x;
)",
                       R"(
  $ADDRESS
  ld.global.b$WIDTH %s0, [%in+0];
  ld.global.b$WIDTH %s1, [%in+8];
  ld.global.b$WIDTH %s2, [%in+16];
  mov.b$WIDTH %d, %s0;
  st.$SPACE.b$WIDTH [%a], %s0;
  $INSTRUCTION
  st.global.b$WIDTH [%out], %d;
  ld.$SPACE.b$WIDTH %d, [%a];
  st.global.b$WIDTH [%out+8], %d;
)"),
                {{"$ADDRESS", shared ? in_shared : in_global},
                 {"$SPACE", shared ? "shared" : "global"},
                 {"$INSTRUCTION", instruction},
                 {"$WIDTH", width_of_cell(name.last())}});
}

std::vector<std::uint64_t> operands_of(machine::table_row const& row, std::string const& type) {
  unsigned const width = width_of_cell(type);
  char const letter = type == "f32"   ? 'f'
                      : type == "f64" ? 'g'
                      : width == 16   ? 'h'
                      : width == 32   ? 'w'
                                      : 'l';
  generator random;
  std::vector<std::uint64_t> in(sets * slots, 0);
  for (unsigned set = 0; set < sets; ++set) {
    std::uint64_t* const v = &in[set * slots];
    for (unsigned k = 0; k < 3; ++k) v[k] = interesting(random, letter, row.name);
    if (set % 3 == 0) v[1] = v[0];  // equal operands: cas swaps, inc wraps
  }
  return in;
}

}  // namespace

verdict test_atomic(machine::table_row const& row) {
  auto const name = split(row.name);
  std::string const& type = name.last();
  auto const in = operands_of(row, type);
  auto const out = launch(kernel_of(row, name), in);
  for (unsigned set = 0; set < sets; ++set) {
    std::uint64_t const* const v = &in[set * slots];
    std::uint64_t const next = value_after(name, v[0], v[1], v[2], name.has("shared"));
    std::uint64_t const want = cut(static_cast<s128>(next), width_of_cell(type));
    std::uint64_t const old = out[set * slots], now = out[set * slots + 1];
    if (old != v[0] || (now != want && !both_nan(now, want, type)))
      return say(row.name, " of ", in_hexadecimal({v[0], v[1], v[2]}), " returns ",
                 machine::hexadecimal(old), " and leaves ", machine::hexadecimal(now),
                 "; the formula gives ", machine::hexadecimal(want));
  }
  return {};
}

}  // namespace machine_rows
