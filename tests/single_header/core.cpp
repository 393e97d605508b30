// A program that includes only the single header of the core, as on Compiler Explorer.
#include <axe-core.hpp>

using namespace axe::literals;

static_assert(axe::size("S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)]"_axe) == 128);
static_assert(axe::equivalent(axe::slice("S[(8,8):(8,1)]"_axe, {8, 8}, {{2, 4}, {0, 8}}),
                              "S[16:1] + 16"_axe));
static_assert(!axe::try_slice("S[(4,5):(7,1)]"_axe, {20}, {{3, 12}}));

int main() { return axe::cosize("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe) == 4096 ? 0 : 1; }
