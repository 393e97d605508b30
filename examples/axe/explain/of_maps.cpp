// Explains canonicalize, group, group_many, compose and inverse, element by element.
#include "explain/correspondence.hpp"

#include <algorithm>

namespace explain {

namespace {

/// The correspondence of A after B. If B has replicas, the result has the union of A's places.
correspondence composition(axe::layout const& a, axe::layout const& b,
                           std::optional<axe::layout> const& result) {
  auto const first = [b](integer x) {
    some_points const at = places_of(b, x);
    return !at || at->begin()->empty() ? integer{0} : at->begin()->begin()->second;
  };
  correspondence c;
  c.operands = {{"A", a, {axe::size(a)}, first},
                {"B", b, {axe::size(b)}, [](integer x) { return x; }}};
  c.result = result;
  c.shape = {axe::size(b)};
  c.by_definition = [=](integer x) {
    some_points const inner = places_of(b, x);
    computed out{"A(B(" + std::to_string(x) + "))", points()};
    if (!inner) out.places.reset();
    char const* before = " = A(";
    for (point const& one : inner ? *inner : points()) {
      integer const n = one.empty() ? 0 : one.begin()->second;
      bool const inside = 0 <= n && n < axe::size(a);
      some_points const there = inside ? places_of(a, n) : some_points();
      if (!there) out.places.reset();
      if (out.places) out.places->insert(there->begin(), there->end());
      out.how += before + std::to_string(n) + ")";
      before = " and A(";
    }
    return out;
  };
  return c;
}

correspondence swizzled(axe::swizzle const& f, axe::layout const& l,
                        std::optional<axe::layout> const& result) {
  correspondence c =
      selection("L", l, {axe::size(l)}, result, {axe::size(l)}, [](integer x) { return x; });
  c.by_definition = [=](integer x) {
    some_points const plain = places_of(l, x);
    return computed{"swizzled " + words(plain, "L(x)"), each(plain, [&](point const& p) {
                      return single(f(component(p, axe::axis::m)), axe::axis::m);
                    })};
  };
  return c;
}

/// The correspondence of an inverse. Its elements number the places of L from the least position on
/// each axis, the last axis fastest.
correspondence inverse(axe::layout const& l, axe::axis_list const& axes,
                       std::optional<axe::layout> const& result) {
  extents box;
  for (axe::axis const on : axes) box.push_back(axe::span(l, on));
  auto const place = [l, axes, box](integer number) {
    extents const at = coordinate_of(number, box);
    axe::place p;
    for (int k = 0; k < axes.size(); ++k)
      p.add({at[static_cast<std::size_t>(k)] + (axe::min)(l, axes[k]), axes[k]});
    return p;
  };
  auto const element = [=](integer number) {
    axe::outcome<axe::element_range> const held =
        axe::try_elements(l, axe::shape(axe::size(l)), place(number));
    return held && !held->empty() ? (*held->begin()).index : integer{-1};
  };
  correspondence c;
  c.operands = {{"L", l, {axe::size(l)}, element}};
  c.result = result;
  c.shape = {product_of(box)};
  c.name = [=](integer number) {
    return "place " + words(points{point_of(place(number))}) + " (number " +
           std::to_string(number) + ")";
  };
  c.by_definition = [=](integer number) {
    axe::outcome<axe::element_range> const held =
        axe::try_elements(l, axe::shape(axe::size(l)), place(number));
    std::vector<integer> here;
    if (held)
      for (axe::element const& e : *held) {
        here.push_back(e.index);
        if (here.size() == 2) break;
      }
    if (here.empty()) return computed{"no element of L", {}};
    if (here.size() == 2)
      return computed{
          "elements " + std::to_string(here[0]) + " and " + std::to_string(here[1]) + " of L", {}};
    return computed{"element " + std::to_string(here[0]) + " of L",
                    points{single(here[0], axe::axis::m)}};
  };
  return c;
}

}  // namespace

std::optional<correspondence> of_maps(arguments const& given) {
  std::string_view const name = given.name();
  if (name == "canonicalize" || name == "group" || name == "group_many") {
    axe::layout const l = given.layout(0);
    integer const size = axe::size(l);
    return selection("L", l, {size}, given.result(), {size}, [](integer x) { return x; });
  }
  if (name == "compose" && given.is<axe::layout>(0))
    return composition(given.layout(0), given.layout(1), given.result());
  if (name == "compose")
    return swizzled(given.get<axe::swizzle>(0), given.layout(1), given.result());
  if (name == "inverse")
    return inverse(given.layout(0), given.get<axe::axis_list>(1), given.result());
  return {};
}

}  // namespace explain
