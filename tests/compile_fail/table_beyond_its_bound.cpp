// The table of a permutation exceeds the step limit. The build stops with the sentence of the
// library, not at a limit of the compiler.
// expect: undecided after \{0 steps\}
// expect: (rules\.def|stop_on)
#include <axe/axe.hpp>

using namespace axe::literals;

constexpr axe::layout rows = "S[(2,3,100003):(7,1,5)]"_axe;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::shape tall{100003, 6};
#else
constexpr axe::shape tall{6, 100003};
#endif

constexpr axe::layout permuted = axe::permute(rows, tall, {1, 0});
