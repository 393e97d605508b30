// SPDX-License-Identifier: MIT
// dynamic_layout: a layout with static and dynamic extents and strides.
//
//     using matrix = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).multiple_of(8)>;
//     matrix const a(4096, 4000, 4096);       to_layout(a) is S[(4096,4000):(4096,1)]
//
// The host rejects numbers that contradict a declaration, dimensions above 2^32 and spans of 2^57
// elements or more. Definition: docs/index_code.md, "Sizes at run time".
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/index/dimension.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <leaf Offset, class... Dimensions>
struct dynamic_layout_from : detail::stored_sizes<detail::listed_sizes<Offset, Dimensions...>> {
  using stop = detail::verdict<detail::static_sizes<Dimensions...>>::stop;
  using plain = dynamic_layout_from;  // the type of the sizes in bound pointers
  static constexpr int rank = sizeof...(Dimensions);
  using listed = detail::listed_sizes<Offset, Dimensions...>;
  static constexpr detail::size_table table = listed::table;
  static constexpr int slots = listed::slots;
  static constexpr int splits = listed::splits;
  static constexpr leaf offset = Offset;
  using numbers = detail::stored_sizes<listed>;
  AXE_FN static constexpr leaf facts_of(int slot) { return table.facts_of(slot); }
  AXE_FN static constexpr integer divisor_of(leaf l) {
    return l.known() ? l.value : facts_of(l.slot).multiple * l.factor();
  }
  template <int D> using dimension_type = detail::nth_type<D, Dimensions...>::type;

  constexpr dynamic_layout_from() = default;
  AXE_FN static constexpr bool takes(int count) { return count == slots; }
  template <class... Integers>
    requires(sizeof...(Integers) == slots && slots > 0)
  AXE_FN constexpr explicit dynamic_layout_from(Integers... given) : numbers(given...) {
    static_assert((detail::any_integer<Integers, 8> && ...),
                  "sizes must be integers of at most 64 bits");
#ifndef __CUDA_ARCH__
    detail::stop_on(why(static_cast<integer>(given)...), "dynamic_layout");
#endif
  }
  template <class... Integers>
    requires(sizeof...(Integers) != slots && sizeof...(Integers) > 0 &&
             (detail::any_integer<Integers> && ...))
  AXE_FN constexpr explicit dynamic_layout_from(Integers...) {
    using wrong [[maybe_unused]] = detail::verdict<
        detail::broken<rule::another_number_of_sizes, sizeof...(Integers), slots>>::stop;
  }

  AXE_FN constexpr dynamic_layout_from(detail::unchecked, auto... given) : numbers(given...) {}

  AXE_FN static constexpr refusal why(auto... given) {
    integer const all[]{static_cast<integer>(given)...};
    for (int slot = 0; slot < slots; ++slot) {
      leaf const combined = facts_of(slot);
      detail::slot_rules const use = table.rules_of(slot);
      integer const least = table.names(&detail::digit_data::extent, slot) ? 1 : 0;
      if (all[slot] < least) return {use.below, {slot, all[slot], least, use.dimension}};
      if (all[slot] % combined.multiple != 0)
        return {use.multiple, {slot, all[slot], combined.multiple, use.dimension}};
      if (least == 1 && combined.bound == detail::coordinate_end && all[slot] >= combined.bound)
        return {rule::size_beyond_coordinates, {slot, all[slot], 0, use.dimension}};
      if (combined.bound > 0 && all[slot] >= combined.bound)
        return {use.bound, {slot, all[slot], combined.bound, use.dimension}};
    }
    for (int n = 0; n < splits; ++n) {
      detail::coordinate_division const s = table.division(n);
      if (integer const divisor = s.divisor(all); divisor >= (integer{1} << 32))
        return {rule::size_to_divide_by, {s.dimension, divisor}};
    }
    return table.why(all);
  }
  template <int Number> AXE_FN constexpr auto const& divisor() const {
    return static_cast<listed::template divisor<Number> const&>(*this).value;
  }

  template <int Slot> AXE_FN constexpr auto number() const {
    return static_cast<listed::template number<Slot> const&>(*this).value;
  }
  template <int D> AXE_FN static constexpr leaf stride() {
    static_assert(dimension_type<D>::digits == 1,
                  "a dimension of several digits has no single stride");
    return dimension_type<D>::strides[0];
  }
  template <int D> AXE_FN constexpr integer extent() const {
    return product_of(dimension_type<D>{});
  }
  template <leaf L> AXE_FN constexpr integer leaf_number() const {
    if constexpr (L.known())
      return L.value;
    else
      return static_cast<integer>(number<L.slot>()) * L.factor();
  }

 private:
  template <leaf... Extents, leaf... Strides>
  AXE_FN constexpr integer product_of(dimension<digit<Extents, Strides>...>) const {
    return (leaf_number<Extents>() * ...);
  }
};

template <class... Dimensions> struct dynamic_layout {
  static_assert(
      detail::never<dynamic_layout>,
      "dynamic_layout takes axe::dimension<axe::digit<extent, stride>> for each dimension");
  AXE_FN constexpr dynamic_layout(auto const&...) {}
};
/// Not an alias: nvcc 13.0 would write undeclared names of leaves in kernel stubs.
template <class... Dimensions>
  requires(requires { Dimensions::digits; } && ...)
struct dynamic_layout<Dimensions...> : dynamic_layout_from<leaf{}, Dimensions...> {
  using base = dynamic_layout_from<leaf{}, Dimensions...>;
  using base::base;
};

/// The layout S[(Rows,Columns):(Pitch,1)].
template <leaf Rows, leaf Columns, leaf Pitch>
struct dynamic_matrix
    : dynamic_layout<dimension<digit<Rows, Pitch>>, dimension<digit<Columns, 1>>> {
  using base = dynamic_layout<dimension<digit<Rows, Pitch>>, dimension<digit<Columns, 1>>>;
  using base::base;
};

namespace detail {
AXE_FN constexpr void append_digit(layout& l, integer extent, integer stride) {
  l.shards.push({extent, stride, stride == 0 ? axis::null : axis::m});
}
template <leaf... Extents, leaf... Strides>
AXE_FN constexpr void append_digits(layout& l, auto const& sizes,
                                    axe::dimension<axe::digit<Extents, Strides>...>) {
  (append_digit(l, sizes.template leaf_number<Extents>(), sizes.template leaf_number<Strides>()),
   ...);
}
template <int... D> AXE_FN constexpr shape shape_from(auto const& sizes, integers<D...>) {
  shape result;
  (result.append(tree(sizes.template extent<D>())), ...);
  return result;
}
}  // namespace detail

/// The layout with these sizes. It has an iter for each digit.
template <leaf Offset, class... Dimensions>
AXE_FN constexpr layout to_layout(dynamic_layout_from<Offset, Dimensions...> const& sizes) {
  layout l;
  (detail::append_digits(l, sizes, Dimensions{}), ...);
  if (integer const at = sizes.template leaf_number<Offset>(); at != 0)
    l.offsets.push({at, axis::m});
  return l;
}
/// The extents of the dimensions.
template <leaf Offset, class... Dimensions>
AXE_FN constexpr shape shape_of(dynamic_layout_from<Offset, Dimensions...> const& sizes) {
  return detail::shape_from(sizes, detail::integers_to<sizeof...(Dimensions)>{});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
