// SPDX-License-Identifier: MIT
// prescribed(iters): the canonical layout (D5) of iters that an instruction prescribes.
//
//     prescribed({{8, 4, axis::lane}, {4, 1, axis::lane}, {2, 1, axis::reg}})
//                                                              S[(32,2):(1@lane,1@reg)]
#pragma once

#include <axe/algebra/canonicalize.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

AXE_LAZY_FN constexpr refusal check_operand_width(integer bits) {
  return bits == 8 || bits == 16 || bits == 32 ? refusal{}
                                               : refusal{rule::operand_element_width, {bits}};
}

/// Precondition: at most 24 iters.
AXE_LAZY_FN constexpr layout prescribed(initializer_list<iter> digits,
                                        iter replicas = {1, 0, axis::null}) {
  digit_builder builder;
  for (iter const& i : digits) builder.push(i);
  layout l;
  l.shards = builder.done;
  if (replicas.extent > 1) l.replicas.push(replicas);
  return l;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
