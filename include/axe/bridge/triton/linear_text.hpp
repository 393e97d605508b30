// SPDX-License-Identifier: MIT
// Reads Triton's text of a LinearLayout.
//
//      - register=1 -> (0, 1)
//      - lane=1 -> (1, 0)
//     where out dims are: [dim0 (size 2), dim1 (size 2)]
//
// An axis without bases is `- warp is a size 1 dimension`.
#pragma once

#include <axe/bridge/triton/encoding.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail::triton {

inline constexpr char const* holder_names[] = {"register", "lane", "warp", "block", "offset"};
inline constexpr int offset_name = 4;

/// True at `- register=` or `- warp is`, not at `-4`.
AXE_FN constexpr bool sees_linear_text(reader in) {
  return in.take('-') && find_word(in, holder_names, 5) >= 0 &&
         (in.take('=') || in.take_word("is"));
}

AXE_FN constexpr bool take_words(reader& in, char const* const* words, int count) {
  for (int k = 0; k < count; ++k)
    if (!in.take_word(words[k])) return in.fail(rule::expected_a_triton_encoding);
  return true;
}

AXE_FN constexpr bool read_basis(reader& in, numbers& out) {
  out.clear();
  if (!in.require('(', rule::expected_a_triton_encoding)) return false;
  if (in.take(')')) return true;
  do {
    integer n = 0;
    if (!in.read_integer(n, rule::expected_a_number)) return false;
    if (!out.push(n)) return in.fail(rule::triton_too_large);
  } while (in.take(','));
  return in.require(')', rule::expected_a_comma_or_parenthesis);
}

/// Reads `=1 -> (0, 1)`, `register=2 -> …` after the axis name.
AXE_FN constexpr bool read_axis_bases(reader& in, encoding& e, int name) {
  for (integer bit = 1;; bit *= 2) {
    integer n = 0;
    numbers basis;
    if (!in.require('=', rule::expected_a_triton_encoding) ||
        !in.read_integer(n, rule::expected_a_number))
      return false;
    if (n != bit || !in.take('-') || !in.take('>'))
      return in.fail(rule::expected_a_triton_encoding);
    if (!read_basis(in, basis)) return false;
    if (e.bases.size() == 64 || bit > integer{1} << 48) return in.fail(rule::triton_too_large);
    e.holder[e.bases.size()] = name == offset_name ? int{by_register} : name;
    e.bases.push(basis);
    if (!in.take_word(holder_names[name])) return true;
  }
}

/// Reads `dim0 (size 4), dim1 (size 2)]`, in any order.
AXE_FN constexpr bool read_out_dims(reader& in, encoding& e) {
  constexpr char const* names[] = {"dim0", "dim1", "dim2", "dim3", "dim4", "dim5", "dim6", "dim7"};
  constexpr char const* size[] = {"size"};
  numbers sizes;
  list<int, most_dimensions> at;  // position of each dimension in the text, or -1
  for (int d = 0; d < most_dimensions; ++d) at.push(-1);
  in.skip_spaces();
  int const start = in.position;
  do {
    integer n = 0;
    if (sizes.size() == most_dimensions) return in.fail(rule::triton_too_large);
    int const d = find_word(in, names, most_dimensions);
    if (d < 0 || at[d] >= 0 || !in.take('(') || !take_words(in, size, 1))
      return in.fail(rule::expected_a_triton_encoding);
    if (!in.read_extent(n) || !in.require(')', rule::expected_a_closing_parenthesis)) return false;
    at[d] = sizes.size();
    sizes.push(n);
  } while (in.take(','));
  for (int d = 0; d < sizes.size(); ++d) {
    if (at[d] < 0) return in.fail_at(start, rule::expected_a_triton_encoding);
    e.extents.push(sizes[at[d]]);
  }
  for (numbers& basis : e.bases) {
    numbers const read = basis;
    for (int d = 0; d < sizes.size() && read.size() == sizes.size(); ++d) basis[d] = read[at[d]];
  }
  return in.require(']', rule::expected_a_closing_bracket);
}

AXE_FN constexpr bool read_linear_text(reader& in, encoding& e) {
  constexpr char const* without_bases[] = {"is", "a", "size"};
  constexpr char const* dimension[] = {"dimension"};
  constexpr char const* before_dims[] = {"where", "out", "dims", "are"};
  in.skip_spaces();
  e.position = in.position;
  e.kind = encoding_kind::linear;
  unsigned seen = 0;
  while (in.take('-')) {
    in.skip_spaces();
    int const at = in.position;
    int const name = find_word(in, holder_names, 5);
    bool const twice = name >= 0 && (seen >> name & 1) != 0;
    seen |= name < 0 ? 0 : 1u << name;
    // offset belongs to shared memory; register, lane and warp do not.
    bool const mixed = (seen >> offset_name & 1) != 0 && (seen & 7u) != 0;
    if (name < 0 || twice || mixed) return in.fail_at(at, rule::expected_a_triton_encoding);
    if (name == offset_name) e.kind = encoding_kind::shared_linear;
    if (in.next() == '=') {
      if (!read_axis_bases(in, e, name)) return false;
      continue;
    }
    integer one = 0;
    if (!take_words(in, without_bases, 3) || !in.read_extent(one) || one != 1 ||
        !take_words(in, dimension, 1))
      return in.fail(rule::expected_a_triton_encoding);
  }
  return take_words(in, before_dims, 4) && in.require(':', rule::expected_a_triton_encoding) &&
         in.require('[', rule::expected_a_triton_encoding) && read_out_dims(in, e);
}

}  // namespace detail::triton
}  // namespace AXE_NAMESPACE
}  // namespace axe
