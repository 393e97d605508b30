// SPDX-License-Identifier: MIT
// linear_carrier: a linear map as a type, for kernels.
//
//     constexpr auto A = linear(carrier<from>{}, extents<8, 8>{});
//     constexpr auto C = invert_and_compose(A, linear(carrier<to>{}, extents<8, 8>{}));    C.value
//
// The type names the operation, not the map: equal maps can have two types.
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/linear/linear_map.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_FN void accept_linear(linear_map const&);

template <class Source> struct linear_carrier {
  static constexpr linear_map value = Source::result.value;
  AXE_FN constexpr operator linear_map() const { return value; }
};

template <linear_map M> struct linear_value_source {
  static constexpr outcome<linear_map> result = M;
};

}  // namespace detail

template <class T>
concept carries_linear_map = requires { detail::accept_linear(T::value); };

template <linear_map M> AXE_FN constexpr auto carry() {
  return detail::linear_carrier<detail::linear_value_source<M>>{};
}

/// Defines OPERATION for carriers, the first of which satisfies CONCEPT. A refusal begins with
/// SPELLED.
#define AXE_LINEAR_CARRIER_FORM(OPERATION, SPELLED, CONCEPT)                                       \
  namespace detail {                                                                               \
  template <class... Arguments> struct OPERATION##_to_linear {                                     \
    static constexpr outcome<linear_map> result = try_##OPERATION(Arguments::value...);            \
                                                                                                   \
    AXE_FN static constexpr refusal_text text() {                                                  \
      return text_of_call(SPELLED, result.why, Arguments::value...);                               \
    }                                                                                              \
  };                                                                                               \
  }                                                                                                \
  template <CONCEPT First, static_argument... Rest>                                                \
  AXE_FN constexpr auto OPERATION(First, Rest...) {                                                \
    using source = detail::OPERATION##_to_linear<First, Rest...>;                                  \
    if constexpr (source::result.why) using stop [[maybe_unused]] = detail::verdict<source>::stop; \
    return detail::linear_carrier<source>{};                                                       \
  }                                                                                                \
  static_assert(true)

}  // namespace AXE_NAMESPACE
}  // namespace axe
