// Tensor memory of Blackwell, 128 lanes by 512 columns of 32 bits: what tcgen05.ld and tcgen05.st
// move, and where tcgen05.mma puts the accumulator.
//
//     tensor_memory_fragment(tmem_shape::lanes_16_bits_256, 4)   (16,32)    S[(2,8,4,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]
//     tensor_memory_atom<tmem_shape::lanes_32_bits_32, 8>        ::fragment, ::fragment_shape
//     accumulator_in_tensor_memory(data_path::E, 64)             (64,64)    S[(64,2,32):(1@TLane,64@TLane,1@TCol)]
//
// ld and st, .x repeat, registers of 32 bits; one warp reaches the lanes 32 * (warp mod 4) to + 31,
// those of
// 16 lanes the first 16 of these or the last:
//     32x32b    (32,x)     S[(32,x):(1@lane,1@reg)]                                       x to 128
//     16x64b    (16,2x)    S[(2,8,x,2):(1@lane,4@lane,1@reg,2@lane)]                       x to 128
//     16x128b   (16,4x)    S[(2,8,x,4):(1@reg,4@lane,2@reg,1@lane)]                        x to 64
//     16x256b   (16,8x)    S[(2,8,x,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]                x to 32
//     16x32bx2  (16,2,x)   S[(16,2,x):(1@lane,16@lane,1@reg)], the second half at column + immHalfSplitoff
// Data paths, rows of D by columns, letters of PTX:
//     A (M = 256, cta_group 2, each CTA), D (M = 128)                  (128,N)   S[(128,N):(1@TLane,1@TCol)]
//     B (M = 128, cta_group 2, each CTA), E (M = 64, .ws)              (64,N)    S[(64,2,N/2):(1@TLane,64@TLane,1@TCol)]
//     C (M = 128, cta_group 2, sparse, each CTA), F (M = 64)           (64,N)    S[(4,16,N):(32@TLane,1@TLane,1@TCol)], or all 16 lanes further
//     G (M = 32, .ws)                                                 (32,N)    S[(32,4,N/4):(1@TLane,32@TLane,1@TCol)]
// Scale factors are copied to the four quarters: (32,n)  S[(32,n):(1@TLane,1@TCol)] +
// R[4:32@TLane].
// Refused: repeats that are no power of two or too many; columns that do not divide or do not fit
// in 512.
// Source: PTX ISA, "Data Movement Shape", figures of "Matrix fragments for shape .16x64b" and its
// neighbours; "Data Path Layout Organization".
// Definition: docs/algebra.md, D23.
#pragma once

#include <axe/atoms/prescribed.hpp>
#include <axe/layout/shape.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

/// Lanes of tensor memory by bits of each, as .32x32b names them.
enum class tmem_shape : unsigned char {
  lanes_32_bits_32,
  lanes_16_bits_64,
  lanes_16_bits_128,
  lanes_16_bits_256,
  lanes_16_bits_32_twice
};

/// How the rows of an accumulator lie on the lanes: the layouts A to G of PTX.
enum class data_path : unsigned char { A, B, C, D, E, F, G };

/// The columns of tensor memory, and its lanes.
inline constexpr integer tensor_memory_columns = 512;
inline constexpr integer tensor_memory_lanes = 128;

namespace detail {

/// 32-bit columns of tensor memory and registers of a lane that one repeat moves; the most repeats,
/// columns first.
struct tmem_widths {
  integer columns, most;
};
AXE_PLANNER constexpr tmem_widths widths_of(tmem_shape s) {
  switch (s) {
    case tmem_shape::lanes_16_bits_64:
    case tmem_shape::lanes_16_bits_32_twice: return {2, 128};
    case tmem_shape::lanes_16_bits_128: return {4, 64};
    case tmem_shape::lanes_16_bits_256: return {8, 32};
    default: return {1, 128};
  }
}

AXE_PLANNER constexpr shape shape_of(tmem_shape s, integer repeat) {
  switch (s) {
    case tmem_shape::lanes_32_bits_32: return {32, repeat};
    case tmem_shape::lanes_16_bits_32_twice: return {16, 2, repeat};
    default: return {16, widths_of(s).columns * repeat};
  }
}

/// How many parts an accumulator's columns lie in, on lanes of their own each.
AXE_PLANNER constexpr integer parts_of(data_path path) {
  switch (path) {
    case data_path::B:
    case data_path::E: return 2;
    case data_path::G: return 4;
    default: return 1;
  }
}

}  // namespace detail

/// Lane and register of a warp for each (lane, column) that tcgen05.ld or .st of this shape moves,
/// both counted from the first.
AXE_PLANNER constexpr outcome<layout> try_tensor_memory_fragment(tmem_shape s, integer repeat) {
  integer const most = detail::widths_of(s).most;
  if (repeat < 1 || repeat > most || (repeat & (repeat - 1)) != 0)
    return refusal{rule::tmem_repeat, {repeat, most}};
  switch (s) {
    case tmem_shape::lanes_16_bits_64:
      return detail::prescribed(
          {{2, 1, axis::lane}, {8, 4, axis::lane}, {repeat, 1, axis::reg}, {2, 2, axis::lane}});
    case tmem_shape::lanes_16_bits_128:
      return detail::prescribed(
          {{2, 1, axis::reg}, {8, 4, axis::lane}, {repeat, 2, axis::reg}, {4, 1, axis::lane}});
    case tmem_shape::lanes_16_bits_256:
      return detail::prescribed({{2, 2, axis::reg},
                                 {8, 4, axis::lane},
                                 {repeat, 4, axis::reg},
                                 {4, 1, axis::lane},
                                 {2, 1, axis::reg}});
    case tmem_shape::lanes_16_bits_32_twice:
      return detail::prescribed({{16, 1, axis::lane}, {2, 16, axis::lane}, {repeat, 1, axis::reg}});
    default: return detail::prescribed({{32, 1, axis::lane}, {repeat, 1, axis::reg}});
  }
}

AXE_PLANNER constexpr layout tensor_memory_fragment(tmem_shape s, integer repeat) {
  outcome<layout> const result = try_tensor_memory_fragment(s, repeat);
  if (!result) detail::stop_on(result.why, "tensor_memory_fragment", {});
  return *result;
}

/// tcgen05.ld and tcgen05.st of one shape, .x{Repeat}.
template <tmem_shape Shape, int Repeat> struct tensor_memory_atom {
  static constexpr layout fragment = tensor_memory_fragment(Shape, Repeat);
  static constexpr shape fragment_shape = detail::shape_of(Shape, Repeat);
};

/// Where tcgen05.mma puts the accumulator of `columns` 32-bit columns: shape (128, columns), (64,
/// columns) or (32, columns).
AXE_PLANNER constexpr outcome<layout> try_accumulator_in_tensor_memory(data_path path,
                                                                       integer columns) {
  integer const across = detail::parts_of(path);
  if (columns < 1 || columns % across != 0 || columns / across > tensor_memory_columns)
    return refusal{rule::tmem_columns, {columns, across}};
  integer const rows = tensor_memory_lanes / across;
  switch (path) {
    case data_path::A:
    case data_path::D:
      return detail::prescribed({{rows, 1, axis::TLane}, {columns, 1, axis::TCol}});
    case data_path::C:
    case data_path::F:
      return detail::prescribed(
          {{4, 32, axis::TLane}, {16, 1, axis::TLane}, {columns, 1, axis::TCol}});
    default:
      return detail::prescribed(
          {{rows, 1, axis::TLane}, {across, rows, axis::TLane}, {columns / across, 1, axis::TCol}});
  }
}

AXE_PLANNER constexpr layout accumulator_in_tensor_memory(data_path path, integer columns) {
  outcome<layout> const result = try_accumulator_in_tensor_memory(path, columns);
  if (!result) detail::stop_on(result.why, "accumulator_in_tensor_memory", {});
  return *result;
}

/// Scale factors, (32, columns): every quarter of the lanes has them all.
AXE_PLANNER constexpr outcome<layout> try_scale_factors_in_tensor_memory(integer columns) {
  if (columns < 1 || columns > tensor_memory_columns)
    return refusal{rule::tmem_columns, {columns, 1}};
  layout l = detail::prescribed({{32, 1, axis::TLane}, {columns, 1, axis::TCol}});
  l.replicas.push({4, 32, axis::TLane});
  return l;
}

AXE_PLANNER constexpr layout scale_factors_in_tensor_memory(integer columns) {
  outcome<layout> const result = try_scale_factors_in_tensor_memory(columns);
  if (!result) detail::stop_on(result.why, "scale_factors_in_tensor_memory", {});
  return *result;
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
