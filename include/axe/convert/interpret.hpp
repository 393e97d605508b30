// SPDX-License-Identifier: MIT
// interpret(plan, source, target): executes a plan on the host, for all lanes of a warp.
//
//     word i of lane l at source[l * plan.source_words + i], target[l * plan.target_words + i]
//
// Words without elements keep their values, bytes without elements may change. A plan through
// shared memory is not executed.
#pragma once

#include <axe/convert/conversion_plan.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

AXE_LAZY_FN constexpr register_word permute_bytes(register_word a, register_word b,
                                                  register_word selector) {
  register_word result = 0;
  for (int i = 0; i < 4; ++i) {
    register_word const nibble = selector >> (4 * i) & 7;
    result |= ((nibble < 4 ? a : b) >> (8 * (nibble & 3)) & 0xff) << (8 * i);
  }
  return result;
}

AXE_LAZY_FN constexpr register_word step_value(conversion_plan const& plan,
                                               conversion_step const& s,
                                               register_word const* values, int lane) {
  auto const at = [&](int value, int l) { return values[value * warp_lanes + l]; };
  bool const in_set = (s.lanes >> lane & 1) != 0;
  switch (s.op) {
    case conversion_op::select: return at(in_set ? s.a : s.b, lane);
    case conversion_op::shuffle: return at(s.a, plan.maps[s.map](lane));
    case conversion_op::selector: return in_set ? s.first : s.b > 0 ? at(s.b, lane) : s.second;
    default:
      return permute_bytes(at(s.a, lane), at(s.b, lane), s.by > 0 ? at(s.by, lane) : s.first);
  }
}

}  // namespace detail

AXE_LAZY_FN constexpr void interpret(conversion_plan const& plan,
                                     detail::register_word const* source,
                                     detail::register_word* target) {
  constexpr int lanes = detail::warp_lanes;
  detail::register_word values[(conversion_plan::most_words + step_list::capacity) * lanes]{};
  for (conversion_repeat const& repeat : plan.repeats) {
    int made = 0;
    for (int input : plan.inputs) {
      for (int l = 0; l < lanes; ++l)
        values[made * lanes + l] = source[l * plan.source_words + input + repeat.source];
      ++made;
    }
    for (conversion_step const s : plan.steps) {
      for (int l = 0; l < lanes; ++l)
        values[made * lanes + l] = detail::step_value(plan, s, values, l);
      ++made;
    }
    for (conversion_output const& out : plan.outputs) {
      for (int l = 0; l < lanes; ++l)
        target[l * plan.target_words + out.word + repeat.target] = values[out.value * lanes + l];
    }
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe
