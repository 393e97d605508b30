// sized: a layout some of whose extents and strides are known at run time only, leaf by leaf; the others fold as in a static layout.
//
//     rows x columns, row-major with a pitch:        S[(M, N):(ld, 1)]
//
//     using matrix = sized<dimension<digit<given(0), given(2).multiple_of(8)>>, dimension<digit<given(1), 1>>>;
//     matrix const a(4096, 4000, 4096);              M, N, ld
//     to_layout(a)                                   S[(4096,4000):(4096,1)], the same questions and answers as every layout
//
// A dimension is a list of digits, slowest first, as in a grouped layout. Only the slowest extent of a dimension may be a run-time number: an inner one would
// make every address a division by a number that is not known; give that dimension as two.
// Refused: an inner extent that is not known (at compile time); a number that contradicts what was stated of it (where it is given, on the host).
// Definition: docs/index.md, "Sizes at run time".
#pragma once

#include <axe/detail/integers.hpp>
#include <axe/index/leaf.hpp>
#include <axe/layout/carrier.hpp>

#if !defined(__CUDACC_RTC__)
#include <type_traits>
#endif

namespace axe::inline AXE_NAMESPACE {

template <leaf Extent, leaf Stride> struct digit {
  static constexpr leaf extent = Extent, stride = Stride;
};

template <class... Digits> struct dimension;
template <leaf... Extents, leaf... Strides> struct dimension<digit<Extents, Strides>...> {
  static constexpr int digits = sizeof...(Extents);
  static_assert(digits > 0, "a dimension has at least one digit");
  static constexpr leaf extents[digits]{Extents...};
  static constexpr leaf strides[digits]{Strides...};

  AXE_FN static constexpr bool inner_extents_are_known() {
    for (int k = 1; k < digits; ++k)
      if (!extents[k].known()) return false;
    return true;
  }
  static_assert(inner_extents_are_known(),
                "an extent that is not the slowest of its dimension must be a number: state it, or make two "
                "dimensions of it");
  /// Of the digits below the slowest.
  AXE_FN static constexpr integer inner() {
    integer product = 1;
    for (int k = 1; k < digits; ++k) product *= extents[k].value;
    return product;
  }
};

namespace detail {

AXE_FN constexpr int larger_slot(int so_far, leaf l) { return l.slot > so_far ? l.slot : so_far; }
template <class D> AXE_FN constexpr int last_slot() {
  int last = -1;
  for (int k = 0; k < D::digits; ++k) last = larger_slot(larger_slot(last, D::extents[k]), D::strides[k]);
  return last;
}

/// Functions, not lambdas: NVRTC takes a lambda of a template that only types reach for one of the host.
AXE_FN constexpr void note_leaf(leaf& facts, leaf l, bool extent) {
  if (l.slot != facts.slot) return;
  integer const bound = l.bound > 0 ? l.bound : extent ? integer{1} << 32 : 0;
  if (bound > 0 && (facts.bound == 0 || bound < facts.bound)) facts.bound = bound;
  facts.multiple = facts.multiple / greatest_common_divisor(facts.multiple, l.multiple) * l.multiple;
}
template <class D> AXE_FN constexpr void note_dimension(leaf& facts) {
  for (int k = 0; k < D::digits; ++k) {
    note_leaf(facts, D::extents[k], true);
    note_leaf(facts, D::strides[k], false);
  }
}
/// All that the dimensions state of one number: the strictest bound, and that an extent stays below 2^32.
template <class... Dimensions> AXE_FN constexpr leaf facts_of(int slot) {
  leaf facts = given(slot);
  (note_dimension<Dimensions>(facts), ...);
  return facts;
}

/// The type in which a number is kept: 32 bits where it is known to fit.
template <int Slot, class... Dimensions>
using slot_type = stl::conditional_t<(facts_of<Dimensions...>(Slot).bound > 0 &&
                                      facts_of<Dimensions...>(Slot).bound <= (integer{1} << 32)),
                                     stl::uint32_t, integer>;
template <int Slot, class Number> struct slot_number {
  Number n{};
};
template <class Slots, class... Dimensions> struct slot_numbers;
template <int... Slot, class... Dimensions>
struct slot_numbers<integers<Slot...>, Dimensions...> : slot_number<Slot, slot_type<Slot, Dimensions...>>... {
  constexpr slot_numbers() = default;
  template <class... Integers>
  AXE_FN constexpr explicit slot_numbers(Integers... given)
      : slot_number<Slot, slot_type<Slot, Dimensions...>>{
            static_cast<slot_type<Slot, Dimensions...>>(given)}... {}
};

template <int D, class First, class... Rest> struct nth_type : nth_type<D - 1, Rest...> {};
template <class First, class... Rest> struct nth_type<0, First, Rest...> {
  using type = First;
};

template <class D> AXE_FN constexpr bool has_extent(int slot) {
  for (int k = 0; k < D::digits; ++k)
    if (D::extents[k].slot == slot) return true;
  return false;
}
template <class D> AXE_FN constexpr bool has_stride(int slot) {
  for (int k = 0; k < D::digits; ++k)
    if (D::strides[k].slot == slot) return true;
  return false;
}
template <class... Dimensions> AXE_FN constexpr bool is_extent(int slot) {
  return (has_extent<Dimensions>(slot) || ...);
}

template <class... Dimensions> AXE_FN constexpr int count_slots() {
  int last = -1;
  ((last = last_slot<Dimensions>() > last ? last_slot<Dimensions>() : last), ...);
  return last + 1;
}

}  // namespace detail

template <class... Dimensions>
struct sized
    : detail::slot_numbers<detail::integers_to<detail::count_slots<Dimensions...>()>, Dimensions...> {
  static constexpr int rank = sizeof...(Dimensions);
  static constexpr int slots = detail::count_slots<Dimensions...>();
  using numbers = detail::slot_numbers<detail::integers_to<slots>, Dimensions...>;
  template <int Slot> static constexpr leaf facts = detail::facts_of<Dimensions...>(Slot);
  template <int D> using dimension_type = typename detail::nth_type<D, Dimensions...>::type;

  constexpr sized() = default;
  /// The numbers in the order of their slots. On the host a number that is not what was stated of it stops with a sentence.
  template <class... Integers>
    requires(sizeof...(Integers) == slots && slots > 0)
  AXE_FN constexpr explicit sized(Integers... given) : numbers(given...) {
#if !defined(__CUDA_ARCH__)
    detail::stop_on(why(static_cast<integer>(given)...), "sized", {});
#endif
  }

  /// Which number is not what was stated of it, if any.
  template <class... Integers> AXE_FN static constexpr refusal why(Integers... given) {
    integer const all[]{static_cast<integer>(given)...};
    for (int slot = 0; slot < slots; ++slot) {
      leaf const facts = detail::facts_of<Dimensions...>(slot);
      integer const least = detail::is_extent<Dimensions...>(slot) ? 1 : 0;
      if (all[slot] < least) return {rule::size_below, {slot, all[slot], least}};
      if (all[slot] % facts.multiple != 0)
        return {rule::size_is_no_multiple, {slot, all[slot], facts.multiple}};
      if (facts.bound > 0 && all[slot] >= facts.bound)
        return {rule::size_is_not_below, {slot, all[slot], facts.bound}};
    }
    return {};
  }

  /// Number Slot, as wide as it is kept.
  template <int Slot> AXE_FN constexpr auto number() const { return of<Slot>(*this); }
  /// The stride of dimension D, which has one digit.
  template <int D> AXE_FN static constexpr leaf stride() { return stride_of<D, Dimensions...>(); }
  /// The extent of dimension D.
  template <int D> AXE_FN constexpr integer extent() const { return extent_of<D, Dimensions...>(); }
  /// The largest that the extent of dimension D can be, by what is stated of it.
  template <int D> AXE_FN static constexpr integer most_extent() { return most_of<D, Dimensions...>(); }
  /// A leaf's number.
  template <leaf L> AXE_FN constexpr integer leaf_number() const {
    if constexpr (L.known())
      return L.value;
    else
      return static_cast<integer>(number<L.slot>());
  }

 private:
  template <int D, class First, class... Rest> AXE_FN static constexpr leaf stride_of() {
    if constexpr (D == 0) {
      static_assert(First::digits == 1, "a dimension of several digits has no one stride");
      return First::strides[0];
    } else {
      return stride_of<D - 1, Rest...>();
    }
  }
  template <int D, class First, class... Rest> AXE_FN static constexpr integer most_of() {
    if constexpr (D != 0)
      return most_of<D - 1, Rest...>();
    else if constexpr (First::extents[0].known())
      return First::extents[0].value * First::inner();
    else
      return detail::facts_of<Dimensions...>(First::extents[0].slot).most() * First::inner();
  }
  template <int D, class First, class... Rest> AXE_FN constexpr integer extent_of() const {
    if constexpr (D == 0)
      return leaf_number<First::extents[0]>() * First::inner();
    else
      return extent_of<D - 1, Rest...>();
  }
  template <int Slot, class Number>
  AXE_FN static constexpr Number of(detail::slot_number<Slot, Number> const& s) {
    return s.n;
  }
};

/// One digit per dimension, row-major over the whole: `pitched<given(0), given(1), given(2)>` is S[(M,N):(ld,1)].
/// A class and no alias: in the stub of a kernel nvcc 13.0 writes names for the leaves of an alias that it does not declare.
template <leaf Rows, leaf Columns, leaf Pitch>
struct pitched : sized<dimension<digit<Rows, Pitch>>, dimension<digit<Columns, 1>>> {
  using base = sized<dimension<digit<Rows, Pitch>>, dimension<digit<Columns, 1>>>;
  using base::base;
};

namespace detail {
AXE_FN constexpr void append_digit(layout& l, integer extent, integer stride) {
  l.shards.push({extent, stride, stride == 0 ? axis::null : axis::m});
}
template <leaf... Extents, leaf... Strides, class Sized>
AXE_FN constexpr void append_digits(layout& l, Sized const& s,
                                    axe::dimension<axe::digit<Extents, Strides>...>) {
  (append_digit(l, s.template leaf_number<Extents>(), s.template leaf_number<Strides>()), ...);
}
}  // namespace detail

/// The layout and the shape that the numbers make, for every question and operation of the library.
template <class... Dimensions> AXE_FN constexpr layout to_layout(sized<Dimensions...> const& s) {
  layout l;
  (detail::append_digits(l, s, Dimensions{}), ...);
  return l;
}
template <class... Dimensions> AXE_FN constexpr shape shape_of(sized<Dimensions...> const& s) {
  shape out;
  (out.append(tree(s.template leaf_number<Dimensions::extents[0]>() * Dimensions::inner())), ...);
  return out;
}

}  // namespace axe::inline AXE_NAMESPACE
