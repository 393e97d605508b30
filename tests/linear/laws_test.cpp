// Operations on linear maps agree with operations on the layouts that the maps come from: multiply
// with tile, invert with inverse, compose with compose.
#include "linear/layouts.hpp"
#include "oracle/require.hpp"

#include <axe/algebra/compose.hpp>
#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/inverse.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/linear/compose_maps.hpp>
#include <axe/linear/divide.hpp>
#include <axe/linear/print_map.hpp>
#include <axe/map/measures.hpp>

namespace {

using namespace axe_test;
using namespace axe::axes;

int const rounds = samples / 50;

axe::layout plain(random_source& d) {
  axe::layout l;
  for (int n = d.between(0, 3); n > 0; --n) {
    axe::iter const i = random_iter(d);
    l.shards.push({i.extent == 3 ? 2 : i.extent, i.stride < 0 ? 1 : i.stride, i.on});
  }
  if (d.between(0, 2) == 0) l.replicas.push({2, axe::integer{1} << d.between(0, 4), known_axes[0]});
  return l;
}

/// True if the span of the layout on every axis is 2^n, where n is the number of bits that the map
/// has there.
bool spans_are_powers_of_two(axe::layout const& l, linear_map const& map) {
  for (axe::linear_axis const& a : map.out.axes)
    if (axe::span(l, a.on) != axe::integer{1} << a.bits) return false;
  return true;
}

/// A layout on m whose places are 0 to size - 1, with strides in any order.
axe::layout permutation(random_source& d) {
  axe::layout l;
  int const bits = d.between(0, 5);
  axe::list<int, 8> free;
  for (int k = 0; k < bits; ++k) free.push(k);
  while (!free.empty()) {
    int const at = d.between(0, free.size() - 1);
    l.shards.push({2, axe::integer{1} << free[at], m});
    free.erase(at);
  }
  if (d.between(0, 2) == 0) l.swizzle = {0, 1, d.between(1, 2)};
  return l;
}

TEST_CASE("the map of a tile is the product of the maps, the inner map in the low bits") {
  random_source d = seeded("tiles", 31, rounds);
  int both = 0;
  for (int i = 0; i < rounds; ++i) {
    axe::layout const a = plain(d);
    axe::layout const b = plain(d);
    axe::shape const whole_a(axe::detail::product_of_extents(a.shards));
    axe::shape const whole_b(axe::detail::product_of_extents(b.shards));
    axe::outcome<linear_map> const of_a = axe::try_linear(a, whole_a);
    axe::outcome<linear_map> const of_b = axe::try_linear(b, whole_b);
    axe::outcome<axe::layout> const tile = axe::try_tile(a, whole_a, b, whole_b);
    if (!of_a || !of_b || !tile || !spans_are_powers_of_two(b, of_b.value)) continue;
    axe::shape const whole(axe::detail::product_of_extents(tile.value.shards));
    ++both;
    if (!axe::equivalent(axe::linear(tile.value, whole), axe::multiply(of_b.value, of_a.value)))
      FAIL("tile of " << axe::to_text(a).c_str() << " and " << axe::to_text(b).c_str());
  }
  CHECK(both > rounds / 20);
}

TEST_CASE("inverses and compositions of layouts on m agree with those of their maps") {
  random_source d = seeded("inverses and compositions", 32, rounds);
  int both = 0;
  for (int i = 0; i < rounds; ++i) {
    axe::layout const a = permutation(d);
    axe::shape const whole(axe::detail::product_of_extents(a.shards));
    linear_map const of_a = axe::linear(a, whole);
    axe::outcome<axe::layout> const inverse = axe::try_inverse(a, {m});
    if (inverse) {
      linear_map const back = axe::invert(of_a);
      linear_map const of_inverse = axe::linear(*inverse, whole);
      if (!(back.matrix == of_inverse.matrix && back.offset == of_inverse.offset))
        FAIL("inverse of " << axe::to_text(a).c_str());
    }
    axe::layout const b = permutation(d);
    axe::outcome<axe::layout> const both_of = axe::try_compose(a, b);
    if (!both_of) continue;
    ++both;
    axe::shape const inner(axe::detail::product_of_extents(b.shards));
    linear_map through = axe::linear(b, inner);
    if (!through.out.axes.empty())
      through.out.axes[0].on = dim<0>;  // the addresses of B are the elements of A
    if (!axe::equivalent(axe::linear(*both_of, inner), axe::compose(of_a, through)))
      FAIL("composition of " << axe::to_text(a).c_str() << " and " << axe::to_text(b).c_str());
  }
  CHECK(both > rounds / 20);
}

}  // namespace
