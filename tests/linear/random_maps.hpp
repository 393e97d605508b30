// Makes random linear maps from a seed, and converts them for the oracle (linear/walk.hpp).
//
//     random_map(d, {reg, lane, warp}, {dim0, dim1, m}, 2)      up to 2 bits per axis
//     to_oracle(m)                                            axes as numbers, the matrix as rows
#pragma once

#include "linear/walk.hpp"
#include "oracle/convert.hpp"
#include "oracle/samples.hpp"

#include <axe/linear/divide.hpp>

namespace axe_test {

using axe::bit_word;
using axe::linear_map;

/// The oracle's number of an axis. m, lane and warp are 0 to 2 as in tests/oracle, and other axes
/// follow. An axis without a number stops the test.
constexpr int bit_axis_number(axe::axis a) {
  using namespace axe::axes;
  constexpr axe::axis numbered[]{m,      lane,   warp,   reg, replica, dim<0>,
                                 dim<1>, dim<2>, dim<3>, P,   F,       cta_x};
  int n = 0;
  for (axe::axis const one : numbered) {
    if (one == a) return n;
    ++n;
  }
  throw "an axis without a number";
}

constexpr oracle::bit_axes to_oracle(axe::linear_axes const& side) {
  oracle::bit_axes out;
  for (axe::linear_axis const& a : side.axes) out.push_back({bit_axis_number(a.on), a.bits});
  return out;
}

constexpr oracle::bit_map to_oracle(linear_map const& map) {
  oracle::bit_map out{to_oracle(map.in), to_oracle(map.out), {}, map.offset};
  for (int r = 0; r < map.matrix.rows; ++r) {
    oracle::word row = 0;
    for (int c = 0; c < map.matrix.columns; ++c)
      if (map.matrix.at(r, c)) row += oracle::word{1} << c;
    out.rows.push_back(row);
  }
  return out;
}

constexpr std::vector<int> to_oracle(axe::axis_list const& named) {
  std::vector<int> out;
  for (axe::axis a : named) out.push_back(bit_axis_number(a));
  return out;
}

/// A map from up to three axes to up to three axes, with up to `most` bits for each axis. In a
/// third of the maps each column has at most one 1; in the others every entry is random.
constexpr linear_map random_map(random_source& d, axe::axis const (&from)[3],
                                axe::axis const (&to)[3], int most) {
  axe::linear_axes in;
  axe::linear_axes out;
  int const turn_in = d.between(0, 2);
  int const turn_out = d.between(0, 2);
  for (int i = 0; i < 3; ++i) {
    if (d.between(0, 3) != 0) in.axes.push({from[(i + turn_in) % 3], d.between(0, most)});
    if (d.between(0, 3) != 0) out.axes.push({to[(i + turn_out) % 3], d.between(0, most)});
  }
  linear_map m(in, out);
  bit_word const all = (bit_word{1} << m.matrix.rows) - 1;
  bool const sparse = d.between(0, 2) == 0;
  for (int c = 0; c < m.matrix.columns; ++c) {
    if (sparse && m.matrix.rows > 0)
      m.matrix.column[c] =
          d.between(0, 4) == 0 ? 0 : bit_word{1} << d.between(0, m.matrix.rows - 1);
    else
      m.matrix.column[c] = d.next() & all;
  }
  if (d.between(0, 2) == 0) m.offset = d.next() & all;
  return m;
}

/// A map from dim<0> with up to two bits, dim<1> with up to one, and replicas. It maps to addresses
/// below 16, or to m and lane with numbers below 4 on each.
constexpr linear_map random_map_to_places(random_source& d) {
  using namespace axe::axes;
  axe::linear_axes const out =
      d.between(0, 2) == 0 ? axe::linear_axes{{m, 2}, {lane, 2}} : axe::linear_axes{{m, 4}};
  linear_map map({{dim<0>, d.between(0, 2)}, {dim<1>, d.between(0, 1)}, {replica, d.between(0, 2)}},
                 out);
  for (int c = 0; c < map.matrix.columns; ++c)
    map.matrix.column[c] = static_cast<bit_word>(d.between(0, 15));
  if (d.between(0, 2) == 0) map.offset = static_cast<bit_word>(d.between(0, 15));
  return map;
}

/// Another map with the same places. Another replica of an element may come first. The replicas are
/// the last input axis.
constexpr linear_map with_random_first_replica(random_source& d, linear_map map) {
  int const replica_bits = map.in.bits_on(axe::axes::replica);
  int const elements = map.matrix.columns - replica_bits;
  for (int k = 0; k < replica_bits; ++k) {
    bit_word const along = map.matrix.column[elements + k];
    for (int c = 0; c < elements; ++c)
      if (d.between(0, 1) == 1) map.matrix.column[c] ^= along;
    if (d.between(0, 1) == 1) map.offset ^= along;
  }
  return map;
}

/// The same map, with the first axis of each side moved to its end.
constexpr linear_map with_first_axes_last(linear_map const& map) {
  auto const first_last = [](axe::linear_axes side) {
    if (side.axes.empty()) return side;
    side.axes.push(side.axes[0]);
    side.axes.erase(0);
    return side;
  };
  linear_map out(first_last(map.in), first_last(map.out));
  int const columns = map.matrix.columns, rows = map.matrix.rows;
  auto const moved = [&](bit_word y) {
    int const low = map.out.axes.empty() ? 0 : map.out.axes[0].bits;
    return low == rows ? y : (y >> low) | ((y & ((bit_word{1} << low) - 1)) << (rows - low));
  };
  for (int c = 0; c < columns; ++c)
    out.matrix.column[(c + columns - map.in.axes[0].bits) % columns] = moved(map.matrix.column[c]);
  out.offset = moved(map.offset);
  return out;
}

/// The arguments of a call quotient(map, kept).
struct quotient_arguments {
  linear_map map;
  axe::axis_list kept;
};
/// If a random map lacks an axis of `kept`, it is multiplied by the identity on that axis. In half
/// of the maps one entry is flipped.
constexpr quotient_arguments random_quotient_arguments(random_source& d) {
  using namespace axe::axes;
  constexpr axe::axis keeps[2]{warp, lane};
  quotient_arguments c{random_map(d, {reg, lane, m}, {reg, lane, m}, 1), {}};
  for (int k = d.between(1, 2); k > 0; --k) {
    axe::axis const axis = keeps[k - 1];
    if (!c.map.in.names(axis) && !c.map.out.names(axis))
      c.map = axe::multiply(c.map, axe::linear_identity(axis, d.between(0, 2), axis));
    c.kept.push(axis);
  }
  axe::bit_matrix& matrix = c.map.matrix;
  if (d.between(0, 1) == 1 && matrix.columns > 0 && matrix.rows > 0)
    matrix.column[d.between(0, matrix.columns - 1)] ^= bit_word{1} << d.between(0, matrix.rows - 1);
  return c;
}

}  // namespace axe_test
