// Chooses the inner loops for this processor, once.
#include "tensor/kernels.hpp"

#include <cstring>
#include <initializer_list>

namespace machine::tensor {

extern kernel_set const plain_kernels;
#if defined(MACHINE_TENSOR_X86)
extern kernel_set const avx2_kernels;
extern kernel_set const avx512_kernels;
#endif

kernel_set const* kernels_named(char const* name) {
#if defined(MACHINE_TENSOR_X86)
  __builtin_cpu_init();
  bool const avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  bool const avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512dq");
  if (std::strcmp(name, "avx512") == 0) return avx512 ? &avx512_kernels : nullptr;
  if (std::strcmp(name, "avx2") == 0) return avx2 ? &avx2_kernels : nullptr;
#endif
  return std::strcmp(name, "plain") == 0 ? &plain_kernels : nullptr;
}

kernel_set const& kernels() {
  static kernel_set const* const best = [] {
    for (char const* name : {"avx512", "avx2"})
      if (kernel_set const* found = kernels_named(name)) return found;
    return &plain_kernels;
  }();
  return *best;
}

}  // namespace machine::tensor
