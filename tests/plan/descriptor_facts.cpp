// Facts about descriptors of operands in shared memory: each field has the bits that the ISA gives
// it, and the fields are derived from layouts.
#include <axe/atoms.hpp>
#include <axe/construct/literal.hpp>
#include <axe/plan/plan_shared_operand.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

// The bits of each field of the descriptor.
static_assert(encode_descriptor({0x12340, 0, 0, 0, swizzle_mode::none}) == 0x1234);
static_assert(encode_descriptor({0, 0x3fff0, 0, 0, swizzle_mode::none}) == 0x3fff'0000);
static_assert(encode_descriptor({0, 0, 1024, 0, swizzle_mode::none}) == 0x40'0000'0000);
static_assert(encode_descriptor({0, 0, 0, 5, swizzle_mode::none}) == 0x000a'0000'0000'0000);
static_assert(encode_descriptor({0, 0, 0, 0, swizzle_mode::bytes_128}) == 0x4000'0000'0000'0000);
static_assert(encode_descriptor({0, 0, 0, 0, swizzle_mode::bytes_64}) == 0x8000'0000'0000'0000);
static_assert(encode_descriptor({0, 0, 0, 0, swizzle_mode::bytes_32}) == 0xc000'0000'0000'0000);
static_assert(encode_descriptor({0x400, 16, 1024, 0, swizzle_mode::bytes_128}) ==
              0x4000'0040'0001'0040);
static_assert(encode_descriptor({0x400, 16, 1024, 0, swizzle_mode::bytes_128, true}) ==
              0x4000'4040'0001'0040);
static_assert(encode_descriptor({0, 0, 0, 0, swizzle_mode::bytes_64, true}) ==
              0x8000'4000'0000'0000);
static_assert(encode_descriptor({0, 0, 0, 0, swizzle_mode::bytes_32, true}) ==
              0xc000'4000'0000'0000);
static_assert(encode_descriptor({0x3fff0, 32, 0x3fff0, 7, swizzle_mode::bytes_32}) ==
              0xc00e'3fff'0002'3fff);

static_assert(try_encode_descriptor({8}).why == refusal{rule::descriptor_start, {8}});
static_assert(try_encode_descriptor({0x40000}).why == refusal{rule::descriptor_start, {0x40000}});
static_assert(try_encode_descriptor({-16}).why == refusal{rule::descriptor_start, {-16}});
static_assert(try_encode_descriptor({0, 24}).why == refusal{rule::wgmma_descriptor_bytes, {24}});
static_assert(try_encode_descriptor({0, 16, 0x40000}).why ==
              refusal{rule::wgmma_descriptor_bytes, {0x40000}});
static_assert(try_encode_descriptor({0, 16, 16, 8}).why ==
              refusal{rule::descriptor_base_offset, {8}});
static_assert(try_encode_descriptor({0, 16, 16, 0, static_cast<swizzle_mode>(96)}).why ==
              refusal{rule::mma_swizzle_mode, {96}});

// The instruction descriptor of tcgen05.mma has m / 16 from bit 24 on, n / 8 from bit 17 on, the
// types at bits 10, 7 and 4, and the directions at bits 15 and 16.
constexpr element_type bf16 = element_type::bf16, f32 = element_type::f32, f16 = element_type::f16;
static_assert(encode_instruction({bf16, bf16, f32, 128, 256}) ==
              (1u << 4 | 1u << 7 | 1u << 10 | 32u << 17 | 8u << 24));
static_assert(encode_instruction({f16, f16, f16, 64, 8}) == (1u << 17 | 4u << 24));
static_assert(encode_instruction({bf16, bf16, f32, 128, 16, true, false}) ==
              (1u << 4 | 1u << 7 | 1u << 10 | 1u << 15 | 2u << 17 | 8u << 24));
static_assert(encode_instruction({bf16, bf16, f32, 128, 16, false, true}) ==
              (1u << 4 | 1u << 7 | 1u << 10 | 1u << 16 | 2u << 17 | 8u << 24));
static_assert(encode_instruction({element_type::e4m3, element_type::e5m2, f32, 128, 16}) ==
              (1u << 4 | 1u << 10 | 2u << 17 | 8u << 24));
static_assert(encode_instruction({element_type::s8, element_type::u8, element_type::s32, 128,
                                  16}) == (2u << 4 | 1u << 7 | 2u << 17 | 8u << 24));
static_assert(try_encode_instruction({bf16, bf16, f32, 128, 8}).why ==
              refusal{rule::tcgen05_shape, {128, 8}});
static_assert(try_encode_instruction({bf16, bf16, f32, 32, 16}).why ==
              refusal{rule::tcgen05_shape, {32, 16}});
// tcgen05.mma runs on one CTA or on a pair, but not on three.
static_assert(
    try_encode_instruction({.a = bf16, .b = bf16, .sum = f32, .m = 192, .n = 16, .ctas = 3}).why ==
    refusal{rule::tcgen05_shape, {192, 16}});
static_assert(try_encode_instruction({bf16, f16, f32, 128, 16}).why.which == rule::mma_types);
static_assert(try_encode_instruction({bf16, bf16, f16, 128, 16}).why.which == rule::mma_types);

// Checks major, leading and stride, and the starts of the second block of rows and the second
// step of K. The expected numbers are those of tables of CUTLASS and the ISA.
constexpr bool derives(layout const& l, shape const& s, integer bits, integer rows,
                       swizzle_mode mode, operand_major major, integer leading, integer stride,
                       integer next_block, integer next_step) {
  outcome<shared_operand_plan> const p = try_plan_shared_operand(l, s, bits, rows);
  return p && p->mode == mode && p->major == major && p->leading == leading &&
         p->stride == stride && p->start(0, 0) == 0 &&
         (p->blocks == 1 || p->start(1, 0) == next_block) &&
         (p->k_steps == 1 || p->start(0, 1) == next_step);
}
constexpr operand_major by_k = operand_major::k, by_rows = operand_major::mn;
constexpr swizzle_mode none = swizzle_mode::none, b32 = swizzle_mode::bytes_32,
                       b64 = swizzle_mode::bytes_64, b128 = swizzle_mode::bytes_128;
static_assert(derives("swizzle(3,3,3) o S[(128,64):(64,1)]"_axe, {128, 64}, 16, 64, b128, by_k, 16,
                      1024, 8192, 32));
static_assert(derives("swizzle(3,2,3) o S[(128,32):(32,1)]"_axe, {128, 32}, 16, 64, b64, by_k, 16,
                      512, 4096, 32));
static_assert(derives("swizzle(3,1,3) o S[(128,16):(16,1)]"_axe, {128, 16}, 16, 64, b32, by_k, 16,
                      256, 2048, 0));
static_assert(derives(mma_shared_layout(16, none, {128, 64}), {128, 64}, 16, 64, none, by_k, 2048,
                      128, 1024, 4096));
static_assert(derives("swizzle(4,3,3) o S[(64,128):(128,1)]"_axe, {64, 128}, 8, 64, b128, by_k, 16,
                      1024, 0, 32));
static_assert(derives("swizzle(2,3,3) o S[(64,32):(32,1)]"_axe, {64, 32}, 32, 64, b128, by_k, 16,
                      1024, 0, 32));
static_assert(derives(mma_shared_layout(16, b128, {256, 64}, runs_along::rows), {256, 64}, 16, 256,
                      b128, by_rows, 8192, 1024, 0, 2048));
static_assert(derives(mma_shared_layout(16, b64, {128, 64}, runs_along::rows), {128, 64}, 16, 64,
                      b64, by_rows, 4096, 512, 8192, 1024));
static_assert(derives(mma_shared_layout(16, b32, {128, 64}, runs_along::rows), {128, 64}, 16, 64,
                      b32, by_rows, 2048, 256, 8192, 512));
static_assert(derives(mma_shared_layout(16, none, {128, 64}, runs_along::rows), {128, 64}, 16, 64,
                      none, by_rows, 128, 1024, 8192, 256));
// Blocks of 32 columns under a 128-byte swizzle: the second block begins inside the swizzle's
// pattern.
static_assert(derives(mma_shared_layout(16, b128, {64, 64}, runs_along::rows), {64, 64}, 16, 32,
                      b128, by_rows, 16, 1024, 64, 2048));
// K is two swizzle widths long here. The fifth step of K begins in the second width.
constexpr shared_operand_plan deep =
    plan_shared_operand(mma_shared_layout(16, b128, {128, 128}), {128, 128}, 16, 128);
static_assert(deep.k_steps == 8 && deep.start(0, 3) == 96 && deep.start(0, 4) == 16384 &&
              deep.alignment == 1024);
// An offset moves the start. Parameters of a swizzle that are not a mode are accepted if they give
// the same addresses as a mode.
static_assert(plan_shared_operand("swizzle(3,3,3) o S[(64,64):(64,1)] + 4096"_axe, {64, 64}, 16, 64)
                  .start(0, 1) == 8192 + 32);
static_assert(plan_shared_operand("swizzle(3,4,3) o S[(8,64):(64,1)]"_axe, {8, 64}, 16, 8).mode ==
              b128);
static_assert(deep.descriptor(0x800, 0, 4) == matrix_descriptor{0x800 + 16384, 16, 1024, 0, b128});

// Layouts that no descriptor can express, and the numbers of the refusals.
constexpr refusal why(layout const& l, shape const& s, integer bits, integer rows) {
  return try_plan_shared_operand(l, s, bits, rows).why;
}
static_assert(why("S[(64,64):(64,1)]"_axe, {64, 64}, 16, 64) ==
              refusal{rule::operand_line_step, {64, 8}});
static_assert(why("S[(64,64):(72,1)]"_axe, {64, 64}, 16, 64) ==
              refusal{rule::operand_line_step, {72, 8}});
static_assert(why("swizzle(3,2,3) o S[(64,64):(64,1)]"_axe, {64, 64}, 16, 64) ==
              refusal{rule::operand_line_step, {64, 32}});
static_assert(why("swizzle(4,3,3) o S[(64,64):(64,1)]"_axe, {64, 64}, 16, 64) ==
              refusal{rule::operand_swizzle, {4, 3, 3, 16, 3}});
// 12 groups of 8 rows have stride 64. The second instruction reads groups 8 to 15, which have two
// strides.
static_assert(why("S[(2,12,8,2,8):(3072,64,8,1536,1)]"_axe, {192, 16}, 16, 64) ==
              refusal{rule::operand_steps_vary, {8}});
static_assert(why("S[(64,64):(128,2)]"_axe, {64, 64}, 16, 64) ==
              refusal{rule::operand_not_adjacent, {128, 2}});
static_assert(why(mma_shared_layout(32, b128, {64, 64}, runs_along::rows), {64, 64}, 32, 64) ==
              refusal{rule::wgmma_mn_major_width, {32}});
static_assert(why("S[(64,64):(64,1)] + R[2:4096]"_axe, {64, 64}, 16, 64).which ==
              rule::address_of_replicas);
static_assert(why("swizzle(3,3,3) o S[(64,64):(64,1)] + 4611686018427387904"_axe, {64, 64}, 16, 64)
                  .which == rule::byte_offsets_overflow);
static_assert(why("S[(64,64):(1@lane,1)]"_axe, {64, 64}, 16, 64).which ==
              rule::operand_is_not_in_memory);
static_assert(why("S[(96,64):(64,1)]"_axe, {96, 64}, 16, 64) ==
              refusal{rule::mma_does_not_divide, {96, 64}});
static_assert(why("S[(24,64):(64,1)]"_axe, {24, 64}, 16, 12) ==
              refusal{rule::mma_does_not_divide, {12, 8}});
static_assert(why("S[(64,24):(24,1)]"_axe, {64, 24}, 16, 64) ==
              refusal{rule::mma_does_not_divide, {24, 16}});
static_assert(why("S[(64,16):(16,1)]"_axe, {64, 16}, 64, 64) ==
              refusal{rule::operand_element_width, {64}});
static_assert(why("swizzle(3,3,3) o S[(64,64):(64,1)] + 4"_axe, {64, 64}, 16, 64) ==
              refusal{rule::descriptor_start, {8}});
static_assert(why("S[(8,8,8,8):(262144,8,64,1)]"_axe, {64, 64}, 16, 64) ==
              refusal{rule::wgmma_descriptor_bytes, {524288}});

}  // namespace
