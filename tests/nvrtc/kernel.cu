// A kernel given to NVRTC as text: the version macros and the one annotation reach it without a
// host header.
#include <axe/config.hpp>

static_assert(sizeof(axe::integer) == 8);

AXE_FN constexpr int twice(int value) { return 2 * value; }

extern "C" __global__ void answer(int* out) { *out = twice(AXE_VERSION); }
