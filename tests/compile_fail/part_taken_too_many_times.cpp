// A part is multiplied by the largest unsigned number.
// expect: the factor of a part must be positive and below 2\^63
#include <axe/axe.hpp>
#include <axe/index.hpp>

#if defined(AXE_EXPECT_FAILURE)
using times = axe::constant<~0ull>;
#else
using times = axe::constant<2>;
#endif
unsigned row(unsigned block) { return (times{} * axe::any(block))(); }
