// SPDX-License-Identifier: MIT
// A thread tile: the part of a tile in global or shared memory that one thread owns.
//
//     auto const from = local_partition<by_rows>(tile<32, 32>(in, row, column), threadIdx.x);
//     for_each_register<from.size>([&](auto r) { if (from.in_bounds(r)) use(from.load(r)); });
//
// Definition: docs/index_code.md, "Tensors and tiles".
#pragma once

#include <axe/cuda/debug.hpp>
#include <axe/cuda/for_each.hpp>
#include <axe/cuda/memory.hpp>
#include <axe/index/thread_tile_in_bounds.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
/// The operand of a shared_tile is a shared_tile_ref, that of a numbered_tile a tensor_tile.
template <class X>
concept has_operand = requires { typename X::operand_type; };
template <class X> AXE_FN X& operand_of(X&);
template <has_operand X> AXE_FN X::operand_type operand_of(X&);
template <class X>
using operand_type = stl::remove_cvref_t<decltype(detail::operand_of(
    *static_cast<stl::remove_cvref_t<X>*>(nullptr)))>;
/// For default arguments: under AXE_DEBUG nvcc 13.0 would report the line of operand_type.
template <class X> struct named_operand {
  using type = operand_type<X>;
};
template <class X>
  requires(!has_operand<X>)
AXE_FN constexpr X& operand(X& x) {
  return x;
}

/// Replaces an invalid P, so that its error appears once.
template <class P, class S, bool Refused = static_cast<bool>(partition<P, S>::value.why)>
struct usable_partition {
  using type = P;
};
template <class P, class S> struct usable_partition<P, S, true> {
  using stop = verdict<partition<P, S>>::stop;
  using type =
      static_layout<shards<iter{product_below(S::value, 0), 1, axis::tid}>, replicas<>, offsets<>>;
};
/// The shape of a tile whose error has been reported. One thread owns all its elements.
template <integer... Extents> struct reported_shape : extents<Extents...> {};
template <class P, integer... Extents>
struct usable_partition<P, reported_shape<Extents...>, true> {
  using type = static_layout<shards<iter{(Extents * ...), 1, axis::reg}>, replicas<>, offsets<>>;
};
template <class P, class S> struct partition_of_tile {
  using source = stl::conditional_t<carries_layout<P>, partition<P, S>, broken<rule::none>>;
};
template <class P, integer... Extents> struct partition_of_tile<P, reported_shape<Extents...>> {
  using source = broken<rule::none>;
};
}  // namespace detail

template <class X>
concept tile_in_shared_memory = requires { typename detail::operand_type<X>::inside; };

namespace detail {

/// Depends on R, so that the compiler checks it only where store() is called.
template <class T, auto R> struct stored_type {
  static_assert(!stl::is_const_v<T>, "a tensor of const elements cannot be written");
  using type = T;
};
template <class Number> struct constant_check {
  static_assert(never<Number>,
                "a thread tile takes the number of a register as a constant: "
                "axe::for_each_register<x.size>([&](auto r) { y[r] = x.load(r); })");
  static constexpr bool passed = false;
  struct stop;
};
template <class R>
concept run_time_register = !is_constant<R>;
/// Not a template: its name is short in messages.
struct constant_registers {
  template <run_time_register R> AXE_FN auto load(R) const {
    return typename constant_check<R>::stop{};
  }
  template <run_time_register R> AXE_FN auto operator[](R) const {
    return typename constant_check<R>::stop{};
  }
  template <run_time_register R> AXE_FN bool in_bounds(R) const {
    return constant_check<R>::passed;
  }
  template <run_time_register R> AXE_FN void store(R, auto const&) const {
    static_cast<void>(constant_check<R>::passed);
  }
};
/// In shared memory, pointer() returns a `displaced`.
template <class T, class Bound> struct tile_of_thread : constant_registers {
  using partition_type = Bound::partition_type;
  static constexpr int size = Bound::size;
  /// The number of elements that share a register: loads read the first.
  static constexpr integer shared = partition_type::value.shared;
  using element_type = T;
  using value_type = stl::remove_const_t<T>;
  static constexpr bool has_pointers = requires(Bound const& at) { *at.template at<0>(); };
  Bound bound;

  using constant_registers::in_bounds, constant_registers::load, constant_registers::store,
      constant_registers::operator[];
  template <auto R> AXE_FN constexpr auto pointer(constant<R>) const {
    // register_number would lengthen the message.
    constexpr bool exists = verdict<register_exists<R, size>>::passes();
    return bound.template at<exists ? static_cast<int>(R) : 0>();
  }
  template <auto R> AXE_FN constexpr bool in_bounds(constant<R>) const {
    constexpr bool exists = verdict<register_exists<R, size>>::passes();
    return bound.template in_bounds<exists ? static_cast<int>(R) : 0>();
  }
  AXE_FN constexpr bool any_in_bounds() const { return bound.any_in_bounds(); }
  template <int D, auto R> AXE_FN constexpr unsigned coordinate(constant<R>) const {
    return bound.template coordinate<register_number<R, size>(), D>();
  }

  template <auto R>
    requires has_pointers
  AXE_FN constexpr auto& operator[](constant<R> r) const {
    return static_cast<stl::conditional_t<shared == 1, T, T const>&>(*pointer(r));
  }
  AXE_CALLS_USER_CODE template <auto R>
  AXE_FN constexpr T load(constant<R> r AXE_CALLED_FROM) const {
#ifdef AXE_DEBUG
    check_register(*this, r, integers_to<partition_type::rank>{}, axe_file, axe_line);
#endif
    if constexpr (has_pointers)
      return *pointer(r);
    else
      return load_shared<T>(pointer(r));
  }
  AXE_CALLS_USER_CODE template <auto R>
  AXE_FN constexpr void store(constant<R> r,
                              typename stored_type<T, R>::type const& value AXE_CALLED_FROM) const {
#ifdef AXE_DEBUG
    check_register(*this, r, integers_to<partition_type::rank>{}, axe_file, axe_line);
#endif
    using stop [[maybe_unused]] = verdict<has_one_element<shared>>::stop;
    if constexpr (stl::is_const_v<T>)
      return;
    else if constexpr (has_pointers)
      *pointer(r) = value;
    else
      store_shared<T>(pointer(r), value);
  }
};
}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
