// SPDX-License-Identifier: MIT
// subject: a layout with the shape in which it is drawn.
#pragma once

#include <axe/draw/model.hpp>

#include <axe/algebra/canonicalize.hpp>
#include <axe/map/elements.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct subject {
  layout where;
  shape seen_as;
  std::vector<integer> extents;  // a group counts as its product
  integer most_cells = 0;
  bool hints = false;     // cells have texts on hover
  char const* part = "";  // " of this block" if other blocks are not drawn
};

inline integer product_below(tree const& t) {
  integer product = 1;
  for (int i = 0; i < t.nodes.count; ++i)
    if (t.nodes.is_integer(i)) product *= t.nodes.value(i);
  return product;
}

inline constexpr integer most_hints = 4'096;
inline constexpr integer most_replicas = 1'000'000;

inline subject make_subject(layout const& l, shape const& s, integer cells = most_cells) {
  detail::stop_on(try_elements(l, s).why, "draw", {&l, nullptr, &s});
  integer replicas = 1;
  for (iter const& r : l.replicas)
    if (!detail::multiply(replicas, r.extent)) replicas = detail::largest;
  // If gap_ok is false, drawing enumerates the replicas.
  if (replicas > most_replicas && !gap_ok(l))
    detail::stop_on(refusal{rule::undecided, {most_replicas}}, "draw", {&l});
  subject drawn{l, s, {}, cells, size(l) <= most_hints};
  for (int d = 0; d < s.rank(); ++d) drawn.extents.push_back(product_below(s[d]));
  return drawn;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
