// Facts about the layouts of matrix instructions: the table of fragments, relations between them,
// and the shapes that are rejected.
#include <axe/algebra/equivalent.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/algebra/slice.hpp>
#include <axe/atoms.hpp>
#include <axe/construct/literal.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

template <int M, int K, int Bits> constexpr bool is(layout const& a, layout const& b) {
  using atom = mma_atom<M, 8, K, Bits>;
  return atom::a == canonicalize(a) && atom::b == canonicalize(b) &&
         atom::accumulator == canonicalize(M == 8 ? "S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe
                                                  : "S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe);
}
static_assert(is<8, 4, 64>("S[(8,4):(4@lane,1@lane)]"_axe, "S[(4,8):(1@lane,4@lane)]"_axe));
static_assert(is<8, 16, 8>("S[(8,4,4):(4@lane,1@lane,1@reg)]"_axe,
                           "S[(4,4,8):(1@lane,1@reg,4@lane)]"_axe));
static_assert(is<8, 32, 4>("S[(8,4,8):(4@lane,1@lane,1@reg)]"_axe,
                           "S[(4,8,8):(1@lane,1@reg,4@lane)]"_axe));
static_assert(is<16, 4, 32>("S[(2,8,4):(1@reg,4@lane,1@lane)]"_axe,
                            "S[(4,8):(1@lane,4@lane)]"_axe));
static_assert(is<16, 4, 64>("S[(2,8,4):(1@reg,4@lane,1@lane)]"_axe,
                            "S[(4,8):(1@lane,4@lane)]"_axe));
static_assert(is<16, 8, 16>("S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe,
                            "S[(4,2,8):(1@lane,1@reg,4@lane)]"_axe));
static_assert(is<16, 8, 32>("S[(2,8,2,4):(1@reg,4@lane,2@reg,1@lane)]"_axe,
                            "S[(2,4,8):(1@reg,1@lane,4@lane)]"_axe));
static_assert(is<16, 16, 16>("S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe,
                             "S[(2,4,2,8):(2@reg,1@lane,1@reg,4@lane)]"_axe));
static_assert(is<16, 16, 64>("S[(2,8,4,4):(1@reg,4@lane,2@reg,1@lane)]"_axe,
                             "S[(4,4,8):(1@reg,1@lane,4@lane)]"_axe));
static_assert(is<16, 16, 8>("S[(2,8,4,4):(4@reg,4@lane,1@lane,1@reg)]"_axe,
                            "S[(4,4,8):(1@lane,1@reg,4@lane)]"_axe));
static_assert(is<16, 32, 8>("S[(2,8,2,4,4):(4@reg,4@lane,8@reg,1@lane,1@reg)]"_axe,
                            "S[(2,4,4,8):(4@reg,1@lane,1@reg,4@lane)]"_axe));
static_assert(is<16, 32, 4>("S[(2,8,4,8):(8@reg,4@lane,1@lane,1@reg)]"_axe,
                            "S[(4,8,8):(1@lane,1@reg,4@lane)]"_axe));
static_assert(is<16, 64, 4>("S[(2,8,2,4,8):(8@reg,4@lane,16@reg,1@lane,1@reg)]"_axe,
                            "S[(2,4,8,8):(8@reg,1@lane,1@reg,4@lane)]"_axe));
static_assert(is<16, 256, 1>("S[(2,8,2,4,32):(32@reg,4@lane,64@reg,1@lane,1@reg)]"_axe,
                             "S[(2,4,32,8):(32@reg,1@lane,1@reg,4@lane)]"_axe));

// Fragments of wgmma, on the four warps of a warpgroup.
static_assert(wgmma_atom<128, 16>::accumulator ==
              "S[(4,2,8,16,4,2):(1@wid_in_wg,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe);
static_assert(wgmma_atom<128, 16>::a ==
              "S[(4,2,8,2,4,2):(1@wid_in_wg,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe);
static_assert(wgmma_atom<128, 8>::a ==
              "S[(4,2,8,2,4,4):(1@wid_in_wg,4@reg,4@lane,8@reg,1@lane,1@reg)]"_axe);
static_assert(wgmma_atom<128, 32>::a ==
              "S[(4,2,8,2,4):(1@wid_in_wg,1@reg,4@lane,2@reg,1@lane)]"_axe);
static_assert(wgmma_atom<128, 32>::k == 8);

// The accumulator D with N = 16 has the layout of the operand A of the next product. The part of
// wgmma's D in one warp is the fragment of tcgen05.ld.16x256b.
static_assert(wgmma_atom<16, 16>::accumulator == wgmma_atom<16, 16>::a);
static_assert(wgmma_atom<128, 8>::accumulator == wgmma_atom<128, 32>::accumulator);
static_assert(slice(wgmma_atom<64, 16>::accumulator, {64, 64}, {{0, 16}, {0, 64}}) ==
              tensor_memory_fragment(tmem_shape::lanes_16_bits_256, 8));
static_assert(slice(wgmma_atom<64, 16>::a, {64, 16}, {{0, 16}, {0, 16}}) ==
              mma_atom<16, 8, 16, 16>::a);
static_assert(slice(wgmma_atom<64, 8>::a, {64, 32}, {{0, 16}, {0, 32}}) ==
              mma_atom<16, 8, 32, 8>::a);
static_assert(slice(wgmma_atom<64, 32>::a, {64, 8}, {{0, 16}, {0, 8}}) ==
              mma_atom<16, 8, 8, 32>::a);

// ldmatrix.x4 loads A of m16n8k16 if its matrices are ordered by row half + 2 * column half, and x2
// loads B.
static_assert(canonicalize(permute(ldmatrix_fragment(4), {2, 2, 8, 8}, {1, 2, 0, 3})) ==
              mma_atom<16, 8, 16, 16>::a);
static_assert(permute(ldmatrix_fragment(2), {2, 8, 8}, {0, 2, 1}) == mma_atom<16, 8, 16, 16>::b,
              "B from [n][k]: plain; matrices are (n, k), B is (k, n)");
static_assert(canonicalize(ldmatrix_fragment(2, true)) == mma_atom<16, 8, 16, 16>::b,
              "B from [k][n]: transposed");
// Element (r, c) of ldmatrix.trans is element (c, r) of ldmatrix.
static_assert(permute(ldmatrix_fragment(4, true), {4, 8, 8}, {0, 2, 1}) == ldmatrix_fragment(4));
static_assert(permute(ldmatrix_fragment(1), {8, 8}, {1, 0}) == ldmatrix_fragment(1, true),
              "movmatrix");

// Fragments of loads from tensor memory.
static_assert(tensor_memory_fragment(tmem_shape::lanes_32_bits_32, 8) ==
              "S[(32,8):(1@lane,1@reg)]"_axe);
static_assert(tensor_memory_fragment(tmem_shape::lanes_16_bits_64, 4) ==
              "S[(2,8,4,2):(1@lane,4@lane,1@reg,2@lane)]"_axe);
static_assert(tensor_memory_fragment(tmem_shape::lanes_16_bits_128, 4) ==
              "S[(2,8,4,4):(1@reg,4@lane,2@reg,1@lane)]"_axe);
static_assert(tensor_memory_fragment(tmem_shape::lanes_16_bits_32_twice, 4) ==
              "S[(16,2,4):(1@lane,16@lane,1@reg)]"_axe);
static_assert(detail::shape_of(tmem_shape::lanes_16_bits_128, 4) == shape{16, 16});
static_assert(accumulator_in_tensor_memory(data_path::D, 256) ==
              "S[(128,256):(1@TLane,1@TCol)]"_axe);
static_assert(accumulator_in_tensor_memory(data_path::E, 64) ==
              "S[(64,2,32):(1@TLane,64@TLane,1@TCol)]"_axe);
static_assert(accumulator_in_tensor_memory(data_path::F, 64) ==
              "S[(4,16,64):(32@TLane,1@TLane,1@TCol)]"_axe);
static_assert(accumulator_in_tensor_memory(data_path::G, 64) ==
              "S[(32,4,16):(1@TLane,32@TLane,1@TCol)]"_axe);
static_assert(scale_factors_in_tensor_memory(4) ==
              "S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]"_axe);

// Tiles of Trainium's scratchpads, with partitions on P and the free axis F.
static_assert(sbuf_tile(128, 512) == "S[(128,512):(1@P,1@F)]"_axe);
static_assert(sbuf_tile(384, 64) == "S[(3,128,64):(64@F,1@P,1@F)]"_axe);
static_assert(sbuf_tile_transposed(128, 512) == "S[(512,128):(1@F,1@P)]"_axe);
static_assert(psum_tile(128, 4096) == "S[(128,8,512):(1@P,1@Bank,1@F)]"_axe);
static_assert(psum_tile(100, 300) == "S[(100,300):(1@P,1@F)]"_axe);

// Invalid shapes are rejected, and the largest valid shapes are not.
constexpr rule why(outcome<layout> const& o) { return o.why.which; }
static_assert(try_mma_fragment(mma_operand::a, 16, 8, 12, 16).why ==
              refusal{rule::mma_no_such_shape, {16, 8, 12, 16}});
static_assert(why(try_mma_fragment(mma_operand::b, 8, 8, 4, 16)) == rule::mma_no_such_shape &&
              why(try_mma_fragment(mma_operand::a, 16, 16, 16, 16)) == rule::mma_no_such_shape &&
              why(try_mma_fragment(mma_operand::a, 16, 8, 32, 16)) == rule::mma_no_such_shape &&
              why(try_mma_fragment(mma_operand::a, 16, 8, 64, 2)) == rule::mma_no_such_shape);
static_assert(try_ldmatrix_fragment(3).why == refusal{rule::ldmatrix_count, {3}} &&
              why(try_ldmatrix_fragment(0)) == rule::ldmatrix_count &&
              why(try_ldmatrix_fragment(8)) == rule::ldmatrix_count);
static_assert(try_wgmma_fragment(mma_operand::a, 12, 16).why ==
                  refusal{rule::wgmma_columns, {12}} &&
              why(try_wgmma_fragment(mma_operand::a, 264, 16)) == rule::wgmma_columns &&
              why(try_wgmma_fragment(mma_operand::a, 0, 16)) == rule::wgmma_columns &&
              why(try_wgmma_fragment(mma_operand::a, 64, 4)) == rule::operand_element_width &&
              why(try_wgmma_fragment(mma_operand::b, 64, 16)) == rule::wgmma_b_is_in_shared_memory);
static_assert(try_tensor_memory_fragment(tmem_shape::lanes_16_bits_256, 64).why ==
                  refusal{rule::tmem_repeat, {64, 32}} &&
              why(try_tensor_memory_fragment(tmem_shape::lanes_32_bits_32, 3)) ==
                  rule::tmem_repeat &&
              why(try_tensor_memory_fragment(tmem_shape::lanes_32_bits_32, 0)) ==
                  rule::tmem_repeat &&
              try_tensor_memory_fragment(tmem_shape::lanes_32_bits_32, 128));
static_assert(why(try_accumulator_in_tensor_memory(data_path::D, 513)) == rule::tmem_columns &&
              why(try_accumulator_in_tensor_memory(data_path::G, 66)) == rule::tmem_columns &&
              try_accumulator_in_tensor_memory(data_path::D, 512) &&
              why(try_scale_factors_in_tensor_memory(0)) == rule::tmem_columns);
static_assert(why(try_sbuf_tile(129, 4)) == rule::trainium_rows &&
              why(try_sbuf_tile(0, 4)) == rule::trainium_rows && try_sbuf_tile(128, 49152) &&
              try_sbuf_tile(256, 24577).why == refusal{rule::trainium_columns, {24577, 24576}} &&
              try_sbuf_tile(128, 98304, 16) &&
              why(try_sbuf_tile(1, 1, 24)) == rule::operand_element_width &&
              why(try_sbuf_tile_transposed(256, 4)) == rule::trainium_rows);
static_assert(why(try_psum_tile(129, 4)) == rule::trainium_rows &&
              why(try_psum_tile(128, 513)) == rule::trainium_psum_columns &&
              why(try_psum_tile(128, 4608)) == rule::trainium_psum_columns);
static_assert(
    check_trainium_matmul(128, 128, 512).which == rule::none &&
    check_trainium_matmul(129, 128, 512) == refusal{rule::trainium_matmul_limit, {129, 128}} &&
    check_trainium_matmul(128, 129, 512) == refusal{rule::trainium_matmul_limit, {129, 128}} &&
    check_trainium_matmul(128, 128, 513) == refusal{rule::trainium_matmul_limit, {513, 512}} &&
    check_trainium_matmul(0, 1, 1).which == rule::trainium_matmul_limit);

// Layouts of operands in shared memory.
constexpr layout k_major =
    shared_operand(16, swizzle_mode::bytes_128, operand_major::k, {64, 64}, 0, 1024);
static_assert(k_major == mma_shared_layout(16, swizzle_mode::bytes_128, {64, 64}));
static_assert(shared_operand(16, swizzle_mode::none, operand_major::k, {64, 16}, 1024, 128) ==
              "S[(64,2,8):(8,512,1)]"_axe);
static_assert(shared_operand(16, swizzle_mode::bytes_128, operand_major::mn, {128, 16}, 2048,
                             1024) == "swizzle(3,3,3) o S[(2,64,16):(1024,1,64)]"_axe);
static_assert(shared_operand(16, swizzle_mode::none, operand_major::mn, {64, 16}, 128, 256) ==
              "S[(8,8,16):(128,1,8)]"_axe);
constexpr refusal operand_why(int bits, swizzle_mode mode, operand_major major, shape const& s,
                              integer lbo, integer sbo) {
  return try_shared_operand(bits, mode, major, s, lbo, sbo).why;
}
static_assert(operand_why(8, swizzle_mode::bytes_64, operand_major::mn, {64, 32}, 0, 0) ==
              refusal{rule::wgmma_mn_major_width, {8}});
static_assert(operand_why(16, swizzle_mode::bytes_64, operand_major::k, {64, 32}, 8, 512) ==
                  refusal{rule::wgmma_descriptor_bytes, {8}} &&
              operand_why(16, swizzle_mode::bytes_64, operand_major::k, {64, 32}, 0, 262144) ==
                  refusal{rule::wgmma_descriptor_bytes, {262144}});
static_assert(operand_why(16, swizzle_mode::bytes_64, operand_major::k, {12, 32}, 0, 512) ==
                  refusal{rule::wgmma_group, {12, 8}} &&
              operand_why(16, swizzle_mode::bytes_64, operand_major::k, {64, 64}, 0, 512) ==
                  refusal{rule::wgmma_row, {64, 32}} &&
              operand_why(16, swizzle_mode::bytes_64, operand_major::mn, {64, 12}, 0, 512) ==
                  refusal{rule::wgmma_group, {12, 8}});
static_assert(
    operand_why(4, swizzle_mode::none, operand_major::k, {64, 64}, 0, 0).which ==
        rule::operand_element_width &&
    operand_why(16, static_cast<swizzle_mode>(96), operand_major::k, {64, 64}, 0, 0).which ==
        rule::mma_swizzle_mode &&
    operand_why(16, swizzle_mode::none, operand_major::k, {64}, 0, 0).which == rule::mma_tile_rank);

}  // namespace
