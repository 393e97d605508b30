// SPDX-License-Identifier: MIT
// cute::carrier<L>: a cute::layout as a type, with the operations of axe/cute.hpp.
//
//     constexpr cute::layout atom = "Sw<3,4,3> o 0 o (8,128):(128,1)"_cute;
//     cute::coalesce(cute::carrier<atom>{})        a carrier of the result
//
// Write numbers as constant<4>{} and tuples as tuple_of<4, 2>{}.
#pragma once

#include <axe/base/integers.hpp>
#include <axe/construct/carrier.hpp>
#include <axe/cute/layout.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace cute {

template <class Map, int... Profile> struct static_layout {
  static constexpr layout value{Map::value, {Profile...}};

  AXE_FN constexpr operator layout() const { return value; }
  /// nvcc writes this object's type into host code, not an alias of it.
  AXE_FN static constexpr static_layout plain() { return {}; }
};

namespace detail {

AXE_FN void accept(layout const&);

template <class Source> struct map_source {
  static constexpr axe::layout value = Source::value.map;
};
template <class Source, class P> struct carrier_from;
template <class Source, int... P> struct carrier_from<Source, axe::detail::integers<P...>> {
  using type =
      static_layout<axe::detail::carrier_of<map_source<Source>>, Source::value.profile.at[P]...>;
};
template <class Source>
using carrier_of =
    carrier_from<Source, axe::detail::integers_to<Source::value.profile.count>>::type;

template <layout L> struct carrier_type {
  using type = carrier_of<constant<L>>;
};

template <class Operation, class... Arguments> struct lifted {
  static constexpr outcome<layout> result = Operation::run(Arguments::value...);
  static constexpr layout value = result.value;

  AXE_FN static constexpr refusal_text text() { return text_of_call(Operation::name, result.why); }
};

}  // namespace detail

template <layout L> using carrier = detail::carrier_type<L>::type;

template <layout L> AXE_FN constexpr auto carry() {
  return detail::carrier_of<constant<L>>::plain();
}

/// Entries are integers or tuple_of<…>{}.
template <auto... Entries> struct tuple_of {
  static constexpr int_tuple value = axe::detail::tree_from<int_tuple>(Entries...);
  AXE_FN constexpr operator tree() const { return value; }
};

template <class T>
concept carries_layout = requires { detail::accept(T::value); };

/// Like AXE_CARRIER_FORM. nvcc 13 rejects parameters of `run` in the `requires`.
#define AXE_CUTE_CARRIER_FORM(OPERATION)                                       \
  namespace detail {                                                           \
  struct OPERATION##_lifted {                                                  \
    static constexpr char const* name = #OPERATION;                            \
    template <class... Values>                                                 \
    AXE_FN static constexpr outcome<layout> run(Values const&... values) {     \
      if constexpr (requires(Values... v) { try_##OPERATION(v...); })          \
        return try_##OPERATION(values...);                                     \
      else                                                                     \
        return refusal{rule::cute_takes_other_operands};                       \
    }                                                                          \
  };                                                                           \
  }                                                                            \
  template <carries_layout First, axe::static_argument... Rest>                \
  AXE_FN constexpr auto OPERATION(First, Rest...) {                            \
    using source = detail::lifted<detail::OPERATION##_lifted, First, Rest...>; \
    using stop [[maybe_unused]] = axe::detail::verdict<source>::stop;          \
    return detail::carrier_of<source>::plain();                                \
  }                                                                            \
  static_assert(true)

}  // namespace cute
}  // namespace AXE_NAMESPACE
}  // namespace axe
