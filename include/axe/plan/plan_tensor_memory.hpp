// SPDX-License-Identifier: MIT
// plan_tensor_memory(C, P, S, bits): the tcgen05.ld or .st instructions between a tile of tensor
// memory and the registers of a warpgroup.
//
//     C = S[(128,64):(1@TLane,1@TCol)], P = S[(4,32,64):(1@wid_in_wg,1@lane,1@reg)], 32 bits
//         .32x32b.x32 at lane 0, columns 0 and 32
//
// All four warps execute the same instructions. Source: PTX ISA, "Access Restrictions".
#pragma once

#include <axe/algebra/factor.hpp>
#include <axe/algebra/group.hpp>
#include <axe/algebra/rewrite.hpp>
#include <axe/atoms/tensor_memory.hpp>
#include <axe/plan/engine/digit_pairs.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Where an instruction starts: element in a thread's registers, lane of the warp, column of 32
/// bits.
struct tensor_memory_access {
  short element = 0, lane = 0, column = 0;

  constexpr bool operator==(tensor_memory_access const&) const = default;
};

struct tensor_memory_plan {
  tmem_shape access_shape = tmem_shape::lanes_32_bits_32;
  int repeat = 0;     // the N of .xN
  int registers = 0;  // 32-bit registers of a thread in one instruction
  list<tensor_memory_access, 128> accesses{};

  constexpr bool operator==(tensor_memory_plan const&) const = default;
};

namespace detail {

AXE_LAZY_FN constexpr bool only_on(layout const& l, axis a, axis b) {
  for (axis on : axes_of(l))
    if (on != a && on != b && on != axis::null) return false;
  return l.replicas.count == 0;
}

struct tensor_memory_planner : tensor_memory_plan {
  integer column_elements;

  /// Sets `accesses` to the accesses of warp 0. False if one does not fit, or if the warps differ.
  AXE_LAZY_FN constexpr bool find_accesses(layout const& tile_starts, layout const& register_starts,
                                           integer lanes, integer columns) {
    integer const count = product_of_extents(tile_starts.shards);
    int warps = 0;  // bit w: warp w has an access
    for (bool const compares : {false, true})
      for (integer x = 0; x < count; ++x) {
        integer const warp = place_on(register_starts, x, axis::wid_in_wg);
        integer const lane = place_on(tile_starts, x, axis::TLane);
        integer const column = place_on(tile_starts, x, axis::TCol);
        if (lane / 32 != warp || column % column_elements != 0 || column < 0) return false;
        if (lane < 0 || lane >= tensor_memory_lanes || lane % lanes != 0) return false;
        if (column / column_elements + columns > tensor_memory_columns) return false;
        tensor_memory_access const access{
            static_cast<short>(place_on(register_starts, x, axis::reg)),
            static_cast<short>(lane % 32), static_cast<short>(column / column_elements)};
        if (!compares) {
          warps |= 1 << warp;
          if (warp == 0 && !accesses.push(access)) return false;
          continue;
        }
        if (!accesses.contains(access)) return false;
      }
    return warps == 15;
  }

  AXE_LAZY_FN constexpr bool plan_repetitions(valid_layout tile, valid_layout fragment,
                                              extent_list const& extents) {
    using enum axis;
    integer const lanes = access_shape == tmem_shape::lanes_32_bits_32 ? 32 : 16;
    integer const atom_columns = columns_of(access_shape) * repeat;
    integer const row_elements = atom_columns * column_elements;
    if (extents[0] % lanes != 0 || extents[1] % row_elements != 0) return false;
    shape const atom{lanes, row_elements};
    layout const lanes_and_columns = prescribed({{lanes, 1, TLane}, {row_elements, 1, TCol}});
    auto const starts = [&](valid_layout of, layout const& one) {
      return factor_of(of, shape_with(extents), valid_layout::proved(one), atom, side::outer,
                       composed_by::sum, {});
    };
    outcome<layout> const tile_starts = starts(tile, lanes_and_columns);
    if (!tile_starts || !only_on(*tile_starts, TLane, TCol)) return false;
    outcome<layout> const register_starts =
        starts(fragment, column_elements == 1
                             ? tensor_memory_fragment(access_shape, repeat)
                             : prescribed({{32, 1, lane}, {repeat * column_elements, 1, reg}}));
    return register_starts && only_on(*register_starts, wid_in_wg, reg) &&
           find_accesses(*tile_starts, *register_starts, lanes, atom_columns);
  }
};

}  // namespace detail

/// `tile` maps s = (rows, columns) to TLane and TCol, in elements of 8, 16 or 32 bits. `fragment`
/// maps s to reg, and to tid_in_wg or to lane and wid_in_wg. Tries .32x32b and the most
/// registers first, at most 32.
AXE_LAZY_FN constexpr outcome<tensor_memory_plan> try_plan_tensor_memory(layout const& tile,
                                                                         layout const& fragment,
                                                                         shape const& s,
                                                                         integer bits) {
  using namespace detail;
  if (refusal const bad = check_operand_width(bits)) return bad;
  valid_layout of_tile, of_fragment;
  if (refusal const bad = of_tile.admit(tile)) return bad;
  if (refusal const bad = of_fragment.admit(fragment)) return of_operand(1, bad);
  extent_list extents;
  if (refusal const bad = matrix_extents(s, extents)) return bad;
  outcome<layout> const parts = split_threads(fragment);
  if (parts.why) return of_operand(1, parts.why);
  using enum tmem_shape;
  constexpr tmem_shape all[] = {lanes_32_bits_32, lanes_16_bits_256, lanes_16_bits_128,
                                lanes_16_bits_64};
  for (tmem_shape const access_shape : all) {
    if (bits != 32 && access_shape != lanes_32_bits_32) break;
    int const least = access_shape == lanes_16_bits_256   ? 4
                      : access_shape == lanes_16_bits_128 ? 2
                                                          : 1;
    for (int registers = 32; registers >= least; registers /= 2) {
      tensor_memory_planner plan{{access_shape, registers / least, registers}, 32 / bits};
      if (plan.plan_repetitions(of_tile, parts, extents)) return plan;
    }
  }
  return refusal{rule::tmem_fragment};
}

AXE_LAZY_FN constexpr tensor_memory_plan plan_tensor_memory(layout const& tile,
                                                            layout const& fragment, shape const& s,
                                                            integer bits) {
  return detail::stop_on(try_plan_tensor_memory(tile, fragment, s, bits), "plan_tensor_memory",
                         {&tile, &fragment, &s});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
