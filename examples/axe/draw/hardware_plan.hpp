// The axes along the rows, columns and grids of the hardware view.
//
//     lane, warp, reg        columns 32 lanes, rows registers, one grid for each warp
//     gpuid, m (4,032)       one grid for each device, its memory in lines of addresses
//     TLane, TCol            rows TLane, columns TCol
//     P, Bank, F             rows P, columns F, one grid for each bank
//     m                      lines of addresses
#pragma once

#include "picture.hpp"

namespace draw {

/// The positions of an axis that are drawn: those that the layout reaches, or all of the hardware.
struct axis_range {
  axis on = axis::null;
  integer least = 0, most = 0;

  /// Saturates at 64 bits: the range of the hardware may exceed every span.
  integer count() const {
    integer n = most;
    return axe::detail::add(n, -least) && axe::detail::add(n, 1) ? n : axe::detail::largest;
  }
};

struct hardware_plan {
  axis_range rows, columns;       // axis::null: a single row, a single column
  integer line = 0;               // positions in a line, if the axis of `columns` is folded
  std::vector<axis_range> grids;  // coarse first
  std::size_t owners = 0;         // the first of `grids`: threads or devices
};

hardware_plan plan_hardware(axe::layout const& l, integer row);

}  // namespace draw
