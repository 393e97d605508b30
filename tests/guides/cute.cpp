// The program of docs/cute.md.
#include <axe/cute.hpp>

#include <cstdio>

using namespace axe::cute::literals;

constexpr auto tiles = axe::cute::zipped_divide("(64,32):(1,64)"_cute, {16, 8});
static_assert(tiles == "((16,8),(4,4)):((1,64),(16,512))"_cute);

int main() {
  auto const tile = axe::cute::mode(tiles, 0);
  std::printf("a tile %s of %s\n", axe::cute::to_text(tile).c_str(),
              axe::cute::to_text(tiles).c_str());
  auto const cut = axe::cute::try_logical_divide(axe::cute::make_layout(9), 6);
  std::puts(cut ? axe::cute::to_text(*cut).c_str() : axe::sentence(cut.why).c_str());
}
