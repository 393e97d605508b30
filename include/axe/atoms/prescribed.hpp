// A layout from the digits that an instruction prescribes, slowest first, in canonical form.
//
//     prescribed({{2, 2, axis::reg}, {8, 4, axis::lane}, {4, 1, axis::lane}, {2, 1, axis::reg}})     S[(2,32,2):(2@reg,1@lane,1@reg)]
//
// Definition: docs/algebra.md, D5.
#pragma once

#include <axe/algebra/canonicalize.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// At most 24 digits, extents at least 1, strides not negative: no prescription has others.
AXE_PLANNER constexpr layout prescribed(stl::initializer_list<iter> digits) {
  digit_builder builder;
  for (iter const& i : digits) builder.push(i);
  layout l;
  l.shards = builder.done;
  return l;
}

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
