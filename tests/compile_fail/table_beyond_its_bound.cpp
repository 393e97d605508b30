// A region whose table is longer than the step bound: the build stops at our sentence, never at a
// compiler's own limit of steps or loops.
// expect: undecided: \{0 steps\} are not enough
// expect: rules\.def
#include <axe/axe.hpp>

using namespace axe::literals;

constexpr axe::layout rows = "S[(3,200003):(200004,1)]"_axe;

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::range part{1, 400007};
#else
constexpr axe::range part{0, 400006};
#endif

constexpr axe::layout cut = axe::slice(rows, 600009, {part});
