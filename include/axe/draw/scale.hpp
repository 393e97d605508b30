// SPDX-License-Identifier: MIT
// color_key: the number that colours a cell.
//
//     {axis::m, 8, 8}     m/8%8: the 16-byte chunk in a line of 64 two-byte elements
//
// The first place of an element colours its cell.
#pragma once

#include <axe/draw/joined.hpp>

#include <axe/layout/layout.hpp>
#include <axe/map/measures.hpp>
#include <axe/notation/print.hpp>

#include <map>
#include <string>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace drawing {

struct color_key {
  axis on = axis::null;
  integer divide = 1;
  integer modulo = 0;  // 0: no modulo

  integer value_at(integer position) const;
  std::string text() const;
};

/// Each value that colours a cell, with its text in the legend: 5 -> "5,9" for two replicas.
class color_scale {
 public:
  void add_value(integer value, std::string const& positions) { seen_.emplace(value, positions); }

  bool empty() const { return seen_.empty(); }
  bool few() const { return seen_.size() <= 8; }
  int classes() const { return few() ? static_cast<int>(seen_.size()) : 32; }
  int class_of(integer value) const;
  std::map<integer, std::string> const& values() const { return seen_; }

 private:
  std::map<integer, std::string> seen_;
};

inline std::string name_of_axis(axis a) {
  auto const text = to_text(a);
  return {text.begin(), text.end()};
}

inline integer color_key::value_at(integer position) const {
  integer const quotient = detail::floor_divide(position, divide);
  return modulo == 0 ? quotient : quotient - detail::floor_divide(quotient, modulo) * modulo;
}

inline std::string color_key::text() const {
  std::string out = name_of_axis(on);
  if (divide != 1) out += joined("/", divide);
  if (modulo != 0) out += joined("%", modulo);
  return out;
}

inline integer span_without_replicas(layout l, axis a) {
  l.replicas.clear();
  l.swizzle = {};
  return span(l, a);
}

/// The thread or device axis with the fewest positions, else the longest memory axis.
inline color_key default_key(layout const& l) {
  color_key key;
  integer best = 0;
  for (axis a : axes_of(l)) {
    integer const here = span_without_replicas(l, a);
    if (here == 1 || kind_of(a) == kind::memory) continue;
    if (best == 0 || here < best) {
      best = here;
      key.on = a;
    }
  }
  if (best > 0) return key;
  for (axis a : axes_of(l))
    if (span_without_replicas(l, a) > best) {
      best = span_without_replicas(l, a);
      key.on = a;
    }
  if (!l.swizzle.none() && key.on == axis::m) {  // colour the chunks that the swizzle moves
    key.divide = integer{1} << l.swizzle.M;
    key.modulo = integer{1} << (l.swizzle.S > 0 ? l.swizzle.S : l.swizzle.B - l.swizzle.S);
  }
  return key;
}

inline int color_scale::class_of(integer value) const {
  auto const found = seen_.find(value);
  if (found == seen_.end()) return 0;
  if (few()) return static_cast<int>(std::distance(seen_.begin(), found));
  // The ramp follows the value, so that gaps show. In double, because a span may need 64 bits.
  double const least = static_cast<double>(seen_.begin()->first);
  double const most = static_cast<double>(seen_.rbegin()->first);
  return static_cast<int>((static_cast<double>(value) - least) / (most - least) * (classes() - 1) +
                          0.5);
}

}  // namespace drawing
}  // namespace AXE_NAMESPACE
}  // namespace axe
