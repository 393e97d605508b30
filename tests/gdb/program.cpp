// The program from which gdb prints values (transcript.py). main prints the same values for
// comparison.
#include <axe/axe.hpp>

#include <cstdio>

using namespace axe::literals;

constexpr axe::axis mesh_x = axe::device_axis("mesh_x");

axe::layout layouts[] = {
    "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe,
    "swizzle(1,2,2) o S[(4,16):(16,1)] + 20"_axe,
    "S[((2,2),(),(3)):((6,3),(),(-1))] - 3@lane + 7"_axe,
    "S[8:1] + R[(2,3):(4,4)]"_axe,
    "S[]"_axe,
    "S[(2,2,2):(0,0@lane,0@m)]"_axe,
    axe::S({4, 2}, {1 * mesh_x, 1 * axe::axis::TLane}),
    axe::layout{{}, {{0, 1, axe::axis::m}}, {}, {}, {}},
};
axe::shape shape{8, {2, 4}};
axe::coordinate coordinate{2, {0, 3}};
axe::place place = 8 * axe::axis::lane + 6 * axe::axis::warp;
axe::axis axis = axe::axis::cta_x;

int main() {
  for (axe::layout const& l : layouts) std::puts(axe::to_text(l).c_str());
  std::puts(axe::to_text(shape).c_str());
  std::puts(axe::to_text(coordinate).c_str());
  std::puts(axe::to_text(place).c_str());
  std::puts(axe::to_text(axis).c_str());
}
