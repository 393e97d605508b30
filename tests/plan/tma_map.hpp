// The arguments of a plan's tensor map, for the oracle of tensor copies (tma_oracle.hpp).
#pragma once

#include "plan/tma_oracle.hpp"

#include <axe/plan/plan_tma.hpp>
#include <axe/plan/tma_arguments.hpp>

namespace axe_test {

inline tma_oracle::map map_of(axe::tma_plan const& plan, axe::tma_arguments const& a) {
  tma_oracle::map m;
  m.bytes = axe::bits_of(plan.unit) / 8;
  m.swizzle = a.swizzle == 0 ? 0 : 16 << a.swizzle;
  for (int d = 0; d < a.rank; ++d) {
    m.extents.push_back(static_cast<tma_oracle::number>(a.extents[d]));
    if (d > 0) m.strides.push_back(static_cast<tma_oracle::number>(a.strides[d - 1]));
    m.box.push_back(a.box[d]);
    m.steps.push_back(a.element_strides[d]);
  }
  return m;
}

}  // namespace axe_test
