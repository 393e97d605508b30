// CuTe's operations as functions `cute.NAME`, in CuTe's own notation: nested tuples, first mode
// fastest.
#include "eval/function.hpp"

namespace calculator {

namespace cute = axe::cute;
using axe::integer;
using axe::step_limit;
using cute::int_tuple;
using cute::layout;
using cute::tiler;

namespace {

using two_layouts = axe::outcome<layout> (*)(layout const&, layout const&, step_limit);
using with_tiler = axe::outcome<layout> (*)(layout const&, tiler const&, step_limit);

template <with_tiler Operation> function by_tiler(char const* name, char const* what) {
  return {name, "A, tiler",
          [](layout const& a, tiler const& b, step_limit steps) { return Operation(a, b, steps); },
          what};
}
template <two_layouts Operation> function of_two(char const* name, char const* what) {
  return {name, "A, B",
          [](layout const& a, layout const& b, step_limit steps) { return Operation(a, b, steps); },
          what};
}

}  // namespace

std::vector<function> cute_functions() {
  return {
      {"cute.layout", "shape", [](int_tuple const& shape) { return cute::try_make_layout(shape); },
       "the compact layout, first mode fastest"},
      {"cute.layout", "L",
       [](layout const& l) {
         axe::refusal const bad = cute::check(l);
         return bad.which == axe::rule::none ? axe::outcome<layout>(l) : axe::outcome<layout>(bad);
       },
       "the pair shape:stride as a layout"},
      {"cute.from_axe", "L", [](axe::layout const& l) { return cute::try_from_axe(l); },
       "the same map in CuTe's notation, modes reversed"},
      {"cute.to_axe", "L", [](layout const& l) { return cute::try_to_axe(l); },
       "the same map in axe's notation, modes reversed"},
      {"cute.size", "L", [](layout const& l) { return cute::try_size(l); },
       "the number of elements"},
      {"cute.cosize", "L", [](layout const& l) { return cute::try_cosize(l); },
       "1 + the largest place, after the swizzle"},
      {"cute.at", "L, c", [](layout const& l, int_tuple const& c) { return cute::try_at(l, c); },
       "the place of a coordinate; an integer can stand for the coordinate in a mode"},
      {"cute.coordinate", "L, i",
       [](layout const& l, integer i) -> axe::outcome<axe::tree> {
         axe::outcome<int_tuple> const c = cute::try_coordinate_of(l, i);
         if (!c) return c.why;
         return static_cast<axe::tree const&>(*c);
       },
       "the coordinate of element i, counted from 0, first mode fastest"},
      {"cute.coalesce", "L", [](layout const& l) { return cute::try_coalesce(l); },
       "the same map with the fewest leaves"},
      {"cute.coalesce", "L, profile",
       [](layout const& l, int_tuple const& by) { return cute::try_coalesce(l, by); },
       "the same map with the fewest leaves in each mode"},
      by_tiler<cute::try_composition>("cute.composition",
                                      "A after B: R(c) = A(B(c)), with B's modes"),
      {"cute.complement", "L, n",
       [](layout const& l, int_tuple const& n, step_limit steps) {
         return cute::try_complement(l, n, steps);
       },
       "the offsets at which repetitions of L fill 0 to n - 1"},
      {"cute.complement", "L",
       [](layout const& l, step_limit steps) { return cute::try_complement(l, steps); },
       "the offsets at which repetitions of L fill its cosize"},
      {"cute.right_inverse", "L",
       [](layout const& l, step_limit steps) { return cute::try_right_inverse(l, steps); },
       "R with L(R(i)) = i, for the longest run of places from 0"},
      {"cute.left_inverse", "L",
       [](layout const& l, step_limit steps) { return cute::try_left_inverse(l, steps); },
       "R with R(L(i)) = i"},
      of_two<cute::try_max_common_layout>("cute.max_common_layout",
                                          "the longest R with A(R(i)) - A(0) = B(R(i)) - B(0) = i"),
      {"cute.max_common_vector", "A, B",
       [](layout const& a, layout const& b, step_limit steps) {
         return cute::try_max_common_vector(a, b, steps);
       },
       "the number of elements that are contiguous in both"},
      by_tiler<cute::try_logical_divide>("cute.logical_divide",
                                         "(tile, tiles), mode by mode for a tuple"),
      by_tiler<cute::try_zipped_divide>("cute.zipped_divide", "((tile, …), (tiles, …))"),
      by_tiler<cute::try_tiled_divide>("cute.tiled_divide", "((tile, …), tiles, …)"),
      by_tiler<cute::try_flat_divide>("cute.flat_divide", "(tile, …, tiles, …)"),
      by_tiler<cute::try_logical_product>("cute.logical_product",
                                          "(block, blocks), mode by mode for a tuple"),
      by_tiler<cute::try_zipped_product>("cute.zipped_product", "((block, …), (blocks, …))"),
      by_tiler<cute::try_tiled_product>("cute.tiled_product", "((block, …), blocks, …)"),
      by_tiler<cute::try_flat_product>("cute.flat_product", "(block, …, blocks, …)"),
      of_two<cute::try_blocked_product>("cute.blocked_product", "((block, blocks), …)"),
      of_two<cute::try_raked_product>("cute.raked_product", "((blocks, block), …)"),
      {"cute.tile_to_shape", "L, shape",
       [](layout const& l, int_tuple const& shape, step_limit steps) {
         return cute::try_tile_to_shape(l, shape, {}, steps);
       },
       "L repeated up to the shape, first mode fastest"},
      {"cute.tile_to_shape", "L, shape, order",
       [](layout const& l, int_tuple const& shape, int_tuple const& order, step_limit steps) {
         return cute::try_tile_to_shape(l, shape, order, steps);
       },
       "L repeated up to the shape, the mode of least order fastest"},
      {"cute.upcast", "L, n", [](layout const& l, integer n) { return cute::try_upcast(l, n); },
       "L in elements n times as wide"},
      {"cute.downcast", "L, n", [](layout const& l, integer n) { return cute::try_downcast(l, n); },
       "L in elements n times as narrow"},
      {"cute.recast", "L, old bits, new bits",
       [](layout const& l, integer from, integer to) { return cute::try_recast(l, from, to); },
       "L in elements of another width"},
  };
}

}  // namespace calculator
