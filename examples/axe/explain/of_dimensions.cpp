// Explains slice, window, permute, broadcast, reorder and owned_by, element by element.
#include "explain/correspondence.hpp"

#include <algorithm>

namespace explain {

namespace {

extents entries_of(axe::tree const& t) {
  extents out;
  for (int k = 0; k < t.rank(); ++k) out.push_back(t[k].is_integer() ? t[k].nodes.value(0) : 0);
  return out;
}

/// The correspondence of the box of `taken` elements that begins at `begin`.
std::optional<correspondence> part(arguments const& given, extents const& begin,
                                   extents const& taken) {
  extents const whole = given.shape(1);
  if (begin.size() != whole.size() || taken.size() != whole.size()) return {};
  for (std::size_t d = 0; d < whole.size(); ++d)
    if (begin[d] < 0 || taken[d] < 1 || begin[d] + taken[d] > whole[d]) return {};
  return selection("L", given.layout(0), whole, given.result(), taken, [=](integer x) {
    extents at = coordinate_of(x, taken);
    for (std::size_t d = 0; d < at.size(); ++d) at[d] += begin[d];
    return number_of(at, whole);
  });
}

std::optional<correspondence> region_of(arguments const& given) {
  extents begin, taken;
  for (axe::range const& r : given.get<axe::region>(2).ranges) {
    begin.push_back(r.begin);
    taken.push_back(r.end - r.begin);
  }
  return part(given, begin, taken);
}

std::optional<correspondence> window_of(arguments const& given) {
  extents const taken = given.shape(2);
  extents const origin =
      given.count() > 3 ? entries_of(given.get<axe::tree>(3)) : extents(taken.size());
  return part(given, origin, taken);
}

std::optional<correspondence> permuted(arguments const& given) {
  extents const whole = given.shape(1), order = entries_of(given.get<axe::tree>(2));
  extents own, sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t d = 0; d < sorted.size(); ++d)
    if (sorted[d] != static_cast<integer>(d)) return {};
  if (order.size() != whole.size()) return {};
  for (integer const d : order) own.push_back(whole[static_cast<std::size_t>(d)]);
  return selection("L", given.layout(0), whole, given.result(), own, [=](integer x) {
    extents const at = coordinate_of(x, own);
    extents from(whole.size());
    for (std::size_t d = 0; d < at.size(); ++d) from[static_cast<std::size_t>(order[d])] = at[d];
    return number_of(from, whole);
  });
}

std::optional<correspondence> repeated(arguments const& given) {
  extents const whole = given.shape(1);
  integer const position = given.get<integer>(2), extent = given.get<integer>(3);
  if (position < 0 || position > static_cast<integer>(whole.size()) || extent < 1) return {};
  extents own = whole;
  own.insert(own.begin() + position, extent);
  return selection("L", given.layout(0), whole, given.result(), own, [=](integer x) {
    extents at = coordinate_of(x, own);
    at.erase(at.begin() + position);
    return number_of(at, whole);
  });
}

std::optional<correspondence> reordered(arguments const& given) {
  extents const whole = given.shape(1);
  integer const d = given.get<integer>(2);
  axe::layout const order = given.layout(3);
  if (d < 0 || d >= static_cast<integer>(whole.size()) ||
      axe::size(order) != whole[static_cast<std::size_t>(d)])
    return {};
  return selection("TO", given.layout(0), whole, given.result(), whole, [=](integer x) {
    extents at = coordinate_of(x, whole);
    integer& c = at[static_cast<std::size_t>(d)];
    some_points const k = places_of(order, c);
    c = k && !k->empty() ? component(*k->begin(), axe::axis::m) : -1;
    return c < 0 || c >= whole[static_cast<std::size_t>(d)] ? -1 : number_of(at, whole);
  });
}

/// The correspondence of a piece with L. The piece's steps give the coordinates in L, and its
/// layout gives the places on the other axes.
correspondence piece_of(axe::layout const& l, extents const& whole, axe::piece const& piece,
                        axe::place const& fixed, bool keeps_axes) {
  extents const counted = piece.flattened ? extents{product_of(whole)} : whole;
  extents const own = extents_of(piece.extents);
  auto const from = [=](integer x) {
    extents at(counted.size());
    extents const inside = coordinate_of(x, own);
    for (std::size_t d = 0; d < at.size(); ++d) {
      axe::layout const steps = piece.along(static_cast<int>(d));
      some_points const step = places_of(steps, inside[d]);
      at[d] = piece.begin(static_cast<int>(d)) + component(*step->begin(), axe::axis::m);
    }
    return number_of(at, counted);
  };
  correspondence c = selection("L", l, counted, piece.places, own, from);
  c.called = "the piece";
  c.by_definition = [=](integer x) {
    computed out;
    out.how = "L" + words(coordinate_of(from(x), counted));
    out.places = each(places_of(l, from(x)), [&](point p) {
      for (axe::term const& t : fixed.terms)
        if (!keeps_axes) p.erase(t.on);
      return p;
    });
    return out;
  };
  return c;
}

template <class Pieces>
void add_pieces(std::vector<correspondence>& out, arguments const& given, Pieces const& pieces,
                bool keeps_axes) {
  for (axe::piece const& piece : pieces) {
    if (out.size() == most_pieces) {
      out.back().more = true;
      return;
    }
    out.push_back(
        piece_of(given.layout(0), given.shape(1), piece, given.get<axe::place>(2), keeps_axes));
  }
}

}  // namespace

std::optional<correspondence> of_dimensions(arguments const& given) {
  std::string_view const name = given.name();
  if (name == "slice") return region_of(given);
  if (name == "window") return window_of(given);
  if (name == "permute") return permuted(given);
  if (name == "broadcast") return repeated(given);
  if (name == "reorder") return reordered(given);
  return {};
}

std::vector<correspondence> of_pieces(arguments const& given) {
  std::vector<correspondence> out;
  auto const& result = given.call.result;
  if (auto const* owned = std::get_if<calculator::shared<axe::ownership>>(&result))
    add_pieces(out, given, **owned, false);
  if (auto const* others = std::get_if<calculator::shared<axe::unowned_pieces>>(&result))
    add_pieces(out, given, **others, true);
  return out;
}

}  // namespace explain
