// Makes random swizzled CuTe layouts and lists their places. Decides by brute force whether the
// inverse of a layout is a layout, and whether its places in wider elements are those of a layout.
// Both may have a swizzle.
//
//     places(Sw<1,0,1> o 0 o 4:1)                0 1 3 2
//     is_layout({0, 1, 3, 2}, all_of(4, true))   true: Sw<1,0,1> makes them from 0 1 2 3
#pragma once

#include "plain.hpp"
#include "support/dice.hpp"

#include <axe/cute.hpp>

namespace enumerated {

namespace cute = axe::cute;
using plain::number;

struct xors {
  int M = 0, B = 0, S = 1;

  number of(number place) const {
    number const field = (number{1} << B) - 1;
    if (S >= 0) return place ^ ((place >> (M + S) & field) << M);
    return place ^ ((place >> M & field) << (M - S));
  }
  /// The inverse of `of`. The bits that `of` keeps are right at first. Each round corrects the bits
  /// that are XORed with bits that are already right.
  number before(number address) const {
    number place = address;
    for (int round = 0; round <= B; ++round) place = address ^ of(place) ^ place;
    return place;
  }
};

/// The identity and, if `swizzled`, all swizzles that read and write only bits up to bit `bits`.
inline std::vector<xors> swizzles(int bits, bool swizzled) {
  std::vector<xors> all{{}};
  for (int M = 0; swizzled && M <= bits; ++M)
    for (int B = 1; M + B <= bits + 1; ++B)
      for (int S = 1; M + B + S <= bits + 1; ++S) {
        all.push_back({M, B, S});
        all.push_back({M, B, -S});
      }
  return all;
}

inline plain::mode leaves(cute::layout const& l) {
  plain::mode all;
  for (int k = 0; k < l.leaf_count(); ++k) all.emplace_back(l[k].extent, l[k].stride);
  return all;
}
inline std::vector<number> places(cute::layout const& l) {
  std::vector<number> all = plain::values(leaves(l));
  for (number& place : all)
    place = xors{l.swizzle().M, l.swizzle().B, l.swizzle().S}.of(l.offset() + place);
  return all;
}

struct source : axe_test::dice<number> {
  using dice::dice;

  /// One to three digits, mostly powers of two, compact in some order, sometimes with a gap, a
  /// stride of 0, a negative stride or an offset. Its swizzle need not change any place.
  cute::layout layout(number most = 3) {
    std::vector<plain::leaf> digits(static_cast<std::size_t>(between(1, 3)));
    number next = 1;
    std::vector<std::size_t> order(digits.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::shuffle(order.begin(), order.end(), engine);
    for (std::size_t k : order) {
      digits[k] = {one_in(4) ? 3 : number{1} << between(1, most), next};
      next *= digits[k].first * (one_in(4) ? 2 : 1);
      if (one_in(16)) digits[k].second = 0;
    }
    cute::layout l;
    cute::detail::add_group(l, static_cast<int>(digits.size()));
    if (one_in(3)) l.set_offset(one_in(2) ? number{1} << between(0, 5) : between(1, 20));
    for (plain::leaf& d : digits) {
      if (one_in(12)) {
        d.second = -d.second;
        if (!one_in(4)) l.set_offset(l.offset() - (d.first - 1) * d.second);
      }
      cute::detail::add_leaf(l, {d.first, d.second});
    }
    int const fields = static_cast<int>(between(1, 2));
    int const step = static_cast<int>(between(fields, 3));
    if (!one_in(8))
      l.map.swizzle = {static_cast<int>(between(0, 3)), fields, one_in(2) ? step : -step};
    return l;
  }

  /// Two or three digits of powers of two with up to 512 elements and a swizzle, compact in some
  /// order, sometimes with a gap or a negative stride.
  cute::layout bits() {
    std::vector<plain::leaf> digits(static_cast<std::size_t>(between(2, 3)));
    std::vector<std::size_t> order(digits.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::shuffle(order.begin(), order.end(), engine);
    number next = 1;
    for (std::size_t k : order) {
      digits[k] = {number{1} << between(1, 3), next};
      next *= digits[k].first * (one_in(6) ? 2 : 1);
    }
    cute::layout l;
    cute::detail::add_group(l, static_cast<int>(digits.size()));
    for (plain::leaf& d : digits) {
      if (one_in(8)) {
        d.second = -d.second;
        l.set_offset(l.offset() - (d.first - 1) * d.second);
      }
      cute::detail::add_leaf(l, {d.first, d.second});
    }
    if (one_in(8)) l.set_offset(l.offset() + next);
    int const fields = static_cast<int>(between(1, 3));
    int const step = static_cast<int>(between(fields, 4));
    l.map.swizzle = {static_cast<int>(between(0, 4)), fields, one_in(3) ? -step : step};
    return l;
  }

  /// Two or three stages of a layout of bits(), at a distance of whole periods of its swizzle. The
  /// first stage begins at a multiple of half a period.
  cute::layout stages() {
    cute::layout l = bits();
    number const period = number{1} << (l.swizzle().M + l.swizzle().B + std::abs(l.swizzle().S));
    number next = 1;
    for (plain::leaf const& d : leaves(l)) next += (d.first - 1) * std::abs(d.second);
    number const apart = ((next - 1) / period + between(1, 3)) * period;
    l.set_offset(l.offset() + between(0, 5) * (period / 2));
    ++l.profile.at[0];
    cute::detail::add_leaf(l, {between(2, 3), apart});
    return l;
  }
};

/// For the places 0, 1, 2, … the first element that lies there, up to the first place without one.
inline std::vector<number> elements_at(std::vector<number> const& v) {
  std::map<number, number> first;
  for (std::size_t i = v.size(); i-- > 0;) first[v[i]] = static_cast<number>(i);
  std::vector<number> found;
  while (first.count(static_cast<number>(found.size())) != 0)
    found.push_back(first[static_cast<number>(found.size())]);
  return found;
}

inline int bits_of(number n) {
  int bits = 0;
  while (n >> bits > 0) ++bits;
  return bits;
}

/// All swizzles that may change places below n, and the identity.
inline std::vector<xors> all_of(std::size_t n, bool swizzled) {
  return swizzles(bits_of(static_cast<number>(n) - 1), swizzled);
}

/// True if one of the swizzles, applied to some layout, gives these values.
inline bool is_layout(std::vector<number> const& wanted, std::vector<xors> const& behind) {
  for (xors const& g : behind) {
    std::vector<number> before;
    for (number n : wanted) before.push_back(g.before(n) - g.before(wanted[0]));
    if (plain::is_digit_list(before)) return true;
  }
  return false;
}

/// True if some layout with an offset maps each of these places to its value. Tries every boundary
/// and stride of each digit. The product of the extents is at most `largest`, and no stride has a
/// magnitude above `reach`.
inline bool has_left_inverse(std::map<number, number> const& wanted, number largest, number reach) {
  number const begin = wanted.begin()->first;
  for (number stride = -reach; stride <= reach; ++stride) {
    bool agrees = true;
    for (auto const& [place, n] : wanted)
      agrees = agrees && n == wanted.begin()->second + stride * (place - begin);
    if (agrees) return true;
  }
  for (number n = 2; n <= largest; ++n)
    for (number s = -reach; s <= reach; ++s) {
      std::map<number, number> rest;
      bool agrees = true;
      for (auto const& [place, value] : wanted) {
        auto const [it, fresh] = rest.emplace(place / n, value - place % n * s);
        agrees = agrees && (fresh || it->second == value - place % n * s);
      }
      if (agrees && has_left_inverse(rest, largest / n, reach)) return true;
    }
  return false;
}

/// True if some swizzle gives these places when it is applied to the sums of one digit list per
/// mode.
inline bool are_a_layout(std::vector<number> const& places, plain::mode const& modes,
                         bool swizzled) {
  if (places.empty()) return false;
  number most = 0;
  for (number place : places) most = std::max(most, std::abs(place));
  for (xors const& g : swizzles(bits_of(most), swizzled)) {
    std::vector<number> before;
    for (number place : places) before.push_back(g.before(place) - g.before(places[0]));
    std::vector<number> sums{0};
    bool each = true;
    number weight = 1;
    for (plain::leaf const& d : modes) {
      std::vector<number> mode, more;
      for (number c = 0; c < d.first && each; ++c)
        mode.push_back(before[static_cast<std::size_t>(c * weight)]);
      each = each && plain::is_digit_list(mode);
      for (number m : mode)
        for (number s : sums) more.push_back(s + m);
      sums = more;
      weight *= d.first;
    }
    if (each && sums == before) return true;
  }
  return false;
}

/// The places floor(L / n) of an upcast, after each digit is divided by its number of elements in
/// one wide element. Empty if a division is not whole or one coordinate would have two places.
struct wide_elements {
  plain::mode modes;  // the divided extents; their strides are not used
  std::vector<number> places;

  wide_elements(cute::layout const& l, number n) {
    std::vector<number> in_one;
    for (plain::leaf const& d : leaves(l)) {
      number const step = std::abs(d.second);
      bool const keeps = d.first == 1 || step % n == 0;
      if (!keeps && n % step != 0) return;
      in_one.push_back(keeps ? 1 : std::min(n / step, d.first));
      if (d.first % in_one.back() != 0) return;
      modes.emplace_back(d.first / in_one.back(), 0);
    }
    std::map<number, number> found;
    std::vector<number> const v = enumerated::places(l);
    for (std::size_t i = 0; i < v.size(); ++i) {
      number rest = static_cast<number>(i), j = 0, weight = 1;
      for (std::size_t k = 0; k < modes.size(); ++k) {
        j += rest % (modes[k].first * in_one[k]) / in_one[k] * weight;
        weight *= modes[k].first;
        rest /= modes[k].first * in_one[k];
      }
      number const place = v[i] >= 0 ? v[i] / n : -((-v[i] + n - 1) / n);
      if (found.emplace(j, place).first->second != place) return;
    }
    for (auto const& [j, place] : found) places.push_back(place);
  }
};

}  // namespace enumerated
