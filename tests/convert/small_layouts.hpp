// Lists all register layouts of a few elements: digits in every order on lanes and slots, with
// replicas and an offset.
//
//     for (registers::side const& s : small_layouts::on(6, 4)) …    6 elements on 4 lanes, 4 slots
#pragma once

#include "registers.hpp"

#include <algorithm>

namespace small_layouts {

using registers::digit;
using registers::side;

/// Adds all lists of extents above 1 whose product is n to `all`, each with `before` in front.
inline void factor(int n, std::vector<int> const& before, std::vector<std::vector<int>>& all) {
  if (n == 1) all.push_back(before);
  for (int e = 2; e <= n; ++e) {
    if (n % e != 0) continue;
    std::vector<int> longer = before;
    longer.push_back(e);
    factor(n / e, longer, all);
  }
}

/// Sets the strides of digits and replicas, in the order `rank` from the smallest up. Returns false
/// if the layout needs more than `lanes` lanes or four slots.
inline bool stretch(side& s, std::vector<std::size_t> const& rank, int lanes) {
  int lane_step = 1, slot_step = 1;
  for (std::size_t r : rank) {
    digit& d = r < s.digits.size() ? s.digits[r] : s.replicas[r - s.digits.size()];
    int& step = d.on_lane ? lane_step : slot_step;
    d.stride = step;
    step *= d.extent;
  }
  return lane_step + s.lane_offset <= lanes && slot_step <= 4;
}

/// All layouts of n elements on at most `lanes` lanes and four slots.
inline std::vector<side> on(int n, int lanes) {
  std::vector<side> all;
  std::vector<std::vector<int>> lists;
  factor(n, {}, lists);
  for (std::vector<int> const& extents : lists)
    for (unsigned on_lane = 0; on_lane < 1u << extents.size(); ++on_lane)
      for (int replicas : {1, 2})
        for (int offset : {0, 1}) {
          side s;
          for (std::size_t k = 0; k < extents.size(); ++k)
            s.digits.push_back({extents[k], 0, (on_lane >> k & 1) != 0});
          if (replicas > 1) s.replicas.push_back({replicas, 0, true});
          s.lane_offset = offset;
          std::vector<std::size_t> rank(s.digits.size() + s.replicas.size());
          for (std::size_t k = 0; k < rank.size(); ++k) rank[k] = k;
          do {
            if (stretch(s, rank, lanes)) all.push_back(s);
          } while (std::next_permutation(rank.begin(), rank.end()));
        }
  return all;
}

}  // namespace small_layouts
