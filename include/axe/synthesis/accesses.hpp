// SPDX-License-Identifier: MIT
// access_list: one to four accesses of one tile. The searches of this folder remove their bank
// conflicts.
//
//     access_list all;   all.push(access_on(ldmatrix_rows<16>, {64, 64}));
//
// The elements of all accesses have the same width.
#pragma once

#include <axe/synthesis/linear_access.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

using access_list = list<access_pattern, 4>;

namespace detail {

struct checked_access {
  access_counts counts;
  linear_access linear;
  bool is_linear = false;
};
using checked_list = list<checked_access, access_list::capacity>;

/// A search tests the widest vectors first, because they reject most candidates.
AXE_LAZY_FN constexpr access_list widest_first(access_list const& all) {
  access_list sorted = all;
  sort_by(sorted, [](access_pattern const& a) { return -a.values; });
  return sorted;
}

AXE_LAZY_FN constexpr refusal check_one_width(access_list const& all) {
  if (all.empty()) return {rule::no_access};
  for (access_pattern const& a : all)
    if (a.bits != all[0].bits) return {rule::accesses_of_two_widths, {all[0].bits, a.bits}};
  return {};
}

AXE_LAZY_FN constexpr refusal check_tile(layout const& l, shape const& s, access_list const& all,
                                         int& address_bits, checked_list& checked) {
  if (refusal const bad = check_memory_tile(l, s)) return bad;
  if (!l.swizzle.none()) return {rule::already_swizzled};
  outcome<interval> const reach = reach_of(l, axis::m);
  if (reach.why) return reach.why;
  if (reach->least < 0) return {rule::least_place_is_negative, {reach->least}, {axis::m}};
  address_bits = highest_bit(static_cast<bit_word>(reach->largest)) + 1;
  if (refusal const bad = check_one_width(all)) return bad;
  for (access_pattern const& a : all) {
    checked_access one;
    if (refusal const bad = check_access(a, product_of_extents(l.shards), one.counts)) return bad;
    one.is_linear = one.linear.read(l, a, one.counts);
    checked.push(one);
  }
  return {};
}

template <any_access... Accesses>
AXE_FN constexpr outcome<access_list> list_accesses(shape const& s, Accesses const&... accesses) {
  static_assert(sizeof...(Accesses) >= 1 && sizeof...(Accesses) <= access_list::capacity,
                "pass one to four accesses");
  outcome<access_pattern> const each[] = {try_access(accesses, s)...};
  access_list all;
  for (outcome<access_pattern> const& a : each) {
    if (a.why) return a.why;
    all.push(a.value);
  }
  return all;
}

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
