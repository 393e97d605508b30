// SPDX-License-Identifier: MIT
// The type traits that the library needs, because <type_traits> is slow to compile.
//
//     stl::conditional_t<(bits > 32), stl::uint64_t, stl::uint32_t>
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {
namespace stl {

template <bool Condition> struct choose {
  template <class Then, class Else> using type = Then;
};
template <> struct choose<false> {
  template <class Then, class Else> using type = Else;
};
template <bool Condition, class Then, class Else>
using conditional_t = choose<Condition>::template type<Then, Else>;

#ifdef __clang__
template <class T> using remove_const_t = __remove_const(T);
template <class T> using remove_reference_t = __remove_reference_t(T);
#else
template <class T> struct remove_const {
  using type = T;
};
template <class T> struct remove_const<T const> {
  using type = T;
};
template <class T> using remove_const_t = remove_const<T>::type;

template <class T> struct remove_reference {
  using type = T;
};
template <class T> struct remove_reference<T&> {
  using type = T;
};
template <class T> struct remove_reference<T&&> {
  using type = T;
};
template <class T> using remove_reference_t = remove_reference<T>::type;
#endif
/// Unlike std::remove_cvref_t, keeps volatile.
template <class T> using remove_cvref_t = remove_const_t<remove_reference_t<T>>;

template <class T> struct type_identity {
  using type = T;
};
template <class A, class B> inline constexpr bool is_same_v = false;
template <class A> inline constexpr bool is_same_v<A, A> = true;
template <class T> inline constexpr bool is_const_v = false;
template <class T> inline constexpr bool is_const_v<T const> = true;

}  // namespace stl

/// False, for a static_assert that fails only if its template is used.
template <class... T> inline constexpr bool never = false;
/// A parameter for any argument, also in braces. Overload resolution prefers every other function.
struct any_argument {
  template <class... X> AXE_FN constexpr any_argument(X const&...) {}
  /// Accepts even the name of a function template, such as block_y without ().
  AXE_FN constexpr any_argument(...) {}
};
/// A function's return type: Result, or a class whose static_assert rejects the arguments.
/// Compilers complete the class only if overload resolution selects the function.
template <bool Passed, class Check, class Result = void>
using result_if = stl::conditional_t<Passed, Result, Check>;

/// Write as_constant<Plan::value.start> in device code, because nvcc rejects most members of the
/// host variable Plan::value there.
template <auto Value> inline constexpr auto as_constant = Value;

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
