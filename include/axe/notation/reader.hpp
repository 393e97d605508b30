// A reader: a position in a text, and the first thing that went wrong there.
//
//     reader in{text, length};  axis a;  in.read_axis(a)  ->  position 18: there is no axis lne; did you mean lane?
//
// The tokens that layouts, shapes, places and the expressions of `axe eval` are made of. Every
// function answers false once something did not fit, and `refusal` then says where and what was
// expected; positions count characters from 0.
// Definition: docs/algebra.md, D2.
#pragma once

#include <axe/layout/check.hpp>
#include <axe/notation/misspelt.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Axes that a reader knows beside the built-in ones.
struct declared_axes {
  axis const* first = nullptr;
  int count = 0;
};

/// A position in a text, and the first thing that went wrong. Its functions answer false once
/// something did.
struct reader {
  char const* characters = nullptr;
  int length = 0;
  int position = 0;
  declared_axes declared{};
  axe::refusal refusal{};

  AXE_FN constexpr bool fail(rule which, integer a = 0, integer b = 0, integer c = 0) {
    refusal = {which, {position, a, b, c}};
    return false;
  }
  AXE_FN constexpr bool fail_at(int where, rule which, integer a = 0, integer b = 0,
                                integer c = 0) {
    refusal = {which, {where, a, b, c}};
    return false;
  }

  AXE_FN constexpr bool fail_with(axe::refusal const& why) {
    refusal = why;
    return false;
  }

  AXE_FN constexpr void skip_spaces() {
    while (position < length && (characters[position] == ' ' || characters[position] == '\t' ||
                                 characters[position] == '\n' || characters[position] == '\r'))
      ++position;
  }
  /// The next character that is no space, '\0' at the end.
  AXE_FN constexpr char next() {
    skip_spaces();
    return position < length ? characters[position] : '\0';
  }
  /// Steps over c if it is next.
  AXE_FN constexpr bool take(char c) {
    if (next() != c || c == '\0') return false;
    ++position;
    return true;
  }
  AXE_FN constexpr bool require(char c, rule otherwise) { return take(c) || fail(otherwise); }

  /// The length of the name that is next: a letter or underscore, then letters, digits,
  /// underscores.
  AXE_FN constexpr int name_length() {
    if (!detail::is_letter(next())) return 0;
    int n = 1;
    while (position + n < length && (detail::is_letter(characters[position + n]) ||
                                     detail::is_digit(characters[position + n])))
      ++n;
    return n;
  }
  /// Steps over a whole word.
  AXE_FN constexpr bool take_word(char const* word) {
    int const n = name_length();
    if (n == 0 || !detail::same_text(characters + position, n, word)) return false;
    position += n;
    return true;
  }
  /// Is the next thing a whole word followed by this character, blanks between them or not?
  AXE_FN constexpr bool sees(char const* word, char after) {
    int const start = position;
    bool const seen = take_word(word) && next() == after;
    position = start;
    return seen;
  }

  /// A whole number with an optional sign.
  AXE_FN constexpr bool read_integer(integer& n, rule otherwise) {
    char const sign = next();
    int const start = position;
    if (sign == '-' || sign == '+') ++position;
    if (!detail::is_digit(next())) {
      position = start;
      return fail(otherwise);
    }
    n = 0;
    for (; position < length && detail::is_digit(characters[position]); ++position) {
      integer const digit = characters[position] - '0';
      // Counted downward: the least 64-bit number has no positive twin.
      if (!detail::multiply(n, 10) || !detail::add(n, -digit))
        return fail_at(start, rule::number_beyond_64_bits);
    }
    if (sign == '-') return true;
    if (n == detail::smallest) return fail_at(start, rule::number_beyond_64_bits);
    n = -n;
    return true;
  }

  AXE_FN constexpr bool read_axis(axis& a) {
    int const n = name_length();
    if (n == 0) return fail(rule::expected_an_axis);
    char const* const name = characters + position;
    for (int i = 1; i < detail::built_in_axes; ++i) {
      detail::axis_name const known = detail::built_in_name(static_cast<axis>(i));
      if (!detail::same_text(name, n, known.ours) && !detail::same_text(name, n, known.also))
        continue;
      a = static_cast<axis>(i);
      position += n;
      return true;
    }
    if (n > 9) return misspelt(name, n);
    for (int i = 0; i < declared.count; ++i)
      if (detail::pack_axis(name, n, kind_of(declared.first[i])) == declared.first[i]) {
        a = declared.first[i];
        position += n;
        return true;
      }
    return misspelt(name, n);
  }

  /// No axis has this name: fails, with the one that was meant if a known one is near.
  AXE_FN constexpr bool misspelt(char const* name, int n) {
    axis const near = detail::nearest_axis(name, n, declared.first, declared.count);
    bool const known = near != axis::null;
    if (n > 9)
      return fail_with(
          {known ? rule::misspelt_long_axis : rule::axis_name_too_long, {position, n}, {near}});
    return fail_with({known ? rule::misspelt_axis : rule::unknown_axis,
                      {position},
                      {detail::pack_axis(name, n, kind::memory), near}});
  }

  /// `4@lane`, `4`, or `0`: a bare number is on m, a bare 0 on no axis.
  AXE_FN constexpr bool read_term(term& t, rule otherwise) {
    integer n = 0;
    if (!read_integer(n, otherwise)) return false;
    t = term(n);
    if (!take('@')) return true;
    t.n = n;
    return read_axis(t.on);
  }

  /// One entry of an extent tuple.
  AXE_FN constexpr bool read_extent(integer& e) {
    skip_spaces();
    int const start = position;
    if (!read_integer(e, rule::expected_an_extent)) return false;
    if (e == 0) return fail_at(start, rule::extent_zero);
    return e > 0 || fail_at(start, rule::extent_negative, e);
  }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
