// The required answers of operations on two layouts, computed element by element without the
// library.
//
//     direct_sum   L(p,q) = A(p) + B(q) on dimensions that alternate between A's and B's
//     tile         the same with sigma*A(p), where sigma is the span of B on each axis
//     factors      a layout that fulfils the equation; its D is T at element 0 of the known operand
//     compose      C(x) = the union of A(b) over the places b of B(x)
#pragma once

#include "fuzz/expected.hpp"

namespace fuzz {

/// The number of positions from the least to the largest place on an axis.
inline number span(map const& m, int axis) {
  range seen{component(places(m, 0)[0], axis), component(places(m, 0)[0], axis)};
  if (m.f.B == 0) {  // without a swizzle, the extremes of d and delta add up
    range d{}, r{};
    for (number x : m.d)
      d = {std::min(d.begin, component(x, axis)), std::max(d.end, component(x, axis))};
    for (number x : m.delta)
      r = {std::min(r.begin, component(x, axis)), std::max(r.end, component(x, axis))};
    return 1 + d.end - d.begin + r.end - r.begin;
  }
  for (std::size_t x = 0; x < m.size(); ++x)
    for (number p : places(m, x))
      seen = {std::min(seen.begin, component(p, axis)), std::max(seen.end, component(p, axis))};
  return 1 + seen.end - seen.begin;
}

using factors = std::array<number, axes>;

inline factors spans(map const& m) {
  factors sigma{};
  for (int a = 0; a < axes; ++a) sigma[static_cast<std::size_t>(a)] = span(m, a);
  return sigma;
}

inline number times(number p, factors const& sigma) {
  number out = 0;
  for (int a = 0; a < axes; ++a) {
    number const n = component(p, a) * sigma[static_cast<std::size_t>(a)];
    if (n > farthest || n < -farthest) throw out_of_range();
    out += coded(n, a);
  }
  return out;
}

inline map scaled(map m, factors const& sigma) {
  for (auto* list : {&m.d, &m.delta})
    for (number& x : *list) x = times(x, sigma);
  m.base = times(m.base, sigma);
  return m;
}

/// The shape with alternating dimensions of A and B. each() visits the element of A and of B for
/// each of its elements.
struct alternating {
  shape outer, inner, both;

  alternating(shape const& a, shape const& b) : outer(a), inner(b) {
    for (std::size_t k = 0; k < a.size(); ++k) both.insert(both.end(), {a[k], b[k]});
  }
  template <class Visit> void each(Visit visit) const {
    for_each(both, [&](shape const& c) {
      number p = 0, q = 0;
      for (std::size_t k = 0; k < outer.size(); ++k) {
        p = p * outer[k] + c[2 * k];
        q = q * inner[k] + c[2 * k + 1];
      }
      visit(static_cast<std::size_t>(p), static_cast<std::size_t>(q));
    });
  }
};

inline void check_sum(map const& a, map const& b) {
  for (int axis = 0; axis < axes; ++axis)
    if (span(map{a.d, a.delta, a.base, {}}, axis) + span(map{b.d, b.delta, b.base, {}}, axis) +
            std::abs(component(a.base, axis)) + std::abs(component(b.base, axis)) >
        farthest)
      throw out_of_range();
}

/// The map of the sum of a plain A and B, even if it is not a layout.
inline map sum_map(map const& a, map const& b, alternating const& domain) {
  check_sum(a, b);
  map m;
  m.d.reserve(a.size() * b.size());
  domain.each([&](std::size_t p, std::size_t q) { m.d.push_back(a.d[p] + b.d[q]); });
  m.delta = sum_of_sets(a.delta, b.delta);
  m.base = a.base + b.base;
  m.f = b.f;
  return m;
}

inline bool fit(map const& a, shape const& s_a, map const& b, shape const& s_b) {
  return s_a.size() == s_b.size() && size_of(s_a) == static_cast<number>(a.size()) &&
         size_of(s_b) == static_cast<number>(b.size());
}

/// All sums of a place of A(p), multiplied by `scale`, and a place of B(q).
inline table sums_of_sets(map const& a, factors const& scale, map const& b,
                          alternating const& domain) {
  table sums;
  domain.each([&](std::size_t p, std::size_t q) {
    std::vector<number> here;
    for (number outer : places(a, p))
      for (number inner : places(b, q)) here.push_back(times(outer, scale) + inner);
    sums.push_back(as_set(std::move(here)));
  });
  return sums;
}

inline constexpr factors ones{1, 1, 1, 1};

/// The sum of A, with its places multiplied by `scale`, and B.
inline answer scaled_sum(map a, shape const& s_a, factors const& scale, map b, shape const& s_b) {
  if (!fit(a, s_a, b, s_b)) return {};
  a = without_idle(std::move(a));
  b = without_idle(std::move(b));
  if (a.f.B == 0 && b.f.B == 0) return layout_of(sum_map(scaled(a, scale), b, {s_a, s_b}));
  return any_layout_of(sums_of_sets(a, scale, b, {s_a, s_b}));
}

inline answer direct_sum(map const& a, shape const& s_a, map const& b, shape const& s_b) {
  return scaled_sum(a, s_a, ones, b, s_b);
}

inline answer tile(map const& a, shape const& s_a, map const& b, shape const& s_b) {
  return scaled_sum(a, s_a, spans(b), b, s_b);
}

/// True if on each axis a list of iters exists with scale * Delta(list) + part = whole.
inline std::optional<bool> completes(map const& whole, map const& part, factors const& scale) {
  bool known = true;
  for (int a = 0; a < axes; ++a) {
    std::optional<bool> const one =
        completes(along(whole.delta, a), along(part.delta, a), scale[static_cast<std::size_t>(a)]);
    if (one && !*one) return false;
    known = known && one;
  }
  return known ? std::optional(true) : std::nullopt;
}

inline bool divides(std::vector<number> const& values, factors const& by) {
  for (number v : values)
    for (int a = 0; a < axes; ++a)
      if (component(v, a) % by[static_cast<std::size_t>(a)] != 0) return false;
  return true;
}

/// The shape of the other operand, if `part` divides `whole` dimension by dimension.
inline std::optional<shape> quotient(shape const& whole, shape const& part) {
  if (whole.size() != part.size()) return std::nullopt;
  shape other;
  for (std::size_t k = 0; k < whole.size(); ++k) {
    if (whole[k] % part[k] != 0) return std::nullopt;
    other.push_back(whole[k] / part[k]);
  }
  return other;
}

/// `outer` is T at the elements with element 0 of the inner operand, `inner` is T at those with
/// element 0 of the outer one. T must be the sum of both.
struct parted {
  std::vector<number> outer, inner;
  bool adds_up = true;

  parted(map const& t, alternating const& domain)
      : outer(static_cast<std::size_t>(size_of(domain.outer))),
        inner(static_cast<std::size_t>(size_of(domain.inner))) {
    std::size_t x = 0;
    domain.each([&](std::size_t p, std::size_t q) {
      if (q == 0) outer[p] = t.d[x];
      if (p == 0) inner[q] = t.d[x];
      ++x;
    });
    x = 0;
    domain.each([&](std::size_t p, std::size_t q) {
      adds_up = adds_up && t.d[x++] == outer[p] + inner[q];
    });
  }
};

/// True if an A exists with tile(A, S_T/S_B, B, S_B) = T, or with the direct sum if sigma is 1. The
/// layouts have no swizzles.
inline std::optional<bool> has_outer(map const& t, shape const& s_t, map const& b, shape const& s_b,
                                     factors const& sigma) {
  std::optional<shape> const s_a = quotient(s_t, s_b);
  if (!s_a || size_of(s_t) != static_cast<number>(t.size()) ||
      size_of(s_b) != static_cast<number>(b.size()))
    return false;
  parted const parts(t, {*s_a, s_b});
  if (!parts.adds_up || parts.inner != b.d) return false;
  if (!divides(parts.outer, sigma) || !divides({t.base - b.base}, sigma)) return false;
  if (!is_digit_list(parts.outer)) return false;
  return completes(t, b, sigma);
}

/// True if a B exists with direct_sum(sigma*A, S_A, B, S_T/S_A) = T. The layouts have no swizzles.
/// For a tile, sigma must be the span of B. The reach of B's replicas must be the reach of T's
/// replicas minus sigma times that of A's.
inline std::optional<bool> has_inner(map const& t, shape const& s_t, map const& a, shape const& s_a,
                                     bool tiled) {
  std::optional<shape> const s_b = quotient(s_t, s_a);
  if (!s_b || size_of(s_t) != static_cast<number>(t.size()) ||
      size_of(s_a) != static_cast<number>(a.size()))
    return false;
  parted const parts(t, {s_a, *s_b});
  if (!parts.adds_up || !is_digit_list(parts.inner)) return false;
  bool known = true;
  for (int axis = 0; axis < axes; ++axis) {
    std::vector<number> const whole = along(t.delta, axis);
    std::vector<number> const part = along(a.delta, axis);
    number const inner_span = 1 + along(parts.inner, axis).back();
    bool found = false;
    number const most = tiled ? inner_span + whole.back() : 1;
    for (number sigma = 1; sigma <= most && !found; ++sigma) {
      if (tiled && sigma != inner_span + whole.back() - sigma * part.back()) continue;
      bool fits = true;
      for (std::size_t p = 0; p < a.size(); ++p)
        fits = fits && component(parts.outer[p], axis) == sigma * component(a.d[p], axis);
      if (!fits) continue;
      std::vector<number> moved = part;
      for (number& v : moved) v *= sigma;
      std::optional<bool> const one = completes(whole, moved, 1);
      if (!one) known = false;
      found = !one || *one;
    }
    if (!found) return false;
  }
  return known ? std::optional(true) : std::nullopt;
}

/// All numbers a for which sigma * a + k is in `whole` for each k of `known`. The other operand's
/// places at an element must be among them.
inline std::vector<number> eroded(std::vector<number> const& whole,
                                  std::vector<number> const& known, factors const& sigma) {
  std::vector<number> left;
  for (number at : whole) {
    if (!divides({at - known[0]}, sigma)) continue;
    bool fits = true;
    for (number k : known)
      fits = fits && std::binary_search(whole.begin(), whole.end(), at - known[0] + k);
    if (!fits) continue;
    number quotient = 0;
    for (int a = 0; a < axes; ++a)
      quotient += coded(component(at - known[0], a) / sigma[static_cast<std::size_t>(a)], a);
    left.push_back(quotient);
  }
  std::sort(left.begin(), left.end());
  return left;
}

/// The other operand of T if a swizzle is involved: the places that fit the known operand at every
/// element. If the known operand has replicas, fewer places may give the same sums. The library
/// must find the layout of all these places. It may reject T if only some of them are a layout.
inline answer factor_behind_swizzle(map const& t, alternating const& domain, bool outer,
                                    map const& known, factors const& known_by,
                                    factors const& sigma) {
  auto const known_at = [&](std::size_t y) {
    std::vector<number> own = places(known, y);
    for (number& n : own) n = times(n, known_by);
    std::sort(own.begin(), own.end());
    return own;
  };
  table part;
  std::size_t x = 0;
  domain.each([&](std::size_t p, std::size_t q) {
    std::size_t const mine = outer ? p : q, theirs = outer ? q : p;
    std::vector<number> left = eroded(places(t, x++), known_at(theirs), sigma);
    if (mine == part.size()) {
      part.push_back(std::move(left));
    } else {
      std::vector<number> both;
      std::set_intersection(part[mine].begin(), part[mine].end(), left.begin(), left.end(),
                            std::back_inserter(both));
      part[mine] = std::move(both);
    }
  });
  bool any = true;
  for (std::vector<number> const& one : part) any = any && !one.empty();
  if (!any) return {};
  x = 0;
  bool adds_up = true;
  domain.each([&](std::size_t p, std::size_t q) {
    std::vector<number> sum;
    for (number n : part[outer ? p : q])
      for (number own : known_at(outer ? q : p)) sum.push_back(times(n, sigma) + own);
    adds_up = adds_up && as_set(std::move(sum)) == places(t, x++);
  });
  if (!adds_up) return {};
  // Operands without a swizzle compose to layouts without one. If T is not such a layout, this
  // operand is wrong although its places add up to T. Another operand may exist.
  if (known.f.B == 0 && layout_of(part).is == answer::exists &&
      layout_of(table_of(t)).is == answer::none)
    return {answer::unknown};
  return any_layout_of(std::move(part));
}

inline answer outer_behind_swizzle(map const& t, shape const& s_t, map const& b, shape const& s_b,
                                   factors const& sigma) {
  std::optional<shape> const s_a = quotient(s_t, s_b);
  if (!s_a || size_of(s_t) != static_cast<number>(t.size()) ||
      size_of(s_b) != static_cast<number>(b.size()))
    return {};
  return factor_behind_swizzle(t, {*s_a, s_b}, true, b, ones, sigma);
}

/// sigma is the quotient of the spans, because the span of a tile is the product of both spans.
inline answer inner_behind_swizzle(map const& t, shape const& s_t, map const& a, shape const& s_a,
                                   bool tiled) {
  std::optional<shape> const s_b = quotient(s_t, s_a);
  if (!s_b || size_of(s_t) != static_cast<number>(t.size()) ||
      size_of(s_a) != static_cast<number>(a.size()))
    return {};
  factors sigma = ones;
  for (int axis = 0; axis < axes && tiled; ++axis) {
    if (span(t, axis) % span(a, axis) != 0) return {};
    sigma[static_cast<std::size_t>(axis)] = span(t, axis) / span(a, axis);
  }
  return factor_behind_swizzle(t, {s_a, *s_b}, false, a, sigma, ones);
}

/// A(B(x)) for each element x, where B is on one axis. Empty if B leaves the elements of A.
inline table composed(map const& a, map const& b, int axis_of_b) {
  table all;
  for (std::size_t x = 0; x < b.size(); ++x) {
    std::vector<number> here;
    for (number q : places(b, x)) {
      number const element = component(q, axis_of_b);
      if (element < 0 || element >= static_cast<number>(a.size())) return {};
      for (number p : places(a, static_cast<std::size_t>(element))) here.push_back(p);
    }
    all.push_back(as_set(std::move(here)));
  }
  return all;
}

inline bool has_table(map const& m, table const& all) {
  if (m.size() != all.size()) return false;
  for (std::size_t x = 0; x < m.size(); ++x)
    if (places(m, x) != all[x]) return false;
  return true;
}

}  // namespace fuzz
