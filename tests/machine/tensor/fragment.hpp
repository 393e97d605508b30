// Fragments of mma.sync: row and column of each register and lane (PTX ISA, "Matrix Fragments for
// mma.m16n8k16 with floating point type" and similar sections). With group = lane / 4, thread =
// lane % 4 and v elements in a register:
//
//     A (row, k)    row = group + 8 (register % 2),  k = 4 v (register / 2) + v thread + element
//     B (k, col)    col = group,                     k = 4 v register + v thread + element
//     C (row, col)  row = group + 8 (register / 2),  col = 2 thread + register % 2
//     C of f16x2    row = group + 8 register,        col = 2 thread + element
#pragma once

namespace machine::tensor {

struct position {
  int row;
  int column;
  friend bool operator==(position const&, position const&) = default;
};

/// Returns the position of an element of A. With m = 8, register r is k block r. per_register is
/// the number of elements in a register: 1 for f64, which has 64-bit registers. volta.hpp has
/// m8n8k4 of f16.
constexpr position a_position(int m, int per_register, int index, int lane, int element) {
  int const halves = m / 8;
  int const k = 4 * per_register * (index / halves) + per_register * (lane % 4) + element;
  return {lane / 4 + 8 * (index % halves), k};
}

constexpr position b_position(int per_register, int index, int lane, int element) {
  return {4 * per_register * index + per_register * (lane % 4) + element, lane / 4};
}

/// Returns the position of an accumulator with one element in a register: f32, s32, f64.
constexpr position c_position(int index, int lane) {
  return {lane / 4 + 8 * (index / 2), 2 * (lane % 4) + index % 2};
}

}  // namespace machine::tensor
