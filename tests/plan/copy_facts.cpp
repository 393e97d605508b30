// Facts about plans of copies: the chosen instruction, its counts, and why others were declined.
#include <axe/construct/literal.hpp>
#include <axe/plan/plan_copy.hpp>
#include <axe/plan/print/print_copy.hpp>

#include "../support/catch.hpp"

using namespace axe;
using namespace axe::literals;
using enum memory_space;
using enum copy_instruction;

namespace {

constexpr copy_request request(layout const& from, memory_space a, layout const& to, memory_space b,
                               shape const& s, int bits, integer scope,
                               copy_options const& options = {}) {
  return {from, a, to, b, s, bits, scope, architecture::sm_90a, options};
}
constexpr copy_options forced(copy_instruction i) {
  copy_options o;
  o.force = i;
  return o;
}
constexpr refusal why(copy_request r, copy_instruction i) {
  r.options.force = i;
  return try_plan_copy(r).why;
}

constexpr layout rows = "S[(64,64):(4096,1)]"_axe, tile = "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe;
constexpr copy_plan load = plan_copy(request(rows, global, tile, shared, {64, 64}, 16, 128));
static_assert(load.instruction == vector_16 && load.values == 8 && load.bytes == 16);
static_assert(load.issues == 4 && load.threads == 128 && !load.predicated());
static_assert(load.access_partition == "S[(4,16,8):(1@reg,8@tid,1@tid)]"_axe,
              "neighbouring threads access neighbouring elements of global memory");
static_assert(load.partition == "S[(4,16,8,8):(8@reg,8@tid,1@tid,1@reg)]"_axe);
static_assert(load.candidates.size() == 2 && load.candidates[1].why.which == rule::none);
static_assert(load.candidates[0] == candidate<copy_instruction>{tma, {rule::copy_or_copy_async}});
static_assert(plan_copy(request(rows, global, tile, shared, {64, 64}, 16, 128)) == load,
              "plans are compared by value");

// A plan is printed although its largest stride times its threads is 2^63.
constexpr text<2000> far_apart = explain<2000>(
    plan_copy(request("S[4:2305843009213693952]"_axe, global, "S[4:1]"_axe, shared, {4}, 32, 4)));
static_assert(far_apart.size() > 0);

// If the tensor may end at any row, threads along the rows save tests: a thread has 4 rows, not 32.
constexpr layout latent = "S[(64,512):(576,1)]"_axe;
constexpr layout blocks_of_64 = "swizzle(3,3,3) o S[(64,8,64):(64,4096,1)]"_axe;
constexpr copy_options ends_after(integer down, integer across) {
  copy_options o;
  o.edges.push(down);
  o.edges.push(across);
  return o;
}
constexpr layout owners(integer down, integer across) {
  return plan_copy(request(latent, global, blocks_of_64, shared, {64, 512}, 16, 128,
                           ends_after(down, across)))
      .access_partition;
}
static_assert(owners(0, 0) == "S[(32,2,8,8):(1@reg,64@tid,8@tid,1@tid)]"_axe);
static_assert(owners(1, 0) == "S[(4,16,8,8):(8@reg,8@tid,1@reg,1@tid)]"_axe);
static_assert(owners(1, 8) == owners(1, 0));
static_assert(owners(0, 8) == owners(0, 0));
constexpr layout asynchronous_owners(integer columns) {
  copy_options o = ends_after(1, columns);
  o.asynchronous = true;
  return plan_copy(request(latent, global, blocks_of_64, shared, {64, 512}, 16, 128, o))
      .access_partition;
}
static_assert(asynchronous_owners(8) == owners(0, 0),
              "4 rows of 8 columns need more instructions than 32 rows");
static_assert(asynchronous_owners(0) == owners(1, 0));
// A thread with 4 rows and 2 columns needs 8 tests, one for each access. So does a thread with 8
// rows, whose store has 68 SASS instructions on sm_90a instead of 73.
constexpr layout owners_of_two_blocks(integer columns) {
  return plan_copy(request("swizzle(3,3,3) o S[(64,2,64):(64,4096,1)]"_axe, shared,
                           "S[(64,128):(576,1)]"_axe, global, {64, 128}, 16, 128,
                           ends_after(1, columns)))
      .access_partition;
}
static_assert(owners_of_two_blocks(8) == "S[(8,8,2,8):(1@reg,16@tid,8@tid,1@tid)]"_axe);
static_assert(owners_of_two_blocks(0) == "S[(4,16,2,8):(2@reg,8@tid,1@reg,1@tid)]"_axe);

// Traffic of this plan: 4,096 halves are 256 sectors, and the swizzle prevents bank conflicts in
// shared memory.
static_assert(copy_wavefronts(load, copy_side::to).conflicts == 1 &&
              copy_wavefronts(load, copy_side::to).wavefronts == 64);
static_assert(copy_sectors(load, copy_side::from).sectors == 256 &&
              copy_sectors(load, copy_side::from).least_sectors == 256);
static_assert(try_copy_sectors(load, copy_side::to).why.which == rule::copy_traffic_is_not_counted);
// Threads 16 to 79 are in three warps, not in two.
constexpr copy_options from_thread_16 = [] {
  copy_options o;
  o.partitioned = true;
  o.partition = "S[64:1@tid] + 16@tid"_axe;
  return o;
}();
constexpr copy_options below_thread_0 = [] {
  copy_options o = from_thread_16;
  o.partition = "S[64:1@tid] - 32@tid"_axe;
  return o;
}();
static_assert(try_plan_copy(request("S[64:1]"_axe, global, "S[64:1]"_axe, shared, {64}, 32, 128,
                                    below_thread_0))
                  .why == of_operand(2, {rule::partition_below_zero, {-32}, {axis::tid}}));
constexpr copy_plan inside_a_warp =
    plan_copy(request("S[64:1]"_axe, global, "S[64:1]"_axe, shared, {64}, 32, 128, from_thread_16));
static_assert(try_copy_wavefronts(inside_a_warp, copy_side::to).why ==
              refusal{rule::copy_traffic_from_another_lane, {16}});

// The bits of a stride of 2^61 elements do not fit in 64 bits.
static_assert(detail::wide_mode(plan_copy(request("S[(2,2):(2305843009213693952,1)]"_axe, global,
                                                  "S[(2,2):(2,1)]"_axe, shared, {2, 2}, 16, 1)),
                                copy_side::from) == 1);

// The planner chooses the fewest accesses. Those that exceed the extents are predicated off.
constexpr copy_plan partial = plan_copy(
    request("S[(33,65):(72,1)]"_axe, global, "S[(33,65):(68,1)]"_axe, shared, {33, 65}, 32, 128));
static_assert(partial.instruction == vector_16 && partial.cut && partial.issues == 5 &&
              partial.threads == 119);
static_assert(
    plan_copy(request("S[91:1]"_axe, global, "S[91:1]"_axe, shared, 91, 32, 32)).threads == 23);

// Replicas of a destination that has no modes in common with the source. If the destination is
// addressed by element number, replica k of a tile of 12 elements begins at number 12 * k.
static_assert(plan_copy(request("S[(3,4):(9,1)]"_axe, global, "S[(2,6):(20,2)] + R[2:128]"_axe,
                                shared, 12, 64, 3))
                  .from == "S[(2,3,4):(0,9,1)]"_axe);
constexpr copy_plan by_number = plan_copy(request(
    "S[(4,3):(1@lane,1@reg)]"_axe, registers, "S[(3,4):(9,1)] + R[2:128]"_axe, shared, 12, 32, 32));
static_assert(by_number.to_by_element && by_number.tile == 12 && by_number.modes[0].step == 12);

// If one side is in registers, its fragment is the partition of the tile.
constexpr layout a = "S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe,
                 b = "S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)]"_axe;
constexpr copy_request load_a =
    request("S[(16,16):(72,1)]"_axe, shared, a, registers, {16, 16}, 16, 32);
static_assert(plan_copy(load_a).instruction == ldmatrix_x4 && plan_copy(load_a).issues == 1 &&
              plan_copy(load_a).values == 8);
static_assert(plan_copy(load_a).access_partition == "S[(2,8,2):(8@lane,1@lane,16@lane)]"_axe);
// Each lane holds four consecutive rows, two in each register.
constexpr copy_request load_fours =
    request("S[(16,16):(24,1)]"_axe, shared, "S[(4,4,2,8):(1@lane,1@reg,4@reg,4@lane)]"_axe,
            registers, {16, 16}, 16, 32);
static_assert(plan_copy(load_fours).instruction == ldmatrix_trans_x4);
constexpr copy_request load_b =
    request("S[(16,8):(24,1)]"_axe, shared, b, registers, {16, 8}, 16, 32);
static_assert(plan_copy(load_b).instruction == ldmatrix_trans_x2);
static_assert(plan_copy(load_b).access_partition ==
              "S[(2,4,2):(8@lane,2@lane,1@lane)] + R[2:16@lane]"_axe);
static_assert(plan_copy(load_b).candidates.size() == 5,
              "the four candidates before it were declined");
// Operand V of flash attention is replicated to all warps of the block, and every warp loads it for
// itself.
constexpr copy_plan for_all_warps = plan_copy(request(
    "S[(16,8):(24,1)]"_axe, shared, "S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)] + R[4:1@warp]"_axe,
    registers, {16, 8}, 16, 128));
static_assert(for_all_warps.instruction == ldmatrix_trans_x2 && for_all_warps.threads == 128);
constexpr copy_plan by_first_warp =
    plan_copy(request("S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)] + R[2:1@warp]"_axe,
                      registers, "S[(16,16):(72,1)]"_axe, shared, {16, 16}, 16, 64));
static_assert(by_first_warp.instruction == stmatrix_x4 && by_first_warp.stores_once.size() == 1);
static_assert(why(request("S[(8,8):(8,1)]"_axe, shared, "S[(8,8):(1@lane,1@reg)] + R[4:8@lane]"_axe,
                          registers, {8, 8}, 16, 32),
                  ldmatrix_x1) == refusal{rule::copy_matrix_lanes, {8}});
// Each warp holds 8 rows, or 8 columns, of a tile in which the warps are 8 rows or columns apart.
static_assert(plan_copy(request("S[(32,16):(24,1)]"_axe, shared,
                                "S[(4,8,2,4,2):(1@warp,4@lane,2@reg,1@lane,1@reg)]"_axe, registers,
                                {32, 16}, 16, 128))
                      .instruction == ldmatrix_x2 &&
              plan_copy(request("S[(16,32):(40,1)]"_axe, shared,
                                "S[(2,4,2,4,8):(2@reg,1@lane,1@reg,1@warp,4@lane)]"_axe, registers,
                                {16, 32}, 16, 128))
                      .instruction == ldmatrix_trans_x2);
// Adjacent rows of 16 bytes are adjacent words of adjacent lanes: no stmatrix is needed.
static_assert(plan_copy(request("S[256:1@tid]"_axe, registers, "S[256:1]"_axe, shared, 256, 32,
                                256))
                  .instruction == vector_4);
static_assert(why(request("S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe, registers, "S[64:1]"_axe, shared,
                          64, 16, 32),
                  stmatrix_x1) == refusal{rule::copy_matrix_adjacent} &&
              why(request("S[(32,3):(1@lane,1@reg)]"_axe, registers, "S[96:1]"_axe, shared, 96, 16,
                          32),
                  stmatrix_x1) == refusal{rule::copy_matrix_lanes, {1}});
// A lane has 3 registers along the rows and 2 along the columns: 3 pairs.
static_assert(plan_copy(request("S[(24,16):(24,1)]"_axe, shared,
                                "S[(3,8,2,4,2):(2@reg,4@lane,6@reg,1@lane,1@reg)]"_axe, registers,
                                {24, 16}, 16, 32))
                  .issues == 3);
constexpr copy_request store_a =
    request(a, registers, "S[(16,16):(72,1)]"_axe, shared, {16, 16}, 16, 32);
static_assert(plan_copy(store_a).instruction == stmatrix_x4);
static_assert(plan_copy(request(a, registers, "S[(16,16):(72,1)]"_axe, global, {16, 16}, 16, 32))
                  .instruction == vector_4);

// Candidates that are declined, and the reasons.
constexpr layout apart = "S[(16,16):(36,1)]"_axe;
static_assert(why(request(apart, shared, a, registers, {16, 16}, 16, 32), ldmatrix_x4) ==
              refusal{rule::copy_matrix_rows, {72}});
static_assert(why(request("S[(2,8,16):(8,-36,1)] + 256"_axe, shared, a, registers, {16, 16}, 16,
                          32),
                  ldmatrix_x4) == refusal{rule::copy_matrix_rows, {72}});
static_assert(plan_copy(request(apart, shared, a, registers, {16, 16}, 16, 32)).instruction ==
              vector_4);
static_assert(why(load_a, ldmatrix_trans_x4).which == rule::copy_matrix_lanes);
static_assert(try_plan_copy(request("S[64:1]"_axe, shared, "S[64:1@lane]"_axe, registers, {64}, 16,
                                    64))
                  .why == of_operand(1, refusal{rule::lanes_outside_a_warp, {0, 63}}));
static_assert(why(load_b, ldmatrix_trans_x4) == refusal{rule::copy_matrix_registers, {4, 2}});
static_assert(why(request("S[(16,16):(72,1)]"_axe, shared, a, registers, {16, 16}, 64, 32),
                  ldmatrix_x4) == refusal{rule::copy_matrix_width, {64}} &&
              why(request("S[(16,16):(72,1)]"_axe, shared, a, registers, {16, 16}, 32, 32),
                  ldmatrix_trans_x4) == refusal{rule::copy_matrix_width, {32}});
static_assert(why(request("S[(8,8):(8,1)]"_axe, shared,
                          "S[(8,4,2):(4@lane,1@lane,1@reg)] + R[2:2@reg]"_axe, registers, {8, 8},
                          16, 32),
                  ldmatrix_x1) == refusal{rule::copy_matrix_repeats} &&
              why(request("S[(8,4,2):(4@lane,1@lane,0@reg)]"_axe, registers, "S[(8,8):(8,1)]"_axe,
                          shared, {8, 8}, 16, 32),
                  stmatrix_x1) == refusal{rule::copy_matrix_repeats});
// The edges do not cut a row of a matrix, but ldmatrix does not test bounds.
constexpr copy_request load_at_the_edge = [] {
  copy_request r = request("S[(16,16):(72,1)]"_axe, shared, a, registers, {16, 16}, 16, 32);
  r.options.edges = {8, 8};
  return r;
}();
static_assert(why(load_at_the_edge, ldmatrix_x4) == refusal{rule::copy_edge});
// Threads 16 to 47 are not a warp.
constexpr layout between_warps = "S[(2,8,2,4,2):(2@reg,4@tid,4@reg,1@tid,1@reg)] + 16@tid"_axe;
static_assert(why(request("S[(16,16):(72,1)]"_axe, shared, between_warps, registers, {16, 16}, 16,
                          64),
                  ldmatrix_x4) == refusal{rule::copy_matrix_lanes, {16}});
static_assert(why(load_a, stmatrix_x4).which == rule::copy_not_between_these);
static_assert(why(load_a, vector_16) == refusal{rule::copy_too_few_adjacent, {8, 2, 16}});
constexpr layout sixes = "S[(4,6):(6@reg,1@reg)]"_axe;
static_assert(why(request("S[(4,6):(8,1)]"_axe, global, sixes, registers, {4, 6}, 64, 32),
                  vector_4) == refusal{rule::copy_access_too_narrow, {4, 64}});
constexpr copy_request into_shared() {
  copy_request r =
      request("S[(4,6):(8,1)]"_axe, global, "S[(4,6):(8,1)]"_axe, shared, {4, 6}, 32, 32);
  r.options.asynchronous = true;
  return r;
}
static_assert(why(into_shared(), cp_async_16) == refusal{rule::copy_too_few_adjacent, {4, 6, 32}});
constexpr copy_request pitched_rows =
    request(rows, global, "S[(64,64):(68,1)]"_axe, shared, {64, 64}, 16, 128);
static_assert(why(pitched_rows, vector_16) == refusal{rule::copy_step_not_aligned, {16, 68, 16}});
static_assert(plan_copy(pitched_rows).instruction == vector_8);
static_assert(why(request(rows, global, "swizzle(2,3,3) o S[(64,64):(64,1)]"_axe, shared, {64, 64},
                          16, 128),
                  vector_16) == refusal{rule::copy_swizzle_splits, {16, 8}});
// Of the three bits that the swizzle reads, the addresses have only the third.
static_assert(plan_copy(request("swizzle(0,3,3) o S[(2,8):(32,1)]"_axe, shared,
                                "S[(2,8):(8,1)]"_axe, global, {2, 8}, 16, 1))
                  .instruction == vector_8);
static_assert(why(request("swizzle(0,3,3) o S[(2,8):(32,1)] + 16"_axe, shared, "S[(2,8):(8,1)]"_axe,
                          global, {2, 8}, 16, 1),
                  vector_8) == refusal{rule::copy_swizzle_splits, {8, 4}});
static_assert(why(request(rows, global, "swizzle(3,3,3) o S[(64,64):(64,1)] + 4"_axe, shared,
                          {64, 64}, 16, 128),
                  vector_16) == refusal{rule::copy_step_not_aligned, {16, 4, 16}});
static_assert(why(request("swizzle(2,2,3) o S[(16,16):(16,1)]"_axe, shared, a, registers, {16, 16},
                          16, 32),
                  ldmatrix_x4) == refusal{rule::copy_swizzle_splits, {16, 8}});
constexpr copy_request unaligned = [] {
  copy_request r = request(rows, global, tile, shared, {64, 64}, 16, 128);
  r.options.from_alignment = 4;
  return r;
}();
static_assert(why(unaligned, vector_8) == refusal{rule::copy_base_not_aligned, {8, 4}});
static_assert(plan_copy(unaligned).instruction == vector_4);
// A stride that does not fit is reported before a pointer that is not aligned.
constexpr copy_request unaligned_and_pitched = [] {
  copy_request r = pitched_rows;
  r.options.from_alignment = 4;
  return r;
}();
static_assert(why(unaligned_and_pitched, vector_16) ==
              refusal{rule::copy_step_not_aligned, {16, 68, 16}});
constexpr copy_request on_sm_80 = [] {
  copy_request r = store_a;
  r.target = architecture::sm_80;
  return r;
}();
static_assert(why(on_sm_80, stmatrix_x4) == refusal{rule::needs_sm_90});
static_assert(plan_copy(on_sm_80).instruction == vector_4);
// Four adjacent floats in memory are not in four adjacent registers here. The public implementation
// of the paper copied them as one vector.
constexpr layout every_other = "S[(32,8):(1@lane,2@reg)]"_axe;
constexpr copy_plan spread = plan_copy(request("S[(32,8):(8,1)]"_axe, shared, every_other,
                                               registers, {32, 8}, 32, 32, forced(vector_16)));
static_assert(spread.register_of(0, 1) == 2 && spread.register_of(1, 0) == 8 &&
              spread.register_of(1, 3) == 14);
static_assert(why(request("S[(32,8):(8,1)]"_axe, shared, every_other, registers, {32, 8}, 16, 32),
                  vector_4)
                  .which == rule::copy_too_few_adjacent);
// Accumulators of mma.sync: register 2 is in the second row, register 4 in the next columns. More
// than 128 bytes of a thread are stored in the order of registers.
constexpr integer register_of_second(layout const& sums, layout const& to, shape const& s,
                                     copy_options const& options = {}) {
  return plan_copy(request(sums, registers, to, global, s, 32, 32, options)).register_of(1, 0);
}
constexpr layout wide_sums = "S[(2,8,9,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe;
constexpr copy_options selected_rows = [] {
  copy_options o;
  o.by_rows = true;
  return o;
}();
static_assert(register_of_second("S[(2,8,8,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe,
                                 "S[(16,64):(64,1)]"_axe, {16, 64}) == 4 &&
              register_of_second(wide_sums, "S[(16,72):(72,1)]"_axe, {16, 72}) == 2 &&
              register_of_second(wide_sums, "S[(16,72):(72,1)]"_axe, {16, 72}, selected_rows) == 4);

// These copies are rejected.
static_assert(try_plan_copy(request(a, registers, a, registers, {16, 16}, 16, 32)).why.which ==
              rule::copy_spaces);
static_assert(
    try_plan_copy(request(rows, global, "S[(64,64):(32,1)]"_axe, shared, {64, 64}, 16, 128)).why ==
    of_operand(1, refusal{rule::copy_places_collide, {32, 64}}));
// The plan packs pairs of 4-bit elements; the refusal counts single elements.
static_assert(
    try_plan_copy(request(rows, global, "S[(64,64):(32,1)]"_axe, shared, {64, 64}, 4, 128)).why ==
    of_operand(1, refusal{rule::copy_places_collide, {32, 64}}));
// Rows of 100 elements end inside a tile of 128 columns: its other elements are not stored.
constexpr copy_request wider_than_rows(integer edge) {
  copy_request r = request("S[(32,128):(128,1)]"_axe, shared, "S[(32,128):(100,1)]"_axe, global,
                           {32, 128}, 32, 128);
  r.options.edges.push(0);
  r.options.edges.push(edge);
  return r;
}
static_assert(!try_plan_copy(wider_than_rows(100)).why &&
              try_plan_copy(wider_than_rows(0)).why.which == rule::copy_places_collide);
static_assert(try_plan_copy(request(rows, global, tile, shared, {64, 32}, 16, 128)).why.which ==
              rule::shape_does_not_fit);
static_assert(try_plan_copy(request(rows, global, tile, shared, {64, 64}, 12, 128)).why.which ==
              rule::element_width);
static_assert(try_plan_copy(request("S[(16,64):(1,16)]"_axe, global, "S[(16,64):(64,1)]"_axe,
                                    shared, {16, 64}, 4, 32))
                  .why.which == rule::not_next_to_each_other);

static_assert(try_plan_copy(request(rows, global, tile, shared, {64, 64}, 16, 0)).why ==
              refusal{rule::scope_too_small, {1, 0}});
static_assert(
    plan_copy(request(rows, global, tile, shared, {64, 64}, 16, integer{1} << 40)).threads == 512,
    "the 2^40 threads of the scope are not visited");
static_assert(try_plan_copy(request("S[2:1]"_axe, memory_space::tensor, tile, shared, 2, 16, 32))
                  .why.which == rule::copy_spaces);

// Copies of single elements.
constexpr copy_request columns =
    request("S[(64,64):(1,4096)]"_axe, global, "S[(64,64):(64,1)]"_axe, shared, {64, 64}, 16, 128);
static_assert(plan_copy(columns).one_by_one() && !load.one_by_one());
// A transposition, and a copy of rows that begin at odd addresses: both move 2 bytes.
static_assert(detail::is_narrow_transpose(plan_copy(columns)));
static_assert(!detail::is_narrow_transpose(
    plan_copy(request("S[(64,64):(64,1)]"_axe, global, "S[(64,64):(64,1)]"_axe, shared, {64, 64},
                      16, 128, forced(vector_2)))));
static_assert(!detail::is_narrow_transpose(plan_copy(
    request("S[(64,64):(65,1)]"_axe, global, "S[(64,64):(67,1)]"_axe, shared, {64, 64}, 16, 128))));
// A transposition into such rows gets no vectors either.
static_assert(!detail::is_narrow_transpose(plan_copy(request(
    "S[(64,64):(1,4096)]"_axe, global, "S[(64,64):(65,1)]"_axe, shared, {64, 64}, 16, 128))));
// Cache hints apply to global memory only, and each instruction has its own set of hints.
constexpr copy_request hinted(copy_request r, cache_hint h) {
  r.options.cache = h;
  return r;
}
constexpr copy_request to_global = request(tile, shared, rows, global, {64, 64}, 16, 128);
static_assert(plan_copy(hinted(to_global, cache_hint::evict_first)).cache ==
              cache_hint::evict_first);
static_assert(plan_copy(hinted(to_global, cache_hint::no_allocate)).instruction == vector_16);
static_assert(try_plan_copy(hinted(to_global, cache_hint::read_only)).why.which ==
              rule::copy_no_hint);
static_assert(try_plan_copy(hinted(load_a, cache_hint::evict_last)).why.which ==
              rule::copy_no_hint);
static_assert(has_hint(cp_async_16, cache_hint::evict_last, global, shared));
static_assert(!has_hint(cp_async_16, cache_hint::no_allocate, global, shared));
static_assert(!has_hint(ldmatrix_x4, cache_hint::evict_first, shared, registers));
static_assert(has_hint(tma, cache_hint::evict_first, shared, global));
static_assert(!(plan_copy(hinted(to_global, cache_hint::evict_first)) == plan_copy(to_global)));

// Tiles that may reach past the end of the tensor: `edges` are the multiples at which a dimension
// may end.
constexpr copy_request at_the_edge = [] {
  copy_request r = request(rows, global, tile, shared, {64, 64}, 16, 128);
  r.options.edges = {1, 4};
  return r;
}();
static_assert(plan_copy(at_the_edge).cut && plan_copy(at_the_edge).instruction == vector_16);
constexpr copy_request by_columns = [] {
  copy_request r = request("S[(64,64):(1,4096)]"_axe, global, "S[(64,64):(1,64)]"_axe, shared,
                           {64, 64}, 16, 128);
  r.options.edges = {8, 1};
  return r;
}();
static_assert(plan_copy(by_columns).instruction == vector_16 && !plan_copy(by_columns).cut,
              "vectors run down the columns, so an edge between columns cuts none");
// Contiguous elements are two of row 0, two of row 1, and so on. A vector of 4 would have 2 rows.
constexpr copy_request two_by_two = [] {
  copy_request r = request("S[(2,32,2):(2,4,1)]"_axe, global, "S[(2,32,2):(2,4,1)]"_axe, shared,
                           {2, 64}, 32, 32);
  r.options.edges = {1, 2};
  return r;
}();
static_assert(plan_copy(two_by_two).instruction == vector_8 && !plan_copy(two_by_two).cut);
constexpr copy_request whole_vectors = [] {
  copy_request r = at_the_edge;
  r.options.edges = {1, 8};
  return r;
}();
static_assert(!plan_copy(whole_vectors).cut);
static_assert(why(at_the_edge, cp_async_16) == refusal{rule::copy_accesses_cut, {8, 4}});
static_assert(why(whole_vectors, cp_async_16).which == rule::none);
// The edge lies between bulk copies of 64 elements, but a bulk copy does not store zeros.
constexpr copy_request zeros_between_rows = [] {
  copy_request r =
      request("S[(64,64):(128,1)]"_axe, global, "S[(64,64):(64,1)]"_axe, shared, {64, 64}, 16, 1);
  r.options.edges = {1, 64};
  r.options.outside = copy_outside::zero;
  return r;
}();
static_assert(why(zeros_between_rows, copy_instruction::bulk) == refusal{rule::copy_edge});
// A side that is addressed by element number must be aligned, too.
constexpr copy_request unaligned_by_number = [] {
  copy_request r =
      request("S[(4,3):(1@lane,1@reg)]"_axe, registers, "S[(3,4):(9,1)]"_axe, shared, 12, 64, 32);
  r.options.to_alignment = 4;
  return r;
}();
static_assert(why(unaligned_by_number, vector_8) == refusal{rule::copy_base_not_aligned, {8, 4}});
// A store has no elements past the end of its source, so it needs no zeros.
constexpr copy_request store_between_rows = [] {
  copy_request r = zeros_between_rows;
  r.from_space = shared, r.to_space = global;
  return r;
}();
static_assert(why(store_between_rows, copy_instruction::bulk).which == rule::none);

static_assert(bytes_of(vector_2) == 2 && bytes_of(cp_async_8) == 8 &&
              bytes_of(stmatrix_trans_x1) == 16);
static_assert(matrices_of(ldmatrix_trans_x2) == 2 && matrices_of(stmatrix_x1) == 1 &&
              matrices_of(vector_4) == 0);

// The refusal names the side that is wrong, or the partition.
constexpr layout eight = "S[8:1]"_axe, nine = "S[9:1]"_axe, downwards = "S[8:-1@lane] + 7@lane"_axe;
constexpr copy_request by(layout const& partition, int bits) {
  copy_request r = request(eight, global, eight, shared, {8}, bits, 8);
  r.options.partitioned = true;
  r.options.partition = partition;
  return r;
}
static_assert(try_plan_copy(request(nine, global, eight, shared, {8}, 16, 1)).why ==
                  refusal{rule::shape_does_not_fit, {8, 9}} &&
              try_plan_copy(request(eight, global, nine, shared, {8}, 16, 1)).why ==
                  of_operand(1, {rule::shape_does_not_fit, {8, 9}}) &&
              try_plan_copy(by("S[6:1@reg]"_axe, 4)).why ==
                  of_operand(2, {rule::shape_does_not_fit, {8, 6}}));
static_assert(try_plan_copy(request(eight, global, "S[8:1] + 1"_axe, shared, {8}, 4, 1)).why ==
              of_operand(1, {rule::does_not_pack_offset, {1, 2}, {axis::m}}));
static_assert(try_plan_copy(request(downwards, registers, eight, global, {8}, 16, 32)).why ==
                  refusal{rule::partition_runs_down, {8, -1}, {axis::lane}} &&
              try_plan_copy(request(eight, global, downwards, registers, {8}, 16, 32)).why ==
                  of_operand(1, {rule::partition_runs_down, {8, -1}, {axis::lane}}) &&
              try_plan_copy(by(downwards, 16)).why ==
                  of_operand(2, {rule::partition_runs_down, {8, -1}, {axis::lane}}));
constexpr copy_request with_edges(list<integer, capacity::shards> const& edges) {
  copy_request r = request(eight, global, eight, shared, {8}, 16, 1);
  r.options.edges = edges;
  return r;
}
static_assert(try_plan_copy(with_edges({-1})).why == refusal{rule::copy_edge_below_zero, {-1}} &&
              try_plan_copy(with_edges({1, 1})).why ==
                  refusal{rule::copy_edges_of_another_rank, {2, 1}});
static_assert(plan_copy(request(eight, global, "S[8:1@reg] + R[32:1@lane]"_axe, registers, {8}, 16,
                                32))
                      .partition == "S[8:1@reg] + R[32:1@lane]"_axe,
              "every lane holds its own replica");

}  // namespace

TEST_CASE("a plan prints as text") {
  text<2000> plan;
  print(plan, load);
  CHECK(std::string(plan.c_str()) ==
        "vector.16: global to shared, 4096 elements of 16 bits\n"
        "  128 threads, 4 accesses each of 8 elements, 16 bytes\n"
        "  from: 4096*(t/8) + 8*(t mod 8) + 65536*i\n"
        "  to: swizzle(M=3,B=3,S=3) o 64*(t/8) + 8*(t mod 8) + 1024*i\n"
        "  from: 256 sectors, the fewest; to: no bank conflict\n"
        "  partition: S[(4,16,8,8):(8@reg,8@tid,1@tid,1@reg)]\n"
        "  declined tma: cp.async, bulk and tensor copies need axe::copy_async (--async); all "
        "other instructions need axe::copy\n");
}

TEST_CASE("explain is the printed plan, with what would make it faster") {
  text<2000> plan;
  print(plan, plan_copy(unaligned));
  std::string const words = explain(plan_copy(unaligned)).c_str();
  CHECK(words == plan.c_str());
  CHECK(words.find("\n  faster: vector.16 if the memory is aligned to 16 bytes, as aligned<16> "
                   "declares (--alignment 16)\n") != std::string::npos);
  CHECK(std::string(explain(load).c_str()).find("faster") == std::string::npos);
  // A transposition of 2-byte elements gets this advice, one of 4-byte elements does not.
  constexpr char const* by_fragment =
      "\n  faster: load<P>(from, scope), then copy the fragment: it is stored in vectors if P "
      "gives "
      "each thread adjacent elements of the destination\n";
  copy_request transposed = columns;
  CHECK(std::string(explain(plan_copy(transposed)).c_str()).find(by_fragment) != std::string::npos);
  transposed.bits = 32;
  CHECK(std::string(explain(plan_copy(transposed)).c_str()).find("faster") == std::string::npos);
  copy_plan const few =
      plan_copy(request("S[91:1]"_axe, global, "S[91:1]"_axe, shared, 91, 32, 32));
  CHECK(std::string(explain(few).c_str())
            .find("\n  faster: 23 threads as the scope, or a tile for all 32: the other 9 do "
                  "nothing\n") != std::string::npos);
}

TEST_CASE("a plan names the thread from which its addresses count") {
  copy_request const r = request("S[(8,4):(1@tid,1@reg)] + 32@tid"_axe, registers,
                                 "S[(8,4):(8,1)]"_axe, shared, {8, 4}, 16, 64);
  CHECK(std::string(explain(plan_copy(r)).c_str())
            .find(" 4 elements, 8 bytes, t counts from thread 32\n  to: 8*t\n") !=
        std::string::npos);
}

TEST_CASE("a plan prints the addresses of the replicas of one element") {
  copy_request const r = request("S[1]"_axe, global, "S[1] + R[3:4]"_axe, shared, 1, 32, 32);
  CHECK(std::string(explain(plan_copy(r)).c_str()).find("\n  from: 0\n  to: 4*i\n") !=
        std::string::npos);
}

TEST_CASE("a plan prints its cache hint, and single elements") {
  text<2000> plan;
  copy_request r = columns;
  r.options.cache = cache_hint::read_only;
  print(plan, plan_copy(r), operands_of(r));
  std::string const words = plan.c_str();
  CHECK(words.find("of 1 element, 2 bytes, one element at a time, read_only\n") !=
        std::string::npos);
  CHECK(words.find(
            "declined vector.4: vectors of 2 elements of 16 bits need runs of a multiple of 2 "
            "elements "
            "that are adjacent on both sides, but the longest run of a thread has 1 element\n") !=
        std::string::npos);
}

TEST_CASE("the sentence of a declined candidate names the numbers of the copy") {
  copy_request const r = request(apart, shared, a, registers, {16, 16}, 16, 32);
  refusal_text text;
  print(text, plan_copy(r).candidates[0].why, operands_of(r));
  CHECK(std::string(text.c_str()) ==
        "ldmatrix and stmatrix need rows at multiples of 16 bytes, but here some rows are 72 bytes "
        "apart");
  copy_request const shifted =
      request("S[(4,4):(8,1)] + 3"_axe, global, "S[(4,4):(8,1)]"_axe, shared, {4, 4}, 16, 32);
  CHECK(std::string(sentence(why(shifted, vector_4)).c_str()) ==
        "accesses of 4 bytes need strides and an offset that are multiples of 4 bytes, but one of "
        "them is 3 elements of 16 bits");
}

TEST_CASE("the sentence of a rejected copy names the wrong side or the partition") {
  auto const why_not = [](copy_request const& r) {
    return std::string(sentence(try_plan_copy(r).why, operands_of(r)).c_str());
  };
  CHECK(why_not(request(eight, global, nine, shared, {8}, 16, 1)) ==
        "the shape (8) has 8 elements, but the layout S[9:1] has 9");
  CHECK(why_not(by("S[6:1@reg]"_axe, 4)) ==
        "the shape (8) has 8 elements, but the layout S[6:1@reg] has 6");
  CHECK(why_not(request(eight, global, downwards, registers, {8}, 16, 32)) ==
        "S[8:-1@lane] + 7@lane has 8 threads or registers at stride -1 on lane, but the stride "
        "must not be negative");
  CHECK(
      why_not(with_edges({-1})) ==
      "an edge is -1, but it must be at least 1, or 0 if the tensor does not end inside the tile");
  CHECK(why_not(with_edges({1, 1})) == "got 2 edges, but the tile (8) has 1 dimension");
}
