// Facts about transposes of blocks in registers: if a tensor map permutes the rows of a tile,
// neither side of the transpose has bank conflicts. Rows in their own order have conflicts.
#include <axe/analysis/conflicts.hpp>
#include <axe/construct/literal.hpp>
#include <axe/plan/plan_tma.hpp>

#include "support/catch.hpp"

using namespace axe;
using namespace axe::literals;

namespace {

struct tile {
  layout in_order, permuted;
  shape extents;
};
constexpr tile floats{"swizzle(2,3,3) o S[(32,32):(32,1)]"_axe,
                      "swizzle(2,3,3) o S[(8,4,32):(32,256,1)]"_axe,
                      {32, 32}};
constexpr tile halves{"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe,
                      "swizzle(3,3,3) o S[(8,8,64):(64,512,1)]"_axe,
                      {64, 64}};
constexpr tile bytes{"swizzle(4,3,3) o S[(128,128):(128,1)]"_axe,
                     "swizzle(4,3,3) o S[(8,16,128):(128,1024,1)]"_axe,
                     {128, 128}};

template <class Form> constexpr bool is_free(tile const& t, Form const& along, Form const& down) {
  return conflicts(t.permuted, t.extents, along) == 1 &&
         conflicts(t.permuted, t.extents, down) == 1;
}
static_assert(is_free(floats, row_blocks<32>, column_blocks<32>));
static_assert(is_free(halves, row_blocks<16>, column_blocks<16>));
static_assert(conflicts(floats.in_order, floats.extents, row_blocks<32>) == 1);
static_assert(conflicts(floats.in_order, floats.extents, column_blocks<32>) == 4);
static_assert(conflicts(halves.in_order, halves.extents, column_blocks<16>) == 8);

/// True if one box of a tensor map is the permuted tile. The number of rows must be declared as a
/// multiple of the permutation's fastest digit: 4, 8 or 16.
constexpr bool is_one_box(element_type t, tile const& of, leaf rows) {
  tma_tensor tensor;
  tensor.digits.push({tma_number(rows), tma_number(dynamic(1).multiple_of(16))});
  tensor.digits.push({tma_number(dynamic(2)), tma_number(integer{1})});
  tensor.blocks.push(1);
  tensor.blocks.push(1);
  return plan_tma(tma_kind::load, t, tensor, of.extents, of.permuted).issues == 1;
}
static_assert(is_one_box(element_type::f32, floats, dynamic(0).multiple_of(4)));
static_assert(is_one_box(element_type::bf16, halves, dynamic(0).multiple_of(8)));
static_assert(is_one_box(element_type::u8, bytes, dynamic(0).multiple_of(16)));
static_assert(!is_one_box(element_type::bf16, halves, dynamic(0).multiple_of(4)));

}  // namespace

TEST_CASE("bytes that a tensor map permutes have no bank conflict") {
  CHECK(is_free(bytes, row_blocks<8>, column_blocks<8>));
  CHECK(conflicts(bytes.in_order, bytes.extents, column_blocks<8>) == 8);
}
