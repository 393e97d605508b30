// Lists sets that the library enumerates lazily, up to a number of entries.
//
//     bool whole = each_place(where, 50'000, [&](axe::place const& p) { … });
//     bool whole = each(elements, 50'000, [&](axe::element const& e) { … });
//
// The answer is false if there are more entries, or if they take too long to find. The function may
// have been called with some of them.
#pragma once

#include <axe/axe.hpp>

#include <algorithm>
#include <vector>

namespace calculator {

/// The average number of search steps that one entry may take.
inline constexpr axe::integer search_steps = 64;

inline axe::step_limit search_limit(axe::integer most) {
  return axe::step_limit(most < axe::detail::largest / search_steps ? most * search_steps
                                                                    : axe::detail::largest);
}

/// Lists the positions on axis a of the set in ascending order.
inline bool positions_on(axe::placement const& set, axe::axis a, axe::integer most,
                         std::vector<axe::integer>& out) {
  axe::step_limit steps = search_limit(most);
  axe::detail::sum_set const sums = set.on(a);
  for (axe::integer v = sums.least; v != axe::detail::sum_set::none;
       v = sums.at_least(v + 1, steps)) {
    if (steps.taken > steps.allowed || static_cast<axe::integer>(out.size()) == most) return false;
    out.push_back(a == axe::axis::m ? set.swizzle(v) : v);
  }
  if (!set.swizzle.none()) std::sort(out.begin(), out.end());
  return steps.taken <= steps.allowed;
}

/// Calls `use` for each place of an element, in ascending order.
template <class Use> bool each_place(axe::placement const& set, axe::integer most, Use const& use) {
  std::vector<std::vector<axe::integer>> on_axes;
  axe::integer count = 1;
  axe::place p;
  for (axe::term const& t : set.base.terms) {
    std::vector<axe::integer>& positions = on_axes.emplace_back();
    if (!positions_on(set, t.on, most, positions) ||
        !axe::detail::multiply(count, static_cast<axe::integer>(positions.size())) || count > most)
      return false;
    p.terms.push({positions.front(), t.on});
  }
  std::vector<std::size_t> at(on_axes.size());
  while (true) {
    use(static_cast<axe::place const&>(p));
    std::size_t i = at.size();
    while (i > 0 && ++at[i - 1] == on_axes[i - 1].size()) {
      at[i - 1] = 0;
      p.terms[static_cast<int>(i) - 1].n = on_axes[i - 1].front();
      --i;
    }
    if (i == 0) return true;
    p.terms[static_cast<int>(i) - 1].n = on_axes[i - 1][at[i - 1]];
  }
}

/// Calls `use` for each entry of a range of elements or pieces.
template <class Range, class Use> bool each(Range const& range, axe::integer most, Use const& use) {
  axe::step_limit steps = search_limit(most);
  auto i = range.begin();
  if constexpr (requires { i.found.steps; }) i.found.steps = &steps;
  axe::integer n = 0;
  for (; i != range.end(); ++i) {
    if (n++ == most) return false;
    use(*i);
  }
  return steps.taken <= steps.allowed;
}

}  // namespace calculator
