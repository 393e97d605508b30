// SPDX-License-Identifier: MIT
// fragment<T, P, S>: one thread's registers of a tile of shape S. Layout P maps the tile to threads
// and registers.
//
//     using atom = carrier<"S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"_axe>;   // 4 registers
//     fragment<float, atom, extents<16, 8>> c{};
//
// A run-time index moves the registers to local memory.
#pragma once

#include <axe/cuda/debug.hpp>
#include <axe/index/bound_thread_tile.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <class X>
inline constexpr bool is_fragment = requires {
  typename X::partition_type;
  typename X::layout_type;
};
template <bool Passed> struct source_check {
  static_assert(
      Passed,
      "a fragment is constructed from values or from a fragment of its own type: axe::copy "
      "reads a tile, axe::cast converts elements, and axe::convert changes the layout");
};
/// A function: after a failed assertion in a class, clang 16 reports an incomplete class, too.
template <class T> AXE_FN constexpr void reject_number() {
  static_assert(never<T>,
                "a fragment is not a number: axe::elementwise(op, to, x, y) computes with its "
                "elements");
}
}  // namespace detail

/// `size` registers of one thread. They are not initialised unless values are given.
template <class T, class P, class S> struct fragment {
  static_assert(carries_layout<P>,
                "a fragment needs a static layout, written as a type: axe::carrier<...>");
  using shape_type = detail::shape_or_one<S>::type;
  using partition_type =
      partition<detail::stl::conditional_t<carries_layout<P>, P, detail::no_carrier<S>>,
                shape_type>;
  using stop = detail::verdict<partition_type>::stop;
  using value_type = T;
  using layout_type = P;
  static constexpr int size = partition_type::registers;

  T registers[size];
  /// Accepts every register if the layout was rejected, to avoid a second error.
  template <auto R>
  using register_check =
      detail::verdict<detail::register_exists<partition_type::value.why ? 0 : R, size>>;

  fragment() = default;
  template <class... X>
    requires(sizeof...(X) > 0 && !(detail::is_fragment<X> || ...))
  AXE_FN constexpr explicit(size == 1) fragment(X const&... values)
      : registers{static_cast<T>(values)...} {
    constexpr bool complete = sizeof...(X) == size;
    static_assert(complete,
                  "a fragment is constructed from one value for each register: x.fill(0) sets all");
    static_assert(!detail::any_integer<T> || (detail::any_integer<X> && ...),
                  "the registers of the fragment are integers, but a value has another type: "
                  "convert it first");
  }

  /// Rejects other arguments in a short error, without the full types of tiles and fragments.
  template <class X>
    requires(!requires(X from) { from.operator fragment(); } &&
             (detail::is_fragment<X> || !requires(X from) { static_cast<T>(from); }))
  AXE_FN constexpr fragment(X const&, detail::source_check<detail::never<X>> = {}) {}

  template <auto R> AXE_FN constexpr T& operator[](constant<R>) {
    return registers[register_check<R>::passes() ? R % size : 0];
  }
  template <auto R> AXE_FN constexpr T const& operator[](constant<R>) const {
    return registers[register_check<R>::passes() ? R % size : 0];
  }

  /// extents<32, 32> and extents<32L, 32L> are spellings of one shape.
  template <class Same>
    requires(Same::value == shape_type::value)
  AXE_FN constexpr operator fragment<T, P, Same>() const {
    fragment<T, P, Same> same;
    for_each_register<size>([&](auto r) { same.registers[r.value] = registers[r.value]; });
    return same;
  }

  /// Rejects x + y. A user's operator for fragments would match better.
  AXE_FN constexpr operator T&() const {
    detail::reject_number<T>();
    return const_cast<T&>(registers[0]);
  }
  template <class... Coordinates> AXE_FN constexpr T& operator()(Coordinates const&...) const {
    static_assert(detail::never<Coordinates...>,
                  "a fragment cannot be called: x[r] is a register, and axe::for_each passes the "
                  "coordinates of each element");
    return const_cast<T&>(registers[0]);
  }
  template <class X>
    requires(!requires(X const& x) { x.registers; })
  AXE_FN constexpr fragment& operator=(X const&) {
    // A rejected call has reported its own error.
    static_assert(
        requires { typename X::rejected; },
        "only a fragment can be assigned to a fragment: call fill, axe::copy or "
        "axe::elementwise");
    return *this;
  }

  template <class X>
    requires(!detail::any_integer<X>)
  AXE_FN constexpr T& operator[](X const&) const {
    static_assert(detail::never<X>, "the number of a register is an integer or a constant<r>");
    return const_cast<T&>(registers[0]);
  }
#ifdef AXE_DEBUG
  AXE_FN T& operator[](detail::located_register r) {
    detail::check_index("register", static_cast<unsigned>(r.number), size, r.file, r.line);
    return registers[r.number];
  }
  AXE_FN T const& operator[](detail::located_register r) const {
    return const_cast<fragment&>(*this)[r];
  }
#else
  AXE_FN constexpr T& operator[](int r) { return registers[r]; }
  AXE_FN constexpr T const& operator[](int r) const { return registers[r]; }
#endif
  AXE_FN constexpr T* begin() { return registers; }
  AXE_FN constexpr T* end() { return registers + size; }
  AXE_FN constexpr T const* begin() const { return registers; }
  AXE_FN constexpr T const* end() const { return registers + size; }

  template <int D, auto R>
  AXE_FN static constexpr unsigned coordinate(constant<R>, unsigned thread) {
    constexpr int r = detail::register_number<R, size>();
    return partition_type::template coordinate_of<D>(thread)() +
           static_cast<unsigned>(partition_type::template step<r, D>);
  }

  template <class X = T> AXE_FN constexpr void fill(X const& value) {
    static_assert(!detail::any_integer<T> || detail::any_integer<X>,
                  "the registers of the fragment are integers, but the value of fill has another "
                  "type: convert it first");
    set_each(static_cast<T>(value), detail::indices_to<size>{});
  }

 private:
  template <int First = 0, int... R>
  AXE_FN constexpr void set_each(T const& value, detail::indices<R...>) {
    constexpr int half = sizeof...(R) / 2;
    if constexpr (sizeof...(R) < detail::fold_limit) {
      ((registers[First + R] = value), ...);
    } else {
      set_each<First>(value, detail::indices_to<half>{});
      set_each<First + half>(value, detail::indices_to<sizeof...(R) - half>{});
    }
  }
};

/// Deleted, because std::equality_comparable of a struct with a fragment would trigger a
/// static_assert.
template <class X, class Y>
  requires(detail::is_fragment<X> && detail::is_fragment<Y>)
AXE_FN bool operator==(X const&, Y const&) = delete;

}  // namespace AXE_NAMESPACE
}  // namespace axe
