// plan_reshard gets one sharding. It needs the one before and the one after.
// expect-gcc: no matching function for call to .plan_reshard
// expect-clang: too few arguments to function call
// expect-nvcc: no instance of function template "axe::.*plan_reshard" matches
#include <axe/distributed.hpp>

constexpr axe::sharding whole{{}, {64, 64}, axe::mesh{{axe::axis::gpuid, 4}}};

int steps() {
#if defined(AXE_EXPECT_FAILURE)
  return axe::plan_reshard(whole).steps();
#else
  return axe::plan_reshard(whole, whole).steps();
#endif
}
