// Tests shapes and coordinates, which are trees of integers.
#include <axe/layout/shape.hpp>
#include <axe/notation/print.hpp>

#include <type_traits>

namespace {

using namespace axe;

/// Turns a braced list into a tree.
constexpr tree spelled(shape const& s) { return s; }

static_assert(shape(16).rank() == 1 && shape(16) == shape{16} && shape{}.rank() == 0);
static_assert(shape{8, 16}.rank() == 2 && shape{8, 16} != shape{16, 8} &&
              shape{8, 16} != shape{{8, 16}, 1});
static_assert(shape{{2, 4}, 16}.rank() == 2 && shape{{2, 4}, {3, {5, 7}}, 16}.rank() == 3);
static_assert(shape{{2, 4}, 16}[0] == spelled({2, 4}) && shape{{2, 4}, 16}[1] == tree(16));
static_assert(shape{{2, 4}, {3, {5, 7}}, 16}[1] == spelled({3, {5, 7}}) &&
              shape{{2, 4}, {3, {5, 7}}, 16}[2] == tree(16));
static_assert(shape{{2, 4}, {3, {5, 7}}, 16}[1][1] == spelled({5, 7}));
static_assert(coordinate(5).is_integer() && !coordinate{5}.is_integer() &&
              coordinate{5}.rank() == 1);
static_assert(shape(tree(16)) == shape(16), "an integer becomes a shape of rank 1");

using four = std::integral_constant<int, 4>;
struct holds_a_value {
  int value = 4;
};
constexpr shape given(shape const& s) { return s; }
static_assert(given(four{}) == shape(4) && given({four{}, {2, four{}}}) == shape{4, {2, 4}} &&
                  coordinate(four{}) == coordinate(4) &&
                  !std::is_convertible_v<holds_a_value, shape>,
              "an integral constant is an integer");

static_assert(to_text(shape(16)) == "(16)" && to_text(shape{8, 16}) == "(8,16)" &&
              to_text(shape{}) == "()");
static_assert(to_text(shape{{2, 4}, {3, {5, 7}}, 16}) == "((2,4),(3,(5,7)),16)" &&
              to_text(coordinate(7)) == "7");

constexpr shape long_shape(int rank) {
  shape s;
  for (int i = 0; i < rank; ++i) s.append(tree(1));
  return s;
}
static_assert(!long_shape(47).overflowed && long_shape(47).rank() == 47,
              "at most 48 nodes, including the root");
static_assert(long_shape(48).overflowed,
              "an entry that does not fit sets `overflowed`, and every use rejects such a shape");

constexpr shape nested_in(shape const& outer, tree const& inner) {
  shape s = outer;
  s.append(inner);
  return s;
}
static_assert(nested_in({2}, long_shape(45)).rank() == 2 &&
              !nested_in({2}, long_shape(45)).overflowed);
static_assert(nested_in({2}, long_shape(46)).overflowed &&
                  nested_in({2}, long_shape(48)).overflowed,
              "a nested shape that does not fit sets `overflowed` too");

// Braces around one shape copy it and do not nest it, with every compiler.
static_assert(shape{shape{8, 16}} == shape{8, 16} &&
              coordinate{coordinate{2, 9}} == coordinate{2, 9});

}  // namespace
