// Makes random pairs of register layouts of equal size, with any extents, with lanes and slots in
// any order, and with gaps, replicas and offsets.
#pragma once

#include "registers.hpp"

#include <algorithm>
#include <random>

namespace registers {

struct pair {
  side from, to;
  int width = 32;
};

class random_pairs {
 public:
  explicit random_pairs(std::uint64_t seed) : random(seed) {}

  pair next() {
    pair p;
    while (!try_pair(p)) {}
    return p;
  }

  int below(int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); }

 private:
  bool try_pair(pair& p) {
    int const widths[] = {8, 16, 32, 64};
    p.width = widths[below(4)];
    bool const powers_of_two = below(2) == 0;
    std::vector<int> extents;
    int size = 1;
    int const wanted = 2 + below(5);
    for (int k = 0; k < wanted; ++k) {
      int const odd[] = {2, 3, 4, 5, 6, 7, 2, 10};
      int const e = powers_of_two ? 1 << (1 + below(3)) : odd[below(8)];
      if (size * e > 1024) continue;
      extents.push_back(e);
      size *= e;
    }
    // Half of the layouts use all lanes, as most layouts of users do.
    bool const full = below(2) == 0;
    return place(extents, full, p.from) && place(cut(extents), full, p.to);
  }

  /// Extents of a layout with the same size, in which some extents are cut in two.
  std::vector<int> cut(std::vector<int> const& extents) {
    std::vector<int> out;
    for (int e : extents) {
      int const factor = e % 2 == 0 ? 2 : e % 3 == 0 ? 3 : 1;
      if (factor > 1 && factor < e && below(2) == 0) {
        out.push_back(e / factor);
        out.push_back(factor);
      } else {
        out.push_back(e);
      }
    }
    return out;
  }

  bool place(std::vector<int> const& extents, bool full, side& s) {
    s = {};
    std::vector<digit*> lanes, slots;
    s.digits.resize(extents.size());
    int used = 1;
    for (std::size_t k = 0; k < extents.size(); ++k) {
      s.digits[k].extent = extents[k];
      s.digits[k].on_lane = used * extents[k] <= 32 && below(3) != 0;
      if (s.digits[k].on_lane) used *= extents[k];
    }
    int const replicas = below(3) == 0 ? 1 + below(2) : 0;
    s.replicas.reserve(8);
    for (int c = 0; c < replicas; ++c) {
      bool const on_lane = below(3) != 0;
      int const e = 2 + below(3);
      if (on_lane && used * e > 32) continue;
      if (on_lane) used *= e;
      s.replicas.push_back({e, 0, on_lane});
    }
    if (full && 32 % used == 0 && used < 32) s.replicas.push_back({32 / used, 0, true});
    for (std::vector<digit>* list : {&s.digits, &s.replicas})
      for (digit& d : *list) (d.on_lane ? lanes : slots).push_back(&d);
    int lane_room = 32, slot_room = 64;
    s.lane_offset = give_strides(lanes, lane_room);
    s.slot_offset = give_strides(slots, slot_room);
    return lane_room > 0 && slot_room > 0;
  }

  /// Gives the digits strides in a random order, with some gaps, so that no two elements collide.
  /// Returns an offset within the rest of `room`, and sets `room` to 0 if the digits need more.
  int give_strides(std::vector<digit*> digits, int& room) {
    std::shuffle(digits.begin(), digits.end(), random);
    int step = 1;
    for (digit* d : digits) {
      if (below(12) == 0) step += 1;
      d->stride = step;
      step *= d->extent;
    }
    int reach = 1;
    for (digit* d : digits) reach += (d->extent - 1) * d->stride;
    if (reach > room) {
      room = 0;
      return 0;
    }
    return below(10) == 0 ? below(room - reach + 1) : 0;
  }

  std::mt19937_64 random;
};

}  // namespace registers
