// Facts about the text that is printed for plans of tensor copies.
#include <axe/construct/literal.hpp>
#include <axe/index/dynamic_layout.hpp>
#include <axe/plan/plan_tma.hpp>
#include <axe/plan/print/print_tma.hpp>

#include "support/catch.hpp"

using namespace axe;
using namespace axe::literals;

namespace {

using matrix = dynamic_matrix<dynamic(0), dynamic(1), dynamic(2).multiple_of(8)>;

constexpr text<2000> printed(tma_plan const& p) {
  text<2000> out;
  print(out, p);
  return out;
}
constexpr layout wide = mma_shared_layout(16, swizzle_mode::bytes_128, {128, 128});
static_assert(printed(plan_tma(tma_kind::load, element_type::bf16, tma_tensor_of<matrix>(),
                               {128, 128}, wide)) ==
              "tma.2d load: 2 boxes of 16384 bytes\n"
              "  map: {n1, n0} elements of bf16, strides {2, 2*n2} bytes, box {64, 128}, swizzle "
              "of 128 bytes\n"
              "  shared memory at a multiple of 1024 bytes\n"
              "  2 boxes: coordinate 0 steps by 64, shared memory by 16384 bytes\n"
              "  coordinate 1: 128 * tile_number[0]\n"
              "  coordinate 0: 128 * tile_number[1]\n"
              "  declined tma.3d: an extent must be a multiple of 64, but is only known to be a "
              "multiple of 1; if it always is one, declare .multiple_of(64)\n");
static_assert(
    printed(plan_tma(
        tma_kind::load, element_type::bf16,
        tma_tensor_of<dynamic_matrix<dynamic(0), dynamic(1).multiple_of(64), dynamic(2)>>(),
        {128, 128}, wide)) ==
    "tma.3d load: 1 box of 32768 bytes\n"
    "  map: {64, n0, n1/64} elements of bf16, strides {2, 2*n2, 128} bytes, box {64, 128, 2}, "
    "swizzle of 128 bytes\n"
    "  shared memory at a multiple of 1024 bytes\n"
    "  coordinate 1: 128 * tile_number[0]\n"
    "  coordinate 2: 2 * tile_number[1]\n");
static_assert(printed(plan_tma(tma_kind::reduce, element_type::u32,
                               tma_tensor_of("S[(8,4,32):(128,32,1)] + 64"_axe, {32, 32}), {2, 32},
                               "S[64:1]"_axe, {tma_reduction::bit_xor})) ==
              "tma.1d reduce xor: 1 box of 256 bytes\n"
              "  map: {1024} elements of u32, strides {4} bytes, box {64}, no swizzle\n"
              "  shared memory at a multiple of 128 bytes\n"
              "  the map begins 256 bytes into the tensor\n"
              "  coordinate 0: 64 * tile_number[0]\n");
static_assert(
    printed(plan_tma(tma_kind::load, element_type::f32, tma_tensor_of<matrix>(), {32, 32},
                     "swizzle(2,3,3) o S[(8,4,32):(32,256,1)] + 256"_axe, {.ctas = 5})) ==
    "tma.2d multicast: 4 boxes of 1024 bytes\n"
    "  map: {n1, n0} elements of f32, strides {4, 4*n2} bytes, box {32, 32}, element strides {1, "
    "4}, swizzle of 128 bytes\n"
    "  shared memory at a multiple of 1024 bytes\n"
    "  the first box begins 1024 bytes into the tile\n"
    "  4 boxes: coordinate 1 steps by 1, shared memory by 1024 bytes\n"
    "  coordinate 1: 32 * tile_number[0]\n"
    "  coordinate 0: 32 * tile_number[1]\n"
    "  into the CTAs of mask 5\n"
    "  declined tma.3d: an extent must be a multiple of 4, but is only known to be a multiple of "
    "1; "
    "if it always is one, declare .multiple_of(4)\n");
constexpr text<100> printed_move(tma_move const& m) {
  text<100> out;
  print(out, m);
  return out;
}
static_assert(printed_move({2, 1, 4, 8, 16}) == "coordinate 2: 16 * (tile_number[1] / 4 mod 8)");

}  // namespace

TEST_CASE("plans of tensor copies print at run time") {
  text<2000> out;
  print(out, plan_tma(tma_kind::store, element_type::f32,
                      tma_tensor_of("S[(8,64):(64,1)]"_axe, {8, 64}), {8, 64}, "S[512:1]"_axe));
  CHECK(std::string(out.c_str()) ==
        "tma.2d store: 1 box of 2048 bytes\n"
        "  map: {256, 2} elements of f32, strides {4, 1024} bytes, box {256, 2}, no swizzle\n"
        "  shared memory at a multiple of 128 bytes\n"
        "  coordinate 1: 2 * tile_number[0]\n");
}
