// SPDX-License-Identifier: MIT
// elementwise(op, to, from...): to = op(from...) for each element of fragments. A dimension of
// extent 1 and a missing leading dimension are broadcast.
//
//     elementwise([](float x, float m) { return exp2f(x - m); }, p, x, row_max);  row_max: (16,1)
//
// An element must lie in the same thread in all fragments.
#pragma once

#include <axe/atoms/element_type.hpp>
#include <axe/cuda/fragment.hpp>
#include <axe/plan/engine/register_match.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000 && !defined(__clang__)
#define AXE_FLOAT_PAIRS 1
#else
#define AXE_FLOAT_PAIRS 0
#endif

/// The sum of two elements.
struct plus {
  template <class T> AXE_FN constexpr T operator()(T const& a, T const& b) const { return a + b; }
#ifdef __CUDACC__
  AXE_FN float2 operator()(float2 a, float2 b) const {
#if AXE_FLOAT_PAIRS
    return __fadd2_rn(a, b);
#else
    return {a.x + b.x, a.y + b.y};
#endif
  }
#endif
};
/// The product of two elements.
struct times {
  template <class T> AXE_FN constexpr T operator()(T const& a, T const& b) const { return a * b; }
#ifdef __CUDACC__
  AXE_FN float2 operator()(float2 a, float2 b) const {
#if AXE_FLOAT_PAIRS
    return __fmul2_rn(a, b);
#else
    return {a.x * b.x, a.y * b.y};
#endif
  }
#endif
};
/// The larger of two elements. ptxas merges two __hmax into one instruction, but not two
/// comparisons.
struct maximum {
  template <class T> AXE_FN constexpr T operator()(T const& a, T const& b) const {
#ifdef __CUDA_ARCH__
    if constexpr (requires { __hmax2(a, b); })
      return __hmax2(a, b);
    else if constexpr (detail::is_half<T>)
      return __hmax(a, b);
    else
#endif
      return a < b ? b : a;
  }
#ifdef __CUDA_ARCH__
  __device__ __forceinline__ float operator()(float a, float b) const { return fmaxf(a, b); }
#endif
};
/// The smaller of two elements.
struct minimum {
  template <class T> AXE_FN constexpr T operator()(T const& a, T const& b) const {
#ifdef __CUDA_ARCH__
    if constexpr (requires { __hmin2(a, b); })
      return __hmin2(a, b);
    else if constexpr (detail::is_half<T>)
      return __hmin(a, b);
    else
#endif
      return b < a ? b : a;
  }
#ifdef __CUDA_ARCH__
  __device__ __forceinline__ float operator()(float a, float b) const { return fminf(a, b); }
#endif
};

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
template <class To, int R, class From>
inline constexpr int matched = register_match_of<To, From>::match.at.at[R];
#ifdef __CUDACC__
/// A __device__ function rejects host ops such as std::plus. A __host__ __device__ one would
/// silently drop the call.
template <class Op, class... X>
__device__ __forceinline__ auto call_op(Op const& op, X const&... x) {
  return op(x...);
}
/// If Result is void, compiles call_op here, so that its errors name the user's line.
template <class Result, class Op, class... From> struct call_check {
  using type = Result;
};
template <class Op, class... From> struct call_check<void, Op, From...> {
  using type = void;
  static_assert(requires(Op const& op, From const&... from) { call_op(op, from.registers[0]...); });
};
#endif
template <bool Passed> struct operation_check {
  static_assert(
      Passed,
      "elementwise(op, to, from...) takes fragments; op takes one element of each source, "
      "by value or const&, returns one of the target, never a float for an integer, and is not "
      "mutable");
  using rejected = void;
};
template <class Op, class To, class... From>
inline constexpr bool can_apply = requires(Op const& op, To& to, From const&... from) {
  to.registers[0] = op(from.registers[0]...);
  requires !any_integer<typename To::value_type> || any_integer<decltype(op(from.registers[0]...))>;
};
template <class To, class... From> struct matches_result {
  using type = void;
};
template <class To, class From, class... More>
struct matches_result<To, From, More...>
    : stl::conditional_t<static_cast<bool>(register_match_of<To, From>::result.why),
                         stl::type_identity<verdict<register_match_of<To, From>>>,
                         matches_result<To, More...>> {};
template <class Op, class To, class... From>
using operation_result = stl::conditional_t<can_apply<Op, To, From...>, matches_result<To, From...>,
                                            stl::type_identity<operation_check<false>>>::type;
}  // namespace detail

#ifdef __CUDACC__

namespace detail {
/// at[r]: the register of From for register r of To.
template <int Registers> struct source_registers {
  short at[Registers];
};
template <class To, class From> AXE_FN consteval source_registers<To::size> source_registers_of() {
  source_registers<To::size> all{};
  for (int r = 0; r < To::size; ++r) all.at[r] = register_match_of<To, From>::match.at.at[r];
  return all;
}

/// True if registers 2p and 2p + 1 always match source registers 2q and 2q + 1, or one register.
AXE_LAZY_FN constexpr bool matches_pairs(register_match const& match) {
  for (int r = 0; r + 1 < match.at.size(); r += 2) {
    int const first = match.at[r], second = match.at[r + 1];
    if (second != first && (first % 2 != 0 || second != first + 1)) return false;
  }
  return match.at.size() % 2 == 0;
}
/// True if op is applied to float2. Products need a broadcast factor: ptxas does not fuse paired
/// products with single additions, as in a sum of squares.
template <class Op, class To, class... From> AXE_FN constexpr bool applies_pairs() {
  if constexpr (AXE_FLOAT_PAIRS && (stl::is_same_v<Op, plus> || stl::is_same_v<Op, times>) &&
                (stl::is_same_v<typename To::value_type, float> && ... &&
                 stl::is_same_v<typename From::value_type, float>))
    return (matches_pairs(register_match_of<To, From>::match) && ...) &&
           (stl::is_same_v<Op, plus> || ... || (matched<To, 0, From> == matched<To, 1, From>));
  else
    return false;
}
template <int R, class To, class... From>
__device__ __forceinline__ void apply_pair(auto const& op, To& to, From const&... from) {
  float2 const pair =
      op(float2{from.registers[matched<To, R, From>], from.registers[matched<To, R + 1, From>]}...);
  to.registers[R] = pair.x;
  to.registers[R + 1] = pair.y;
}
}  // namespace detail

/// `to` may also be a source.
template <
    class Op, class To, class... From,
    class Result = detail::call_check<detail::operation_result<Op, To, From...>, Op, From...>::type>
__device__ __forceinline__ Result elementwise(Op const& op, To& to, From const&... from) {
  using namespace detail;
  if constexpr (!stl::is_same_v<Result, void>)
    return Result();
  else if constexpr (applies_pairs<Op, To, From...>())
    [&]<int... P>(indices<P...>) {
      (apply_pair<2 * P>(op, to, from...), ...);
    }(indices_to<To::size / 2>{});
  else
    [&](auto const... sources) {
#pragma unroll
      for (int r = 0; r < To::size; ++r)
        to.registers[r] = call_op(op, from.registers[sources.at[r]]...);
    }(source_registers_of<To, From>()...);
}
template <class To>
AXE_FN detail::operation_check<detail::never<To>> elementwise(detail::any_argument, To const&,
                                                              detail::any_argument = {},
                                                              detail::any_argument = {},
                                                              detail::any_argument = {});

#endif

namespace detail {
template <bool Passed> struct reinterpret_check {
  static_assert(Passed,
                "reinterpret takes a layout as a type, and a fragment: "
                "axe::reinterpret<axe::carrier<...>>(x)");
  using rejected = void;
};
}  // namespace detail

/// The same elements as a fragment of layout P. Only the order of a thread's registers changes.
template <class P, class T, class Held, class S, class = detail::reported<partition<P, S>>>
AXE_FN constexpr fragment<T, P, S> reinterpret(fragment<T, Held, S> const& f) {
  using to = fragment<T, P, S>;
  constexpr bool same = !detail::register_match_of<to, fragment<T, Held, S>>::result.why;
  static_assert(same,
                "reinterpret moves no element between threads: each thread of the result must "
                "already hold its elements, and needs a register for each, at most 512; convert "
                "of axe/cuda/permute.hpp moves elements");
  to reordered{};
  if constexpr (same)
    for_each_register<to::size>([&](auto r) {
      reordered.registers[r.value] =
          f.registers[detail::matched<to, r.value, fragment<T, Held, S>>];
    });
  return reordered;
}
template <class P = void>
AXE_FN detail::reinterpret_check<detail::never<P>> reinterpret(detail::any_argument,
                                                               detail::any_argument = {});
template <layout P>
AXE_FN detail::reinterpret_check<P.shards.empty()> reinterpret(detail::any_argument,
                                                               detail::any_argument = {});

}  // namespace AXE_NAMESPACE
}  // namespace axe
