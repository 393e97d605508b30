// The functions that find swizzles, pitches and matrices without bank conflicts.
#include "eval/function.hpp"

#include <axe/synthesis.hpp>

namespace calculator {

using axe::integer;
using axe::layout;
using axe::outcome;
using axe::refusal;
using axe::rule;
using axe::shape;
using axe::step_limit;

namespace {

using optional_access = std::optional<accessed>;

outcome<axe::access_list> gathered(shape const& s, accessed const& a, optional_access const& b,
                                   optional_access const& c, optional_access const& d) {
  axe::access_list all;
  optional_access const first = a;
  for (optional_access const* one : {&first, &b, &c, &d}) {
    if (!one->has_value()) continue;
    outcome<axe::access_pattern> const on = (*one)->on(s);
    if (!on) return on.why;
    all.push(*on);
  }
  return all;
}

/// Makes the linear map from m to m whose matrix on address bits is `of`.
matrix on_addresses(axe::bit_matrix const& of) {
  matrix m;
  axe::linear_axes side;
  side.axes.push({axe::axis::m, of.columns});
  m.of = axe::linear_map(side, side);
  m.of.matrix = of;
  return m;
}

}  // namespace

std::vector<function> synthesis_functions() {
  return {
      {"conflict_free_swizzle", "L, S, access [, access, …]",
       [](layout const& l, shape const& s, accessed const& a, optional_access b, optional_access c,
          optional_access d, step_limit steps) -> outcome<axe::swizzle> {
         auto const all = gathered(s, a, b, c, d);
         if (!all) return all.why;
         auto const found = axe::try_conflict_free_layout(l, s, *all, steps);
         if (!found) return found.why;
         return found->swizzle;
       },
       "the swizzle under which no access has a bank conflict"},
      {"conflict_free_layout", "L, S, access [, access, …]",
       [](layout const& l, shape const& s, accessed const& a, optional_access b, optional_access c,
          optional_access d, step_limit steps) -> outcome<layout> {
         auto const all = gathered(s, a, b, c, d);
         if (!all) return all.why;
         return axe::try_conflict_free_layout(l, s, *all, steps);
       },
       "L with the swizzle of conflict_free_swizzle"},
      {"conflict_free_pitch", "S, access [, access, …]",
       [](shape const& s, accessed const& a, optional_access b, optional_access c,
          optional_access d, step_limit steps) -> outcome<layout> {
         auto const all = gathered(s, a, b, c, d);
         if (!all) return all.why;
         auto const found = axe::try_conflict_free_pitch(s, *all, steps);
         if (!found) return found.why;
         if (*found) return found->padded;
         return refusal{rule::no_conflict_free_pitch,
                        {found->conflicts, found->pitch,
                         found->padded.shards.back().extent + 1024 / all->at[0].bits}};
       },
       "the tile with the least padding under which no access has a bank conflict"},
      {"conflict_free_matrix", "L, S, access [, access, …]",
       [](layout const& l, shape const& s, accessed const& a, optional_access b, optional_access c,
          optional_access d, step_limit steps) -> outcome<matrix> {
         auto const all = gathered(s, a, b, c, d);
         if (!all) return all.why;
         auto const found = axe::try_conflict_free_matrix(l, s, *all, steps);
         if (!found) return found.why;
         if (*found) return on_addresses(found->matrix);
         return refusal{rule::no_conflict_free_matrix, {found->conflicts}};
       },
       "the matrix over F2 on address bits under which no access has a bank conflict"},
  };
}

}  // namespace calculator
