// The coordinates of an address, dimension by dimension: their parts as data for a plan, and kept
// as values for the code that follows the plan.
//
//     part_table<Sums...>::list_parts(parts, constants, 0)     the input of a plan
//     part_number<2>(keep(rows, columns))                      the third part of all
//
// Definition: docs/index_code.md, "Parts".
#pragma once

#include <axe/index/plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <class P> struct part_facts;
template <class Name, integer Range, integer Step, integer Divisor, integer Extent>
struct part_facts<index_part<Name, Range, Step, Divisor, Extent>> {
  static constexpr integer range = Range, step = Step, divisor = Divisor, extent = Extent;
  static constexpr stl::uint64_t name = 0;
  static constexpr integer first = 0;
};
template <axis A, integer First, integer Range, integer Step, integer Divisor, integer Extent>
struct part_facts<index_part<named<A, First>, Range, Step, Divisor, Extent>> {
  static constexpr integer range = Range, step = Step, divisor = Divisor, extent = Extent;
  static constexpr stl::uint64_t name = static_cast<stl::uint64_t>(A) + 1;
  static constexpr integer first = First;
};

/// The parts of sums as data, and by number as values.
template <class... Sums> struct part_table;
template <> struct part_table<> {
  static constexpr int parts = 0;
  AXE_FN static constexpr void list_parts(part_data*, integer*, int) {}
};
template <integer C, class... Parts, class... Sums>
struct part_table<coordinate_sum<C, Parts...>, Sums...> {
  using rest = part_table<Sums...>;
  static constexpr int parts = sizeof...(Parts) + rest::parts;
  AXE_FN static constexpr void list_parts(part_data* out, integer* constants, int dimension) {
    constants[dimension] = C;
    ((*out++ = part_data{dimension, part_facts<Parts>::name, part_facts<Parts>::range,
                         part_facts<Parts>::step, part_facts<Parts>::divisor,
                         part_facts<Parts>::extent, part_facts<Parts>::first}),
     ...);
    rest::list_parts(out, constants, dimension + 1);
  }
};

/// The sums of an address, kept for later decisions.
template <class... Sums> struct sums;
template <> struct sums<> {};
template <class First, class... Rest> struct sums<First, Rest...> {
  First first;
  [[no_unique_address]] sums<Rest...> rest;
};

template <int P, integer C, class First, class... Parts, class... Sums>
AXE_FN constexpr auto part_number(sums<coordinate_sum<C, First, Parts...>, Sums...> const& s);
template <int P, integer C, class... Sums>
AXE_FN constexpr auto part_number(sums<coordinate_sum<C>, Sums...> const& s) {
  return part_number<P>(s.rest);
}
template <int P, integer C, class First, class... Parts>
AXE_FN constexpr auto part_in(coordinate_sum<C, First, Parts...> const& s) {
  if constexpr (P == 0)
    return s.first;
  else
    return part_in<P - 1>(s.rest);
}
template <int P, integer C, class First, class... Parts, class... Sums>
AXE_FN constexpr auto part_number(sums<coordinate_sum<C, First, Parts...>, Sums...> const& s) {
  if constexpr (P < static_cast<int>(sizeof...(Parts)) + 1)
    return part_in<P>(s.first);
  else
    return part_number<P - static_cast<int>(sizeof...(Parts)) - 1>(s.rest);
}

/// Sum number D.
template <int D, class... Sums>
AXE_FN constexpr auto sum_number([[maybe_unused]] sums<Sums...> const& s) {
  constexpr bool there = D >= 0 && D < static_cast<int>(sizeof...(Sums));
  static_assert(there, "dimensions are counted from 0, and there is no such one");
  if constexpr (!there)
    return coordinate_sum<0>{};  // further errors of it are left out
  else if constexpr (D == 0)
    return s.first;
  else
    return sum_number<D - 1>(s.rest);
}

AXE_FN constexpr sums<> keep() { return {}; }
template <class First, class... Rest>
AXE_FN constexpr sums<First, Rest...> keep(First const& first, Rest const&... rest) {
  return {first, keep(rest...)};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
