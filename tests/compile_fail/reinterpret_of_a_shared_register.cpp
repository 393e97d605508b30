// In the result one register would stand for two elements that are in different registers.
// expect: needs a register for each
#include <axe/construct/literal.hpp>
#include <axe/cuda/elementwise.hpp>

using namespace axe::literals;

using held = axe::carrier<"S[(4,2):(1@lane,1@reg)]"_axe>;
#if defined(AXE_EXPECT_FAILURE)
using wanted = axe::carrier<"S[(4,2):(1@lane,0)]"_axe>;
#else
using wanted = axe::carrier<"S[(4,2):(1@lane,1@reg)]"_axe>;
#endif
constexpr axe::fragment<int, held, axe::extents<8>> numbers{};
constexpr auto renamed = axe::reinterpret<wanted>(numbers);
