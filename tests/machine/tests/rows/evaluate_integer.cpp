// Evaluates integer arithmetic in 128 bits, then truncates (PTX ISA, "Integer Arithmetic
// Instructions").
#include <algorithm>

#include "rows/evaluate.hpp"

namespace machine_rows {
namespace {

s128 lowest(std::string_view type) {
  return is_signed(type) ? -(s128{1} << (width_of(type) - 1)) : 0;
}
s128 highest(std::string_view type) {
  return is_signed(type) ? (s128{1} << (width_of(type) - 1)) - 1 : (s128{1} << width_of(type)) - 1;
}

/// The upper half of an unsigned product of 64 x 64 bits, from four partial products: the whole
/// product does not fit s128.
std::uint64_t high_of_u64(std::uint64_t a, std::uint64_t b) {
  std::uint64_t const mask = 0xffffffffu;
  std::uint64_t const low = (a & mask) * (b & mask);
  std::uint64_t const cross1 = (a >> 32) * (b & mask) + (low >> 32);
  std::uint64_t const cross2 = (a & mask) * (b >> 32) + (cross1 & mask);
  return (a >> 32) * (b >> 32) + (cross1 >> 32) + (cross2 >> 32);
}

s128 floor_shift(s128 value, unsigned by) {
  s128 const unit = s128{1} << by;
  s128 quotient = value / unit;
  if (value % unit != 0 && value < 0) --quotient;
  return quotient;
}

std::uint64_t packed(name_parts const& name, std::uint64_t a, std::uint64_t b) {
  std::string const part = name.last() == "s16x2" ? "s16" : "u16";
  std::uint64_t result = 0;
  for (unsigned half = 0; half < 2; ++half) {
    s128 const x = integer(a >> (16 * half), part);
    s128 const y = integer(b >> (16 * half), part);
    s128 value = name.opcode == "add"   ? x + y
                 : name.opcode == "min" ? std::min(x, y)
                                        : std::max(x, y);
    if (name.has("relu")) value = std::max<s128>(value, 0);
    result |= cut(value, 16) << (16 * half);
  }
  return result;
}

std::uint64_t dot(name_parts const& name, words const& s) {
  std::string const& a_type = name.last(1);
  std::string const& b_type = name.last();
  bool const dp2a = name.opcode == "dp2a";  // two halves of a, otherwise four bytes
  s128 sum = integer(s[2], "u32");
  for (unsigned k = 0; k < (dp2a ? 2u : 4u); ++k) {
    std::string const a_part = std::string(is_signed(a_type) ? "s" : "u") + (dp2a ? "16" : "8");
    std::string const b_part = is_signed(b_type) ? "s8" : "u8";
    unsigned const b_index = dp2a && name.has("hi") ? k + 2 : k;
    sum += integer(s[0] >> ((dp2a ? 16 : 8) * k), a_part) * integer(s[1] >> (8 * b_index), b_part);
  }
  return cut(sum, 32);
}

std::optional<std::uint64_t> product(name_parts const& name, words const& s) {
  std::string const& type = name.last();
  unsigned const width = width_of(type);
  bool const adds = name.opcode.substr(0, 3) == "mad";
  bool const is_24_bit = name.opcode == "mul24" || name.opcode == "mad24";
  if (width == 64 && !is_signed(type)) {
    std::uint64_t const part = name.has("hi") ? high_of_u64(s[0], s[1]) : s[0] * s[1];
    return part + (adds ? s[2] : 0);
  }
  // The shift to bits 8 to 31 and the division by 256 extend the sign of a 24-bit operand.
  s128 const a = is_24_bit ? integer(s[0] << 8 & 0xffffffffu, type) / 256 : integer(s[0], type);
  s128 const b = is_24_bit ? integer(s[1] << 8 & 0xffffffffu, type) / 256 : integer(s[1], type);
  s128 value = a * b;
  unsigned result_width = width;
  if (name.has("wide")) result_width = 2 * width;
  if (name.has("hi")) value = floor_shift(value, is_24_bit ? 16 : width);
  if (adds) {
    if (name.has("sat")) {
      value = integer(cut(value, 32), "s32") + integer(s[2], "s32");
      value = std::clamp(value, lowest("s32"), highest("s32"));
    } else {
      value = static_cast<s128>(static_cast<u128>(value) + s[2]);
    }
  }
  return cut(value, result_width);
}

}  // namespace

std::optional<expected> evaluate_integer(name_parts const& name, words const& s) {
  if (name.modifiers.empty()) return std::nullopt;
  std::string const& op = name.opcode;
  std::string const& type = name.last();
  auto const one = [](std::uint64_t value) { return expected{{value}}; };
  if (type == "u16x2" || type == "s16x2") return one(packed(name, s[0], s[1]));
  if (op == "dp4a" || op == "dp2a") return one(dot(name, s));
  if (!is_integer(type)) return std::nullopt;
  if (op == "mul" || op == "mad" || op == "mul24" || op == "mad24") {
    if (auto const value = product(name, s)) return one(*value);
    return std::nullopt;
  }
  unsigned const width = width_of(type);
  s128 const a = integer(s[0], type);
  s128 const b = s.size() > 1 ? integer(s[1], type) : 0;
  s128 value = 0;
  if (op == "add")
    value = a + b;
  else if (op == "sub")
    value = a - b;
  else if (op == "div")
    value = b == 0 ? s128{-1} : a / b;
  else if (op == "rem")
    value = b == 0 ? a : a % b;
  else if (op == "min")
    value = std::min(a, b);
  else if (op == "max")
    value = std::max(a, b);
  else if (op == "abs")
    value = a < 0 ? -a : a;
  else if (op == "neg")
    value = -a;
  else if (op == "sad")
    value = integer(s[2], type) + (a < b ? b - a : a - b);
  else
    return std::nullopt;
  if (name.has("relu")) value = std::max<s128>(value, 0);
  if (name.has("sat")) value = std::clamp(value, lowest(type), highest(type));
  return one(cut(value, width));
}

}  // namespace machine_rows
