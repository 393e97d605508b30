// Evaluates f16, bf16 and their pairs. A result is computed exactly, or in long double for ex2 and
// tanh, and rounded once to nearest even.
#include <cmath>

#include "rows/evaluate.hpp"

namespace machine_rows {
namespace {

std::optional<std::uint64_t> one_half(name_parts const& name, float_format const& f,
                                      words const& s) {
  bool const ftz = name.has("ftz");
  auto const bits = [&](std::size_t k) { return ftz ? flushed(s[k], f) : s[k]; };
  auto const value = [&](std::size_t k) { return decoded(bits(k), f); };
  std::string const& op = name.opcode;
  if (op == "neg") return bits(0) ^ 0x8000u;
  if (op == "abs") return bits(0) & 0x7fffu;
  quad result = 0;
  if (op == "add")
    result = value(0) + value(1);
  else if (op == "sub")
    result = value(0) - value(1);
  else if (op == "mul")
    result = value(0) * value(1);
  else if (op == "fma")
    result = value(0) * value(1) + value(2);
  else if (op == "ex2")
    result = static_cast<quad>(std::exp2(static_cast<long double>(value(0))));
  else if (op == "tanh")
    result = static_cast<quad>(std::tanh(static_cast<long double>(value(0))));
  else if (op == "min" || op == "max") {
    auto a = static_cast<double>(value(0));
    auto b = static_cast<double>(value(1));
    bool const negative = std::signbit(a) != std::signbit(b);
    if (name.has("abs")) {
      a = std::fabs(a);
      b = std::fabs(b);
    }
    double chosen = 0;
    if (std::isnan(a) || std::isnan(b)) {
      if (name.has("NaN") || (std::isnan(a) && std::isnan(b))) return 0x7fff;
      chosen = std::isnan(a) ? b : a;
    } else if (op == "min") {
      chosen = a < b || (a == b && std::signbit(a)) ? a : b;
    } else {
      chosen = a > b || (a == b && !std::signbit(a)) ? a : b;
    }
    result =
        static_cast<quad>(name.has("abs") ? std::copysign(chosen, negative ? -1.0 : 1.0) : chosen);
  } else {
    return std::nullopt;
  }
  if (name.has("sat"))
    result = result != result || result <= 0 ? quad{0} : result > 1 ? quad{1} : result;
  std::uint64_t made = encoded(result, f, "rn", false);
  if (name.has("relu") && (made & 0x8000u) != 0 && !is_nan(made, f)) made = 0;
  return ftz ? flushed(made, f) : made;
}

}  // namespace

std::optional<expected> evaluate_half(name_parts const& name, words const& s) {
  if (name.modifiers.empty()) return std::nullopt;
  std::string type = name.last();
  bool const packed = type.size() > 2 && type.substr(type.size() - 2) == "x2";
  if (packed) type.resize(type.size() - 2);
  if (type != "f16" && type != "bf16") return std::nullopt;
  auto const f = *format_named(type);
  std::uint64_t result = 0;
  for (unsigned half = 0; half < (packed ? 2u : 1u); ++half) {
    words parts;
    for (auto const each : s) parts.push_back((each >> (16 * half)) & 0xffffu);
    auto const one = one_half(name, f, parts);
    if (!one) return std::nullopt;
    result |= *one << (16 * half);
  }
  return expected{{result}};
}

}  // namespace machine_rows
