// Compares queries of owners with the oracle (tests/oracle): the elements at a place, the pieces of
// owned_by and not_owned_by, and whether a layout covers a box.
//
//     owners_disagreement(l, table, place) == nullptr      or a description of the disagreement
#pragma once

#include "map/agree.hpp"

#include <axe/algebra/not_owned_by.hpp>
#include <axe/map/coverage.hpp>
#include <axe/map/elements.hpp>

namespace axe_test {

constexpr oracle::partial_place asked_for(axe::place const& p) {
  oracle::partial_place asked;
  for (axe::term const& t : p.terms)
    asked.names.at(static_cast<std::size_t>(number_of(t.on))) = true;
  asked.at = to_oracle(p);
  return asked;
}

constexpr char const* elements_disagreement(axe::layout const& l, oracle::map_table const& map,
                                            std::vector<oracle::number> const& extents,
                                            axe::place const& p) {
  std::vector<oracle::number> const expected = oracle::elements(map, asked_for(p));
  std::vector<std::vector<oracle::number>> const at = oracle::coordinates(extents);
  axe::outcome<axe::element_range> const range = axe::try_elements(l, to_shape(extents), p);
  if (!range) return "elements rejects the place";
  std::size_t n = 0;
  for (axe::element const& e : *range) {
    if (n == expected.size() || e.index != expected[n])
      return "elements: another element, or another order";
    if (!(e.at == to_coordinate(at[static_cast<std::size_t>(e.index)])))
      return "elements: a wrong coordinate";
    if (char const* wrong = places_disagreement(e.where, map[static_cast<std::size_t>(e.index)]))
      return wrong;
    ++n;
  }
  if (n != expected.size()) return "elements: some are missing";
  if (range->size() != static_cast<axe::integer>(n) || range->empty() != (n == 0))
    return "elements: size() or empty() is wrong";
  for (std::size_t x = 0; x < map.size(); ++x) {
    bool const in =
        std::binary_search(expected.begin(), expected.end(), static_cast<oracle::number>(x));
    if (axe::owner_has(l, to_shape(extents), p, to_coordinate(at[x])) != in)
      return "owner_has does not agree with elements";
  }
  return nullptr;
}

/// The coordinates of a piece along one dimension, counted from its origin.
constexpr std::vector<oracle::place> steps_along(axe::piece const& part, int dimension) {
  std::vector<oracle::digit> digits;
  int k = 0;
  for (int d = 0; d <= dimension; ++d)
    for (int last = k + part.steps.blocks[d]; k < last; ++k)
      if (d == dimension)
        digits.push_back({part.steps.shards[k].extent, part.steps.shards[k].stride, 0});
  return oracle::walk(digits);
}

/// The row-major indices of a piece's elements in the whole tensor, in the order of the piece's
/// shape.
constexpr std::vector<oracle::number> indices_of(axe::piece const& part,
                                                 std::vector<oracle::number> const& extents) {
  std::vector<oracle::number> shape = extents;
  if (part.flattened) {
    shape = {1};
    for (oracle::number e : extents) shape[0] *= e;
  }
  std::vector<oracle::number> indices{0};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    int const dimension = static_cast<int>(d);
    oracle::number const begin = part.origin.is_integer() ? part.origin.nodes.value(0)
                                                          : part.origin[dimension].nodes.value(0);
    std::vector<oracle::number> longer;
    for (oracle::number so_far : indices)
      for (oracle::place const& step : steps_along(part, dimension)) {
        oracle::number const i = begin + step[0];
        longer.push_back(i < 0 || i >= shape[d] ? -1 : so_far * shape[d] + i);
      }
    indices = longer;
  }
  return indices;
}

/// True if the coordinates of a piece are contiguous: 0, 1, 2, …
constexpr bool is_run(std::vector<oracle::place> const& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i][0] != static_cast<oracle::number>(i)) return false;
  return true;
}

/// The layout of a piece of owned_by has the axes that `asked` does not name. That of a piece of
/// not_owned_by (`asked` is null) has all axes.
constexpr char const* piece_disagreement(axe::piece const& part, oracle::map_table const& map,
                                         std::vector<oracle::number> const& extents,
                                         oracle::partial_place const* asked,
                                         std::vector<int>& pieces_with) {
  std::vector<oracle::number> const indices = indices_of(part, extents);
  if (axe::try_size(part.places).value != static_cast<axe::integer>(indices.size()))
    return "pieces: held has another size";
  if (!axe::try_places(part.places, part.extents, axe::coordinate(0)))
    return "pieces: held does not admit the piece's shape";
  oracle::map_table const held = oracle::table(to_oracle(part.places));
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (indices[i] < 0 || indices[i] >= static_cast<oracle::number>(map.size()))
      return "pieces: outside the shape";
    auto const x = static_cast<std::size_t>(indices[i]);
    if (pieces_with[x]++ > 0) return "pieces: an element is in two pieces";
    bool const same =
        asked != nullptr ? held[i] == oracle::rest_at(map[x], *asked) : held[i] == map[x];
    if (!same) return "pieces: held is another map";
  }
  for (int d = 0; d < part.steps.blocks.size(); ++d)
    if (part.contiguous(d) != is_run(steps_along(part, d))) return "pieces: contiguous() is wrong";
  return nullptr;
}

constexpr char const* pieces_disagreement(auto const& pieces, bool owned,
                                          oracle::map_table const& map,
                                          std::vector<oracle::number> const& extents,
                                          oracle::partial_place const& asked) {
  std::vector<int> pieces_with(map.size(), 0);
  for (axe::piece const& part : pieces)
    if (char const* wrong =
            piece_disagreement(part, map, extents, owned ? &asked : nullptr, pieces_with))
      return wrong;
  for (std::size_t x = 0; x < map.size(); ++x) {
    bool const at_owner = std::any_of(map[x].begin(), map[x].end(),
                                      [&](oracle::place const& at) { return asked.agrees(at); });
    if ((pieces_with[x] == 1) != (at_owner == owned))
      return owned ? "owned_by: the pieces do not hold the elements of the owner"
                   : "not_owned_by: the pieces do not hold the other elements";
  }
  return nullptr;
}

constexpr char const* owned_disagreement(axe::layout const& l, oracle::map_table const& map,
                                         std::vector<oracle::number> const& extents,
                                         axe::place const& p) {
  axe::outcome<axe::ownership> const owned = axe::try_owned_by(l, to_shape(extents), p);
  if (!owned) return "owned_by rejects the place";
  axe::outcome<axe::unowned_pieces> const others = axe::try_not_owned_by(l, to_shape(extents), p);
  if (!others) return "not_owned_by rejects the place";
  oracle::partial_place const asked = asked_for(p);
  if (char const* wrong = pieces_disagreement(*owned, true, map, extents, asked)) return wrong;
  return pieces_disagreement(*others, false, map, extents, asked);
}

constexpr char const* owners_disagreement(axe::layout const& l, oracle::map_table const& map,
                                          std::vector<oracle::number> const& extents,
                                          axe::place const& p) {
  if (char const* wrong = elements_disagreement(l, map, extents, p)) return wrong;
  return owned_disagreement(l, map, extents, p);
}

/// Compares the coverage of a box of positions 0 to extents[a] - 1 on each axis a. An extent of 0
/// leaves the axis out of the box.
constexpr char const* coverage_disagreement(
    axe::layout const& l, oracle::map_table const& map,
    std::array<oracle::number, oracle::axes> const& extents) {
  axe::box box;
  oracle::partial_place named;
  for (std::size_t a = 0; a < extents.size(); ++a) {
    if (extents[a] > 0) box.axes.push({known_axes[a], extents[a]});
    named.names[a] = extents[a] > 0;
  }
  axe::outcome<axe::coverage_answer> const found = axe::try_coverage(l, box);
  if (!found) return "coverage rejects the box";
  auto const elements_at = [&](axe::place const& p) {
    oracle::partial_place asked = named;
    asked.at = to_oracle(p);
    return oracle::elements(map, asked);
  };
  auto const in_box = [&](axe::place const& p) {
    for (std::size_t a = 0; a < extents.size(); ++a)
      if (extents[a] > 0 && (p[known_axes[a]] < 0 || p[known_axes[a]] >= extents[a])) return false;
    return true;
  };
  oracle::covered const expected = oracle::coverage(map, extents);
  std::vector<oracle::number> const at = elements_at(found->at);
  auto const holds = [&](axe::integer x) { return std::find(at.begin(), at.end(), x) != at.end(); };
  switch (found->how) {
    case axe::covered::once:
      return expected == oracle::covered::once ? nullptr : "coverage: wrongly answers once";
    case axe::covered::holes:
      if (expected != oracle::covered::holes) return "coverage: wrongly answers holes";
      return at.empty() && in_box(found->at)
                 ? nullptr
                 : "coverage: the hole has an element, or is outside the box";
    case axe::covered::contested:
      if (expected != oracle::covered::contested) return "coverage: wrongly answers contested";
      if (!in_box(found->at) || found->first == found->second)
        return "coverage: the contested place is outside the box, or names one element twice";
      return holds(found->first) && holds(found->second)
                 ? nullptr
                 : "coverage: the two elements are not both there";
    case axe::covered::copies: {
      if (expected != oracle::covered::replicas) return "coverage: wrongly answers copies";
      std::vector<oracle::number> const other = elements_at(found->also_at);
      bool const both =
          holds(found->first) && std::find(other.begin(), other.end(), found->first) != other.end();
      if (found->at == found->also_at || !in_box(found->at) || !in_box(found->also_at))
        return "coverage: the two places are equal, or outside the box";
      return both ? nullptr : "coverage: the element is not at both places";
    }
  }
  return "coverage: no answer";
}

}  // namespace axe_test
