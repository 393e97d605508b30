// Detects the processor's vector instructions once.
#include "execute/vectors.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace machine {
namespace {

vector_set of_this_processor() {
#if MACHINE_HAS_VECTORS
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
      !__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
    return vector_set::plain;
  bool const wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  return wide ? vector_set::avx512 : vector_set::avx2;
#else
  return vector_set::plain;
#endif
}

}  // namespace

char const* name_of(vector_set which) {
  switch (which) {
    case vector_set::plain: return "plain";
    case vector_set::avx2: return "avx2";
    case vector_set::avx512: return "avx512";
  }
  return "";
}

vector_set best_vectors() {
  static vector_set const best = [] {
    vector_set const own = of_this_processor();
    if (char const* const asked = std::getenv("AXE_MACHINE_VECTORS"))
      for (vector_set const each : {vector_set::plain, vector_set::avx2, vector_set::avx512})
        if (std::strcmp(asked, name_of(each)) == 0) return std::min(each, own);
    return own;
  }();
  return best;
}

}  // namespace machine
