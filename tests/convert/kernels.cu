// One kernel per conversion: each lane loads its registers, executes the plan, and stores the
// result. kernels_test.cpp reads the PTX.
#include <axe/construct/literal.hpp>
#include <axe/convert.hpp>

using namespace axe::literals;

#define AXE_CONVERSION(NAME, WIDTH, FROM, TO)                                                   \
  using NAME##_plan = axe::conversion<axe::carrier<FROM##_axe>, axe::carrier<TO##_axe>, WIDTH>; \
  extern "C" __global__ void NAME(unsigned const* in, unsigned* out) {                          \
    unsigned source[NAME##_plan::source_words];                                                 \
    unsigned target[NAME##_plan::target_words];                                                 \
    _Pragma("unroll") for (int i = 0; i < NAME##_plan::source_words; ++i) source[i] =           \
        in[threadIdx.x * NAME##_plan::source_words + i];                                        \
    _Pragma("unroll") for (int i = 0; i < NAME##_plan::target_words; ++i) target[i] = 0;        \
    axe::convert<NAME##_plan>(source, target);                                                  \
    _Pragma("unroll") for (int i = 0; i < NAME##_plan::target_words; ++i)                       \
        out[threadIdx.x * NAME##_plan::target_words + i] = target[i];                           \
  }
#include "conversions.def"
#undef AXE_CONVERSION
