// SPDX-License-Identifier: MIT
// sums: the coordinates of an address, at run time. listed_parts: their parts, for the planner.
//
//     listed_parts<Row, Column>::value.parts[0]      dimension 0, range 256, divisor 32, extent 8
#pragma once

#include <axe/index/plan_address.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int Count, int Dimensions> struct part_table {
  part_data parts[Count + 1]{};
  integer constants[Dimensions + 1]{};

  AXE_FN constexpr operator coordinate_parts() const { return {parts, Count, constants}; }
};
template <integer C, class... Name, integer... Range, integer... Step, integer... Divisor,
          integer... Extent>
AXE_FN constexpr void put_parts(
    part_data*& next, [[maybe_unused]] int dimension,
    coordinate_sum<C, index_part<Name, Range, Step, Divisor, Extent>...> const*) {
  ((*next++ = {dimension, Name::name, Range, Step, Divisor, Extent, Name::first}), ...);
}
template <class... Sums> AXE_FN constexpr auto list_parts() {
  part_table<(0 + ... + Sums::parts), int{sizeof...(Sums)}> table{{}, {Sums::known...}};
  [[maybe_unused]] part_data* next = table.parts;
  [[maybe_unused]] int dimension = 0;
  (put_parts(next, dimension++, static_cast<Sums const*>(nullptr)), ...);
  return table;
}
/// A static member, because NVRTC gives namespace constants no linkage in device code.
template <class... Sums> struct listed_parts {
  static constexpr auto value = list_parts<Sums...>();
};

template <class... Sums> struct sums;
template <> struct sums<> {};
template <class First, class... Rest> struct sums<First, Rest...> {
  First first;
  [[no_unique_address]] sums<Rest...> rest;
};

/// Returns coordinate `Number` of `sums`, or part `Number` of a coordinate_sum.
template <int Number> AXE_FN constexpr auto sum_number(auto const& s) {
  if constexpr (Number == 0)
    return s.first;
  else
    return sum_number<Number - 1>(s.rest);
}
template <int P, class First, class... Rest>
AXE_FN constexpr auto part_number(sums<First, Rest...> const& s) {
  if constexpr (P < First::parts)
    return sum_number<P>(s.first);
  else
    return part_number<P - First::parts>(s.rest);
}
template <int D, class... Sums>
AXE_FORCE_INLINE constexpr unsigned coordinate_in(sums<Sums...> const& s) {
  constexpr bool exists = D >= 0 && D < int{sizeof...(Sums)};
  static_assert(exists, "there is no such dimension: dimensions are counted from 0");
  if constexpr (exists)
    return sum_number<D>(s)();
  else
    return 0;
}

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wmissing-braces"  // inner braces would need a recursion
#endif
template <class... Sums> AXE_FN constexpr sums<Sums...> make_sums(Sums const&... all) {
  return {all..., sums<>{}};
}
#ifdef __clang__
#pragma clang diagnostic pop
#endif

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
