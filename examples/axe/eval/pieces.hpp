// A piece of owned_by, one dimension after the other: a range, or where it begins and the steps from there.
//
//     (2:3, 8:10)                 two ranges
//     (0:8, 1 + S[(2,2):(8,2)])   the second dimension at 1, 3, 9, 11
#pragma once

#include <axe/map/owned_by.hpp>

#include <vector>

namespace calculator {

struct covered_dimension {
  axe::integer begin = 0;
  axe::integer extent = 1;
  bool is_range = true;
  axe::layout steps;  // on m, in its one form
};

inline std::vector<covered_dimension> dimensions_of(axe::piece const& part) {
  std::vector<covered_dimension> all;
  std::vector<axe::integer> begins;
  for (axe::tree_node const& node : part.origin.nodes)
    if (node.is_integer()) begins.push_back(node.value);
  int k = 0;
  for (int b = 0; b < part.steps.blocks.size(); ++b) {
    covered_dimension d;
    d.begin = begins.at(static_cast<std::size_t>(b));
    for (int last = k + part.steps.blocks[b]; k < last; ++k) {
      d.steps.shards.push(part.steps.shards[k]);
      d.extent *= part.steps.shards[k].extent;
    }
    d.steps = axe::canonicalize(d.steps);
    d.is_range = part.contiguous(b);
    all.push_back(d);
  }
  return all;
}

}  // namespace calculator
