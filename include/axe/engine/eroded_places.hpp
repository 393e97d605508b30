// What is left of a layout's copies where those of a known operand are taken away: the missing
// operand of a sum behind a swizzle.
//
//     T(x) = {4, 6, 20, 22}, the known operand {0, 2} at its element 0        {4, 20}: a + {0, 2} lies in T(x)
//
// If T(x) is A(x) + K for some A, then A(x) is among these a (the erosion of T(x) by K) and their
// sums with K are T(x): where an operand is swizzled the copies of an element are no sum set, and
// no list of replicas can be subtracted. More of them than A has can make the same sums; the answer
// is composed again by whoever asks.
// Definition: docs/algebra.md, D12.
// Source: the erosion of mathematical morphology, on the sets of D3.
#pragma once

#include <axe/engine/fit.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// The erosion that was asked for last. Beside its source, whose answers are const.
struct eroded_set {
  integer element = -1;
  value_set of;
};

/// The a with over * a + known_by * K(y) in the set of copies of T, at each element of a walk
/// through T: for every element y of the known operand, along a walk of its own. The known operand
/// lies on m alone; what T has on other axes goes with each of them.
struct eroded_places : place_source {
  copies_of of;
  box_walk walk;
  copies_of known;
  box_walk along_known;
  integer known_by = 1;
  integer over = 1;
  bool beside_memory = false;  // does T move on other axes, too?
  eroded_set* kept;

  AXE_FN constexpr eroded_places(layout const& t, box_walk const& along, layout const& l,
                                 box_walk const& other, eroded_set& last)
      : of(t), walk(along), known(l), along_known(other), kept(&last) {
    size = walk.size();
    count = of.count;
  }

  /// Bounds, before anything is asked; false when there are too many copies or something leaves 64
  /// bits.
  AXE_PLANNER constexpr bool admits(layout const& t, layout const& l) {
    int const most = kept->of.values.capacity;
    if (known.count < 1 || known.count > most || count < 1 || count > most) return false;
    beside_memory = moves_beside_memory(t) != axis::null;
    if (beside_memory) count *= of.count;  // at most so many are left
    interval own = address_bound(l);
    on_m = address_bound(t);
    if (!multiply(own.least, known_by) || !multiply(own.largest, known_by)) return false;
    integer highest = own.largest;  // plus an address, less another of the known operand
    if (own.least == smallest || !add(highest, -own.least) || !add(highest, on_m.largest) ||
        !add(on_m.least, -own.largest) || !add(on_m.largest, -own.least))
      return false;
    on_m = {floor_divide(on_m.least, over), floor_divide(on_m.largest, over)};
    // Of one place: all of an element are found at once.
    cost = (of.cost() + known.cost()) * static_cast<int>(smaller(along_known.size(), 1 << 20));
    return true;
  }

  /// The copies of T at element x of its walk and y of the other, and those of the known operand
  /// there.
  AXE_PLANNER constexpr void list_copies(integer x, integer y, value_set& whole,
                                         value_set& own) const {
    for (integer j = 0; j < count; ++j)
      whole.add(of(walk.position(x) + along_known.position(y), j)[axis::m]);
    for (integer j = 0; j < known.count; ++j) own.add(known(y, j)[axis::m] * known_by);
  }
  AXE_PLANNER constexpr void erode(integer x) const {
    list<integer, 256>& left = kept->of.values;
    step_budget unbounded;
    for (integer y = 0; y < along_known.size(); ++y) {
      value_set whole;
      value_set own;
      list_copies(x, y, whole, own);
      if (y == 0) {
        left.clear();
        for (integer v : whole.values)
          if ((v - own.values[0]) % over == 0) left.push((v - own.values[0]) / over);
      }
      for (int i = left.size() - 1; i >= 0; --i)
        for (integer k : own.values)
          if (!whole.contains(left[i] * over + k, unbounded)) {
            left.erase(i);
            break;
          }
    }
    kept->element = x;
  }
  /// Do these places of element x and the known operand's copies make all of T's?
  AXE_PLANNER constexpr bool covered(integer x, list<integer, 256> const& places) const {
    step_budget unbounded;
    for (integer y = 0; y < along_known.size(); ++y) {
      value_set whole;
      value_set own;
      list_copies(x, y, whole, own);
      for (integer v : whole.values) {
        bool made = false;
        for (int i = 0; i < places.size() && !made; ++i)
          made = own.contains(v - places[i] * over, unbounded);
        if (!made) return false;
      }
    }
    return true;
  }
  /// Do they and the known operand make all of T's places? If not, no operand does. Not known, and
  /// false, when out of steps.
  AXE_PLANNER constexpr bool suffice(step_budget& steps) const {
    for (integer x = 0; x < size; ++x) {
      steps.taken += cost * of.count;
      if (steps.taken > steps.allowed) return false;
      erode(x);
      if (kept->of.values.empty() || !covered(x, kept->of.values)) return false;
    }
    return true;
  }
  /// The j-th of them, the last one again where there are fewer than T has copies; with what T's
  /// copies have on other axes, each in turn.
  AXE_FN constexpr place at(integer x, integer j) const override {
    if (x != kept->element) erode(x);
    list<integer, 256> const& left = kept->of.values;
    integer const most = of.count;
    integer const n =
        left[static_cast<int>(smaller(beside_memory ? j % most : j, left.size() - 1))];
    if (!beside_memory) return place(term{n, axis::m});
    place p = of(walk.position(x), j / most);
    return p + place(term{n - p[axis::m], axis::m});
  }
};

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
