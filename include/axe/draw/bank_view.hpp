// SPDX-License-Identifier: MIT
// The bank view: shared memory in lines of 32 banks, with the elements of each 4-byte word.
#pragma once

#include <axe/draw/subject.hpp>
#include <axe/draw/window.hpp>

#include <algorithm>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

inline constexpr integer line_bits = 1024;
inline constexpr integer word_bits = 32;

struct word_elements {
  std::vector<integer> indices;
  bool several = false;
  bool replica = false;
};

inline word_elements elements_in(subject const& drawn, integer word, int bits) {
  word_elements found;
  integer const in_a_word = std::max<integer>(1, word_bits / bits);
  integer const words_of_element = std::max<integer>(1, bits / word_bits);
  integer const first = detail::floor_divide(word, words_of_element) * in_a_word;
  integer const last = first + in_a_word - 1;
  for (integer address = first; address <= last; ++address) {
    int here = 0;
    for (element const& e : elements(drawn.where, drawn.seen_as, term(address, axis::m))) {
      if (++here > 1) {
        found.several = true;
        break;
      }
      found.indices.push_back(e.index);
      found.replica = found.replica || e.where.first()[axis::m] != address;
    }
  }
  return found;
}

/// `3,10:12` for neighbours in a row, otherwise `3,10 +5` with the number of others.
inline std::vector<std::string> words_of(subject const& drawn,
                                         std::vector<integer> const& indices) {
  if (indices.empty()) return {};
  std::string const first = coordinate_text(drawn, indices.front());
  if (indices.size() == 1) return {first};
  integer const row = drawn.extents.empty() ? 1 : drawn.extents.back();
  bool consecutive = indices.front() / row == indices.back() / row;
  for (std::size_t k = 1; k < indices.size(); ++k)
    consecutive = consecutive && indices[k] == indices[0] + static_cast<integer>(k);
  if (consecutive) return {joined(first, ":", indices.back() % row + 1)};
  return {joined(first, " +", indices.size() - 1)};
}

inline void check_banks(layout const& l, int bits) {
  if (!detail::is_power_of_two(bits) || bits > 128)
    detail::stop_on(refusal{rule::element_width, {bits}}, "draw", {&l});
  if (axis const other = detail::axis_beside_memory(l); other != axis::null)
    detail::stop_on(refusal{rule::address_on_another_axis, {}, {other}}, "draw", {&l});
}

inline cell word_cell(subject const& drawn, integer word, int bits, color_scale& scale) {
  integer const columns = drawn.extents.empty() ? 1 : drawn.extents.back();
  integer const chunk = std::max<integer>(1, 128 / bits);
  word_elements const held = elements_in(drawn, word, bits);
  cell c;
  c.kind = held.indices.empty() ? cell::empty : cell::held;
  c.words = words_of(drawn, held.indices);
  c.several = held.several;
  c.replica = held.replica;
  if (c.kind == cell::held) {
    c.color = held.indices[0] % columns / chunk;
    integer const begin = c.color * chunk;
    scale.add_value(c.color, joined(begin, ":", std::min(begin + chunk, columns)));
  }
  return c;
}

inline view bank_view(subject const& drawn, int bits, color_scale& scale) {
  detail::interval reach{(min)(drawn.where, axis::m), (max)(drawn.where, axis::m)};
  integer const per_line = line_bits / bits;
  integer const first_line = detail::floor_divide(reach.least, per_line);
  window const all{1, detail::floor_divide(reach.largest, per_line) - first_line + 1, 32};
  window const w = cut(all, drawn.most_cells);
  view v;
  v.heading = joined("bank view: the elements of ", bits, bits == 1 ? " bit" : " bits",
                     " in each 4-byte word, 32 banks in a line of 128 bytes");
  v.rows_are = "line";
  v.columns_are = "bank";
  v.units.assign(1, "");
  grid g;
  g.rows = w.rows;
  g.columns = 32;
  for (integer bank = 0; bank < 32; ++bank) g.column_names.push_back(std::to_string(bank));
  for (integer r = 0; r < w.rows; ++r) {
    g.row_names.push_back(std::to_string(first_line + r));
    for (integer bank = 0; bank < 32; ++bank)
      g.cells.push_back(word_cell(drawn, (first_line + r) * 32 + bank, bits, scale));
  }
  v.grids.push_back(g);
  summarize_cells(v);
  if (std::string const rest = left_out(w, all, "lines"); !rest.empty()) v.notes.push_back(rest);
  return v;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
