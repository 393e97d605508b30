// Tests encodings of Triton: the linear maps are those that its wheel (triton 3.9) computes. Also
// tests what is rejected.
#include <axe/axe.hpp>
#include <axe/bridge/triton.hpp>
#include <axe/linear/print_map.hpp>
#include <axe/linear/read_map.hpp>

#include "support/catch.hpp"

#include <string_view>

namespace {

using namespace axe;
using namespace axe::literals;

/// True if the encoding in this tensor type gives the linear map `theirs`.
constexpr bool maps(char const* type, char const* theirs) {
  outcome<triton_tensor> const read = try_read_triton(type);
  return read && read.value.owners == parse_linear(theirs);
}
constexpr bool wrong(char const* text, rule which, integer first = 0) {
  refusal const why = try_parse_triton(text).why;
  return why.which == which && why.numbers[0] == first;
}

// Types, and the maps that the wheel computed for them.
static_assert(
    maps("tensor<16x8xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], "
         "warpsPerCTA = [4, 1], order = [1, 0]}>>",
         "{reg: 1 -> (0,1), 2 -> (0,2); lane: 1 -> (0,4), 2 -> (0,0), 4 -> (1,0), 8 -> (2,0), 16 "
         "-> (4,0); warp: 1 -> (8,0), 2 -> (0,0); cta_x:} to (dim0: 16, dim1: 8)"));
static_assert(
    maps("tensor<64x32xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], "
         "warpsPerCTA = [4, 1], order = [1, 0]}>>",
         "{reg: 1 -> (0,1), 2 -> (0,2), 4 -> (0,16), 8 -> (32,0); lane: 1 -> (0,4), 2 -> (0,8), 4 "
         "-> (1,0), 8 -> (2,0), 16 -> (4,0); warp: 1 -> (8,0), 2 -> (16,0); cta_x:} to (dim0: 64, "
         "dim1: 32)"));
static_assert(
    maps("tensor<64x64xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], "
         "warpsPerCTA = [4, 1], order = [1, 0], CGALayout = [[1, 0]]}>>",
         "{reg: 1 -> (0,1), 2 -> (0,2), 4 -> (0,16), 8 -> (0,32); lane: 1 -> (0,4), 2 -> (0,8), 4 "
         "-> (1,0), 8 -> (2,0), 16 -> (4,0); warp: 1 -> (8,0), 2 -> (16,0); cta_x: 1 -> (32,0)} to "
         "(dim0: 64, dim1: 64)"));
static_assert(
    maps("tensor<8x16x4xf16, #ttg.blocked<{sizePerThread = [1, 2, 1], threadsPerWarp = [4, 4, 2], "
         "warpsPerCTA = [1, 2, 2], order = [0, 2, 1]}>>",
         "{reg: 1 -> (0,1,0), 2 -> (4,0,0); lane: 1 -> (1,0,0), 2 -> (2,0,0), 4 -> (0,0,1), 8 -> "
         "(0,2,0), 16 -> (0,4,0); warp: 1 -> (0,0,2), 2 -> (0,8,0); cta_x:} to (dim0: 8, dim1: 16, "
         "dim2: 4)"));
static_assert(
    maps("tensor<64x64xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [2, "
         "2], instrShape = [16, 8]}>>",
         "{reg: 1 -> (0,1), 2 -> (8,0), 4 -> (0,16), 8 -> (0,32), 16 -> (32,0); lane: 1 -> (0,2), "
         "2 -> (0,4), 4 -> (1,0), 8 -> (2,0), 16 -> (4,0); warp: 1 -> (0,8), 2 -> (16,0); cta_x:} "
         "to (dim0: 64, dim1: 64)"));
static_assert(
    maps("tensor<2x32x32xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = "
         "[1, 2, 2], instrShape = [1, 16, 8]}>>",
         "{reg: 1 -> (0,0,1), 2 -> (0,8,0), 4 -> (0,0,16), 8 -> (1,0,0); lane: 1 -> (0,0,2), 2 -> "
         "(0,0,4), 4 -> (0,1,0), 8 -> (0,2,0), 16 -> (0,4,0); warp: 1 -> (0,0,8), 2 -> (0,16,0); "
         "cta_x:} to (dim0: 2, dim1: 32, dim2: 32)"));
static_assert(
    maps("tensor<128x128xf16, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = "
         "[4, 2], instrShape = [16, 64, 16]}>>",
         "{reg: 1 -> (0,1), 2 -> (8,0), 4 -> (0,8), 8 -> (0,16), 16 -> (0,32), 32 -> (64,0); lane: "
         "1 -> (0,2), 2 -> (0,4), 4 -> (1,0), 8 -> (2,0), 16 -> (4,0); warp: 1 -> (16,0), 2 -> "
         "(32,0), 4 -> (0,64); cta_x:} to (dim0: 128, dim1: 128)"));
static_assert(
    maps("tensor<64x16xf16, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, "
         "1], instrShape = [16, 32, 16]}>>",
         "{reg: 1 -> (0,1), 2 -> (8,0), 4 -> (0,8), 8 -> (0,0); lane: 1 -> (0,2), 2 -> (0,4), 4 -> "
         "(1,0), 8 -> (2,0), 16 -> (4,0); warp: 1 -> (16,0), 2 -> (32,0); cta_x:} to (dim0: 64, "
         "dim1: 16)"));
static_assert(
    maps("tensor<64x64xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 2, "
         "versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>>",
         "{reg: 1 -> (0,1), 2 -> (8,0), 4 -> (0,8), 8 -> (0,16), 16 -> (0,32), 32 -> (32,0); lane: "
         "1 -> (0,2), 2 -> (0,4), 4 -> (1,0), 8 -> (2,0), 16 -> (4,0); warp: 1 -> (0,0), 2 -> "
         "(16,0); cta_x:} to (dim0: 64, dim1: 64)"));
static_assert(
    maps("tensor<64x64xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 2, "
         "versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 2}>>",
         "{reg: 1 -> (1,0), 2 -> (8,0), 4 -> (16,0), 8 -> (32,0), 16 -> (0,16), 32 -> (0,32); "
         "lane: 1 -> (2,0), 2 -> (4,0), 4 -> (0,1), 8 -> (0,2), 16 -> (0,4); warp: 1 -> (0,8), 2 "
         "-> (0,0); cta_x:} to (dim0: 64, dim1: 64)"));
static_assert(
    maps("tensor<32x128xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<{versionMajor = 2, "
         "versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>, kWidth = 8}>>",
         "{reg: 1 -> (1,0), 2 -> (2,0), 4 -> (4,0), 8 -> (0,0), 16 -> (0,16), 32 -> (0,32), 64 -> "
         "(0,64); lane: 1 -> (8,0), 2 -> (16,0), 4 -> (0,1), 8 -> (0,2), 16 -> (0,4); warp: 1 -> "
         "(0,8), 2 -> (0,0); cta_x:} to (dim0: 32, dim1: 128)"));
static_assert(
    maps("tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<{versionMajor = 3, "
         "versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>, kWidth = 2}>>",
         "{reg: 1 -> (0,1), 2 -> (8,0), 4 -> (0,8), 8 -> (0,16); lane: 1 -> (0,2), 2 -> (0,4), 4 "
         "-> (1,0), 8 -> (2,0), 16 -> (4,0); warp: 1 -> (16,0), 2 -> (32,0); cta_x:} to (dim0: 64, "
         "dim1: 32)"));
static_assert(
    maps("tensor<32x16xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.blocked<{sizePerThread = [1, 4], "
         "threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>}>>",
         "{reg: 1 -> (0,1), 2 -> (0,2), 4 -> (1,0), 8 -> (2,0), 16 -> (4,0), 32 -> (8,0), 64 -> "
         "(16,0); lane: 1 -> (0,4), 2 -> (0,8), 4 -> (0,0), 8 -> (0,0), 16 -> (0,0); warp: 1 -> "
         "(0,0), 2 -> (0,0); cta_x:} to (dim0: 32, dim1: 16)"));
static_assert(
    maps("tensor<16xf16, #ttg.slice<{dim = 0, parent = #ttg.blocked<{sizePerThread = [1, 4], "
         "threadsPerWarp = [8, 4], warpsPerCTA = [4, 1], order = [1, 0]}>}>>",
         "{reg: 1 -> (1), 2 -> (2); lane: 1 -> (4), 2 -> (8), 4 -> (0), 8 -> (0), 16 -> (0); warp: "
         "1 -> (0), 2 -> (0); cta_x:} to (dim0: 16)"));
static_assert(
    maps("tensor<64xf16, #ttg.slice<{dim = 1, parent = #ttg.nvidia_mma<{versionMajor = 2, "
         "versionMinor = 0, warpsPerCTA = [2, 2], instrShape = [16, 8]}>}>>",
         "{reg: 1 -> (8), 2 -> (32); lane: 1 -> (0), 2 -> (0), 4 -> (1), 8 -> (2), 16 -> (4); "
         "warp: 1 -> (0), 2 -> (16); cta_x:} to (dim0: 64)"));
static_assert(
    maps("tensor<32xf16, #ttg.slice<{dim = 0, parent = #ttg.slice<{dim = 2, parent = "
         "#ttg.blocked<{sizePerThread = [1, 2, 1], threadsPerWarp = [4, 4, 2], warpsPerCTA = [1, "
         "2, 2], order = [0, 2, 1]}>}>}>>",
         "{reg: 1 -> (1), 2 -> (16); lane: 1 -> (0), 2 -> (0), 4 -> (0), 8 -> (2), 16 -> (4); "
         "warp: 1 -> (0), 2 -> (8); cta_x:} to (dim0: 32)"));
static_assert(
    maps("tensor<64x64xf16, #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [32, "
         "32, 8], isTransposed = true}>>",
         "{reg: 1 -> (0,1), 2 -> (0,2), 4 -> (0,8), 8 -> (0,16); lane: 1 -> (1,0), 2 -> (2,0), 4 "
         "-> (4,0), 8 -> (8,0), 16 -> (16,0), 32 -> (0,4); warp: 1 -> (0,32), 2 -> (32,0); cta_x:} "
         "to (dim0: 64, dim1: 64)"));
static_assert(
    maps("tensor<64x64xf16, #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [16, "
         "16, 16], isTransposed = false}>>",
         "{reg: 1 -> (1,0), 2 -> (2,0), 4 -> (0,32), 8 -> (32,0); lane: 1 -> (0,1), 2 -> (0,2), 4 "
         "-> (0,4), 8 -> (0,8), 16 -> (4,0), 32 -> (8,0); warp: 1 -> (0,16), 2 -> (16,0); cta_x:} "
         "to (dim0: 64, dim1: 64)"));
static_assert(
    maps("tensor<64x64xf16, #ttg.amd_mfma<{version = 4, warpsPerCTA = [2, 2], instrShape = [64, 4, "
         "8], isTransposed = true, tilesPerWarp = [1, 1]}>>",
         "{reg: 1 -> (0,1), 2 -> (0,2), 4 -> (0,8), 8 -> (0,16), 16 -> (0,32); lane: 1 -> (1,0), 2 "
         "-> (2,0), 4 -> (4,0), 8 -> (8,0), 16 -> (16,0), 32 -> (32,0); warp: 1 -> (0,4), 2 -> "
         "(0,0); cta_x:} to (dim0: 64, dim1: 64)"));
static_assert(
    maps("tensor<64x16xf16, #ttg.amd_mfma<{version = 3, warpsPerCTA = [2, 2], instrShape = [4, 64, "
         "4], isTransposed = false}>>",
         "{reg: 1 -> (1,0), 2 -> (2,0), 4 -> (8,0), 8 -> (16,0), 16 -> (32,0); lane: 1 -> (0,1), 2 "
         "-> (0,2), 4 -> (0,4), 8 -> (0,8), 16 -> (0,0), 32 -> (0,0); warp: 1 -> (0,0), 2 -> "
         "(4,0); cta_x:} to (dim0: 64, dim1: 16)"));
static_assert(
    maps("tensor<64x64xf64, #ttg.amd_mfma<{version = 2, warpsPerCTA = [1, 4], instrShape = [16, "
         "16, 4], isTransposed = true, elementBitWidth = 64}>>",
         "{reg: 1 -> (0,4), 2 -> (0,8), 4 -> (16,0), 8 -> (32,0); lane: 1 -> (1,0), 2 -> (2,0), 4 "
         "-> (4,0), 8 -> (8,0), 16 -> (0,1), 32 -> (0,2); warp: 1 -> (0,16), 2 -> (0,32); cta_x:} "
         "to (dim0: 64, dim1: 64)"));
static_assert(
    maps("tensor<128x128xf16, #ttg.amd_mfma<{version = 2, warpsPerCTA = [2, 2], instrShape = [16, "
         "16, 8], isTransposed = false, tilesPerWarp = [1, 2], CGALayout = [[0, 1], [0, 2]]}>>",
         "{reg: 1 -> (1,0), 2 -> (2,0), 4 -> (0,16), 8 -> (0,0), 16 -> (32,0), 32 -> (64,0); lane: "
         "1 -> (0,1), 2 -> (0,2), 4 -> (0,4), 8 -> (0,8), 16 -> (4,0), 32 -> (8,0); warp: 1 -> "
         "(0,0), 2 -> (16,0); cta_x: 1 -> (0,32), 2 -> (0,64)} to (dim0: 128, dim1: 128)"));
static_assert(
    maps("!ttg.memdesc<64x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order "
         "= [1, 0]}>, #smem, mutable>",
         "{m: 1 -> (0,1), 2 -> (0,2), 4 -> (0,4), 8 -> (0,8), 16 -> (0,16), 32 -> (0,32), 64 -> "
         "(1,8), 128 -> (2,16), 256 -> (4,32), 512 -> (8,0), 1024 -> (16,0), 2048 -> (32,0); "
         "cta_x:} to (dim0: 64, dim1: 64)"));
static_assert(
    maps("!ttg.memdesc<16x8xf16, #ttg.swizzled_shared<{vec = 2, perPhase = 2, maxPhase = 4, order "
         "= [0, 1]}>, #smem, mutable>",
         "{m: 1 -> (1,0), 2 -> (2,0), 4 -> (4,0), 8 -> (8,0), 16 -> (0,1), 32 -> (2,2), 64 -> "
         "(4,4); cta_x:} to (dim0: 16, dim1: 8)"));
static_assert(
    maps("tensor<32x8xf16, #ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, "
         "0], [2, 0], [4, 0]], warp = [[16, 0], [0, 0]], block = []}>>",
         "{reg: 1 -> (0,1), 2 -> (8,0); lane: 1 -> (0,2), 2 -> (0,4), 4 -> (1,0), 8 -> (2,0), 16 "
         "-> (4,0); warp: 1 -> (16,0), 2 -> (0,0); cta_x:} to (dim0: 32, dim1: 8)"));
static_assert(
    maps("tensor<64x32xf16, #ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, "
         "0], [2, 0], [4, 0]], warp = [[16, 0], [0, 0]], block = []}>>",
         "{reg: 1 -> (0,1), 2 -> (8,0), 4 -> (0,8), 8 -> (0,16), 16 -> (32,0); lane: 1 -> (0,2), 2 "
         "-> (0,4), 4 -> (1,0), 8 -> (2,0), 16 -> (4,0); warp: 1 -> (16,0), 2 -> (0,0); cta_x:} to "
         "(dim0: 64, dim1: 32)"));
static_assert(
    maps("tensor<4x4xf16, #ttg.linear<{register = [[0, 1], [8, 0]], lane = [[0, 2], [0, 4], [1, "
         "0], [2, 0], [4, 0]], warp = [[16, 0], [0, 0]], block = []}>>",
         "{reg: 1 -> (0,1); lane: 1 -> (0,2), 2 -> (0,0), 4 -> (1,0), 8 -> (2,0), 16 -> (0,0); "
         "warp: 1 -> (0,0), 2 -> (0,0); cta_x:} to (dim0: 4, dim1: 4)"));

static_assert(
    maps("tensor<2x2xf16, #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [8, 4], "
         "warpsPerCTA = [4, 1], order = [1, 0]}>>",
         "{reg: 1 -> (0,1); lane: 1 -> (0,0), 2 -> (0,0), 4 -> (1,0), 8 -> (0,0), 16 -> (0,0); "
         "warp: 1 -> (0,0), 2 -> (0,0); cta_x:} to (dim0: 2, dim1: 2)"));

// Encodings as layouts. If several places have the same element, they are replicas.
constexpr char const* of_an_accumulator =
    "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 2], instrShape = [16, "
    "8]}>";
static_assert(equivalent(parse_triton(of_an_accumulator, {16, 16}),
                         "S[(2,8,2,4,2):(2@reg,4@lane,1@warp,1@lane,1@reg)]"_axe));
static_assert(
    equivalent(parse_triton("#ttg.slice<{dim = 1, parent = #ttg.blocked<{sizePerThread = [1, 1], "
                            "threadsPerWarp = [8, 4], warpsPerCTA = [2, 1], order = [1, 0]}>}>",
                            {16}),
               "S[(2,8):(1@warp,4@lane)] + R[4:1@lane]"_axe));
static_assert(equivalent(
    parse_triton("#ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 8, order = [1, 0]}>",
                 {64, 64}),
    "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe));
static_assert(
    parse_triton("#a = #ttg.linear<{register = [[1]], lane = [[2]], warp = [], block = []}>") ==
    "S[(2,2):(1@lane,1@reg)]"_axe);

/// True if the layout is written as `theirs`, which Triton prints, and reads back as an equivalent
/// one.
constexpr bool writes(char const* ours, shape const& s, std::string_view theirs) {
  layout const l = parse(ours);
  auto const text = to_triton(l, s);
  return theirs == text.c_str() && equivalent(parse_triton(text.c_str()), l);
}
static_assert(writes(
    "S[(4,8):(8@lane,1@lane)]", {4, 8},
    "#ttg.linear<{register = [], lane = [[0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], warp = [], "
    "block = []}>"));
static_assert(
    writes("S[(2,4):(4,1)]", {2, 4},
           "#ttg.shared_linear<{offset = [[0, 1], [0, 2], [1, 0]], block = []}, alignment = 16>"));
static_assert(writes("S[2:1@cta_x] + R[2:1@warp]", 2,
                     "#ttg.linear<{register = [], lane = [], warp = [[0]], block = [[1]]}>"));
constexpr refusal not_written(char const* ours, shape const& s) {
  text<4095> out;
  return try_print_triton(out, parse(ours), s);
}
static_assert(not_written("S[8:-1@lane] + 7@lane", 8).which == rule::triton_has_no_offset);
static_assert(not_written("S[8:1@tid]", 8) == refusal{rule::triton_has_no_axis, {}, {axis::tid}});
static_assert(not_written("S[(2,2):(1@lane,1)]", {2, 2}).which == rule::triton_has_no_axis);
static_assert(not_written("S[6:1]", 6).which == rule::linear_extent);

// A tile of nvmma_shared: boxes of 64 columns. The row number swizzles the columns of a box.
constexpr layout nvmma = parse_triton(
    "!ttg.memdesc<16x128xf16, #ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
    "elementBitWidth = 16}>, #smem, mutable>");
static_assert(equivalent(nvmma, "swizzle(3,3,3) o S[(16,2,64):(64,1024,1)]"_axe));
static_assert(equivalent(
    parse_triton("#ttg.nvmma_shared<{swizzlingByteWidth = 64, transposed = true, elementBitWidth = "
                 "16}>",
                 {32, 8}),
    "swizzle(3,2,3) o S[(32,8):(1,32)]"_axe));
static_assert(parse_triton("#ttg.nvmma_shared<{swizzlingByteWidth = 0, transposed = false, "
                           "elementBitWidth = 8, rank = 1}>",
                           {512}) == "S[512:1]"_axe);
static_assert(
    equivalent(parse_triton("#ttg.nvmma_shared<{swizzlingByteWidth = 32, transposed = false, "
                            "elementBitWidth = 8, fp4Padded = true}>",
                            {8, 16}),
               "swizzle(4,1,3) o S[(8,2,8):(32,16,1)] + R[2:8]"_axe));
static_assert(try_parse_triton("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false, "
                               "elementBitWidth = 16}>",
                               {8, 32})
                  .why.which == rule::triton_shared_not_read);
static_assert(wrong("#ttg.nvmma_shared<{swizzlingByteWidth = 128, transposed = false}>",
                    rule::triton_shared_field_missing, 64));

// The text that Triton prints for a LinearLayout.
static_assert(parse_triton("\n - register=1 -> (0, 1)\n - lane=1 -> (1, 0)\n   lane=2 -> (2, 0)\n"
                           " - warp is a size 1 dimension\n - block is a size 1 dimension\n"
                           "where out dims are: [dim0 (size 4), dim1 (size 2)]") ==
              "S[(4,2):(1@lane,1@reg)]"_axe);
static_assert(parse_triton(" - offset=1 -> (2)\n   offset=2 -> (1)\n"
                           "where out dims are: [dim0 (size 4)]") == "S[(2,2):(1,2)]"_axe);
static_assert(parse_triton("- register=1 -> (1, 0) register=2 -> (2, 0) - lane=1 -> (0, 1)\n"
                           "where out dims are: [dim1 (size 4), dim0 (size 2)]") ==
              "S[(2,4):(1@lane,1@reg)]"_axe);
static_assert(wrong("- lane=2 -> (1) where out dims are: [dim0 (size 2)]",
                    rule::expected_a_triton_encoding, 8));
static_assert(wrong("- lane=1 -> (1) where out dims are: [dim1 (size 2)]",
                    rule::expected_a_triton_encoding, 37));
static_assert(wrong("- lane=1 -> (1, 0) where out dims are: [dim0 (size 2), dim0 (size 2)]",
                    rule::expected_a_triton_encoding, 59));
static_assert(wrong("- lane=1 -> (1) - lane=1 -> (2) where out dims are: [dim0 (size 4)]",
                    rule::expected_a_triton_encoding, 18));
static_assert(wrong("- offset=1 -> (1) - lane=1 -> (2) where out dims are: [dim0 (size 4)]",
                    rule::expected_a_triton_encoding, 20));
static_assert(wrong("- warp=1 -> (1) - offset=1 -> (2) where out dims are: [dim0 (size 4)]",
                    rule::expected_a_triton_encoding, 18));
static_assert(parse_triton("- offset=1 -> (1) - block=1 -> (2) where out dims are: "
                           "[dim0 (size 4)]") == "S[(2,2):(1@cta_x,1)]"_axe);

// Mistakes in the text. The number is the position of the mistake.
// A dynamic extent is not read as the end of the extents.
static_assert(wrong("tensor<8x?xf32, #ttg.linear<{register = []}>>", rule::expected_an_extent, 9));
static_assert(wrong("tensor<?x8xf32, #ttg.linear<{register = []}>>", rule::expected_an_extent, 7));
static_assert(wrong("#ttg.padded_shared<{}>", rule::expected_a_triton_encoding, 0));
static_assert(wrong("#ttg.slice<{dim = 0, parent = #blocked}>", rule::expected_a_triton_encoding,
                    30));
static_assert(wrong("tensor<8xf16>", rule::expected_a_triton_encoding, 12));
static_assert(wrong("#ttg.linear<{rows = []}>", rule::expected_a_triton_field, 13));
static_assert(wrong("#ttg.linear<{lane = [[1]], lane = [[1]]}>", rule::expected_a_triton_field,
                    27));
static_assert(wrong("#ttg.linear<{lane = [[1]]>", rule::expected_a_triton_field, 25));
static_assert(wrong("- lane=1 -> (1] where out dims are: [dim0 (size 2)]",
                    rule::expected_a_comma_or_parenthesis, 14));
static_assert(wrong("- lane=1 -> (1) where out dims are: [dim0 (size 2]]",
                    rule::expected_a_closing_parenthesis, 49));
static_assert(wrong("#ttg.swizzled_shared<{vec = 8}>", rule::triton_shared_field_missing, 30));
static_assert(wrong("#ttg.linear<{lane = [[1]]}> x", rule::expected_no_more, 28));
static_assert(parse_triton("#ttg.linear<{lane = []}>") == "S[]"_axe);
static_assert(parse_triton(to_triton("S[1:1@lane]"_axe, {1}).c_str()) == "S[]"_axe);
static_assert(wrong("tensor<4x4xf16, #ttg.linear<{lane = [[1]]}>>", rule::triton_rank, 16));
static_assert(wrong("tensor<4x4xf16, #ttg.linear<{lane = [[1, 0], [1]]}>>", rule::triton_basis,
                    16));
static_assert(wrong("tensor<6xf16, #ttg.linear<{lane = [[1]]}>>", rule::linear_extent, 0));
static_assert(wrong("tensor<2xf16, #ttg.linear<{lane = [[1], [3]]}>>", rule::triton_linear_extent,
                    0));

constexpr refusal blocked(char const* text) { return try_parse_triton(text, {8, 8}).why; }
static_assert(blocked("#ttg.blocked<{sizePerThread = [1, 3], threadsPerWarp = [8, 4], warpsPerCTA "
                      "= [1, 1], order = "
                      "[1, 0]}>") == refusal{rule::triton_field_numbers, {0, 2}});
static_assert(
    blocked(
        "#ttg.blocked<{sizePerThread = [1], threadsPerWarp = [8, 4], warpsPerCTA = [1, 1], order = "
        "[1, 0]}>") == refusal{rule::triton_field_numbers, {0, 2}});
static_assert(blocked("#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA "
                      "= [1, 1], order = "
                      "[1, 1]}>") == refusal{rule::triton_order, {0, 2}});
static_assert(
    blocked("#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, warpsPerCTA = [4, 1], "
            "instrShape = [16, 24]}>") == refusal{rule::triton_instruction_shape, {0, 3}} &&
    blocked("#ttg.swizzled_shared<{vec = 3, perPhase = 1, maxPhase = 1, order = [1, 0]}>") ==
        refusal{rule::triton_phases, {0}});
static_assert(blocked("#ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp = [8, 4], warpsPerCTA "
                      "= [1, 1], order = "
                      "[1, 0], CTAsPerCGA = [2, 1], CTASplitNum = [2, 1], CTAOrder = [1, 0]}>")
                  .which == rule::triton_not_read);
static_assert(
    try_parse_triton(
        "#ttg.nvidia_mma<{versionMajor = 1, warpsPerCTA = [1, 1], instrShape = [16, 16]}>",
        {16, 16})
        .why.which == rule::triton_not_read);
static_assert(blocked("#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [4, 4, 64], "
                      "isTransposed = true}>")
                      .which == rule::triton_not_read &&
              blocked("#ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], instrShape = [64, 4, 4], "
                      "isTransposed = false}>")
                      .which == rule::triton_not_read);
static_assert(try_parse_triton(of_an_accumulator, {16}).why ==
              refusal{rule::triton_rank, {0, 2, 1}});

}  // namespace

TEST_CASE("a shape gives an encoding its extents at run time", "[triton]") {
  std::string_view const text = "#ttg.linear<{register = [[1]], lane = [], warp = [], block = []}>";
  for (integer n = 2; n <= 64; n *= 2) {
    shape const s(n);
    CHECK(try_parse_triton(text.data(), s).value == S({n}, {1 * axes::reg}));
  }
}
