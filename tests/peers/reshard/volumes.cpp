// The elements that axe moves between two placements: a number for each line of input, or `refused`.
//
//     SHAPE MESH SRC | DST        16,16 y=2,x=4 P('y','x') | P('x',None)
//
// A placement is a PartitionSpec, or a DTensor where it starts with a bracket. Partial and
// unreduced are pending sums.
#include <axe/axe.hpp>
#include <axe/distributed.hpp>

#include <cstdio>
#include <iostream>
#include <sstream>
#include <string>

namespace {

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");

axe::outcome<axe::sharding> placement(std::string text, axe::mesh const& m, axe::shape const& s) {
  text.erase(0, text.find_first_not_of(' '));
  return text[0] == '[' ? axe::try_from_dtensor(text.c_str(), m, s)
                        : axe::try_from_partition_spec(text.c_str(), m, s);
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream words(line);
    axe::shape tensor{};
    std::string extents, from, to;
    words >> extents;
    std::istringstream all(extents);
    for (std::string e; std::getline(all, e, ',');) tensor.append(std::stoll(e));
    long long rows = 1, columns = 1;
    std::string of_mesh;
    words >> of_mesh;
    if (std::sscanf(of_mesh.c_str(), "y=%lld,x=%lld", &rows, &columns) != 2) return 2;
    std::getline(words, from, '|');
    std::getline(words, to);
    axe::mesh m;
    m.add(y, rows);
    m.add(x, columns);
    auto const a = placement(from, m, tensor);
    auto const b = placement(to, m, tensor);
    if (!a || !b) {
      std::printf("refused\n");
      continue;
    }
    axe::outcome<axe::reshard_plan> const p = axe::try_plan_reshard(*a, *b);
    if (!p)
      std::printf("refused\n");
    else
      std::printf("%lld\n", static_cast<long long>(axe::volume(*p)));
  }
}
