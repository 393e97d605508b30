// Two elements at one place, or the proof that there are none.
//
//     digits (2:1)(2:1)      they differ by 1 and -1: elements 1 and 2 lie at place 1
//
// Chooses the differences of the digits on one axis, largest stride first, each in the range that
// smaller strides can bring back to 0. Source: ours. Definition: docs/algebra.md, D9.
#pragma once

#include <axe/base/checked.hpp>
#include <axe/layout/layout.hpp>
#include <axe/map/step_limit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

struct collision {
  struct digit {
    integer most = 0;    // largest difference
    integer stride = 0;  // > 0
    integer weight = 0;  // of the element's number; 0 for a replica
    integer differs = 0;
  };
  list<digit, capacity::shards + capacity::replicas> sorted{};  // strides ascending

  AXE_FN constexpr void add(integer extent, integer stride, integer weight) {
    if (extent == 1 || stride == 0) return;
    int at = 0;
    while (at < sorted.size() && sorted[at].stride <= magnitude(stride)) ++at;
    sorted.insert(at, {extent - 1, magnitude(stride), weight, 0});
  }

  /// True if differences of the first `count` digits add up to -sum, and some digit of an element
  /// differs. `rest`: the largest sum of these digits. `same`: no digit behind them differs. False
  /// also at the step limit.
  AXE_FN constexpr bool find(int count, integer sum, integer rest, bool same, bool apart,
                             step_limit& steps) {
    if (count == 0) return sum == 0 && apart;
    if (!steps.take()) return false;
    digit& d = sorted[count - 1];
    rest -= d.most * d.stride;
    // The first that differs is positive, by symmetry.
    integer const low = larger(same ? 0 : -d.most, ceil_divide(-rest - sum, d.stride));
    integer const high = smaller(d.most, floor_divide(rest - sum, d.stride));
    for (integer c = low; c <= high && steps.taken <= steps.allowed; ++c) {
      d.differs = c;
      if (find(count - 1, sum + c * d.stride, rest, same && c == 0,
               apart || (d.weight != 0 && c != 0), steps))
        return true;
    }
    return false;
  }
  AXE_FN constexpr bool find(step_limit& steps) {
    integer rest = 0;
    for (digit const& d : sorted) rest += d.most * d.stride;
    return find(sorted.size(), 0, rest, true, false, steps);
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
