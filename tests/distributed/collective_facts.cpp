// Facts about plans, in constant expressions: which collective a plan is, its largest send and its
// levels.
#include <axe/axe.hpp>
#include <axe/distributed.hpp>

namespace {

using axe::collective;
using axe::recognised;
using axe::sharding;

constexpr axe::axis y = axe::device_axis("y");
constexpr axe::axis x = axe::device_axis("x");
constexpr axe::notation on_mesh{y, x};
constexpr axe::mesh four{{x, 4}};
constexpr axe::mesh two_by_four{{y, 2}, {x, 4}};

constexpr sharding make(char const* places, axe::shape const& s, axe::mesh const& m = four,
                        int summands = 0) {
  return {on_mesh(places), s, m, summands, {}};
}
constexpr sharding partial = make("S[(4,8,8):(1@x,8,1)]", {4, 8, 8}, four, 1);
constexpr sharding rows = make("S[(4,2,8):(1@x,8,1)]", {8, 8});
constexpr sharding columns = make("S[(8,4,2):(2,1@x,1)]", {8, 8});
constexpr sharding everywhere = make("S[64:1] + R[4:1@x]", {8, 8});
constexpr sharding on_one = make("S[64:1] + 2@x", {8, 8});
constexpr sharding reversed = make("S[(4,2,8):(-1@x,8,1)] + 3@x", {8, 8});

constexpr recognised found(sharding const& from, sharding const& to) {
  return recognise(axe::plan_reshard(from, to));
}
static_assert(found(partial, rows) == recognised{collective::reduce_scatter, 0, 16, false, false});
static_assert(found(rows, everywhere) == recognised{collective::all_gather, 0, 16, false, false});
static_assert(found(columns, everywhere) == recognised{collective::all_gather, 0, 16, false, true});
static_assert(found(rows, columns) == recognised{collective::all_to_all, 0, 4, true, false});
static_assert(found(partial, everywhere) ==
              recognised{collective::all_reduce, 0, 64, false, false});
// In an all-reduce on four devices, every device adds up a quarter of the elements.
constexpr axe::reshard_plan all_reduce = axe::plan_reshard(partial, everywhere);
static_assert(axe::traffic_of(all_reduce, 0).sent == 96 &&
              axe::traffic_of(all_reduce, 3).sent == 96 &&
              axe::traffic_of(all_reduce, 3).received == 96);
static_assert(axe::volume(all_reduce) == 384 && axe::least_volume(all_reduce) == 384);

// Listing what one of 48 devices sends must fit the step limit of a constant expression.
constexpr axe::mesh many{{x, 48}};
constexpr axe::reshard_plan wide_reduce = axe::plan_reshard(
    make("S[(48,192):(1@x,1)]", {48, 192}, many, 1), make("S[192:1] + R[48:1@x]", {192}, many));
constexpr int count_sent(axe::integer device) {
  int count = 0;
  for (axe::message const& m : axe::sent(wide_reduce, device)) count += m.from == device;
  return count;
}
static_assert(count_sent(5) == 94);  // 47 summands to other adders, and its sums to 47 devices

static_assert(found(on_one, everywhere) == recognised{collective::broadcast, 0, 64, false, false});
static_assert(found(everywhere, rows).kind == collective::local);
// 10 elements, padded to 12.
constexpr sharding ten{on_mesh("S[(4,3):(1@x,1)]"), {12}, four, 0, {10}};
constexpr sharding all_ten{on_mesh("S[12:1] + R[4:1@x]"), {12}, four, 0, {10}};
static_assert(found(all_ten, ten).kind == collective::local);
static_assert(found(ten, all_ten).kind == collective::none);
static_assert(found(partial, on_one).kind == collective::reduce);
static_assert(found(on_one, rows).kind == collective::scatter);
static_assert(found(rows, on_one).kind == collective::gather);
static_assert(found(rows, reversed).kind == collective::permute);

// The blocks arrive in reversed order, so the result must be unpacked.
static_assert(found(reversed, everywhere).unpacks);

// The blocks arrive in order, but element 0 is not at the lowest address.
static_assert(found(reversed, make("S[(4,16):(-16,1)] + R[4:1@x] + 48", {8, 8})).unpacks);

// R[2:1@x] + R[2:1@x] reaches three devices only, so this is not an all-gather over four.
static_assert(found(rows, make("S[64:1] + R[2:1@x] + R[2:1@x]", {8, 8})).kind == collective::none);

// One digit stays on the axis, so that only two groups of two devices exchange elements. That is
// not one collective.
static_assert(found(make("S[(2,2,2,8):(2@x,1@x,8,1)]", 64), make("S[(2,2,2,8):(2@x,8,1@x,1)]", 64))
                  .kind == collective::none);

// A gather along two axes is not one collective. An axis on which nothing moves is ignored.
static_assert(found(make("S[(2,4,8):(1@y,1@x,1)]", 64, two_by_four),
                    make("S[64:1] + R[2:1@y] + R[4:1@x]", 64, two_by_four))
                  .kind == collective::none);
static_assert(found(make("S[(2,4,8):(1@y,1@x,1)]", 64, two_by_four),
                    make("S[(2,32):(1@y,1)] + R[4:1@x]", 64, two_by_four)) ==
              recognised{collective::all_gather, 1, 8, false, false});

// Two devices hold the 8 elements that each of the two others lacks, and share the 16 sends.
constexpr axe::send_bound shared = axe::largest_send(
    axe::plan_reshard(make("S[8:1] + R[2:1@x]", 8), make("S[8:1] + R[4:1@x]", 8)));
static_assert(shared.elements == 8 && shared.holders == 2 && shared.demand == 16);
static_assert(axe::try_largest_send(axe::plan_reshard(partial, rows)).why.which ==
              axe::rule::largest_send_of_a_sum);

// With a scratch of 16 elements, 64 elements arrive in 4 slices.
constexpr axe::reshard_plan sliced = axe::plan_reshard(on_one, everywhere, {{}, 16});
static_assert(sliced.slices == 4 && axe::rounds(sliced) == 4 && axe::volume(sliced) == 192);
static_assert(axe::try_plan_reshard(rows, columns, {{}, 2}).why.which ==
              axe::rule::reshard_scratch);

// All-gather on two nodes of two devices each: with the level y every element enters the other node
// once, without it twice.
constexpr axe::mesh nodes{{y, 2}, {x, 2}};
constexpr sharding quarters = make("S[(2,2,16):(1@y,1@x,1)]", 64, nodes);
constexpr sharding gathered = make("S[64:1] + R[2:1@y] + R[2:1@x]", 64, nodes);
constexpr axe::reshard_plan by_level = axe::plan_reshard(quarters, gathered, {{y}});
static_assert(axe::volume(by_level) == 192 && axe::least_volume(by_level) == 192);
static_assert(axe::elements_entering(by_level, 1) == 64 &&
              axe::least_elements_entering(by_level, 1) == 64);
static_assert(axe::rounds(by_level) == 2);
static_assert(axe::volume_of_gathering(by_level) == 192);

}  // namespace
