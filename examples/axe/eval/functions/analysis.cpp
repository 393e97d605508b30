// The functions for the cost of accesses, vector widths, and matrix operands in shared memory.
#include "eval/function.hpp"
#include "eval/print.hpp"

#include <axe/atoms/shared_layout.hpp>

namespace calculator {

using axe::integer;
using axe::layout;
using axe::outcome;
using axe::refusal;
using axe::rule;
using axe::shape;
using axe::step_limit;

namespace {

/// Rejects widths and counts outside 1 to 128, and lanes outside 1 to 32, before they become ints.
refusal check_numbers(integer bits, integer values, integer lanes = 32) {
  if (bits < 1 || bits > 128 || values < 1 || values > 128)
    return {rule::access_width, {values, bits}};
  if (lanes < 1 || lanes > 32) return {rule::access_lanes, {lanes}};
  return {};
}

/// A form of access and its name. Its vectors have `wide` bits, or one element if `wide` is 0.
struct named_form {
  char const* name;
  int wide;
  bool down, matrices, blocks;
};
constexpr named_form named_forms[] = {
    {"rows_of_elements", 0, false, false, false},
    {"rows_of_32_bits", 32, false, false, false},
    {"rows_of_64_bits", 64, false, false, false},
    {"rows_of_128_bits", 128, false, false, false},
    {"columns_of_elements", 0, true, false, false},
    {"columns_of_32_bits", 32, true, false, false},
    {"columns_of_64_bits", 64, true, false, false},
    {"columns_of_128_bits", 128, true, false, false},
    {"ldmatrix_rows", 128, true, true, false},
    {"row_blocks", 128, false, false, true},
    {"column_blocks", 128, true, false, true},
};

template <int Form> outcome<accessed> access_of_form(integer bits) {
  named_form const& w = named_forms[Form];
  if (bits < 1 || bits > 128 || (bits & (bits - 1)) != 0)
    return refusal{rule::element_width, {bits}};
  int const b = static_cast<int>(bits);
  if (w.wide != 0 && b > w.wide) return refusal{rule::copy_access_too_narrow, {w.wide / 8, bits}};
  int const values = w.wide == 0 ? 1 : w.wide / b;
  if (w.wide == 0 && b < 8) return refusal{rule::access_width, {1, bits}};
  return accessed{{b, values, w.blocks ? values : 1, w.down, w.matrices}, {}, false};
}

/// Makes the function of the calculator for one form of access.
template <int Form> function function_of_form(char const* what) {
  return {named_forms[Form].name, "bits", [](integer bits) { return access_of_form<Form>(bits); },
          what};
}

}  // namespace

std::string print_form(axe::access_form const& f) {
  for (named_form const& w : named_forms) {
    int const values = w.wide == 0 ? 1 : f.bits == 0 ? 0 : w.wide / f.bits;
    if (f.values == values && f.height == (w.blocks ? values : 1) && f.down == w.down &&
        f.matrices == w.matrices)
      return std::string(w.name) + "(" + std::to_string(f.bits) + ")";
  }
  return "an access of " + std::to_string(f.bits) + " bits";
}

std::vector<function> analysis_functions() {
  return {
      function_of_form<0>("an access: lanes along the rows, one element each"),
      function_of_form<1>("an access: lanes along the rows, 4 bytes each"),
      function_of_form<2>("an access: lanes along the rows, 8 bytes each"),
      function_of_form<3>("an access: lanes along the rows, 16 bytes each"),
      function_of_form<4>("an access: lanes down the columns, one element each"),
      function_of_form<5>("an access: lanes down the columns, 4 bytes each"),
      function_of_form<6>("an access: lanes down the columns, 8 bytes each"),
      function_of_form<7>("an access: lanes down the columns, 16 bytes each"),
      function_of_form<8>("an access: ldmatrix and stmatrix, 8 rows of 16 bytes at a time"),
      function_of_form<9>(
          "an access: square blocks with rows of 16 bytes, one for each lane, along the rows"),
      function_of_form<10>(
          "an access: square blocks with rows of 16 bytes, one for each lane, down the columns"),
      {"access", "P, bits, values [, lanes]",
       [](layout const& p, integer bits, integer values,
          std::optional<integer> lanes) -> outcome<accessed> {
         if (refusal const bad = check_numbers(bits, values, lanes.value_or(32))) return bad;
         axe::access_pattern a{p,
                               static_cast<int>(bits),
                               static_cast<int>(values),
                               static_cast<int>(lanes.value_or(32)),
                               false,
                               0};
         if (refusal const bad = axe::detail::check_widths(a); bad.which != rule::none) return bad;
         return accessed{{}, a, true};
       },
       "the access whose layout P maps (…, lane, value) to elements of the tile"},
      {"fragment_access", "F, T, S, bits, values",
       [](layout const& f, shape const& t, shape const& s, integer bits, integer values,
          step_limit steps) -> outcome<accessed> {
         if (refusal const bad = check_numbers(bits, values)) return bad;
         auto const a = axe::try_fragment_access(f, t, s, static_cast<int>(bits),
                                                 static_cast<int>(values), steps);
         if (!a) return a.why;
         return accessed{{}, *a, true};
       },
       "the access of a warp that holds fragment F of each tile T of S"},
      {"conflicts", "L, S, access",
       [](layout const& l, shape const& s, accessed const& a,
          step_limit steps) -> outcome<integer> {
         auto const on = a.on(s);
         if (!on) return on.why;
         return axe::try_conflicts(l, s, *on, steps);
       },
       "wavefronts of the worst phase of the access in shared memory; 1: no bank conflict"},
      {"shared_memory", "L, S, access",
       [](layout const& l, shape const& s, accessed const& a,
          step_limit steps) -> outcome<axe::shared_traffic> {
         auto const on = a.on(s);
         if (!on) return on.why;
         return axe::try_shared_memory(l, s, *on, steps);
       },
       "the wavefronts of the access in shared memory, and the worst phase"},
      {"global_memory", "L, S, access",
       [](layout const& l, shape const& s, accessed const& a,
          step_limit steps) -> outcome<axe::global_traffic> {
         auto const on = a.on(s);
         if (!on) return on.why;
         return axe::try_global_memory(l, s, *on, steps);
       },
       "the sectors and lines of the access in global memory, and the fewest possible"},
      {"contiguity", "L",
       [](layout const& l, step_limit steps) { return axe::try_contiguity(l, steps); },
       "the largest n such that elements n*k to n*k + n-1 are contiguous for every k"},
      {"alignment", "L",
       [](layout const& l, step_limit steps) { return axe::try_alignment(l, steps); },
       "the largest number that divides every address"},
      {"widest_vector", "L, bits",
       [](layout const& l, integer bits, step_limit steps) {
         return axe::try_widest_vector(l, bits, steps);
       },
       "the number of elements in the widest vector access, a power of two; at most 16 bytes"},
      {"redundancy", "L",
       [](layout const& l, step_limit steps) { return axe::try_redundancy(l, steps); },
       "the number of places of each element"},
      {"mma_shared_layout", "bits, mode, S",
       [](integer bits, integer mode, shape const& s) -> outcome<layout> {
         if (mode < 0 || mode > 128) return refusal{rule::mma_swizzle_mode, {mode}};
         return axe::try_mma_shared_layout(bits, static_cast<axe::swizzle_mode>(mode), s);
       },
       "a tile in shared memory for TMA and matrix instructions, with a swizzle of 32, 64 or 128 "
       "bytes; 0: no swizzle",
       [](std::vector<argument> const& given) { return parameter<shape>::take(given[2].held); }},
  };
}

}  // namespace calculator
