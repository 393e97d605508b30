// Evaluates cvt with exact values (PTX ISA, "cvt"): rounding to an integer, clamping, encoding.
#include <algorithm>

#include "rows/evaluate.hpp"

namespace machine_rows {
namespace {

/// Rounds exact values below 2^63 to an integer. Larger values have no fraction.
quad whole(quad value, std::string_view mode) {
  quad const limit = static_cast<quad>(1ull << 63);
  if (value != value || value >= limit || -value >= limit) return value;
  auto const cut_off = static_cast<quad>(static_cast<long long>(value));
  quad const rest = value - cut_off;  // has the sign of value
  quad result = cut_off;
  if (mode == "rmi" && rest < 0) result -= 1;
  if (mode == "rpi" && rest > 0) result += 1;
  if (mode == "rni") {
    quad const apart = rest < 0 ? -rest : rest;
    bool const odd = static_cast<long long>(cut_off) % 2 != 0;
    if (apart > quad{0.5} || (apart == quad{0.5} && odd)) result += rest < 0 ? -1 : 1;
  }
  return result == 0 ? (__builtin_signbit(static_cast<double>(value)) ? -quad{0} : quad{0})
                     : result;
}

std::string_view whole_mode(name_parts const& name) {
  for (char const* mode : {"rni", "rzi", "rmi", "rpi"})
    if (name.has(mode)) return mode;
  return "";
}

std::string_view rounding(name_parts const& name) {
  for (char const* mode : {"rn", "rz", "rm", "rp", "rna"})
    if (name.has(mode)) return mode;
  return "rn";
}

std::uint64_t to_integer(quad value, std::string_view type, bool from_f64) {
  unsigned const width = width_of(type);
  if (value != value) return width == 64 || from_f64 ? std::uint64_t{1} << (width - 1) : 0;
  s128 const low = is_signed(type) ? -(s128{1} << (width - 1)) : 0;
  s128 const high = is_signed(type) ? (s128{1} << (width - 1)) - 1 : (s128{1} << width) - 1;
  if (value <= static_cast<quad>(low)) return cut(low, width);
  if (value >= static_cast<quad>(high)) return cut(high, width);
  return cut(static_cast<s128>(value), width);
}

std::uint64_t to_float(name_parts const& name, quad value, std::string_view type,
                       std::string_view mode) {
  auto const f = *format_named(type);
  if (name.has("sat")) value = value != value || value <= 0 ? quad{0} : value > 1 ? quad{1} : value;
  std::uint64_t bits = encoded(value, f, mode, name.has("satfinite"));
  std::uint64_t const sign = std::uint64_t{1} << (f.mantissa_bits + f.exponent_bits);
  if (name.has("relu") && (bits & sign) != 0) bits = 0;
  if (name.has("ftz") && type == "f32") bits = flushed(bits, f);
  if (type == "tf32") bits = value != value ? 0x7fffffffu : bits << 13;
  return bits;
}

std::string without_x2(std::string const& type) { return type.substr(0, type.size() - 2); }
bool is_pair(std::string const& type) {
  return type.size() > 2 && type.substr(type.size() - 2) == "x2";
}

std::uint64_t pack_integers(name_parts const& name, words const& s) {
  std::string const& type = name.modifiers[2];  // pack.sat.u8.s32.b32
  unsigned const width = width_of(type);
  s128 const low = is_signed(type) ? -(s128{1} << (width - 1)) : 0;
  s128 const high = is_signed(type) ? (s128{1} << (width - 1)) - 1 : (s128{1} << width) - 1;
  auto const narrow = [&](std::uint64_t bits) {
    return cut(std::clamp(integer(bits, "s32"), low, high), width);
  };
  std::uint64_t const rest = s.size() > 2 ? s[2] << (2 * width) : 0;
  return cut(static_cast<s128>(rest | narrow(s[0]) << width | narrow(s[1])), 32);
}

}  // namespace

std::optional<expected> evaluate_convert(name_parts const& name, words const& s) {
  if (name.opcode != "cvt") return std::nullopt;
  auto const one = [](std::uint64_t value) { return expected{{value}}; };
  if (name.has("pack")) return one(pack_integers(name, s));
  std::string const& to = name.last(1);
  std::string const& from = name.last();
  auto const mode = rounding(name);
  if (is_pair(to)) {
    std::string const part = without_x2(to);
    auto const f = *format_named(part);
    unsigned const stride = f.mantissa_bits + f.exponent_bits + 1 == 8 ? 8 : 16;
    quad high = 0, low = 0;
    if (is_pair(from)) {
      auto const g = *format_named(without_x2(from));
      unsigned const step = g.mantissa_bits + g.exponent_bits + 1 == 8 ? 8 : 16;
      std::uint64_t const mask = (std::uint64_t{1} << step) - 1;
      low = decoded(s[0] & mask, g);
      high = decoded((s[0] >> step) & mask, g);
    } else {
      high = decoded(s[0], *format_named("f32"));
      low = decoded(s[1], *format_named("f32"));
    }
    return one(to_float(name, high, part, mode) << stride | to_float(name, low, part, mode));
  }
  if (is_integer(to) && is_integer(from)) {
    s128 value = integer(s[0], from);
    unsigned const width = width_of(to);
    if (name.has("sat")) {
      s128 const low = is_signed(to) ? -(s128{1} << (width - 1)) : 0;
      s128 const high = is_signed(to) ? (s128{1} << (width - 1)) - 1 : (s128{1} << width) - 1;
      value = std::clamp(value, low, high);
    }
    return one(cut(value, width));
  }
  if (is_integer(from))
    return one(to_float(name, static_cast<quad>(integer(s[0], from)), to, mode));
  auto const f = *format_named(from);
  std::uint64_t const bits = name.has("ftz") && from == "f32" ? flushed(s[0], f) : s[0];
  quad value = decoded(bits, f);
  if (!whole_mode(name).empty()) value = whole(value, whole_mode(name));
  if (is_integer(to)) return one(to_integer(value, to, from == "f64"));
  expected made = one(to_float(name, value, to, mode));
  made.any_nan = to == "f64";
  return made;
}

}  // namespace machine_rows
