// Evaluates f32 and f64 with the host's instructions and rounding modes, and approximate functions
// in long double.
#include <bit>
#include <cfenv>
#include <cmath>

#include "rows/evaluate.hpp"

namespace machine_rows {
namespace {

template <class T> T host(std::uint64_t bits) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  else
    return std::bit_cast<double>(bits);
}

template <class T> std::uint64_t bits_of(T value) {
  if constexpr (sizeof(T) == 4)
    return std::bit_cast<std::uint32_t>(value);
  else
    return std::bit_cast<std::uint64_t>(value);
}

int host_mode(name_parts const& name) {
  if (name.has("rz")) return FE_TOWARDZERO;
  if (name.has("rm")) return FE_DOWNWARD;
  if (name.has("rp")) return FE_UPWARD;
  return FE_TONEAREST;
}

/// volatile keeps the operation between the two changes of the rounding mode.
template <class T> std::optional<T> computed(name_parts const& name, T a, T b, T c) {
  T volatile x = a, y = b, z = c, result = 0;
  std::string const& op = name.opcode;
  std::fesetround(host_mode(name));
  bool known = true;
  if (op == "add")
    result = x + y;
  else if (op == "sub")
    result = x - y;
  else if (op == "mul")
    result = x * y;
  else if (op == "div")
    result = x / y;
  else if (op == "fma" || op == "mad")
    result = std::fma(x, y, z);
  else if (op == "rcp")
    result = T{1} / x;
  else if (op == "sqrt")
    result = std::sqrt(x);
  else
    known = false;
  std::fesetround(FE_TONEAREST);
  if (!known) return std::nullopt;
  return result;
}

template <class T> T extreme(name_parts const& name, T a, T b) {
  bool const negative = std::signbit(a) != std::signbit(b);
  if (name.has("abs")) {
    a = std::fabs(a);
    b = std::fabs(b);
  }
  T value = a;
  if (std::isnan(a) || std::isnan(b)) {
    if (name.has("NaN") || (std::isnan(a) && std::isnan(b)))
      return std::numeric_limits<T>::quiet_NaN();
    value = std::isnan(a) ? b : a;
  } else if (name.opcode == "min") {
    value = a < b || (a == b && std::signbit(a)) ? a : b;
  } else {
    value = a > b || (a == b && !std::signbit(a)) ? a : b;
  }
  return name.has("abs") ? std::copysign(value, negative ? T{-1} : T{1}) : value;
}

std::optional<long double> approximate(name_parts const& name, long double a, long double b) {
  std::string const& op = name.opcode;
  if (op == "rcp") return 1 / a;
  if (op == "sqrt") return std::sqrt(a);
  if (op == "rsqrt") return 1 / std::sqrt(a);
  if (op == "sin") return std::sin(a);
  if (op == "cos") return std::cos(a);
  if (op == "lg2") return std::log2(a);
  if (op == "ex2") return std::exp2(a);
  if (op == "tanh") return std::tanh(a);
  if (op == "div") return a / b;
  return std::nullopt;
}

template <class T>
std::optional<expected> evaluated(name_parts const& name, words const& s, float_format const& f) {
  bool const ftz = name.has("ftz");
  auto const operand = [&](std::size_t k) {
    if (k >= s.size()) return T{0};
    return host<T>(ftz ? flushed(s[k], f) : s[k]);
  };
  T const a = operand(0), b = operand(1), c = operand(2);
  auto const finish = [&](T value, std::uint64_t tolerance) {
    if (name.has("sat"))
      value = std::isnan(value) || value < 0 || (value == 0) ? T{0} : value > 1 ? T{1} : value;
    std::uint64_t bits = bits_of(value);
    if (ftz) bits = flushed(bits, f);
    if (std::isnan(value)) bits = sizeof(T) == 4 ? 0x7fffffffu : bits;
    return expected{{bits}, tolerance, sizeof(T) == 8};
  };
  std::string const& op = name.opcode;
  std::uint64_t const sign = std::uint64_t{1} << (8 * sizeof(T) - 1);
  if (op == "neg") return expected{{(ftz ? flushed(s[0], f) : s[0]) ^ sign}};
  if (op == "abs") return expected{{(ftz ? flushed(s[0], f) : s[0]) & ~sign}};
  if (op == "copysign") return expected{{(s[0] & sign) | (s[1] & ~sign)}};
  if (op == "min" || op == "max") return finish(extreme(name, a, b), 0);
  if (name.has("approx") || name.has("full")) {
    if (op == "div" && name.has("approx") && std::fabs(b) > T(0x1p126) &&
        !std::isinf(b)) {  // ISA: 0, or NaN for inf
      if (std::isinf(a) || std::isnan(a)) return finish(std::numeric_limits<T>::quiet_NaN(), 0);
      return finish(std::signbit(a) == std::signbit(b) ? T{0} : T{-0.0}, 0);
    }
    auto const value = approximate(name, static_cast<long double>(a), static_cast<long double>(b));
    if (!value) return std::nullopt;
    // The f64 forms use the upper 32 bits only, which costs up to 2^-20 in the operand and 2^-21 in
    // the result.
    return finish(static_cast<T>(*value), sizeof(T) == 8 ? std::uint64_t{3} << 32 : 1);
  }
  auto const value = computed<T>(name, a, b, c);
  if (!value) return std::nullopt;
  return finish(*value, 0);
}

}  // namespace

std::optional<expected> evaluate_float(name_parts const& name, words const& s) {
  if (name.modifiers.empty()) return std::nullopt;
  if (name.last() == "f32x2") {  // each half by itself
    auto half = name;
    half.modifiers.back() = "f32";
    words low, high;
    for (auto const each : s) {
      low.push_back(each & 0xffffffffu);
      high.push_back(each >> 32);
    }
    auto const a = evaluate_float(half, low), b = evaluate_float(half, high);
    if (!a || !b) return std::nullopt;
    return expected{{a->results[0] | b->results[0] << 32}};
  }
  if (name.last() == "f32") return evaluated<float>(name, s, *format_named("f32"));
  if (name.last() == "f64") return evaluated<double>(name, s, *format_named("f64"));
  return std::nullopt;
}

}  // namespace machine_rows
