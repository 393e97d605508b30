// Facts about plan_mma for sm_100a: one CTA, a pair of CTAs, A in tensor memory, and what is
// rejected.
#include <axe/atoms.hpp>
#include <axe/base/text.hpp>
#include <axe/construct/literal.hpp>
#include <axe/plan/plan_mma.hpp>
#include <axe/plan/plan_tensor_memory.hpp>
#include <axe/plan/print/print_mma.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr element_type bf16 = element_type::bf16, f32 = element_type::f32;
constexpr mma_types types{bf16, bf16, f32};
constexpr memory_space shared = memory_space::shared, tensor = memory_space::tensor;

constexpr layout rows_of_64 = "swizzle(3,3,3) o S[(128,64):(64,1)]"_axe;
constexpr mma_tile half_a{rows_of_64, {128, 64}, shared};
constexpr mma_tile half_b{"swizzle(3,3,3) o S[(64,128):(1,64)]"_axe, {64, 128}, shared};

constexpr auto plan_on_blackwell(mma_tile const& a, mma_tile const& b, layout const& c,
                                 shape const& extents) {
  return try_plan_mma(types, a, b, {c, extents, tensor}, architecture::sm_100a);
}

// In a pair, each CTA has 128 rows of A and C, and 128 columns of B.
constexpr layout halves_of_c = "S[(2,128,256):(1@cluster_cta_x,1@TLane,1@TCol)]"_axe;
constexpr auto pair = plan_on_blackwell(half_a, half_b, halves_of_c, {256, 256});
static_assert(pair && pair->instruction == mma_instruction{mma_kind::tcgen05, 256, 256, 16, 2});
static_assert(pair->m_steps == 1 && pair->n_steps == 1 && pair->k_steps == 4);
static_assert(pair->a_shared.rows == 128 && pair->b_shared.rows == 128 &&
              pair->b_shared.stride == 1024 && pair->b_shared.start(0, 1) == 32);
// N = 512 takes two instructions. The second one has the second half of each CTA's columns of B and
// of C.
constexpr auto two =
    plan_on_blackwell(half_a, {"swizzle(3,3,3) o S[(64,256):(1,64)]"_axe, {64, 256}, shared},
                      "S[(2,128,512):(1@cluster_cta_x,1@TLane,1@TCol)]"_axe, {256, 512});
static_assert(two && two->instruction.n == 256 && two->n_steps == 2);
static_assert(two->b_shared.start(1, 0) == 128 * 128 &&
              detail::place_on(two->c, 1, axis::TCol) == 256);
// With 64 rows in each CTA, the two halves of C's columns are in the same columns of tensor memory,
// on different lanes.
constexpr auto narrow_pair =
    plan_on_blackwell({"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, {64, 64}, shared}, half_b,
                      "S[(2,64,2,128):(1@cluster_cta_x,1@TLane,64@TLane,1@TCol)]"_axe, {128, 256});
static_assert(narrow_pair &&
              narrow_pair->instruction == mma_instruction{mma_kind::tcgen05, 128, 256, 16, 2});
static_assert(narrow_pair->a_shared.rows == 64);
// Each of these instructions has 64 rows of C in a CTA, so that 256 rows take two of them.
constexpr auto two_narrow = plan_on_blackwell(
    half_a, half_b, "S[(2,2,64,2,128):(128@TCol,1@cluster_cta_x,1@TLane,64@TLane,1@TCol)]"_axe,
    {256, 256});
static_assert(two_narrow && two_narrow->instruction.m == 128 && two_narrow->m_steps == 2 &&
              two_narrow->candidates.size() == 2);
// A digit on the axis of CTAs that splits N, has extent 4 or occurs twice, and replicas on CTAs are
// rejected.
constexpr auto pair_refusal(layout const& c, shape const& extents) {
  return plan_on_blackwell(half_a, half_b, c, extents).why;
}
constexpr refusal no_pair = of_operand(2, {rule::mma_cta_pair});
static_assert(pair_refusal("S[(256,2,128):(1@TCol,1@cluster_cta_x,1@TLane)]"_axe, {256, 256}) ==
              no_pair);
static_assert(pair_refusal("S[(2,128,2,128):(1@cluster_cta_x,1@TLane,2@cluster_cta_x,1@TCol)]"_axe,
                           {256, 256}) == no_pair);
static_assert(pair_refusal("S[(4,64,256):(1@cluster_cta_x,1@TLane,1@TCol)]"_axe, {256, 256}) ==
              no_pair);
static_assert(
    pair_refusal("S[(2,128,256):(1@cluster_cta_x,1@TLane,1@TCol)] + R[2:2@cluster_cta_x]"_axe,
                 {256, 256}) == no_pair);
// This plan is rejected: A has the rows of both CTAs, but each CTA must have its own.
static_assert(plan_on_blackwell({"swizzle(3,3,3) o S[(256,64):(64,1)]"_axe, {256, 64}, shared},
                                half_b, halves_of_c, {256, 256})
                  .why == refusal{rule::mma_shapes, {512, 64, 64, 256, 256, 256}});

// A is in tensor memory, in columns 256 and higher. Its two blocks of 128 rows are 32 columns
// apart, because a column holds two 16-bit elements.
constexpr layout kept = "S[(2,128,64):(64@TCol,1@TLane,1@TCol)] + 512@TCol"_axe;
constexpr auto from_tensor = plan_on_blackwell(
    {kept, {256, 64}, tensor}, half_b, "S[(2,128,128):(128@TCol,1@TLane,1@TCol)]"_axe, {256, 128});
static_assert(from_tensor && from_tensor->m_steps == 2 && from_tensor->k_steps == 4);
static_assert(detail::place_on(from_tensor->a, 0, axis::TCol) == 256 &&
              detail::place_on(from_tensor->a, 1, axis::TCol) == 264 &&
              detail::place_on(from_tensor->a, 4, axis::TCol) == 288);
static_assert(plan_on_blackwell({"S[(128,64):(1@TLane,1@TCol)] + 1@TCol"_axe, {128, 64}, tensor},
                                half_b, "S[(128,128):(1@TLane,1@TCol)]"_axe, {128, 128})
                  .why == refusal{rule::tmem_packed_start, {1, 2}});

// The shapes that tcgen05.mma supports.
constexpr auto has(int m, int n, int ctas, mma_types const& t = types) {
  return check_mma({mma_kind::tcgen05, m, n, 256 / bits_of(t.a), ctas}, t, architecture::sm_100a);
}
constexpr mma_types integers{element_type::s8, element_type::s8, element_type::s32};
static_assert(!has(256, 32, 2) && !has(128, 256, 2) && !has(64, 24, 1) &&
              !has(64, 24, 1, integers));
static_assert(has(64, 32, 2).which == rule::tcgen05_shape &&
              has(256, 48, 2).which == rule::tcgen05_shape &&
              has(256, 256, 1).which == rule::tcgen05_shape &&
              has(64, 40, 1, integers).which == rule::tcgen05_shape);
static_assert(encode_instruction({bf16, bf16, f32, 256, 256, false, false, 2}) ==
              (1u << 4 | 1u << 7 | 1u << 10 | 32u << 17 | 16u << 24));

// Block scales: A's scale factor is in byte 2 of its column of tensor memory, B's in byte 1.
static_assert(encode_instruction({element_type::e4m3, element_type::e5m2, f32, 256, 64, false, true,
                                  2, tcgen05_scales::ue8m0, 2, 1}) ==
              (1u << 4 | 1u << 10 | 1u << 16 | 8u << 17 | 1u << 23 | 2u << 27 | 2u << 29));
constexpr tcgen05_instruction scaled(element_type both, integer m, integer n = 64, int ctas = 1) {
  return {both, both, f32, m, n, false, false, ctas, tcgen05_scales::ue8m0};
}
static_assert(try_encode_instruction(scaled(bf16, 128)).why.which == rule::mma_types);
static_assert(try_encode_instruction(scaled(element_type::e4m3, 64)).why.which ==
              rule::tcgen05_shape);
static_assert(try_encode_instruction(scaled(element_type::e4m3, 128, 8)) &&
              try_encode_instruction(scaled(element_type::e4m3, 256, 48, 2)));
static_assert(try_encode_instruction(scaled(element_type::e4m3, 256, 24, 2)).why ==
              refusal{rule::tcgen05_shape, {256, 24}});

// NVFP4: the type e2m1 is encoded as 1, and bit 23 is 0 for scales in UE4M3. Both operands must be
// K-major.
constexpr tcgen05_instruction nvfp4(element_type b, bool b_mn_major) {
  return {element_type::e2m1, b, f32, 128, 256, false, b_mn_major, 1, tcgen05_scales::ue4m3};
}
static_assert(encode_instruction(nvfp4(element_type::e2m1, false)) ==
              (1u << 7 | 1u << 10 | 32u << 17 | 1u << 27));
static_assert(try_encode_instruction(nvfp4(element_type::e4m3, false)).why.which ==
                  rule::mma_types &&
              try_encode_instruction(nvfp4(element_type::e2m1, true)).why.which == rule::mma_types);

constexpr auto words_of_pair = [] {
  text<2000> out;
  print(out, *pair);
  return out;
}();
static_assert(
    words_of_pair ==
    "tcgen05.mma.cta_group::2.m256n256k16: bf16 by bf16 into f32, 1 along M, 1 along N, 4 along K\n"
    "  A: shared memory, K adjacent, swizzle of 128 bytes, leading 16 bytes, stride 1024 "
    "bytes; begins at multiples of 1024 bytes; 1 x 4 instructions (rows, K) from byte S[4:32]\n"
    "  B: shared memory, K adjacent, swizzle of 128 bytes, leading 16 bytes, stride 1024 "
    "bytes; begins at multiples of 1024 bytes; 1 x 4 instructions (rows, K) from byte S[4:32]\n"
    "  C: tensor memory, from column 0\n");

// Accesses to tensor memory: each thread has a row, or the registers of a fragment of mma.
constexpr layout sums_of_128 = "S[(128,64):(1@TLane,1@TCol)]"_axe;
constexpr layout row_per_thread = "S[(4,32,64):(1@wid_in_wg,1@lane,1@reg)]"_axe;
constexpr auto rows = try_plan_tensor_memory(sums_of_128, row_per_thread, {128, 64}, 32);
static_assert(rows && rows->access_shape == tmem_shape::lanes_32_bits_32 && rows->repeat == 32 &&
              rows->registers == 32 && rows->accesses.size() == 2);
static_assert(rows->accesses[1] == tensor_memory_access{32, 0, 32});
static_assert(plan_tensor_memory(sums_of_128, "S[(128,64):(1@tid_in_wg,1@reg)]"_axe, {128, 64},
                                 32) == *rows);
constexpr auto quads = try_plan_tensor_memory(
    sums_of_128, "S[(4,2,2,8,8,4,2):(1@wid_in_wg,32@reg,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe,
    {128, 64}, 32);
static_assert(quads && quads->access_shape == tmem_shape::lanes_16_bits_256 && quads->repeat == 8 &&
              quads->accesses.size() == 2);
static_assert(quads->accesses[1] == tensor_memory_access{32, 16, 0});
// Each warp has 16 of a CTA's 64 rows, in the fragment of wgmma.
constexpr auto sixteen = try_plan_tensor_memory(accumulator_in_tensor_memory(data_path::F, 64),
                                                wgmma_atom<64, 16>::accumulator, {64, 64}, 32);
static_assert(sixteen && sixteen->repeat == 8 && sixteen->accesses.size() == 1);
// Operand P of attention: two 16-bit elements share a column of tensor memory.
constexpr auto packed = try_plan_tensor_memory("S[(128,64):(1@TLane,1@TCol)] + 128@TCol"_axe,
                                               row_per_thread, {128, 64}, 16);
static_assert(packed && packed->repeat == 32 && packed->accesses.size() == 1 &&
              packed->accesses[0] == tensor_memory_access{0, 0, 64});
// A warp can access only its own 32 lanes of tensor memory.
static_assert(try_plan_tensor_memory(sums_of_128, "S[(32,4,64):(1@lane,1@wid_in_wg,1@reg)]"_axe,
                                     {128, 64}, 32)
                  .why.which == rule::tmem_fragment);
static_assert(try_plan_tensor_memory("S[(2,64,64):(64@TLane,1@TLane,1@TCol)] + 32@TLane"_axe,
                                     row_per_thread, {128, 64}, 32)
                  .why.which == rule::tmem_fragment);
static_assert(try_plan_tensor_memory(sums_of_128,
                                     "S[(4,32,64):(-1@wid_in_wg,1@lane,1@reg)] + 3@wid_in_wg"_axe,
                                     {128, 64}, 32)
                  .why.which == rule::tmem_fragment);
// An access needs all four warps, and lanes and columns that an instruction can name.
constexpr bool moves(layout const& tile, layout const& fragment, integer extent) {
  return !try_plan_tensor_memory(tile, fragment, {extent, 64}, 32).why;
}
constexpr layout of_two_warps = "S[(2,32,64):(1@wid_in_wg,1@lane,1@reg)]"_axe;
static_assert(!moves("S[(64,64):(1@TLane,1@TCol)]"_axe, of_two_warps, 64));
static_assert(!moves("S[(8,16,64):(16@TLane,1@TLane,1@TCol)] + 8@TLane"_axe, row_per_thread, 128));
static_assert(!moves("S[(128,64):(1@TLane,1@TCol)] + 4096@TLane"_axe,
                     "S[(4,32,64):(1@wid_in_wg,1@lane,1@reg)] + 128@wid_in_wg"_axe, 128));
static_assert(!moves("S[(128,64):(1@TLane,1@TCol)] - 4096@TLane"_axe,
                     "S[(4,32,64):(1@wid_in_wg,1@lane,1@reg)] - 128@wid_in_wg"_axe, 128));
static_assert(moves("S[(128,64):(1@TLane,1@TCol)] + 448@TCol"_axe, row_per_thread, 128));
static_assert(!moves("S[(128,64):(1@TLane,1@TCol)] + 480@TCol"_axe, row_per_thread, 128));
static_assert(!moves("S[(128,64):(1@TLane,1@TCol)] + 65536@TCol"_axe, row_per_thread, 128));

}  // namespace
