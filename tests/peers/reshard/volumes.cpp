// Answers questions about placements, one on each line, or prints `refused`:
//
//     16,16 y=2,x=4 P('y','x') | P('x',None)     the number of elements that axe moves
//     4 y=1,x=2 P('x')                           the elements of each device by address: 0 1;2 3
//
// A placement is a PartitionSpec, or a DTensor if it begins with a bracket. Partial and unreduced
// mean pending sums. Elements are numbered row by row in the tensor without padding.
#include <axe/axe.hpp>
#include <axe/distributed.hpp>

#include <cstdio>
#include <iostream>
#include <map>
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

/// The number of element x of the padded tensor in the tensor without padding, or -1 for padding.
axe::integer number_of(axe::sharding const& s, axe::shape const& tensor, axe::integer x) {
  axe::integer number = 0, below = 1;
  for (int d = tensor.rank() - 1; d >= 0; --d) {
    axe::integer const padded = s.extents.nodes.value(1 + d);
    axe::integer const real = tensor.nodes.value(1 + d);
    if (x % padded >= real) return -1;
    number += x % padded * below;
    below *= real;
    x /= padded;
  }
  return number;
}

void print_held(axe::sharding const& s, axe::shape const& tensor) {
  axe::layout const by_number = axe::detail::by_device_number(s);
  std::map<axe::integer, std::map<axe::integer, axe::integer>> held;
  axe::integer padded = 1;
  for (int d = 0; d < tensor.rank(); ++d) padded *= s.extents.nodes.value(1 + d);
  for (axe::integer x = 0; x < padded; ++x)
    if (axe::integer const number = number_of(s, tensor, x); number >= 0)
      for (axe::place const& p : axe::places(by_number, x))
        held[p[axe::axis::gpuid]][p[axe::axis::m]] = number;
  for (axe::integer device = 0; device < s.devices.devices(); ++device) {
    if (device > 0) std::printf(";");
    for (auto const& [address, number] : held[device])
      std::printf("%lld ", static_cast<long long>(number));
  }
  std::printf("\n");
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
    bool const moves = static_cast<bool>(std::getline(words, to));
    axe::mesh m;
    m.add(y, rows);
    m.add(x, columns);
    auto const a = placement(from, m, tensor);
    if (a && !moves) {
      print_held(*a, tensor);
      continue;
    }
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
