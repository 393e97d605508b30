// SPDX-License-Identifier: MIT
// Decides whether sums of steps on one axis are XORs: O + sum of b_j * w_j for all bits b_j.
//
//     O = 5, w = (1, 4)     5, 6, 9, 10 = 5 ^ {0, 3} ^ {0, 12}      linear over F2, despite carries
//     O = 0, w = (1, 1)      0, 1, 1, 2  and 0 ^ 1 ^ 1 != 2          rejected
//
// The test runs from the lowest bit up. If two steps are odd, the sum is not an XOR. If one step
// w_j is odd, w_j becomes (w_j + 1) / 2 for an odd O (the carry is b_j), otherwise (w_j - 1) / 2.
// Definition: docs/algebra.md, D18.
#pragma once

#include <axe/base/axis.hpp>
#include <axe/linear/bit_matrix.hpp>
#include <axe/sentence/stop.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// Steps along one axis. Bit j of the element says whether step j is added.
struct bit_steps {
  integer step[64]{};
  int input[64]{};  // the input bit of each step
  int count = 0;
  integer origin = 0;

  AXE_FN constexpr void add(integer w, int input_bit) {
    if (w == 0) return;
    step[count] = w;
    input[count++] = input_bit;
  }
};

/// The bits that each step changes. Precondition: places are not negative and fit in 62 bits.
struct carried {
  bit_word changes[64]{};
  bit_word start = 0;
};

AXE_FN constexpr refusal carry_free(bit_steps const& steps, axis a, carried& out) {
  integer rest[64]{};
  for (int j = 0; j < steps.count; ++j) rest[j] = steps.step[j];
  integer origin = steps.origin;
  for (int position = 0; position < 63; ++position) {
    int odd = -1;
    bool more = origin != 0;
    for (int j = 0; j < steps.count; ++j) {
      more = more || rest[j] != 0;
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
    if (!more) break;
    if ((origin & 1) != 0) out.start |= bit(position);
    for (int j = 0; j < steps.count; ++j)
      rest[j] = (rest[j] >> 1) + (j == odd && (origin & 1) != 0 ? 1 : 0);
    if (odd >= 0) out.changes[odd] |= bit(position);
    origin >>= 1;
  }
  return {};
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
