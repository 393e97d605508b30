// Explains tile, direct_sum, tile_to and the recovery of their factors, element by element.
//
//     T at (p,q) is sigma*A(p) + B(q); coordinate d of (p,q) is q[d] + p[d] * the extent of B.
#include "explain/correspondence.hpp"

#include <algorithm>

namespace explain {

namespace {

struct factor {
  axe::layout of;
  extents shape;
};

correspondence product(factor const& a, factor const& b, bool scaled) {
  extents whole;
  for (std::size_t d = 0; d < a.shape.size(); ++d) whole.push_back(a.shape[d] * b.shape[d]);
  auto const half = [=](integer x, bool outer) {
    extents at = coordinate_of(x, whole);
    for (std::size_t d = 0; d < at.size(); ++d)
      at[d] = outer ? at[d] / b.shape[d] : at[d] % b.shape[d];
    return at;
  };
  correspondence c;
  c.operands = {
      {"A", a.of, a.shape, [=](integer x) { return number_of(half(x, true), a.shape); }},
      {"B", b.of, b.shape, [=](integer x) { return number_of(half(x, false), b.shape); }}};
  c.shape = whole;
  c.name = [=](integer x) { return words(coordinate_of(x, whole)); };
  c.by_definition = [=](integer x) {
    extents const p = half(x, true), q = half(x, false);
    some_points const outer = places_of(a.of, number_of(p, a.shape));
    some_points const inner = places_of(b.of, number_of(q, b.shape));
    some_points const moved = each(outer, [&](point one) {
      for (auto& [on, n] : one)
        if (scaled) n *= axe::span(b.of, on);
      return one;
    });
    computed out{"p = " + words(p) + ", q = " + words(q) + ": " + (scaled ? "sigma*" : "") +
                     words(outer, "A(p)") + " + " + words(inner, "B(q)"),
                 {}};
    if (moved && inner) out.places = sum(*moved, *inner);
    return out;
  };
  extents const of_a = three_of(axe::size(a.of)), of_b = three_of(axe::size(b.of));
  for (std::size_t k = 0; k < std::max(of_a.size(), of_b.size()); ++k) {
    extents at = coordinate_of(of_a[std::min(k, of_a.size() - 1)], a.shape);
    extents const inner = coordinate_of(of_b[std::min(k, of_b.size() - 1)], b.shape);
    for (std::size_t d = 0; d < at.size(); ++d) at[d] = at[d] * b.shape[d] + inner[d];
    c.chosen.push_back(number_of(at, whole));
  }
  if (c.chosen.size() < 3) c.chosen.clear();
  return c;
}

extents quotient(extents const& whole, extents const& by) {
  extents out;
  for (std::size_t d = 0; d < whole.size() && d < by.size(); ++d) {
    if (whole[d] % by[d] != 0) return {};
    out.push_back(whole[d] / by[d]);
  }
  return out;
}

bool admits(factor const& f) { return product_of(f.shape) == axe::size(f.of) && !axe::check(f.of); }

}  // namespace

std::optional<correspondence> of_products(arguments const& given) {
  std::string_view const name = given.name();
  std::optional<correspondence> c;
  auto const multiply = [&](factor const& a, factor const& b, bool scaled) {
    if (a.shape.size() != b.shape.size() || !admits(a) || !admits(b)) return;
    c = product(a, b, scaled);
  };
  if (name == "tile" || name == "direct_sum") {
    multiply({given.layout(0), given.shape(1)}, {given.layout(2), given.shape(3)}, name == "tile");
    if (c) c->result = given.result();
  } else if (name == "tile_to") {
    extents const repeats = quotient(given.shape(2), given.shape(1));
    axe::layout a;
    for (std::size_t d = 0; d < repeats.size(); ++d)
      a.shards.push(
          {repeats[d],
           product_of({repeats.begin() + static_cast<std::ptrdiff_t>(d) + 1, repeats.end()}),
           axe::axis::m});
    multiply({a, repeats}, {given.layout(0), given.shape(1)}, true);
    if (c) c->result = given.result();
  } else if (name == "tile_outer" || name == "tile_inner" || name == "sum_outer" ||
             name == "sum_inner") {
    std::optional<axe::layout> const found = given.result();
    if (!found) return {};
    factor const known{given.layout(2), given.shape(3)};
    factor const missing{*found, quotient(given.shape(1), known.shape)};
    bool const scaled = name.starts_with("tile");
    name.ends_with("outer") ? multiply(missing, known, scaled) : multiply(known, missing, scaled);
    if (c) c->result = given.layout(0);
    if (c) c->called = "T";
  }
  return c;
}

}  // namespace explain
