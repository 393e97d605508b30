// The views of one layout, and the line of facts above them.
#include "picture.hpp"

#include "bank_view.hpp"
#include "cells.hpp"

#include <algorithm>

namespace draw {

namespace {

integer product_below(axe::tree const& t) {
  integer product = 1;
  for (axe::tree_node const& node : t.nodes)
    if (node.is_integer()) product *= node.value;
  return product;
}

template <class T> std::string text_of(T const& value) {
  auto const text = axe::to_text(value);
  return {text.begin(), text.end()};
}

/// `shape (8,16), 128 elements, each at 2 places; lane 0 to 31, warp 5 to 10, reg 0 to 1`
std::string summarize(subject const& of, integer replicas) {
  integer const size = axe::size(of.of);
  std::string out = "shape " + text_of(static_cast<axe::tree const&>(of.seen_as)) + ", " +
                    with_commas(size) + (size == 1 ? " element" : " elements");
  if (replicas > 1) out += ", each at " + with_commas(replicas) + " places";
  char const* separator = "; ";
  for (axis a : axe::axes_of(of.of)) {
    out += separator + name_of_axis(a) + " " + with_commas((axe::min)(of.of, a));
    if (axe::span(of.of, a) > 1) out += " to " + with_commas((axe::max)(of.of, a));
    separator = ", ";
  }
  return out;
}

constexpr integer most_replicas = 1'000'000;
constexpr integer tall = 32;  // rows of a piece of a narrow grid

/// Cuts narrow grids of many rows, such as 128 lanes of 4 columns, into pieces of 32 rows side by
/// side.
void split_tall(view& v) {
  if (v.grids.empty()) return;
  grid const& first = v.grids.front();
  integer const pieces = (first.rows + tall - 1) / tall;
  if (pieces < 2 || first.rows <= 4 * first.columns ||
      pieces * static_cast<integer>(v.grids.size()) > most_grids)
    return;
  std::vector<grid> cut;
  for (grid const& g : v.grids)
    for (integer from = 0; from < g.rows; from += tall) {
      integer const to = std::min(g.rows, from + tall);
      auto const row = [&](integer r) { return static_cast<std::ptrdiff_t>(r); };
      grid piece;
      piece.rows = to - from;
      piece.columns = g.columns;
      piece.column_names = g.column_names;
      piece.row_names.assign(g.row_names.begin() + row(from), g.row_names.begin() + row(to));
      piece.cells.assign(g.cells.begin() + row(from * g.columns),
                         g.cells.begin() + row(to * g.columns));
      piece.title = g.title + (g.title.empty() ? "" : ", ") + v.rows_are + " " +
                    piece.row_names.front() + " to " + piece.row_names.back();
      cut.push_back(piece);
    }
  v.grids = cut;
}

}  // namespace

subject make_subject(axe::layout const& l, axe::shape const& s, integer cells) {
  axe::elements(l, s);  // rejects a shape of another size
  integer replicas = 1;
  for (axe::iter const& r : l.replicas)
    if (!axe::detail::multiply(replicas, r.extent)) replicas = axe::detail::largest;
  // A set that is not a product of runs is enumerated place by place.
  if (replicas > most_replicas && !axe::gap_ok(l))
    throw axe::refused("draw", {axe::rule::undecided, {most_replicas}}, {&l});
  subject of{l, s, {}, cells};
  for (int d = 0; d < s.rank(); ++d) of.extents.push_back(product_below(s[d]));
  return of;
}

picture make_picture(axe::layout const& l, axe::shape const& s, request const& asked) {
  subject const of = make_subject(l, s, asked.cells);
  picture p;
  p.name = asked.name;
  p.layout_text = text_of(l);
  p.key = read_color(asked.color, l);
  p.replicas = axe::places(l, 0).size();
  p.summary = summarize(of, p.replicas);
  if (asked.banks) {
    p.colors_are = "columns";
    p.views.push_back(bank_view(of, asked.bits, p.scale));
    return p;
  }
  if (asked.tensor) p.views.push_back(tensor_view(of, p.key, p.scale));
  if (asked.hardware) p.views.push_back(hardware_view(of, p.key, p.scale, asked.row));
  for (view& v : p.views) split_tall(v);
  return p;
}

}  // namespace draw
