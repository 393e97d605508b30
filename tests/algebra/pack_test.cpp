// Tests pack and unpack: facts for 16-byte vectors, elements of less than a byte and swizzles, and
// layouts that cannot be packed.
#include "algebra/meaning.hpp"
#include "support/catch.hpp"

using namespace axe;
using namespace axe::axes;
using namespace axe_test;
using namespace axe::literals;

namespace {

constexpr bool becomes(outcome<layout> const& l, char const* expected) {
  return l && to_text(*l) == expected;
}

static_assert(becomes(try_unpack("S[(8,4):(4@lane,1@reg)]"_axe, 2, reg),
                      "S[(8,8):(4@lane,1@reg)]") &&
              unpack_means("S[(8,4):(4@lane,1@reg)]"_axe, 2, reg) == nullptr);
static_assert(becomes(try_unpack("S[(4,2):(5,1)] + R[2:100] + 3"_axe, 4, m),
                      "S[(4,8):(20,1)] + R[2:400] + 12"),
              "strides, replicas and the offset are scaled");
static_assert(becomes(try_unpack("S[3:2@lane] + R[2:1@lane] + 1@lane"_axe, 4, m),
                      "S[(3,4):(2@lane,1)] + R[2:1@lane] + 1@lane"),
              "iters on other axes stay");
static_assert(becomes(try_unpack("S[3:-1] + 2"_axe, 2, m), "S[(3,2):(-2,1)] + 4") &&
              becomes(try_unpack("S[4:1]"_axe, 1, m), "S[4:1]"));
static_assert(becomes(try_unpack("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, 2, m),
                      "swizzle(M=4,B=3,S=3) o S[8192:1]") &&
                  becomes(try_pack("swizzle(4,3,3) o S[8192:1]"_axe, 2, m),
                          "swizzle(M=3,B=3,S=3) o S[4096:1]"),
              "16-bit elements counted as pairs of 8-bit ones, and back");
static_assert(unpack_means("swizzle(1,1,1) o S[(2,4):(4,1)] + 2"_axe, 4, m) == nullptr);

static_assert(becomes(try_pack("S[(64,64):(64,1)]"_axe, 8, m), "S[512:1]"),
              "bf16 as vectors of 16 bytes");
static_assert(becomes(try_pack("S[(4,32):(40,1)] + R[2:160] + 8"_axe, 8, m),
                      "S[(4,4):(5,1)] + R[2:20] + 1"));
static_assert(becomes(try_pack("S[(16,8):(4@lane,1@reg)]"_axe, 8, reg), "S[16:4@lane]"),
              "8 elements of 4 bits in a register of 32");
static_assert(becomes(try_pack("S[(3,2,3):(7@lane,3,1)]"_axe, 6, m), "S[3:7@lane]"),
              "pack reads the canonical form: (2:3)(3:1) is 6:1");
static_assert(becomes(try_pack("S[6:1] + R[2:-6]"_axe, 3, m), "S[2:1] + R[2:2] - 2"));

static_assert(try_pack("S[(4,3):(3,1)] + 1"_axe, 3, m).why ==
              refusal{rule::does_not_pack_offset, {1, 3}, {axis::m}});
static_assert(try_pack("S[(4,3):(4,1)]"_axe, 3, m).why ==
              refusal{rule::does_not_pack_stride, {4, 3}, {axis::m}});
static_assert(try_pack("S[4:1] + R[2:5]"_axe, 2, m).why ==
              refusal{rule::does_not_pack_replica, {5, 2}, {axis::m}});
static_assert(try_pack("S[(4,3):(1,4)]"_axe, 3, m).why.which == rule::not_next_to_each_other &&
              try_pack("S[(4,2):(2,1)]"_axe, 3, m).why.which == rule::not_next_to_each_other &&
              try_pack("S[(4,3):(3,1)]"_axe, 3, reg).why.which == rule::not_next_to_each_other &&
              try_pack("S[4:-1]"_axe, 2, m).why.which == rule::not_next_to_each_other &&
              try_pack("S[]"_axe, 2, m).why.which == rule::not_next_to_each_other);
static_assert(try_pack("S[4:1@lane]"_axe, 2, lane).why ==
                  refusal{rule::packing_on_memory_only, {}, {axis::lane}} &&
              try_unpack("S[4:1]"_axe, 2, gpuid).why.which == rule::packing_on_memory_only);
static_assert(try_pack("S[4:1]"_axe, 0, m).why == refusal{rule::extent_argument_below_one, {0}} &&
              try_unpack("S[4:1]"_axe, -1, m).why.which == rule::extent_argument_below_one);
static_assert(try_unpack("swizzle(0,1,2) o S[8:1]"_axe, 3, m).why ==
                  refusal{rule::swizzle_packs_powers_of_two, {3}} &&
              to_text(unpack("swizzle(0,1,1) o S[2:2]"_axe, 3, m)) == "S[(2,3):(9,1)]" &&
              to_text(unpack("swizzle(1,1,-3) o S[(2,2):(-2,-1)]"_axe, 5, m)) ==
                  "swizzle(M=4,B=2,S=-1) o S[(2,2,5):(-26,-21,1)]" &&
              try_pack("swizzle(1,1,1) o S[16:1]"_axe, 4, m).why.which ==
                  rule::swizzle_splits_the_packed);
static_assert(
    try_unpack("S[4611686018427387904:1]"_axe, 4, m).why.which == rule::result_size_overflows &&
    try_unpack("S[2:4611686018427387904]"_axe, 4, m).why.which == rule::result_places_overflow &&
    try_unpack("S[2:1] + 4611686018427387904"_axe, 4, m).why.which == rule::result_places_overflow);

}  // namespace

TEST_CASE("unpack makes contiguous elements, and pack undoes it") {
  for (integer n : {2, 3, 8})
    for (layout const& l :
         {"S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe,
          "S[(6,5):(-8@reg,1@reg)] + 40@reg"_axe, "S[3:2@reg] + R[2:1@reg] + R[3:9@lane]"_axe})
      CHECK(unpack_means(l, n, reg) == nullptr);
}
