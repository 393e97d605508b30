// SPDX-License-Identifier: MIT
// parse_linear(text): reads a linear map. 2^k -> (…) is the image of input bit k. The number after
// an output axis counts its positions.
//
//     parse_linear("{lane: 1 -> (1), 2 -> (2)} to (m: 4) ^ (3)")
//
// dim0 to dim99 and `replica` need no declaration.
#pragma once

#include <axe/construct/literal.hpp>
#include <axe/linear/from_layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN constexpr bool read_linear_axis(reader& in, axis& a) {
  int const n = in.name_length();
  char const* const name = in.characters + in.position;
  axis const named = n < 1 || n > 9 ? axis::null : pack_axis(name, n, kind::memory);
  bool known = named == axes::replica;
  for (int k = 0; k < 100 && !known; ++k) known = named == dimension_axis(k);
  if (known) {
    a = named;
    in.position += n;
  } else if (!in.read_axis(a)) {
    return false;
  }
  return in.require(':', rule::expected_a_colon);
}

struct basis_text {
  list<integer, capacity::axes> components;
  int count = 0;  // may exceed the list's capacity
  int position = 0;
};
AXE_FN constexpr bool read_basis(reader& in, basis_text& basis) {
  if (!in.require('(', rule::expected_a_linear_map)) return false;
  basis.position = in.position - 1;
  if (in.take(')')) return true;
  do {
    integer n = 0;
    if (!in.read_integer(n, rule::expected_a_number)) return false;
    basis.components.push(n);
    ++basis.count;
  } while (in.take(','));
  return in.require(')', rule::expected_a_comma_or_parenthesis);
}

AXE_FN constexpr bool basis_word(reader& in, basis_text const& basis, linear_axes const& out,
                                 bit_word& word) {
  int const wanted = out.axes.size();
  if (basis.count != wanted)
    return in.fail_at(basis.position, rule::basis_of_another_length, wanted, basis.count);
  for (int i = 0; i < wanted; ++i) {
    linear_axis const& a = out.axes[i];
    integer const n = basis.components[i];
    integer const last = static_cast<integer>(low_bits(a.bits));
    if (n < 0 || n > last) return in.fail_at(basis.position, rule::basis_outside, i, n, last);
    if (n != 0) word |= static_cast<bit_word>(n) << out.first_bit(a.on);
  }
  return true;
}

AXE_FN constexpr bool read_bases(reader& in, linear_axes& side, list<basis_text, 64>& bases) {
  linear_axis a;
  if (!read_linear_axis(in, a.on)) return false;
  while (is_digit(in.next()) || a.bits > 0) {
    in.skip_spaces();
    int const start = in.position;
    integer n = 0;
    if (!in.read_integer(n, rule::expected_a_number)) return false;
    if (a.bits == 62 || n != integer{1} << a.bits)
      return in.fail_at(start, rule::expected_a_basis, integer{1} << a.bits);
    basis_text basis;
    if (!in.take('-') || !in.take('>')) return in.fail(rule::expected_a_linear_map);
    if (!read_basis(in, basis)) return false;
    if (!bases.push(basis)) return in.fail_with({rule::linear_bits, {65}});
    ++a.bits;
    if (!in.take(',')) break;
  }
  if (!side.axes.push(a)) return in.fail_with({rule::linear_axes, {capacity::axes + 1}});
  return true;
}

AXE_FN constexpr bool read_out_axes(reader& in, linear_axes& side) {
  if (!in.require('(', rule::expected_a_linear_map)) return false;
  if (in.take(')')) return true;
  do {
    linear_axis a;
    if (!read_linear_axis(in, a.on)) return false;
    in.skip_spaces();
    int const start = in.position;
    integer n = 0;
    if (!in.read_integer(n, rule::expected_a_number)) return false;
    a.bits = exact_log2(n);
    if (a.bits < 0) return in.fail_at(start, rule::expected_a_power_of_two, n);
    if (!side.axes.push(a)) return in.fail_with({rule::linear_axes, {capacity::axes + 1}});
  } while (in.take(','));
  return in.require(')', rule::expected_a_comma_or_parenthesis);
}

}  // namespace detail

AXE_FN constexpr bool read(reader& in, linear_map& m) {
  using namespace detail;
  linear_axes from;
  linear_axes to;
  list<basis_text, 64> bases;
  if (!in.require('{', rule::expected_a_linear_map)) return false;
  if (!in.take('}')) {
    do {
      if (!read_bases(in, from, bases)) return false;
    } while (in.take(';'));
    if (!in.require('}', rule::expected_a_linear_map)) return false;
  }
  if (!in.take_word("to")) return in.fail(rule::expected_a_linear_map);
  if (!read_out_axes(in, to)) return false;
  if (refusal const bad = check(from)) return in.fail_with(bad);
  if (refusal const bad = check(to)) return in.fail_with(bad);
  m = linear_map(from, to);
  for (int c = 0; c < bases.size(); ++c)
    if (!basis_word(in, bases[c], to, m.matrix.column[c])) return false;
  if (!in.take('^')) return true;
  basis_text start;
  return read_basis(in, start) && basis_word(in, start, to, m.offset);
}

AXE_FN constexpr outcome<linear_map> try_parse_linear(detail::source_text const& text,
                                                      declared_axes known = {}) {
  return detail::read_all<linear_map>(text, known);
}
AXE_FN constexpr linear_map parse_linear(detail::source_text const& text,
                                         declared_axes known = {}) {
  return detail::stop_on(try_parse_linear(text, known), "parse_linear");
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
