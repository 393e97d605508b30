// Tests atom and red on vectors in global memory: each element follows the scalar formula.
//
// A set of `in` has 16 bytes of old values, then 16 bytes of operands. A set of `out` has 16 bytes
// of returned values, 16 bytes that the kernel copies from the vector at the end, and the vector.
#include "rows/harness.hpp"
#include "rows/ptx.hpp"

namespace machine_rows {
namespace {

using machine::say;

struct vector_operation {
  std::string instruction;
  bool returns;    // atom, not red
  unsigned count;  // of elements
  std::string type;

  bool packed() const { return type.ends_with("x2"); }  // two halves in an element
  unsigned width() const { return packed() || type == "f32" ? 32 : 16; }
  unsigned bytes() const { return count * width() / 8; }
  std::string scalar_type() const { return packed() ? type.substr(0, type.size() - 2) : type; }
};

vector_operation operation_of(machine::table_row const& row) {
  auto const name = split(row.name);
  return {row.name, name.opcode == "atom",
          name.has("v2")   ? 2u
          : name.has("v4") ? 4u
                           : 8u,
          name.last()};
}

std::string kernel_of(vector_operation const& of) {
  unsigned const width = of.width(), bytes = of.bytes();
  std::string body = "add.u64 %a, %out, 32;\n";  // the address of the vector
  for (unsigned at = 0; at < bytes; at += 8)
    body += filled(R"(
  ld.global.b64 %w0, [%in+$AT];
  st.global.b64 [%a+$AT], %w0;
)",
                   {{"$AT", at}});
  for (unsigned k = 0; k < of.count; ++k)
    body += say("ld.global.b", width, " %s", k, ", [%in+", 16 + k * width / 8, "];\n");
  std::string const returned = of.returns ? " " + braces("%d", of.count) + "," : "";
  body += of.instruction + returned + " [%a], " + braces("%s", of.count) + ";\n";
  for (unsigned k = 0; of.returns && k < of.count; ++k)
    body += say("st.global.b", width, " [%out+", k * width / 8, "], %d", k, ";\n");
  for (unsigned at = 0; at < bytes; at += 8)
    body += filled(R"(
  ld.global.b64 %w1, [%a+$FROM];
  st.global.b64 [%out+$TO], %w1;
)",
                   {{"$FROM", at}, {"$TO", 16 + at}});
  return kernel(say(".reg .b", width, " %d<8>, %s<8>;\n.reg .b64 %w<2>, %a;\n"), body);
}

std::vector<std::uint64_t> operands_of(vector_operation const& of) {
  generator random;
  unsigned const width = of.width();
  char const letter = of.type == "f32" ? 'f' : width == 16 ? 'h' : 'w';
  std::vector<std::uint64_t> in(sets * slots, 0);
  for (unsigned set = 0; set < sets; ++set)
    for (unsigned begin : {0u, 128u})  // bit of the old values and of the operands
      for (unsigned k = 0; k < of.count; ++k) {
        unsigned const bit = begin + k * width;
        auto const value = static_cast<s128>(interesting(random, letter, of.instruction));
        in[set * slots + bit / 64] |= cut(value, width) << (bit % 64);
      }
  return in;
}

/// Returns element k of packed elements of `width` bits.
std::uint64_t element(std::uint64_t const* words, unsigned k, unsigned width) {
  unsigned const bit = k * width;
  return cut(static_cast<s128>(words[bit / 64] >> (bit % 64)), width);
}

/// True if `now` is the result of the scalar operation. Any NaN equals any other.
bool is_scalar_result(vector_operation const& of, std::uint64_t before, std::uint64_t operand,
                      std::uint64_t now) {
  auto const name = split(of.instruction);
  std::string const type = of.scalar_type();
  std::string const operation = name.has("min")   ? "min."
                                : name.has("max") ? "max."
                                : type == "f32"   ? "add.rn.ftz."
                                                  : "add.rn.";
  auto const result = evaluate(operation + type, {before, operand})->results[0];
  std::uint64_t const want = cut(static_cast<s128>(result), width_of(type));
  auto const format = format_named(type);
  return now == want || (format && is_nan(now, *format) && is_nan(want, *format));
}

bool is_result(vector_operation const& of, std::uint64_t before, std::uint64_t operand,
               std::uint64_t now) {
  if (!of.packed()) return is_scalar_result(of, before, operand, now);
  auto const low = [](std::uint64_t value) { return value & 0xffff; };
  auto const high = [](std::uint64_t value) { return value >> 16 & 0xffff; };
  return is_scalar_result(of, low(before), low(operand), low(now)) &&
         is_scalar_result(of, high(before), high(operand), high(now));
}

}  // namespace

verdict test_atomic_vector(machine::table_row const& row) {
  auto const of = operation_of(row);
  auto const in = operands_of(of);
  auto const out = launch(kernel_of(of), in);
  unsigned const width = of.width();
  for (unsigned set = 0; set < sets; ++set)
    for (unsigned k = 0; k < of.count; ++k) {
      std::uint64_t const before = element(&in[set * slots], k, width);
      std::uint64_t const operand = element(&in[set * slots + 2], k, width);
      std::uint64_t const returned = element(&out[set * slots], k, width);
      std::uint64_t const now = element(&out[set * slots + 2], k, width);
      if ((of.returns && returned != before) || !is_result(of, before, operand, now))
        return say(row.name, ", element ", k, " of ", in_hexadecimal({before, operand}),
                   " returns ", machine::hexadecimal(returned), " and leaves ",
                   machine::hexadecimal(now));
    }
  return {};
}

}  // namespace machine_rows
