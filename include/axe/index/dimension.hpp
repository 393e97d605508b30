// SPDX-License-Identifier: MIT
// dimension: the digits of one coordinate, slowest first, whose extents and strides are leaves.
//
//     dimension<digit<dynamic(0), dynamic(2).multiple_of(8)>>           rows at a pitch
//     dimension<digit<dynamic(1), 1>, digit<dynamic(3), dynamic(2)>>     (pixel, channel)
//
// Coordinates are divided by dynamic extents below the slowest digit (index/divisor.hpp). If
// several leaves name one number, all their declarations hold. docs/index_code.md, "Sizes at run
// time".
#pragma once

#include <axe/index/divisor.hpp>
#include <axe/index/leaf.hpp>

namespace axe::inline AXE_NAMESPACE {

template <leaf Extent, leaf Stride> struct digit {
  static constexpr leaf extent = Extent, stride = Stride;
};

template <class... Digits> struct dimension;
template <leaf... Extents, leaf... Strides> struct dimension<digit<Extents, Strides>...> {
  static constexpr int digits = sizeof...(Extents);
  static_assert(digits > 0, "dimension<...> needs at least one digit");
  static constexpr leaf extents[digits]{Extents...};
  static constexpr leaf strides[digits]{Strides...};
  static_assert(((Extents.known() || Extents.value == 0) && ...),
                "n * dynamic(slot) may be a stride, but not an extent");

  /// True if the digit above digit k needs a division by a run-time number.
  AXE_FN static constexpr bool splits_above(int k) { return k > 0 && !extents[k].known(); }
  /// The number of divisions by run-time numbers.
  AXE_FN static constexpr int splits() {
    int n = 0;
    for (int k = 1; k < digits; ++k) n += splits_above(k);
    return n;
  }
  /// The product of the extents below the slowest, or a known divisor of it.
  AXE_FN static constexpr integer inner() {
    integer product = 1;
    for (int k = 1; k < digits; ++k) product *= extents[k].divisor();
    return product;
  }
};

namespace detail {

inline constexpr integer coordinate_end = integer{1} << 32;

/// In a dimension of at most this extent, a tile of at most 2^20 elements that begins in bounds
/// ends below 2^31.
inline constexpr integer narrow_extent = (integer{1} << 31) - (integer{1} << 20);

template <class D> AXE_FN constexpr integer last_slot(integer so_far) {
  for (int k = 0; k < D::digits; ++k)
    so_far = larger(so_far, larger(D::extents[k].slot, D::strides[k].slot));
  return so_far;
}
/// One more than the largest slot that a leaf names.
template <leaf Offset, class... Dimensions> AXE_FN constexpr int count_slots() {
  integer last = Offset.slot;
  ((last = last_slot<Dimensions>(last)), ...);
  return static_cast<int>(last) + 1;
}

/// Adds the declarations of leaf l to `facts` if they name the same slot. `extent`: l is an extent,
/// which is below 2^32. A function, because NVRTC takes some lambdas for host functions.
AXE_FN constexpr void note_leaf(leaf& facts, leaf l, bool extent) {
  if (l.slot != facts.slot) return;
  integer const bound =
      extent && (l.bound == 0 || l.bound > coordinate_end) ? coordinate_end : l.bound;
  if (bound > 0 && (facts.bound == 0 || bound < facts.bound)) facts.bound = bound;
  facts.multiple =
      facts.multiple / greatest_common_divisor(facts.multiple, l.multiple) * l.multiple;
}
template <class D> AXE_FN constexpr void note_dimension(leaf& facts) {
  for (int k = 0; k < D::digits; ++k) {
    note_leaf(facts, D::extents[k], true);
    note_leaf(facts, D::strides[k], false);
  }
}
template <int D, class First, class... Rest> struct nth_type : nth_type<D - 1, Rest...> {};
template <class First, class... Rest> struct nth_type<0, First, Rest...> {
  using type = First;
};

AXE_FN constexpr integer product_or_largest(integer a, integer b) {
  return multiply(a, b) ? a : largest;
}

/// The digits between two divisions by run-time numbers.
struct split_digits {
  int dimension = 0;
  int slot = 0;       // of the slowest digit's extent
  integer known = 1;  // the product of the other extents

  /// The number to divide by. `given`: the dynamic numbers by slot.
  AXE_FN constexpr integer radix(integer const* given) const {
    return product_or_largest(given[slot], known);
  }
};
/// Finds division n of a dimension, fastest digits first. If the dimension has too few divisions,
/// subtracts their number from n and returns false.
template <class D> AXE_FN constexpr bool find_split(int& n, int at, split_digits& out) {
  out = {at, 0, 1};
  for (int k = D::digits - 1; k > 0; --k) {
    if (!D::splits_above(k)) {
      out.known *= D::extents[k].value;
      continue;
    }
    out.slot = D::extents[k].slot;
    if (n-- == 0) return true;
    out = {at, 0, 1};
  }
  return false;
}
template <class... Dimensions> AXE_FN constexpr split_digits split_number(int n) {
  split_digits out;
  int at = 0;
  (void)(find_split<Dimensions>(n, at++, out) || ...);
  return out;
}

/// The declarations of all leaves that name this slot, combined. Extents are below 2^32.
template <leaf Offset, class... Dimensions> AXE_FN constexpr leaf facts_of(int slot) {
  leaf facts = dynamic(slot);
  (note_dimension<Dimensions>(facts), ...);
  note_leaf(facts, Offset, false);
  return facts;
}

/// The type that holds the number of a slot: 32 bits if the declared bound proves that it fits.
template <int Slot, leaf Offset, class... Dimensions>
using slot_type =
    stl::conditional_t<(facts_of<Offset, Dimensions...>(Slot).bound > 0 &&
                        facts_of<Offset, Dimensions...>(Slot).bound <= coordinate_end),
                       stl::uint32_t, integer>;
/// Selects the constructor that does not check the numbers.
struct unchecked {};

template <int Slot, class Number> struct slot_number {
  Number n{};
};
template <class Slots, leaf Offset, class... Dimensions> struct slot_numbers;
template <int... Slot, leaf Offset, class... Dimensions>
struct slot_numbers<integers<Slot...>, Offset, Dimensions...>
    : slot_number<Slot, slot_type<Slot, Offset, Dimensions...>>... {
  constexpr slot_numbers() = default;
  template <class... Integers>
  AXE_FN constexpr explicit slot_numbers(Integers... given)
      : slot_number<Slot, slot_type<Slot, Offset, Dimensions...>>{
            static_cast<slot_type<Slot, Offset, Dimensions...>>(given)}... {}
};

template <int N, bool Short> struct slot_divisor {
  kept_divisor<Short> by;
};
template <class D> AXE_FN constexpr integer most_of_dimension() {
  integer product = 1;
  for (int k = 0; k < D::digits; ++k) product = product_or_largest(product, D::extents[k].most());
  return product;
}
/// True if the coordinates that division N divides are below 2^31.
template <int N, class... Dimensions> AXE_FN constexpr bool short_division() {
  using along = typename nth_type<split_number<Dimensions...>(N).dimension, Dimensions...>::type;
  return most_of_dimension<along>() <= (integer{1} << 31);
}
template <class Splits, class... Dimensions> struct slot_divisors;
template <int... N, class... Dimensions>
struct slot_divisors<integers<N...>, Dimensions...>
    : slot_divisor<N, short_division<N, Dimensions...>()>... {
  constexpr slot_divisors() = default;
  AXE_FN constexpr explicit slot_divisors([[maybe_unused]] integer const* given)
      : slot_divisor<N, short_division<N, Dimensions...>()>{
            kept_divisor<short_division<N, Dimensions...>()>(
                static_cast<unsigned>(radix<N>(given)))}... {}

 private:
  template <int K> AXE_FN static constexpr integer radix(integer const* given) {
    constexpr split_digits s = split_number<Dimensions...>(K);
    return s.radix(given);
  }
};

template <int Digits> AXE_FN constexpr bool one_has_slot(leaf const (&leaves)[Digits], int slot) {
  for (leaf const& l : leaves)
    if (l.slot == slot) return true;
  return false;
}

/// Checks extents and spans. Each call of `add` checks one dimension. `given`: the dynamic numbers
/// by slot, or null at compile time.
struct size_check {
  refusal why{};
  integer span = 0;  // from the first element to the last
  int dimension = 0;

  /// The value of a leaf, or the least that it can have if no dynamic numbers are given.
  AXE_FN static constexpr integer value_of(leaf l, integer const* given, integer least) {
    if (l.known()) return l.value;
    return given == nullptr ? least : given[l.slot] * l.factor();
  }
  AXE_FN constexpr void add(leaf const* extents, leaf const* strides, int digits,
                            integer const* given) {
    integer elements = 1;
    for (int k = 0; k < digits; ++k) {
      leaf const extent = extents[k];
      if (extent.known() && extent.value < 1)
        refuse({rule::digit_extent_below_one, {dimension, extent.value}});
      integer const n = value_of(extent, given, 1);
      elements = product_or_largest(elements, n);
      if (!add_product(span, n - 1, magnitude(value_of(strides[k], given, 0)))) span = largest;
    }
    if (elements > coordinate_end)
      refuse({rule::dimension_beyond_coordinates, {dimension, elements}});
    if (span >= integer{1} << 57) refuse({rule::sizes_leave_memory, {span}});
    ++dimension;
  }
  AXE_FN constexpr void refuse(refusal const& reason) {
    if (!why) why = reason;
  }
};
template <class... Dimensions> AXE_FN constexpr refusal why_no_layout(integer const* given) {
  size_check check;
  (check.add(Dimensions::extents, Dimensions::strides, Dimensions::digits, given), ...);
  return check.why;
}
/// The error that the static extents and strides cause, whatever the run-time numbers are.
template <class... Dimensions> struct known_sizes {
  AXE_FN static constexpr refusal why() { return why_no_layout<Dimensions...>(nullptr); }
  AXE_FN static constexpr refusal_text text() { return sentence_of("dynamic_layout", why(), {}); }
};

}  // namespace detail
}  // namespace axe::inline AXE_NAMESPACE
