// Names the sets of inner loops that a test can run on this processor.
#pragma once

#include <vector>

#include "support/catch.hpp"
#include "tensor/kernels.hpp"

namespace machine::tensor::test {

/// Returns the plain set and those for vector instructions that this processor has. Warns of each
/// set that is not tested.
inline std::vector<kernel_set const*> kernels_here() {
  std::vector<kernel_set const*> found;
  for (char const* name : {"plain", "avx2", "avx512"})
    if (kernel_set const* set = kernels_named(name))
      found.push_back(set);
    else
      WARN("the loops for " << name << " are not tested: this processor cannot run them");
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) REQUIRE(found.size() >= 2);
#endif
  return found;
}

}  // namespace machine::tensor::test
