// SPDX-License-Identifier: MIT
// elementwise(op, to, from...): to = op(from...) for each element of fragments. A dimension of
// extent 1 is broadcast.
//
//     elementwise([](float x, float m) { return exp2f(x - m); }, p, x, row_max);  row_max: (16,1)
//     axe::cast(p, a);      float to bf16, in pairs
//
// Each register of `to` uses one register of each operand (plan/register_match.hpp). The call does
// not compile if an element lies in another thread. docs/plans.md, "Elementwise and reductions".
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/plan/register_match.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <class To, class From> struct register_match_of {
  static constexpr outcome<register_match> result =
      try_match_registers(To::layout_type::value, To::shape_type::value, From::layout_type::value,
                          From::shape_type::value);
  static constexpr register_match match = result.value;

  AXE_FN static constexpr refusal_text text() {
    return text_of_call("elementwise", result.why, To::layout_type::value, From::layout_type::value,
                        To::shape_type::value, From::shape_type::value);
  }
};
AXE_CALLS_USER_CODE template <int R, class Op, class To, class... From>
AXE_FN constexpr void apply_to_register(Op const& op, To& to, From const&... from) {
  to.template at<R>() = op(from.template at<register_match_of<To, From>::match.at.at[R]>()...);
}
AXE_CALLS_USER_CODE template <class Op, class To, int... R, class... From>
AXE_FN constexpr void apply_to_registers(Op const& op, To& to, indices<R...>, From const&... from) {
  (apply_to_register<R>(op, to, from...), ...);
}
}  // namespace detail

/// Computes to = op(from...). `to` may also be one of the operands.
AXE_CALLS_USER_CODE template <class Op, class To, class... From>
AXE_FN constexpr void elementwise(Op const& op, To& to, From const&... from) {
  using stops [[maybe_unused]] =
      void(typename detail::verdict<detail::register_match_of<To, From>>::stop * ...);
  if constexpr (!(detail::register_match_of<To, From>::result.why || ...))
    detail::apply_to_registers(op, to, detail::indices_to<To::size>{}, from...);
}

#if defined(__CUDACC__)

namespace detail {

/// True if one instruction converts two elements of type `from`.
AXE_FN constexpr bool casts_in_pairs(element_type from, element_type to) {
  if (from != element_type::f32) return false;
  if (to == element_type::bf16 || to == element_type::f16) return true;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 890
  if (to == element_type::e4m3 || to == element_type::e5m2) return true;
#endif
  return false;
}

/// Rounds two floats to one word. `low` is the float of the lower register and goes to the low
/// bits.
template <element_type To> __device__ __forceinline__ unsigned cast_pair(float low, float high) {
  unsigned word = 0;
  if constexpr (To == element_type::bf16) {
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  } else if constexpr (To == element_type::f16) {
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(word) : "f"(high), "f"(low));
  } else {
    unsigned short pair = 0;
    if constexpr (To == element_type::e4m3)
      asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low));
    else
      asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(pair) : "f"(high), "f"(low));
    word = pair;
  }
  return word;
}

}  // namespace detail

/// to = from, converted to the type of `to`. Floats are rounded to nearest even, and 8-bit floats
/// saturate. Other types are converted by static_cast.
template <class From, class To> __device__ __forceinline__ void cast(From const& from, To& to) {
  using match = detail::register_match_of<To, From>;
  using stop [[maybe_unused]] = typename detail::verdict<match>::stop;
  using source = typename From::value_type;
  using target = typename To::value_type;
  if constexpr (match::result.why) {
  } else if constexpr (To::size % 2 == 0 &&
                       detail::casts_in_pairs(element_of<source>, element_of<target>)) {
    for_each_register<To::size / 2>([&](auto pair) {
      constexpr int r = 2 * pair.value;
      unsigned const word = detail::cast_pair<element_of<target>>(
          from.template at<match::match.at.at[r]>(), from.template at<match::match.at.at[r + 1]>());
      memcpy(&to.registers[r], &word, 2 * sizeof(target));
    });
  } else {
    for_each_register<To::size>([&](auto r) {
      to[r] = static_cast<target>(from.template at<match::match.at.at[r.value]>());
    });
  }
}

#endif

}  // namespace AXE_NAMESPACE
}  // namespace axe
