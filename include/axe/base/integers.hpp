// SPDX-License-Identifier: MIT
// The integers 0 to n - 1 as a parameter pack.
//
//     template <int... I> void each(integers<I...>);   each(integers_to<3>{});     I... is 0, 1, 2
//
// Avoids <utility>, which is slow to compile.
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
template <class, int... Each> using integers_of = integers<Each...>;
template <int Count> using integers_to = __make_integer_seq<integers_of, int, Count>;
#elif defined(__CUDACC_RTC__)
template <int... Each> AXE_FN integers<Each...> integers_in(stl::integer_sequence<int, Each...>);
template <int Count>
using integers_to = decltype(integers_in(stl::make_integer_sequence<int, Count>{}));
#else
template <int Count> using integers_to = integers<__integer_pack(Count)...>;
#endif
#undef AXE_MAKE_INTEGER_SEQ

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
