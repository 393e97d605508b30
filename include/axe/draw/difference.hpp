// SPDX-License-Identifier: MIT
// The tensor view of a layout; elements that another layout places elsewhere are marked.
#pragma once

#include <axe/draw/cells.hpp>
#include <axe/draw/tensor_view.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline view difference_view(subject const& a, subject const& b, integer& differing) {
  color_scale unused;
  color_key const key_b = default_key(b.where);
  view v = tensor_view(a, default_key(a.where), unused);
  v.heading = "where the two layouts differ";
  v.units.assign(1, "");
  v.has_several = false;
  differing = 0;
  for (grid& g : v.grids)
    for (cell& c : g.cells) {
      if (c.kind != cell::held) continue;
      c.several = false;
      c.marked = !(places(a.where, c.element) == places(b.where, c.element));
      c.words = {listed(c.words, "/")};
      c.color = c.marked ? 1 : 0;
      if (!c.marked) continue;
      ++differing;
      c.words.push_back(listed(element_cell(b, c.element, key_b, unused).words, "/"));
    }
  return v;
}

inline picture difference_picture(layout const& a, layout const& b, shape const& s) {
  subject const first = make_subject(a, s), second = make_subject(b, s);
  picture p;
  p.layout_text = text_of(a) + "\n" + text_of(b);
  p.legend = {{"n", "the same places in both"},
              {"x", "different places: those of the first layout, below them those of the second"}};
  integer differing = 0;
  p.views.push_back(difference_view(first, second, differing));
  integer drawn = 0;
  for (grid const& g : p.views[0].grids)
    for (cell const& c : g.cells) drawn += c.kind == cell::held;
  p.summary = "shape " + text_of(s) + ": " + with_commas(differing) + " of " + with_commas(drawn) +
              (drawn < size(a) ? " drawn" : "") + (drawn == 1 ? " element" : " elements") +
              (differing == 1 ? " lies elsewhere" : " lie elsewhere");
  return p;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
