// SPDX-License-Identifier: MIT
// Makes coordinates from numbers, and adds, multiplies and subtracts them.
//
//     auto const t = axe::on<axis::tid, 256>(threadIdx.x);
//     t.bits<3, 5>() + constant<32>{} * axe::below<4>(i)
#pragma once

#include <axe/index/part.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

#define AXE_NOT_A_COORDINATE                                                  \
  "a coordinate is an integer of at most 32 bits, a constant<n>, or parts: "  \
  "for a wider integer write below<N>(x), or any(static_cast<unsigned>(x)); " \
  "any_signed(x) is an origin of tile_at only"

namespace detail {
/// Range 0 stands for any number.
template <integer Range> struct number_below {
  unsigned value;
  template <class T>
  static constexpr bool takes =
      any_integer<T, 4> || (any_integer<T> && Range > 0 && Range <= integer{1} << 32);

  template <class T> AXE_FN constexpr number_below(T x) : value(static_cast<unsigned>(x)) {
    static_assert(takes<T>, AXE_NOT_A_COORDINATE);
  }
};
/// Callers check first: an error inside as_sum lists the user's line after many others.
template <class T> struct coordinate_check {
  static constexpr bool passed = coordinate_part<T> || number_below<0>::template takes<T>;
  static_assert(passed, AXE_NOT_A_COORDINATE);
};
template <class T>
concept run_time_integer = any_integer<T> && !is_constant<T>;
AXE_FN constexpr bool adds_up(integer a, integer b) { return add(a, b); }

template <auto Number>
inline constexpr bool is_natural =
    any_integer<decltype(Number)> && Number >= 0 &&
    static_cast<stl::uint64_t>(Number) <= static_cast<stl::uint64_t>(largest) &&
    static_cast<decltype(+Number)>(static_cast<stl::uint64_t>(Number)) == +Number;
}  // namespace detail

template <class T> AXE_FN constexpr auto as_sum(T const& c) {
  using namespace detail;
  if constexpr (is_sum<T>) {
    return c;
  } else if constexpr (is_part<T>) {
    return coordinate_sum<0, T>{c, {}};
  } else if constexpr (is_constant<T>) {
    constexpr bool natural = is_natural<T::value>;
    static_assert(natural,
                  "a coordinate must be from 0 to 2^63 - 1: for an origin of tile_at that may be "
                  "below 0, write x - 4, or constant<4>{} * axe::any_signed(n)");
    if constexpr (natural)
      return coordinate_sum<static_cast<integer>(T::value)>{};
    else
      return coordinate_sum<0>{};  // avoids follow-on errors
  } else {
    constexpr bool takes = number_below<0>::template takes<T>;
    static_assert(takes, AXE_NOT_A_COORDINATE);
    if constexpr (takes)
      return coordinate_sum<0, index_part<unnamed, 0>>{{number_below<0>(c).value}, {}};
    else
      return coordinate_sum<0>{};
  }
}

#undef AXE_NOT_A_COORDINATE

template <coordinate_part A, coordinate_part B>
AXE_FN constexpr auto operator+(A const& a, B const& b) {
  using namespace detail;
  if constexpr (!is_sum<A> || !is_sum<B>) {
    return as_sum(a) + as_sum(b);
  } else if constexpr (!adds_up(A::known, B::known)) {
    using stop [[maybe_unused]] =
        verdict<broken<rule::coordinate_overflows, A::known, B::known>>::stop;
    return a;
  } else {
    return join(a, b);
  }
}
template <auto Number, coordinate_part A>
  requires(!detail::is_constant<A>)
AXE_FN constexpr auto operator*(constant<Number>, A const& a) {
  using namespace detail;
  constexpr bool positive = Number > 0 && is_natural<Number>;
  static_assert(positive, "the factor of a part must be positive and below 2^63");
  if constexpr (!positive) {
    return a;
  } else if constexpr (A::largest_step > largest / static_cast<integer>(Number)) {
    using stop [[maybe_unused]] = verdict<
        broken<rule::multiple_overflows, static_cast<integer>(Number), A::largest_step>>::stop;
    return a;
  } else {
    return scale<static_cast<integer>(Number)>(a);
  }
}

namespace detail {
template <class A, class B>
concept operands_with_parts =
    (of_parts<A> || of_parts<B>) && (coordinate_part<A> || any_integer<A>) &&
    (coordinate_part<B> || any_integer<B>);
template <class T>
concept plain_integer = run_time_integer<T> && !of_parts<T>;
/// A result of 64 bits is a number.
template <class X> AXE_FN constexpr auto part_or_number(X x) {
  if constexpr (sizeof(X) == 8)
    return x;
  else
    return index_part<unnamed, 0>{x};
}
template <class T> AXE_FN constexpr auto number_in(T const& x) {
  if constexpr (plain_integer<T> && sizeof(T) == 8)
    return x;
  else
    return as_sum(x)();
}
template <class X> struct plain_factor_check {
  static constexpr bool passed = false;
  static_assert(never<X>,
                "a constant multiplies only a part: write constant<8>{} * axe::any(x), or "
                "any_signed(x) if x may be negative; for the number r of a register write x * r");
};
}  // namespace detail

/// Results have 64 bits, because nvcc only warns if an int overflows.
template <auto A, auto B>
AXE_FN constexpr constant<integer{A} + integer{B}> operator+(constant<A>, constant<B>) {
  return {};
}
template <auto A, auto B>
AXE_FN constexpr constant<integer{A} - integer{B}> operator-(constant<A>, constant<B>) {
  return {};
}
template <auto A, auto B>
AXE_FN constexpr constant<integer{A} * integer{B}> operator*(constant<A>, constant<B>) {
  return {};
}

template <auto Number, detail::plain_integer X>
AXE_FN constexpr X operator*(constant<Number>, X x) {
  return detail::plain_factor_check<X>::passed ? x : X();
}

/// The results of `n + block_x()` and `n * block_x()` have no known bound or divisor.
/// Numbers are taken by value: nvcc rejects a reference to a static member in device code.
template <detail::of_parts A, detail::plain_integer X>
AXE_FN constexpr auto operator+(A const& a, X x) {
  return detail::part_or_number(detail::number_in(a) + detail::number_in(x));
}
template <detail::plain_integer X, detail::of_parts A>
AXE_FN constexpr auto operator+(X x, A const& a) {
  return detail::part_or_number(detail::number_in(x) + detail::number_in(a));
}
template <class A, class B>
  requires detail::operands_with_parts<A, B>
AXE_FN constexpr auto operator*(A a, B b) {
  return detail::part_or_number(detail::number_in(a) * detail::number_in(b));
}
template <detail::of_parts A, auto Number>
AXE_FN constexpr auto operator*(A const& a, constant<Number> n) {
  return n * a;
}
/// An int, or a number of 64 bits: the tile at `8 * block_y() - 1` may begin below 0.
template <class A, class B>
  requires detail::operands_with_parts<A, B>
AXE_FN constexpr auto operator-(A a, B b) {
  auto const difference = detail::number_in(a) - detail::number_in(b);
  if constexpr (sizeof(difference) == 8)
    return difference;
  else
    return static_cast<int>(difference);
}
template <detail::of_parts A> AXE_FN constexpr A& operator+=(A& a, auto const&) {
  static_assert(detail::never<A>,
                "a coordinate has a fixed bound: count in an int, as in for (int i = "
                "axe::thread_id<256>(); i < n; i += 256)");
  return a;
}
template <detail::of_parts A> AXE_FN constexpr A& operator++(A& a) { return a += 1; }

/// x is below Number and has any integer type. The planner counts two calls as two registers, even
/// if x is the same.
template <integer Number>
AXE_FN constexpr index_part<unnamed, Number> below(detail::number_below<Number> x) {
  static_assert(Number > 0, "below<N> takes an N of 1 or more: no value is below 0");
  return {x.value};
}
/// x has no known bound or divisor. A template, because CUDA declares ::any(bool).
AXE_FN constexpr index_part<unnamed, 0> any(auto x) { return {detail::number_below<0>(x).value}; }
/// x is the number on axis A, below Number. Precondition: all parts that name A have the same
/// value.
template <axis A, integer Number>
AXE_FN constexpr index_part<named<A>, Number> on(detail::number_below<Number> x) {
  static_assert(Number > 0, "on<axis, N> takes an extent N of 1 or more");
  return {x.value};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
