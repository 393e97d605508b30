// SPDX-License-Identifier: MIT
// coordinate_sum: a coordinate as a sum of a constant and parts. index_part: a part,
//
//     Step * ((value / Divisor) mod Extent), value below Range
//     on<axis::tid, 256>(t).digit<32, 4>(): value t, Range 256, Step 1, Divisor 32, Extent 4
//
// Extent 0: no modulo. Range 0: no bound. Definition: docs/index_code.md, "Parts".
#pragma once

#include <axe/construct/carrier.hpp>
#include <axe/index/quotient.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Parts of equal name share a register; an unnamed part shares none. named<A, First> is the number
/// on axis A minus First.
struct unnamed {
  static constexpr detail::stl::uint64_t name = 0;
  static constexpr integer first = 0;
};
/// The name of the coordinates of block<2>().
struct block_number : unnamed {};
template <axis A, integer First = 0> struct named {
  static constexpr detail::stl::uint64_t name = detail::number_of(A) + 1;
  static constexpr integer first = First;
};

template <class Name, integer Range, integer Step = 1, integer Divisor = 1, integer Extent = 0>
struct index_part {
  static_assert(Range >= 0 && Step >= 1 && Divisor >= 1 && Extent >= 0);
  static constexpr integer largest_step = Step;
  static constexpr bool is_masked = Extent != 0 && (Range == 0 || Divisor * Extent < Range);
  static constexpr bool is_block = detail::stl::is_same_v<Name, block_number>;
  unsigned value;

  /// (p / By) mod Of for this part p. If p is a digit, the result is a digit of the same register.
  template <integer By, integer Of> AXE_FN constexpr auto digit() const {
    constexpr bool whole = Step == 1;
    static_assert(whole, "digit and bits need a part without a factor: multiply the digit");
    constexpr bool counts = By >= 1 && Of >= 1 && By <= detail::largest / Of / Divisor;
    static_assert(counts, "digit<D, E>: D and E must be at least 1, and D * E below 2^63");
    constexpr integer by = counts ? By : 1, of = counts ? Of : 1, left = Extent / by;
    constexpr bool splits = Extent % by == 0 && (of >= left || left % of == 0);
    static_assert(splits,
                  "digit<D, E> of a digit needs D * E to divide the extent of that digit: take it "
                  "from the whole register, such as thread_id<256>()");
    return index_part<Name, Range, 1, Divisor * by, (Extent != 0 && of > left ? left : of)>{value};
  }
  template <int From, int Count> AXE_FN constexpr auto bits() const {
    constexpr bool exist = From >= 0 && From <= 62 && Count >= 0 && Count <= 62 - From;
    static_assert(exist, "bits are counted from 0, and the last one is at most bit 61");
    return digit<(integer{1} << (exist ? From : 0)), (integer{1} << (exist ? Count : 0))>();
  }
  /// The part without its step.
  AXE_FN constexpr unsigned field() const {
    constexpr bool masks = detail::is_power_of_two(Divisor) && detail::is_power_of_two(Extent);
    unsigned const shifted = detail::quotient<Divisor, Range>(value);
    if constexpr (!is_masked)
      return shifted;
    else if constexpr (masks)  // masks before it shifts: one LEA.HI shifts right and adds
      return detail::quotient<Divisor, Range>(value & static_cast<unsigned>(Divisor * Extent - 1));
    else if constexpr (detail::is_power_of_two(Extent))
      return shifted & static_cast<unsigned>(Extent - 1);
    else
      return shifted -
             static_cast<unsigned>(Extent) * detail::quotient<Divisor * Extent, Range>(value);
  }
  AXE_FN constexpr unsigned operator()() const { return field() * static_cast<unsigned>(Step); }
  AXE_FN constexpr operator unsigned() const { return (*this)(); }
  template <class Other>
    requires(is_block && detail::stl::is_same_v<Other, unnamed>)
  AXE_FN constexpr operator index_part<Other, Range, Step, Divisor, Extent>() const {
    return {value};
  }
};

template <integer Constant, class... Parts> struct coordinate_sum;

namespace detail {

template <class Part, integer C, class... Parts>
AXE_FN constexpr coordinate_sum<C, Part, Parts...> prepend(Part p,
                                                           coordinate_sum<C, Parts...> const& s) {
  return {p, s};
}

template <integer More, integer C, class... Parts>
AXE_FN constexpr coordinate_sum<C + More, Parts...> add_constant(
    coordinate_sum<C, Parts...> const& s) {
  if constexpr (sizeof...(Parts) == 0)
    return {};
  else
    return {s.first, add_constant<More>(s.rest)};
}
template <integer C, class... A, integer D, class... B>
AXE_FN constexpr coordinate_sum<C + D, A..., B...> join(coordinate_sum<C, A...> const& a,
                                                        coordinate_sum<D, B...> const& b) {
  if constexpr (sizeof...(A) == 0)
    return add_constant<C>(b);
  else
    return {a.first, join(a.rest, b)};
}

template <integer Times, integer By = 1, class Name, integer Range, integer Step, integer Divisor,
          integer Extent>
AXE_FN constexpr index_part<Name, Range, Step * Times / By, Divisor, Extent> scale(
    index_part<Name, Range, Step, Divisor, Extent> p) {
  return {p.value};
}
/// Precondition: By divides Times * C and Times * Step of every part.
template <integer Times, integer By = 1, integer C, class... Parts>
AXE_FN constexpr auto scale(coordinate_sum<C, Parts...> const& s) {
  if constexpr (Times == By)
    return s;
  else if constexpr (sizeof...(Parts) == 0)
    return coordinate_sum<C * Times / By>{};
  else  // without prepend nvcc needs more instructions
    return prepend(decltype(scale<Times, By>(s.first)){s.first.value}, scale<Times, By>(s.rest));
}

template <class Sum> inline constexpr integer grain_of_sum = Sum::grain;
/// Copies and bounds tests count a coordinate in steps of this size, a divisor of 16.
template <class Sum>
inline constexpr integer step_size = greatest_common_divisor(16, grain_of_sum<Sum>);
template <class Sum> AXE_FORCE_INLINE constexpr unsigned steps_of(Sum const& sum) {
  return scale<1, step_size<Sum>>(sum)();
}
template <class Sum> AXE_FORCE_INLINE constexpr unsigned number_by_steps(Sum const& sum) {
  return steps_of(sum) * static_cast<unsigned>(step_size<Sum>);
}

}  // namespace detail

template <integer Constant> struct coordinate_sum<Constant> {
  static constexpr int parts = 0;
  static constexpr bool is_masked = false, is_block = false;
  static constexpr integer known = Constant, grain = detail::magnitude(Constant);
  static constexpr integer largest_step = Constant;  // the greatest of the constant and all steps
  AXE_FN constexpr unsigned operator()() const { return static_cast<unsigned>(Constant); }
  AXE_FN constexpr operator unsigned() const { return (*this)(); }
};
template <integer Constant, class First, class... Rest>
struct coordinate_sum<Constant, First, Rest...> {
  using rest_type = coordinate_sum<Constant, Rest...>;
  static constexpr int parts = 1 + sizeof...(Rest);
  static constexpr bool is_masked = First::is_masked || rest_type::is_masked;
  static constexpr bool is_block = First::is_block || rest_type::is_block;
  static constexpr integer known = Constant;
  static constexpr integer largest_step =
      detail::larger(First::largest_step, rest_type::largest_step);
  static constexpr integer grain =
      detail::greatest_common_divisor(First::largest_step, rest_type::grain);
  First first;
  rest_type rest;
  AXE_FN constexpr unsigned operator()() const { return first() + rest(); }
  /// Counts in steps of step_size, as copies do: an early return and a copy's bounds test are then
  /// one comparison. Adds the constant last: only it differs between elements of a fragment.
  AXE_FN constexpr operator unsigned() const {
    return detail::number_by_steps(detail::add_constant<-Constant>(*this)) +
           static_cast<unsigned>(Constant);
  }
};

namespace detail {

template <class T> inline constexpr bool is_part = false;
template <class Name, integer Range, integer Step, integer Divisor, integer Extent>
inline constexpr bool is_part<index_part<Name, Range, Step, Divisor, Extent>> = true;
template <class T> inline constexpr bool is_sum = false;
template <integer C, class... Parts>
inline constexpr bool is_sum<coordinate_sum<C, Parts...>> = true;
template <class T> inline constexpr bool is_constant = false;
template <auto Value> inline constexpr bool is_constant<constant<Value>> = true;

template <class T>
concept of_parts = is_part<T> || is_sum<T>;
}  // namespace detail

/// A part, a sum of parts, or constant<n>. Coordinates may also be integers of up to 32 bits.
template <class T>
concept coordinate_part = detail::of_parts<T> || detail::is_constant<T>;

}  // namespace AXE_NAMESPACE
}  // namespace axe
