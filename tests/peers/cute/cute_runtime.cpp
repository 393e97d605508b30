// Asks CuTe about layouts of ints at run time. Reads one question on each line, and answers each
// with one line.
//
//     composition 2 4 6 1 4 1 3 2    the operation, then each layout: nesting, extents, strides
//     -> (2):(…)
//
// Nesting: 1 = a leaf, 2 = (a,b), 3 = (a,b,c), 4 = ((a,b),c). Adding 10 makes the first stride the
// static number 1, which CuTe's inverse and downcast need. A complement is asked of one leaf only.
#include <cute/layout.hpp>

#include <cstdio>
#include <string>

namespace {

using namespace cute;

int number() {
  int n = 0;
  if (std::scanf("%d", &n) != 1) n = 1;
  return n;
}

template <class Use> void with_leaf(Use const& use) {
  number();
  int const e = number();
  use(make_layout(e, number()));
}

/// A layout as a question spells it.
struct spelled {
  int nesting, e[3] = {1, 1, 1}, d[3] = {0, 0, 0};

  spelled() : nesting(number()) {
    int const leaves = nesting % 10 == 4 ? 3 : nesting % 10;
    for (int k = 0; k < leaves; ++k) e[k] = number();
    for (int k = 0; k < leaves; ++k) d[k] = number();
  }
  template <class First, class Use> void flat(First first, Use const& use) const {
    if (nesting % 10 == 1) use(make_layout(e[0], first));
    if (nesting % 10 == 2) use(make_layout(make_shape(e[0], e[1]), make_stride(first, d[1])));
    if (nesting % 10 == 3)
      use(make_layout(make_shape(e[0], e[1], e[2]), make_stride(first, d[1], d[2])));
  }
  template <class Use> void nested(Use const& use) const {
    if (nesting == 4)
      use(make_layout(make_shape(make_shape(e[0], e[1]), e[2]),
                      make_stride(make_stride(d[0], d[1]), d[2])));
  }
};

template <class Use> void with_layout(Use const& use) {
  spelled const l;
  l.flat(l.d[0], use);
  l.nested(use);
}
/// Calls use(layout) with a layout whose modes are leaves.
template <class Use> void with_flat(Use const& use) {
  spelled const l;
  l.flat(l.d[0], use);
}
/// Calls use(layout) with a layout whose modes are leaves and whose first stride is the static 1.
template <class Use> void with_first_of_1(Use const& use) {
  spelled const l;
  l.flat(_1{}, use);
}
/// Calls use(layout) with a layout of any nesting, whose first stride may be the static 1.
template <class Use> void with_any(Use const& use) {
  spelled const l;
  if (l.nesting > 10) return l.flat(_1{}, use);
  l.flat(l.d[0], use);
  l.nested(use);
}

/// Calls use(tile) with the extents of a tile of the first mode, or of both modes if there are two.
template <class Layout, class Use> void with_tile(Layout const& a, Use const& use) {
  int const m = number();
  if constexpr (decltype(rank(a))::value == 2)
    use(make_shape(m, number()));
  else
    use(make_shape(m));
}

/// Calls use(coordinate). Form 0 is the number of the element, form 1 has one number for each mode,
/// and form 2 one number for each leaf of ((a,b),c).
template <class Layout, class Use> void with_coordinate(Layout const& a, Use const& use) {
  constexpr int modes = decltype(rank(a))::value;
  int const form = number(), i = number();
  if (form == 0) return use(i);
  int const j = number();
  if constexpr (modes == 3) use(make_coord(i, j, number()));
  if constexpr (modes == 2) {
    if (form == 1) return use(make_coord(i, j));
    if constexpr (decltype(rank<0>(a))::value == 2) use(make_coord(make_coord(i, j), number()));
  }
}

template <class Result> void say(Result const& result) {
  print(result);
  std::putchar('\n');
  std::fflush(stdout);  // keeps earlier answers if the next question crashes
}

/// Print the result of an operation. The first operand is any layout, a layout whose modes are
/// leaves, or a leaf. The second is a tile, a tile, or a layout.
template <class Operation> void say_by_tile(Operation const& operation) {
  with_layout([&](auto a) { with_tile(a, [&](auto t) { say(operation(a, t)); }); });
}
template <class Operation> void say_flat_by_tile(Operation const& operation) {
  with_flat([&](auto a) { with_tile(a, [&](auto t) { say(operation(a, t)); }); });
}
template <class Operation> void say_leaf_by_layout(Operation const& operation) {
  with_leaf([&](auto a) { with_layout([&](auto b) { say(operation(a, b)); }); });
}

}  // namespace

int main() {
  char name[64];
  while (std::scanf("%63s", name) == 1) {
    std::string const operation = name;
    auto const is = [&](char const* other) { return operation == other; };
    if (is("size")) with_layout([](auto a) { say(size(a)); });
    if (is("cosize")) with_layout([](auto a) { say(cosize(a)); });
    if (is("coordinates"))
      with_layout([](auto a) { with_coordinate(a, [&](auto c) { say(a(c)); }); });
    if (is("coalesce")) with_layout([](auto a) { say(coalesce(a)); });
    if (is("coalesce_by"))
      with_layout([](auto a) { say(coalesce(a, repeat<decltype(rank(a))::value>(_1{}))); });
    if (is("right_inverse")) with_any([](auto a) { say(right_inverse(a)); });
    if (is("composition"))
      with_layout([](auto a) { with_layout([&](auto b) { say(composition(a, b)); }); });
    if (is("composition_by")) say_by_tile([](auto a, auto t) { return composition(a, t); });
    if (is("max_common_vector"))
      with_any([](auto a) { with_any([&](auto b) { say(max_common_vector(a, b)); }); });
    if (is("complement")) with_leaf([](auto a) { say(complement(a, number())); });
    if (is("logical_divide"))
      with_layout([](auto a) { with_leaf([&](auto b) { say(logical_divide(a, b)); }); });
    if (is("logical_divide_by")) say_by_tile([](auto a, auto t) { return logical_divide(a, t); });
    if (is("zipped_divide")) say_by_tile([](auto a, auto t) { return zipped_divide(a, t); });
    if (is("tiled_divide")) say_by_tile([](auto a, auto t) { return tiled_divide(a, t); });
    if (is("flat_divide")) say_by_tile([](auto a, auto t) { return flat_divide(a, t); });
    if (is("logical_product"))
      say_leaf_by_layout([](auto a, auto b) { return logical_product(a, b); });
    if (is("logical_product_by"))
      say_flat_by_tile([](auto a, auto t) { return logical_product(a, t); });
    if (is("zipped_product")) say_flat_by_tile([](auto a, auto t) { return zipped_product(a, t); });
    if (is("tiled_product")) say_flat_by_tile([](auto a, auto t) { return tiled_product(a, t); });
    if (is("flat_product")) say_flat_by_tile([](auto a, auto t) { return flat_product(a, t); });
    if (is("blocked_product"))
      say_leaf_by_layout([](auto a, auto b) { return blocked_product(a, b); });
    if (is("raked_product"))
      with_leaf([](auto a) {
        with_layout([&](auto b) {
          if constexpr (decltype(rank(b))::value > 1) say(raked_product(a, b));
        });
      });
    if (is("tile_to_shape_1"))
      with_leaf([](auto a) { say(tile_to_shape(a, make_shape(number()))); });
    if (is("tile_to_shape_2"))
      with_leaf([](auto a) {
        int const m = number();
        say(tile_to_shape(a, make_shape(m, number())));
      });
    if (is("upcast")) with_layout([](auto a) { say(upcast<2>(a)); });
    if (is("downcast")) with_first_of_1([](auto a) { say(downcast<2>(a)); });
    if (is("recast")) with_layout([](auto a) { say(recast_layout<uint16_t, uint32_t>(a)); });
    if (is("recast_narrower"))
      with_first_of_1([](auto a) { say(recast_layout<uint32_t, uint16_t>(a)); });
  }
}
