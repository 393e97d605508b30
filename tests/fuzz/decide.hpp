// Decides by trying everything whether any layout has a given map. The library uses other methods.
//
//     0 1 2 10 11 12        a digit list: (2:10)(3:1)
//     {0,1,3,4}             a set of sums: 1 + 3, the partition of 4 into 1 and 3
//
// A long digit splits into digits of prime extents, so every prime factor of the length is tried as
// the fastest digit. An iter (e:s) has the same sums as e - 1 iters (2:s), so every partition of
// the largest number is tried as a list of strides.
#pragma once

#include "fuzz/maps.hpp"

#include <bitset>
#include <optional>

namespace fuzz {

/// True if f, with f[0] = 0, is the map of a digit list.
inline bool is_digit_list(std::vector<number> const& f) {
  std::size_t const n = f.size();
  if (n == 1) return true;
  if (!on_one_axis(f[1])) return false;
  std::size_t left = n;
  for (std::size_t p = 2; left > 1; ++p) {
    if (left % p != 0) continue;
    while (left % p == 0) left /= p;
    bool repeats = true;
    for (std::size_t x = 0; repeats && x < n; ++x)
      repeats = f[x] == f[x - x % p] + static_cast<number>(x % p) * f[1];
    if (!repeats) continue;
    std::vector<number> above;
    above.reserve(n / p);
    for (std::size_t x = 0; x < n; x += p) above.push_back(f[x]);
    if (is_digit_list(above)) return true;
  }
  return false;
}

inline constexpr int set_bits = 512;
using bits = std::bitset<set_bits>;

/// True if adding some steps turns the set `now` into `whole`. The steps are multiples of `unit`,
/// at most `largest`, and add up to `left`. Each trial takes 1 from `effort`; below 0 the search
/// gives up.
inline bool reaches(bits const& now, bits const& whole, number left, number largest, number unit,
                    int& effort) {
  if (left == 0) return now == whole;
  for (number s = std::min(left, largest) / unit * unit; s >= unit; s -= unit) {
    if (--effort < 0) return false;
    bits const next = now | (now << static_cast<std::size_t>(s));
    if ((next & ~whole).any()) continue;
    if (reaches(next, whole, left - s, s, unit, effort)) return true;
  }
  return false;
}

/// The distinct components on one axis, less the smallest one.
inline std::vector<number> along(std::vector<number> const& set, int axis) {
  std::vector<number> values;
  for (number p : set) values.push_back(component(p, axis));
  values = as_set(std::move(values));
  number const least = values.front();
  for (number& v : values) v -= least;
  return values;
}

/// True if a list of iters exists with unit * Delta(list) + part = whole, where Delta is the set of
/// its sums. nullopt if the numbers are too large to try everything.
inline std::optional<bool> completes(std::vector<number> const& whole,
                                     std::vector<number> const& part, number unit) {
  if (part.back() > whole.back()) return false;
  if (whole.back() >= set_bits) return std::nullopt;
  bits to, from;
  for (number v : whole) to.set(static_cast<std::size_t>(v));
  for (number v : part) from.set(static_cast<std::size_t>(v));
  number const left = whole.back() - part.back();
  if ((from & ~to).any() || left % unit != 0) return false;
  int effort = 20'000;
  bool const found = reaches(from, to, left, left, unit, effort);
  if (!found && effort < 0) return std::nullopt;
  return found;
}

/// True if the set is the product of its components on each axis. Every set of sums of iters is
/// such a product, because an iter has one axis.
inline bool is_product(std::vector<number> const& set) {
  std::size_t combinations = 1;
  for (int a = 0; a < axes; ++a) combinations *= along(set, a).size();
  return combinations == set.size();
}

/// True if a set of distinct numbers is the set of sums of some iters.
inline std::optional<bool> is_sum_set(std::vector<number> const& set) {
  if (!is_product(set)) return false;
  bool known = true;
  for (int a = 0; a < axes; ++a) {
    std::optional<bool> const one = completes(along(set, a), {0}, 1);
    if (one && !*one) return false;
    known = known && one;
  }
  if (!known) return std::nullopt;
  return true;
}

using table = std::vector<std::vector<number>>;

/// The expected answer: a layout exists, none exists, or unknown. If the places of every element
/// are a translation of the same set, `as` is their map, even if no layout without a swizzle has
/// it. If an operand has a swizzle, `places` is set and is compared instead.
struct answer {
  enum { none, exists, unknown } is = none;
  map as{};
  table places{};
};

/// The answer for a map without a swizzle whose replicas are sums of iters: only d must be decided.
inline answer layout_of(map m) {
  m = normal(std::move(m));
  bool const digits = is_digit_list(m.d);
  return {digits ? answer::exists : answer::none, std::move(m)};
}

/// The answer for a list of sets of places. In a layout without a swizzle all sets are translations
/// of one set.
inline answer layout_of(table const& places) {
  map m;
  m.delta = places[0];
  for (std::vector<number> const& set : places) {
    if (set.size() != places[0].size()) return {};
    for (std::size_t i = 0; i < set.size(); ++i)
      if (set[i] - set[0] != places[0][i] - places[0][0]) return {};
    m.d.push_back(set[0] - places[0][0]);
  }
  m = normal(std::move(m));
  if (!is_digit_list(m.d)) return {answer::none, std::move(m)};
  std::optional<bool> const sums = is_sum_set(m.delta);
  if (sums && !*sums) return {};
  return {sums ? answer::exists : answer::unknown, std::move(m)};
}

/// The set of places of each element.
inline table table_of(map const& m) {
  table all;
  for (std::size_t x = 0; x < m.size(); ++x) all.push_back(places(m, x));
  return all;
}

/// The address that a swizzle maps to p0. The swizzle keeps some bits. The bits that it changes
/// follow from these, in at most B + 1 rounds.
inline number before_swizzle(oracle::swizzle f, number p0) {
  number a = p0;
  for (int round = 0; round <= f.B; ++round) a = p0 ^ a ^ oracle::swizzled(f, a);
  if (oracle::swizzled(f, a) != p0) throw std::logic_error("no address moves there");
  return a;
}

/// Decides whether a layout has these places, with or without a swizzle. A swizzle may use bits
/// above all addresses, which changes nothing. If addresses are negative, it may read the sign bit.
inline answer layout_behind_any(table const& places) {
  answer plain = layout_of(places);
  if (plain.is != answer::none) return plain;
  number least = 0, largest = 0;
  for (std::vector<number> const& set : places)
    for (number p : set) {
      if (p != component(p, 0)) return {};
      least = std::min(least, p), largest = std::max(largest, p);
    }
  int wide = 0;
  while ((largest >> wide) > 0 || (least >> wide) < -1) ++wide;
  bool known = true;
  table before = places;
  for (int M = 0; M < wide; ++M)
    for (int B = 1; M + B <= wide; ++B)
      for (int S = -wide; S <= wide; ++S) {
        bool const inside = M + B + std::abs(S) <= wide;
        if (S == 0 || !(inside || (least < 0 && S > 0 && M + S <= wide))) continue;
        oracle::swizzle const f{M, B, S};
        bool moved = true;  // true while all sets are translations of the first one
        for (std::size_t x = 0; moved && x < places.size(); ++x) {
          for (std::size_t i = 0; i < places[x].size(); ++i)
            before[x][i] = before_swizzle(f, places[x][i]);
          std::sort(before[x].begin(), before[x].end());
          moved = before[x].size() == before[0].size() &&
                  before[x].back() - before[x][0] == before[0].back() - before[0][0];
        }
        if (!moved) continue;
        answer found = layout_of(before);
        known = known && found.is != answer::unknown;
        if (found.is != answer::exists) continue;
        found.as.f = f;
        return found;
      }
  return {known ? answer::none : answer::unknown};
}

}  // namespace fuzz
