// The program of docs/guides/drawing.md.
#include <axe/axe.hpp>
#include <axe/draw.hpp>

#include <fstream>

using namespace axe::literals;
constexpr auto tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;

int main() { std::ofstream("tile.svg") << axe::draw(tile, {8, 16}); }
