// An operation: its operands beside the result, with corresponding elements in one colour.
//
//     draw_operation("tile", {{"A", a, {2, 3}, outer}, {"B", b, {8, 8}, inner}}, t, {16, 24})
//
// `element_of` of an operand gives the element of it that an element of the result comes from, by
// row-major numbers; -1 for none. The colours are the elements of the first operand.
#pragma once

#include <axe/draw/svg_picture.hpp>

#include <functional>

namespace axe {
inline namespace AXE_NAMESPACE {

struct drawn_operand {
  std::string name;
  layout of;
  shape seen_as;
  std::function<integer(integer)> element_of;
};

namespace drawing {

/// Colours each cell by its element; a cell with the colour -1 has none. `of` names the colours.
template <class Color>
void recolor(view& v, subject const& of, color_scale& scale, Color const& color_of) {
  for (grid& g : v.grids)
    for (cell& c : g.cells) {
      if (c.kind != cell::held) continue;
      c.color = color_of(c.element);
      c.plain = c.color < 0;
      if (!c.plain) scale.note(c.color, coordinate_text(of, c.color));
    }
}

/// All operands and the result. Stops with a refusal if a layout does not have its shape.
inline picture operation_picture(std::string const& title,
                                 std::vector<drawn_operand> const& operands, layout const& result,
                                 shape const& s) {
  picture p;
  subject const made = make_subject(result, s);
  if (size(result) > most_cells || operands.empty())
    detail::stop_on({rule::undecided, {most_cells}}, "draw_operation", {&result});
  p.layout_text = text_of(result);
  p.summary = title + ": element by element";
  p.colors_are = "element of " + operands.front().name;
  std::vector<subject> subjects;
  for (drawn_operand const& o : operands) subjects.push_back(make_subject(o.of, o.seen_as));
  color_scale unused;
  // The elements of an operand that the result has, each with its colour.
  for (std::size_t k = 0; k < operands.size(); ++k) {
    std::vector<integer> color(static_cast<std::size_t>(size(operands[k].of)), -1);
    if (k == 0)
      for (integer x = 0; x < size(result); ++x)
        if (integer const from = operands[0].element_of(x); from >= 0)
          color.at(static_cast<std::size_t>(from)) = from;
    view v = tensor_view(subjects[k], default_key(operands[k].of), unused);
    v.heading = operands[k].name + " = " + text_of(operands[k].of);
    recolor(v, subjects.front(), p.scale,
            [&](integer x) { return color[static_cast<std::size_t>(x)]; });
    p.views.push_back(v);
  }
  view v = tensor_view(made, default_key(result), unused);
  v.heading = title;
  recolor(v, subjects.front(), p.scale, operands.front().element_of);
  for (grid& g : v.grids)
    for (cell& c : g.cells)
      for (std::size_t k = 0; k < operands.size() && !c.hint.empty(); ++k)
        if (integer const from = operands[k].element_of(c.element); from >= 0)
          c.hint += ", from " + operands[k].name + "(" + coordinate_text(subjects[k], from) + ")";
  p.views.push_back(v);
  return p;
}

/// The number of an element of the shape `extents`, split into that of blocks and inside a block.
struct split_number {
  integer outer = 0, inner = 0;

  /// `inner_extents` divide `extents`, dimension by dimension.
  split_number(integer x, std::vector<integer> const& extents,
               std::vector<integer> const& inner_extents) {
    integer outer_scale = 1, inner_scale = 1;
    for (std::size_t d = extents.size(); d-- > 0;) {
      integer const at = x % extents[d];
      x /= extents[d];
      outer += at / inner_extents[d] * outer_scale;
      inner += at % inner_extents[d] * inner_scale;
      outer_scale *= extents[d] / inner_extents[d];
      inner_scale *= inner_extents[d];
    }
  }
};

}  // namespace drawing

/// An operation as SVG.
inline std::string draw_operation(std::string const& title,
                                  std::vector<drawn_operand> const& operands, layout const& result,
                                  shape const& s, draw_options const& options = {}) {
  drawing::picture p = drawing::operation_picture(title, operands, result, s);
  p.name = options.name;
  return drawing::svg_picture(p, options);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
