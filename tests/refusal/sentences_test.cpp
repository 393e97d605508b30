// Pins the sentences of refusals that users see, word for word.
#include <axe/axe.hpp>

namespace {

using namespace axe;
using namespace axe::literals;

static_assert(sentence({}).size() == 0);

// Messages of nvcc and exceptions of Python have the numbers and axes that the sentence names.
static_assert(detail::numbers_in(rule::none) == 0 && detail::axes_in(rule::none) == 0);
static_assert(detail::numbers_in(rule::expected_a_layout) == 1, "{0}");
static_assert(detail::numbers_in(rule::extent_below_one) == 2, "{0} and {1}");
static_assert(detail::axes_in(rule::extent_below_one) == 0, "{A} is an operand");
static_assert(detail::numbers_in(rule::replicas_differ) == 3, "{0}, {1 places} and {2}");
static_assert(detail::numbers_in(rule::no_layout_steps_there) == 6, "{5@b}");
static_assert(detail::axes_in(rule::no_layout_steps_there) == 2, "{2@a}, {5@b} and {0@A}");
static_assert(detail::axes_in(rule::swizzle_does_not_commute) == 0, "{2}@m");

// Sentences that users see.
static_assert(sentence({rule::swizzle_acts_on_memory_only, {}, {axis::lane}}) ==
              "a swizzled layout must lie on m only, but the layout also names lane");
static_assert(sentence(try_parse("S[(0,2):(1,1)]").why) ==
              "position 3: the extent is 0, but it must be at least 1");
static_assert(sentence(try_parse("S[(8,2):(1,1,1)]").why) ==
              "position 8: got 2 extents, but 3 strides");
static_assert(
    sentence(try_parse("S[8:4@warp_index]").why) ==
    "position 6: there is no axis with this name of 10 characters; a declared axis has at most 9");

constexpr layout four = "S[4:1]"_axe;
constexpr shape by_four(4);
static_assert(sentence(try_places(four, by_four, coordinate{7}).why, {&four, nullptr, &by_four}) ==
              "entry 0 of the coordinate is 7, which is outside the shape (4) (0 to 3)");
constexpr shape by_five{5, 1};
static_assert(sentence(try_group(four, by_five).why, {&four, nullptr, &by_five}) ==
              "the shape (5,1) has 5 elements, but the layout S[4:1] has 4");
constexpr layout padded = "S[(2,3):(100@lane,1@lane)]"_axe;
constexpr shape by_two{3, 2};
static_assert(sentence(try_group(padded, by_two).why, {&padded, nullptr, &by_two}) ==
              "S[(2,3):(100@lane,1@lane)] does not group by (3,2): dimension 1 (extent 2) needs "
              "a factor of 2 from the digit 3:1@lane, but neither of 2 and 3 divides the other; "
              "choose extents whose boundaries lie between digits or at a divisor of a digit");
constexpr layout backward = "S[8:-1@lane]"_axe;
static_assert(sentence(try_cosize(backward, axis::lane).why, {&backward}) ==
              "the smallest place of S[8:-1@lane] on lane is -7, but a buffer starts at 0");
static_assert(sentence(try_cosize(backward, axis::lane).why) ==
                  "the smallest place of the layout on lane is -7, but a buffer starts at 0",
              "without operands the sentence says `the layout`");
static_assert(sentence(try_places(four, 4).why, {&four}) ==
              "element 4 is outside the layout S[4:1], which has elements 0 to 3");
static_assert(sentence(try_equivalent("S[] + R[2:2] + R[2:3]"_axe, "S[] + R[2:3] + R[2:2]"_axe,
                                      step_limit{0})
                           .why)
                      .size() == 0,
              "equal lists of replicas need no step");
static_assert(sentence(try_coverage("S[(9,7):(5,1)]"_axe, {{axis::m, 72}}, step_limit{10}).why) ==
              "undecided after 10 steps; raise the step limit");

// A refusal of one of several operands names this operand and its shape.
constexpr layout nine = "S[9:1]"_axe;
constexpr refusal does_not_fit{rule::shape_does_not_fit, {5, 9}};
static_assert(sentence(of_operand(1, does_not_fit), {&four, &nine, &by_four, &by_five}) ==
              "the shape (5,1) has 5 elements, but the layout S[9:1] has 9");
static_assert(sentence(of_operand(2, does_not_fit),
                       {&four, &four, &by_four, &by_four, &nine, &by_five}) ==
              "the shape (5,1) has 5 elements, but the layout S[9:1] has 9");
static_assert(sentence(of_operand(1, does_not_fit)) ==
                  "the shape (...) has 5 elements, but the layout (...) has 9" &&
              sentence(of_operand(1, {rule::size_overflows})) ==
                  "the size of the other layout does not fit in 64 bits");
static_assert(of_operand(1, {}) == refusal{}, "an empty refusal stays empty");

// An axis prints as the user wrote it, even if it is misspelt.
constexpr axis mesh_x = device_axis("mesh_x");
constexpr layout on_mesh = S({4}, {-1 * mesh_x});
static_assert(sentence(try_cosize(on_mesh, mesh_x).why, {&on_mesh}) ==
              "the smallest place of S[4:-1@mesh_x] on mesh_x is -3, but a buffer starts at 0");
static_assert(sentence(try_parse("S[8:4@lnae]").why) ==
              "position 6: there is no axis lnae; did you mean lane?");
static_assert(try_parse("S[8:4@lnae]").why.axes[0] == memory_axis("lnae"));
static_assert(
    sentence(try_parse("S[8:4@cluster_ctax]").why) ==
    "position 6: there is no axis with this name of 12 characters; did you mean cluster_cta_x?");
static_assert(sentence(try_parse("S[8:4@mehs_x]", {&mesh_x, 1}).why) ==
                  "position 6: there is no axis mehs_x; did you mean mesh_x?",
              "declared axes are suggested too");
static_assert(try_parse("S[8:4@depth]").why.which == rule::unknown_axis,
              "no axis has a similar name");
static_assert(try_parse("S[8:4@let]").why.which == rule::unknown_axis,
              "a name that shares one letter of three does not suggest reg");
static_assert(try_parse("S[8:4@gw]").why ==
                  refusal{rule::misspelt_axis, {6}, {memory_axis("gw"), axis::wg}},
              "two exchanged letters count as one mistake");

// The noun after a number is singular or plural. A stride without an axis prints as 3:0.
constexpr layout repeated = "S[(2,3):(1,0)]"_axe;
constexpr shape three_by_two{3, 2};
static_assert(sentence(try_group(repeated, three_by_two).why,
                       {&repeated, nullptr, &three_by_two}) ==
              "S[(2,3):(1,0)] does not group by (3,2): dimension 1 (extent 2) needs a factor of 2 "
              "from the digit 3:0, but neither of 2 and 3 divides the other; choose extents "
              "whose boundaries lie between digits or at a divisor of a digit");
static_assert(sentence({rule::coordinate_has_another_rank, {1, 2}}) ==
              "the coordinate has 1 entry, but the shape (...) has 2");
static_assert(sentence({rule::coordinate_has_another_rank, {3, 2}}) ==
              "the coordinate has 3 entries, but the shape (...) has 2");
static_assert(sentence({rule::box_extent_below_one, {1}, {axis::lane}}) ==
              "the box on lane has 1 place, but it needs at least 1");
static_assert(sentence({rule::placement_count, {1, 1}}) ==
              "got 1 placement, but the mesh has 1 axis, and each needs one");
static_assert(sentence({rule::placement_count, {0, 2}}) ==
              "got 0 placements, but the mesh has 2 axes, and each needs one");

// Witnesses are elements of the operand and their places. Without the operand, the places are left
// out.
constexpr layout rows = "S[(4,5):(7@m,1@m)]"_axe;
constexpr refusal across_rows = try_slice(rows, 20, {{3, 12}}).why;
static_assert(
    sentence(across_rows, {&rows}) ==
    "the result is not a layout: elements 3 (at 3@m) and 4 (at 4@m) of S[(4,5):(7,1)] differ by "
    "1@m, but 4 (at 4@m) and 5 (at 7@m) differ by 3@m, and these steps do not repeat");
static_assert(sentence(across_rows) ==
              "the result is not a layout: elements 3 and 4 of the layout differ by 1@m, but 4 and "
              "5 differ by 3@m, and these steps do not repeat");
constexpr layout outer_rows = "S[2:96]"_axe;
constexpr layout atom = "swizzle(3,3,3) o S[(8,64):(64,1)]"_axe;
static_assert(sentence(try_direct_sum(outer_rows, 2, atom, 512).why, {&outer_rows, &atom}) ==
              "element 1 of S[2:96] with element 0 of swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)] "
              "should be at 96@m, but the swizzle moves it to 104@m: the outer step 96@m changes "
              "bits that the swizzle reads");
constexpr layout small_atom = "swizzle(0,1,1) o S[4:1]"_axe;
static_assert(try_direct_sum("S[(2,2):(6,16)]"_axe, 4, small_atom, 4).why.numbers[0] == 2,
              "the outer layout has two digits");
constexpr layout across_lanes = "S[(4,4):(1@lane,1)] + R[2:4] + 2@lane"_axe;
static_assert(sentence(try_slice(across_lanes, 16, {{2, 6}}).why, {&across_lanes}) ==
              "the result is not a layout: elements 2 (at 2@lane + 2@m) and 4 (at 3@lane + 0@m) of "
              "S[(4,4):(1@lane,1)] + R[2:4] + 2@lane differ by 1@lane and by -2@m, but a digit "
              "steps along one axis");
// To recognise a factor, the library composes the only candidate again. The sentence speaks of this
// candidate.
constexpr layout staggered = "swizzle(3,3,3) o S[(2,8,64):(96,64,1)]"_axe;
static_assert(sentence({rule::candidate_does_not_commute, {96, 104}}, {&staggered, &atom}) ==
              "swizzle(M=3,B=3,S=3) o S[(2,8,64):(96,64,1)] has no such factor: the only candidate "
              "with swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)] should have an element at 96@m, but "
              "the swizzle moves it to 104@m");
static_assert(sentence({rule::known_outer_is_swizzled}, {&staggered, &atom}) ==
              "the outer layout swizzle(M=3,B=3,S=3) o S[(8,64):(64,1)] is swizzled, but only the "
              "inner one may be");

// An outcome converts to true if and only if it has a result.
static_assert(try_size(four) && *try_size(four) == 4 && try_size(four).why == refusal{});
static_assert(!try_group(four, by_five) && try_group(four, by_five).value.shards.empty());
static_assert([] {
  auto const [grouped, why] = try_group(four, by_five);
  return grouped.shards.empty() && why == try_group(four, by_five).why;
}());

// An exact search stops at the step limit, and a larger limit gives an answer.
constexpr layout coprime = "S[(3,3,3,3,3,3,3,3):(1009,1013,1019,1021,1031,1033,1039,1049)]"_axe;
static_assert(try_is_injective(coprime, step_limit{10}).why == refusal{rule::undecided, {10}});
// A search ends at once when it reaches the step limit, however large the remaining extents are.
constexpr layout wide =
    "S[8474:9641] + R[64:58193373621940293] + R[34359738368:8] + R[274877906944:-1408]"_axe;
static_assert(try_is_injective(wide, step_limit{100}).why == refusal{rule::undecided, {100}});
static_assert(try_coverage(wide, {{axis::m, 1000}}, step_limit{10}).why ==
              refusal{rule::undecided, {10}});
static_assert(try_coverage("S[(9,7):(8,1)]"_axe, {{axis::m, 72}}, step_limit{10000})->how ==
              covered::holes);

}  // namespace
