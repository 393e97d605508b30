// SPDX-License-Identifier: MIT
// carrier<L>: a layout as a type, for template arguments of kernels.
//
//     using tile_type = carrier<tile>;      static_layout<shards<iter{8, 4, axis::lane}>, …>
//     kernel<tile_type><<<grid, block>>>(…);    tile_type::value == tile
//
// The type holds structs of integers: nvcc rejects kernels with an array in a template argument.
// Equal layouts have the same type. nvcc writes an alias's name into host code: declare aliases
// outside of functions, or use decltype(carry<tile>()).
#pragma once

#include <axe/base/integers.hpp>
#include <axe/layout/shape.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <iter...> struct shards {};
template <iter...> struct replicas {};
template <term...> struct offsets {};
template <int...> struct blocks {};

template <class D, class R = replicas<>, class O = offsets<>, axe::swizzle F = axe::swizzle{},
          class B = blocks<>>
struct static_layout;

template <iter... D, iter... R, term... O, axe::swizzle F, int... B>
struct static_layout<shards<D...>, replicas<R...>, offsets<O...>, F, blocks<B...>> {
  static constexpr layout value{F, {D...}, {R...}, {O...}, {B...}};

  AXE_FN constexpr operator layout() const { return value; }
  /// An object whose type nvcc writes into host code without an alias.
  AXE_FN static constexpr static_layout plain() { return {}; }
};

namespace detail {

AXE_FN void accept(layout const&);

template <class Source, class D, class R, class O, class B> struct carrier_from {
  using type = void;  // after an error in the layout
};

/// Source is a type, so that mangled names contain no array.
template <class Source, int... D, int... R, int... O, int... B>
struct carrier_from<Source, integers<D...>, integers<R...>, integers<O...>, integers<B...>> {
  using type = static_layout<shards<Source::value.shards.at[D]...>,
                             replicas<Source::value.replicas.at[R]...>,
                             offsets<Source::value.offsets.at[O]...>, Source::value.swizzle,
                             blocks<Source::value.blocks[B]...>>;
};

template <class Source>
using carrier_of = carrier_from<
    Source, integers_to<Source::value.shards.count>, integers_to<Source::value.replicas.count>,
    integers_to<Source::value.offsets.count>, integers_to<Source::value.blocks.count>>::type;

}  // namespace detail

/// A value as a type, for the arguments of operations on carriers.
template <auto Value> struct constant {
  static constexpr auto value = Value;
  AXE_FN constexpr operator decltype(Value)() const
    requires requires { integer{Value}; }
  {
    return Value;
  }
};

template <layout L> AXE_FN constexpr auto carry() {
  return detail::carrier_of<constant<L>>::plain();
}

namespace detail {
/// A class, because g++ 12 crashes on carrier<C::value> in a template if carrier is a direct alias.
template <layout L> struct carrier_type {
  using type = carrier_of<constant<L>>;
};
}  // namespace detail

template <layout L> using carrier = detail::carrier_type<L>::type;

namespace detail {
template <class Tree, class... Entries> AXE_FN constexpr Tree tree_from(Entries const&... entries) {
  Tree t;
  (t.append(entries), ...);
  return t;
}
}  // namespace detail

/// A shape as a type: extents<8, 16>. An entry may be extents<…>{}.
template <auto... Extents> struct extents {
  static constexpr shape value = detail::tree_from<shape>(Extents...);
  AXE_FN constexpr operator shape() const { return value; }
  AXE_FN constexpr operator tree() const { return value; }
};

namespace detail {
template <integer Extent>
inline constexpr stl::conditional_t<Extent == static_cast<int>(Extent), int, integer> as_written =
    Extent;
/// The same type as extents<8, 16> in user code, whose numbers have the type int.
template <integer... Extents> using extents_as_written = extents<as_written<Extents>...>;
}  // namespace detail

template <integer... Entries> struct static_coordinate {
  static constexpr coordinate value = detail::tree_from<coordinate>(Entries...);
};
template <axis... Axes> struct static_axes {
  static constexpr axis_list value{Axes...};
};

/// A carrier, or a named struct derived from one.
template <class T>
concept carries_layout = requires { detail::accept(T::value); };

template <class T>
concept static_argument = requires { T::value; };

namespace detail {

struct operand_finder {
  operands found{};

  AXE_FN constexpr void add(layout const& l) { (found.a == nullptr ? found.a : found.b) = &l; }
  AXE_FN constexpr void add(shape const& t) { (found.s == nullptr ? found.s : found.t) = &t; }
  AXE_FN constexpr void add(auto const&) {}
};

template <class... Values>
AXE_FN constexpr refusal_text text_of_call(char const* operation, refusal const& why,
                                           Values const&... values) {
  operand_finder finder;
  (finder.add(values), ...);
  return sentence_of(operation, why, finder.found);
}

// NVRTC treats a static reference member as a host variable, so NVRTC gets a value.
#ifdef __CUDACC_RTC__
using result_of_call = layout;
#else
using result_of_call = layout const&;
#endif
}  // namespace detail

/// Defines OPERATION for carriers by `try_OPERATION`. A refusal stops the build with its sentence.
#define AXE_CARRIER_FORM(OPERATION)                                                                \
  namespace detail {                                                                               \
  template <class... Arguments> struct OPERATION##_lifted {                                        \
    static constexpr outcome<layout> result = try_##OPERATION(Arguments::value...);                \
    static constexpr detail::result_of_call value = result.value;                                  \
                                                                                                   \
    AXE_FN static constexpr refusal_text text() {                                                  \
      return text_of_call(#OPERATION, result.why, Arguments::value...);                            \
    }                                                                                              \
  };                                                                                               \
  }                                                                                                \
  template <carries_layout First, static_argument... Rest>                                         \
  AXE_FN constexpr auto OPERATION(First, Rest...) {                                                \
    using source = detail::OPERATION##_lifted<First, Rest...>;                                     \
    if constexpr (source::result.why) using stop [[maybe_unused]] = detail::verdict<source>::stop; \
    return detail::carrier_of<source>::plain();                                                    \
  }                                                                                                \
  static_assert(true)

}  // namespace AXE_NAMESPACE
}  // namespace axe
