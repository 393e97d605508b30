// The required answers of operations on one layout, element by element, without the library.
//
//     slice      the places of the region's elements, in order
//     permute    P(c[order]) = L(c)
//     broadcast  the same places for every coordinate of the new dimension
//     group      one digit list for each dimension, whose sums are D
//     inverse    the element at each place
//     pack, unpack, rewrite      arithmetic on places
#pragma once

#include "fuzz/decide.hpp"

#include <map>

namespace fuzz {

using shape = std::vector<number>;

struct range {
  number begin = 0;
  number end = 0;
};

inline number size_of(shape const& s) {
  number n = 1;
  for (number e : s) n *= e;
  return n;
}

/// Calls visit with every coordinate of a shape, in row-major order.
template <class Visit> void for_each(shape const& s, Visit visit) {
  shape c(s.size(), 0);
  for (;;) {
    visit(c);
    std::size_t k = s.size();
    while (k > 0 && ++c[k - 1] == s[k - 1]) c[--k] = 0;
    if (k == 0) return;
  }
}

inline std::size_t position(shape const& s, shape const& c) {
  number at = 0;
  for (std::size_t k = 0; k < s.size(); ++k) at = at * s[k] + c[k];
  return static_cast<std::size_t>(at);
}

/// The answer for the map that has this d, and everything else from l.
inline answer with_elements(map const& l, std::vector<number> d) {
  map m = l;
  m.d = std::move(d);
  if (m.f.B == 0) return layout_of(std::move(m));
  answer a;
  a.places = table_of(m);
  return a;
}

inline bool is_region(shape const& s, std::vector<range> const& r) {
  if (s.size() != r.size()) return false;
  for (std::size_t k = 0; k < s.size(); ++k)
    if (r[k].begin < 0 || r[k].end > s[k] || r[k].begin >= r[k].end) return false;
  return true;
}

inline answer slice(map const& l, shape const& s, std::vector<range> const& r) {
  if (size_of(s) != static_cast<number>(l.size()) || !is_region(s, r)) return {};
  shape across;
  for (range const& one : r) across.push_back(one.end - one.begin);
  std::vector<number> d;
  d.reserve(static_cast<std::size_t>(size_of(across)));
  for_each(across, [&](shape const& c) {
    number at = 0;
    for (std::size_t k = 0; k < s.size(); ++k) at = at * s[k] + r[k].begin + c[k];
    d.push_back(l.d[static_cast<std::size_t>(at)]);
  });
  return with_elements(l, std::move(d));
}

inline bool is_order(shape const& s, shape const& order) {
  std::vector<bool> seen(s.size(), false);
  if (s.size() != order.size()) return false;
  for (number k : order) {
    if (k < 0 || k >= static_cast<number>(s.size()) || seen[static_cast<std::size_t>(k)])
      return false;
    seen[static_cast<std::size_t>(k)] = true;
  }
  return true;
}

inline answer permute(map const& l, shape const& s, shape const& order) {
  if (size_of(s) != static_cast<number>(l.size()) || !is_order(s, order)) return {};
  shape permuted;
  for (number k : order) permuted.push_back(s[static_cast<std::size_t>(k)]);
  std::vector<number> d;
  shape from(s.size());
  for_each(permuted, [&](shape const& c) {
    for (std::size_t i = 0; i < s.size(); ++i) from[static_cast<std::size_t>(order[i])] = c[i];
    d.push_back(l.d[position(s, from)]);
  });
  return with_elements(l, std::move(d));
}

inline answer broadcast(map const& l, shape const& s, number where, number extent) {
  if (size_of(s) != static_cast<number>(l.size()) || where < 0 ||
      where > static_cast<number>(s.size()) || extent < 1)
    return {};
  shape wider = s;
  wider.insert(wider.begin() + where, extent);
  std::vector<number> d;
  for_each(wider, [&](shape c) {
    c.erase(c.begin() + where);
    d.push_back(l.d[position(s, c)]);
  });
  return with_elements(l, std::move(d));
}

/// True if each dimension has a digit list and D is the sum of these lists.
inline bool groups(map const& l, shape const& s) {
  if (size_of(s) != static_cast<number>(l.size())) return false;
  std::vector<std::vector<number>> alone(s.size());
  for (std::size_t k = 0; k < s.size(); ++k) {
    shape c(s.size(), 0);
    for (c[k] = 0; c[k] < s[k]; ++c[k]) alone[k].push_back(l.d[position(s, c)]);
    if (!is_digit_list(alone[k])) return false;
  }
  bool adds_up = true;
  for_each(s, [&](shape const& c) {
    number sum = 0;
    for (std::size_t k = 0; k < s.size(); ++k) sum += alone[k][static_cast<std::size_t>(c[k])];
    adds_up = adds_up && sum == l.d[position(s, c)];
  });
  return adds_up;
}

/// The coarsest shape that refines all shapes, or nothing. It exists if, for any two boundaries of
/// these shapes, the position of one divides that of the other.
inline std::optional<shape> refinement(std::vector<shape> const& shapes) {
  std::vector<number> behind{1};
  for (shape const& s : shapes) {
    number n = 1;
    for (std::size_t k = s.size(); k > 0; --k) behind.push_back(n *= s[k - 1]);
  }
  behind = as_set(std::move(behind));
  shape refined;
  for (std::size_t i = 1; i < behind.size(); ++i) {
    if (behind[i] % behind[i - 1] != 0) return std::nullopt;
    refined.insert(refined.begin(), behind[i] / behind[i - 1]);
  }
  return refined;
}

/// p with n as its component on one axis.
inline number replaced(number p, int axis, number n) {
  return p + coded(n - component(p, axis), axis);
}

/// True if the swizzle changes an address of the layout. Otherwise it may be left out.
inline bool moves(map const& m) {
  for (std::size_t x = 0; x < m.size() && m.f.B != 0; ++x)
    for (number r : m.delta)
      if (swizzled(m.f, m.base + m.d[x] + r) != m.base + m.d[x] + r) return true;
  return false;
}
inline map without_idle(map m) {
  if (!moves(m)) m.f = {};
  return m;
}

inline number checked(number component) {
  if (component > farthest || component < -farthest) throw out_of_range();
  return component;
}

/// The answer if any layout with these places is right, whatever its swizzle.
inline answer any_layout_of(table all) {
  answer a;
  a.places = std::move(all);
  return a;
}

/// Replaces each element by n narrower ones, which are at n * component + i on axis a.
inline answer unpack(map const& l, number n, int a) {
  auto const widened = [&](number p, number i) {
    return replaced(p, a, checked(component(p, a) * n + i));
  };
  map m;
  table wide;
  for (std::size_t x = 0; x < l.size(); ++x)
    for (number i = 0; i < n; ++i) {
      m.d.push_back(widened(l.d[x], i));
      if (l.f.B == 0) continue;
      wide.emplace_back();
      for (number p : places(l, x)) wide.back().push_back(widened(p, i));
    }
  if (l.f.B != 0) return any_layout_of(std::move(wide));
  m.delta.clear();
  for (number r : l.delta) m.delta.push_back(widened(r, 0));
  m.base = widened(l.base, 0);
  return layout_of(std::move(m));
}

/// Joins every n elements to one. If element i of the n has component c_i on axis a, the new one
/// has (c_i - i) / n, which must be a whole number and the same for every i.
inline answer pack(map const& l, number n, int a) {
  if (static_cast<number>(l.size()) % n != 0) return {};
  map m;
  table narrow;
  auto const narrowed = [&](number p, number i) -> std::optional<number> {
    number const c = component(p, a) - i;
    if (c % n != 0) return std::nullopt;
    return replaced(p, a, c / n);
  };
  for (std::size_t x = 0; x < l.size(); ++x) {
    number const i = static_cast<number>(x) % n;
    std::vector<number> here;
    for (number p : l.f.B == 0 ? std::vector<number>{l.d[x]} : places(l, x)) {
      std::optional<number> const q = narrowed(p, i);
      if (!q) return {};
      here.push_back(*q);
    }
    std::sort(here.begin(), here.end());
    if (i == 0)
      narrow.push_back(std::move(here));
    else if (here != narrow.back())
      return {};
  }
  if (l.f.B != 0) return any_layout_of(std::move(narrow));
  for (std::vector<number> const& one : narrow) m.d.push_back(one[0]);
  m.delta.clear();
  for (number r : l.delta) {
    std::optional<number> const q = narrowed(r, 0);
    if (!q) return {};
    m.delta.push_back(*q);
  }
  std::optional<number> const base = narrowed(l.base, 0);
  if (!base) return {};
  m.base = *base;
  return layout_of(std::move(m));
}

/// Returns the element at every place of the smallest box on the named axes, as a number on axis 0.
/// Every place must have exactly one element.
inline answer inverse(map const& l, std::vector<int> const& named) {
  std::vector<range> box(named.size(), range{1, 0});
  std::map<std::vector<number>, number> held;
  for (std::size_t x = 0; x < l.size(); ++x)
    for (number p : places(l, x)) {
      std::vector<number> at;
      for (std::size_t i = 0; i < named.size(); ++i) {
        number const n = component(p, named[i]);
        if (box[i].end <= box[i].begin) box[i] = {n, n + 1};
        box[i] = {std::min(box[i].begin, n), std::max(box[i].end, n + 1)};
        at.push_back(n);
      }
      auto const [where, is_new] = held.emplace(at, static_cast<number>(x));
      if (!is_new && where->second != static_cast<number>(x)) return {};
    }
  number places_in_box = 1;
  for (range const& side : box) places_in_box *= side.end - side.begin;
  if (places_in_box != static_cast<number>(held.size())) return {};
  map m;
  for (auto const& [place, element] : held)
    m.d.push_back(coded(element, 0));  // the order of std::map is row-major
  return l.f.B == 0 ? layout_of(std::move(m)) : any_layout_of(table_of(m));
}

/// whole = the sum of factor * part. Factors descend, and the last one is 1.
struct composition {
  int whole = 0;
  std::vector<std::pair<number, int>> parts;
};

/// Moves p's components on the parts to the whole. Nothing if a part after the first is out of
/// range.
inline std::optional<number> joined(number p, composition const& c) {
  number sum = 0;
  for (std::size_t i = 0; i < c.parts.size(); ++i) {
    auto const [factor, axis] = c.parts[i];
    number const n = component(p, axis);
    if (i > 0 && (n < 0 || n >= c.parts[i - 1].first / factor)) return std::nullopt;
    sum += factor * n;
    p = replaced(p, axis, 0);
  }
  return replaced(p, c.whole, component(p, c.whole) + sum);
}
inline number split(number p, composition const& c) {
  number left = component(p, c.whole);
  p = replaced(p, c.whole, 0);
  for (auto const& [factor, axis] : c.parts) {
    number const n = axis == c.parts[0].second
                         ? (left >= 0 ? left / factor : -((-left + factor - 1) / factor))
                         : left / factor;
    left -= n * factor;
    p = replaced(p, axis, n);
  }
  return p;
}

inline answer rewrite(map const& l, composition const& c, bool to_parts) {
  table all;
  for (std::size_t x = 0; x < l.size(); ++x) {
    std::vector<number> here;
    for (number p : places(l, x)) {
      std::optional<number> const moved = to_parts ? split(p, c) : joined(p, c);
      if (!moved) return {};
      here.push_back(*moved);
    }
    all.push_back(as_set(std::move(here)));
  }
  return layout_of(all);
}

}  // namespace fuzz
