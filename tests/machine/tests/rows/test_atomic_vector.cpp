// Tests atom and red on vectors in global memory: each element follows the scalar formula.
#include "rows/harness.hpp"
#include "text/error.hpp"

namespace machine_rows {
namespace {

using machine::say;

/// Returns element k of packed elements of `width` bits.
std::uint64_t element(std::uint64_t const* words, unsigned k, unsigned width) {
  unsigned const bit = k * width;
  return cut(static_cast<s128>(words[bit / 64] >> (bit % 64)), width);
}

bool both_nan(std::uint64_t a, std::uint64_t b, std::string const& type) {
  auto const f = format_named(type);
  return f && is_nan(a, *f) && is_nan(b, *f);
}

std::uint64_t half_of(std::uint64_t packed, unsigned k) { return packed >> (16 * k) & 0xffffu; }

}  // namespace

verdict test_atomic_vector(machine::table_row const& row) {
  auto const name = split(row.name);
  bool const returns = name.opcode == "atom";
  unsigned const count = name.has("v2") ? 2 : name.has("v4") ? 4 : 8;
  std::string const type = name.last();
  bool const packed = type.find("x2") != std::string::npos;
  unsigned const width = packed || type == "f32" ? 32 : 16, bytes = count * width / 8;
  std::string const scalar = packed ? type.substr(0, type.size() - 2) : type;
  std::string const operation = name.has("min")   ? "min."
                                : name.has("max") ? "max."
                                : type == "f32"   ? "add.rn.ftz."
                                                  : "add.rn.";
  std::string old_list, with_list;
  for (unsigned k = 0; k < count; ++k) {
    old_list += say(k == 0 ? "" : ", ", "%d", k);
    with_list += say(k == 0 ? "" : ", ", "%s", k);
  }
  std::string const declarations = say(".reg .b", width, " %d<8>, %s<8>;\n.reg .b64 %w<2>, %a;\n");
  // %a is the address of the cell, after 16 bytes of old values and 16 bytes of new ones.
  std::string body = "add.u64 %a, %out, 32;\n";
  for (unsigned at = 0; at < bytes; at += 8) {
    body += say("ld.global.b64 %w0, [%in+", at, "];\nst.global.b64 [%a+", at, "], %w0;\n");
  }
  for (unsigned k = 0; k < count; ++k)
    body += say("ld.global.b", width, " %s", k, ", [%in+", 16 + k * width / 8, "];\n");
  body += say(row.name, returns ? say(" {", old_list, "},") : "", " [%a], {", with_list, "};\n");
  for (unsigned k = 0; returns && k < count; ++k)
    body += say("st.global.b", width, " [%out+", k * width / 8, "], %d", k, ";\n");
  for (unsigned at = 0; at < bytes; at += 8)
    body += say("ld.global.b64 %w1, [%a+", at, "];\nst.global.b64 [%out+", 16 + at, "], %w1;\n");
  generator random;
  char const letter = type == "f32" ? 'f' : width == 16 ? 'h' : 'w';
  std::vector<std::uint64_t> in(sets * slots, 0);
  for (unsigned set = 0; set < sets; ++set)
    for (unsigned k = 0; k < 2 * count; ++k) {
      unsigned const bit = k < count ? k * width : 128 + (k - count) * width;
      in[set * slots + bit / 64] |=
          cut(static_cast<s128>(interesting(random, letter, row.name)), width) << (bit % 64);
    }
  auto const out = launch(kernel(declarations, body), in);
  for (unsigned set = 0; set < sets; ++set)
    for (unsigned k = 0; k < count; ++k) {
      std::uint64_t const before = element(&in[set * slots], k, width);
      std::uint64_t const with = element(&in[set * slots + 2], k, width);
      std::uint64_t const old = element(&out[set * slots], k, width);
      std::uint64_t const now = element(&out[set * slots + 2], k, width);
      bool right = !returns || old == before;
      for (unsigned part = 0; part < (packed ? 2u : 1u); ++part) {
        auto const pick = [&](std::uint64_t value) {
          return packed ? half_of(value, part) : value;
        };
        std::uint64_t const want = cut(
            static_cast<s128>(evaluate(operation + scalar, {pick(before), pick(with)})->results[0]),
            packed ? 16 : width);
        right = right && (pick(now) == want || both_nan(pick(now), want, scalar));
      }
      if (!right)
        return say(row.name, ", element ", k, " of ", in_hexadecimal({before, with}), " returns ",
                   machine::hexadecimal(old), " and leaves ", machine::hexadecimal(now));
    }
  return {};
}

}  // namespace machine_rows
