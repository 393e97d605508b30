// SPDX-License-Identifier: MIT
// make_picture: the views of a layout and a summary.
#pragma once

#include <axe/draw/bank_view.hpp>
#include <axe/draw/hardware_view.hpp>
#include <axe/draw/repeated_block.hpp>
#include <axe/draw/split_grids.hpp>
#include <axe/draw/tensor_view.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline std::string summarize(subject const& drawn, integer replicas) {
  integer const elements = size(drawn.where);
  std::string out = "shape " + text_of(drawn.seen_as) + ", " + counted(elements, "element");
  if (replicas > 1) out += ", each at " + with_commas(replicas) + " places";
  char const* separator = "; ";
  for (axis a : axes_of(drawn.where)) {
    out += separator + name_of_axis(a) + " " + with_commas((min)(drawn.where, a));
    if (span(drawn.where, a) > 1) out += " to " + with_commas((max)(drawn.where, a));
    separator = ", ";
  }
  return out;
}

inline void add_blocks(picture& p, subject const& drawn, draw_options const& options) {
  for (block_limit const limit : {block_limit{16, 256}, block_limit{8, 128}, block_limit{8, 64}}) {
    std::optional<repeated_block> const found = find_block(drawn, limit);
    if (!found) continue;
    std::string const extents = text_of(found->block.seen_as);
    block_views block;
    if (options.view != draw_view::hardware) {
      view v = tensor_view(found->block, p.key, p.scale);
      v.heading =
          "the first block " + extents + ", repeated " + with_commas(found->times) + " times";
      for (repetition const& r : found->outer)
        v.notes.push_back(sentence_of(r, drawn.extents.size()));
      block.extents = {v.grids.front().rows, v.grids.front().columns};
      block.views.push_back(split_tall_grids(v));
    }
    if (options.view != draw_view::tensor) {
      view v = hardware_view(found->block, p.key, p.scale, options.row);
      v.heading = "the places of this block";
      block.views.push_back(split_tall_grids(v));
    }
    p.blocks.push_back(block);
  }
}

inline void add_bank_blocks(picture& p, subject const& drawn, int bits) {
  for (integer const rows : {16, 8, 4}) {
    std::optional<repeated_block> const found = find_block(drawn, {rows, rows * line_bits / bits});
    if (!found) continue;
    view v = bank_view(found->block, bits, p.scale);
    v.heading = "the banks of the first block " + text_of(found->block.seen_as) + ", repeated " +
                with_commas(found->times) + " times";
    for (repetition const& r : found->outer)
      v.notes.push_back(sentence_of(r, drawn.extents.size()));
    p.blocks.push_back({{v}, {}});
  }
}

inline constexpr integer block_threshold = 128;  // smaller layouts fit a page

inline picture make_picture(layout const& l, shape const& s, draw_options const& options) {
  check_size(options);
  if (options.view == draw_view::banks) check_banks(l, options.bits);
  subject const drawn = make_subject(l, s, options.cells);
  picture p;
  p.layout_text = text_of(l);
  p.key = options.color.on == axis::null ? default_key(l) : options.color;
  if (p.key.divide < 1 || p.key.modulo < 0)
    detail::stop_on(refusal{rule::picture_color, {p.key.divide, p.key.modulo}, {p.key.on}}, "draw");
  p.replicas = places(l, 0).size();
  p.summary = summarize(drawn, p.replicas);
  if (options.view == draw_view::banks) {
    p.colors_are = "columns";
    p.colors_note = ", 16 bytes each";
    p.views.push_back(bank_view(drawn, options.bits, p.scale));
    if (size(l) > block_threshold) add_bank_blocks(p, drawn, options.bits);
    return p;
  }
  if (options.view != draw_view::hardware) p.views.push_back(tensor_view(drawn, p.key, p.scale));
  if (options.view != draw_view::tensor)
    p.views.push_back(hardware_view(drawn, p.key, p.scale, options.row));
  if (size(l) > block_threshold) add_blocks(p, drawn, options);
  for (view& v : p.views) v = split_tall_grids(v);
  return p;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
