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

expected evaluate_slct(name_parts const& name, words const& s) {
  if (name.last() == "s32") return {{integer(s[2], "s32") >= 0 ? s[0] : s[1]}};
  auto const f = *format_named("f32");
  std::uint64_t const c = name.has("ftz") ? flushed(s[2], f) : s[2];
  bool const selects_first = !is_nan(c, f) && decoded(c, f) >= 0;
  return {{selects_first ? s[0] : s[1]}};
}

expected evaluate_testp(name_parts const& name, words const& s) {
  auto const f = *format_named(name.last());
  quad const value = decoded(s[0], f), beyond_f64 = quad{1e300} * quad{1e300};
  bool const nan = is_nan(s[0], f);
  bool const infinite = !nan && (value > beyond_f64 || -value > beyond_f64);
  bool const subnormal = value != 0 && !nan && flushed(s[0], f) != s[0];
  std::string const& kind = name.modifiers[0];
  bool const result = kind == "finite"       ? !nan && !infinite
                      : kind == "infinite"   ? infinite
                      : kind == "number"     ? !nan
                      : kind == "notanumber" ? nan
                      : kind == "normal"     ? !nan && !infinite && !subnormal
                                             : subnormal;
  return {{result ? 1u : 0u}};
}

/// The comparisons of setp and set, combined with the predicate operand if there is one. Types such
/// as f16x2 have an upper half.
struct comparison {
  name_parts const& name;
  words const& s;

  bool packed() const { return name.last().ends_with("x2"); }

  bool lower() const { return compared_part(0); }
  bool upper() const { return compared_part(1); }

  bool combined(bool result) const {
    if (name.has("and")) return result && s[2] != 0;
    if (name.has("or")) return result || s[2] != 0;
    if (name.has("xor")) return result != (s[2] != 0);
    return result;
  }

 private:
  bool compared_part(unsigned half) const {
    std::string const& type = name.last();
    if (!packed()) return compared(name, name.modifiers[0], type, s[0], s[1]);
    std::uint64_t const a = s[0] >> (16 * half) & 0xffffu, b = s[1] >> (16 * half) & 0xffffu;
    return compared(name, name.modifiers[0], type.substr(0, type.size() - 2), a, b);
  }
};

expected evaluate_setp(name_parts const& name, words const& s) {
  comparison const of{name, s};
  bool const second = of.packed() ? of.upper() : !of.lower();
  return {{of.combined(of.lower()) ? 1u : 0u, of.combined(second) ? 1u : 0u}};
}

/// Returns what set writes for true: 1 of a float type, or all bits of an integer.
std::uint64_t true_value(std::string const& type, bool packed) {
  if (type == "f32") return 0x3f800000u;
  if (type == "f16" || type == "f16x2") return 0x3c00u;
  if (type == "bf16" || type == "bf16x2") return 0x3f80u;
  return packed || type == "u16" || type == "s16" ? 0xffffu : 0xffffffffu;
}

expected evaluate_set(name_parts const& name, words const& s) {
  comparison const of{name, s};
  std::uint64_t const one = true_value(name.last(1), of.packed());
  std::uint64_t const low = of.combined(of.lower()) ? one : 0;
  std::uint64_t const high = of.packed() && of.combined(of.upper()) ? one << 16 : 0;
  return {{low | high}};
}

}  // namespace

std::optional<expected> evaluate_compare(name_parts const& name, words const& s) {
  if (name.opcode == "selp") return expected{{s[2] != 0 ? s[0] : s[1]}};
  if (name.opcode == "slct") return evaluate_slct(name, s);
  if (name.opcode == "testp") return evaluate_testp(name, s);
  if (name.opcode == "setp") return evaluate_setp(name, s);
  if (name.opcode == "set") return evaluate_set(name, s);
  return std::nullopt;
}

}  // namespace machine_rows
