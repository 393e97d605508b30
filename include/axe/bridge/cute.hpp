// SPDX-License-Identifier: MIT
// Converts between axe::cute::layout and CuTe's layouts. Both map i to the same address.
//
//     to_cute<"(4,2):(1,4)"_cute>()             Layout<Shape<_4, _2>, Stride<_1, _4>>
//
// Needs CUTLASS 3 or 4; empty without it.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/cute/layout.hpp>

#if __has_include(<cute/layout.hpp>)

#include <cute/layout.hpp>
#include <cute/layout_composed.hpp>
#include <cute/swizzle.hpp>
#include <cute/swizzle_layout.hpp>

#if __has_include(<cute/pointer_flagged.hpp>)
#include <cute/pointer_flagged.hpp>
#endif

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

namespace detail {

template <class Shape, class Stride>
AXE_FN constexpr void add_cute(layout& to, Shape const& shape, Stride const& stride);
template <class Shape, class Stride, int... Each>
AXE_FN constexpr void add_cute_entries(layout& to, Shape const& shape, Stride const& stride,
                                       stl::integer_sequence<int, Each...>) {
  (add_cute(to, ::cute::get<Each>(shape), ::cute::get<Each>(stride)), ...);
}
template <class Shape, class Stride>
AXE_FN constexpr void add_cute(layout& to, Shape const& shape, Stride const& stride) {
  if constexpr (::cute::is_tuple<Shape>::value) {
    constexpr int entries = static_cast<int>(::cute::tuple_size<Shape>::value);
    add_group(to, entries);
    add_cute_entries(to, shape, stride, stl::make_integer_sequence<int, entries>{});
  } else {
    static_assert(::cute::is_integral<Stride>::value,
                  "from_cute: strides must be integers, not ScaledBasis");
    add_leaf(to, {static_cast<integer>(shape), static_cast<integer>(stride)});
  }
}

struct cute_filler {
  layout const& from;
  bool strides;
  cursor at{};
  bool fits = true;

  template <class Tree> AXE_FN constexpr Tree fill() {
    int const node = at.node < from.profile.size() ? from.profile[at.node] : 0;
    ++at.node;
    if constexpr (::cute::is_tuple<Tree>::value) {
      constexpr int entries = static_cast<int>(::cute::tuple_size<Tree>::value);
      fits = fits && node == entries;
      return fill_entries<Tree>(stl::make_integer_sequence<int, entries>{});
    } else {
      fits = fits && node == leaf_node;
      integer number = 0;
      if (fits) number = strides ? from[at.leaf].stride : from[at.leaf].extent;
      ++at.leaf;
      if constexpr (::cute::is_static<Tree>::value) {
        fits = fits && number == static_cast<integer>(Tree::value);
        return Tree{};
      } else {
        fits = fits && static_cast<integer>(static_cast<Tree>(number)) == number;
        return static_cast<Tree>(number);
      }
    }
  }
  template <class Tree, int... Each>
  AXE_FN constexpr Tree fill_entries(stl::integer_sequence<int, Each...>) {
    return Tree{
        fill<::cute::tuple_element_t<Each, Tree>>()...};  // braces evaluate from left to right
  }
};

/// Int, as in CuTe's own layouts, if Value fits int.
template <integer Value> AXE_FN constexpr auto cute_number() {
  if constexpr (static_cast<integer>(static_cast<int>(Value)) == Value)
    return ::cute::Int<static_cast<int>(Value)>{};
  else
    return ::cute::C<Value>{};
}

template <class Source, int Node, int Leaf, bool Strides> AXE_FN constexpr auto cute_tree();
template <class Source, int Node, int Leaf, bool Strides, int... Each>
AXE_FN constexpr auto cute_entries(stl::integer_sequence<int, Each...>) {
  return ::cute::make_tuple(
      cute_tree<Source, mode_at(Source::value, {Node, Leaf}, Each).node,
                mode_at(Source::value, {Node, Leaf}, Each).leaf, Strides>()...);
}
template <class Source, int Node, int Leaf, bool Strides> AXE_FN constexpr auto cute_tree() {
  constexpr int node = Source::value.profile.at[Node];
  if constexpr (node != leaf_node)
    return cute_entries<Source, Node, Leaf, Strides>(stl::make_integer_sequence<int, node>{});
  else if constexpr (Strides)
    return cute_number<Source::value[Leaf].stride>();
  else
    return cute_number<Source::value[Leaf].extent>();
}

template <class Source> AXE_FN constexpr auto cute_type() {
  constexpr layout l = Source::value;
  auto const inner =
      ::cute::make_layout(cute_tree<Source, 0, 0, false>(), cute_tree<Source, 0, 0, true>());
  if constexpr (l.plain())
    return inner;
  else
    return ::cute::make_composed_layout(
        ::cute::Swizzle<l.map.swizzle.B, l.map.swizzle.M,
                        l.map.swizzle.none() ? 1 : l.map.swizzle.S>{},
        cute_number<l.offset()>(), inner);
}

}  // namespace detail

template <class Shape, class Stride>
AXE_FN constexpr outcome<layout> try_from_cute(::cute::Layout<Shape, Stride> const& from) {
  layout l;
  detail::add_cute(l, from.shape(), from.stride());
  if (refusal const bad = check(l)) return bad;
  return l;
}
template <int B, int M, int S, class Offset, class Shape, class Stride>
AXE_FN constexpr outcome<layout> try_from_cute(
    ::cute::ComposedLayout<::cute::Swizzle<B, M, S>, Offset, ::cute::Layout<Shape, Stride>> const&
        from) {
  static_assert(::cute::is_integral<Offset>::value, "from_cute: the offset must be an integer");
  layout l;
  detail::add_cute(l, from.layout_b().shape(), from.layout_b().stride());
  if (B > 0) l.map.swizzle = {M, B, S};
  l.set_offset(static_cast<integer>(from.offset()));
  if (refusal const bad = check(l)) return bad;
  return l;
}
#if __has_include(<cute/pointer_flagged.hpp>)
/// Turns a swizzle of bytes, as in GMMA atoms, into one of elements, like CuTe's
/// as_position_independent_swizzle_layout.
template <int B, int M, int S, int Bits, class Shape, class Stride>
AXE_FN constexpr outcome<layout> try_from_cute(
    ::cute::ComposedLayout<::cute::Swizzle<B, M, S>, ::cute::smem_ptr_flag_bits<Bits>,
                           ::cute::Layout<Shape, Stride>> const& from) {
  auto const of_elements =
      ::cute::recast_layout<::cute::uint8_t, ::cute::uint_bit_t<Bits>>(::cute::Swizzle<B, M, S>{});
  return try_from_cute(
      ::cute::make_composed_layout(of_elements, ::cute::Int<0>{}, from.layout_b()));
}
#endif
template <class Layout> AXE_FN constexpr layout from_cute(Layout const& from) {
  return detail::stop_on(try_from_cute(from), "from_cute");
}

template <layout L> AXE_FN constexpr auto to_cute() { return detail::cute_type<constant<L>>(); }

/// Rejects a swizzle, an offset, a nesting other than Target's, and numbers that do not fit it.
template <class Target> AXE_FN constexpr outcome<Target> try_to_cute(layout const& l) {
  if (refusal const bad = check(l)) return bad;
  if (!l.plain()) return refusal{rule::cute_is_composed};
  detail::cute_filler shape{l, false};
  detail::cute_filler stride{l, true};
  using shape_type = ::cute::remove_cvref_t<decltype(Target{}.shape())>;
  using stride_type = ::cute::remove_cvref_t<decltype(Target{}.stride())>;
  Target const made(shape.fill<shape_type>(), stride.fill<stride_type>());
  if (!shape.fits || !stride.fits || shape.at.node != l.profile.size())
    return refusal{rule::cute_does_not_fit_the_type};
  return made;
}
template <class Target> AXE_FN constexpr Target to_cute(layout const& l) {
  return detail::stop_on(try_to_cute<Target>(l), "to_cute");
}

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
