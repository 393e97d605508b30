// Splits opcode names, decodes integers and floats, and rounds values to float formats.
#include "rows/evaluate.hpp"

#include <algorithm>
#include <cmath>

namespace machine_rows {

bool name_parts::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

name_parts split(std::string_view name) {
  if (!name.empty() && name.back() == '|') name.remove_suffix(1);
  name_parts parts;
  std::size_t at = name.find('.');
  parts.opcode = std::string(name.substr(0, at));
  while (at < name.size()) {
    std::size_t const end = std::min(name.find('.', at + 1), name.size());
    parts.modifiers.emplace_back(name.substr(at + 1, end - at - 1));
    at = end;
  }
  return parts;
}

unsigned width_of(std::string_view type) {
  if (type == "pred") return 1;
  if (type.substr(0, 2) == "bf") return 16;
  unsigned width = 0;
  for (char const c : type.substr(1))
    if (c >= '0' && c <= '9')
      width = width * 10 + static_cast<unsigned>(c - '0');
    else
      break;
  return width;
}

bool is_signed(std::string_view type) { return type.front() == 's'; }
bool is_integer(std::string_view type) {
  return type.size() >= 2 && (type[0] == 's' || type[0] == 'u' || type[0] == 'b') &&
         type[1] >= '0' && type[1] <= '9';
}

s128 integer(std::uint64_t bits, std::string_view type) {
  unsigned const width = width_of(type);
  u128 const whole = u128{1} << width;
  u128 const value = bits % whole;
  return is_signed(type) && value >= whole / 2 ? static_cast<s128>(value) - static_cast<s128>(whole)
                                               : static_cast<s128>(value);
}

std::uint64_t cut(s128 value, unsigned width) {
  auto const bits = static_cast<std::uint64_t>(static_cast<u128>(value));
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

std::optional<float_format> format_named(std::string_view type) {
  if (type == "f16") return float_format{5, 10, true};
  if (type == "bf16") return float_format{8, 7, true};
  if (type == "tf32") return float_format{8, 10, true};
  if (type == "f32") return float_format{8, 23, true};
  if (type == "f64") return float_format{11, 52, true};
  if (type == "e4m3") return float_format{4, 3, false};
  if (type == "e5m2") return float_format{5, 2, true};
  return std::nullopt;
}

namespace {

quad scaled(quad value, int exponent) {
  for (; exponent > 1000; exponent -= 1000) value *= static_cast<quad>(std::ldexp(1.0, 1000));
  for (; exponent < -1000; exponent += 1000) value *= static_cast<quad>(std::ldexp(1.0, -1000));
  return value * static_cast<quad>(std::ldexp(1.0, exponent));
}

int bias_of(float_format const& f) { return (1 << (f.exponent_bits - 1)) - 1; }

}  // namespace

bool is_nan(std::uint64_t bits, float_format const& f) {
  std::uint64_t const mantissa = bits & ((std::uint64_t{1} << f.mantissa_bits) - 1);
  std::uint64_t const exponent =
      (bits >> f.mantissa_bits) & ((std::uint64_t{1} << f.exponent_bits) - 1);
  bool const top = exponent == (std::uint64_t{1} << f.exponent_bits) - 1;
  return top &&
         (f.has_infinity ? mantissa != 0 : mantissa == (std::uint64_t{1} << f.mantissa_bits) - 1);
}

quad decoded(std::uint64_t bits, float_format const& f) {
  std::uint64_t const mantissa = bits & ((std::uint64_t{1} << f.mantissa_bits) - 1);
  auto const exponent =
      static_cast<int>((bits >> f.mantissa_bits) & ((std::uint64_t{1} << f.exponent_bits) - 1));
  bool const negative = ((bits >> (f.mantissa_bits + f.exponent_bits)) & 1) != 0;
  quad value = 0;
  if (is_nan(bits, f))
    value = static_cast<quad>(__builtin_nan(""));
  else if (f.has_infinity && exponent == (1 << f.exponent_bits) - 1)
    value = static_cast<quad>(__builtin_inf());
  else if (exponent == 0)
    value = scaled(static_cast<quad>(mantissa), 1 - bias_of(f) - f.mantissa_bits);
  else
    value = scaled(static_cast<quad>(mantissa + (std::uint64_t{1} << f.mantissa_bits)),
                   exponent - bias_of(f) - f.mantissa_bits);
  return negative ? -value : value;
}

std::uint64_t flushed(std::uint64_t bits, float_format const& f) {
  std::uint64_t const sign = std::uint64_t{1} << (f.mantissa_bits + f.exponent_bits);
  std::uint64_t const exponent =
      (bits >> f.mantissa_bits) & ((std::uint64_t{1} << f.exponent_bits) - 1);
  return exponent == 0 ? bits & sign : bits;
}

std::uint64_t encoded(quad value, float_format const& f, std::string_view mode,
                      bool saturate_finite) {
  std::uint64_t const sign_bit = std::uint64_t{1} << (f.mantissa_bits + f.exponent_bits);
  if (value != value) return sign_bit - 1;  // canonical NaN: ones below the sign
  bool const negative = value < 0 || (value == 0 && __builtin_signbit(static_cast<double>(value)));
  quad magnitude = negative ? -value : value;
  std::uint64_t const sign = negative ? sign_bit : 0;
  std::uint64_t const infinity = ((std::uint64_t{1} << f.exponent_bits) - 1) << f.mantissa_bits;
  std::uint64_t const largest = f.has_infinity ? infinity - 1 : sign_bit - 2;
  if (magnitude == 0) return sign;
  bool const infinite = magnitude > scaled(quad{1}, 1030);
  if (infinite) return sign | (saturate_finite || !f.has_infinity ? largest : infinity);
  // Computes one ulp at this magnitude.
  quad const bounded = std::clamp(magnitude, scaled(quad{1}, -1022), scaled(quad{1}, 1000));
  int exponent = std::max(1 - bias_of(f), std::ilogb(static_cast<double>(bounded)) - 1);
  while (magnitude >= scaled(quad{1}, exponent + 1)) ++exponent;
  quad const unit = scaled(quad{1}, exponent - f.mantissa_bits);
  quad const steps = magnitude / unit;
  auto kept = static_cast<std::uint64_t>(steps);
  quad const rest = steps - static_cast<quad>(kept);
  bool up = false;
  if (mode == "rn") up = rest > quad{0.5} || (rest == quad{0.5} && kept % 2 == 1);
  if (mode == "rna") up = rest >= quad{0.5};
  if (mode == "rp") up = rest > 0 && !negative;
  if (mode == "rm") up = rest > 0 && negative;
  kept += up ? 1 : 0;
  std::uint64_t const hidden = std::uint64_t{1} << f.mantissa_bits;
  std::uint64_t bits = kept;
  if (kept >= hidden)
    bits = (static_cast<std::uint64_t>(exponent + bias_of(f) - 1) << f.mantissa_bits) + kept;
  if (bits > largest) {
    bool const to_infinity =
        mode == "rn" || mode == "rna" || (mode == "rp" && !negative) || (mode == "rm" && negative);
    bits = f.has_infinity && !saturate_finite && to_infinity ? infinity : largest;
  }
  return sign | bits;
}

std::optional<expected> evaluate(std::string_view name, words const& s) {
  auto const parts = split(name);
  for (evaluator const each : {evaluate_convert, evaluate_compare, evaluate_half, evaluate_float,
                               evaluate_integer, evaluate_bits})
    if (auto made = each(parts, s)) return made;
  return std::nullopt;
}

}  // namespace machine_rows
