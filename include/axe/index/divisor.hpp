// SPDX-License-Identifier: MIT
// divisor: a run-time number to divide by. The host prepares it, so that kernels multiply instead.
//
//     axe::divisor<> const of_width(w);            on the host; pass it to the kernel
//     auto const [row, column] = axe::coordinates(pixel, of_width);      pixel / w, pixel % w
//
// Definition: docs/index_code.md, "Sizes at run time".
// Source: Granlund and Montgomery, Division by Invariant Integers using Multiplication, section 4.
#pragma once

#include <axe/index/quotient.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Divides numbers below 2^31 (Short) or all 32-bit numbers, with s = ceil(log2 d):
///
///     below 2^31   (high word of 2x * m) >> s,      m = ceil(2^(31+s) / d)
///     all          (x + high word of x * m) >> s,   m = floor(2^32 * (2^s - d) / d) + 1
template <bool Short> struct prepared_divisor {
  unsigned number = 1;
  unsigned multiplier;
  unsigned shift;

  AXE_FN constexpr explicit prepared_divisor(unsigned d = 1)
      : number(d), shift(static_cast<unsigned>(ceil_log2(d))) {
    stl::uint64_t const power = stl::uint64_t{1} << shift;
    multiplier =
        static_cast<unsigned>(Short ? ((power << 31) + d - 1) / d : ((power - d) << 32) / d + 1);
  }
  AXE_FN constexpr unsigned quotient(unsigned x) const {
    if constexpr (Short)
      return high_word(x + x, multiplier) >> shift;
    else
      return static_cast<unsigned>((stl::uint64_t{high_word(x, multiplier)} + x) >> shift);
  }
};

}  // namespace detail

/// The result of divisor::divide.
struct divided {
  unsigned quotient, remainder;
};
/// Divides numbers below `Below` by a number from 1 to 2^32 - 1. A quotient takes three
/// instructions, or four if Below exceeds 2^31.
template <integer Below = integer{1} << 31> class divisor {
  static_assert(Below >= 1 && Below <= integer{1} << 32,
                "numbers to divide must have at most 32 bits");
  static constexpr bool low = Below <= integer{1} << 31;
  detail::prepared_divisor<low> by;

 public:
  constexpr divisor() = default;  // divides by 1
  AXE_FN constexpr explicit divisor(integer number) : by(prepared(number)) {}
  AXE_FN constexpr unsigned number() const { return by.number; }
  AXE_FN constexpr unsigned quotient(unsigned x) const { return by.quotient(x); }
  AXE_FN constexpr divided divide(unsigned x) const {
    unsigned const q = by.quotient(x);
    return {q, x - q * by.number};
  }
  operator unsigned() const = delete;  // x / d, or d.number()
  template <class X> AXE_FN friend constexpr unsigned operator/(X const& x, divisor const& d) {
    return d.quotient(dividend(x));
  }
  template <class X> AXE_FN friend constexpr unsigned operator%(X const& x, divisor const& d) {
    return d.divide(dividend(x)).remainder;
  }
  /// Not for parts: a part holds a register.
  template <class X>
    requires(!__is_class(X))
  AXE_FN friend constexpr X& operator/=(X& x, divisor const& d) {
    return x = static_cast<X>(x / d);
  }
  template <class X>
    requires(!__is_class(X))
  AXE_FN friend constexpr X& operator%=(X& x, divisor const& d) {
    return x = static_cast<X>(x % d);
  }

 private:
  template <class X> AXE_FN static constexpr unsigned dividend(X const& x) {
    constexpr bool fits = detail::any_integer<X, 4> || requires {
      x.operator unsigned();
      requires !requires { x.operator float(); };
    };
    static_assert(fits,
                  "x / d and x % d take an integer x of at most 32 bits: if it fits, write "
                  "static_cast<unsigned>(x) / d");
    if constexpr (fits)
      return static_cast<unsigned>(x);
    else
      return 0;
  }
  /// For dividends below 2^31, divisors above 2^31 act like 2^31.
  AXE_FN static constexpr detail::prepared_divisor<low> prepared(integer number) {
    bool const legal = number >= 1 && number >> 32 == 0;
#ifndef __CUDA_ARCH__
    detail::stop_on(legal ? refusal{} : refusal{rule::divisor_out_of_range, {number}}, "divisor",
                    {});
#endif
    integer const replaced = low && number >> 31 != 0 ? integer{1} << 31 : number;
    detail::prepared_divisor<low> by(static_cast<unsigned>(legal ? replaced : 1));
    by.number = static_cast<unsigned>(number);
    return by;
  }
};

/// The result of `coordinates`, slowest first.
template <int Rank> struct decomposed;
template <> struct decomposed<2> {
  unsigned i, j;
};
template <> struct decomposed<3> {
  unsigned i, j, k;
};
template <> struct decomposed<4> {
  unsigned i, j, k, l;
};
template <> struct decomposed<5> {
  unsigned i, j, k, l, m;
};

/// The coordinates of element x of a row-major shape. The divisors are its extents except the
/// slowest.
template <integer A> AXE_FN constexpr decomposed<2> coordinates(unsigned x, divisor<A> const& a) {
  divided const d = a.divide(x);
  return {d.quotient, d.remainder};
}
template <integer A, integer B>
AXE_FN constexpr decomposed<3> coordinates(unsigned x, divisor<A> const& a, divisor<B> const& b) {
  divided const fast = b.divide(x), slow = a.divide(fast.quotient);
  return {slow.quotient, slow.remainder, fast.remainder};
}
template <integer A, integer B, integer C>
AXE_FN constexpr decomposed<4> coordinates(unsigned x, divisor<A> const& a, divisor<B> const& b,
                                           divisor<C> const& c) {
  divided const fast = c.divide(x);
  decomposed<3> const slow = coordinates(fast.quotient, a, b);
  return {slow.i, slow.j, slow.k, fast.remainder};
}
template <integer A, integer B, integer C, integer D>
AXE_FN constexpr decomposed<5> coordinates(unsigned x, divisor<A> const& a, divisor<B> const& b,
                                           divisor<C> const& c, divisor<D> const& d) {
  divided const fast = d.divide(x);
  decomposed<4> const slow = coordinates(fast.quotient, a, b, c);
  return {slow.i, slow.j, slow.k, slow.l, fast.remainder};
}
template <class... None>
AXE_FN constexpr decomposed<2> coordinates(detail::any_argument, detail::any_argument = {},
                                           detail::any_argument = {}, detail::any_argument = {},
                                           detail::any_argument = {}) {
  static_assert(detail::never<None...>,
                "coordinates takes a number and 1 to 4 divisors, which the host prepares: "
                "coordinates(x, d) with axe::divisor<> d");
  return {};
}
}  // namespace AXE_NAMESPACE
}  // namespace axe
