// SPDX-License-Identifier: MIT
// partition: the division of a tile into thread tiles by a layout on threads and registers.
//
//     P = S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)], tile (16,8): the accumulator of mma
//     row = lane / 4 + 8*(reg / 2)     column = 2*(lane mod 4) + reg mod 2
//
// Threads that differ only in digits of replicas own the same elements.
// Definition: docs/index_code.md, "Thread tiles".
#pragma once

#include <axe/index/bind_address.hpp>
#include <axe/index/partition_digits.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class S> struct shape_or_one {
  using type = extents<1>;
};
template <class S>
  requires requires { S::value.extent(0); }
struct shape_or_one<S> {
  using type = S;
};
/// Replaces a rejected P, to avoid follow-on errors.
template <class S> struct no_carrier {
  static constexpr layout value{
      {}, {{product_below(shape_or_one<S>::type::value, 0), 1, axis::reg}}, {}, {}, {}};
};

template <class P, class S>
inline constexpr partition_data partitioned = partition_from(P::value, S::value);

}  // namespace detail

/// The carrier P divides a tile of shape S, an extents<…>.
template <class P, class S> struct partition {
  static constexpr detail::partition_data value = detail::partitioned<P, S>;
  AXE_FN static constexpr refusal_text text() {
    return detail::text_of_call("partition", value.why, P::value, S::value);
  }

  static constexpr axis thread_axis = value.thread;
  /// The number of threads that own elements. They are consecutive.
  static constexpr integer threads = value.threads;
  static constexpr int registers = value.registers;
  static_assert(value.registers < integer{1} << 31, "a thread must hold fewer than 2^31 registers");
  static constexpr int rank = value.rank;

  /// Register R adds this constant to coordinate D.
  template <int R, int D>
    requires(R >= 0 && R < registers)
  static constexpr integer step = detail::register_step(value, R, D);

  /// Returns coordinate D of register 0 as a sum of parts of the thread's number.
  template <int D> AXE_FN static constexpr auto coordinate_of(unsigned number) {
    if constexpr (detail::first_thread_keeps_digits(value))
      return from<named<value.thread>, D, 0, value.first_thread + value.threads>(number);
    else
      return from<named<value.thread, value.first_thread>, D, 0, value.threads>(
          number - static_cast<unsigned>(detail::as_constant<value.first_thread>));
  }

 private:
  template <class Name, int D, int Number, integer Range>
  AXE_FN static constexpr auto from(unsigned t) {
    constexpr int next = detail::next_digit(value.by_thread, Number, D);
    if constexpr (next == value.by_thread.count) {
      return coordinate_sum<0>{};
    } else {
      constexpr detail::partition_digit digit = value.by_thread.at[next];
      return detail::prepend(index_part<Name, Range, digit.step, digit.divisor, digit.extent>{t},
                             from<Name, D, next + 1, Range>(t));
    }
  }
};

}  // namespace AXE_NAMESPACE
}  // namespace axe
