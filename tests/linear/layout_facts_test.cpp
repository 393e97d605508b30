// Facts about layouts as linear maps and maps as layouts: the tensor-core tile, swizzles, replicas,
// offsets and refusals.
#include "linear/layouts.hpp"

#include <axe/linear/compose_maps.hpp>
#include <axe/linear/divide.hpp>
#include <axe/linear/print_map.hpp>
#include <axe/linear/read_map.hpp>

namespace {

using namespace axe::literals;
using namespace axe::axes;
using axe::layout;
using axe::linear;
using axe::linear_map;
using axe::rule;
using axe::swizzle;
using axe::to_layout;

constexpr linear_map map(char const* text) { return axe::parse_linear(text); }
constexpr bool prints(layout const& l, axe::shape const& s, char const* text) {
  return axe::to_text(linear(l, s)) == text;
}

// The input axes are the dimensions of the shape. The output axes are sorted: memory, then threads
// from the lane outwards, then devices.
constexpr layout tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;
static_assert(
    prints(tile, {8, 16},
           "{dim0: 1 -> (0,4,0), 2 -> (0,8,0), 4 -> (0,16,0); dim1: 1 -> (1,0,0), 2 -> (0,1,0), 4 "
           "-> (0,2,0), 8 -> (0,0,3); "
           "replica: 1 -> (0,0,12)} to (reg: 2, lane: 32, warp: 16) ^ (0,0,5)"));
static_assert(prints("S[4:1]"_axe, {2, 2}, "{dim0: 1 -> (2); dim1: 1 -> (1)} to (m: 4)"));
static_assert(prints("S[8:1]"_axe, {{2, 2}, 2},
                     "{dim0: 1 -> (2), 2 -> (4); dim1: 1 -> (1)} to (m: 8)"));
static_assert(prints("S[4:-1] + 3"_axe, 4, "{dim0: 1 -> (1), 2 -> (2)} to (m: 4) ^ (3)"),
              "a negative stride is an XOR with the largest value");
static_assert(prints("S[2:1] + 5"_axe, 2, "{dim0: 1 -> (3)} to (m: 8) ^ (5)"),
              "the places 5 and 6 are 5 and 5 ^ 3");
static_assert(prints("S[2:0]"_axe, 2, "{dim0: 1 -> ()} to ()"), "a broadcast moves nothing");
static_assert(prints("S[] + R[4:1]"_axe, 1, "{dim0:; replica: 1 -> (1), 2 -> (2)} to (m: 4)"));
static_assert(prints("S[] + R[3:1] + R[2:1]"_axe, 1,
                     "{dim0:; replica: 1 -> (1), 2 -> (2)} to (m: 4)"),
              "the replicas 0 to 2 and 1 to 3 have four places");
static_assert(prints("swizzle(0,1,1) o S[4:1] + 2"_axe, 4, "") == false);
static_assert(prints("swizzle(0,1,1) o S[(2,2):(4,1)] + 2"_axe, {2, 2},
                     "{dim0: 1 -> (4); dim1: 1 -> (1)} to (m: 8) ^ (3)"));
static_assert(prints("swizzle(0,1,-2) o S[4:1]"_axe, 4, "{dim0: 1 -> (5), 2 -> (2)} to (m: 8)"),
              "a swizzle with S < 0 changes higher bits");
static_assert(linear(tile, {8, 16}).in.names(replica) &&
              !linear("S[4:1]"_axe, 4).in.names(replica));

// Layouts that are not linear maps, and the numbers of the refusals.
constexpr axe::refusal why(layout const& l, axe::shape const& s) {
  return axe::try_linear(l, s).why;
}
static_assert(why("S[12:1]"_axe, {4, 3}) == axe::refusal{rule::linear_extent, {1, 3}});
static_assert(why("S[4:1] + R[3:8@lane]"_axe, 4) ==
              axe::refusal{rule::linear_replicas, {3, 8}, {lane}});
static_assert(why("S[4:-1]"_axe, 4) == axe::refusal{rule::linear_negative, {-3}, {m}});
static_assert(why("S[(2,2):(3,1)]"_axe, 4) ==
              axe::refusal{rule::linear_carry, {1, 3, 0, 1, 3, 4}, {m}});
static_assert(why("S[4:1] + 1"_axe, 4) ==
              axe::refusal{rule::linear_carry, {1, 2, 1, 2, 3, 4}, {m}});
static_assert(why("S[2:1] + R[2:1]"_axe, 2).which == rule::linear_carry,
              "the element step and the replica step change the same bit");
static_assert(why("S[4:1]"_axe, {2, 4}).which == rule::shape_does_not_fit);
constexpr axe::shape sixteen{2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
static_assert(linear("S[2:1]"_axe, sixteen).in.axes.size() == 16,
              "16 axes are the most that a side can have");
static_assert(why("S[2:1] + R[2:2]"_axe, sixteen) == axe::refusal{rule::linear_axes, {17}},
              "the axis of replicas is the 17th");
static_assert(why("S[]"_axe, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}) ==
              axe::refusal{rule::linear_axes, {17}});
static_assert(why("S[2:4611686018427387904]"_axe, 2) ==
              axe::refusal{rule::linear_axis_bits, {63}, {m}});
static_assert(why("S[(2147483648,2147483648):(2147483648@lane,1)]"_axe, {2147483648, 2147483648}) ==
              axe::refusal{rule::linear_bits, {93}});
static_assert(why("S[] + R[1099511627776:1] + R[8388608:1@lane]"_axe, 1) ==
                  axe::refusal{rule::linear_axis_bits, {63}, {axe::axes::replica}},
              "an axis of inputs has at most 62 bits, too");
static_assert(linear("S[4611686018427387904:1]"_axe, 4611686018427387904) ==
              axe::linear_identity(dim<0>, 62, m));

// Maps that are layouts.
static_assert(to_layout(linear(tile, {8, 16})) == tile);
static_assert(to_layout(map("{dim0: 1 -> (4), 2 -> (8); dim1: 1 -> (1), 2 -> (2)} to (m: 16)")) ==
              "S[16:1]"_axe);
static_assert(to_layout(map("{dim0: 1 -> (5), 2 -> (10); dim1: 1 -> (1), 2 -> (2)} to (m: 16)")) ==
              "swizzle(0,2,2) o S[16:1]"_axe);
static_assert(to_layout(map("{dim0: 1 -> (3)} to (lane: 4) ^ (1)")) == "S[2:1@lane] + 1@lane"_axe,
              "1 and 1 ^ 3 = 2");
static_assert(to_layout(map("{dim0: 1 -> (3)} to (lane: 4) ^ (3)")) == "S[2:-3@lane] + 3@lane"_axe);
static_assert(to_layout(map("{replica: 1 -> (3), 2 -> (1)} to (m: 4)")) == "S[] + R[4:1]"_axe,
              "the replicas may be given by any basis");
static_assert(to_layout(map("{dim0: 1 -> (3); replica: 1 -> (1)} to (m: 4)")) ==
                  "S[2:2] + R[2:1]"_axe,
              "the XOR of a step and a replica step gives the same layout");
static_assert(to_layout(linear("swizzle(3,3,3) o S[512:1] + 512"_axe, {8, 64})) ==
              "swizzle(3,3,3) o S[512:1] + 512"_axe);
static_assert(to_layout(linear("swizzle(1,2,-3) o S[(4,4):(1,16)]"_axe, {4, 4})) ==
                  "swizzle(1,1,-3) o S[(4,4):(1,16)]"_axe,
              "bit 2 is never set");
constexpr axe::refusal none(char const* text) { return axe::try_to_layout(map(text)).why; }
static_assert(none("{dim0: 1 -> (1), 2 -> (1)} to (m: 2)") ==
              axe::refusal{rule::linear_overlap, {1, 2}, {dim<0>, dim<0>}});
static_assert(none("{dim0: 1 -> (1); dim1: 1 -> (3)} to (lane: 4)") ==
                  axe::refusal{rule::linear_overlap, {1, 1}, {dim<1>, dim<0>}},
              "a swizzle acts on m alone");
static_assert(none("{dim0: 1 -> (1,1)} to (lane: 2, reg: 2)") ==
              axe::refusal{rule::linear_two_axes, {1}, {dim<0>, lane}});

// A swizzle is a linear map. Composed with the map of a layout, it gives the map of the swizzled
// layout.
static_assert(linear(swizzle{0, 1, 1}, 2) == map("{m: 1 -> (1), 2 -> (3)} to (m: 4)"));
static_assert(linear(swizzle{0, 1, -1}, 1) == map("{m: 1 -> (3)} to (m: 4)"));
static_assert(linear(swizzle{}, 3) == axe::linear_identity(m, 3, m));
static_assert(axe::try_linear(swizzle{0, 1, 0}, 2).why.which == rule::swizzle_parameters);
static_assert(axe::try_linear(swizzle{0, 1, 1}, 63).why.which == rule::linear_axis_bits);
constexpr layout rows = "S[(8,64):(64,1)]"_axe;
static_assert(axe::compose(linear(swizzle{3, 3, 3}, 9), linear(rows, {8, 64})) ==
              linear("swizzle(3,3,3) o S[(8,64):(64,1)]"_axe, {8, 64}));

// owner_map maps each place to its element, as Triton's layouts do. The input axes are those of the
// layout, without one for replicas.
constexpr layout replicated = "S[(4,2):(1@lane,1@reg)] + R[2:4@lane]"_axe;
static_assert(
    axe::owner_map(replicated, {4, 2}) ==
    map("{reg: 1 -> (0,1); lane: 1 -> (1,0), 2 -> (2,0), 4 -> (0,0)} to (dim0: 4, dim1: 2)"));
static_assert(axe::kernel(axe::owner_map(replicated, {4, 2})) ==
              map("{replica: 1 -> (0,4)} to (reg: 2, lane: 8)"));
static_assert(to_layout(axe::preimage(axe::owner_map(replicated, {4, 2}))) == replicated);
static_assert(axe::try_owner_map("S[2:0@lane]"_axe, 2).why.which == rule::linear_not_one_to_one,
              "one place, two elements");
static_assert(axe::try_owner_map("S[2:2@lane]"_axe, 2).why ==
              axe::refusal{rule::linear_not_onto, {1}, {lane}});

// Comparisons with sets of places (linear/layouts.hpp) at compile time.
static_assert(axe_test::layout_disagreement("S[(2,2):(1@lane,2)] + R[2:1] + 4@lane"_axe, {2, 2}) ==
              nullptr);
static_assert(axe_test::layout_disagreement("swizzle(0,1,2) o S[(2,4):(4,1)] + R[2:8]"_axe,
                                            {4, 2}) == nullptr);
static_assert(axe_test::layout_disagreement("S[(2,2):(4,1)] + 5"_axe, {4}) == nullptr);
static_assert(axe_test::layout_disagreement("S[(2,2):(2,1)] + R[2:2]"_axe, {4}) == nullptr);
static_assert(axe_test::map_disagreement(map("{dim0: 1 -> (3), 2 -> (2)} to (m: 4)")) == nullptr);
static_assert(axe_test::map_disagreement(
                  map("{dim0: 1 -> (6); replica: 1 -> (5)} to (m: 8) ^ (1)")) == nullptr);

constexpr axe::refusal misread(char const* text) { return axe::try_parse_linear(text).why; }
static_assert(misread("{lane: 1 -> (1), 3 -> (2)} to (m: 4)") ==
              axe::refusal{rule::expected_a_basis, {17, 2}});
static_assert(misread("{lane: 1 -> (4)} to (m: 4)") ==
              axe::refusal{rule::basis_outside, {12, 0, 4, 3}});
static_assert(misread("{lane: 1 -> (1,0)} to (m: 4)") ==
                  axe::refusal{rule::basis_of_another_length, {12, 1, 2}} &&
              misread("{lane: 1 -> (0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0)} to (m: 4)") ==
                  axe::refusal{rule::basis_of_another_length, {12, 1, 17}});
static_assert(misread("{lane: 1 -> (1)} to (m: 3)") ==
              axe::refusal{rule::expected_a_power_of_two, {24, 3}});
static_assert(misread("{lane: 1 > (1)} to (m: 2)").which == rule::expected_a_linear_map);
static_assert(misread("{lane: 1 -> (1), } to (m: 2)").which == rule::expected_a_number);
static_assert(misread("{lnae: 1 -> (1)} to (m: 2)").numbers[0] == 1);
static_assert(misread("{lane: 1 -> (1); lane: 1 -> (1)} to (m: 2)") ==
              axe::refusal{rule::linear_axis_twice, {}, {lane}});

}  // namespace
