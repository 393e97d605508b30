// Compares shardings that are read from placements with the sets of indices that each device holds
// by the definitions of torch.chunk, JAX and ScaLAPACK.
#include <axe/axe.hpp>
#include <axe/distributed/dtensor.hpp>
#include <axe/distributed/gspmd.hpp>
#include <axe/distributed/partition_spec.hpp>
#include <axe/distributed/scalapack.hpp>

#include "support/catch.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace {

using axe::integer;

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");

// The (device, address) pairs of each element (row, column) of a tensor.
using held = std::map<std::pair<integer, integer>, std::set<std::pair<integer, integer>>>;

held held_by(axe::sharding const& s, integer rows, integer columns) {
  held out;
  axe::layout const places = axe::detail::by_device_number(s);
  for (integer i = 0; i < rows; ++i)
    for (integer j = 0; j < columns; ++j)
      for (axe::place const& p : axe::places(places, s.extents, {i, j}))
        out[{i, j}].insert({p[axe::axis::gpuid], p[axe::axis::m]});
  return out;
}

/// The indices in torch.chunk(of, parts)[which].
std::vector<integer> chunk(std::vector<integer> const& of, integer parts, integer which) {
  integer const length = (static_cast<integer>(of.size()) + parts - 1) / parts;
  std::vector<integer> out;
  for (integer k = which * length; k < (which + 1) * length; ++k)
    if (k < static_cast<integer>(of.size())) out.push_back(of[static_cast<std::size_t>(k)]);
  return out;
}

/// The places of a two-dimensional tensor on a mesh of mesh[0] x mesh[1] devices. cut[k] is the
/// dimension that axis k of the mesh cuts, or -1.
held chunked(integer const extent[2], integer const mesh[2], int const cut[2]) {
  held out;
  integer width = 0;  // columns of device 0, which are the pitch on every device
  for (integer device = 0; device < mesh[0] * mesh[1]; ++device) {
    std::vector<integer> own[2];
    for (int d = 0; d < 2; ++d)
      for (integer k = 0; k < extent[d]; ++k) own[d].push_back(k);
    integer const at[2] = {device / mesh[1], device % mesh[1]};
    for (int k = 0; k < 2; ++k)
      if (cut[k] >= 0) own[cut[k]] = chunk(own[cut[k]], mesh[k], at[k]);
    if (device == 0) width = static_cast<integer>(own[1].size());
    for (std::size_t i = 0; i < own[0].size(); ++i)
      for (std::size_t j = 0; j < own[1].size(); ++j)
        out[{own[0][i], own[1][j]}].insert(
            {device, static_cast<integer>(i) * width + static_cast<integer>(j)});
  }
  return out;
}

TEST_CASE("from_dtensor agrees with torch.chunk, or names an element that no layout can place") {
  integer rejected = 0;
  for (integer n0 : {1, 2, 3})
    for (integer n1 : {1, 2, 4})
      for (integer rows = 1; rows < 14; ++rows)
        for (integer columns : {1, 4, 6})
          for (int c0 : {-1, 0, 1})
            for (int c1 : {-1, 0, 1}) {
              integer const extent[2] = {rows, columns};
              integer const mesh[2] = {n0, n1};
              int const cut[2] = {c0, c1};
              axe::dtensor_placements p;
              for (int c : cut)
                p.push({c < 0 ? axe::dtensor_kind::replicate : axe::dtensor_kind::shard, c});
              axe::mesh const on{{y, n0}, {x, n1}};
              held const wanted = chunked(extent, mesh, cut);
              axe::outcome<axe::sharding> const s = axe::try_from_dtensor(p, on, {rows, columns});
              CAPTURE(n0, n1, rows, columns, c0, c1);
              if (s) {
                REQUIRE(held_by(*s, rows, columns) == wanted);
                REQUIRE(
                    equivalent(axe::from_dtensor(axe::to_dtensor(*s), on, {rows, columns}), *s));
                continue;
              }
              ++rejected;
              REQUIRE(s.why.which == axe::rule::placement_nested_uneven);
              integer const element = s.why.numbers[2];
              integer const torch = s.why.numbers[3];
              auto const& where =
                  s.why.numbers[0] == 0 ? wanted.at({element, 0}) : wanted.at({0, element});
              bool found = false;
              for (auto const& place : where) found = found || place.first == torch;
              REQUIRE(found);
            }
  CHECK(rejected > 0);
}

TEST_CASE("a PartitionSpec, its GSPMD text and its DTensor placements are the same sharding") {
  axe::mesh const on{{y, 2}, {x, 4}};
  using names = axe::partition_spec::axis_names;
  std::vector<names> const all = {{}, {y}, {x}, {y, x}, {x, y}};
  for (integer rows : {7, 8, 16})
    for (integer columns : {8, 12})
      for (names const& a : all)
        for (names const& b : all) {
          axe::partition_spec spec;
          spec.dimensions.push(a);
          spec.dimensions.push(b);
          axe::outcome<axe::sharding> const s =
              axe::try_from_partition_spec(spec, on, {rows, columns});
          if (!s) {
            REQUIRE(s.why.which == axe::rule::spec_axis_twice);
            continue;
          }
          CHECK(axe::to_partition_spec(*s) == spec);
          auto const text = axe::try_to_gspmd(*s);
          REQUIRE(text);
          CHECK(equivalent(axe::from_gspmd(*text, 8, {rows, columns}), *s));
          if (rows % 8 == 0 && columns % 8 == 0)
            CHECK(equivalent(axe::from_dtensor(axe::to_dtensor(*s), on, {rows, columns}), *s));
        }
}

/// The process of each block of a dimension, and the number of the block there.
using blocks = std::vector<std::pair<integer, integer>>;

blocks block_cyclic(integer count, integer processes, integer source) {
  blocks out;
  for (integer b = 0; b < count; ++b) out.push_back({(b + source) % processes, b / processes});
  return out;
}

/// True if some list of digits describes the blocks. If not `whole`, the slowest digit may be
/// padded.
bool have_digits(blocks const& v, bool whole) {
  integer const n = static_cast<integer>(v.size());
  auto const step = [&](integer from, integer to) {
    auto const &a = v[static_cast<std::size_t>(from)], &b = v[static_cast<std::size_t>(to)];
    return std::pair{b.first - a.first, b.second - a.second};
  };
  bool even = true;
  for (integer b = 2; b < n; ++b) even = even && step(b - 1, b) == step(0, 1);
  if (even) return true;
  for (integer q = 2; q < n; ++q) {
    if (whole && n % q != 0) continue;
    blocks outer;
    bool sums = true;
    for (integer b = 0; b < n; ++b) {
      if (b % q == 0) outer.push_back(step(0, b));
      auto const inner = step(0, b % q);
      sums = sums && step(0, b) == std::pair{inner.first + outer.back().first,
                                             inner.second + outer.back().second};
    }
    blocks const inner(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(q));
    if (sums && have_digits(inner, true) && have_digits(outer, whole)) return true;
  }
  return false;
}

TEST_CASE("a descriptor places element (i,j) as the formulas of ScaLAPACK do, from every source") {
  integer const pc = 2, columns = 9, nb = 2;
  for (integer rows : {1, 5, 8, 13})
    for (integer mb : {1, 2, 3})
      for (integer pr : {1, 2, 3, 4, 6})
        for (integer rsrc = 0; rsrc < pr; ++rsrc)
          for (integer csrc = 0; csrc < pc; ++csrc) {
            integer const leading = (rows + mb * pr - 1) / (mb * pr) * mb;
            axe::mesh const grid{{y, pr}, {x, pc}};
            auto const s =
                axe::try_from_scalapack({rows, columns, mb, nb, rsrc, csrc, leading}, grid);
            CAPTURE(rows, mb, pr, rsrc, csrc);
            integer const count = (rows + mb - 1) / mb;
            if (!have_digits(block_cyclic(count, pr, rsrc), false)) {
              REQUIRE(s.why.which == axe::rule::scalapack_source);
              continue;
            }
            REQUIRE(s);
            held wanted;
            for (integer i = 0; i < rows; ++i)
              for (integer j = 0; j < columns; ++j)
                wanted[{i, j}].insert(
                    {(i / mb + rsrc) % pr * pc + (j / nb + csrc) % pc,
                     i / (mb * pr) * mb + i % mb + (j / (nb * pc) * nb + j % nb) * leading});
            REQUIRE(held_by(*s, rows, columns) == wanted);
            axe::outcome<axe::scalapack_descriptor> const printed = axe::try_to_scalapack(*s);
            REQUIRE(printed);
            if (count > 1) CHECK((printed->row_source == rsrc && printed->column_source == csrc));
            CHECK(equivalent(axe::from_scalapack(*printed, grid), *s));
          }
}

}  // namespace
