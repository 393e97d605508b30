// SPDX-License-Identifier: MIT
// Decides whether O + sum of b_j * w_j on one axis is an XOR for all bits b_j.
//
//     O = 5, w = (1, 4)     5, 6, 9, 10 = 5 ^ {0, 3} ^ {0, 12}      linear over F2, despite carries
//     O = 0, w = (1, 1)      0, 1, 1, 2  and 0 ^ 1 ^ 1 != 2          rejected
//
// The test runs from the lowest bit up and halves O and all steps. Two odd steps are not an XOR. A
// single odd w_j becomes (w_j + 1) / 2 if O is odd (b_j is the carry), else (w_j - 1) / 2.
// Definition: docs/algebra.md, D18.
#pragma once

#include <axe/base/axis.hpp>
#include <axe/linear/bit_matrix.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A place on one axis: origin, plus step[j] for each j whose input bit input[j] is 1.
struct bit_steps {
  integer step[64]{};
  int input[64]{};
  int count = 0;
  integer origin = 0;
  // Set by find_xors: the place is `start`, XORed with changes[j] for each such j.
  bit_word changes[64]{};
  bit_word start = 0;

  AXE_FN constexpr void add(integer w, int input_bit) {
    if (w == 0) return;
    step[count] = w;
    input[count++] = input_bit;
  }
};

/// Sets `start` and `changes`, or rejects a sum that is not an XOR. `a` is the axis that the
/// refusal names. Precondition: all places are from 0 to 2^62 - 1. Cost: O(62 * count).
AXE_FN constexpr refusal find_xors(bit_steps& steps, axis a) {
  integer rest[64]{};
  for (int j = 0; j < steps.count; ++j) rest[j] = steps.step[j];
  integer origin = steps.origin;
  for (int position = 0; position < 63; ++position) {
    int odd = -1;
    bool all_zero = origin == 0;
    for (int j = 0; j < steps.count; ++j) {
      all_zero = all_zero && rest[j] == 0;
      if ((rest[j] & 1) == 0) continue;
      if (odd >= 0) {
        integer const from = steps.origin;
        integer const one = steps.step[odd];
        integer const two = steps.step[j];
        return {
            rule::linear_carry, {one, two, from, from + one, from + two, from + one + two}, {a}};
      }
      odd = j;
    }
    if (all_zero) break;
    if ((origin & 1) != 0) steps.start |= bit(position);
    for (int j = 0; j < steps.count; ++j)
      rest[j] = (rest[j] >> 1) + (j == odd && (origin & 1) != 0 ? 1 : 0);
    if (odd >= 0) steps.changes[odd] |= bit(position);
    origin >>= 1;
  }
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
