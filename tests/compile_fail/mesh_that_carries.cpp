// Devices 2 and 5 of a 2x4 mesh: the step of 3 crosses the end of a row.
// expect: part_carries
#include <axe/axe.hpp>

using namespace axe::literals;

constexpr axe::axis_composition mesh{
    axe::axis::gpuid, 4 * axe::device_axis("mesh_y") + 1 * axe::device_axis("mesh_x")};

#if defined(AXE_EXPECT_FAILURE)
constexpr axe::layout split = axe::rewrite("S[2:3@gpuid] + 2@gpuid"_axe, mesh);
#else
constexpr axe::layout split = axe::rewrite("S[2:4@gpuid]"_axe, mesh);
#endif
