// Facts about contiguity, alignment, the widest vector and redundant accesses, one in each line.
#include <axe/analysis/widest_vector.hpp>
#include <axe/construct/literal.hpp>

using namespace axe;
using namespace axe::literals;

namespace {

static_assert(contiguity("S[(64,64):(72,1)]"_axe) == 64 &&
              contiguity("S[(64,64):(64,1)]"_axe) == 4096);
static_assert(contiguity("S[(64,64):(1,64)]"_axe) == 1 && contiguity("S[8:-1]"_axe) == 1 &&
              contiguity("S[8:0]"_axe) == 1);
// The swizzle moves the elements of each replica, but leaves the sets of addresses as they are.
static_assert(contiguity("swizzle(0,1,-1) o S[2:1] + R[2:2] + 4"_axe) == 2 &&
              widest_vector("swizzle(0,1,-1) o S[2:1] + R[2:2] + 4"_axe, 16) == 2);
static_assert(contiguity("S[(3,5):(7,1)]"_axe) == 5 && contiguity("S[]"_axe) == 1 &&
              contiguity("S[1:5]"_axe) == 1);
static_assert(contiguity("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe) == 8,
              "the swizzle keeps chunks of 8 elements contiguous");
static_assert(contiguity("swizzle(3,3,3) o S[(8,8):(64,1)]"_axe) == 8 &&
              contiguity("swizzle(3,1,3) o S[32:1]"_axe) == 32);
static_assert(contiguity("swizzle(0,1,1) o S[2:1] + 2"_axe) == 1,
              "the swizzle exchanges the addresses 2 and 3");
static_assert(
    contiguity("swizzle(3,3,3) o S[1099511627776:1]"_axe) == 8 &&
        contiguity("swizzle(3,3,3) o S[(1099511627776,7):(7,1)]"_axe) == 8 &&
        contiguity("swizzle(3,3,3) o S[(1099511627776,64):(512,1)] + 64"_axe) == 8,
    "the layouts have 2^40 elements or more, but only one period of the swizzle is visited");
static_assert(contiguity("swizzle(2,1,1) o S[(1048576,4):(16,1)] + 8"_axe) == 4 &&
                  contiguity("swizzle(2,1,1) o S[(1048576,4):(16,-1)] + 11"_axe) == 1 &&
                  contiguity("swizzle(2,1,1) o S[(5,4):(16,1)] + R[1048576:32] + 8"_axe) == 4 &&
                  contiguity("swizzle(2,1,1) o S[(5,4):(16,1)] + R[1048576:2] + 8"_axe) == 2,
              "a contiguous run ends where its digit ends; replicas that are whole periods apart "
              "have the same runs");

static_assert(alignment("S[(64,64):(72,8)] + 16"_axe) == 8 && alignment("S[4:6] + 4"_axe) == 2 &&
              alignment("S[4:6] - 9"_axe) == 3);
static_assert(alignment("S[4:6] + R[2:4]"_axe) == 2 && alignment("S[4:1]"_axe) == 1 &&
              alignment("S[]"_axe) == 0);
static_assert(alignment("swizzle(3,3,3) o S[(8,8):(64,8)]"_axe) == 8);
static_assert(alignment("swizzle(3,3,3) o S[1099511627776:8]"_axe) == 8 &&
              alignment("swizzle(3,3,3) o S[(1048576,1048576):(1536,8)] + R[1048576:24]"_axe) ==
                  8 &&
              alignment("swizzle(0,1,2) o S[1048576:24]"_axe) == 24 &&
              alignment("swizzle(1,1,1) o S[1048576:12]"_axe) == 2);

static_assert(widest_vector("S[(64,64):(72,1)]"_axe, 16) == 8 &&
              widest_vector("S[(64,64):(66,1)]"_axe, 16) == 2 &&
              widest_vector("S[(64,64):(65,1)]"_axe, 16) == 1);
static_assert(widest_vector("S[(64,64):(64,1)]"_axe, 32) == 4 &&
              widest_vector("S[(64,64):(64,1)]"_axe, 8) == 16 &&
              widest_vector("S[(64,64):(64,1)]"_axe, 4) == 32 &&
              widest_vector("S[(64,64):(64,1)]"_axe, 128) == 1);
static_assert(widest_vector("S[(64,64):(64,1)] + 4"_axe, 16) == 4 &&
              widest_vector("S[64:1] + R[2:68]"_axe, 16) == 4 &&
              widest_vector("S[(4,6):(8,1)]"_axe, 16) == 2);
static_assert(widest_vector("swizzle(2,3,3) o S[(64,64):(64,1)]"_axe, 16) == 4 &&
                  widest_vector("swizzle(3,3,3) o S[(64,64):(64,1)]"_axe, 16) == 8 &&
                  widest_vector("swizzle(0,1,-6) o S[(2,2):(2,65)]"_axe, 16) == 4,
              "with S < 0, a swizzle may move distant elements to neighbouring addresses");
static_assert(widest_vector("S[(2,3):(1,2)]"_axe, 16) == 1);

static_assert(try_redundancy("S[2:1] + R[(4294967296,2147483648):(1@lane,1@reg)]"_axe).why ==
                      refusal{rule::result_size_overflows, {4294967296, 2147483648}} &&
                  redundancy("S[2:1] + R[(4294967296,1073741824):(1@lane,1@reg)]"_axe) ==
                      4611686018427387904,
              "2^63 replicas overflow 64 bits, 2^62 do not");
static_assert(try_redundancy("S[] + R[1000000:2] + R[1000000:3]"_axe).why.which ==
                  rule::undecided &&
              redundancy("S[] + R[3:2] + R[3:3]"_axe) == 9 &&
              redundancy("S[] + R[2:2] + R[2:3] + R[2:2@reg] + R[2:3@reg]"_axe) == 16);
static_assert(redundancy("S[8:1@lane] + R[4:8@lane]"_axe) == 4 && redundancy("S[8:1]"_axe) == 1 &&
              redundancy("S[8:1] + R[2:1] + R[2:1]"_axe) == 3);

static_assert(try_widest_vector("S[8:1]"_axe, 24).why == refusal{rule::element_width, {24}} &&
              try_widest_vector("S[8:1]"_axe, 256).why == refusal{rule::element_width, {256}});
static_assert(try_contiguity("S[8:1@lane]"_axe).why ==
                  refusal{rule::access_on_memory_only, {}, {axis::lane}} &&
              try_alignment("S[8:1@reg]"_axe).why.which == rule::access_on_memory_only);
static_assert(try_contiguity("swizzle(0,3,9) o S[(512,512):(512,1)]"_axe, step_limit(4)).why ==
              refusal{rule::undecided, {4}});
static_assert(try_alignment("swizzle(1,1,2) o S[] + R[4:-2] + R[2:7]"_axe, step_limit(2)).why ==
                  refusal{rule::undecided, {2}},
              "the search for the next replica also ends at the step limit");

}  // namespace
