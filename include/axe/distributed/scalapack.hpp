// SPDX-License-Identifier: MIT
// ScaLAPACK's array descriptors: a matrix in blocks, distributed cyclically over a grid.
//
//     [1,0,64,64,8,8,0,0,32] on 2 x 4      S[(4,2,8,2,4,8):(8,1@y,1,256,1@x,32)]
//
// The grid is a mesh of two axes, process rows first (BLACS order 'Row').
// Definition: docs/distributed.md, "ScaLAPACK".
#pragma once

#include <axe/distributed/placement_cuts.hpp>
#include <axe/distributed/sharding_difference.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// DESC_ without DTYPE_ (always 1) and CTXT_ (the grid).
struct scalapack_descriptor {
  integer rows = 1;          // M_
  integer columns = 1;       // N_
  integer row_block = 1;     // MB_
  integer column_block = 1;  // NB_
  integer row_source = 0;    // RSRC_: process row of the first block
  integer column_source = 0;
  integer leading = 1;  // LLD_

  constexpr bool operator==(scalapack_descriptor const&) const = default;
};

/// Block i is on process `first` + digits(i).
struct process_digits {
  integer first = 0;
  detail::iter_list digits;  // on no axis; slowest first
  integer blocks = 1;        // in one cycle over the processes, with padding
  bool representable = true;

  AXE_FN constexpr process_digits(integer source, integer processes, integer all_blocks)
      : first(source), blocks(processes) {
    integer const blocks_to_end = processes - source;
    if (source < 0 || source >= processes) {
      representable = false;
    } else if (source == 0 || all_blocks <= blocks_to_end) {
      digits.push({processes, 1, axis::null});
    } else if (2 * blocks_to_end == processes ||
               (all_blocks <= 3 * blocks_to_end && all_blocks <= processes)) {
      // 4 processes, source 2: blocks go to 2 3 0 1, by the digits 2:-2 and 2:1.
      bool const three_runs = 2 * blocks_to_end != processes && all_blocks > 2 * blocks_to_end;
      if (three_runs) digits.push({2, blocks_to_end - source, axis::null});
      digits.push({2, -source, axis::null});
      digits.push({blocks_to_end, 1, axis::null});
      blocks = (three_runs ? 4 : 2) * blocks_to_end;
    } else {
      representable = false;
    }
  }
};

namespace detail {

/// Adds the digits of a dimension: cycles, processes, a block.
AXE_LAZY_FN constexpr void add_cyclic(layout& l, iter const& cycles, process_digits const& blocks,
                                      axis on, iter const& block) {
  auto const add = [&](iter const& i) {
    if (i.extent > 1) l.shards.push(i);
  };
  add(cycles);
  for (iter const& i : blocks.digits) add({i.extent, i.stride, on});
  add(block);
  if (blocks.first > 0) l.offsets.push({blocks.first, on});
}

}  // namespace detail

/// Rejects a source if no layout describes how blocks from there wrap around the grid.
AXE_LAZY_FN constexpr outcome<sharding> try_from_scalapack(scalapack_descriptor const& m,
                                                           mesh const& grid) {
  if (refusal const bad = check(grid)) return bad;
  if (grid.axes.size() != 2) return refusal{rule::scalapack_grid, {grid.axes.size()}};
  for (integer n : {m.rows, m.columns, m.row_block, m.column_block, m.leading})
    if (n < 1) return refusal{rule::scalapack_entry, {n}};
  mesh_axis const& down = grid.axes[0];
  mesh_axis const& across = grid.axes[1];
  process_digits const top(m.row_source, down.extent, detail::ceil_divide(m.rows, m.row_block));
  process_digits const left(m.column_source, across.extent,
                            detail::ceil_divide(m.columns, m.column_block));
  if (!top.representable || !left.representable)
    return refusal{rule::scalapack_source, {m.row_source, m.column_source}};
  integer rows = m.rows;
  integer columns = m.columns;
  integer rows_per_cycle = m.row_block;
  integer columns_per_cycle = m.column_block;
  integer block_stride = m.column_block;
  if (!detail::multiply(rows_per_cycle, top.blocks) || !detail::pad_to(rows, rows_per_cycle) ||
      !detail::multiply(columns_per_cycle, left.blocks) ||
      !detail::pad_to(columns, columns_per_cycle) || !detail::multiply(block_stride, m.leading))
    return refusal{rule::size_overflows};
  // The first block's process row has the longest local column.
  integer const whole_cycles = rows / rows_per_cycle - 1;
  integer const local = whole_cycles * m.row_block +
                        detail::smaller(m.row_block, m.rows - whole_cycles * rows_per_cycle);
  if (m.leading < local) return refusal{rule::scalapack_leading, {m.leading, local}};
  sharding s;
  s.devices = grid;
  detail::add_cyclic(s.places, {rows / rows_per_cycle, m.row_block, axis::m}, top, down.on,
                     {m.row_block, 1, axis::m});
  detail::add_cyclic(s.places, {columns / columns_per_cycle, block_stride, axis::m}, left,
                     across.on, {m.column_block, m.leading, axis::m});
  detail::order_offsets(s.places);
  s.extents = {rows, columns};
  if (rows != m.rows || columns != m.columns) s.real = {m.rows, m.columns};
  if (refusal const bad = check(s)) return bad;
  return s;
}

/// Rejects all but block-cyclic matrices in column-major memory.
AXE_LAZY_FN constexpr outcome<scalapack_descriptor> try_to_scalapack(sharding const& s,
                                                                     step_limit steps = {}) {
  outcome<detail::digits_of_dimensions> const found = detail::digits_by_dimension(s, steps, true);
  if (found.why) return found.why;
  if (s.summands != 0) return refusal{rule::other_sum};
  if (found.value.dimensions.size() != 2)
    return refusal{rule::scalapack_matrix, {found.value.dimensions.size()}};
  if (s.devices.axes.size() != 2) return refusal{rule::scalapack_grid, {s.devices.axes.size()}};
  scalapack_descriptor out{found.value.real[0], found.value.real[1]};
  out.row_source = s.places.offset(s.devices.axes[0].on);
  out.column_source = s.places.offset(s.devices.axes[1].on);
  out.leading = 0;
  integer row_stride = 0;
  for (int d = 0; d < 2; ++d) {
    integer& block = d == 0 ? out.row_block : out.column_block;
    integer after = 1;
    block = 0;
    detail::iter_list const& digits = found.value.dimensions[d];
    for (int k = digits.size() - 1; k >= 0; --k) {
      if (block == 0 && digits[k].on == s.devices.axes[d].on) block = after;
      after *= digits[k].extent;
      if (digits[k].on != axis::m || (d == 0 ? row_stride : out.leading) != 0) continue;
      (d == 0 ? row_stride : out.leading) = digits[k].stride;
    }
    if (block == 0) block = d == 0 ? out.rows : out.columns;  // one process holds all
  }
  if (row_stride > 1) return refusal{rule::scalapack_row_order, {row_stride}};
  if (out.leading == 0) out.leading = out.rows;
  if (refusal const bad = detail::same_form(s, try_from_scalapack(out, s.devices), steps))
    return bad;
  return out;
}

AXE_LAZY_FN constexpr bool read(reader& in, scalapack_descriptor& out) {
  integer numbers[9]{};
  bool const bracket = in.take('[');
  if (!bracket && !in.require('(', rule::expected_a_descriptor)) return false;
  for (int k = 0; k < 9; ++k)
    if ((k > 0 && !in.require(',', rule::expected_a_descriptor)) ||
        !in.read_integer(numbers[k], rule::expected_a_descriptor))
      return false;
  if (numbers[0] != 1) return in.fail(rule::expected_a_descriptor);
  out = {numbers[2], numbers[3], numbers[4], numbers[5], numbers[6], numbers[7], numbers[8]};
  return in.require(bracket ? ']' : ')', rule::expected_a_descriptor);
}

AXE_LAZY_FN constexpr outcome<sharding> try_from_scalapack(char const* text, mesh const& grid) {
  scalapack_descriptor read_form;
  refusal const bad =
      detail::read_whole(text, grid, [&](reader& in) { return read(in, read_form); });
  if (bad) return bad;
  return try_from_scalapack(read_form, grid);
}

template <class Form> AXE_FN constexpr sharding from_scalapack(Form const& form, mesh const& grid) {
  return detail::stop_on(try_from_scalapack(form, grid), "from_scalapack");
}

AXE_LAZY_FN constexpr scalapack_descriptor to_scalapack(sharding const& s, step_limit steps = {}) {
  return detail::stop_on(try_to_scalapack(s, steps), "to_scalapack",
                         {&s.places, nullptr, &s.extents});
}

AXE_FN constexpr void print(auto& out, scalapack_descriptor const& m) {
  out.put("[1,0");
  for (integer n :
       {m.rows, m.columns, m.row_block, m.column_block, m.row_source, m.column_source, m.leading}) {
    out.put(',');
    out.put(n);
  }
  out.put(']');
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
