// An order of dimensions names the first dimension twice.
// expect: order_is_not_a_permutation
#include <axe/axe.hpp>

using namespace axe::literals;

#if defined(AXE_EXPECT_FAILURE)
constexpr auto permuted = axe::permute("S[(4,5):(5,1)]"_axe, {4, 5}, {0, 0});
#else
constexpr auto permuted = axe::permute("S[(4,5):(5,1)]"_axe, {4, 5}, {1, 0});
#endif
