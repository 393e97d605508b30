// SPDX-License-Identifier: MIT
// reader: reads tokens of layouts, shapes, places and `axe eval`.
//
//     reader in{"8:4@lane", 8};
//     in.read_extent(extent) && in.take(':') && in.read_term(stride, rule::expected_a_stride)
#pragma once

#include <axe/layout/check.hpp>
#include <axe/notation/misspelt.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct declared_axes {
  axis const* first = nullptr;
  int count = 0;
};

/// `require` and the read_ functions set `refusal` on a mistake, and return false.
struct reader {
  char const* characters = nullptr;
  int length = 0;
  int position = 0;
  declared_axes declared{};
  axe::refusal refusal{};

  AXE_FN constexpr bool fail(rule which, integer a = 0, integer b = 0, integer c = 0) {
    return fail_at(position, which, a, b, c);
  }
  AXE_FN constexpr bool fail_at(int where, rule which, integer a = 0, integer b = 0,
                                integer c = 0) {
    return fail_with({which, {where, a, b, c}});
  }

  AXE_FN constexpr bool fail_with(axe::refusal const& reason) {
    refusal = reason;
    return false;
  }

  AXE_FN constexpr void skip_spaces() {
    while (position < length && (characters[position] == ' ' || characters[position] == '\t' ||
                                 characters[position] == '\n' || characters[position] == '\r'))
      ++position;
  }
  AXE_FN constexpr char next() {
    skip_spaces();
    return position < length ? characters[position] : '\0';
  }
  AXE_FN constexpr bool at_end() {
    skip_spaces();
    return position == length;
  }
  AXE_FN constexpr bool take(char c) {
    if (next() != c || c == '\0') return false;
    ++position;
    return true;
  }
  AXE_FN constexpr bool require(char c, rule otherwise) { return take(c) || fail(otherwise); }

  AXE_FN constexpr int name_length() {
    if (!detail::is_letter(next())) return 0;
    int n = 1;
    while (position + n < length && (detail::is_letter(characters[position + n]) ||
                                     detail::is_digit(characters[position + n])))
      ++n;
    return n;
  }
  AXE_FN constexpr bool take_word(char const* word) {
    int const n = name_length();
    if (n == 0 || !detail::same_text(characters + position, n, word)) return false;
    position += n;
    return true;
  }
  /// True if `word` and `after` follow. Reads neither.
  AXE_FN constexpr bool sees(char const* word, char after) {
    int const start = position;
    bool const seen = take_word(word) && next() == after;
    position = start;
    return seen;
  }

  AXE_FN constexpr bool read_integer(integer& n, rule otherwise) {
    using namespace detail;
    char const sign = next();
    int const start = position;
    if (sign == '-' || sign == '+') ++position;
    if (!is_digit(next())) {
      position = start;
      return fail(otherwise);
    }
    n = 0;
    for (; position < length && is_digit(characters[position]); ++position) {
      integer const digit = characters[position] - '0';
      // Read as a negative number, because -2^63 has no positive counterpart.
      if (!multiply(n, 10) || !add(n, -digit)) return fail_at(start, rule::number_beyond_64_bits);
    }
    if (sign == '-') return true;
    if (n == smallest) return fail_at(start, rule::number_beyond_64_bits);
    n = -n;
    return true;
  }

  AXE_FN constexpr bool read_axis(axis& a) {
    using namespace detail;
    int const n = name_length();
    if (n == 0) return fail(rule::expected_an_axis);
    char const* const name = characters + position;
    for (int i = 1; i < built_in_axes; ++i) {
      built_in_axis const known = built_in(static_cast<axis>(i));
      if (!same_text(name, n, known.name) && !same_text(name, n, known.alias)) continue;
      a = static_cast<axis>(i);
      position += n;
      return true;
    }
    for (int i = 0; i < declared.count && n <= 9; ++i)
      if (detail::same(pack_axis(name, n, kind_of(declared.first[i])), declared.first[i])) {
        a = declared.first[i];
        position += n;
        return true;
      }
    return fail_misspelt(name, n);
  }

  AXE_FN constexpr bool fail_misspelt(char const* name, int n) {
    axis const near = detail::nearest_axis(name, n, declared.first, declared.count);
    bool const known = !detail::same(near, axis::null);
    if (n > 9)
      return fail_with(
          {known ? rule::misspelt_long_axis : rule::axis_name_too_long, {position, n}, {near}});
    return fail_with({known ? rule::misspelt_axis : rule::unknown_axis,
                      {position},
                      {detail::pack_axis(name, n, kind::memory), near}});
  }

  AXE_FN constexpr bool read_term(term& t, rule otherwise) {
    integer n = 0;
    if (!read_integer(n, otherwise)) return false;
    t = term(n);
    if (!take('@')) return true;
    t.n = n;
    return read_axis(t.on);
  }

  AXE_FN constexpr bool read_extent(integer& e) {
    skip_spaces();
    int const start = position;
    if (!read_integer(e, rule::expected_an_extent)) return false;
    return e > 0 || fail_at(start, rule::extent_too_small, e);
  }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
