// SPDX-License-Identifier: MIT
// bind_address: computes the run-time part of an address once. Accesses then add constants.
//
//     auto const rows = bind_address<L, S, 2>(t.bits<0, 4>(), constant<8>{} * t.bits<4, 1>());
//     rows.at<16, 32>().from(buffer)                              16 rows down, 32 columns right
//
// Definition: docs/index_code.md, "Bind once, then add constants".
#pragma once

#include <axe/index/coordinate.hpp>
#include <axe/index/place_constant.hpp>
#include <axe/index/registers.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class S> struct shape_ends {
  static constexpr char const* call = "bind_address";
  AXE_FN static constexpr integer end(int d) { return product_below(S::value, S::value.entry(d)); }
  AXE_FN static constexpr refusal why(int d, integer sum) {
    return {rule::constants_leave_a_dimension, {d, sum, end(d)}};
  }
};

template <class L, class S, integer Bytes, class... Sums> struct plan_of {
  static constexpr address_plan value =
      plan_address(L::value, S::value, Bytes, listed_parts<Sums...>::value);

  AXE_FN static constexpr refusal_text text() {
    return text_of_call("bind_address", value.why, L::value, S::value);
  }
};

template <class Plan, class Index> AXE_FN constexpr Index swizzle_sum(Index plain) {
  constexpr axe::swizzle f = Plan::value.swizzle;
  constexpr Index mask = static_cast<Index>(((integer{1} << f.B) - 1) << f.M);
  if constexpr (f.S >= int{8 * sizeof(Index)} || -f.S >= int{8 * sizeof(Index)})
    return plain;  // no address has the bits that the swizzle reads or changes
  else if constexpr (f.S > 0)
    return plain ^ ((plain >> f.S) & mask);
  else
    return plain ^ ((plain & mask) << -f.S);
}

template <class Base, bool Signed, class Register> AXE_FN constexpr Base widened(Register r) {
  static_assert(
      any_integer<Base> && sizeof(Base) >= sizeof(Register),
      "the base must be an address as an integer, at least as wide as the layout's addresses");
  if constexpr (Signed && sizeof(Base) > sizeof(Register))
    return static_cast<Base>(static_cast<int>(r));
  else
    return static_cast<Base>(r);
}
}  // namespace detail

/// [base + immediate], as in a memory instruction. Signed: `base` may be negative.
template <class Register, integer Immediate, bool Signed = false> struct displaced {
  Register base;
  static constexpr integer immediate = Immediate;
  AXE_FN constexpr operator Register() const { return base + static_cast<Register>(Immediate); }
  template <class Base> AXE_FN constexpr displaced<Base, Immediate> from(Base start) const {
    return {static_cast<Base>(start + detail::widened<Base, Signed>(base))};
  }
};

namespace detail {
template <class L, class S, integer Bytes, class... Sums>
AXE_FN constexpr auto bind_sums(Sums const&... s);

/// A bound address in bytes. Unless Based, a base is added later, and `base` is 0.
template <bool Based, class Register, class L, class S, integer Bytes, class... Sums>
struct bound_address {
  using plan = plan_of<L, S, Bytes, Sums...>;
  static constexpr int rank = sizeof...(Sums);
  static constexpr bool swizzles_sum = plan::value.mode == swizzling::of_sum;
  // If `swizzles_sum`, `sum` includes the layout's offset and is not negative.
  static constexpr bool below_zero = !Based && plan::value.smallest_sum < 0 && !swizzles_sum;

  Register sum;  // `base` plus the run-time part
  Register base;
  [[no_unique_address]] sums<Sums...> coordinates;

  template <integer... Constants> AXE_FN constexpr auto at() const {
    if constexpr (!constants_within<shape_ends<S>, Sums...>::template admits<Constants...>()) {
      return displaced<Register, 0, below_zero>{sum};
    } else {
      constexpr constant_part c = constants<Constants...>();
      if constexpr (!c.again)
        return displaced<Register, c.immediate, below_zero>{
            static_cast<Register>(sum ^ static_cast<Register>(c.xored))};
      else if constexpr (Based)
        return bound_again<Constants...>(indices_to<rank>{}).template at<>().from(base);
      else
        return bound_again<Constants...>(indices_to<rank>{}).template at<>();
    }
  }

  /// Adds the base before the XOR, so that accesses share one register. Precondition: the base is a
  /// multiple of the swizzle's period.
  template <class Base> AXE_FN constexpr auto from(Base start) const {
    return bound_address<true, Base, L, S, Bytes, Sums...>{
        static_cast<Base>(start + widened<Base, below_zero>(sum)),
        static_cast<Base>(start + widened<Base, false>(base)), coordinates};
  }

  template <int D> AXE_FN constexpr unsigned coordinate() const {
    return coordinate_in<D>(coordinates);
  }
  template <integer... Constants> AXE_FN static constexpr constant_part constants() {
    return constants_of({{Constants...}});
  }
  AXE_FN static consteval constant_part constants_of(constant_list<rank> const& more) {
    return place_constant(plan::value, listed_parts<Sums...>::value, more.at);
  }

  template <integer... Constants, int... D> AXE_FN constexpr auto bound_again(indices<D...>) const {
    static_assert(sizeof...(Constants) == rank, "an address without constants is bound once");
    return bind_sums<L, S, Bytes>(add_constant<Constants>(sum_number<D>(coordinates))...);
  }
};

template <class L, class S, integer Bytes, class... Sums>
AXE_FN constexpr auto bind_sums(Sums const&... s) {
  using plan = plan_of<L, S, Bytes, Sums...>;
  using stop [[maybe_unused]] = verdict<plan>::stop;
  using index = unsigned_sum<plan::value.addresses_in_32_bits()>;
  using bound = bound_address<false, index, L, S, Bytes, Sums...>;
  sums<Sums...> const coordinates = make_sums(s...);
  index sum = add_registers<plan, index>(coordinates);
  if constexpr (bound::swizzles_sum)
    sum = swizzle_sum<plan>(
        static_cast<index>(sum + static_cast<index>(as_constant<plan::value.start>)));
  return bound{sum, 0, coordinates};
}
}  // namespace detail

/// L carries a layout of shape S, of elements of `Bytes` bytes. Precondition: coordinates are in
/// bounds, also after `at` has added constants.
template <class L, class S, integer Bytes, class... Coordinates>
AXE_FN constexpr auto bind_address(Coordinates const&... coordinates) {
  static_assert(sizeof...(Coordinates) == S::value.rank(),
                "there must be one coordinate for each dimension");
  static_assert(Bytes > 0, "bind_address<L, S, Bytes>: Bytes must be at least 1");
  return detail::bind_sums<L, S, Bytes>(as_sum(coordinates)...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
