// SPDX-License-Identifier: MIT
// Decides whether adding steps w_j to an offset O on one axis equals XORing constants to O.
//
//     O = 5, w = (1, 4)     5 + {0, 1} + {0, 4} = {5, 6, 9, 10} = 5 ^ {0, 3} ^ {0, 12}
//
// The loop decides one bit at a time, the lowest first. It rejects two odd w_j, then halves O and
// all w_j. A single odd w_j becomes (w_j + 1) / 2 if O is odd (it carries), else (w_j - 1) / 2.
#pragma once

#include <axe/base/axis.hpp>
#include <axe/linear/engine/bit_matrix.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A place on one axis: `origin` plus step[j] for each input bit input[j] that is 1.
struct bit_steps {
  integer step[64]{};
  int input[64]{};
  int count = 0;
  integer origin = 0;
  // Set by find_xors: the place is `start` XOR the changes[j] of these bits.
  bit_word changes[64]{};
  bit_word start = 0;

  AXE_FN constexpr void add(integer w, int input_bit) {
    if (w == 0) return;
    step[count] = w;
    input[count++] = input_bit;
  }
};

/// Rejects a sum on axis a that is not an XOR. Precondition: no place is negative.
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
