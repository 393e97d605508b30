// Tests canonicalize: facts and counterexamples. sweep_test.cpp tests every small layout.
#include <axe/axe.hpp>

namespace {

using namespace axe;
using namespace axe::literals;

constexpr bool becomes(layout const& l, char const* expected) {
  return to_text(canonicalize(l)) == expected;
}

// In D an extent of 1 is dropped, a stride of 0 moves to the null axis, and two iters fuse if the
// outer stride is the inner extent times the inner stride.
static_assert(becomes("S[(2,4):(4,1)]"_axe, "S[8:1]") &&
              becomes("S[(2,4):(1,4)]"_axe, "S[(2,4):(1,4)]"));
static_assert(becomes("S[(2,2,2):(4,2,1)]"_axe, "S[8:1]") &&
              becomes("S[(2,2,2):(8,2,1)]"_axe, "S[(2,4):(8,1)]"));
static_assert(becomes("S[(2,4):(4@lane,1)]"_axe, "S[(2,4):(4@lane,1)]"), "two axes never fuse");
static_assert(becomes("S[(2,4):(-4,-1)]"_axe, "S[8:-1]") &&
              becomes("S[(2,4):(4,-1)]"_axe, "S[(2,4):(4,-1)]"));
static_assert(becomes("S[(2,1,4):(4,77@lane,1)]"_axe, "S[8:1]") &&
              becomes("S[(1,1):(3,5@lane)]"_axe, "S[]"));
static_assert(becomes("S[2:0@m]"_axe, "S[2:0]") && becomes("S[(2,3):(0@lane,0@m)]"_axe, "S[6:0]") &&
              becomes("S[(2,3,2):(0,1,0)]"_axe, "S[(2,3,2):(0,1,0)]"));
static_assert(becomes("S[(2,4):(0,1)]"_axe, "S[(2,4):(0,1)]") &&
              becomes("S[(2,4):(4,0)]"_axe, "S[(2,4):(4,0)]"));
static_assert(becomes("S[(3,3):(9,3)]"_axe, "S[9:3]") &&
              becomes("S[(3,3):(8,3)]"_axe, "S[(3,3):(8,3)]") &&
              becomes("S[(3,2):(9,3)]"_axe, "S[(3,2):(9,3)]"));
static_assert(becomes("S[(7,48,100)]"_axe, "S[33600:1]") &&
                  becomes("S[((2),(8)):((8),(1))]"_axe, "S[16:1]"),
              "blocks are dropped");
static_assert(becomes("S[(2,4):(4611686018427387904,1)]"_axe, "S[(2,4):(4611686018427387904,1)]"),
              "extent times stride, 2 * 2^62, overflows 64 bits, but canonicalize does not need "
              "this product");
static_assert(becomes("S[(2147483648,2147483648):(2147483648,1)]"_axe, "S[4611686018427387904:1]"));

// In R strides become positive. Then iters fuse, smallest stride first, if the set of places stays
// the same. Iters are sorted by axis and then by stride.
static_assert(becomes("S[4:1] + R[2:-1@warp]"_axe, "S[4:1] + R[2:1@warp] - 1@warp") &&
              becomes("S[] + R[3:-2] + 4"_axe, "S[] + R[3:2]"));
static_assert(becomes("S[] + R[2:1] + R[2:2]"_axe, "S[] + R[4:1]") &&
              becomes("S[] + R[2:1] + R[2:1]"_axe, "S[] + R[3:1]"));
static_assert(becomes("S[] + R[2:1] + R[2:3]"_axe, "S[] + R[2:1] + R[2:3]"),
              "{0,1,3,4} has a gap at 2");
static_assert(becomes("S[] + R[4:1] + R[2:3]"_axe, "S[] + R[7:1]") &&
              becomes("S[] + R[3:1] + R[2:4]"_axe, "S[] + R[3:1] + R[2:4]"));
static_assert(becomes("S[] + R[2:3] + R[2:2]"_axe, "S[] + R[2:2] + R[2:3]"),
              "3 is not a multiple of 2");
static_assert(becomes("S[] + R[2:4] + R[2:2] + R[2:1]"_axe, "S[] + R[8:1]") &&
              becomes("S[] + R[2:4] + R[3:2] + R[2:-1] + 1"_axe, "S[] + R[10:1]"));
static_assert(becomes("S[] + R[2:1@lane] + R[2:2@warp]"_axe, "S[] + R[2:1@lane] + R[2:2@warp]") &&
              becomes("S[] + R[2:1@warp] + R[2:1@reg]"_axe, "S[] + R[2:1@reg] + R[2:1@warp]"));
static_assert(becomes("S[] + R[1:5] + R[4:0] + R[4:0@lane]"_axe, "S[]"));
static_assert(becomes("S[4:1] + R[2:2]"_axe, "S[4:1] + R[2:2]"),
              "an iter of D never fuses with one of R: they assign places to elements differently");

// A swizzle is dropped only if it changes no reached address.
static_assert(becomes("swizzle(3,3,3) o S[64:1]"_axe, "S[64:1]") &&
              becomes("swizzle(3,3,3) o S[65:1]"_axe, "swizzle(M=3,B=3,S=3) o S[65:1]"));
static_assert(becomes("swizzle(3,3,3) o S[64:512]"_axe, "S[64:512]") &&
              becomes("swizzle(0,1,1) o S[2:1] + 2"_axe, "swizzle(M=0,B=1,S=1) o S[2:1] + 2"));
static_assert(becomes("swizzle(0,1,1) o S[1:1] + R[2:1]"_axe, "S[] + R[2:1]") &&
              becomes("swizzle(0,1,1) o S[] + R[2:-1] + 1"_axe, "S[] + R[2:1]"));

static_assert(becomes("swizzle(0,1,1) o S[4:1] + 2"_axe, "swizzle(M=0,B=1,S=1) o S[4:1] + 2"),
              "the swizzle exchanges the addresses 2 and 3, and keeps 4 and 5");

static_assert(try_canonicalize(S({4294967296, 4294967296}, {0, 0})).why.which ==
              rule::size_overflows);

// gap_ok is true if on each axis the strides of the canonical replicas satisfy
// s_{i+1} >= e_i * s_i.
static_assert(gap_ok("S[4:1]"_axe) && gap_ok("S[] + R[2:1] + R[2:2]"_axe) &&
              gap_ok("S[] + R[2:1] + R[2:3]"_axe) && gap_ok("S[] + R[3:1] + R[2:4]"_axe));
static_assert(gap_ok("S[] + R[4:1@lane] + R[2:3@warp]"_axe) && gap_ok("S[] + R[4:2] + R[2:-1]"_axe),
              "each axis is tested alone, and strides are made positive first");
static_assert(!gap_ok("S[] + R[2:1] + R[4:3] + R[2:5]"_axe) &&
              !gap_ok("S[] + R[2:2] + R[2:3]"_axe));
static_assert(!gap_ok("S[] + R[3:1] + R[2:4] + R[2:5] + R[3:6]"_axe) &&
              !gap_ok("S[] + R[2:2] + R[2:3] + R[2:7]"_axe));

}  // namespace
