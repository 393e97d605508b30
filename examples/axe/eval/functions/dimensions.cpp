// The functions slice, window, permute, broadcast, pack and unpack.
#include "eval/function.hpp"

#include <axe/algebra/window.hpp>

namespace calculator {

using axe::axis;
using axe::coordinate;
using axe::integer;
using axe::layout;
using axe::region;
using axe::shape;
using axe::step_limit;

namespace {

/// Returns the layout of the window at one origin. Its offset is that of the origin.
axe::outcome<layout> window_at(layout const& l, shape const& s, shape const& window,
                               axe::tree const& origin, step_limit steps) {
  axe::outcome<axe::window_family> const family = axe::try_window(l, s, window, steps);
  if (!family) return family.why;
  int const dimensions = family->steps.size();
  if (origin.rank() != dimensions)
    return axe::refusal{axe::rule::coordinate_has_another_rank, {origin.rank(), dimensions}};
  axe::detail::extent_list extents;
  axe::detail::extent_list window_extents;
  integer size = 1;
  axe::detail::dimensions_of(s, extents, size);
  axe::detail::dimensions_of(window, window_extents, size);
  axe::detail::extent_list begins;
  for (int d = 0; d < dimensions; ++d) {
    axe::tree const entry = origin[d];
    if (!entry.is_integer()) return axe::refusal{axe::rule::coordinate_is_nested_deeper, {d}};
    integer const begin = entry.nodes.value(0);
    if (begin < 0 || begin > extents[d] - window_extents[d]) {
      integer end = begin;
      if (!axe::detail::add(end, window_extents[d])) end = axe::detail::largest;
      return axe::refusal{axe::rule::region_outside, {d, begin, end, extents[d]}};
    }
    if (begin % family->steps[d] != 0)
      return axe::refusal{axe::rule::window_origin, {d, begin, family->steps[d]}};
    begins.push(begin);
  }
  layout at = family->part;
  if (axe::refusal const bad = axe::detail::add_offset(at, family->offset(begins.begin())))
    return bad;
  return axe::try_canonicalize(at);
}

}  // namespace

std::vector<function> dimension_functions() {
  return {
      {"slice", "L, S, (b:e, …)",
       [](layout const& l, shape const& s, region const& r, step_limit steps) {
         return axe::try_slice(l, s, r, steps);
       },
       "the same map on a region of S: begin included, end excluded"},
      {"window", "L, S, W",
       [](layout const& l, shape const& s, shape const& window,
          step_limit steps) -> axe::outcome<layout> {
         axe::outcome<axe::window_family> const family = axe::try_window(l, s, window, steps);
         return family ? axe::outcome<layout>(family->part) : axe::outcome<layout>(family.why);
       },
       "the layout of every slice of shape W, without its offset"},
      {"window", "L, S, W, origin",
       [](layout const& l, shape const& s, shape const& window, axe::tree const& origin,
          step_limit steps) { return window_at(l, s, window, origin, steps); },
       "the layout of the slice of shape W at the origin"},
      {"window_steps", "L, S, W",
       [](layout const& l, shape const& s, shape const& window,
          step_limit steps) -> axe::outcome<axe::tree> {
         axe::outcome<axe::window_family> const family = axe::try_window(l, s, window, steps);
         if (!family) return family.why;
         axe::tree result = axe::tree::group();
         for (integer step : family->steps) result.append(axe::tree(step));
         return result;
       },
       "windows of shape W begin at multiples of these numbers"},
      {"permute", "L, S, order",
       [](layout const& l, shape const& s, coordinate const& order, step_limit steps) {
         return axe::try_permute(l, s, order, steps);
       },
       "dimension i of the result is dimension order[i] of S"},
      {"broadcast", "L, S, position, e",
       [](layout const& l, shape const& s, integer position, integer extent, step_limit steps) {
         return axe::try_broadcast(l, s, position, extent, steps);
       },
       "a new dimension of extent e that changes no place"},
      {"unpack", "L, n, axis",
       [](layout const& l, integer n, axis a) { return axe::try_unpack(l, n, a); },
       "splits each element into n narrower ones, adjacent on the axis"},
      {"pack", "L, n, axis",
       [](layout const& l, integer n, axis a) { return axe::try_pack(l, n, a); },
       "joins each n elements, adjacent on the axis, into one"},
  };
}

}  // namespace calculator
