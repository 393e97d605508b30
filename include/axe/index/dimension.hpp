// SPDX-License-Identifier: MIT
// dimension: the digits of one coordinate, slowest first.
//
//     dimension<digit<dynamic(1), 1>, digit<dynamic(3), dynamic(2)>>     (pixel, channel)
//
// Definition: docs/index_code.md, "Sizes at run time".
#pragma once

#include <axe/index/divisor.hpp>
#include <axe/index/leaf.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// The extent and the stride of one digit of a coordinate.
template <leaf Extent, leaf Stride> struct digit {
  static constexpr leaf extent = Extent, stride = Stride;
};

/// A dimension of a dynamic_layout, by its digits.
template <class... Digits> struct dimension;
template <leaf... Extents, leaf... Strides> struct dimension<digit<Extents, Strides>...> {
  static constexpr int digits = sizeof...(Extents);
  static_assert(digits > 0, "dimension<...> needs at least one digit");
  static constexpr leaf extents[digits]{Extents...};
  static constexpr leaf strides[digits]{Strides...};
  static_assert(((Extents.known() || Extents.value == 0) && ...),
                "n * dynamic(slot) may be a stride, but not an extent");

  /// The number of divisions: one for each dynamic extent except that of the slowest digit.
  AXE_FN static constexpr int splits() {
    return (0 + ... + !Extents.known()) - !extents[0].known();
  }
  /// The extent, or a known divisor of a dynamic one.
  AXE_FN static constexpr integer divisor() { return (Extents.divisor() * ...); }
  AXE_FN static constexpr bool known() { return (Extents.known() && ...); }
};

namespace detail {

inline constexpr integer coordinate_end = integer{1} << 32;

/// Up to this extent, a tile of at most 2^20 elements that begins in bounds ends below 2^31.
inline constexpr integer narrow_extent = (integer{1} << 31) - (integer{1} << 20);

AXE_FN constexpr void add_declaration(leaf& facts, leaf l, bool is_extent) {
  if (l.slot != facts.slot) return;
  integer const bound =
      is_extent && (l.bound == 0 || l.bound > coordinate_end) ? coordinate_end : l.bound;
  if (bound > 0 && (facts.bound == 0 || bound < facts.bound)) facts.bound = bound;
  facts.multiple =
      facts.multiple / greatest_common_divisor(facts.multiple, l.multiple) * l.multiple;
}
template <int D, class First, class... Rest> struct nth_type : nth_type<D - 1, Rest...> {};
template <class First, class... Rest> struct nth_type<0, First, Rest...> {
  using type = First;
};

/// A division of a coordinate by a dynamic extent times static extents.
struct coordinate_division {
  int dimension = 0;
  int slot = 0;       // of the dynamic extent
  integer known = 1;  // the product of the static extents

  /// The divisor. given[slot] is the value of dynamic(slot), here and below.
  AXE_FN constexpr integer divisor(integer const* given) const {
    return product_or_largest(given[slot], known);
  }
};

struct digit_data {
  int dimension = 0;
  leaf extent, stride;
};
/// The rules that a dynamic number may break, and its dimension.
struct slot_rules {
  rule below, multiple, bound;
  int dimension = 0;
};
/// All digits of a dynamic_layout, the fastest of each dimension first.
struct size_table {
  digit_data const* digits;
  int count;
  leaf offset;

  AXE_FN constexpr digit_data const* begin() const { return digits; }
  AXE_FN constexpr digit_data const* end() const { return digits + count; }
  AXE_FN constexpr bool is_slowest(int k) const {
    return k + 1 == count || digits[k + 1].dimension != digits[k].dimension;
  }
  AXE_FN constexpr int slots() const {
    integer last = offset.slot;
    for (digit_data const& d : *this) last = larger(last, larger(d.extent.slot, d.stride.slot));
    return static_cast<int>(last) + 1;
  }
  AXE_FN constexpr bool names(leaf digit_data::* part, int slot) const {
    for (digit_data const& d : *this)
      if ((d.*part).slot == slot) return true;
    return false;
  }
  AXE_FN constexpr slot_rules rules_of(int slot) const {
    using enum rule;
    for (digit_data const& d : *this)
      if (d.extent.slot == slot)
        return {dynamic_extent_below, dynamic_extent_is_not_a_multiple, dynamic_extent_is_not_below,
                d.dimension};
    for (digit_data const& d : *this)
      if (d.stride.slot == slot)
        return {dynamic_stride_below, dynamic_stride_is_not_a_multiple, dynamic_stride_is_not_below,
                d.dimension};
    return {size_below, size_is_not_a_multiple, size_is_not_below};
  }
  /// Combines all declarations of this slot.
  AXE_FN constexpr leaf facts_of(int slot) const {
    leaf facts{0, slot, 1, 0};
    for (digit_data const& d : *this) {
      add_declaration(facts, d.extent, true);
      add_declaration(facts, d.stride, false);
    }
    add_declaration(facts, offset, false);
    return facts;
  }
  AXE_FN constexpr integer largest_of(leaf const& l) const {
    return l.known() ? l.value : facts_of(l.slot).largest();
  }
  AXE_FN constexpr integer largest_extent(int dimension) const {
    integer product = 1;
    for (digit_data const& d : *this)
      if (d.dimension == dimension) product = product_or_largest(product, largest_of(d.extent));
    return product;
  }
  /// Division n, counted dimension by dimension, the fastest digits first.
  AXE_FN constexpr coordinate_division division(int n) const {
    coordinate_division out;
    for (int k = 0; k < count; ++k) {
      leaf const& extent = digits[k].extent;
      if (is_slowest(k)) {
        out = {digits[k].dimension + 1, 0, 1};
      } else if (extent.known()) {
        out.known *= extent.value;
      } else {
        out.slot = extent.slot;
        if (n-- == 0) break;
        out = {digits[k].dimension, 0, 1};
      }
    }
    return out;
  }

  /// If `given` is null, assumes the smallest dynamic numbers.
  AXE_FN constexpr refusal why(integer const* given) const {
    auto const value_of = [given](leaf const& l, integer least) {
      if (l.known()) return l.value;
      return given == nullptr ? least : product_or_largest(given[l.slot], l.factor());
    };
    if (count > capacity::shards) return {rule::too_many_shards, {count}};
    integer span = magnitude(value_of(offset, 0)), elements = 1;
    for (int k = 0; k < count; ++k) {
      auto const& [dimension, extent, stride] = digits[k];
      if (extent.known() && extent.value < 1)
        return {rule::digit_extent_below_one, {dimension, extent.value}};
      integer const n = value_of(extent, 1);
      elements = product_or_largest(elements, n);
      if (!add_product(span, n - 1, magnitude(value_of(stride, 0)))) span = largest;
      if (!is_slowest(k)) continue;
      if (elements > coordinate_end)
        return {rule::dimension_beyond_coordinates, {dimension, elements}};
      if (span >= integer{1} << 57) return {rule::sizes_leave_memory, {span}};
      elements = 1;
    }
    return {};
  }
};
template <class... Dimensions> struct digit_list_of {
  static constexpr int count = (0 + ... + Dimensions::digits);
  digit_data digits[count + 1]{};

  AXE_FN constexpr digit_list_of() {
    digit_data* next = digits;
    int dimension = 0;
    (put<Dimensions>(next, dimension++), ...);
  }

 private:
  template <class D> AXE_FN constexpr void put(digit_data*& next, int dimension) {
    for (int k = D::digits - 1; k >= 0; --k) *next++ = {dimension, D::extents[k], D::strides[k]};
  }
};
/// A base class that holds one dynamic number or divisor. `Number` is its index.
template <int Number, class T> struct numbered {
  T value{};

  constexpr numbered() = default;
  AXE_FN constexpr explicit numbered(auto given) : value(static_cast<T>(given)) {}
};
template <leaf Offset, class... Dimensions> struct listed_sizes {
  static constexpr digit_list_of<Dimensions...> listed{};
  static constexpr size_table table{listed.digits, listed.count, Offset};
  static constexpr int slots = table.slots();
  static constexpr int splits = (0 + ... + Dimensions::splits());
  template <int Slot>
  using number = numbered<Slot, stl::conditional_t<(table.facts_of(Slot).bound > 0 &&
                                                    table.facts_of(Slot).bound <= coordinate_end),
                                                   stl::uint32_t, integer>>;
  template <int Nth>
  using divisor =
      numbered<Nth, prepared_divisor<(table.largest_extent(table.division(Nth).dimension) <=
                                      integer{1} << 31)>>;
};

struct unchecked {};

/// The values of dynamic numbers, and prepared divisors.
template <class Listed, class Slots = integers_to<Listed::slots>,
          class Splits = integers_to<Listed::splits>>
struct stored_sizes;
template <class Listed, int... Slot, int... Nth>
struct stored_sizes<Listed, integers<Slot...>, integers<Nth...>>
    : Listed::template number<Slot>..., Listed::template divisor<Nth>... {
  constexpr stored_sizes() = default;
  AXE_FN constexpr explicit stored_sizes(auto... given)
      : Listed::template number<Slot>(given)...,
        Listed::template divisor<Nth>(divisor_value<Nth>(given...))... {}

 private:
  /// Replaces rejected numbers by 1.
  template <int Number> AXE_FN static constexpr unsigned divisor_value(auto... given) {
    constexpr coordinate_division s = Listed::table.division(Number);
    integer all[]{static_cast<integer>(given)...};
    if (all[s.slot] < 1 || all[s.slot] >= (integer{1} << 32)) all[s.slot] = 1;
    return static_cast<unsigned>(s.divisor(all));
  }
};

template <class... Dimensions> struct static_sizes {
  AXE_FN static constexpr refusal why() {
    return listed_sizes<leaf{}, Dimensions...>::table.why(nullptr);
  }
  AXE_FN static constexpr refusal_text text() { return sentence_of("dynamic_layout", why(), {}); }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
