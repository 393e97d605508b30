// A scope has four CTAs from number 2^32 on. In 32 bits it would include CTA 1.
// expect: the threads of a scope must have numbers from 0 to 2\^32 - 1
#include <axe/axe.hpp>
#include <axe/cuda/scope.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
using four = axe::thread_scope<axe::carrier<"S[4:1@cta_x] + 4294967296@cta_x"_axe>>;
#else
using four = axe::thread_scope<axe::carrier<"S[4:1@cta_x] + 4294967292@cta_x"_axe>>;
#endif
static_assert(!four::holds(1));
