// Evaluates setp, set, selp, slct, testp (PTX ISA, "Comparison and Selection Instructions").
#include "rows/evaluate.hpp"

namespace machine_rows {
namespace {

template <class T> std::optional<bool> ordered(std::string_view operation, T a, T b) {
  if (operation == "eq") return a == b;
  if (operation == "ne") return a != b;
  if (operation == "lt" || operation == "lo") return a < b;
  if (operation == "le" || operation == "ls") return a <= b;
  if (operation == "gt" || operation == "hi") return a > b;
  if (operation == "ge" || operation == "hs") return a >= b;
  return std::nullopt;
}

bool compared(name_parts const& name, std::string_view operation, std::string_view type,
              std::uint64_t a, std::uint64_t b) {
  if (auto const f = format_named(type)) {
    if (name.has("ftz")) {
      a = flushed(a, *f);
      b = flushed(b, *f);
    }
    bool const unordered = is_nan(a, *f) || is_nan(b, *f);
    if (operation == "num") return !unordered;
    if (operation == "nan") return unordered;
    bool const with_nan = operation.size() == 3;
    if (unordered) return with_nan;
    return *ordered(operation.substr(0, 2), decoded(a, *f), decoded(b, *f));
  }
  return *ordered(operation, integer(a, type), integer(b, type));
}

}  // namespace

std::optional<expected> evaluate_compare(name_parts const& name, words const& s) {
  std::string const& op = name.opcode;
  if (op == "selp") return expected{{s[2] != 0 ? s[0] : s[1]}};
  if (op == "slct") {
    bool positive = false;
    if (name.last() == "f32") {
      auto const f = *format_named("f32");
      std::uint64_t const c = name.has("ftz") ? flushed(s[2], f) : s[2];
      positive = !is_nan(c, f) && decoded(c, f) >= 0;
    } else {
      positive = integer(s[2], "s32") >= 0;
    }
    return expected{{positive ? s[0] : s[1]}};
  }
  if (op == "testp") {
    auto const f = *format_named(name.last());
    bool const nan = is_nan(s[0], f);
    quad const value = decoded(s[0], f);
    bool const infinite =
        !nan && (value > quad{1e300} * quad{1e300} || -value > quad{1e300} * quad{1e300});
    bool const tiny = value != 0 && !nan && flushed(s[0], f) != s[0];
    std::string const& kind = name.modifiers[0];
    bool result = false;
    if (kind == "finite") result = !nan && !infinite;
    if (kind == "infinite") result = infinite;
    if (kind == "number") result = !nan;
    if (kind == "notanumber") result = nan;
    if (kind == "normal") result = !nan && !infinite && !tiny;
    if (kind == "subnormal") result = tiny;
    return expected{{result ? 1u : 0u}};
  }
  if (op != "setp" && op != "set") return std::nullopt;
  std::string const& whole = name.last();
  bool const packed = whole.ends_with("x2");
  std::string const type = packed ? whole.substr(0, whole.size() - 2) : whole;
  auto const part = [&](std::uint64_t bits, unsigned k) {
    return packed ? bits >> (16 * k) & 0xffffu : bits;
  };
  bool const yes = compared(name, name.modifiers[0], type, part(s[0], 0), part(s[1], 0));
  auto const combine = [&](bool value) {
    if (name.has("and")) return value && s[2] != 0;
    if (name.has("or")) return value || s[2] != 0;
    if (name.has("xor")) return value != (s[2] != 0);
    return value;
  };
  bool const upper =
      packed && compared(name, name.modifiers[0], type, part(s[0], 1), part(s[1], 1));
  if (op == "set") {
    std::string const& result = name.last(1);
    std::uint64_t const one = result == "f32"                                ? 0x3f800000u
                              : result == "f16" || result == "f16x2"         ? 0x3c00u
                              : result == "bf16" || result == "bf16x2"       ? 0x3f80u
                              : packed || result == "u16" || result == "s16" ? 0xffffu
                                                                             : 0xffffffffu;
    return expected{{(combine(yes) ? one : 0) | (combine(upper) && packed ? one << 16 : 0)}};
  }
  if (packed) return expected{{combine(yes) ? 1u : 0u, combine(upper) ? 1u : 0u}};
  return expected{{combine(yes) ? 1u : 0u, combine(!yes) ? 1u : 0u}};
}

}  // namespace machine_rows
