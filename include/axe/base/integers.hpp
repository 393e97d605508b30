// SPDX-License-Identifier: MIT
// The integers 0 to n - 1 as a parameter pack.
//
//     template <int... K> void each(integers<K...>);   each(integers_to<3>{});     K... is 0, 1, 2
//
// std::make_integer_sequence would need <utility>, a sixth of axe/axe.hpp's compile time.
#pragma once

#include <axe/config.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int...> struct integers {};

#ifdef __has_builtin
#if __has_builtin(__make_integer_seq)
#define AXE_MAKE_INTEGER_SEQ
#endif
#endif

#if defined(AXE_MAKE_INTEGER_SEQ)
template <class, int... K> using integers_of = integers<K...>;
template <int N> using integers_to = __make_integer_seq<integers_of, int, N>;
#elif defined(__CUDACC_RTC__)
template <int... K> AXE_FN integers<K...> integers_in(stl::integer_sequence<int, K...>);
template <int N> using integers_to = decltype(integers_in(stl::make_integer_sequence<int, N>{}));
#else
template <int N> using integers_to = integers<__integer_pack(N)...>;
#endif
#undef AXE_MAKE_INTEGER_SEQ

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
