// Which axis runs along the rows, the columns and the grids of the hardware view.
//
//     lane, warp, reg        columns 32 lanes, rows registers, a grid for each warp
//     gpuid, m (4,032)       a grid for each device, its memory in lines of consecutive addresses
//     TLane, TCol            rows TLane, columns TCol
//     P, Bank, F             rows P, columns F, a grid for each bank
//     m                      lines of consecutive addresses
#pragma once

#include "picture.hpp"

namespace draw {

/// The positions of an axis that are looked at: those that the layout reaches, or all that the
/// hardware has.
struct axis_range {
  axis on = axis::null;
  integer least = 0, most = 0;

  /// Capped at 64 bits: a range widened to what the hardware has may be longer than any span.
  integer count() const {
    integer n = most;
    return axe::detail::add(n, -least) && axe::detail::add(n, 1) ? n : axe::detail::largest;
  }
};

struct hardware_plan {
  axis_range rows, columns;  // axis::null: a single row, a single column
  integer line = 0;          // not 0: the axis of `columns` is folded, so many positions in a line
  std::vector<axis_range> grids;  // coarse first
  std::size_t owners = 0;         // how many of `grids`, from the front, are threads or devices
};

hardware_plan plan_hardware(axe::layout const& l, integer row);

}  // namespace draw
