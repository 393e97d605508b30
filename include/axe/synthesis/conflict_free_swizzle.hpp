// SPDX-License-Identifier: MIT
// conflict_free_swizzle(L, access, …): the swizzle without bank conflicts for a tile, or the best.
//
//     found = conflict_free_swizzle(S[(64,64):(64,1)], ldmatrix_rows<16>, rows_of_128_bits<16>)
//     found.swizzle == swizzle_128B<16>,  found.conflicts == 1
//
// The family is every swizzle in the bits of L's addresses, searched completely, the hardware's
// first. Vectors stay contiguous and aligned. Definition: docs/algebra.md, D20.
#pragma once

#include <axe/synthesis/accesses.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Converts to true if there are no conflicts.
struct found_swizzle {
  axe::swizzle swizzle{};  // the best of the family; B == 0 if plain is best
  integer conflicts = 0;   // of the worst access under this swizzle
  integer tried = 0;       // candidates; the whole family if conflicts > 1

  AXE_FN constexpr explicit operator bool() const { return conflicts == 1; }
  AXE_FN friend constexpr bool operator==(found_swizzle const&, found_swizzle const&) = default;
};

namespace detail {

struct swizzled_bits {
  axe::swizzle f;
  AXE_FN constexpr bit_word operator()(bit_word x) const {
    return static_cast<bit_word>(f(static_cast<integer>(x)));
  }
};

struct swizzle_judge {
  layout const& l;
  access_list const& all;
  judged_list const& judged;
  step_limit& steps;
  found_swizzle best{};
  refusal of_none{};  // why an access of the plain layout is rejected

  /// Sets `worst` to the conflicts of the worst access, or to `enough` as soon as they reach it; to
  /// 0 if an access is rejected.
  AXE_FN constexpr refusal figure(axe::swizzle f, integer enough, integer& worst) {
    layout swizzled = l;
    swizzled.swizzle = f;
    worst = 1;
    for (int i = 0; i < all.size(); ++i) {
      integer here = 0;
      if (judged[i].is_linear) {
        steps.taken += 3;
        if (!steps.take()) return steps.refusal();
        here = judged[i].linear.figure(swizzled_bits{f});
        if (here == 0 && f.none()) of_none = count_traffic(l, all[i], largest, steps).why;
      } else {
        refusal const bad = check(swizzled);
        outcome<shared_traffic> const counted =
            bad ? outcome<shared_traffic>(bad) : count_traffic(swizzled, all[i], enough, steps);
        if (counted.why.which == rule::undecided) return counted.why;
        if (counted) here = counted->conflicts;
        if (!counted && f.none()) of_none = counted.why;
      }
      if (here == 0) {
        worst = 0;
        return {};
      }
      worst = larger(worst, here);
      if (worst >= enough) return {};
    }
    return {};
  }

  /// True if the search is over.
  AXE_FN constexpr bool offer(axe::swizzle f, refusal& bad) {
    integer worst = 0;
    ++best.tried;
    bad = figure(f, best.conflicts == 0 ? largest : best.conflicts, worst);
    if (bad) return true;
    if (worst == 0 || (best.conflicts != 0 && worst >= best.conflicts)) return false;
    best.swizzle = f;
    best.conflicts = worst;
    return worst == 1;
  }

  AXE_FN constexpr bool search(int address_bits, refusal& bad) {
    int const chunk = chunk_bits(all[0].bits);
    if (offer({}, bad)) return true;
    for (int B = 1; B <= 3; ++B)
      if (offer({chunk, B, 3}, bad)) return true;
    for (int const sign : {1, -1})
      for (int B = 1; B < address_bits; ++B)
        for (int S = 1; B + S <= address_bits; ++S)
          for (int M = address_bits - B - S; M >= 0; --M) {
            axe::swizzle const f{M, B, sign * S};
            if (f == axe::swizzle{chunk, B, 3} && B <= 3) continue;
            if (offer(f, bad)) return true;
          }
    return false;
  }
};

}  // namespace detail

AXE_LAZY_FN constexpr outcome<found_swizzle> try_conflict_free_swizzle(layout const& l,
                                                                       shape const& s,
                                                                       access_list const& asked,
                                                                       step_limit steps = {}) {
  using namespace detail;
  access_list const all = widest_first(asked);
  int address_bits = 0;
  if (refusal const bad = check_tile(l, s, address_bits)) return bad;
  judged_list judged;
  if (refusal const bad = judge(l, all, judged)) return bad;
  swizzle_judge search{l, all, judged, steps};
  refusal bad{};
  search.search(address_bits < 48 ? address_bits : 48, bad);
  if (bad) return bad;
  if (search.best.conflicts == 0) return search.of_none;
  return search.best;
}

template <class... Accesses>
  requires detail::some_accesses<Accesses...>
AXE_FN constexpr outcome<found_swizzle> try_conflict_free_swizzle(layout const& l, shape const& s,
                                                                  Accesses const&... asked) {
  outcome<access_list> const all = detail::gather(s, asked...);
  if (all.why) return all.why;
  return try_conflict_free_swizzle(l, s, all.value);
}
template <class... Accesses>
  requires detail::some_accesses<Accesses...>
AXE_FN constexpr outcome<found_swizzle> try_conflict_free_swizzle(layout const& l,
                                                                  Accesses const&... asked) {
  return try_conflict_free_swizzle(l, detail::written_shape(l), asked...);
}

template <class... Accesses>
  requires detail::some_accesses<Accesses...>
AXE_FN constexpr found_swizzle conflict_free_swizzle(layout const& l, shape const& s,
                                                     Accesses const&... asked) {
  auto const result = try_conflict_free_swizzle(l, s, asked...);
  detail::stop_on(result.why, "conflict_free_swizzle", {&l, nullptr, &s});
  return result.value;
}
template <class... Accesses>
  requires detail::some_accesses<Accesses...>
AXE_FN constexpr found_swizzle conflict_free_swizzle(layout const& l, Accesses const&... asked) {
  return conflict_free_swizzle(l, detail::written_shape(l), asked...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
