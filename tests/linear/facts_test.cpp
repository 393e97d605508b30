// Facts about linear maps, one in each line, and random maps at compile time.
#include "linear/agree.hpp"

#include <axe/linear/read_map.hpp>

namespace {

using namespace axe::axes;
using axe::apply;
using axe::linear_map;
using axe::place;
using axe::rule;

constexpr linear_map map(char const* text) { return axe::parse_linear(text); }

constexpr linear_map tile =
    map("{lane: 1 -> (0,1), 2 -> (0,2), 4 -> (1,0); reg: 1 -> (2,0)} to (dim0: 4, dim1: 4)");

// A place of several axes is one word, in which the first axis has the lowest bits.
static_assert(tile.in.bits() == 4 && tile.out.bits() == 4 && tile.in.first_bit(reg) == 3 &&
              tile.out.first_bit(dim<1>) == 2);
static_assert(tile.in.bit_at(3) == 1 * reg && tile.in.bit_at(2) == 4 * lane);
static_assert(apply(tile, 5 * lane + 1 * reg) == 3 * dim<0> + 1 * dim<1>);
static_assert(apply(tile, {}) == place{});
static_assert(apply(map("{lane: 1 -> (1)} to (m: 4) ^ (2)"), 1 * lane) == 3 * m);
static_assert(axe::try_apply(tile, 8 * lane).why ==
              axe::refusal{rule::linear_input_outside, {8, 7}, {lane}});
static_assert(axe::try_apply(tile, 1 * warp).why.which == rule::linear_input_outside);
static_assert(axe::try_apply(tile, -1 * lane).why.which == rule::linear_input_outside);
static_assert(axe::dimension_axis(0) == dim<0> && axe::dimension_axis(3) == dim<3> &&
              axe::dimension_axis(12) == axe::memory_axis("dim12"));

// Maps that `check` rejects.
constexpr axe::rule checked(linear_map const& m) { return axe::check(m).which; }
static_assert(checked(tile) == rule::none && checked({}) == rule::none);
static_assert(checked(linear_map({{lane, 1}, {lane, 1}}, {})) == rule::linear_axis_twice);
static_assert(checked(linear_map({{lane, 63}}, {})) == rule::linear_axis_bits);
static_assert(checked(linear_map({{lane, -1}}, {})) == rule::linear_axis_bits);
static_assert(checked(linear_map({{axe::axis::null, 1}}, {})) == rule::linear_axis_bits);
static_assert(checked(linear_map({{lane, 40}, {reg, 25}}, {})) == rule::linear_bits);
static_assert(checked(linear_map({{lane, 62}, {reg, 2}}, {})) == rule::none);
constexpr linear_map broken(bool column) {
  linear_map m({{lane, 1}}, {{reg, 1}});
  (column ? m.matrix.column[0] : m.offset) = 2;
  return m;
}
static_assert(checked(broken(true)) == rule::linear_matrix &&
              checked(broken(false)) == rule::linear_matrix);
constexpr linear_map missing_a_column() {
  linear_map m({{lane, 2}}, {{reg, 1}});
  m.matrix.columns = 1;
  return m;
}
static_assert(checked(missing_a_column()) == rule::linear_matrix);

// Equivalent maps may differ in the order of axes and in output bits that are never set.
static_assert(axe::equivalent(map("{lane: 1 -> (1,0); reg: 1 -> (0,1)} to (dim0: 2, dim1: 2)"),
                              map("{reg: 1 -> (1,0); lane: 1 -> (0,1)} to (dim1: 2, dim0: 2)")));
static_assert(axe::equivalent(map("{lane: 1 -> (1)} to (m: 2)"),
                              map("{lane: 1 -> (1); warp:} to (m: 8)")));
static_assert(!axe::equivalent(map("{lane: 1 -> (1)} to (m: 2)"),
                               map("{lane: 1 -> (1)} to (reg: 2)")));
static_assert(!axe::equivalent(map("{lane: 1 -> (1)} to (m: 2)"),
                               map("{lane: 1 -> (1), 2 -> (0)} to (m: 2)")));
static_assert(!axe::equivalent(map("{lane: 1 -> (1)} to (m: 2)"),
                               map("{lane: 1 -> (1)} to (m: 2) ^ (1)")));
static_assert(!axe::equivalent(map("{lane: 1 -> (3)} to (m: 4)"),
                               map("{lane: 1 -> (1)} to (m: 2)")));
static_assert(!axe::equivalent(map("{lane: 1 -> (1), 2 -> (2)} to (m: 4)"),
                               map("{lane: 1 -> (2), 2 -> (1)} to (m: 4)")));

// compose.
constexpr linear_map twist = map("{m: 1 -> (1), 2 -> (3)} to (m: 4)");
constexpr linear_map count = map("{reg: 1 -> (1); lane: 1 -> (2)} to (m: 4)");
static_assert(axe::compose(twist, count) == map("{reg: 1 -> (1); lane: 1 -> (3)} to (m: 4)"));
static_assert(axe::compose(twist, map("{reg: 1 -> (1)} to (m: 4) ^ (2)")) ==
              map("{reg: 1 -> (1)} to (m: 4) ^ (3)"));
static_assert(axe::compose(map("{m: 1 -> (1)} to (reg: 4) ^ (2)"),
                           map("{lane: 1 -> (1)} to (m: 2) ^ (1)")) ==
              map("{lane: 1 -> (1)} to (reg: 4) ^ (3)"));
static_assert(axe::compose(twist, map("{reg: 1 -> (2)} to (m: 8)")) ==
                  map("{reg: 1 -> (3)} to (m: 4)"),
              "B's axis may have more bits than A's, if B never sets them");
static_assert(axe::try_compose(twist, map("{reg: 1 -> (4)} to (m: 8)")).why ==
              axe::refusal{rule::linear_inner_leaves, {4, 3}, {m}});
static_assert(axe::try_compose(twist, map("{reg: 1 -> (1)} to (lane: 2)")).why.which ==
              rule::linear_inner_leaves);
static_assert(axe::compose(tile, map("{dim3: 1 -> (2)} to (lane: 4)")) ==
                  map("{dim3: 1 -> (0,2)} to (dim0: 4, dim1: 4)"),
              "axes of A that B does not name are 0");

// rank, kernel, invert, pseudo_invert and preimage.
constexpr linear_map twice = map("{reg: 1 -> (1); lane: 1 -> (2), 2 -> (0)} to (m: 4)");
static_assert(axe::rank(twice) == 2 && axe::rank(tile) == 4 &&
              axe::rank(map("{} to (m: 4) ^ (3)")) == 0);
static_assert(axe::kernel(twice) == map("{replica: 1 -> (0,2)} to (reg: 2, lane: 4)"));
static_assert(axe::kernel(tile).in.bits() == 0);
static_assert(axe::try_kernel(linear_map({{m, 62}, {reg, 1}}, {})).why.which ==
                  rule::linear_axis_bits,
              "the kernel has 63 bits, and an axis has at most 62");
static_assert(axe::invert(twist) == map("{m: 1 -> (1), 2 -> (3)} to (m: 4)"));
static_assert(axe::invert(map("{lane: 1 -> (2), 2 -> (3)} to (m: 4) ^ (1)")) ==
              map("{m: 1 -> (3), 2 -> (1)} to (lane: 4) ^ (3)"));
static_assert(
    axe::compose(tile, axe::invert(tile)) ==
    map("{dim0: 1 -> (1,0), 2 -> (2,0); dim1: 1 -> (0,1), 2 -> (0,2)} to (dim0: 4, dim1: 4)"));
static_assert(axe::try_invert(twice).why == axe::refusal{rule::linear_not_one_to_one, {2}, {lane}});
static_assert(axe::try_invert(map("{lane: 1 -> (1)} to (m: 4)")).why ==
              axe::refusal{rule::linear_not_onto, {2}, {m}});
static_assert(axe::pseudo_invert(twice) == map("{m: 1 -> (1,0), 2 -> (0,1)} to (reg: 2, lane: 4)"));
static_assert(axe::pseudo_invert(map("{reg: 1 -> (1); lane: 1 -> (1)} to (m: 2)")) ==
                  map("{m: 1 -> (1,0)} to (reg: 2, lane: 2)"),
              "of two replicas, pseudo_invert returns the smaller");
static_assert(axe::pseudo_invert(map("{reg: 1 -> (1)} to (m: 2) ^ (1)")) ==
              map("{m: 1 -> (1)} to (reg: 2) ^ (1)"));
static_assert(axe::preimage(twice) ==
              map("{m: 1 -> (1,0), 2 -> (0,1); replica: 1 -> (0,2)} to (reg: 2, lane: 4)"));
static_assert(axe::preimage(twist) == axe::invert(twist));
static_assert(axe::try_preimage(map("{lane: 1 -> (2)} to (m: 4)")).why ==
              axe::refusal{rule::linear_not_onto, {1}, {m}});

// invert_and_compose chooses the nearest replica.
static_assert(axe::invert_and_compose(twice, twice) ==
                  map("{reg: 1 -> (1,0); lane: 1 -> (0,1), 2 -> (0,2)} to (reg: 2, lane: 4)"),
              "if several lanes hold an element, each lane reads its own");
static_assert(axe::invert_and_compose(twice,
                                      map("{reg: 1 -> (2); lane: 1 -> (1), 2 -> (0)} to (m: 4)")) ==
              map("{reg: 1 -> (0,1); lane: 1 -> (1,0), 2 -> (0,2)} to (reg: 2, lane: 4)"));
constexpr linear_map both_warps = map("{lane: 1 -> (1); warp: 1 -> (1)} to (m: 2)");
static_assert(axe::invert_and_compose(both_warps, both_warps) ==
                  map("{lane: 1 -> (1,0); warp: 1 -> (0,1)} to (lane: 2, warp: 2)"),
              "a warp that holds the element does not read from another warp");
static_assert(axe::invert_and_compose(both_warps, map("{reg: 1 -> (1)} to (m: 2)")) ==
                  map("{reg: 1 -> (1,0)} to (lane: 2, warp: 2)"),
              "if a lane or a warp can change, the lane changes");
static_assert(axe::invert_and_compose(map("{reg: 1 -> (1)} to (m: 2) ^ (1)"),
                                      map("{reg: 1 -> (1)} to (m: 2)"))
                  .offset == 1);
static_assert(axe::try_invert_and_compose(map("{reg: 1 -> (1)} to (m: 4)"),
                                          map("{reg: 1 -> (0), 2 -> (2)} to (m: 4)"))
                  .why == axe::refusal{rule::linear_not_reached, {2}, {reg}});
static_assert(axe::try_invert_and_compose(map("{reg: 1 -> (1)} to (m: 4)"),
                                          map("{reg: 1 -> (1)} to (m: 4) ^ (2)"))
                  .why.which == rule::linear_start_not_reached);

// multiply, divide_left and divide_right.
static_assert(axe::multiply(map("{reg: 1 -> (1)} to (m: 2)"),
                            map("{reg: 1 -> (1); lane: 1 -> (2)} to (m: 4)")) ==
              map("{reg: 1 -> (1), 2 -> (2); lane: 1 -> (4)} to (m: 8)"));
static_assert(axe::multiply(map("{reg: 1 -> (1)} to (m: 2) ^ (1)"),
                            map("{reg: 1 -> (0,1)} to (lane: 2, m: 4) ^ (0,3)")) ==
              map("{reg: 1 -> (1,0), 2 -> (2,0)} to (m: 8, lane: 2) ^ (7,0)"));
static_assert(axe::try_multiply(map("{lane:} to (m: 1099511627776)"),
                                map("{lane:} to (m: 1099511627776)"))
                  .why.which == rule::linear_axis_bits);
static_assert(axe::try_multiply(map("{lane:} to (m: 1099511627776)"),
                                map("{lane:} to (reg: 1099511627776)"))
                  .why == axe::refusal{rule::linear_bits, {80}});
constexpr linear_map whole = map("{reg: 1 -> (1), 2 -> (4); lane: 1 -> (2)} to (m: 8)");
static_assert(axe::divide_left(whole, map("{reg: 1 -> (1); lane: 1 -> (2)} to (m: 4)")) ==
              map("{reg: 1 -> (1)} to (m: 2)"));
static_assert(axe::divide_right(whole, map("{reg: 1 -> (1)} to (m: 2)")) ==
              map("{reg: 1 -> (1); lane: 1 -> (2)} to (m: 4)"));
static_assert(axe::divide_left(whole, whole) == linear_map{} &&
              axe::equivalent(axe::divide_right(whole, {}), whole));
static_assert(axe::try_divide_left(whole, map("{reg: 1 -> (2)} to (m: 4)")).why ==
              axe::refusal{rule::linear_factor_differs, {1}, {reg}});
static_assert(axe::try_divide_right(whole, map("{lane: 1 -> (1)} to (m: 2)")).why ==
              axe::refusal{rule::linear_factor_differs, {1}, {lane}});
static_assert(axe::try_divide_left(whole, map("{lane: 1 -> (2)} to (m: 4)")).why ==
              axe::refusal{rule::linear_rest_mixes, {1}, {reg}});
static_assert(axe::try_divide_left(whole, map("{lane: 1 -> (2)} to (m: 16)")).why ==
              axe::refusal{rule::linear_factor_is_larger, {4, 3}, {m}});
static_assert(axe::try_divide_left(whole, map("{reg: 1 -> (1)} to (m: 2) ^ (1)")).why.which ==
              rule::linear_factor_starts_elsewhere);
static_assert(axe::divide_left(map("{reg: 1 -> (1), 2 -> (2)} to (m: 4) ^ (3)"),
                               map("{reg: 1 -> (1)} to (m: 2) ^ (1)")) ==
              map("{reg: 1 -> (1)} to (m: 2) ^ (1)"));

// part and quotient.
static_assert(axe::part(tile, {lane}, {dim<1>}) ==
              map("{lane: 1 -> (1), 2 -> (2), 4 -> (0)} to (dim1: 4)"));
static_assert(
    axe::part(tile, {reg, lane}, {dim<1>, dim<0>}) ==
    map("{reg: 1 -> (0,2); lane: 1 -> (1,0), 2 -> (2,0), 4 -> (0,1)} to (dim1: 4, dim0: 4)"));
static_assert(axe::part(map("{reg: 1 -> (1,0)} to (m: 2, lane: 2) ^ (1,1)"), {reg}, {lane}) ==
              map("{reg: 1 -> (0)} to (lane: 2) ^ (1)"));
static_assert(axe::try_part(tile, {warp}, {dim<1>}).why ==
              axe::refusal{rule::linear_no_such_axis, {}, {warp}});
static_assert(axe::try_part(tile, {lane, lane}, {dim<1>}).why.which == rule::linear_axis_twice);
constexpr linear_map moves =
    map("{reg: 1 -> (1,0), 2 -> (2,0); warp: 1 -> (0,1)} to (reg: 4, warp: 2)");
static_assert(axe::quotient(moves, {warp}) == map("{reg: 1 -> (1), 2 -> (2)} to (reg: 4)"));
static_assert(axe::quotient(moves, {warp, reg}) == linear_map{});
static_assert(axe::try_quotient(map("{reg: 1 -> (1,1); warp: 1 -> (0,1)} to (reg: 2, warp: 2)"),
                                {warp})
                      .why == axe::refusal{rule::linear_no_quotient, {}, {warp}},
              "a bit of reg changes the warp");
static_assert(axe::try_quotient(map("{reg: 1 -> (1,0); warp: 1 -> (1,1)} to (reg: 2, warp: 2)"),
                                {warp})
                      .why.which == rule::linear_no_quotient,
              "a bit of warp changes the register");
static_assert(axe::try_quotient(map("{warp: 1 -> (1)} to (warp: 2) ^ (1)"), {warp}).why.which ==
              rule::linear_no_quotient);
static_assert(axe::try_quotient(map("{warp: 1 -> (1)} to (warp: 4)"), {warp}).why.which ==
              rule::linear_no_quotient);
static_assert(axe::try_quotient(moves, {lane}).why ==
              axe::refusal{rule::linear_no_such_axis, {}, {lane}});

// Random maps at compile time.
constexpr axe::axis hardware[3]{reg, lane, warp};
constexpr axe::axis logical[3]{dim<0>, dim<1>, m};
constexpr char const* random_map_disagreement(unsigned long long seed, int maps) {
  axe_test::random_source d{seed};
  for (int i = 0; i < maps; ++i) {
    linear_map const a = axe_test::random_map(d, hardware, logical, 1);
    linear_map const b = axe_test::random_map(d, logical, hardware, 1);
    linear_map const c = axe_test::random_map(d, hardware, logical, 1);
    if (char const* wrong = axe_test::compose_disagreement(a, b)) return wrong;
    if (char const* wrong = axe_test::backward_disagreement(a)) return wrong;
    if (char const* wrong = axe_test::invert_and_compose_disagreement(a, c)) return wrong;
    if (char const* wrong = axe_test::multiply_disagreement(a, c)) return wrong;
  }
  return nullptr;
}
static_assert(random_map_disagreement(1, 3) == nullptr);
static_assert(random_map_disagreement(2, 3) == nullptr);
static_assert(random_map_disagreement(3, 3) == nullptr);

// g++ 14 to 16 would give the second comparison the result of the first if both were defaulted:
// docs/decisions.md, "Comparisons of arrays are written out".
template <class T> constexpr bool both_equal(T const& a, T const& b, T const& c, T const& d) {
  return a == b && c == d;
}
constexpr axe::bit_matrix one = axe::bit_matrix::identity(2), none(2, 2);
static_assert(!both_equal(one, one, one, none));
constexpr axe::refusal first{rule::none, {1, 2}}, second{rule::none, {1, 3}};
static_assert(!both_equal(first, first, first, second));

}  // namespace
