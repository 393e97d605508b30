// SPDX-License-Identifier: MIT
// sentence(why, operands): a refusal in words, with its numbers and the user's layouts and shapes.
//
//     sentence(why, {&l, nullptr, &s}) -> "S[(5,4):(7,1)] does not group by (4,5): ..."
//
// Definition: docs/algebra.md, D17.
#pragma once

#include <axe/base/traits.hpp>
#include <axe/notation/print.hpp>
#include <axe/refusal/refusal.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The layouts and shapes of a call; null if not passed.
struct operands {
  layout const* a = nullptr;
  layout const* b = nullptr;
  tree const* s = nullptr;  // the shape of a
  tree const* t = nullptr;  // the shape of b
  layout const* third = nullptr;
  tree const* shape_of_third = nullptr;

  AXE_FN constexpr layout const* layout_of(int operand) const {
    return operand == 0 ? a : operand == 1 ? b : third;
  }
  AXE_FN constexpr tree const* shape_of(int operand) const {
    return operand == 0 ? s : operand == 1 ? t : shape_of_third;
  }
};

namespace detail {

/// The place of element x in replica 0, before the swizzle. False if l or x is invalid.
AXE_LAZY_FN constexpr bool place_in_first_replica(layout const& l, integer x, place& at) {
  at = {};
  for (axis a : axes_of(l))
    if (!at.add({l.offset(a), a})) return false;
  for (int k = l.shards.count - 1; k >= 0; --k) {
    iter const& i = l.shards[k];
    if (i.extent < 1) return false;
    integer moved = x % i.extent;
    x /= i.extent;
    if (!multiply(moved, i.stride) || !at.add({moved, i.on})) return false;
  }
  return x == 0;
}

/// Prints the place of element x, ` (at 3@m)`, or nothing without a valid layout.
AXE_FN constexpr void print_place_of(auto& out, layout const* l, integer x) {
  place at;
  if (l == nullptr || !place_in_first_replica(*l, x, at)) return;
  out.put(" (at ");
  print(out, at);
  out.put(l->swizzle.none() ? ")" : " before the swizzle)");
}

/// Prints `1 entry` or `2 entries`. Returns the position after the closing brace.
AXE_FN constexpr char const* print_count(auto& out, integer n, char const* plural) {
  out.put(n);
  out.put(' ');
  char const* end = plural;
  while (*end != '\0' && *end != '}') ++end;
  bool const es = n == 1 && end - plural > 3 && end[-2] == 'e';
  bool const ies = es && end[-3] == 'i';  // entries
  bool const xes = es && end[-3] == 'x';  // axes
  char const* const last = n != 1 ? end : end - (ies ? 3 : xes ? 2 : 1);
  for (char const* c = plural; c != last; ++c) out.put(*c);
  if (ies) out.put('y');
  if (xes) out.put("is");
  return *end == '\0' ? end : end + 1;
}

AXE_FN constexpr void print_placeholder(auto& out, char which, refusal const& why,
                                        operands const& about, bool follows_word_layout) {
  if (is_digit(which)) return out.put(why.numbers[which - '0']);
  if (which == 'a' || which == 'b') {
    axis const on = why.axes[which - 'a'];
    return same(on, axis::null) ? out.put("no axis") : print(out, on);
  }
  if (which == 'A' || which == 'B') {
    int const operand = which == 'A' ? why.operand : 1;
    layout const* const asked = about.layout_of(operand);
    if (asked != nullptr) return print(out, *asked);
    if (follows_word_layout) return out.put("(...)");
    return out.put(operand == 0 ? "the layout" : "the other layout");
  }
  tree const* const asked = about.shape_of(which == 'S' ? why.operand : 1);
  if (asked != nullptr)
    print(out, *asked);
  else
    out.put("(...)");
}

/// Prints `{0@a}`, such as 3@lane, or the place of an element, `{0@A}`.
AXE_FN constexpr void print_located(auto& out, integer n, char where, refusal const& why,
                                    operands const& about) {
  if (where == 'A' || where == 'B')
    return print_place_of(out, about.layout_of(where == 'A' ? why.operand : 1), n);
  axis const on = why.axes[where - 'a'];
  out.put(n);
  if (same(on, axis::null)) return;
  out.put('@');
  print(out, on);
}

}  // namespace detail

using refusal_text = text<3071>;

AXE_FN constexpr void print(auto& out, refusal const& why, operands const& about = {}) {
  char const* const words = words_of(why.which);
  for (char const* c = words; *c != '\0';) {
    if (c[0] != '{' || c[1] == '\0') {
      out.put(*c++);
    } else if (c[2] == ' ') {
      c = detail::print_count(out, why.numbers[c[1] - '0'], c + 3);
    } else if (c[2] == '@') {
      detail::print_located(out, why.numbers[c[1] - '0'], c[3], why, about);
      c += 5;
    } else {
      bool const follows_word_layout =
          c > words + 4 && c[-1] == ' ' && c[-2] == 't' && c[-5] == 'y';
      detail::print_placeholder(out, c[1], why, about, follows_word_layout);
      c += 3;
    }
  }
}

AXE_LAZY_FN constexpr refusal_text sentence(refusal const& why, operands const& about = {}) {
  refusal_text out;
  print(out, why, about);
  return out;
}

namespace detail {

AXE_LAZY_FN constexpr refusal_text sentence_of(char const* operation, refusal const& why,
                                               operands const& about) {
  refusal_text out;
  out.put(operation);
  out.put(": ");
  print(out, why, about);
  return out;
}

}  // namespace detail

template <class T> AXE_FN constexpr refusal_text to_text(outcome<T> const&) {
  static_assert(detail::never<T>,
                "the outcome x is a value or a refusal: use to_text(*x) or axe::sentence(x.why)");
  return {};
}

AXE_CALLS_USER_CODE template <class Stream, detail::streamable T>
  requires requires(Stream& out) { out << ""; }
AXE_FN constexpr Stream& operator<<(Stream& out, outcome<T> const& x) {
  return x ? out << *x : out << x.why;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
