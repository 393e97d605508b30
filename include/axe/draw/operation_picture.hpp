// SPDX-License-Identifier: MIT
// An operation: operands and result side by side, in the first operand's colours.
//
//     draw_operation("tile", {{"A", a, {2, 3}, outer}, {"B", b, {8, 8}, inner}}, t, {16, 24})
//
// `element_of` maps the row-major number of a result's element to that of the operand's element, or
// -1.
#pragma once

#include <axe/draw/svg_picture.hpp>

#include <functional>

namespace axe {
inline namespace AXE_NAMESPACE {

struct drawn_result {
  std::string name;
  layout of;
  shape seen_as;
  std::vector<std::function<integer(integer)>> element_of;  // by operand
};

struct drawn_operand {
  std::string name;
  layout of;
  shape seen_as;
  std::function<integer(integer)> element_of;
};

namespace drawing {

/// If color_of returns -1, the cell has no colour.
void recolor(view& v, subject const& drawn, color_scale& scale, auto const& color_of) {
  for (grid& g : v.grids)
    for (cell& c : g.cells) {
      if (c.kind != cell::held) continue;
      c.color = color_of(c.element);
      c.plain = c.color < 0;
      if (!c.plain) scale.add_value(c.color, coordinate_text(drawn, c.color));
    }
}

inline view result_view(subject const& made, drawn_result const& r,
                        std::vector<drawn_operand> const& operands,
                        std::vector<subject> const& subjects, color_scale& scale) {
  color_scale unused;
  view v = tensor_view(made, default_key(made.where), unused);
  v.heading = r.name;
  recolor(v, subjects.front(), scale, r.element_of.front());
  for (grid& g : v.grids)
    for (cell& c : g.cells)
      for (std::size_t k = 0; k < operands.size() && !c.hint.empty(); ++k)
        if (integer const from = r.element_of[k](c.element); from >= 0)
          c.hint += ", from " + operands[k].name + "(" + coordinate_text(subjects[k], from) + ")";
  return v;
}

inline void add_result_block(picture& p, subject const& made, drawn_result const& r,
                             subject const& first) {
  for (block_limit const limit : {block_limit{16, 256}, block_limit{8, 64}}) {
    std::optional<repeated_block> const found = find_block(made, limit);
    if (!found) continue;
    color_scale unused;
    view v = tensor_view(found->block, default_key(made.where), unused);
    v.heading = "the first block " + text_of(found->block.seen_as) + " of the result, repeated " +
                with_commas(found->times) + " times";
    recolor(v, first, p.scale, [&](integer in_block) {
      integer x = 0, below = 1;
      for (std::size_t d = made.extents.size(); d-- > 0; below *= made.extents[d]) {
        x += in_block % found->block.extents[d] * below;
        in_block /= found->block.extents[d];
      }
      return r.element_of.front()(x);
    });
    for (repetition const& one : found->outer)
      v.notes.push_back(sentence_of(one, made.extents.size()));
    p.blocks.push_back({{split_tall_grids(v)}, {}});
  }
}

inline picture operation_picture(std::string const& title,
                                 std::vector<drawn_operand> const& operands,
                                 std::vector<drawn_result> const& results) {
  if (operands.empty()) detail::stop_on(refusal{rule::picture_of_no_operand}, "draw_operation");
  picture p;
  std::vector<subject> made, subjects;
  for (drawn_result const& r : results) made.push_back(make_subject(r.of, r.seen_as));
  for (drawn_result const& r : results) {
    if (r.element_of.size() < operands.size())
      detail::stop_on(refusal{rule::picture_of_too_few_functions,
                              {static_cast<integer>(r.element_of.size()),
                               static_cast<integer>(operands.size())}},
                      "draw_operation");
    if (size(r.of) > most_cells)
      detail::stop_on(refusal{rule::picture_too_large, {size(r.of), most_cells}}, "draw_operation");
  }
  p.layout_text = results.empty() ? "" : text_of(results.front().of);
  p.summary = title + ": element by element";
  p.colors_are = "element of " + operands.front().name;
  for (drawn_operand const& o : operands) subjects.push_back(make_subject(o.of, o.seen_as));
  color_scale unused;
  for (std::size_t k = 0; k < operands.size(); ++k) {
    std::vector<integer> color(static_cast<std::size_t>(size(operands[k].of)), -1);
    for (std::size_t n = 0; k == 0 && n < results.size(); ++n)
      for (integer x = 0; x < size(results[n].of); ++x)
        if (integer const from = results[n].element_of[0](x); from >= 0)
          color.at(static_cast<std::size_t>(from)) = from;
    view v = tensor_view(subjects[k], default_key(operands[k].of), unused);
    v.heading = operands[k].name + " = " + text_of(operands[k].of);
    recolor(v, subjects.front(), p.scale,
            [&](integer x) { return color[static_cast<std::size_t>(x)]; });
    p.views.push_back(v);
  }
  for (std::size_t n = 0; n < results.size(); ++n) {
    p.views.push_back(result_view(made[n], results[n], operands, subjects, p.scale));
    if (results.size() == 1 && size(results[n].of) > block_threshold)
      add_result_block(p, made[n], results[n], subjects.front());
  }
  return p;
}

inline picture operation_picture(std::string const& title,
                                 std::vector<drawn_operand> const& operands, layout const& result,
                                 shape const& s) {
  drawn_result r{title, result, s, {}};
  for (drawn_operand const& o : operands) r.element_of.push_back(o.element_of);
  return operation_picture(title, operands, {r});
}

}  // namespace drawing

inline std::string draw_operation(std::string const& title,
                                  std::vector<drawn_operand> const& operands, layout const& result,
                                  shape const& s, draw_options const& options = {}) {
  return drawing::svg_picture(drawing::operation_picture(title, operands, result, s), options);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
