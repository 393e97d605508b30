// A scope has 2,048 threads, but a block has at most 1,024.
// expect: the threads of a scope must have numbers from 0 to 1023, because a block has at most 1024
#include <axe/axe.hpp>
#include <axe/cuda/scope.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using threads = axe::thread_scope<axe::carrier<"S[2048:1@tid]"_axe>>;
#else
using threads = axe::thread_scope<axe::carrier<"S[512:1@tid] + 512@tid"_axe>>;
#endif
static_assert(threads::holds(1023));
