// SPDX-License-Identifier: MIT
// Reads the notation. Accepts exactly the layouts that `check` accepts.
//
//     layout  := [swizzle(M,B,S) o] S[extents[:strides]] {+ R[extents:strides] | (+|-) term}
//     extents := 8 | (8,2,4) | ((8),(2,4),())      term := 5@warp | 128
//
// Definition: docs/algebra.md, D2.
#pragma once

#include <axe/notation/read_iters.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

/// A sum of offsets, n + carries * 2^64, because partial sums may exceed 64 bits.
struct pending_offset {
  integer n = 0;
  axis on = axis::null;
  int carries = 0;
  int carried_at = 0;  // position of the last term that overflowed

  AXE_FN constexpr void add(integer more, int start) {
    if (detail::add(n, more)) return;
    n = static_cast<integer>(static_cast<stl::uint64_t>(n) + static_cast<stl::uint64_t>(more));
    carries += more > 0 ? 1 : -1;
    carried_at = start;
  }
};

using offset_sum = list<pending_offset, 2 * capacity::axes>;

AXE_FN constexpr bool add_offset(reader& in, offset_sum& sum, term t, int start) {
  if (t.n == 0 || t.is_on(axis::null)) return true;
  for (pending_offset& known : sum)
    if (t.is_on(known.on)) {
      known.add(t.n, start);
      return true;
    }
  return sum.push({t.n, t.on}) || in.fail_with({rule::too_many_offsets});
}

AXE_FN constexpr bool finish_offsets(reader& in, offset_sum const& offsets, layout& l) {
  int kept = 0;
  for (pending_offset const& sum : offsets) {
    if (sum.carries != 0) return in.fail_with({rule::offsets_overflow, {sum.carried_at}, {sum.on}});
    if (sum.n == 0) continue;
    ++kept;
    l.offsets.push({sum.n, sum.on});
  }
  if (kept > capacity::offsets) return in.fail_with({rule::too_many_offsets});
  axis_list axes;
  if (!note_axes(axes, l)) return in.fail_with({rule::too_many_axes});
  order_offsets(l);
  return true;
}

AXE_FN constexpr bool read_offset(reader& in, offset_sum& sum) {
  in.skip_spaces();
  int const start = in.position;
  term t;
  return in.read_term(t, rule::expected_a_replica_or_an_offset) && add_offset(in, sum, t, start);
}

AXE_FN constexpr bool set_swizzle(reader& in, int start, integer const (&m_b_s)[3],
                                  axe::swizzle& w) {
  int clamped[3]{};
  for (int i = 0; i < 3; ++i)  // values beyond 48 are invalid
    clamped[i] = static_cast<int>(larger(-49, smaller(m_b_s[i], 49)));
  w = {clamped[0], clamped[1], clamped[2]};
  if (w.B == 0 && w.M >= 0) w = axe::swizzle{};
  refusal const bad = check_parameters(w);
  if (!bad) return true;
  rule const broken = bad.is(rule::swizzle_parameters) ? rule::swizzle_is_not_a_permutation
                                                       : rule::swizzle_period_is_too_long;
  return in.fail_at(start, broken, m_b_s[0], m_b_s[1], m_b_s[2]);
}

AXE_FN constexpr bool read_swizzle(reader& in, axe::swizzle& w) {
  in.skip_spaces();
  int const start = in.position;
  if (!in.require('(', rule::expected_a_swizzle_parameter)) return false;
  constexpr char const* names[3] = {"M", "B", "S"};
  integer values[3]{};
  bool const named = in.next() == 'M';
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !in.require(',', rule::expected_a_swizzle_parameter)) return false;
    if (named && !(in.take_word(names[i]) && in.take('=')))
      return in.fail(rule::expected_a_swizzle_parameter);
    if (!in.read_integer(values[i], rule::expected_a_swizzle_parameter)) return false;
  }
  return in.require(')', rule::expected_a_closing_parenthesis) && set_swizzle(in, start, values, w);
}

}  // namespace detail

/// Text after the layout stays unread.
AXE_FN constexpr bool read(reader& in, layout& l) {
  using namespace detail;
  l = layout{};
  if (in.take_word("swizzle")) {
    if (!read_swizzle(in, l.swizzle)) return false;
    if (!in.take_word("o")) return in.fail(rule::expected_the_composition_sign);
  }
  if (!in.take_word("S") || !in.take('[')) return in.fail(rule::expected_a_layout);
  if (!read_shards(in, l)) return false;
  offset_sum offsets;
  while (in.next() == '+' || in.next() == '-') {
    if (in.take('+') && in.sees("R", '[')) {
      in.take_word("R");
      in.take('[');
      if (!read_replicas(in, l)) return false;
    } else if (!read_offset(in, offsets)) {  // also reads the sign of a negative offset
      return false;
    }
  }
  if (!finish_offsets(in, offsets, l)) return false;
  refusal const invalid = check(l);
  return !invalid || in.fail_with(invalid);
}

/// Reads a shape or an integer. `otherwise`: the rule that other text breaks. If it is not the
/// default, the text is in CuTe's notation, where `_8` is an integer.
AXE_FN constexpr bool read(reader& in, tree& t, rule otherwise = rule::expected_a_shape,
                           int depth = 0) {
  if (in.next() != '(') {
    integer value = 0;
    bool const in_cute_notation = otherwise != rule::expected_a_shape;
    if (in_cute_notation) in.take('_');
    if (!in.read_integer(value, otherwise)) return false;
    t = tree(value);
    return true;
  }
  in.take('(');
  if (depth > tree{}.nodes.capacity) return in.fail_with({rule::shape_is_too_large_a_tree});
  t = tree::group();
  if (in.take(')')) return true;
  do {
    tree entry;
    if (!read(in, entry, otherwise, depth + 1)) return false;
    t.append(entry);
  } while (in.take(','));
  if (t.overflowed) return in.fail_with({rule::shape_is_too_large_a_tree});
  return in.require(')', rule::expected_a_comma_or_parenthesis);
}

AXE_FN constexpr bool read(reader& in, place& p) {
  p = place{};
  do {
    in.skip_spaces();
    int const start = in.position;
    term t;
    if (!in.read_term(t, rule::expected_a_place)) return false;
    integer sum = p[t.on];
    if (!detail::add(sum, t.n)) return in.fail_at(start, rule::number_beyond_64_bits);
    if (!p.add_named(t)) return in.fail_with({rule::too_many_axes});
  } while (in.take('+') || in.next() == '-');
  return true;
}

namespace detail {

template <class Text>
concept string_like = requires(Text const& t) {
  static_cast<char const*>(t.data());
  static_cast<int>(t.size());
};

AXE_FN constexpr int length_of(char const* characters) {
  int n = 0;
  while (characters[n] != '\0') ++n;
  return n;
}

/// A literal, std::string or std::string_view.
struct source_text {
  char const* characters;
  int length;

  AXE_FN constexpr source_text(char const* from, int size) : characters(from), length(size) {}
  AXE_FN constexpr source_text(char const* from) : source_text(from, length_of(from)) {}
  template <string_like Text>
  AXE_FN constexpr source_text(Text const& from)
      : source_text(from.data(), static_cast<int>(from.size())) {}
};

template <class T>
AXE_FN constexpr outcome<T> read_all(source_text const& text, declared_axes known) {
  reader in{text.characters, text.length, 0, known};
  T value;
  if (!read(in, value)) return in.refusal;
  if (!in.at_end()) {
    in.fail(rule::expected_the_end);
    return in.refusal;
  }
  return value;
}

AXE_FN constexpr layout layout_so_far(source_text const& text, declared_axes known) {
  reader in{text.characters, text.length, 0, known};
  layout l;
  read(in, l);
  return l;
}

}  // namespace detail

/// `known`: the declared axes that the text may name.
AXE_FN constexpr outcome<layout> try_parse(detail::source_text const& text,
                                           declared_axes known = {}) {
  return detail::read_all<layout>(text, known);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
