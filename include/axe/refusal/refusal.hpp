// A refusal: which rule failed, with the numbers. Every operation returns its result or one of
// these, never another layout.
//
//     outcome<layout> part = try_group(l, {4, 5});
//     if (!part) …  part.why.which == rule::does_not_group,  part.why.numbers = {0, 5, 8, 1}
//     sentence(part.why, {&l}) -> "S[8:1] does not group by …"
//
// A refusal is small and flat; it becomes a sentence about the user's layout only where somebody
// reads it.
// Definition: docs/algebra.md, D17.
#pragma once

#include <axe/base/axis.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class rule : int {
  none,
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) NAME,
#include <axe/refusal/rules.def>
#undef AXE_RULE
};

struct refusal {
  rule which = rule::none;
  integer numbers[6]{};
  axis axes[2]{};
  int operand =
      0;  // whose layout {A} and whose shape {S} is: the first, second (1) or third (2) operand's

  /// Was something refused? Asked so, not by comparing the rule: clang tries 144 pairs of
  /// arithmetic types for a comparison of enumerators.
  AXE_FN constexpr explicit operator bool() const { return static_cast<int>(which) != 0; }

  AXE_FN friend constexpr bool operator==(refusal const&, refusal const&) = default;
};

/// A result, or the reason why there is none. `value` is the result without a question; it means
/// something only when the outcome is true.
template <class T> struct outcome {
  T value{};
  refusal why{};

  constexpr outcome() = default;
  AXE_FN constexpr outcome(T const& result) : value(result) {}
  AXE_FN constexpr outcome(refusal const& reason) : why(reason) {}

  AXE_FN constexpr explicit operator bool() const { return !why; }
  /// The result; asking a refusal for one stops, like the plain form of the operation.
  AXE_FN constexpr T const& operator*() const;
  AXE_FN constexpr T const* operator->() const { return &**this; }
};

/// What is wrong with a first operand, said of another one.
AXE_FN constexpr refusal of_operand(int operand, refusal bad) {
  if (bad) bad.operand = operand;
  return bad;
}

namespace detail {

/// A rule in characters: how many numbers and axes it has, a digit each, its name, its words,
/// "10extent_zero" and "position …", each with a zero at its end. One literal for all rules: a
/// switch with one for each costs every inclusion six times as much, and this is read only where
/// something was refused. `words`: from its words on. Host compilers have the length of a literal
/// at once, where a loop over all rules would be too long for a constant expression.
AXE_FN constexpr char const* line_of(rule which, bool words = false) {
  char const* line =
      "00none\0"
      "\0"
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) #NUMBERS #AXES #NAME "\0" WORDS "\0"
#include <axe/refusal/rules.def>
#undef AXE_RULE
      ;
  for (int skipped = 2 * static_cast<int>(which) + words; skipped > 0; --skipped)
#if defined(__CUDACC__)
    while (*line++ != '\0') {}
#else
    line += __builtin_strlen(line) + 1;
#endif
  return line;
}

}  // namespace detail

/// The words of a rule, with its placeholders.
AXE_FN constexpr char const* words_of(rule which) { return detail::line_of(which, true); }

/// The name of a rule, as `axe eval --json` and the docs print it.
AXE_FN constexpr char const* name_of(rule which) { return detail::line_of(which) + 2; }

}  // namespace AXE_NAMESPACE
}  // namespace axe
