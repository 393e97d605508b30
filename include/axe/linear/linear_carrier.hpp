// Linear maps as types, for kernels: what `linear` of carriers is, and what every operation on such
// maps is again.
//
//     constexpr auto A = linear(carrier<from>{}, extents<8, 8>{}), B = linear(carrier<to>{}, extents<8, 8>{});
//     static_assert(invert_and_compose(A, B).value.in.names(axis::lane));       types in, a type out; a refusal stops the build with its sentence
//
// A carrier names the operation that made it, not the map, so that no matrix stands in a mangled
// name: equal maps may have two types. Compare values.
// Definition: docs/algebra.md, D18.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/linear/linear_map.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN void accept_linear(linear_map const&);

/// The map of Source::value, as a type.
template <class Source> struct linear_carrier {
  static constexpr linear_map value = Source::result.value;
  AXE_FN constexpr operator linear_map() const { return value; }
};

template <linear_map M> struct linear_value_source {
  static constexpr outcome<linear_map> result = M;
};

}  // namespace detail

/// A type that carries a linear map.
template <class T>
concept carries_linear_map = requires { detail::accept_linear(T::value); };

/// A linear map value as a carrier object.
template <linear_map M> AXE_FN constexpr auto carry() {
  return detail::linear_carrier<detail::linear_value_source<M>>{};
}

/// Gives `try_OPERATION`, whose first operand satisfies CONCEPT and whose result is a linear map,
/// its form on carriers; refusals begin with SPELLED.
#define AXE_LINEAR_CARRIER_FORM(OPERATION, SPELLED, CONCEPT)                            \
  namespace detail {                                                                    \
  template <class... Arguments> struct OPERATION##_to_linear {                          \
    static constexpr outcome<linear_map> result = try_##OPERATION(Arguments::value...); \
                                                                                        \
    AXE_FN static constexpr refusal why() { return result.why; }                        \
    AXE_FN static constexpr refusal_text text() {                                       \
      return text_of_call(SPELLED, result.why, Arguments::value...);                    \
    }                                                                                   \
  };                                                                                    \
  }                                                                                     \
  template <CONCEPT First, static_argument... Rest>                                     \
  AXE_FN constexpr auto OPERATION(First, Rest...) {                                     \
    using source = detail::OPERATION##_to_linear<First, Rest...>;                       \
    if constexpr (source::result.why)                                                   \
      using stop [[maybe_unused]] = typename detail::verdict<source>::stop;             \
    return detail::linear_carrier<source>{};                                            \
  }                                                                                     \
  static_assert(true)

}  // namespace AXE_NAMESPACE
}  // namespace axe
