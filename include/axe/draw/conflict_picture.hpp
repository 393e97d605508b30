// SPDX-License-Identifier: MIT
// The banks that the lanes of a phase use, with colliding lanes marked.
//
//     S[(64,64):(64,1)], ldmatrix_rows<16>       lanes 0 to 7 collide in bank 0
//
// Draws the first instruction with the most wavefronts in a phase, and first replicas only. A row
// is 128 bytes, a column one bank or the banks of one vector.
#pragma once

#include <axe/draw/svg_picture.hpp>

#include <axe/analysis/conflicts.hpp>

#include <map>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct bank_phase {
  std::map<std::pair<integer, integer>, std::vector<integer>> lanes;  // by line and column
  std::map<integer, integer> lines;                                   // by column
  std::map<integer, std::string> elements;                            // by lane: its first element

  integer wavefronts() const {
    integer most = 0;
    for (auto const& [column, count] : lines) most = std::max(most, count);
    return most;
  }
};

struct bank_phases {
  std::vector<bank_phase> phases;
  integer columns = 32;
  integer banks_in_column = 1;
};

inline bank_phases phases_of(subject const& drawn, access_pattern const& a, integer number) {
  detail::access_counts n;
  detail::check_access(a, size(drawn.where), n);
  integer const elements_in_column = detail::elements_per_unit(a.values, a.bits);
  integer const together = detail::phase_lanes(n.vector_bits);
  integer const sweep = number / n.instructions_per_sweep;
  integer const first = sweep * n.sweep + number % n.instructions_per_sweep * a.lanes;
  integer const last = std::min(first + a.lanes, (sweep + 1) * n.sweep);
  bank_phases out;
  out.columns = 1024 / a.bits / elements_in_column;
  out.banks_in_column = 32 / out.columns;
  for (integer vector = first; vector < last; ++vector) {
    integer const lane = vector - first;
    if (lane % together == 0) out.phases.emplace_back();
    bank_phase& phase = out.phases.back();
    integer const x = places(a.elements, vector * a.values).first()[axis::m];
    integer const address = places(drawn.where, x).first()[axis::m];
    integer const word = detail::floor_divide(address, elements_in_column);
    integer const line = detail::floor_divide(word, out.columns);
    std::vector<integer>& lanes = phase.lanes[{line, word - line * out.columns}];
    if (lanes.empty()) ++phase.lines[word - line * out.columns];
    lanes.push_back(lane);
    phase.elements[lane] = coordinate_text(drawn, x);
  }
  return out;
}

inline grid phase_grid(bank_phases const& all, std::size_t number) {
  bank_phase const& phase = all.phases[number];
  std::vector<integer> lines;
  for (auto const& [at, lanes] : phase.lanes)
    if (lines.empty() || lines.back() != at.first) lines.push_back(at.first);
  grid g;
  integer const waves = phase.wavefronts();
  g.title = joined("phase ", static_cast<integer>(number), ": ", waves,
                   waves == 1 ? " wavefront" : " wavefronts");
  g.rows = static_cast<integer>(lines.size());
  g.columns = all.columns;
  for (integer c = 0; c < g.columns; ++c)
    g.column_names.push_back(std::to_string(c * all.banks_in_column));
  for (integer const line : lines) {
    g.row_names.push_back(std::to_string(line));
    for (integer c = 0; c < g.columns; ++c) {
      cell here;
      here.kind = cell::empty;
      if (auto const found = phase.lanes.find({line, c}); found != phase.lanes.end()) {
        here.kind = cell::held;
        here.marked = phase.lines.at(c) > 1;
        here.words = {positions_text(found->second, false)};
        for (integer lane : found->second)
          here.hint += joined(here.hint.empty() ? "" : "; ", "lane ", lane, ": element (",
                              phase.elements.at(lane), ")");
        here.hint += joined(", line ", line, ", bank ", c * all.banks_in_column);
      }
      g.cells.push_back(here);
    }
  }
  return g;
}

inline integer first_line(bank_phase const& p) { return p.lanes.begin()->first.first; }

/// The first earlier phase with the same banks in the same lines, counted from the phase's first
/// line, or -1.
inline integer earlier_equal_phase(bank_phases const& all, std::size_t number) {
  auto const banks = [](bank_phase const& p) {
    integer const line = first_line(p);
    std::vector<std::pair<integer, integer>> out;
    for (auto const& [at, lanes] : p.lanes) out.push_back({at.first - line, at.second});
    return out;
  };
  for (std::size_t k = 0; k < number; ++k)
    if (banks(all.phases[k]) == banks(all.phases[number])) return static_cast<integer>(k);
  return -1;
}

inline view phase_view(bank_phases const& found, integer instruction) {
  view v;
  v.heading = joined("the banks of instruction ", instruction,
                     ", the first with the most wavefronts in a phase");
  v.rows_are = "line";
  v.columns_are = "bank";
  v.units.emplace_back();
  struct repeated {
    std::size_t grid;
    integer times = 1, in_other_lines = 0;
  };
  std::map<std::size_t, repeated> shown;  // by the first of equal phases
  for (std::size_t k = 0; k < found.phases.size(); ++k) {
    if (integer const earlier = earlier_equal_phase(found, k); earlier >= 0) {
      repeated& r = shown.at(static_cast<std::size_t>(earlier));
      ++r.times;
      r.in_other_lines += first_line(found.phases[k]) !=
                          first_line(found.phases[static_cast<std::size_t>(earlier)]);
      continue;
    }
    shown[k] = {v.grids.size()};
    v.grids.push_back(phase_grid(found, k));
  }
  for (auto const& [phase, r] : shown)
    if (r.times > 1) {
      v.grids[r.grid].title += joined(", repeated ", r.times, " times");
      if (r.in_other_lines > 0)
        v.grids[r.grid].title += joined(", ", r.in_other_lines, " of them in other lines");
    }
  return v;
}

inline picture conflict_picture(layout const& l, shape const& s, access_pattern const& a,
                                shared_traffic const& traffic) {
  subject const drawn = make_subject(l, s);
  bank_phases const found = phases_of(drawn, a, traffic.instruction);
  picture p;
  p.layout_text = text_of(l);
  p.summary =
      joined("access of ", counted(a.values, "element"), " of ", counted(a.bits, "bit"),
             " per lane: conflicts ", traffic.conflicts, "; ",
             counted(traffic.wavefronts, "wavefront"), " in ", counted(traffic.phases, "phase"));
  p.colors_are = "lanes";
  p.scale.add_value(0, "that access a bank");
  p.legend = {{"x", "a conflict: lanes access different words of this bank in the same phase"},
              {"e", "not accessed"}};
  p.views.push_back(phase_view(found, traffic.instruction));
  return p;
}

}  // namespace drawing

template <any_access Access>
std::string draw_conflicts(layout const& l, shape const& s, Access const& asked,
                           draw_options const& options = {}) {
  shared_traffic const traffic = shared_memory(l, s, asked);
  outcome<access_pattern> const a = detail::access_of(l, s, asked);
  return drawing::svg_picture(drawing::conflict_picture(l, s, *a, traffic), options);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
