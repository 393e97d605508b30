// Makes random structured layouts and shapes: nested strides, gaps, equal strides, signs and
// replicas.
//
//     S[(3,4,2):(1@lane,-3@lane,5)] + R[2:12@lane] + 7     on lane without gaps: strides 1, 3, 12;
//                                                          the second digit is reversed
//
// Layouts of real kernels can often be grouped, composed and inverted. Layouts with uniformly
// random strides almost never can. One seed decides every choice.
#pragma once

#include "fuzz/case.hpp"
#include "oracle/samples.hpp"

namespace fuzz {

struct dice : axe_test::random_source {
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T> T const& pick(std::vector<T> const& from) {
    return from[static_cast<std::size_t>(between(0, static_cast<int>(from.size()) - 1))];
  }
  template <class T> void shuffle(std::vector<T>& v) {
    for (int i = static_cast<int>(v.size()) - 1; i > 0; --i)
      std::swap(v[static_cast<std::size_t>(i)], v[static_cast<std::size_t>(between(0, i))]);
  }
};

struct wishes {
  number largest = 96;  // the most elements
  int digits = 4;       // the most digits
  int replicas = 45;    // percent of layouts
  int offsets = 40;     // percent of layouts
  int negative = 12;    // percent of strides
  int zero = 4;         // percent of strides
  int swizzled = 5;     // percent of layouts
  int axes = 3;         // the most axes
  int loose = 35;       // percent of layouts with strides unrelated to the other digits
};

inline number random_extent(dice& d) {
  static std::vector<number> const pool{2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 7, 8};
  return d.pick(pool);
}

/// Selects one to `most` random axes, usually with m among them.
inline std::vector<axe::axis> random_axes(dice& d, int most) {
  std::vector<axe::axis> all{axe::axis::m, axe::axis::lane, axe::axis::warp, axe::axis::reg};
  if (d.chance(30)) d.shuffle(all);
  all.resize(static_cast<std::size_t>(d.between(1, most)));
  return all;
}

/// For each axis, the smallest stride that is not used yet.
struct next_free {
  std::vector<std::pair<axe::axis, number>> next;

  number& operator()(axe::axis a) {
    for (auto& [on, n] : next)
      if (on == a) return n;
    return next.emplace_back(a, 1).second;
  }
};

inline void add_offset(axe::layout& l, axe::axis a, number n) {
  for (int i = l.offsets.size() - 1; i >= 0; --i)
    if (l.offsets[i].on == a) {
      n += l.offsets[i].n;
      l.offsets.erase(i);
    }
  if (n != 0) l.offsets.push({n, a});
  axe::detail::order_offsets(l);
}

inline void swizzle_it(dice& d, axe::layout& l) {
  l.swizzle = {d.between(0, 2), d.between(1, 3), d.between(1, 3) * (d.chance(50) ? 1 : -1)};
  for (axe::iter& i : l.shards) i.on = i.on == axe::axis::null ? i.on : axe::axis::m;
  for (axe::iter& i : l.replicas) i.on = axe::axis::m;
  number const o = l.offset(axe::axis::m);
  l.offsets.clear();
  if (o != 0) l.offsets.push({o, axe::axis::m});
}

inline number loose_stride(dice& d) {
  static std::vector<number> const coincidences{1, 1, 2, 2, 3, 4, 6, 8, 12};
  return d.chance(50) ? d.between(-3, 8) : d.pick(coincidences);
}

/// Makes a random layout by the options w on the axes `on`.
inline axe::layout random_layout(dice& d, wishes const& w, std::vector<axe::axis> const& on) {
  axe::layout l;
  number size = 1;
  for (int n = d.between(d.chance(85) ? std::min(2, w.digits) : 0, w.digits); n > 0; --n) {
    number const e = random_extent(d);
    if (size * e > w.largest) continue;
    size *= e;
    l.shards.push({e, 0, d.pick(on)});
  }
  if (d.chance(w.replicas))
    for (int n = d.chance(70) ? 1 : 2; n > 0; --n)
      l.replicas.push({d.between(2, 4), 0, d.pick(on)});
  bool const loose = d.chance(w.loose);
  std::vector<axe::iter*> order;
  for (axe::iter& i : l.shards) order.push_back(&i);
  if (d.chance(60)) std::reverse(order.begin(), order.end());  // the last digit becomes the fastest
  if (d.chance(40)) d.shuffle(order);
  for (axe::iter& i : l.replicas)
    order.insert(order.begin() + d.between(0, static_cast<int>(order.size())), &i);
  next_free next;
  for (axe::iter* i : order) {
    number& n = next(i->on);
    i->stride = loose || d.chance(6) ? loose_stride(d) : n;
    n = std::max(n, i->stride * i->extent) + (d.chance(8) ? d.between(1, 4) : 0);
    if (d.chance(w.negative)) i->stride = -i->stride;
    if (d.chance(w.zero)) *i = {i->extent, 0, d.chance(50) ? i->on : axe::axis::null};
  }
  if (d.chance(w.offsets)) add_offset(l, d.pick(on), d.between(-6, 20));
  if (d.chance(w.offsets / 3)) add_offset(l, d.pick(on), d.between(-6, 20));
  if (d.chance(w.swizzled)) swizzle_it(d, l);
  axe::detail::order_offsets(l);
  return l;
}
inline axe::layout random_layout(dice& d, wishes const& w = {}) {
  return random_layout(d, w, random_axes(d, w.axes));
}

inline number size_of(axe::layout const& l) {
  number n = 1;
  for (axe::iter const& i : l.shards) n *= i.extent;
  return n;
}

/// A shape that groups l: each extent is the product of neighbouring digits of l, or 1.
inline shape grouping_shape(dice& d, axe::layout const& l, int rank) {
  shape s(static_cast<std::size_t>(rank), 1);
  std::vector<int> at;
  for (int k = 0; k < l.shards.size(); ++k) at.push_back(d.between(0, rank - 1));
  std::sort(at.begin(), at.end());
  for (int k = 0; k < l.shards.size(); ++k)
    s[static_cast<std::size_t>(at[static_cast<std::size_t>(k)])] *= l.shards[k].extent;
  return s;
}

/// A shape of any extents whose product is n.
inline shape any_shape(dice& d, number n, int rank) {
  shape s(static_cast<std::size_t>(rank), 1);
  for (number p = 2; n > 1; ++p)
    for (; n % p == 0; n /= p) s[static_cast<std::size_t>(d.between(0, rank - 1))] *= p;
  return s;
}

inline shape random_shape(dice& d, axe::layout const& l, int rank, int grouping = 70) {
  return d.chance(grouping) ? grouping_shape(d, l, rank) : any_shape(d, size_of(l), rank);
}

/// Changes one number of the layout at random.
inline void perturb(dice& d, axe::layout& l) {
  auto const change = [&](axe::iter& i) {
    if (d.chance(50))
      i.stride += d.between(-2, 2);
    else
      i.stride *= d.between(1, 2) * (d.chance(50) ? -1 : 1);
    if (i.stride != 0 && i.on == axe::axis::null) i.on = axe::axis::m;
  };
  int const what = d.between(0, 3);
  if (what == 0 && !l.shards.empty())
    change(l.shards[d.between(0, l.shards.size() - 1)]);
  else if (what == 1 && !l.replicas.empty())
    change(l.replicas[d.between(0, l.replicas.size() - 1)]);
  else if (what == 2)
    add_offset(
        l, l.shards.empty() || l.shards[0].on == axe::axis::null ? axe::axis::m : l.shards[0].on,
        d.between(-2, 2));
  else if (!l.replicas.empty())
    l.replicas[0].extent = d.between(1, 4);
  axe::detail::order_offsets(l);
}

/// Makes a random case of one operation. If the operation rejects most random operands, the
/// operands are computed from a random result.
test_case random_case(dice& d, op what);

}  // namespace fuzz
