// A kernel passed to NVRTC as text. It uses AXE_VERSION and AXE_FN, and includes no host header.
#include <axe/config.hpp>

static_assert(sizeof(axe::integer) == 8);

AXE_FN constexpr int twice(int value) { return 2 * value; }

extern "C" __global__ void answer(int* out) { *out = twice(AXE_VERSION); }
