// Detects the processor's vector instructions once.
#include "execute/vectors.hpp"

#include <cstdlib>
#include <cstring>

namespace machine {
namespace {

vector_set of_this_processor() {
#if MACHINE_HAS_VECTORS
  __builtin_cpu_init();
  bool const wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  return wide ? vector_set::avx2 : vector_set::plain;
#else
  return vector_set::plain;
#endif
}

}  // namespace

char const* name_of(vector_set which) { return which == vector_set::plain ? "plain" : "avx2"; }

vector_set best_vectors() {
  static vector_set const best = [] {
    char const* const asked = std::getenv("AXE_MACHINE_VECTORS");
    bool const plain = asked != nullptr && std::strcmp(asked, "plain") == 0;
    return plain ? vector_set::plain : of_this_processor();
  }();
  return best;
}

}  // namespace machine
