// 01: Which lanes and registers hold my element? The program asks questions about a tensor-core
// tile, at compile time and at run time.
#include <axe/axe.hpp>

#include <cstdio>

using namespace axe::literals;
using namespace axe::axes;

constexpr auto tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;

static_assert(axe::size(tile) == 128 && axe::span(tile, lane) == 32 &&
              axe::cosize(tile, warp) == 11);
static_assert(axe::places(tile, {8, 16}, {2, 9}) ==
              axe::place_set{8 * lane + 6 * warp + 1 * reg, 8 * lane + 10 * warp + 1 * reg});

int main() {
  std::puts(axe::to_text(axe::places(tile, {8, 16}, {2, 9})).c_str());
  for (axe::element e : axe::elements(tile, {8, 16}, 8 * lane + 6 * warp))
    std::printf("lane 8 of warp 6 holds %s\n", axe::to_text(e.at).c_str());
  auto const part = axe::try_slice("S[(4,5):(7,1)]"_axe, {20}, {{3, 12}});
  std::puts(part ? axe::to_text(*part).c_str() : axe::sentence(part.why).c_str());
}
