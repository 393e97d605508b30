// Facts about meshes, shardings and plans, in constant expressions.
#include <axe/axe.hpp>
#include <axe/distributed.hpp>

namespace {

using axe::integer;
using axe::rule;
using axe::sharding;

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");
constexpr axe::notation on_mesh{y, x};
constexpr axe::mesh two_by_four{{y, 2}, {x, 4}};
constexpr axe::mesh four{{x, 4}};

static_assert(two_by_four.devices() == 8 && two_by_four.rank_of(6) == 6);
static_assert(two_by_four.on_ranks({1, 2}, 8).rank_of(6) == 8 + 1 + 2 * 2);

constexpr rule rule_of(axe::mesh const& m) { return check(m).which; }
static_assert(rule_of({{y, 0}}) == rule::mesh_extent_below_one);
static_assert(rule_of({{axe::axis::lane, 2}}) == rule::mesh_axis_is_not_a_device_axis);
static_assert(rule_of({{y, 2}, {y, 2}}) == rule::mesh_names_an_axis_twice);
static_assert(rule_of(two_by_four.on_ranks({2, 1})) == rule::mesh_rank_twice);
static_assert(rule_of(two_by_four.on_ranks({4})) == rule::mesh_rank_strides);
static_assert(rule_of(two_by_four.on_ranks({4, 1, 2})) == rule::mesh_rank_strides);
static_assert(rule_of(four.on_ranks({-1})) == rule::mesh_rank_is_negative);
static_assert(rule_of(four.on_ranks({-1}, 3)) == rule::none);

// Meshes that are rejected because ranks do not fit in 64 bits or cannot be listed.
constexpr integer far = integer{1} << 62;
constexpr axe::mesh wide{{y, 1000000}, {x, 1000000}};
static_assert(rule_of(two_by_four.on_ranks({far, 1})) == rule::none);
static_assert(rule_of(two_by_four.on_ranks({1, far})) == rule::mesh_too_large);
static_assert(rule_of(two_by_four.on_ranks({far, far})) == rule::mesh_too_large);
static_assert(rule_of(two_by_four.on_ranks({-far - far, 1})) == rule::mesh_too_large);
static_assert(rule_of(axe::mesh{{x, 2}}.on_ranks({1}, far - 1 + far - 1)) == rule::mesh_too_large);
constexpr axe::mesh longest{{x, far - 1 + far}};
static_assert(axe::try_plan_reshard({on_mesh("S[1:1]"), 1, longest},
                                    {on_mesh("S[1:1] + 1@x"), 1, longest})
                  .why.which == rule::reshard_overflows);
static_assert(rule_of(wide.on_ranks({1, 1000000})) == rule::none);
static_assert(rule_of(wide.on_ranks({1, 999999})) == rule::mesh_rank_twice);
static_assert(check(wide.on_ranks({1000000007, 1000000000}), axe::step_limit(1000)).which ==
              rule::undecided);

constexpr sharding make(char const* places, axe::shape const& s, axe::mesh const& m,
                        int summands = 0, axe::shape const& real = {}) {
  return {on_mesh(places), s, m, summands, real};
}
constexpr rule rule_of(sharding const& s) { return check(s).which; }
static_assert(rule_of(make("S[(4,2):(1@x,1)]", {8}, four)) == rule::none);
static_assert(rule_of(make("S[(2,4):(1@y,1)]", {8}, four)) == rule::sharding_axis);
static_assert(rule_of(make("S[(8,2):(1@x,1)]", {16}, four)) == rule::sharding_outside_the_mesh);
static_assert(rule_of(make("S[8:-1]", {8}, four)) == rule::sharding_negative_address);
static_assert(rule_of(make("S[8:-1] + 7", {8}, four)) == rule::none);
static_assert(rule_of(make("S[(2,2):(1@x,1)] + R[2:1@x]", {4}, four)) ==
              rule::sharding_two_elements);
static_assert(rule_of(make("S[(2,2):(1,1)]", {4}, four)) == rule::sharding_two_elements);
static_assert(rule_of(make("S[(2,4):(0,1)]", {8}, four)) == rule::sharding_stride_zero);
static_assert(rule_of(make("S[(3,4):(1@x,1)]", {4, 3}, four, 3)) == rule::sharding_summands);
static_assert(rule_of(make("S[(4,3):(1@x,1)]", {3, 4}, four, 1)) == rule::sharding_summands_split);
static_assert(rule_of(make("S[(4,2):(1@x,1)]", {8}, four, 0, {9})) == rule::sharding_real_extent);

// Devices do not hold padding: 5 rows in blocks of 3 occupy only 2 of the 8 blocks, and so 2
// devices.
static_assert(rule_of(make("S[(8,3):(1@x,1)]", {24}, four, 0, {5})) == rule::none);
static_assert(rule_of(make("S[(8,3):(1@x,1)]", {24}, four, 0, {13})) ==
              rule::sharding_outside_the_mesh);

// The refusal names an address with two elements: element 0 is on devices 0 and 1, element 2 on 1
// and 2.
constexpr axe::refusal two_elements = check(make("S[(2,2):(1@x,1)] + R[2:1@x] + 2", {4}, four));
static_assert(two_elements.numbers[0] + two_elements.numbers[1] == 2 &&
              two_elements.numbers[2] == 2 && two_elements.numbers[3] == 1);

constexpr sharding rows = make("S[(2,4,8):(1@y,8,1)] + R[4:1@x]", {8, 8}, two_by_four);
constexpr sharding columns = make("S[(8,4,2):(2,1@x,1)] + R[2:1@y]", {8, 8}, two_by_four);

// Resharding from rows to columns: each device needs 16 elements and has 8 of them.
constexpr axe::reshard_plan crossed = axe::plan_reshard(rows, columns);
static_assert(axe::volume(crossed) == 64 && axe::least_volume(crossed) == 64);
static_assert(axe::missing(crossed, 3) == 8 && axe::rounds(crossed) == 1);
static_assert(axe::traffic_of(crossed, 5).received == 8 && axe::traffic_of(crossed, 5).sent == 8);
static_assert(axe::peak_memory(crossed, 0) == 32 + 16);

// The reduce-scatter of the Axe paper has 3 messages for each element.
constexpr sharding partial = make("S[(4,8,8):(1@x,8,1)]", {4, 8, 8}, four, 1);
constexpr sharding scattered = make("S[(4,2,8):(1@x,8,1)]", {8, 8}, four);
constexpr sharding everywhere = make("S[64:1] + R[4:1@x]", {8, 8}, four);
static_assert(axe::volume(axe::plan_reshard(partial, scattered)) == 3 * 64);
static_assert(axe::least_volume(axe::plan_reshard(partial, scattered)) == 3 * 64);
static_assert(axe::volume(axe::plan_reshard(partial, everywhere)) == 2 * 3 * 64);

// Devices 2 and 3 hold one summand each, and all four devices need the sum. One of the two computes
// the sum and sends it to the three others.
static_assert(axe::volume(axe::plan_reshard(make("S[(2,8):(1@x,1)] + 2@x", {2, 8}, four, 1),
                                            make("S[8:1] + R[4:1@x]", {8}, four))) == 8 * (1 + 3));

// The last of 2 blocks of 3 elements has one element of padding: device 0 lacks only 2 elements.
constexpr axe::reshard_plan uneven = axe::plan_reshard(
    make("S[(2,3):(1@x,1)]", {6}, four, 0, {5}), make("S[6:1] + R[2:1@x]", {6}, four, 0, {5}));
static_assert(axe::missing(uneven, 0) == 2 && axe::missing(uneven, 1) == 3);
static_assert(axe::volume(uneven) == 5 && uneven.elements() == 5);

// The digits (0,1,0) and (1,0,1) are both on device 3, but the element of the second is padding.
constexpr axe::reshard_plan sparse = axe::plan_reshard(
    make("S[(2,2,2):(1@x,3@x,2@x)]", {8}, {{x, 7}}, 0, {5}), make("S[8:1]", {8}, {{x, 7}}, 0, {5}));
static_assert(axe::traffic_of(sparse, 3).sent == 1 && axe::volume(sparse) == 4);

// If no digit ends where a dimension ends, the places of real elements are compared pair by pair.
static_assert(rule_of(make("S[(4,3):(1,2)]", {6, 2}, four, 0, {3, 2})) == rule::none);
constexpr axe::refusal walked_twice = check(make("S[(4,3):(1,2)]", {6, 2}, four, 0, {4, 2}));
static_assert(walked_twice.which == rule::sharding_two_elements && walked_twice.numbers[0] == 1 &&
              walked_twice.numbers[1] == 6 && walked_twice.numbers[2] == 2);
static_assert(rule_of(make("S[(3,4):(2@x,1)]", {4, 3}, four, 0, {3, 1})) == rule::none);
static_assert(rule_of(make("S[(3,4):(2@x,1)]", {4, 3}, four, 0, {4, 1})) ==
              rule::sharding_outside_the_mesh);

// Only elements 0, 3 and 6 are real. Device 0 holds the first two, device 2 holds the third.
constexpr axe::reshard_plan walked =
    axe::plan_reshard(make("S[(3,4):(2@x,1)]", {4, 3}, four, 0, {3, 1}),
                      make("S[12:1] + R[4:1@x]", {4, 3}, four, 0, {3, 1}));
static_assert(walked.pieces == 3 && axe::volume(walked) == 9 && axe::least_volume(walked) == 9);
static_assert(axe::missing(walked, 0) == 1 && axe::missing(walked, 2) == 2 &&
              axe::missing(walked, 3) == 3 && axe::traffic_of(walked, 0).sent == 6);
static_assert(axe::peak_memory(walked, 0) == 2 + 3 && axe::peak_memory(walked, 1) == 3);
// Elements 0 and 3 are on device 0 alone, and the three other devices lack both.
constexpr axe::send_bound from_pieces = *axe::try_largest_send(walked);
static_assert(from_pieces.elements == 6 && from_pieces.demand == 6 && from_pieces.holders == 1 &&
              from_pieces.device == 0);
// Devices 0 and 1 hold three elements, and devices 1 and 2 three others. Two devices lack all of
// them, so that the three holders share 12 sends.
constexpr axe::send_bound from_shared = *axe::try_largest_send(
    axe::plan_reshard(make("S[(3,8):(1@x,1)] + R[2:1@x]", {8, 3}, {{x, 5}}, 0, {6, 1}),
                      make("S[24:1] + R[2:1@x] + 3@x", {8, 3}, {{x, 5}}, 0, {6, 1})));
static_assert(from_shared.elements == 4 && from_shared.demand == 12 && from_shared.holders == 3);
static_assert(axe::try_largest_send(walked, axe::step_limit(1)).why.which == rule::undecided);

// 7 rows are padded to 9 in chunks of 3, and to 8 in chunks of 2.
constexpr axe::reshard_plan rechunked = axe::plan_reshard(
    make("S[(3,3):(1@x,1)]", {9}, four, 0, {7}), make("S[(4,2):(1@x,1)]", {8}, four, 0, {7}));
static_assert(axe::volume(rechunked) == 4 && axe::least_volume(rechunked) == 4);
static_assert(axe::missing(rechunked, 1) == 1 && axe::missing(rechunked, 2) == 2 &&
              axe::missing(rechunked, 3) == 1);
// A scratch of 3 is enough for the 3 rows of device 0, although the planner pads both sides to 12.
static_assert(axe::try_plan_reshard(make("S[(4,2):(1@x,1)]", {8}, four, 0, {7}),
                                    make("S[(3,3):(1,1@x)]", {9}, four, 0, {7}), {{}, 3}));

// A gather of 2^40 - 1 elements in chunks of 2^38: the chunk of device 1 begins at address 2^38.
constexpr integer chunk = integer{1} << 38;
constexpr axe::reshard_plan gathered =
    axe::plan_reshard(make("S[(4,274877906944):(1@x,1)]", {4 * chunk}, four, 0, {4 * chunk - 1}),
                      make("S[1099511627775:1] + R[4:1@x]", {4 * chunk - 1}, four));
constexpr integer begin_at(axe::reshard_plan const& p, integer from, integer to) {
  for (axe::message const& m : messages(p, to))
    if (m.from == from) return (*runs(p, m).begin()).begin_to;
  return -1;
}
static_assert(begin_at(gathered, 1, 0) == chunk && begin_at(gathered, 3, 0) == 3 * chunk);
static_assert(axe::missing(gathered, 3) == 3 * chunk);

// Each device holds every 1,024th element and needs every 1,023rd. The search skips the elements of
// other devices.
constexpr axe::mesh thousand{{x, 1024}};
constexpr axe::reshard_plan cyclic =
    axe::plan_reshard(make("S[(1023,1024):(1,1@x)]", {1023 * 1024}, thousand),
                      make("S[(1024,1023):(1,1@x)]", {1023 * 1024}, thousand));
static_assert(axe::missing(cyclic, 5) == 1023 && axe::missing(cyclic, 1023) == 0);

constexpr rule rule_of(sharding const& a, sharding const& b) {
  return axe::try_plan_reshard(a, b).why.which;
}
static_assert(rule_of(everywhere, partial) == rule::reshard_into_a_sum);
static_assert(rule_of(rows, make("S[32:1]", {4, 8}, two_by_four)) == rule::reshard_shapes);
// The least common multiple of both chunks does not fit in 64 bits.
static_assert(rule_of(make("S[(4,288230376151711744):(1@x,1)]", {far / 4}, four, 0, {far / 4 - 1}),
                      make("S[(3,384307168202282325):(1@x,1)]", {far / 4 - 1}, four)) ==
              rule::reshard_padding_overflows);
// The size of each buffer of a device fits in 64 bits, but the sum of both sizes does not.
static_assert(rule_of(make("S[4:1] + R[2305843009213693951:4]", 4, four),
                      make("S[4:1] + R[4:1@x]", 4, four)) == rule::reshard_overflows);
static_assert(axe::try_plan_reshard(rows, make("S[8:-1]", {8}, two_by_four)).why.operand == 1);
static_assert(axe::try_plan_reshard(rows, columns, {{axe::axis::gpuid}}).why.which ==
              rule::reshard_level);

// A plan for sixteen devices must fit the step limit of a constant expression.
constexpr axe::mesh four_by_four{{y, 4}, {x, 4}};
constexpr axe::reshard_plan swapped =
    axe::plan_reshard(make("S[(4,4,4,4):(1@y,4,1@x,1)]", {16, 16}, four_by_four),
                      make("S[(4,4,4,4):(1@x,4,1@y,1)]", {16, 16}, four_by_four));
static_assert(axe::volume(swapped) == 192 && axe::least_volume(swapped) == 192);

// The cost of planning does not depend on the number of elements or devices: here 10^12 elements on
// 1,024 devices.
constexpr axe::mesh large{{y, 32}, {x, 32}};
constexpr axe::reshard_plan huge = axe::plan_reshard(
    make("S[(32,31250,1000000):(1@y,1000000,1)] + R[32:1@x]", {1000000, 1000000}, large),
    make("S[(1000000,32,31250):(31250,1@x,1)] + R[32:1@y]", {1000000, 1000000}, large));
static_assert(axe::missing(huge, 1023) == 1000000ll * 31250 / 32 * 31);

}  // namespace
