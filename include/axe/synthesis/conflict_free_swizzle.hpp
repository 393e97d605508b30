// SPDX-License-Identifier: MIT
// conflict_free_swizzle(L, access, …): the swizzle with the fewest bank conflicts on a tile.
//
//     found = conflict_free_swizzle(S[(64,64):(64,1)], ldmatrix_rows<16>, rows_of_128_bits<16>)
//     found.swizzle == swizzle_128B<16>,  found.conflicts == 1
#pragma once

#include <axe/synthesis/accesses.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct found_swizzle {
  axe::swizzle swizzle{};  // B == 0: no swizzle is better than L without one
  integer conflicts = 0;   // of the worst access
  integer tried = 0;       // swizzles that were tried: all, if conflicts > 1

  AXE_FN constexpr explicit operator bool() const { return conflicts == 1; }
  constexpr bool operator==(found_swizzle const&) const = default;
};

namespace detail {

struct conflict_search {
  layout const& l;
  access_list const& all;
  checked_list const& checked;
  step_limit& steps;
  found_swizzle best{};
  refusal plain_refusal{};  // why an access of L without a swizzle is rejected
  refusal undecided{};

  /// 0 if f makes access i invalid. Counting ends at `enough`.
  AXE_FN constexpr outcome<integer> conflicts_of(int i, axe::swizzle f, integer enough) {
    if (checked[i].is_linear) {
      if (!steps.take(4)) return steps.refusal();
      integer const found =
          checked[i].linear.wavefronts([f](bit_word address) { return swizzled(f, address); });
      if (found == 0 && f.none()) plain_refusal = count_traffic(l, all[i], largest, steps).why;
      return found;
    }
    layout swizzled = l;
    swizzled.swizzle = f;
    refusal const bad = check(swizzled);
    outcome<shared_traffic> const counted =
        bad ? outcome<shared_traffic>(bad) : count_traffic(swizzled, all[i], enough, steps);
    if (counted.why.which == rule::undecided) return counted.why;
    if (!counted && f.none()) plain_refusal = counted.why;
    return counted ? counted->conflicts : integer{0};
  }

  /// Tries f. True if f has no conflicts or is undecided.
  AXE_FN constexpr bool ends_search(axe::swizzle f) {
    integer const enough = best.conflicts == 0 ? largest : best.conflicts;
    integer worst = 1;
    ++best.tried;
    for (int i = 0; i < all.size() && worst < enough; ++i) {
      outcome<integer> const here = conflicts_of(i, f, enough);
      undecided = here.why;
      if (undecided) return true;
      if (*here == 0) return false;
      worst = larger(worst, *here);
    }
    if (worst >= enough) return false;
    best.swizzle = f;
    best.conflicts = worst;
    return worst == 1;
  }

  AXE_FN constexpr void run(int address_bits) {
    int const chunk = chunk_bits(all[0].bits);
    // The swizzles of TMA come first.
    if (ends_search({})) return;
    for (int B = 1; B <= 3; ++B)
      if (ends_search({chunk, B, 3})) return;
    for (int const sign : {1, -1})
      for (int B = 1; B < address_bits; ++B)
        for (int S = 1; B + S <= address_bits; ++S)
          for (int M = address_bits - B - S; M >= 0; --M) {
            axe::swizzle const f{M, B, sign * S};
            bool const is_of_tma = f == axe::swizzle{chunk, B, 3} && B <= 3;
            if (!is_of_tma && ends_search(f)) return;
          }
  }
};

}  // namespace detail

AXE_LAZY_FN constexpr outcome<found_swizzle> try_conflict_free_swizzle(layout const& l,
                                                                       shape const& s,
                                                                       access_list const& accesses,
                                                                       step_limit steps = {}) {
  using namespace detail;
  access_list const all = widest_first(accesses);
  int address_bits = 0;
  checked_list checked;
  if (refusal const bad = check_tile(l, s, all, address_bits, checked)) return bad;
  conflict_search search{l, all, checked, steps};
  search.run(address_bits < 48 ? address_bits : 48);
  if (search.undecided) return search.undecided;
  if (search.best.conflicts == 0) return search.plain_refusal;
  return search.best;
}

template <any_access... Accesses>
AXE_FN constexpr found_swizzle conflict_free_swizzle(layout const& l, shape const& s,
                                                     Accesses const&... accesses) {
  auto const all = detail::list_accesses(s, accesses...);
  return detail::stop_on(all ? try_conflict_free_swizzle(l, s, *all) : all.why,
                         "conflict_free_swizzle", {&l, nullptr, &s});
}
template <any_access... Accesses>
AXE_FN constexpr found_swizzle conflict_free_swizzle(layout const& l, Accesses const&... accesses) {
  return conflict_free_swizzle(l, detail::written_shape(l), accesses...);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
