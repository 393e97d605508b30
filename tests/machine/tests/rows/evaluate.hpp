// The reference for every row of the opcode table that computes lane by lane. It derives the
// results from the name of the row, as the ISA defines them:
//
//     evaluate("sub.sat.s32", {0x80000000, 1})  ->  {0x80000000}
//
// It shares no code with execute/: names are split at run time, integers are computed in 128 bits
// and truncated, floats use the host's rounding modes or exact values, logic is computed bit by
// bit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace machine_rows {

struct name_parts {
  std::string opcode;
  std::vector<std::string> modifiers;
  [[nodiscard]] bool has(std::string_view modifier) const;
  [[nodiscard]] std::string const& last(std::size_t from_the_end = 0) const {
    return modifiers.at(modifiers.size() - 1 - from_the_end);
  }
};

name_parts split(std::string_view name);

using words = std::vector<std::uint64_t>;

struct expected {
  words results;
  std::uint64_t tolerance = 0;  // in ulp, for approximate functions
  bool any_nan = false;         // any NaN is right, with any payload
};

/// Computes the results of a row. Empty if this evaluator does not know the opcode.
using evaluator = std::optional<expected> (*)(name_parts const&, words const&);
std::optional<expected> evaluate_integer(name_parts const& name, words const& s);
std::optional<expected> evaluate_bits(name_parts const& name, words const& s);
std::optional<expected> evaluate_compare(name_parts const& name, words const& s);
std::optional<expected> evaluate_float(name_parts const& name, words const& s);
std::optional<expected> evaluate_half(name_parts const& name, words const& s);
std::optional<expected> evaluate_convert(name_parts const& name, words const& s);

std::optional<expected> evaluate(std::string_view name, words const& s);

// Used by all evaluators. `type` is a type of PTX, such as "s32".
__extension__ using s128 = __int128;
__extension__ using u128 = unsigned __int128;
__extension__ using quad = __float128;

unsigned width_of(std::string_view type);  // in bits
bool is_signed(std::string_view type);
bool is_integer(std::string_view type);
s128 integer(std::uint64_t bits, std::string_view type);
std::uint64_t cut(s128 value, unsigned width);

/// A float format by name: f16 bf16 tf32 f32 f64 e4m3 e5m2.
struct float_format {
  int exponent_bits, mantissa_bits;
  bool has_infinity;
};
std::optional<float_format> format_named(std::string_view type);
/// Returns the exact value; a NaN of the host for NaN.
quad decoded(std::uint64_t bits, float_format const& f);
/// Rounds an exact value once, in mode rn rz rm rp rna. If it overflows, returns the largest finite
/// number with `saturate_finite`, otherwise infinity or that number, as the mode says.
std::uint64_t encoded(quad value, float_format const& f, std::string_view mode,
                      bool saturate_finite);
bool is_nan(std::uint64_t bits, float_format const& f);
std::uint64_t flushed(std::uint64_t bits, float_format const& f);

}  // namespace machine_rows
