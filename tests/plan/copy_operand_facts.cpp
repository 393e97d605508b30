// Facts about an operand of a copy that is a tile of a tensor: dynamic iters, the alignment of the
// tile's start, and where the tensor may end.
#include <axe/cuda/copy/case.hpp>
#include <axe/index.hpp>
#include <axe/plan/plan_copy.hpp>
#include <axe/plan/print/print_copy.hpp>

#include "../support/catch.hpp"

using namespace axe;

namespace {

template <class T> T const& some_object();
template <class Tensor, integer... Extents, class... Numbers> constexpr auto facts_of(Numbers...) {
  using tile = detail::operand_type<decltype(axe::tile<Extents...>(some_object<Tensor>(),
                                                                   some_object<Numbers>()...))>;
  return detail::copy_operand<tile>::facts;
}
constexpr index_part<unnamed, 0> some{0};
constexpr constant<0> first{};

constexpr integer bound = 1 << 20;
template <integer Of>
using matrix = dynamic_matrix<dynamic(0).below(bound), dynamic(1).below(bound).multiple_of(Of),
                              dynamic(2).below(bound).multiple_of(Of)>;
template <integer Of, integer Pointer = 16>
using tensor_of = tensor<short const, matrix<Of>, axe::aligned<Pointer>>;

// A tile starts at a multiple of 64 columns and at a multiple of its number of rows. The pitch and
// the columns decide how the start is aligned, in bytes.
static_assert(facts_of<tensor_of<8>, 32, 64>(some, some).alignment == 16);
static_assert(facts_of<tensor_of<4>, 32, 64>(some, some).alignment == 16,
              "32 rows of 8-byte multiples are a multiple of 16 bytes");
static_assert(facts_of<tensor_of<4>, 1, 64>(some, some).alignment == 8);
static_assert(facts_of<tensor_of<8>, 32, 6>(some, some).alignment == 4,
              "the (i,j)th tile of 6 columns begins at a multiple of 12 bytes");
static_assert(facts_of<tensor_of<8>, 32, 6>(some, first).alignment == 16);
static_assert(facts_of<tensor_of<8, 0>, 32, 64>(some, some).alignment == 2,
              "the pointer has no declared alignment");

// tensor_of<8> may end after any row, and after each multiple of 8 columns.
static_assert(facts_of<tensor_of<8>, 32, 64>(some, some).edges ==
              list<integer, capacity::shards>{1, 8});
static_assert(facts_of<tensor_of<64>, 32, 64>(some, some).edges ==
              list<integer, capacity::shards>{1, 0});
static_assert(facts_of<tensor_of<8>, 32, 6>(some, some).edges ==
              list<integer, capacity::shards>{1, 2});
using known =
    tensor<float, dynamic_layout<dimension<digit<100, 64>>, dimension<digit<64, 1>>>, aligned<16>>;
static_assert(facts_of<known, 32, 64>(some, some).edges == list<integer, capacity::shards>{4, 0});
constexpr index_part<unnamed, 3> below_3{0};
constexpr index_part<unnamed, 4> below_4{0};
static_assert(facts_of<known, 32, 64>(first, some).edges == list<integer, capacity::shards>{0, 0} &&
                  facts_of<known, 32, 64>(below_3, some).edges ==
                      list<integer, capacity::shards>{0, 0},
              "96 of the 100 rows are in whole tiles");
static_assert(facts_of<known, 32, 64>(below_4, some).edges ==
              list<integer, capacity::shards>{4, 0});
static_assert(facts_of<tensor<float, row_major<3, 16, 1>, aligned<16>>, 1, 4, 1>(some, some, some)
                      .alignment == 16,
              "the only tile in a dimension of one element begins at 0");

// The planner replaces a dynamic pitch by a multiple of its declared multiple, which fuses with no
// other iter.
constexpr layout with_dynamic_pitch = facts_of<tensor_of<8>, 32, 64>(some, some).where;
static_assert(with_dynamic_pitch.shards.size() == 2 &&
              with_dynamic_pitch.shards[0].stride % 8 == 0 &&
              with_dynamic_pitch.shards[0].stride % 16 != 0);
static_assert(with_dynamic_pitch.shards[0].stride > 64 &&
              with_dynamic_pitch.shards[1] == iter{64, 1, axis::m});

// Threads are assigned in the order of the strides. Those of dynamic dimensions have the order that
// they have in memory.
constexpr bool descend(layout const& l) {
  for (int k = 0; k + 1 < l.shards.size(); ++k)
    if (l.shards[k].stride <= l.shards[k + 1].stride) return false;
  return true;
}
static_assert(
    descend(facts_of<tensor<float, row_major<4>>, 2, 4, 8, 16>(some, some, some, some).where));
static_assert(descend(facts_of<tensor<float, strided<3>>, 4, 8, 16>(some, some, some).where));
constexpr layout columns =
    facts_of<tensor<float, column_major<3>>, 16, 8, 4>(some, some, some).where;
static_assert(columns.shards[0].stride == 1 && columns.shards[1].stride < columns.shards[2].stride);

// `blocked` has rows in blocks of 8. Tiles lie within one block, or have several whole blocks.
using blocked = tensor<float,
                       dynamic_layout<dimension<digit<dynamic(0).below(bound), 4096>, digit<8, 16>>,
                                      dimension<digit<16, 1>>>,
                       aligned<16>>;
static_assert(facts_of<blocked, 4, 16>(some, first).where.shards[0] == iter{4, 16, axis::m});
static_assert(facts_of<blocked, 32, 16>(some, first).where.shards[0] == iter{4, 4096, axis::m});
static_assert(facts_of<blocked, 32, 16>(some, first).where.shards[1] == iter{8, 16, axis::m});
// Tiles of 12 rows begin inside a block, so that their rows have no known stride. Their columns
// have one.
static_assert(facts_of<blocked, 12, 16>(some, first).where.shards[0].stride % 2 == 1);
static_assert(facts_of<blocked, 12, 16>(some, first).where.shards[1] == iter{16, 1, axis::m});
static_assert(facts_of<blocked, 12, 16>(some, first).alignment == 4);
static_assert(detail::grain_of_sum<coordinate_sum<6, index_part<unnamed, 0, 4>>> == 2);
static_assert(detail::grain_of_sum<coordinate_sum<-8>> == 8);

// A copied tile may end at common divisors of the edges of both sides. 0 means: no edge.
static_assert(detail::edges_of({{}, 16, {8, 0}}, {{}, 16, {12, 4}}) ==
              list<integer, capacity::shards>{4, 4});
static_assert(detail::edges_of({{}, 16, {}}, {{}, 16, {12, 4}}) ==
              list<integer, capacity::shards>{12, 4});

struct threads {
  static constexpr integer size = 128;
};

// The refusal names the declaration that is missing, here that of dynamic(2), the pitch.
using from_tile =
    detail::operand_type<decltype(axe::tile<32, 64>(some_object<tensor_of<8>>(), some, some))>;
using to_tile = detail::operand_type<decltype(axe::tile<32, 64>(
    some_object<tensor<short, matrix<4>, axe::aligned<16>>>(), some, some))>;
static_assert(
    detail::copy_case<from_tile, to_tile, 128, force<copy_instruction::vector_16>>::why() ==
    refusal{rule::vector_needs_a_multiple, {16, 2, 8, 4}});
static_assert(detail::copy_case<from_tile, to_tile, 128, force<copy_instruction::vector_8>>::why()
                  .which == rule::none);

// Forced asynchronous instructions need copy_async, and a forced tensor copy needs a map.
template <copy_how How>
constexpr rule why = detail::copy_case<from_tile, to_tile, 1, How>::why().which;
static_assert(why<force<copy_instruction::cp_async_16>> == rule::copy_or_copy_async);
static_assert(why<force<copy_instruction::tma>> == rule::copy_or_copy_async);
static_assert(why<copy_how{copy_instruction::vector_8, {}, copy_completion::group}> ==
              rule::copy_or_copy_async);
static_assert(why<copy_how{copy_instruction::tma, {}, copy_completion::barrier}> ==
              rule::copy_needs_map);
static_assert(why<copy_how{copy_instruction::tma, {}, copy_completion::barrier, true}> ==
                  rule::copy_not_between_these,
              "with a map the planner rejects it: both tiles are in global memory");
static_assert(why<reducing<tma_reduction::add>> == rule::copy_not_between_these,
              "only a tensor copy can reduce");

// Plans that would be slow are rejected, and the refusal names the declaration that helps.
template <class Tensor, integer Rows, integer Columns>
using tile_of =
    detail::operand_type<decltype(axe::tile<Rows, Columns>(some_object<Tensor>(), some, some))>;
template <class From, class To, integer Threads = 32, copy_how How = copy_how{}>
constexpr refusal slow = detail::copy_case<From, To, Threads, How>::why();
using undeclared = tile_of<tensor<short, row_major<2>>, 16, 64>;
using declared = tile_of<tensor<short, row_major<2>, aligned<16>>, 16, 64>;
static_assert(slow<undeclared, declared> == refusal{rule::copy_is_narrow_by_its_pointer, {2, 16}});
static_assert(slow<declared, undeclared> == refusal{rule::copy_is_narrow_by_its_pointer, {2, 16}});
static_assert(!slow<declared, declared> && !slow<undeclared, undeclared, 32, allow_slow>);
static_assert(!slow<undeclared, declared, 32, force<copy_instruction::vector_2>>);
static_assert(slow<tile_of<tensor_of<1>, 16, 64>, declared> ==
              refusal{rule::copy_is_narrow_by_a_stride, {2, 16, 2, 8}});
static_assert(!slow<tile_of<tensor_of<2>, 16, 64>, declared>, "4 bytes are not narrow");
static_assert(!slow<tile_of<tensor<short, row_major<2>>, 64, 1>, tile_of<tensor_of<8>, 64, 1>>,
              "a tile of one column is narrow whatever is declared");
static_assert(!slow<tile_of<tensor<short, column_major<2>, aligned<16>>, 16, 64>, declared>,
              "a transposition in global memory has no better form");
using nothing_declared = tensor<short, row_major<2>>;
static_assert(!slow<tile_of<nothing_declared, 16, 63>, tile_of<nothing_declared, 16, 63>>,
              "a tile of 63 columns may begin at any element");
using odd =
    tensor<short, dynamic_layout<dimension<digit<64, 63>>, dimension<digit<63, 1>>>, aligned<16>>;
static_assert(!slow<tile_of<odd, 16, 63>, tile_of<odd, 16, 63>>, "rows are 63 elements apart");
// Rows of less than 16 bytes are slow if an access could cross them.
template <int Columns, integer Pitch = Columns>
using rows_of_bytes =
    tensor<signed char,
           dynamic_layout<dimension<digit<dynamic(0), Pitch>>, dimension<digit<Columns, 1>>>,
           aligned<16>>;
template <int Columns, integer Pitch = Columns>
constexpr refusal slow_rows = slow<tile_of<rows_of_bytes<Columns, Pitch>, 256, Columns>,
                                   tile_of<rows_of_bytes<Columns, Pitch>, 256, Columns>>;
static_assert(slow_rows<3> == refusal{rule::copy_is_narrow_by_its_rows, {1, 16}});
static_assert(slow_rows<6> == refusal{rule::copy_is_narrow_by_its_rows, {2, 16}});
static_assert(slow_rows<15> == refusal{rule::copy_is_narrow_by_its_rows, {1, 16}});
static_assert(!slow_rows<17>, "rows of 17 bytes");
static_assert(!slow_rows<3, 5>, "the rows are not adjacent");
static_assert(!slow_rows<4>, "4 bytes are not narrow");
// 8 x 6 rows of 8 accesses are planned for 8 x 2 x 8 threads with 3 accesses each. 2 x 6 x 8
// threads would take 4. The destination, a cube, has several dynamic strides.
using cube = tensor<short, row_major<3>, aligned<16>>;
template <integer... Extents>
using tile_of_cube =
    decltype(axe::tile<Extents...>(some_object<cube>(), constant<Extents - Extents>{}...));
template <class Tile, integer Scope>
constexpr bool is_planned_for(integer threads, integer issues) {
  auto const& plan = detail::copy_case<Tile, Tile, Scope, copy_how{}>::plan;
  return plan.threads == threads && plan.issues == issues;
}
static_assert(is_planned_for<tile_of_cube<8, 6, 64>, 128>(128, 3));
static_assert(is_planned_for<tile_of_cube<64, 9, 64>, 128>(128, 36), "not 1 x 9 x 8 threads");
using whole_tile_of_cube = decltype(axe::exact_grid(some_object<tile_of_cube<2, 8, 64>>()));
static_assert(!slow<whole_tile_of_cube, whole_tile_of_cube, 128>,
              "the planner does not assume that rows at two dynamic strides overlap");
static_assert(is_planned_for<tile_of_cube<8, 5, 64>, 128>(120, 3),
              "128 threads do not divide 320 accesses");
// A stride of 2^25 times a dynamic number, in a tile of 64 such steps.
using far = tensor<float,
                   dynamic_layout<dimension<digit<dynamic(0), dynamic(1).multiple_of(1 << 25)>>,
                                  dimension<digit<64, 1>>>,
                   aligned<16>>;
static_assert(!slow<tile_of<far, 64, 64>, tile_of<far, 64, 64>, 128>,
              "the planner's number for the stride does not overflow");
static_assert(is_planned_for<tile_of<tensor<float, row_major<2>>, 256, 3>, 256>(192, 4),
              "256 x 1 threads would take 3, but would not access neighbouring floats");

// Options are combined with |.
static_assert((zero_fill | allow_slow) ==
              copy_how{.outside = copy_outside::zero, .allows_slow = true});
static_assert((force<copy_instruction::vector_4> | cached<cache_hint::evict_first>) ==
              copy_how{.force = copy_instruction::vector_4, .cache = cache_hint::evict_first});
// packed_how is the form in which options are a template argument. It keeps all of them.
constexpr copy_how all_options{copy_instruction::vector_4,
                               copy_outside::zero,
                               copy_completion::barrier,
                               true,
                               tma_reduction::bit_xor,
                               cache_hint::read_only,
                               true,
                               0xffffu};
static_assert(copy_how(packed_how(all_options)) == all_options);
static_assert(copy_how(packed_how()) == copy_how{});
static_assert((to_ctas<3> | reducing<tma_reduction::add>) ==
              copy_how{.reduction = tma_reduction::add, .ctas = 3});

// `axe plan` has no element type of 96 bits, so no command shows why this copy is rejected.
struct three_floats {
  float x[3];
};
using of_96_bits = detail::operand_type<decltype(axe::tile<16, 64>(
    some_object<tensor<three_floats, matrix<8>>>(), some, some))>;
static_assert(plan_command<of_96_bits, of_96_bits, threads>().length == 0);

}  // namespace

TEST_CASE("the plan of a copy between tiles is a constant") {
  constexpr copy_plan plan = plan_of_copy<from_tile, to_tile, threads>;
  CHECK(plan.instruction == copy_instruction::vector_8);
  CHECK(!plan.cut);
}

TEST_CASE("explain names the declaration that would allow a faster plan") {
  std::string const explanation = explain(plan_of_copy<from_tile, to_tile, threads>).c_str();
  CHECK(explanation.find(
            "\n  faster: vector.16 if dynamic(2), a stride, is a multiple of 8: declare "
            "aligned<16>, or .multiple_of(8) in a dynamic_layout\n") != std::string::npos);
}

// tests/cli/plans.py runs the command that this message ends with.
TEST_CASE("a rejected copy ends with the command that shows why") {
  std::string const command = plan_command<undeclared, declared, threads>().c_str();
  CHECK(command ==
        "axe plan copy 'S[(16,64):(16356725,1)]' 'S[(16,64):(130853800,1)]' --shape '(16,64)' "
        "--from global --to global --type s16 --scope 128 --arch sm_90a --alignment 2 "
        "--edges 1,1");
  std::string const explanation =
      detail::copy_case<undeclared, declared, threads::size, copy_how{}>::text().c_str();
  CHECK(explanation.ends_with(": " + command));
  std::string const forced =
      plan_command<undeclared, declared, threads, zero_fill | force<copy_instruction::vector_4>>()
          .c_str();
  CHECK(forced.ends_with(" --edges 1,1 --outside zero --force vector.4"));
}
