// SPDX-License-Identifier: MIT
// refusal: a broken rule, with its numbers. outcome<T>: a T or a refusal.
//
//     outcome<layout> part = try_group(l, {4, 5});
//     if (!part) …                        part.why.which == rule::does_not_group
//
// Definition: docs/algebra.md, D17.
#pragma once

#include <axe/base/axis.hpp>
#include <axe/base/list.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

enum class rule : int {
  none,
#define AXE_RULE(NAME, WORDS) NAME,
#include <axe/refusal/rules.def>
#undef AXE_RULE
};

struct refusal {
  rule which = rule::none;
  integer numbers[6]{};
  axis axes[2]{};
  int operand = 0;  // counted from 0; {A} and {S} in rules.def are its layout and shape

  AXE_FN constexpr explicit operator bool() const { return static_cast<int>(which) != 0; }
  /// Compares integers, as iter::is_on does.
  AXE_FN constexpr bool is(rule one) const {
    return static_cast<int>(which) == static_cast<int>(one);
  }

  AXE_FN friend constexpr bool operator==(refusal const& a, refusal const& b) {
    return a.is(b.which) && a.operand == b.operand && detail::equal_entries(a.numbers, b.numbers) &&
           detail::equal_entries(a.axes, b.axes);
  }
};

/// The base of all outcomes, so that stop_on is not a template.
struct any_outcome {};

/// `auto const [part, why] = try_slice(l, s, region);`. After a refusal, `value` is T{}.
template <class T> struct [[nodiscard]] outcome : any_outcome {
  T value{};
  refusal why{};

  constexpr outcome() = default;
  AXE_FN constexpr outcome(T const& result) : value(result) {}
  AXE_FN constexpr outcome(refusal const& reason) : why(reason) {}

  AXE_FN constexpr explicit operator bool() const { return !why; }
  /// Stops after a refusal, like the operation without `try_`.
  AXE_FN constexpr T const& operator*() const;
  AXE_FN constexpr T const* operator->() const { return &**this; }
};

AXE_FN constexpr refusal of_operand(int operand, refusal bad) {
  if (bad) bad.operand = operand;
  return bad;
}

namespace detail {

AXE_FN constexpr char const* after_text(char const* text) {
#ifdef __CUDACC__
  while (*text++ != '\0') {}
  return text;
#else
  return text + __builtin_strlen(text) + 1;
#endif
}

}  // namespace detail

/// The name, '\0' and the sentence. Clang prints this literal. For other compilers, one literal of
/// all rules is faster.
AXE_LAZY_FN constexpr char const* name_of(rule which) {
#ifdef __clang__
#define AXE_RULE(NAME, WORDS) #NAME "\0" WORDS,
  constexpr char const* lines[] = {
      "none\0",
#include <axe/refusal/rules.def>
  };
#undef AXE_RULE
  return lines[static_cast<int>(which)];
#else
#define AXE_RULE(NAME, WORDS) #NAME "\0" WORDS "\0"
  char const* line =
      "none\0"
      "\0"
#include <axe/refusal/rules.def>
      ;
#undef AXE_RULE
  for (int skipped = 2 * static_cast<int>(which); skipped > 0; --skipped)
    line = detail::after_text(line);
  return line;
#endif
}

AXE_LAZY_FN constexpr char const* words_of(rule which) {
  return detail::after_text(name_of(which));
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
