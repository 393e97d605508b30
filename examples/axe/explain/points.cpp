#include "explain/points.hpp"

#include "text/sink.hpp"

namespace explain {

some_points places_of(axe::layout const& l, integer x) {
  axe::outcome<axe::placement> const where =
      axe::try_places(l, axe::shape(axe::size(l)), axe::coordinate(x));
  if (!where) return {};
  axe::outcome<integer> const count = where->try_size(axe::step_limit(100'000));
  if (!count || *count > most_places) return {};
  points out;
  for (axe::place const& p : *where) out.insert(point_of(p));
  return out;
}

point point_of(axe::place const& p) {
  point out;
  for (axe::term const& t : p.terms)
    if (t.n != 0) out[t.on] += t.n;
  return out;
}

axe::place place_of(point const& p) {
  axe::place out;
  for (auto const& [on, n] : p) out.terms.push({n, on});
  return out;
}

integer component(point const& p, axe::axis on) {
  auto const found = p.find(on);
  return found == p.end() ? 0 : found->second;
}

point single(integer n, axe::axis on) {
  return n == 0 || on == axe::axis::null ? point{} : point{{on, n}};
}

points sum(points const& a, points const& b) {
  points out;
  for (point const& p : a)
    for (point const& q : b) {
      point both = p;
      for (auto const& [on, n] : q)
        if ((both[on] += n) == 0) both.erase(on);
      out.insert(both);
    }
  return out;
}

extents extents_of(axe::shape const& s) {
  axe::detail::extent_list found;
  integer size = 1;
  if (axe::detail::dimensions_of(s, found, size)) return {};
  return {found.begin(), found.end()};
}

axe::shape shape_of(extents const& all) {
  axe::shape s;
  for (integer const extent : all) s.append(axe::tree(extent));
  return s;
}

integer product_of(extents const& all) {
  integer product = 1;
  for (integer const extent : all) product *= extent;
  return product;
}

extents coordinate_of(integer x, extents const& all) {
  extents out(all.size());
  for (std::size_t d = all.size(); d-- > 0; x /= all[d]) out[d] = x % all[d];
  return out;
}

integer number_of(extents const& coordinate, extents const& all) {
  integer x = 0;
  for (std::size_t d = 0; d < coordinate.size(); ++d) x = x * all[d] + coordinate[d];
  return x;
}

extents three_of(integer n) {
  std::set<integer> const chosen{0, n / 2 + n / 5, n - 1};
  extents out;
  for (integer const x : chosen)
    if (x >= 0 && x < n) out.push_back(x);
  return out;
}

std::string words(points const& all) {
  std::string out;
  for (point const& one : all) out += (out.empty() ? "{" : ", ") + text::printed(place_of(one));
  return out.empty() ? "{}" : out + "}";
}

std::string words(some_points const& all, char const* otherwise) {
  return all ? words(*all) : otherwise;
}

std::string words(extents const& numbers) {
  std::string out;
  for (integer const n : numbers) out += (out.empty() ? "(" : ",") + std::to_string(n);
  return out.empty() ? "()" : out + ")";
}

}  // namespace explain
