// Maps of layouts as plain numbers, fast enough for millions of cases, without the library.
//
//     place (p0, p1, p2, p3)         p0 + p1 * 2^16 + p2 * 2^32 + p3 * 2^48, unique for |p| < 2^15
//     S[(2,3):(7,1)] + R[2:1] + 5    d = 0 1 2 7 8 9, delta = 0 1, base = 5
//
// L(x) = { base + d[x] + r : r in delta }, where d[0] is 0 and 0 is the least of delta. Without
// swizzles, two maps are equal iff all three parts are. A swizzle acts on axis 0 of the sums; then
// the places of all elements are compared.
#pragma once

#include "oracle/oracle.hpp"

#include <cstdint>
#include <stdexcept>

namespace fuzz {

using oracle::digit;
using number = std::int64_t;

inline constexpr int axes = 4;
inline constexpr int axis_bits = 16;
inline constexpr number farthest = 32000;

struct out_of_range : std::runtime_error {
  out_of_range() : std::runtime_error("a place exceeds the range of the oracle's numbers") {}
};

constexpr number coded(number n, int axis) {
  return axis < 0 ? 0 : n * (number{1} << (axis * axis_bits));
}

/// The component of a place on one axis.
constexpr number component(number place, int axis) {
  for (int a = 0; a < axis; ++a)
    place = (place - static_cast<std::int16_t>(place & 0xffff)) / (number{1} << axis_bits);
  return static_cast<std::int16_t>(place & 0xffff);
}

/// True if a step has at most one component that is not 0.
constexpr bool on_one_axis(number step) {
  int moved = 0;
  for (int a = 0; a < axes; ++a) moved += component(step, a) != 0;
  return moved <= 1;
}

struct layout {
  std::vector<digit> d;
  std::vector<digit> r;
  std::array<number, axes> o{};
  oracle::swizzle f{};
};

struct map {
  std::vector<number> d;
  std::vector<number> delta{0};
  number base = 0;
  oracle::swizzle f{};

  std::size_t size() const { return d.size(); }
};

/// The sums of all digit values. The last digit is the fastest.
inline std::vector<number> sums(std::vector<digit> const& digits) {
  std::vector<number> out{0};
  for (digit const& i : digits) {
    number const step = coded(i.stride, i.on);
    std::vector<number> longer;
    longer.reserve(out.size() * static_cast<std::size_t>(i.extent));
    for (number at : out)
      for (number c = 0; c < i.extent; ++c) longer.push_back(at + c * step);
    out = std::move(longer);
  }
  return out;
}

inline std::vector<number> as_set(std::vector<number> numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  return numbers;
}

/// The same map with d[0] = 0, and with a sorted delta that starts at 0.
inline map normal(map m) {
  number const first = m.d.front();
  for (number& x : m.d) x -= first;
  m.delta = as_set(std::move(m.delta));
  number const least = m.delta.front();
  for (number& x : m.delta) x -= least;
  m.base += first + least;
  return m;
}

inline void check_range(layout const& l) {
  std::array<number, axes> reach{};
  for (int a = 0; a < axes; ++a)
    reach[static_cast<std::size_t>(a)] = std::abs(l.o[static_cast<std::size_t>(a)]);
  for (auto const* list : {&l.d, &l.r})
    for (digit const& i : *list)
      if (i.on >= 0) reach[static_cast<std::size_t>(i.on)] += (i.extent - 1) * std::abs(i.stride);
  for (number n : reach)
    if (n > farthest) throw out_of_range();
}

inline map map_of(layout const& l) {
  check_range(l);
  map m;
  m.d = sums(l.d);
  m.delta = sums(l.r);
  for (int a = 0; a < axes; ++a) m.base += coded(l.o[static_cast<std::size_t>(a)], a);
  m.f = l.f;
  return normal(std::move(m));
}

inline number swizzled(oracle::swizzle f, number place) {
  if (f.B == 0) return place;
  number const p0 = component(place, 0);
  return place - p0 + oracle::swizzled(f, p0);
}

/// The places of element x.
inline std::vector<number> places(map const& m, std::size_t x) {
  std::vector<number> here;
  here.reserve(m.delta.size());
  for (number r : m.delta) here.push_back(swizzled(m.f, m.base + m.d[x] + r));
  if (m.f.B != 0) std::sort(here.begin(), here.end());
  return here;
}

inline bool same(map const& a, map const& b) {
  if (a.size() != b.size()) return false;
  if (a.f.B == 0 && b.f.B == 0) return a.base == b.base && a.d == b.d && a.delta == b.delta;
  for (std::size_t x = 0; x < a.size(); ++x)
    if (places(a, x) != places(b, x)) return false;
  return true;
}

/// The set of sums x + y with x in a and y in b.
inline std::vector<number> sum_of_sets(std::vector<number> const& a, std::vector<number> const& b) {
  std::vector<number> all;
  all.reserve(a.size() * b.size());
  for (number x : a)
    for (number y : b) all.push_back(x + y);
  return as_set(std::move(all));
}

}  // namespace fuzz
