// Prints a linear map: by its bases, which linear/read_map.hpp reads back, or as its matrix.
//
//     to_text(m)  {lane: 1 -> (0,1), 2 -> (0,2), 4 -> (1,0); reg: 1 -> (2,0)} to (dim0: 4, dim1: 4)
//     with offset     {lane: 1 -> (1)} to (m: 4) ^ (2)
//
// 2^k -> (…) is the image of bit k of an input axis. The integers after `to` are the places of each
// output axis. Definition: docs/algebra.md, D18.
#pragma once

#include <axe/linear/linear_map.hpp>
#include <axe/notation/print.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class Out>
AXE_FN constexpr void print_components(Out& out, linear_axes const& side, bit_word word) {
  out.put('(');
  for (int i = 0; i < side.axes.size(); ++i) {
    if (i > 0) out.put(',');
    out.put(static_cast<integer>(side.on(side.axes[i].on, word)));
  }
  out.put(')');
}

AXE_FN constexpr int digits_in(integer n) {
  int count = 1;
  for (; n >= 10; n /= 10) ++count;
  return count;
}
template <class Out> AXE_FN constexpr void put_spaces(Out& out, int n) {
  for (; n > 0; --n) out.put(' ');
}
AXE_FN constexpr int name_length(axis a) {
  text<16> name;
  print(name, a);
  return name.size();
}
AXE_FN constexpr int larger_of(int a, int b) { return a < b ? b : a; }

}  // namespace detail

/// Prints the bases in one line.
template <class Out> AXE_FN constexpr void print(Out& out, linear_map const& m) {
  out.put('{');
  int c = 0;
  for (int i = 0; i < m.in.axes.size(); ++i) {
    if (i > 0) out.put("; ");
    print(out, m.in.axes[i].on);
    out.put(':');
    for (int k = 0; k < m.in.axes[i].bits; ++k) {
      out.put(k == 0 ? " " : ", ");
      out.put(integer{1} << k);
      out.put(" -> ");
      detail::print_components(out, m.out, m.matrix.column[c++]);
    }
  }
  out.put("} to (");
  for (int i = 0; i < m.out.axes.size(); ++i) {
    if (i > 0) out.put(", ");
    print(out, m.out.axes[i].on);
    out.put(": ");
    out.put(integer{1} << m.out.axes[i].bits);
  }
  out.put(')');
  if (m.offset == 0) return;
  out.put(" ^ ");
  detail::print_components(out, m.out, m.offset);
}

/// 8,191 characters are enough for any map of 64 by 64 bits.
AXE_FN constexpr text<8191> to_text(linear_map const& m) {
  text<8191> out;
  print(out, m);
  return out;
}

/// Prints the rows of the matrix in one line, lowest output bit first:
/// `lane|reg to dim0: 001|0, 000|1; dim1: 100|0, 010|0`.
template <class Out> AXE_FN constexpr void print_rows(Out& out, linear_map const& m) {
  bool first = true;
  for (linear_axis const& a : m.in.axes) {
    if (!first) out.put('|');
    first = false;
    print(out, a.on);
  }
  out.put(first ? "to" : " to");
  int row = 0;
  for (int i = 0; i < m.out.axes.size(); ++i) {
    out.put(i == 0 ? " " : "; ");
    print(out, m.out.axes[i].on);
    out.put(':');
    for (int k = 0; k < m.out.axes[i].bits; ++k, ++row) {
      out.put(k == 0 ? " " : ", ");
      int c = 0;
      for (int j = 0; j < m.in.axes.size(); ++j) {
        if (j > 0) out.put('|');
        for (int b = 0; b < m.in.axes[j].bits; ++b) out.put(m.matrix.at(row, c++) ? '1' : '0');
      }
      if (m.offset != 0) out.put(detail::has_bit(m.offset, row) ? "^1" : "^0");
    }
  }
}

/// Prints the matrix with one row per line. An offset is the last column, after `^`.
template <class Out> AXE_FN constexpr void print_matrix(Out& out, linear_map const& m) {
  int heads = 0;
  for (linear_axis const& a : m.out.axes) {
    if (a.bits == 0) continue;
    int const number = detail::digits_in(integer{1} << (a.bits - 1));
    heads = detail::larger_of(heads, detail::name_length(a.on) + 2 + number);
  }
  detail::put_spaces(out, heads);
  for (linear_axis const& a : m.in.axes) {
    if (a.bits == 0) continue;
    detail::put_spaces(out, 2 + detail::larger_of(a.bits - detail::name_length(a.on), 0));
    print(out, a.on);
  }
  out.put('\n');
  int row = 0;
  for (linear_axis const& to : m.out.axes)
    for (int k = 0; k < to.bits; ++k, ++row) {
      int const label = k == 0 ? detail::name_length(to.on) + 1 : 0;
      if (k == 0) {
        print(out, to.on);
        out.put(':');
      }
      detail::put_spaces(out, heads - label - detail::digits_in(integer{1} << k));
      out.put(integer{1} << k);
      int c = 0;
      for (linear_axis const& from : m.in.axes) {
        if (from.bits == 0) continue;
        detail::put_spaces(out, 2 + detail::larger_of(detail::name_length(from.on) - from.bits, 0));
        for (int i = 0; i < from.bits; ++i) out.put(m.matrix.at(row, c++) ? '1' : '0');
      }
      if (m.offset != 0) out.put(detail::has_bit(m.offset, row) ? "  ^1" : "  ^0");
      out.put('\n');
    }
}
AXE_FN constexpr text<8191> matrix_text(linear_map const& m) {
  text<8191> out;
  print_matrix(out, m);
  return out;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
