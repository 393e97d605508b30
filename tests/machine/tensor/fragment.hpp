// Where the elements of an mma.sync operand live: register and lane to row and column (PTX ISA,
// "Matrix
// Fragments for mma.m16n8k16 with floating point type" and its sister sections: all of them follow
// one formula).
//
//     group = lane / 4, thread = lane % 4, v = elements in a register
//     A (row, k):  row = group + 8 * (register % 2),  k = 4 v * (register / 2) + v * thread + element
//     B (k, col):  col = group,                       k = 4 v * register       + v * thread + element
//     C (row, col), 32-bit and f64:  row = group + 8 * (register / 2),  col = 2 * thread + register % 2
//     C (row, col), packed f16:      row = group + 8 * register,        col = 2 * thread + element
//
//     m16n8k16.f16, lane 5, register a1: row = 1 + 8, k = 2 and 3
//
// Shapes with m = 8 have no second row half: register r of A is k block r. m8n8k4 of f16 is in
// volta.hpp.
#pragma once

namespace machine::tensor {

struct position {
  int row;
  int column;
  friend bool operator==(position const&, position const&) = default;
};

/// per_register counts the elements of a register: 1 for f64 in its 64-bit register.
constexpr position a_position(int m, int per_register, int index, int lane, int element) {
  int const halves = m / 8;
  int const k = 4 * per_register * (index / halves) + per_register * (lane % 4) + element;
  return {lane / 4 + 8 * (index % halves), k};
}

constexpr position b_position(int per_register, int index, int lane, int element) {
  return {4 * per_register * index + per_register * (lane % 4) + element, lane / 4};
}

/// An accumulator of one element a register: f32, s32, f64.
constexpr position c_position(int index, int lane) {
  return {lane / 4 + 8 * (index / 2), 2 * (lane % 4) + index % 2};
}

/// An accumulator of packed f16 pairs.
constexpr position c_position_packed(int index, int lane, int element) {
  return {lane / 4 + 8 * index, 2 * (lane % 4) + element};
}

}  // namespace machine::tensor
