// Prints layouts, shapes and axes through std::format. Needs C++23 and libc++.
#include <axe/axe.hpp>
#include <axe/bridge/format.hpp>

#include <cstdio>
#include <format>
#include <string>

using namespace axe::literals;

int main() {
  constexpr auto tile = "S[((2),(4)):((4),(1))]"_axe;
  std::string const all = std::format("{} {:cute} {:tirx}\n{:grid}\n{} {}", tile, tile, tile, tile,
                                      axe::shape{8, {2, 4}}, axe::axis::lane);
  bool right = all ==
               "S[((2),(4)):((4),(1))] (4,2):(1,4) T.TileLayout(T.S[(2, 4):(4, 1)])\n"
               "0 1 2 3\n4 5 6 7\n(8,(2,4)) lane";
  try {
    right = right && std::vformat("{:cuet}", std::make_format_args(tile)).empty();
  } catch (std::format_error const& mistake) {
    right = right && std::string(mistake.what()) == axe::detail::style_mistake;
  }
  std::puts(right ? "right" : all.c_str());
  return right ? 0 : 1;
}
