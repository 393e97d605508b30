// Compares the library with the oracle of tests/oracle on one small layout: its canonical form, its
// equality with another layout, its groupings and whether it is injective.
//
//     canonical_disagreement(l, table) == nullptr    otherwise a sentence that names the difference
#pragma once

#include "oracle/convert.hpp"
#include "oracle/questions.hpp"

#include <axe/algebra/canonicalize.hpp>
#include <axe/algebra/difference.hpp>
#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/group.hpp>
#include <axe/algebra/is_injective.hpp>

namespace axe_test {

/// Tests that `c` is canonical: no iter can be dropped, fused with another, reversed or absorbed.
/// Returns null, or what is not canonical.
constexpr char const* not_canonical(axe::layout const& c) {
  for (int k = 0; k < c.shards.size(); ++k) {
    axe::iter const i = c.shards[k];
    if (i.extent < 2) return "an extent 1 stayed in D";
    if ((i.stride == 0) != (i.on == axe::axis::null)) return "a stride 0 stayed on an axis";
    if (k > 0 && c.shards[k - 1].on == i.on && c.shards[k - 1].stride == i.extent * i.stride)
      return "two neighbouring iters of D still fuse";
  }
  for (axe::iter const& small : c.replicas) {
    if (small.extent < 2 || small.stride < 1)
      return "an iter of R has extent 1 or a stride below 1";
    for (axe::iter const& large : c.replicas) {
      if (&small == &large || small.on != large.on || large.stride % small.stride != 0) continue;
      if (large.stride / small.stride <= small.extent) return "an iter of R still absorbs another";
    }
  }
  for (axe::term const& t : c.offsets)
    if (t.n == 0) return "an offset 0 stayed in O";
  return c.grouped() ? "the canonical layout is still grouped into blocks" : nullptr;
}

constexpr char const* canonical_disagreement(axe::layout const& l, oracle::map_table const& map) {
  axe::outcome<axe::layout> const c = axe::try_canonicalize(l);
  if (!c) return "canonicalize rejects the layout";
  if (oracle::table(to_oracle(*c)) != map) return "canonicalize changed the map";
  if (!(axe::canonicalize(*c) == *c)) return "canonicalize is not idempotent";
  return not_canonical(*c);
}

/// The condition that gap_ok must test: on each axis, the canonical replicas have ascending strides
/// with s_{i+1} >= e_i * s_i.
constexpr bool gaps_suffice(axe::layout const& canonical) {
  for (axe::axis a : known_axes) {
    axe::integer needed = 0;
    for (axe::iter const& r : canonical.replicas) {
      if (r.on != a) continue;
      if (r.stride < needed) return false;
      needed = r.extent * r.stride;
    }
  }
  return true;
}

constexpr char const* equality_disagreement(axe::layout const& a, axe::layout const& b,
                                            oracle::map_table const& map_a,
                                            oracle::map_table const& map_b) {
  bool const same = map_a == map_b;
  if (axe::equivalent(a, b) != same)
    return same ? "equal maps are not equivalent" : "different maps are equivalent";
  if (axe::equivalent(b, a) != same) return "equivalent is not symmetric";
  axe::layout_difference const d = axe::difference(a, b);
  if (static_cast<bool>(d) == same) return "difference does not agree with equivalent";
  if (same) return nullptr;
  std::size_t first = 0;
  while (first < map_a.size() && first < map_b.size() && map_a[first] == map_b[first]) ++first;
  if (d.at != static_cast<axe::integer>(first))
    return "difference is not at the first element that differs";
  if (d.in_a != (first < map_a.size()) || d.in_b != (first < map_b.size()))
    return "difference: in_a or in_b is wrong";
  if (d.in_a && !(d.a == axe::places(a, d.at))) return "difference: the places in a are wrong";
  if (d.in_b && !(d.b == axe::places(b, d.at))) return "difference: the places in b are wrong";
  return nullptr;
}

constexpr char const* group_disagreement(axe::layout const& l, oracle::map_table const& map,
                                         std::vector<oracle::number> const& extents) {
  int const fewest = oracle::fewest_grouped(oracle::walk(to_oracle(l).d), extents);
  axe::outcome<axe::layout> const g = axe::try_group(l, to_shape(extents));
  if (static_cast<bool>(g) != (fewest >= 0))
    return g ? "group returns a layout, but the oracle finds none"
             : "group rejects the shape, but the oracle finds a layout";
  if (!g)
    return g.why.which == axe::rule::does_not_group ? nullptr
                                                    : "group rejects the shape for another reason";
  if (oracle::table(to_oracle(*g)) != map) return "group changed the map";
  if (g->shards.size() != fewest) return "group has more digits than needed";
  if (g->blocks.size() != static_cast<int>(extents.size()))
    return "group: the number of blocks is not the number of dimensions";
  for (int d = 0, k = 0; d < g->blocks.size(); ++d) {
    oracle::number held = 1;
    for (int last = k + g->blocks[d]; k < last; ++k) held *= g->shards[k].extent;
    if (held != extents[static_cast<std::size_t>(d)]) return "group: a block has the wrong extent";
  }
  return nullptr;
}

constexpr char const* injective_disagreement(axe::layout const& l, oracle::map_table const& map) {
  return axe::is_injective(l) == oracle::injective(map) ? nullptr : "is_injective does not agree";
}

/// Appends to `found` each list of `begun` followed by `rank` factors with the product n.
constexpr void factor(oracle::number n, int rank, std::vector<oracle::number> begun,
                      std::vector<std::vector<oracle::number>>& found) {
  if (rank == 0) {
    if (n == 1) found.push_back(begun);
    return;
  }
  for (oracle::number e = 1; e <= n; ++e) {
    if (n % e != 0) continue;
    begun.push_back(e);
    factor(n / e, rank - 1, begun, found);
    begun.pop_back();
  }
}
/// Every shape of `rank` dimensions with n elements.
constexpr std::vector<std::vector<oracle::number>> shapes_of(oracle::number n, int rank) {
  std::vector<std::vector<oracle::number>> found;
  factor(n, rank, {}, found);
  return found;
}

constexpr char const* algebra_disagreement(axe::layout const& l, oracle::map_table const& map) {
  if (char const* wrong = canonical_disagreement(l, map)) return wrong;
  if (axe::gap_ok(l) != gaps_suffice(axe::canonicalize(l))) return "gap_ok does not agree";
  if (char const* wrong = equality_disagreement(l, axe::canonicalize(l), map, map)) return wrong;
  return injective_disagreement(l, map);
}
constexpr char const* algebra_disagreement(axe::layout const& l) {
  return algebra_disagreement(l, oracle::table(to_oracle(l)));
}

}  // namespace axe_test
