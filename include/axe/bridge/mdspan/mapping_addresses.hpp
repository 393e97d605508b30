// SPDX-License-Identifier: MIT
// The addresses of an mdspan mapping, and what it answers about them: size, uniqueness, strides.
//
//     static_addresses<carrier, Extents>     computed at compile time, if the extents are static
//     run_time_addresses                     holds the layout
//
// Device code cannot index a constexpr array, so constant_address and constant_strides unroll them.
#pragma once

#include <axe/algebra/is_injective.hpp>
#include <axe/base/integers.hpp>
#include <axe/bridge/addresses.hpp>
#include <axe/map/sum_set.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class Extents> AXE_FN constexpr shape shape_of_extents(Extents const& e) {
  shape s;
  for (decltype(Extents::rank()) r = 0; r < Extents::rank(); ++r)
    s.append(tree(static_cast<integer>(e.extent(r))));
  return s;
}

/// True if the addresses are exactly 0 to `size` - 1.
AXE_FN constexpr bool covers_addresses(layout const& l, integer size) {
  sum_set_of<capacity::shards> set;
  for (iter const& i : l.shards) set.add(i.extent, i.stride);
  set.least += l.offset(axis::m);
  if (l.swizzle.none()) {  // strides ascend; beyond the covered addresses, a stride leaves a hole
    integer covered = 1;
    for (sum_iter const& r : set.iters) {
      if (r.stride > covered) return false;
      covered += (r.extent - 1) * r.stride;
    }
    return set.least == 0;
  }
  // Distinct sums have distinct addresses f(sum), so it suffices to count the sums.
  set.saturate();
  step_limit unbounded(largest);
  return size <= product_of_extents(l.shards) && set.count(unbounded) == size;
}

/// The last entry of `at` is unused, because an array cannot be empty.
template <int Entries>
AXE_FN constexpr integer address_at(layout const& l, shape const& s, integer const (&at)[Entries]) {
  integer sum = l.offset(axis::m);
  if (l.grouped()) {
    int first = 0;
    for (int r = 0; r < Entries - 1; ++r) {
      sum += digits_to_address(l, first, first + l.blocks[r], at[r]);
      first += l.blocks[r];
    }
  } else {
    integer x = 0;
    for (int r = 0; r < Entries - 1; ++r) x = x * s.extent(r) + at[r];
    sum += digits_to_address(l, 0, l.shards.size(), x);
  }
  return l.swizzle(sum);
}

template <class Extents>
AXE_FN constexpr outcome<layout> try_mdspan_addresses(layout const& l, shape const& s) {
  outcome<layout> const found = try_address_layout(l, s);
  if (found.why) return found.why;
  using index = Extents::index_type;
  integer const span = cosize(*found);
  if (static_cast<integer>(static_cast<index>(span)) != span)
    return refusal{rule::mdspan_index_type, {span, static_cast<integer>(sizeof(index))}};
  return found;
}

struct run_time_addresses {
  layout value;
};

template <class Carrier, class Extents> struct static_addresses {
  static constexpr outcome<layout> result =
      try_mdspan_addresses<Extents>(Carrier::value, shape_of_extents(Extents{}));
  static constexpr layout value = result.value;

  AXE_FN static constexpr refusal_text text() {
    return text_of_call("mdspan_layout", result.why, Carrier::value, shape_of_extents(Extents{}));
  }
};

/// Like digits_to_address, unrolled.
template <class Addresses, int First, int Last>
AXE_FN constexpr integer constant_digits(integer index) {
  if constexpr (First < Last) {
    constexpr iter digit = Addresses::value.shards[Last - 1];
    if constexpr (First + 1 == Last)
      return index * digit.stride;
    else
      return index % digit.extent * digit.stride +
             constant_digits<Addresses, First, Last - 1>(index / digit.extent);
  }
  return 0;
}

template <class Addresses> AXE_FN consteval int begin_of_block(int r) {
  int first = 0;
  for (int k = 0; k < r; ++k) first += Addresses::value.blocks[k];
  return first;
}

template <class Addresses, class Extents, int... R>
AXE_FN constexpr integer constant_address(integers<R...>, auto... at) {
  constexpr auto swizzle = Addresses::value.swizzle;
  constexpr integer offset = Addresses::value.offset(axis::m);
  integer sum = offset;
  if constexpr (Addresses::value.grouped()) {
    ((sum +=
      constant_digits<Addresses, begin_of_block<Addresses>(R), begin_of_block<Addresses>(R + 1)>(
          static_cast<integer>(at))),
     ...);
  } else {
    integer x = 0;
    ((x = x * static_cast<integer>(Extents{}.extent(R)) + static_cast<integer>(at)), ...);
    sum += constant_digits<Addresses, 0, Addresses::value.shards.size()>(x);
  }
  return swizzle(sum);
}

template <class Index>
AXE_FN constexpr address_strides strides_in_index_type(layout const& l, shape const& s) {
  bool const is_unsigned = static_cast<Index>(-1) > Index{};
  address_strides found = try_strides_of(l, s, step_limit(largest)).value;
  if (is_unsigned)
    for (integer stride : found.of) found.exist = found.exist && stride >= 0;
  return found;
}

template <class Addresses, class Extents> struct static_facts {
  static constexpr integer size = cosize(Addresses::value);
  static constexpr bool unique = is_injective(Addresses::value);
  static constexpr bool exhaustive = covers_addresses(Addresses::value, size);
  static constexpr address_strides strides = strides_in_index_type<typename Extents::index_type>(
      Addresses::value, shape_of_extents(Extents{}));
};

template <class Carrier, class Extents>
inline constexpr bool has_static_addresses =
    carries_layout<Carrier> && Extents::rank_dynamic() == 0;

template <integer... Strides> struct constant_strides {
  AXE_TILE_FN static constexpr integer at(int r) {
    integer found = 0;
    int k = 0;
    ((found = k++ == r ? Strides : found), ...);
    return found;
  }
};
template <class Facts, int... R>
constant_strides<Facts::strides.of[R]...> strides_as_constants(integers<R...>);

/// True if strided with offset 0, as a tensor span of CUDA Tile C++ requires.
template <class Carrier, class Extents> AXE_FN consteval bool is_strided_from_zero() {
  if constexpr (has_static_addresses<Carrier, Extents>) {
    using source = static_addresses<Carrier, Extents>;
    if constexpr (!source::result.why)
      return static_facts<source, Extents>::strides.exist && source::value.offset(axis::m) == 0;
  }
  return false;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
