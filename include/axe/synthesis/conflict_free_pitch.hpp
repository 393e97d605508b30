// SPDX-License-Identifier: MIT
// conflict_free_pitch(S, access, …): the smallest pitch of rows with the fewest bank conflicts.
//
//     conflict_free_pitch({32, 32}, rows_of_elements<32>, columns_of_elements<32>)      pitch 33
//
// A tile is padded to S[(…,B,R,C):(…,R*p,p,1)], for p from C to C plus 128 bytes.
#pragma once

#include <axe/synthesis/accesses.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

struct found_pitch {
  layout padded;
  integer pitch = 0;      // elements from row to row
  integer conflicts = 0;  // of the worst access
  integer tried = 0;      // pitches that were tried

  AXE_FN constexpr explicit operator bool() const { return conflicts == 1; }
  constexpr bool operator==(found_pitch const&) const = default;
};

namespace detail {

AXE_LAZY_FN constexpr refusal pad(extent_list const& extents, integer pitch, layout& padded) {
  integer step = 1;
  for (int d = extents.size() - 1; d >= 0; --d) {
    padded.shards.insert(0, {extents[d], step, axis::m});
    if (d == extents.size() - 1)
      step = pitch;
    else if (!multiply(step, extents[d]))
      return {rule::result_places_overflow, {}, {axis::m}};
  }
  return check(padded);
}

AXE_LAZY_FN constexpr outcome<integer> worst_conflicts(layout const& padded, access_list const& all,
                                                       integer enough, step_limit& steps) {
  integer worst = 1;
  for (access_pattern const& a : all) {
    outcome<shared_traffic> const counted = count_traffic(padded, a, enough, steps);
    if (!counted) return counted.why;
    worst = larger(worst, counted->conflicts);
    if (worst >= enough) break;
  }
  return worst;
}

}  // namespace detail

AXE_LAZY_FN constexpr outcome<found_pitch> try_conflict_free_pitch(shape const& s,
                                                                   access_list const& accesses,
                                                                   step_limit steps = {}) {
  using namespace detail;
  access_list const all = widest_first(accesses);
  extent_list extents;
  if (refusal const bad = dimensions_of(s, extents)) return bad;
  if (refusal const bad = check_one_width(all)) return bad;
  integer const columns = extents.empty() ? 1 : extents.back();
  if (all[0].bits < 1) return refusal{rule::access_width, {all[0].values, all[0].bits}};
  integer most = columns;
  if (!add(most, 1024 / all[0].bits)) return refusal{rule::result_places_overflow, {}, {axis::m}};
  found_pitch best;
  refusal last{};
  for (integer pitch = columns; pitch <= most; ++pitch) {
    layout padded;
    if (refusal const bad = pad(extents, pitch, padded)) return bad;
    ++best.tried;
    integer const enough = best.conflicts == 0 ? largest : best.conflicts;
    outcome<integer> const worst = worst_conflicts(padded, all, enough, steps);
    if (worst.why.which == rule::undecided) return worst.why;
    if (!worst) last = worst.why;
    if (!worst || *worst >= enough) continue;
    best.padded = padded;
    best.pitch = pitch;
    best.conflicts = *worst;
    if (*worst == 1) break;
  }
  if (best.conflicts == 0) return last;
  return best;
}

template <any_access... Accesses>
AXE_FN constexpr found_pitch conflict_free_pitch(shape const& s, Accesses const&... accesses) {
  auto const all = detail::list_accesses(s, accesses...);
  return detail::stop_on(all ? try_conflict_free_pitch(s, *all) : all.why, "conflict_free_pitch",
                         {nullptr, nullptr, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
