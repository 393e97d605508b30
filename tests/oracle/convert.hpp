// Converts layouts, shapes and coordinates between the library and the oracle. No other file
// connects them: neither the oracle nor the library includes the other.
//
//     m, lane and warp are the oracle's axes 0, 1 and 2, and the null axis is `nowhere`
#pragma once

#include "oracle/oracle.hpp"

#include <axe/layout/layout.hpp>
#include <axe/layout/shape.hpp>

namespace axe_test {

inline constexpr std::array<axe::axis, oracle::axes> known_axes{axe::axis::m, axe::axis::lane,
                                                                axe::axis::warp};

/// The oracle's number of an axis. `missing` is out of range of every vector, so that a layout on
/// an axis without a number stops the test.
constexpr int number_of(axe::axis a) {
  if (a == axe::axis::null) return oracle::nowhere;
  constexpr int missing = 1 << 20;
  for (int i = 0; i < oracle::axes; ++i)
    if (known_axes[static_cast<std::size_t>(i)] == a) return i;
  return missing;
}

constexpr oracle::digit to_oracle(axe::iter const& i) {
  return {i.extent, i.stride, number_of(i.on)};
}

constexpr oracle::place to_oracle(axe::place const& p) {
  oracle::place out{};
  for (axe::term const& t : p.terms) out.at(static_cast<std::size_t>(number_of(t.on))) = t.n;
  return out;
}

constexpr oracle::layout to_oracle(axe::layout const& l) {
  oracle::layout out;
  for (axe::iter const& i : l.shards) out.d.push_back(to_oracle(i));
  for (axe::iter const& i : l.replicas) out.r.push_back(to_oracle(i));
  for (axe::term const& t : l.offsets) out.o.at(static_cast<std::size_t>(number_of(t.on))) = t.n;
  out.f = {l.swizzle.M, l.swizzle.B, l.swizzle.S};
  return out;
}

constexpr axe::shape to_shape(std::vector<oracle::number> const& numbers) {
  axe::shape s;
  for (oracle::number n : numbers) s.append(axe::tree(n));
  return s;
}

constexpr axe::coordinate to_coordinate(std::vector<oracle::number> const& indices) {
  axe::coordinate c;
  for (oracle::number i : indices) c.append(axe::tree(i));
  return c;
}

/// The layout of these digits. Digits on `nowhere` are on the null axis.
constexpr axe::layout of_digits(std::vector<oracle::digit> const& digits) {
  axe::layout l;
  for (oracle::digit const& d : digits)
    l.shards.push({d.extent, d.stride,
                   d.on < 0 ? axe::axis::null : known_axes.at(static_cast<std::size_t>(d.on))});
  return l;
}

}  // namespace axe_test
