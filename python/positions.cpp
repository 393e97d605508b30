#include "positions.hpp"

#include <algorithm>

namespace module {

std::vector<std::int64_t> first_positions(axe::layout const& l, axe::axis a, axe::integer most) {
  axe::detail::sum_set const set = axe::detail::sums_on(l.replicas, a);
  axe::step_limit unbounded(axe::detail::largest);
  std::vector<std::int64_t> found;
  for (axe::integer v = set.least; v != axe::detail::sum_set::none;
       v = set.at_least(v + 1, unbounded)) {
    if (static_cast<axe::integer>(found.size()) == most) return {};
    found.push_back(l.offset(a) + v);
  }
  return found;
}

void write_positions(axe::layout const& l, axe::axis a, std::vector<std::int64_t> const& first,
                     std::int64_t* out) {
  std::copy(first.begin(), first.end(), out);
  // Each digit, fastest first, appends copies of what is written so far, moved by its stride.
  std::size_t written = first.size();
  for (int k = l.shards.size() - 1; k >= 0; --k) {
    axe::iter const& digit = l.shards[k];
    std::int64_t const stride = digit.on == a ? digit.stride : 0;
    auto const extent = static_cast<std::size_t>(digit.extent);
    for (std::size_t c = 1; c < extent; ++c) {
      std::int64_t const moved = static_cast<std::int64_t>(c) * stride;
      std::int64_t* const to = out + c * written;
      for (std::size_t i = 0; i < written; ++i) to[i] = out[i] + moved;
    }
    written *= extent;
  }
  if (l.swizzle.none() || a != axe::axis::m) return;
  for (std::size_t i = 0; i < written; ++i) out[i] = l.swizzle(out[i]);
}

}  // namespace module
