// SPDX-License-Identifier: MIT
// Chooses the axes for the rows, columns and grids of the hardware view.
//
//     lane, warp, reg        columns 32 lanes, rows registers, one grid for each warp
#pragma once

#include <axe/draw/subject.hpp>

#include <algorithm>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

/// The positions on an axis that the hardware has or the layout reaches.
struct axis_range {
  axis on = axis::null;
  integer least = 0, most = 0;

  integer count() const {
    integer n = most;
    return detail::add(n, -least) && detail::add(n, 1) ? n : detail::largest;
  }
};

struct hardware_plan {
  axis_range rows, columns;       // axis::null: one row, one column
  integer line = 0;               // positions per line; 0: one line
  std::vector<axis_range> grids;  // coarsest first
  std::size_t owner_count = 0;    // thread and device axes, the first of `grids`
};

// A thread with more positions is drawn as a buffer, not as registers.
inline constexpr integer most_drawn_registers = 256;
inline constexpr integer usual_line = 32;
inline constexpr integer longest_line = 512;

inline axis_range range_of(layout const& l, axis a) {
  axis_range r{a, (min)(l, a), (max)(l, a)};
  if (integer const there = places_in_scope(a); there > 0) {
    r.least = std::min<integer>(r.least, 0);
    r.most = std::max(r.most, there - 1);
  }
  return r;
}

inline int coarseness(axis a) {
  switch (unit_of(a)) {
    case scope::thread: return a == axis::lane ? 0 : 1;
    case scope::warp: return 2;
    case scope::warpgroup: return 3;
    case scope::cta: return a <= axis::cta_z ? 5 : 4;
    default: return kind_of(a) == kind::thread ? 1 : 6;
  }
}

inline int preference(axis a, std::initializer_list<axis> order) {
  auto const found = std::find(order.begin(), order.end(), a);
  return static_cast<int>(found - order.begin());
}

inline axis_range take_preferred(std::vector<axis_range>& from, std::initializer_list<axis> order) {
  auto const best =
      std::min_element(from.begin(), from.end(), [&](axis_range const& a, axis_range const& b) {
        return preference(a.on, order) < preference(b.on, order);
      });
  axis_range const taken = *best;
  from.erase(best);
  return taken;
}

inline integer chosen_line(layout const& l, axis_range const& a) {
  integer line = 0;
  for (iter const& i : l.shards) {
    integer const stride = detail::magnitude(i.stride);
    if (i.on == a.on && i.extent > 1 && stride >= 8 && stride <= longest_line &&
        (line == 0 || stride < line))
      line = stride;
  }
  if (line == 0) line = std::min(a.count(), usual_line);
  while (a.count() / line > 4 * line && 2 * line <= longest_line) line *= 2;
  return line;
}

inline void wrap_into_lines(hardware_plan& plan, layout const& l, axis_range const& memory,
                            integer line) {
  plan.columns = memory;
  plan.line = line > 0 ? line : chosen_line(l, memory);
}

inline void place_memories(hardware_plan& plan, std::vector<axis_range>& memories) {
  plan.columns = take_preferred(memories, {axis::TCol, axis::F, axis::m, axis::reg});
  plan.rows = take_preferred(memories, {axis::TLane, axis::P, axis::Bank});
  for (axis_range const& rest : memories) plan.grids.push_back(rest);
}

struct drawn_axes {
  std::vector<axis_range> owners, memories;

  explicit drawn_axes(layout const& l) {
    for (axis a : axes_of(l)) {
      axis_range const here = range_of(l, a);
      if (kind_of(a) == kind::memory) {
        memories.push_back(here);
        continue;
      }
      auto const finer = std::find_if(owners.begin(), owners.end(), [&](axis_range const& o) {
        return coarseness(o.on) < coarseness(a);
      });
      owners.insert(finer, here);
    }
  }

  axis_range take_finest_owner() {
    axis_range const finest = owners.back();
    owners.pop_back();
    return finest;
  }
};

inline hardware_plan plan_hardware(layout const& l, integer line) {
  drawn_axes axes(l);
  std::vector<axis_range>&owners = axes.owners, &memories = axes.memories;
  hardware_plan plan;
  bool const threads = !owners.empty() && coarseness(owners.back().on) < 6;
  if (memories.size() >= 2) {
    place_memories(plan, memories);
  } else if (memories.size() == 1 &&
             (owners.empty() ||
              memories[0].count() > (threads ? most_drawn_registers : usual_line))) {
    wrap_into_lines(plan, l, memories[0], line);
  } else if (!owners.empty()) {
    plan.columns = axes.take_finest_owner();
    if (!memories.empty()) {
      plan.rows = memories[0];
      if (!threads && plan.rows.count() > plan.columns.count()) std::swap(plan.rows, plan.columns);
    } else if (!owners.empty()) {
      plan.rows = axes.take_finest_owner();
    }
    if (plan.columns.count() > 2 * usual_line && plan.rows.on == axis::null)
      wrap_into_lines(plan, l, plan.columns, line > 0 ? line : usual_line);
  }
  plan.owner_count = owners.size();
  plan.grids.insert(plan.grids.begin(), owners.begin(), owners.end());
  return plan;
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
