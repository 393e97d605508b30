// A refusal: which rule failed, with the numbers. Every operation returns its result or one of these, never another layout.
//
//     outcome<layout> part = try_group(l, {4, 5});
//     if (!part) …  part.why.which == rule::does_not_group,  part.why.numbers = {0, 5, 8, 1}
//     sentence(part.why, {&l}) -> "S[8:1] does not group by …"
//
// A refusal is small and flat; it becomes a sentence about the user's layout only where somebody reads it.
// Definition: docs/algebra.md, D17.
#pragma once

#include <axe/notation/print.hpp>

namespace axe::inline AXE_NAMESPACE {

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

  AXE_FN friend constexpr bool operator==(refusal const&, refusal const&) = default;
};

/// A result, or the reason why there is none. `value` is the result without a question; it means something only when the outcome is true.
template <class T> struct outcome {
  T value{};
  refusal why{};

  constexpr outcome() = default;
  AXE_FN constexpr outcome(T const& result) : value(result) {}
  AXE_FN constexpr outcome(refusal const& reason) : why(reason) {}

  AXE_FN constexpr explicit operator bool() const { return why.which == rule::none; }
  /// The result; asking a refusal for one stops, like the plain form of the operation.
  AXE_FN constexpr T const& operator*() const;
  AXE_FN constexpr T const* operator->() const { return &**this; }
};

/// What a sentence is about: the operands of the call, as far as the caller has them.
struct operands {
  layout const* a = nullptr;
  layout const* b = nullptr;
  tree const* s = nullptr;
  tree const* t = nullptr;
};

/// The words of a rule, with its placeholders.
AXE_FN constexpr char const* words_of(rule which) {
  switch (which) {
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  case rule::NAME: return WORDS;
#include <axe/refusal/rules.def>
#undef AXE_RULE
    default: return "";
  }
}

/// The name of a rule, as `axe eval --json` and the docs print it.
AXE_FN constexpr char const* name_of(rule which) {
  switch (which) {
#define AXE_RULE(NAME, NUMBERS, AXES, WORDS) \
  case rule::NAME: return #NAME;
#include <axe/refusal/rules.def>
#undef AXE_RULE
    default: return "none";
  }
}

namespace detail {

/// `after_noun`: the words before say "layout" already.
template <class Out>
AXE_FN constexpr void print_placeholder(Out& out, char which, refusal const& why, operands const& about,
                                        bool after_noun) {
  if (is_digit(which)) return out.put(why.numbers[which - '0']);
  if (which == 'a' || which == 'b') {
    axis const on = why.axes[which - 'a'];
    return on == axis::null ? out.put("no axis") : print(out, on);
  }
  if (which == 'A' || which == 'B') {
    layout const* const asked = which == 'A' ? about.a : about.b;
    if (asked != nullptr) return print(out, *asked);
    return out.put(after_noun ? "(...)" : which == 'A' ? "the layout" : "the other layout");
  }
  tree const* const asked = which == 'S' ? about.s : about.t;
  if (asked != nullptr)
    print(out, *asked);
  else
    out.put("(...)");
}

}  // namespace detail

using refusal_text = text<3071>;

/// The refusal in words: the rule's sentence with its numbers, axes and operands filled in.
template <class Out> AXE_FN constexpr void print(Out& out, refusal const& why, operands const& about) {
  for (char const* c = words_of(why.which); *c != '\0'; ++c) {
    if (c[0] == '{' && c[1] != '\0' && c[2] == '}') {
      detail::print_placeholder(out, c[1], why, about,
                                c > words_of(why.which) + 1 && c[-1] == ' ' && c[-2] == 't');
      c += 2;
    } else {
      out.put(*c);
    }
  }
}

AXE_FN constexpr refusal_text sentence(refusal const& why, operands const& about = {}) {
  refusal_text out;
  print(out, why, about);
  return out;
}

}  // namespace axe::inline AXE_NAMESPACE
