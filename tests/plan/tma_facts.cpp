// Tests plans of tensor copies: their maps and boxes, every element of small tiles at compile time,
// and rejected tiles with their sentences.
#include <axe/construct/build.hpp>
#include <axe/construct/literal.hpp>
#include <axe/index/dynamic_layout.hpp>
#include <axe/index/tensor_of.hpp>
#include <axe/plan/plan_tma.hpp>
#include <axe/plan/tma_arguments.hpp>

#include "support/catch.hpp"

using namespace axe;
using namespace axe::literals;

namespace {

using type = element_type;
/// An M x K matrix with a pitch. Only the pitch has a declared multiple.
using matrix = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).multiple_of(8)>;
using divisible = dynamic_matrix<dynamic(0).multiple_of(16), dynamic(1).multiple_of(64),
                                 dynamic(2).multiple_of(8)>;

/// The leaf of a dynamic extent. Every extent is below 2^32.
constexpr leaf extent(int slot) { return dynamic(slot).below(integer{1} << 32); }

constexpr tma_plan load(type t, tma_tensor const& g, shape const& tile, layout const& l,
                        tma_options const& o = {}) {
  return plan_tma(tma_kind::load, t, g, tile, l, o);
}
constexpr rule why(tma_kind k, type t, tma_tensor const& g, shape const& tile, layout const& l,
                   tma_options const& o = {}) {
  return try_plan_tma(k, t, g, tile, l, o).why.which;
}

// ---- A tile with rows of 128 bytes is one box. A tile with wider rows is several boxes side by
// side, or one box of three dimensions if K is a multiple of 64.
constexpr tma_plan one =
    load(type::bf16, tma_tensor_of<matrix>(), {128, 64}, "swizzle(3,3,3) o S[(128,64):(64,1)]"_axe);
static_assert(one.rank() == 2 && one.issues == 1 && one.bytes() == 16384 &&
              one.alignment() == 1024);
static_assert(one.dimensions[0] == tma_dimension{extent(1), tma_number(2), 64, 1});
static_assert(one.dimensions[1].extent == tma_number(extent(0)) && one.dimensions[1].box == 128);
static_assert(one.dimensions[1].stride == tma_number(dynamic(2).multiple_of(8)).scaled(2));
static_assert(one.moves[0](3) == 384 && one.moves[0].to == 1 && one.moves[1](3) == 192 &&
              one.moves[1].to == 0);
static_assert(one.kind == tma_kind::load && one.swizzle == swizzle_mode::bytes_128);

constexpr layout wide = mma_shared_layout(16, swizzle_mode::bytes_128, {128, 128});
constexpr tma_plan two = load(type::bf16, tma_tensor_of<matrix>(), {128, 128}, wide);
static_assert(two.issues == 2 && two.rank() == 2 && two.loops.size() == 1 &&
              two.loops[0] == tma_loop{2, 16384, 0, 64});
static_assert(box_of(two, 1).coordinates[0] == 64 && box_of(two, 1).coordinates[1] == 0 &&
              box_of(two, 1).shared == 16384);
static_assert(box_of(two, 0).coordinates[0] == 0 && box_of(two, 0).coordinates[1] == 0 &&
              box_of(two, 0).shared == 0);
static_assert(two.candidates.size() == 2 && two.candidates[0].why.which == rule::tma_extent &&
              two.candidates[1].why.which == rule::none);
static_assert(two.candidates[0].instruction == tma_instruction::tensor_3d);
constexpr tma_plan three = load(type::bf16, tma_tensor_of<divisible>(), {128, 128}, wide);
static_assert(three.issues == 1 && three.rank() == 3 && three.dimensions[2].box == 2);
static_assert(three.dimensions[2].extent == tma_number(extent(1).multiple_of(64)).scaled(1, 64));
static_assert(three.dimensions[2].stride == tma_number(128) &&
              three.dimensions[0].extent == tma_number(64));
static_assert(three.moves[1](5) == 10 && three.bytes() == two.bytes());

// Rows of 520 elements are cut so that each part is a dimension of the map: 104 does not divide K.
constexpr tma_plan odd_row =
    load(type::bf16,
         tma_tensor_of<
             dynamic_matrix<dynamic(0), dynamic(1).multiple_of(8), dynamic(2).multiple_of(8)>>(),
         {2, 520}, "S[1040:1]"_axe);
static_assert(odd_row.issues == 1 && odd_row.rank() == 3 && odd_row.dimensions[0].box == 8 &&
              odd_row.dimensions[1].box == 65 && odd_row.dimensions[2].box == 2);

// ---- MN-major operands take boxes side by side along the rows of the tensor.
constexpr tma_plan by_mn = load(type::bf16, tma_tensor_of<matrix>(), {64, 256},
                                mma_shared_layout(16, swizzle_mode::bytes_128, {64, 256}));
static_assert(by_mn.issues == 4 && by_mn.loops[0] == tma_loop{4, 8192, 0, 64} &&
              by_mn.dimensions[1].box == 64);
// Without a swizzle the tile has columns of 16 bytes, which take one box of three dimensions if K
// is a multiple of 8.
constexpr tma_plan by_columns = load(type::bf16, tma_tensor_of<divisible>(), {128, 64},
                                     mma_shared_layout(16, swizzle_mode::none, {128, 64}));
static_assert(by_columns.issues == 1 && by_columns.rank() == 3 &&
              by_columns.dimensions[0].box == 8 && by_columns.dimensions[2].box == 8);
static_assert(by_columns.alignment() == 128);

// ---- Rows are permuted for a transpose without conflicts: row 4a + j is at row 8j + a.
constexpr layout permuted = "swizzle(2,3,3) o S[(8,4,32):(32,256,1)]"_axe;
constexpr tma_plan split = load(type::f32, tma_tensor_of<divisible>(), {32, 32}, permuted);
static_assert(split.issues == 1 && split.rank() == 3 && split.dimensions[1].box == 8 &&
              split.dimensions[2].box == 4);
static_assert(split.dimensions[2].extent == tma_number(4));
constexpr tma_plan strided = load(type::f32, tma_tensor_of<matrix>(), {32, 32}, permuted);
static_assert(strided.issues == 4 && strided.rank() == 2 &&
              strided.dimensions[1].element_stride == 4);
static_assert(strided.dimensions[1].box == 32 && strided.loops[0] == tma_loop{4, 1024, 1, 1} &&
              strided.box_bytes == 1024);
static_assert(strided.dimensions[0].element_stride == 1);

// ---- Contiguous iters are merged. A stride of 3 floats is not a multiple of 16 bytes, so the map
// has the 672 floats of the tile as 3 rows of 224.
constexpr tma_plan nhwc =
    load(type::f32, tma_tensor_of("S[(64,56,56,3):(9408,168,3,1)]"_axe, {64, 56, 56, 3}),
         {1, 4, 56, 3}, "S[672:1]"_axe);
static_assert(nhwc.issues == 1 && nhwc.rank() == 3 && nhwc.dimensions[0].box == 224 &&
              nhwc.dimensions[1].box == 3);
static_assert(nhwc.moves.size() == 2 && nhwc.moves[1](2) == 6 && nhwc.moves[1].to == 1 &&
              nhwc.moves[0](2) == 2);
// A tile that has all 32 columns may still begin at another column, so its origin moves the box.
// Columns that are merged with the rows have no move.
static_assert(load(type::f32, tma_tensor_of("S[(64,32):(40,1)]"_axe, {64, 32}), {8, 32},
                   "S[256:1]"_axe)
                  .moves[1](1) == 32);
static_assert(load(type::f32, tma_tensor_of("S[(64,32):(32,1)]"_axe, {64, 32}), {8, 32},
                   "S[256:1]"_axe)
                  .moves.size() == 1);
// Both plans must have the same boxes: g++ 12 lost a default value in the second such plan of a
// file.
constexpr tma_plan in_columns =
    load(type::u32, tma_tensor_of("S[(9,2,192):(384,192,1)]"_axe, {9, 2, 192}), {3, 4, 64},
         "swizzle(2,1,3) o S[(3,4,8,8):(256,64,8,1)]"_axe);
constexpr tma_plan in_wider_columns =
    load(type::u32, tma_tensor_of("S[(9,2,128):(256,128,1)]"_axe, {9, 2, 128}), {3, 4, 64},
         "swizzle(2,1,3) o S[(3,4,8,8):(256,64,8,1)]"_axe);
static_assert(in_columns.dimensions[0].box == 8 && in_columns.dimensions[1].box == 8 &&
              in_wider_columns.dimensions[0].box == 8 && in_wider_columns.dimensions[1].box == 8);
// A tile of one dimension is cut into boxes of 256 elements. If the cut divides the tensor too,
// both parts are dimensions of one box, unless this needs rows of less than 128 bytes.
constexpr tma_plan line =
    load(type::f32, tma_tensor_of("S[100016:1]"_axe, {100016}), {1024}, "S[1024:1]"_axe);
constexpr tma_plan rows_of_128_bytes =
    load(type::f32, tma_tensor_of("S[100000:1]"_axe, {100000}), {1024}, "S[1024:1]"_axe);
static_assert(rows_of_128_bytes.issues == 1 && rows_of_128_bytes.dimensions[0].box == 32 &&
              rows_of_128_bytes.dimensions[1].box == 32);
constexpr tma_plan all_columns =
    load(type::bf16, tma_tensor_of<dynamic_matrix<dynamic(0), leaf{128}, leaf{128}>>(), {64, 128},
         "S[(64,128):(128,1)]"_axe);
static_assert(all_columns.issues == 1 && all_columns.dimensions[0].box == 128 &&
              all_columns.dimensions[1].box == 64);
// In a tensor of 5 dimensions the map has no dimension for the rest of the row.
constexpr tma_plan row_of_five = load(
    type::bf16, tma_tensor_of("S[(2,2,2,2,1600):(12800,6400,3200,1600,1)]"_axe, {2, 2, 2, 2, 1600}),
    {1, 1, 1, 1, 512}, "S[512:1]"_axe);
static_assert(row_of_five.issues == 2 && row_of_five.dimensions[0].box == 256);
static_assert(line.rank() == 1 && line.issues == 4 && line.dimensions[0].box == 256 &&
              line.loops[0].step == 256);
// In a tensor of blocks, a tile number moves the box by blocks and by rows inside a block.
constexpr tma_plan blocked =
    load(type::bf16, tma_tensor_of("S[(8,32,8,32):(8192,32,1024,1)]"_axe, {256, 256}), {16, 32},
         "swizzle(3,2,3) o S[(16,32):(32,1)]"_axe);
static_assert(blocked.rank() == 4 && blocked.moves[0](5) == 16 && blocked.moves[1](5) == 2);
// The tensor has a single row. The other rows of the tile are out of bounds and filled with zeros.
static_assert(load(type::f32, tma_tensor_of("S[(1,70):(70,1)]"_axe, {1, 70}), {32, 32},
                   "S[1024:1]"_axe)
                  .dimensions[1]
                  .box == 32);
// A dimension of stride 0 does not move the box: the same box is copied for each of its values.
constexpr tma_plan repeated =
    load(type::f32, tma_tensor_of("S[(8,64):(0,1)]"_axe, {8, 64}), {4, 64}, "S[256:1]"_axe);
static_assert(repeated.issues == 4 && repeated.rank() == 1 && repeated.loops[0].to == -1 &&
              repeated.loops[0].shared_step == 256);
// Elements of 4 bits are copied as bytes, and those of 128 bits as two halves.
static_assert(load(type::e2m1, tma_tensor_of("S[(64,256):(256,1)]"_axe, {64, 256}), {64, 128},
                   "S[(64,128):(128,1)]"_axe)
                  .dimensions[0]
                  .box == 64);
constexpr tma_plan halves = load(type::b128, tma_tensor_of("S[(64,256):(256,1)]"_axe, {64, 256}),
                                 {64, 16}, "S[(64,16):(16,1)]"_axe);
static_assert(halves.dimensions[0].box == 32 && halves.unit == type::u64 &&
              halves.bytes() == 16384);
// An offset of the tensor moves the map's pointer. An offset of the tile moves the box in shared
// memory.
constexpr tma_plan moved = load(type::bf16, tma_tensor_of("S[(64,64):(64,1)] + 128"_axe, {64, 64}),
                                {64, 64}, "S[(64,64):(64,1)] + 512"_axe);
static_assert(moved.global_offset == 256 && moved.shared_offset == 1024 &&
              box_of(moved, 0).shared == 1024);
static_assert(tma_tensor_of<tensor_of<carrier<"S[(64,64):(64,1)] + 128"_axe>, extents<64, 64>>>()
                  .offset == 128);
// A multicast writes the tile to several CTAs of the cluster.
constexpr tma_plan to_ctas_1_and_3 =
    load(type::bf16, tma_tensor_of<matrix>(), {64, 64},
         "S[(64,64):(64,1)] + R[2:2@cluster_cta_x] + 1@cluster_cta_x"_axe);
static_assert(to_ctas_1_and_3.kind == tma_kind::multicast && to_ctas_1_and_3.ctas == 0b1010u);
static_assert(load(type::bf16, tma_tensor_of<matrix>(), {128, 128}, wide, {.ctas = 3}).kind ==
              tma_kind::multicast);
static_assert(why(tma_kind::store, type::bf16, tma_tensor_of<matrix>(), {128, 128}, wide,
                  {.ctas = 3}) == rule::tma_one_cta);
static_assert(try_plan_tma(tma_kind::load, type::bf16, tma_tensor_of<matrix>(), {128, 128}, wide,
                           {.ctas = 1u << 20})
                  .why == refusal{rule::tma_cta, {20}});

// ---- The arguments of the driver's call that encodes the map.
constexpr integer sizes[]{1000, 70, 72};
constexpr tma_arguments arguments = *try_tma_arguments(two, sizes);
static_assert(arguments.type == 9 && arguments.rank == 2 && arguments.extents[0] == 70 &&
              arguments.extents[1] == 1000 && arguments.strides[0] == 144);
static_assert(arguments.box[0] == 64 && arguments.box[1] == 128 &&
              arguments.element_strides[0] == 1 && arguments.swizzle == 3);
constexpr integer odd[]{1000, 70, 71};
static_assert(try_tma_arguments(two, odd).why == refusal{rule::tma_stride, {142}});
constexpr integer nothing[]{0, 70, 72};
static_assert(try_tma_arguments(two, nothing).why == refusal{rule::tma_extent_limit, {0}});
static_assert(try_tma_arguments(load(type::f32, tma_tensor_of<matrix>(), {8, 16},
                                     "swizzle(2,2,3) o S[(8,16):(16,1)]"_axe),
                                sizes)
                  ->swizzle == 2);

// ---- Tests every element of a 16 x 32 tile of a matrix of floats. Row 4a + j of the tile is row
// 4j + a of shared memory. Rows have 128 bytes, under the 128-byte swizzle.
constexpr bool covers_tile(tma_plan const& p, integer rows, integer pitch, integer tile_row,
                           integer columns) {
  bool seen[512]{};
  integer const numbers[]{rows, columns, pitch};
  for (integer k = 0; k < p.issues; ++k) {
    tma_box const b = box_of(p, k);
    integer at[5]{}, counts[5]{1, 1, 1, 1, 1}, count = 1;
    for (int d = 0; d < p.rank(); ++d) {
      at[d] = b.coordinates[d];
      counts[d] = p.dimensions[d].box / p.dimensions[d].element_stride;
      count *= counts[d];
    }
    for (tma_move const& m : p.moves) at[m.to] += m(m.dimension == 0 ? tile_row : 0);
    for (integer e = 0; e < count; ++e) {
      integer left = e, global = 0;
      bool inside = true;
      for (int d = 0; d < p.rank(); ++d) {
        integer const where = at[d] + left % counts[d] * p.dimensions[d].element_stride;
        left /= counts[d];
        inside = inside && where < p.dimensions[d].extent.value_for(numbers).value;
        global += where * (d == 0 ? 4 : p.dimensions[d].stride.value_for(numbers).value);
      }
      integer const address = b.shared / 4 + e;  // before the map's swizzle is applied
      integer const at_row = address / 32, column = address % 32;
      integer const row = at_row % 4 * 4 + at_row / 4;
      if (at_row >= 16 || seen[address]) return false;
      seen[address] = true;
      bool const expected = tile_row * 16 + row < rows && column < columns;
      if (inside != expected) return false;
      if (inside && global != ((tile_row * 16 + row) * pitch + column) * 4) return false;
    }
  }
  for (bool s : seen)
    if (!s) return false;
  return true;
}
constexpr layout small = "swizzle(2,3,3) o S[(4,4,32):(32,128,1)]"_axe;
static_assert(covers_tile(load(type::f32, tma_tensor_of<matrix>(), {16, 32}, small), 37, 40, 2,
                          30));
static_assert(covers_tile(load(type::f32, tma_tensor_of<matrix>(), {16, 32}, small), 16, 32, 0,
                          32));
static_assert(covers_tile(load(type::f32, tma_tensor_of<divisible>(), {16, 32}, small), 48, 72, 2,
                          64 / 2));

// ---- Tiles that are rejected.
static_assert(why(tma_kind::load, type::bf16, tma_tensor_of<matrix>(), {64, 64},
                  "S[(64,64):(1,64)]"_axe) == rule::tma_step_is_dynamic);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of("S[(64,64):(1,64)]"_axe, {64, 64}),
                  {32, 32}, "S[1024:1]"_axe) == rule::tma_not_adjacent);
static_assert(why(tma_kind::load, type::bf16, tma_tensor_of<matrix>(), {64, 64},
                  "swizzle(3,3,4) o S[(64,64):(64,1)]"_axe) == rule::tma_swizzle);
// The tile has 512 elements, so bit 9 of an address is 0, and a swizzle of four bits has the effect
// of the 128-byte swizzle.
static_assert(load(type::bf16, tma_tensor_of<matrix>(), {8, 64},
                   "swizzle(3,4,3) o S[(8,64):(64,1)]"_axe)
                  .swizzle == swizzle_mode::bytes_128);
// The 64-byte swizzle has the same effect here, so the refusal names the end of the rows.
static_assert(why(tma_kind::store, type::bf16, tma_tensor_of("S[(64,44):(48,1)]"_axe, {64, 44}),
                  {4, 32}, "swizzle(3,3,3) o S[(4,32):(32,1)]"_axe) == rule::tma_store_end);
// Here bits 8 and 9 are 0, and a row is as wide as the 32-byte swizzle.
static_assert(load(type::bf16, tma_tensor_of<matrix>(), {8, 16},
                   "swizzle(3,3,3) o S[(8,16):(16,1)]"_axe)
                  .swizzle == swizzle_mode::bytes_32);
static_assert(why(tma_kind::load, type::bf16, tma_tensor_of<matrix>(), {64, 32},
                  "swizzle(3,3,3) o S[(64,32):(32,1)]"_axe) == rule::tma_row_of_swizzle);
static_assert(why(tma_kind::load, type::bf16, tma_tensor_of("S[(64,64):(60,1)]"_axe, {64, 64}),
                  {64, 64}, "S[4096:1]"_axe) == rule::tma_stride);
static_assert(why(tma_kind::load, type::bf16, tma_tensor_of<matrix>(), {64, 4}, "S[256:1]"_axe) ==
              rule::tma_row);
static_assert(why(tma_kind::load, type::bf16, tma_tensor_of<matrix>(), {64, 64},
                  "S[4096:1] + 32"_axe) == rule::tma_shared_start);
static_assert(try_tma_tensor_of("S[64:1] + 9223372036854775000"_axe, 64).why ==
              refusal{rule::byte_offsets_overflow, {9223372036854775000, 9223372036854775063}});
static_assert(why(tma_kind::load, type::bf16, tma_tensor_of("S[64:1]"_axe, 64), 64,
                  "S[64:1] - 4611686018427387904"_axe) == rule::byte_offsets_overflow);
static_assert(why(tma_kind::load, type::bf16, tma_tensor_of("S[4096:1] + 4"_axe, {64, 64}),
                  {64, 64}, "S[4096:1]"_axe) == rule::tma_global_start);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of<matrix>(), {64}, "S[64:1]"_axe) ==
              rule::tma_tile_rank);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of("S[(4,12):(12,1)]"_axe, {48}), {8},
                  "S[8:1]"_axe) == rule::none);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of("S[(4,12):(16,1)]"_axe, {48}), {8},
                  "S[8:1]"_axe) == rule::tma_tile_splits);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of("S[(4,12):(16,1)]"_axe, {48}), {24},
                  "S[(3,8):(8,1)]"_axe) == rule::none);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of("S[(4,12):(16,1)]"_axe, {48}), {24},
                  "S[(3,8):(16,1)]"_axe) == rule::tma_digits_cross);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of("S[(6,64):(0,1)]"_axe, {6, 64}), {4, 64},
                  "S[256:1]"_axe) == rule::tma_repeats);
static_assert(why(tma_kind::store, type::f32, tma_tensor_of("S[(8,64):(0,1)]"_axe, {8, 64}),
                  {4, 64}, "S[256:1]"_axe) == rule::tma_overlap);
static_assert(why(tma_kind::store, type::f32, tma_tensor_of("S[(8,64):(32,1)]"_axe, {8, 64}),
                  {4, 64}, "S[256:1]"_axe) == rule::tma_overlap);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of("S[(8,64):(32,1)]"_axe, {8, 64}),
                  {4, 64}, "S[256:1]"_axe) == rule::none);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of<matrix>(), {4, 64},
                  "S[(4,64):(0,1)]"_axe) == rule::tma_overlap);
static_assert(why(tma_kind::store, type::f32, tma_tensor_of<matrix>(), {4, 64},
                  "S[(4,64):(0,1)]"_axe) == rule::none);
static_assert(why(tma_kind::multicast, type::f32, tma_tensor_of<matrix>(), {4, 64},
                  "S[256:1]"_axe) == rule::tma_no_replicas);
static_assert(why(tma_kind::store, type::f32, tma_tensor_of<matrix>(), {4, 64},
                  "S[256:1] + R[2:1@cluster_cta_x]"_axe) == rule::tma_one_cta);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of<matrix>(), {4, 64},
                  "S[256:1] + R[2:16@cluster_cta_x]"_axe) == rule::tma_cta);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of<matrix>(), {4, 64},
                  "S[256:1] + R[2:1@warp]"_axe) == rule::tma_replicas);
static_assert(why(tma_kind::load, type::f32, tma_tensor_of<matrix>(), {4, 64}, "S[256:1]"_axe,
                  {.target = architecture::sm_80}) == rule::needs_sm_90);
static_assert(why(tma_kind::reduce, type::f32, tma_tensor_of<matrix>(), {4, 64}, "S[256:1]"_axe,
                  {.reduction = tma_reduction::min}) == rule::tma_reduction);
static_assert(why(tma_kind::reduce, type::f32, tma_tensor_of<matrix>(), {4, 64}, "S[256:1]"_axe,
                  {.reduction = tma_reduction::add}) == rule::none);
static_assert(why(tma_kind::reduce, type::f64, tma_tensor_of<matrix>(), {4, 64}, "S[256:1]"_axe,
                  {.reduction = tma_reduction::add}) == rule::tma_reduction);
static_assert(
    why(tma_kind::load, type::u4,
        tma_tensor_of<dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).multiple_of(32)>>(),
        {64, 64}, "S[4096:1]"_axe) == rule::tma_extent);
static_assert(try_plan_tma(tma_kind::load, type::u4,
                           tma_tensor_of("S[(8,187):(256,1)]"_axe, {8, 187}), {4, 64},
                           "S[256:1]"_axe)
                  .why == refusal{rule::tma_static_extent, {187, 2}});
static_assert(why(tma_kind::load, type::bf16,
                  tma_tensor_of("S[(4,3000000000):(3000000000,1)]"_axe, {4, 3000000000}), {4, 64},
                  "S[256:1]"_axe) == rule::tma_extent_limit);
static_assert(try_tma_tensor_of("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, {64, 64}).why.which ==
              rule::tma_global_swizzle);
// Replicas of extent 1 or stride 0 are ignored: the load stays in the CTA that issues it.
static_assert(load(type::bf16, tma_tensor_of<matrix>(), {64, 64},
                   "S[(64,64):(64,1)] + R[1:1@cluster_cta_x] + R[2:0@cluster_cta_x] + R[1:5]"_axe)
                  .ctas == 0);
static_assert(try_tma_tensor_of("S[(64,64):(64,1)] + R[2:4096]"_axe, {64, 64}).why.which ==
              rule::address_of_replicas);
static_assert(try_tma_tensor_of("S[(64,64):(64,1@lane)]"_axe, {64, 64}).why.which ==
              rule::address_on_another_axis);
// A swizzle that changes no address inside one row is ignored.
static_assert(load(type::bf16, tma_tensor_of<matrix>(), {1, 32}, "swizzle(3,3,3) o S[32:1]"_axe)
                  .swizzle == swizzle_mode::none);
// A stride that is larger than any limit of a map.
constexpr integer huge[]{1000, 70, integer{1} << 62};
static_assert(try_tma_arguments(two, huge).why == refusal{rule::tma_number, {2, integer{1} << 62}});
constexpr tma_tensor far_rows = [] {
  tma_tensor t = tma_tensor_of<matrix>();
  t.digits[0].stride = integer{1} << 60;
  return t;
}();
static_assert(try_plan_tma(tma_kind::load, type::bf16, far_rows, {64, 64}, "S[4096:1]"_axe).why ==
              refusal{rule::tma_far, {integer{1} << 60}});
// The tensor has six dimensions, one more than a map. Two contiguous ones become one dimension of
// extent 12.
constexpr tma_plan batches =
    load(type::bf16,
         tma_tensor_of("S[(3,4,5,6,100,64):(1536000,384000,76800,12800,128,1)]"_axe,
                       {3, 4, 5, 6, 100, 64}),
         {1, 1, 1, 1, 64, 64}, "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe);
static_assert(batches.rank() == 5 && batches.dimensions[2].extent == tma_number(12) &&
              batches.candidates.back().why.which == rule::none);
static_assert(batches.moves.size() == 6);
// Six iters that shared memory permutes are more than the five dimensions of a map, but several
// boxes copy them. Six strides that cannot be merged are rejected.
constexpr layout six = "S[(2,2,2,2,2,32):(2048,1024,512,256,128,1)]"_axe;
static_assert(why(tma_kind::load, type::f32, tma_tensor_of(six, {2, 2, 2, 2, 2, 32}),
                  {2, 2, 2, 2, 2, 32},
                  "S[(2,2,2,2,2,32):(32,64,128,256,512,1)]"_axe) == rule::none);
static_assert(why(tma_kind::load, type::f32,
                  tma_tensor_of("S[(2,2,2,2,2,32):(8192,2048,640,272,128,1)]"_axe,
                                {2, 2, 2, 2, 2, 32}),
                  {1, 1, 1, 1, 1, 32}, "S[32:1]"_axe) == rule::tma_rank);
// A plan has room for the numbers of 12 tiles along dimensions that one dimension of the map holds.
refusal why_of_dimensions(int slow) {
  shape tensor, tile;
  layout compact;
  for (int d = 0; d < slow; ++d) {
    tensor.append(2);
    tile.append(1);
    compact.shards.push({2, integer{16} << (slow - d), axis::m});
  }
  tensor.append(32);
  tile.append(32);
  compact.shards.push({32, 1, axis::m});
  return try_plan_tma(tma_kind::load, type::f32, tma_tensor_of(compact, tensor), tile,
                      "S[32:1]"_axe)
      .why;
}
// The extent of a strided box includes the rows that it skips: 32 rows that are 8 apart are 256.
constexpr tma_plan tall = load(type::f32, tma_tensor_of<matrix>(), {512, 32},
                               "swizzle(2,3,3) o S[(64,8,32):(32,2048,1)]"_axe);
static_assert(tall.issues == 16 && tall.dimensions[1].box == 256 &&
              tall.dimensions[1].element_stride == 8);
// A row of 480 floats is cut into boxes of 640 bytes, and not of 960, because a box must start at a
// multiple of 128 bytes.
constexpr outcome<tma_plan> cuts =
    try_plan_tma(tma_kind::load, type::f32, tma_tensor_of<matrix>(), {1, 480}, "S[480:1]"_axe);
static_assert(cuts.value.issues == 3 && cuts.value.dimensions[0].box == 160 &&
              cuts.value.loops[0].shared_step == 640);

// ---- A store writes whole 16 bytes, so the rows of its map end at multiples of 16 bytes. A load
// may end anywhere.
constexpr layout of_bytes = "S[(8,32):(32,1)]"_axe;
constexpr tma_tensor rows_of_40 = tma_tensor_of("S[(64,40):(48,1)]"_axe, {64, 40});
constexpr tma_tensor rows_of_48 = tma_tensor_of("S[(64,48):(64,1)]"_axe, {64, 48});
static_assert(why(tma_kind::load, type::u8, rows_of_40, {8, 32}, of_bytes) == rule::none &&
              why(tma_kind::store, type::u8, rows_of_48, {8, 32}, of_bytes) == rule::none);
static_assert(try_plan_tma(tma_kind::store, type::u8, rows_of_40, {8, 32}, of_bytes).why ==
              refusal{rule::tma_store_end, {40, 8}});
constexpr integer sizes_of_halves[]{64, 100, 104};
static_assert(try_tma_arguments(plan_tma(tma_kind::store, type::bf16, tma_tensor_of<matrix>(),
                                         {128, 64}, "swizzle(3,3,3) o S[(128,64):(64,1)]"_axe),
                                sizes_of_halves)
                  .why == refusal{rule::tma_store_end, {200, 8}});
static_assert(try_tma_arguments(one, sizes_of_halves));
static_assert(try_plan_tma(tma_kind::reduce, type::u32,
                           tma_tensor_of("S[(64,10):(12,1)]"_axe, {64, 10}), {8, 8},
                           "S[(8,8):(8,1)]"_axe, tma_options{tma_reduction::add})
                  .why == refusal{rule::tma_store_end, {40, 8}});

}  // namespace

TEST_CASE("rejected tensor copies have these sentences") {
  auto const sentence_of = [](type t, tma_tensor const& g, shape const& tile, layout const& l) {
    return std::string(sentence(try_plan_tma(tma_kind::load, t, g, tile, l).why, {&l}).c_str());
  };
  CHECK(sentence_of(type::bf16, tma_tensor_of("S[(64,64):(60,1)]"_axe, {64, 64}), {64, 64},
                    "S[4096:1]"_axe) ==
        "a dimension of the map has a stride of 120 bytes, but strides must be multiples of 16 "
        "from 16 to 2^40 - 16");
  CHECK(sentence_of(type::bf16, tma_tensor_of<matrix>(), {64, 32},
                    "swizzle(3,3,3) o S[(64,32):(32,1)]"_axe) ==
        "rows of 32 elements, 64 bytes, are contiguous in both memories, but a swizzle of 128 "
        "bytes needs rows of exactly its width");
  CHECK(sentence_of(type::f32, tma_tensor_of("S[(64,64):(1,64)]"_axe, {64, 64}), {32, 32},
                    "S[1024:1]"_axe) ==
        "elements that are neighbours in shared memory are 64 apart in global memory, but a box "
        "needs rows that are contiguous in both");
  CHECK(sentence_of(type::bf16, tma_tensor_of<matrix>(), {64, 64},
                    "swizzle(3,3,4) o S[(64,64):(64,1)]"_axe) ==
        "swizzle(M=3,B=3,S=4) is not a swizzle of tensor maps: elements of this width need M=3, "
        "B=1 to 3, and S=3");
  CHECK(sentence_of(type::bf16, tma_tensor_of<matrix>(), {64, 64}, "S[4096:1] + 32"_axe) ==
        "a box would start 64 bytes into the shared tile, which is not a multiple of 128: use "
        "a layout without padding or offset, such as axe::mma_shared_layout");
}

TEST_CASE("a plan has room for 12 tile numbers") {
  CHECK(!why_of_dimensions(12));
  CHECK(why_of_dimensions(13) == refusal{rule::tma_loops, {0, 13}});
}
