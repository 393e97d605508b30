// Tests CuTe layouts as types: every operation takes types and returns a type.
#include "support/catch.hpp"

#include <axe/cute.hpp>

#include <type_traits>

using namespace axe::cute;
using namespace axe::cute::literals;

namespace {

constexpr layout matrix = "(64,32):(1,64)"_cute;
constexpr layout block = "(8,8):(8,1)"_cute;
constexpr layout pair = "(2,3):(1,2)"_cute;

using matrix_type = carrier<matrix>;
using block_type = carrier<block>;
using pair_type = carrier<pair>;

static_assert(matrix_type::value == matrix &&
              std::is_same_v<decltype(carry<matrix>()), matrix_type> &&
              std::is_empty_v<matrix_type>);
static_assert(std::is_same_v<decltype(coalesce(matrix_type{})), carrier<coalesce(matrix)>>);
static_assert(std::is_same_v<decltype(coalesce(matrix_type{}, tuple_of<1, 1>{})), matrix_type>);
static_assert(decltype(composition(matrix_type{}, block_type{}))::value ==
              composition(matrix, block));
static_assert(decltype(composition(matrix_type{}, tuple_of<8, 4>{}))::value ==
              composition(matrix, {8, 4}));
static_assert(decltype(complement(block_type{}, axe::constant<256>{}))::value ==
              complement(block, 256));
static_assert(decltype(right_inverse(block_type{}))::value == right_inverse(block) &&
              decltype(left_inverse(block_type{}))::value == left_inverse(block));
static_assert(decltype(max_common_layout(block_type{}, block_type{}))::value ==
              max_common_layout(block, block));
static_assert(decltype(logical_divide(matrix_type{}, tuple_of<8, 4>{}))::value ==
              logical_divide(matrix, {8, 4}));
static_assert(decltype(zipped_divide(matrix_type{}, tuple_of<8, 4>{}))::value ==
              zipped_divide(matrix, {8, 4}));
static_assert(decltype(tiled_divide(matrix_type{}, tuple_of<8, 4>{}))::value ==
              tiled_divide(matrix, {8, 4}));
static_assert(decltype(flat_divide(matrix_type{}, tile_of<block_type>{}))::value ==
              flat_divide(matrix, make_tile(block)));
static_assert(decltype(logical_product(block_type{}, pair_type{}))::value ==
              logical_product(block, pair));
static_assert(decltype(zipped_product(block_type{}, tuple_of<2, 3>{}))::value ==
              zipped_product(block, {2, 3}));
static_assert(decltype(tiled_product(block_type{}, tuple_of<2, 3>{}))::value ==
              tiled_product(block, {2, 3}));
static_assert(decltype(flat_product(block_type{}, tuple_of<2, 3>{}))::value ==
              flat_product(block, {2, 3}));
static_assert(decltype(blocked_product(block_type{}, pair_type{}))::value ==
              blocked_product(block, pair));
static_assert(decltype(raked_product(block_type{}, pair_type{}))::value ==
              raked_product(block, pair));
static_assert(decltype(tile_to_shape(block_type{}, tuple_of<16, 24>{}))::value ==
              tile_to_shape(block, {16, 24}));
static_assert(decltype(upcast(block_type{}, axe::constant<2>{}))::value == upcast(block, 2));
static_assert(decltype(downcast(block_type{}, axe::constant<2>{}))::value == downcast(block, 2));
static_assert(decltype(recast(block_type{}, axe::constant<16>{}, axe::constant<32>{}))::value ==
              recast(block, 16, 32));

}  // namespace

TEST_CASE("a carrier is its value at run time") { CHECK(size(matrix_type{}) == 64 * 32); }
