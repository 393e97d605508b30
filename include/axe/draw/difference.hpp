// SPDX-License-Identifier: MIT
// The tensor view of one layout. It marks the elements that have other places in a second layout.
//
//     S[(8,4):(4@lane,1@lane)] and S[(8,4):(1@lane,8@lane)]      all but (0,0) and (7,3) differ
//
// Elements are compared as sets of places. Only the elements that are drawn are counted.
#pragma once

#include <axe/draw/cells.hpp>
#include <axe/draw/tensor_view.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline std::string words_together(cell const& c) {
  std::string out;
  for (std::string const& word : c.words) out += (out.empty() ? "" : "/") + word;
  return out;
}

inline std::vector<integer> element_at(view const& v, std::size_t g, integer i, integer j,
                                       subject const& of) {
  std::vector<integer> at(of.extents.size());
  if (of.extents.size() < 2) {
    if (!at.empty()) at[0] = i * v.grids[g].columns + j;
    return at;
  }
  at[at.size() - 2] = i;
  at[at.size() - 1] = j;
  auto rest = static_cast<integer>(g);
  for (std::size_t d = at.size() - 2; d-- > 0;) {
    at[d] = rest % of.extents[d];
    rest /= of.extents[d];
  }
  return at;
}

inline view difference_view(subject const& a, subject const& b, integer& differing) {
  color_scale unused;
  color_key const key_a = default_key(a.of);
  color_key const key_b = default_key(b.of);
  view v = tensor_view(a, key_a, unused);
  v.heading = "where the two layouts differ";
  v.units.assign(1, "");
  v.has_several = false;
  differing = 0;
  for (std::size_t g = 0; g < v.grids.size(); ++g) {
    grid& here = v.grids[g];
    for (integer i = 0; i < here.rows; ++i)
      for (integer j = 0; j < here.columns; ++j) {
        cell& c = here.cells[static_cast<std::size_t>(i * here.columns + j)];
        if (c.kind != cell::held) continue;
        std::vector<integer> const at = element_at(v, g, i, j, a);
        coordinate const element = coordinate_of(at);
        c.several = false;
        c.marked = !(places(a.of, a.seen_as, element) == places(b.of, b.seen_as, element));
        std::string const first = words_together(c);
        c.words.assign(1, first);
        c.color = c.marked ? 1 : 0;
        if (!c.marked) continue;
        ++differing;
        c.words.push_back(words_together(element_cell(b, at, key_b, unused)));
      }
  }
  return v;
}

inline picture difference_picture(layout const& a, layout const& b, shape const& s) {
  subject const one = make_subject(a, s);
  subject const two = make_subject(b, s);
  picture p;
  auto const text_a = to_text(a);
  auto const text_b = to_text(b);
  p.layout_text =
      std::string(text_a.begin(), text_a.end()) + "\n" + std::string(text_b.begin(), text_b.end());
  p.legend = {{"n", "the same places in both"},
              {"x", "different places: those of the first layout, below them those of the second"}};
  integer differing = 0;
  p.views.push_back(difference_view(one, two, differing));
  integer drawn = 0;
  for (grid const& g : p.views[0].grids)
    for (cell const& c : g.cells) drawn += c.kind == cell::held;
  auto const shape_text = to_text(static_cast<tree const&>(s));
  p.summary = "shape " + std::string(shape_text.begin(), shape_text.end()) + ": " +
              with_commas(differing) + " of " + with_commas(drawn) +
              (drawn < size(a) ? " drawn" : "") + (drawn == 1 ? " element" : " elements") +
              (differing == 1 ? " lies elsewhere" : " lie elsewhere");
  return p;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
