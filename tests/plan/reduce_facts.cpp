// Facts about plan_reduce and match_registers: what is reduced in registers, over lanes and through
// shared memory, and what is rejected.
#include <axe/construct/literal.hpp>
#include <axe/plan/plan_reduce.hpp>
#include <axe/plan/print/print_reduce.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr reduce_plan rows_of_mma =
    plan_reduce("S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"_axe, {16, 8}, {1});
static_assert(rows_of_mma.registers == 4 && rows_of_mma.results == 2 &&
              rows_of_mma.shuffles() == 4);
static_assert(rows_of_mma.into.at == list<short, 512>{0, 0, 1, 1});
static_assert(rows_of_mma.lanes == list<lane_round, 16>{{1, 2, true}, {2, 2, true}});
static_assert(rows_of_mma.result == "S[(8,2):(4@lane,1@reg)] + R[4:1@lane]"_axe &&
              !rows_of_mma.folds_warps());

// The elements of a column are on lanes that are 4 apart, so butterflies use lanes ^ 4, ^ 8 and ^
// 16.
constexpr reduce_plan columns_of_mma =
    plan_reduce("S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"_axe, {16, 8}, {0});
static_assert(columns_of_mma.lanes ==
              list<lane_round, 16>{{4, 2, true}, {8, 2, true}, {16, 2, true}});
static_assert(columns_of_mma.into.at == list<short, 512>{0, 1, 0, 1});

// A row of 4,096 elements is on 256 threads with 16 elements each. A warp reduces in five rounds,
// and the eight warps exchange eight partial results.
constexpr reduce_plan row = plan_reduce("S[(2,256,8):(8@reg,1@tid,1@reg)]"_axe, {4096}, {0});
static_assert(row.threads == 256 && row.thread == axis::tid);
static_assert(row.results == 1 && row.lanes.size() == 5 && row.partials == 8 && row.reads() == 8);
static_assert(row.writers == list<lane_round, capacity::shards>{{1, 32, false}});
static_assert(row.result == "S[] + R[256:1@tid]"_axe);

// The ten bits of a thread are ten digits in reversed order. As replicas, they are one iter.
constexpr reduce_plan reversed = plan_reduce(
    "S[(2,2,2,2,2,2,2,2,2,2):(1@tid,2@tid,4@tid,8@tid,16@tid,32@tid,64@tid,128@tid,256@tid,512@tid)]"_axe,
    {1024}, {0});
static_assert(reversed.result == "S[] + R[1024:1@tid]"_axe && reversed.partials == 32);
constexpr reduce_plan reversed_warps = plan_reduce(
    "S[(2,2,2,2,2,2,2,2,2,2):(1@warp,1@lane,2@warp,2@lane,4@warp,4@lane,8@warp,8@lane,16@warp,16@lane)]"_axe,
    {1024}, {0});
static_assert(reversed_warps.result == "S[] + R[32:1@lane] + R[32:1@warp]"_axe);

// The fragment groups by 12, the product of the reduced neighbours, but not by (3,4).
constexpr reduce_plan neighbours =
    plan_reduce("S[(4,3,5):(1@lane,1@reg,3@reg)]"_axe, {3, 1, 4, 5}, {0, 2});
static_assert(neighbours.result == "S[5:1@reg] + R[4:1@lane]"_axe &&
              neighbours.result_extents == detail::extent_list{1, 1, 1, 5});
constexpr refusal apart =
    try_plan_reduce("S[(4,3,5):(1@lane,1@reg,3@reg)]"_axe, {3, 4, 5}, {0}).why;
static_assert(apart.which == rule::does_not_group && apart.numbers[1] == 4);

// Three is not a power of two, so the three lanes are read one after the other. 48 threads are not
// whole warps, so they reduce through shared memory.
static_assert(try_plan_reduce("S[(64,2):(1@lane,1@reg)]"_axe, {64, 2}, {0}).why ==
              refusal{rule::lanes_outside_a_warp, {0, 63}});
constexpr reduce_plan three = plan_reduce("S[(8,3):(3@lane,1@lane)]"_axe, {8, 3}, {1});
static_assert(three.lanes == list<lane_round, 16>{{1, 3, false}} && three.shuffles() == 3);
constexpr reduce_plan threes = plan_reduce("S[(16,3):(3@tid,1@tid)]"_axe, {16, 3}, {1});
static_assert(threes.lanes.empty() && threes.partials == 48 && threes.reads() == 3);
// Six lanes use a butterfly at stride 1 for the factor 2, and are read one after the other for the
// factor 3.
constexpr reduce_plan sixes = plan_reduce("S[(16,6):(6@tid,1@tid)]"_axe, {16, 6}, {1});
static_assert(sixes.lanes == list<lane_round, 16>{{1, 2, true}} && sixes.reads() == 3 &&
              sixes.partials == 48);

// Only the first replica writes.
constexpr reduce_plan replicated =
    plan_reduce("S[(4,8):(64@tid,4@tid)] + R[4:1@tid] + R[2:32@tid]"_axe, {4, 8}, {0});
static_assert(replicated.reads() == 4 && replicated.partials == 32);
static_assert(replicated.writers ==
              list<lane_round, capacity::shards>{{1, 4, false}, {32, 2, false}});

// Replicas in registers count once, also if their stride is negative. Stride 0 names no warp.
static_assert(plan_reduce("S[(2,32):(1@warp,1@lane)] + R[2:-1@reg] + 1@reg"_axe, {2, 32}, {1})
                  .into.at == list<short, 512>{0, -1});
static_assert(plan_reduce("S[32:1@lane] + R[2:0@warp]"_axe, {32}, {0}) ==
              plan_reduce("S[32:1@lane]"_axe, {32}, {0}));

// A thread would read 8 partial results for each of 8 results. Instead it folds one of the 64
// results for all threads. With 20 results on each thread of six warps, it folds up to 4 of 640.
constexpr reduce_plan columns = plan_reduce("S[(32,8,8):(8@tid,1@tid,1@reg)]"_axe, {32, 64}, {0});
static_assert(columns.results == 8 && columns.reads() == 8 && columns.partials == 512 &&
              columns.shared_folds == 1);
static_assert(columns.through_shared ==
              list<shared_digit, capacity::shards>{{1, 8, 8, false}, {32, 8, 64, true}});
static_assert(plan_reduce("S[(6,32,20):(32@tid,1@tid,1@reg)]"_axe, {6, 640}, {0}).shared_folds ==
              4);
// A thread folds its own results if there are few of them, or few partial results of each.
static_assert(row.shared_folds == 0 &&
              plan_reduce("S[(32,8,2):(8@tid,1@tid,1@reg)]"_axe, {32, 16}, {0}).shared_folds == 0 &&
              plan_reduce("S[(8,8,8):(8@tid,1@tid,1@reg)]"_axe, {8, 64}, {0}).shared_folds == 0);

// redux.sync is chosen if the 32 lanes of a warp reduce to one value: for integers, and on sm_100a
// for min and max of f32.
constexpr fold_options folds(fold_operation by, element_type type, architecture on) {
  return {by, type, on};
}
constexpr fold_operation sum = fold_operation::plus, least = fold_operation::minimum,
                         most = fold_operation::maximum;
constexpr layout whole_warp = "S[(2,32):(1@reg,1@lane)]"_axe;
constexpr reduce_plan by_redux =
    plan_reduce(whole_warp, {2, 32}, {1}, folds(sum, element_type::s32, architecture::sm_80));
static_assert(by_redux.by == lane_fold::redux && by_redux.shuffles() == 0 &&
              by_redux.results == 2 && by_redux.lanes_together() == 32 &&
              by_redux.candidates == candidate_list<lane_fold>{{lane_fold::redux, {}}});
constexpr refusal declined(layout const& p, shape const& s, int over, fold_options const& fold) {
  reduce_plan const plan = plan_reduce(p, s, {over}, fold);
  return plan.by == lane_fold::shuffles ? plan.candidates[0].why : refusal{};
}
constexpr bool takes(fold_operation by, element_type type, architecture on) {
  refusal const why = declined(whole_warp, {2, 32}, 1, folds(by, type, on));
  return why.which == rule::none                                  ? true
         : why != refusal{rule::redux_operation, {bits_of(type)}} ? throw 0
                                                                  : false;
}
static_assert(takes(sum, element_type::u32, architecture::sm_80) &&
              takes(least, element_type::s32, architecture::sm_90a) &&
              takes(most, element_type::u32, architecture::sm_100a));
static_assert(!takes(sum, element_type::f32, architecture::sm_100a) &&
              !takes(most, element_type::f32, architecture::sm_90a) &&
              takes(most, element_type::f32, architecture::sm_100a) &&
              takes(least, element_type::f32, architecture::sm_100a));
static_assert(!takes(sum, element_type::s64, architecture::sm_100a) &&
              !takes(most, element_type::s16, architecture::sm_90a) &&
              !takes(most, element_type::tf32, architecture::sm_100a) &&
              !takes(fold_operation::another, element_type::s32, architecture::sm_90a));
// Declined: a warp holds eight rows of four lanes each, but redux.sync reduces all 32 lanes.
static_assert(declined("S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"_axe, {16, 8}, 1,
                       folds(sum, element_type::s32, architecture::sm_80)) ==
              refusal{rule::redux_lanes, {4}});
// redux.sync reduces the lanes of each warp, whatever their order, and shared memory reduces the
// warps.
constexpr reduce_plan long_row = plan_reduce("S[(2,256,8):(8@reg,1@tid,1@reg)]"_axe, {4096}, {0},
                                             folds(sum, element_type::u32, architecture::sm_90));
static_assert(long_row.by == lane_fold::redux && long_row.partials == 8 && long_row.reads() == 8);
static_assert(plan_reduce("S[(4,8):(1@lane,4@lane)]"_axe, {4, 8}, {1, 0},
                          folds(least, element_type::u32, architecture::sm_80))
                  .by == lane_fold::redux);
// If nothing is reduced over lanes, there are no candidates.
static_assert(plan_reduce(whole_warp, {2, 32}, {0},
                          folds(sum, element_type::s32, architecture::sm_80))
                  .candidates.empty());

// Replicas in registers are reduced once: the register numbers of the others are -1.
static_assert(plan_reduce("S[4:1@reg] + R[2:4@reg]"_axe, {4}, {0}).into.at ==
              list<short, 512>{0, 0, 0, 0, -1, -1, -1, -1});
// A fragment on warps 4 to 7 begins at thread 128.
static_assert(plan_reduce("S[(4,32):(1@warp,1@lane)] + 4@warp"_axe, {128}, {0}).first_thread ==
              128);

constexpr rule why(layout const& p, shape const& s, list<int, capacity::shards> const& over) {
  return try_plan_reduce(p, s, over).why.which;
}
static_assert(why("S[(8,4):(4@lane,1@lane)]"_axe, {8, 4}, {2}) == rule::reduce_dimension);
static_assert(why("S[(8,4):(4@lane,1@lane)]"_axe, {8, 4}, {1, 1}) == rule::reduce_dimension);
// Four elements in one register, which a sum would count four times, are rejected.
static_assert(why("S[4:0@reg]"_axe, {4}, {0}) == rule::reduce_one_place);
static_assert(try_plan_reduce("S[(4,2,3):(1@lane,0@reg,1@reg)]"_axe, {8, 3}, {0}).why.numbers[1] ==
              3);
static_assert(why("S[(4,2):(0@reg,1@reg)]"_axe, {4, 2}, {1}) == rule::none);
// A reduction is within one CTA, whether digits or replicas lie on several.
constexpr refusal over_ctas(layout const& p, shape const& s) {
  return try_plan_reduce(p, s, {0}).why;
}
static_assert(over_ctas("S[(4,32):(1@cluster_cta_x,1@lane)]"_axe, {128}) ==
              refusal{rule::reduce_axis, {}, {axis::cluster_cta_x}});
static_assert(over_ctas("S[(2,4):(1@cta_x,1@reg)]"_axe, {8}) ==
              refusal{rule::reduce_axis, {}, {axis::cta_x}});
static_assert(over_ctas("S[32:1@lane] + R[2:1@cluster_cta_z]"_axe, {32}) ==
              refusal{rule::reduce_axis, {}, {axis::cluster_cta_z}});

// match_registers finds the registers of an elementwise operation. The operands may have registers
// in another order, and one may be a column or a row.
constexpr layout rows_first = "S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe;
static_assert(match_registers(rows_first, {16, 8}, "S[(2,8,4,2):(1@reg,4@lane,1@lane,2@reg)]"_axe,
                              {16, 8})
                  .at == list<short, 512>{0, 2, 1, 3});
static_assert(
    match_registers(rows_first, {16, 8}, "S[(2,8):(1@reg,4@lane)] + R[4:1@lane]"_axe, {16, 1}).at ==
    list<short, 512>{0, 0, 1, 1});
static_assert(
    match_registers(rows_first, {16, 8}, "S[(4,2):(1@lane,1@reg)] + R[8:4@lane]"_axe, {1, 8}).at ==
    list<short, 512>{0, 1, 0, 1});
// Replica k of one operand is matched with replica k of the other, so that an operation can change
// a fragment in place.
static_assert(
    match_registers("S[2:1@reg] + R[2:2@reg]"_axe, {2}, "S[2:1@reg] + R[2:2@reg]"_axe, {2}).at ==
    list<short, 512>{0, 1, 2, 3});
constexpr rule mismatch(layout const& p, shape const& s, layout const& q, shape const& t) {
  return try_match_registers(p, s, q, t).why.which;
}
static_assert(mismatch("S[(8,2,4,2):(4@lane,2@reg,1@lane,1@reg)]"_axe, {16, 8}, rows_first,
                       {16, 8}) == rule::elementwise_threads);
static_assert(mismatch("S[(8,4):(4@lane,1@lane)]"_axe, {8, 4}, "S[(8,4):(1@lane,8@lane)]"_axe,
                       {8, 4}) == rule::elementwise_threads);
// The second operand may lack leading dimensions.
static_assert(match_registers("S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe, {8, 8},
                              "S[(4,2):(1@lane,1@reg)] + R[8:4@lane]"_axe, {8})
                  .at == list<short, 512>{0, 1});
static_assert(mismatch("S[(8,4):(4@lane,1@lane)]"_axe, {8, 4}, "S[8:4@lane] + R[4:1@lane]"_axe,
                       {8}) == rule::elementwise_extents);
static_assert(try_match_registers("S[8:1@lane]"_axe, {8}, "S[8:1@lane]"_axe, {1, 8}).why ==
              refusal{rule::elementwise_rank, {1, 2}});
static_assert(mismatch("S[4:1@reg]"_axe, {4}, "S[2:1@reg]"_axe, {2}) == rule::elementwise_extents);
static_assert(mismatch("S[8:1@lane]"_axe, {8}, "S[8:1@cta_x]"_axe, {8}) == rule::elementwise_axes);
static_assert(mismatch("S[(8,4):(4@lane,1@lane)]"_axe, {8, 4},
                       "S[(8,4):(4@lane,1@lane)] + 32@lane"_axe,
                       {8, 4}) == rule::elementwise_other_threads);
static_assert(try_match_registers("S[2:0@reg]"_axe, {2}, "S[2:1@reg]"_axe, {2}).why ==
              refusal{rule::elementwise_one_register, {0, 2}});
// An iter of stride 0 in the second operand broadcasts it: on registers, on lanes, and inside a
// dimension.
static_assert(match_registers("S[2:1@reg]"_axe, {2}, "S[2:0@reg]"_axe, {2}).at ==
              list<short, 512>{0, 0});
static_assert(match_registers("S[(4,2):(1@reg,4@reg)]"_axe, {{4, 2}}, "S[(4,2):(2@reg,1@reg)]"_axe,
                              {{4, 2}})
                      .at == list<short, 512>{0, 2, 4, 6, 1, 3, 5, 7},
              "a nested dimension is one dimension");
static_assert(match_registers("S[(4,2):(1@lane,1@reg)]"_axe, {4, 2},
                              "S[(4,2):(0@lane,1@reg)] + R[4:1@lane]"_axe, {4, 2})
                  .at == list<short, 512>{0, 1});
static_assert(match_registers("S[(2,3,2):(3@reg,1@reg,1@lane)]"_axe, {12},
                              "S[(2,3,2):(1@reg,0@reg,1@lane)]"_axe, {12})
                  .at == list<short, 512>{0, 0, 0, 1, 1, 1});
static_assert(mismatch("S[(4,2):(1@lane,1@reg)]"_axe, {4, 2},
                       "S[(4,2):(0@lane,1@reg)] + R[2:1@lane]"_axe,
                       {4, 2}) == rule::elementwise_other_threads);
static_assert(mismatch("S[2:0@reg]"_axe, {2}, "S[2:1@lane]"_axe, {2}) ==
                  rule::elementwise_threads &&
              mismatch("S[2:1@lane]"_axe, {2}, "S[2:1@reg]"_axe, {2}) ==
                  rule::elementwise_threads &&
              mismatch("S[(2,3):(1@lane,1@reg)]"_axe, {6}, "S[(3,2):(1@reg,1@lane)]"_axe, {6}) ==
                  rule::elementwise_threads);
// A fragment on lanes 4 to 7 matches an operand that repeats every 4 lanes, but not one that
// repeats every 8 lanes.
static_assert(match_registers("S[4:1@lane] + 4@lane"_axe, {4}, "S[4:1@lane] + R[4:4@lane]"_axe, {4})
                  .at == list<short, 512>{0});
static_assert(mismatch("S[4:2@lane] + R[2:1@lane] + 4@lane"_axe, {4},
                       "S[4:2@lane] + R[2:1@lane] + R[2:8@lane]"_axe,
                       {4}) == rule::elementwise_threads);
static_assert(mismatch("S[2:0@reg]"_axe, {2}, "S[2:0@reg]"_axe, {2}) == rule::none);
static_assert(mismatch("S[1024:1@reg]"_axe, {1024}, "S[1024:1@reg]"_axe, {1024}) ==
              rule::elementwise_registers);
static_assert(mismatch("S[2:1@reg]"_axe, {2}, "S[2:40000@reg] + R[40000:1@reg]"_axe, {2}) ==
              rule::elementwise_registers);

}  // namespace

// The text of a printed plan.
namespace {
constexpr text<500> words(reduce_plan const& p) {
  text<500> out;
  print(out, p);
  return out;
}
static_assert(words(rows_of_mma) ==
              "4 registers into 2, then lanes ^ 1, lanes ^ 2: 4 shuffles\n"
              "  declined redux.sync: redux.sync folds all 32 lanes of a warp to one value, but "
              "here a value is folded from 4 lanes\n"
              "  the result: S[(8,2):(4@lane,1@reg)] + R[4:1@lane] on (16,1)\n");
static_assert(
    words(sixes) ==
    "1 register into 1, then lanes ^ 1: 1 shuffle\n"
    "  through shared memory: 48 partial results, written where thread mod 2 = 0; each thread "
    "reads 3 for each "
    "of its results\n"
    "  declined redux.sync: redux.sync folds all 32 lanes of a warp to one value, but here a "
    "value is folded from 2 lanes\n"
    "  the result: S[16:6@tid] + R[6:1@tid] on (16,1)\n");
static_assert(words(columns) ==
              "8 registers into 8, then lanes ^ 8, lanes ^ 16: 16 shuffles\n"
              "  through shared memory: 512 partial results, written where thread / 8 mod 4 = 0; "
              "a thread folds at most 1 result, each from 8 partial results, and reads its own "
              "results after a second barrier\n"
              "  declined redux.sync: redux.sync folds all 32 lanes of a warp to one value, but "
              "here a value is folded from 4 lanes\n"
              "  the result: S[(8,8):(1@tid,1@reg)] + R[32:8@tid] on (1,64)\n");
static_assert(
    words(plan_reduce("S[(4,40):(40@tid,1@tid)] + R[2:160@tid] + 5@tid"_axe, {4, 40}, {0})) ==
    "1 register into 1\n"
    "  through shared memory: 160 partial results, written where (thread - 5) / 160 mod 2 = "
    "0; each thread reads 4 for each of its results\n"
    "  the result: S[40:1@tid] + R[8:40@tid] + 5@tid on (1,40)\n");
static_assert(words(by_redux) ==
              "2 registers into 2, then redux.sync over the 32 lanes: 2 instructions\n"
              "  the result: S[2:1@reg] + R[32:1@lane] on (2,1)\n");
}  // namespace
