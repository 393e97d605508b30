// Golden examples: values that the paper, the TIRx page and docs/algebra.md print, one in each
// line. run.py fails if they notice more than a quarter of the mistakes, because the list is for
// mistakes that other tests must notice. A changed header that does not compile fails here first.
#include <axe/axe.hpp>

namespace {

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

template <class T> constexpr bool prints(T const& value, char const* expected) {
  return to_text(value) == expected;
}

template <layout L> constexpr std::size_t digits = carrier<L>::value.shards.size();
static_assert(digits<"S[8:1]"_axe> == 1);

// The tensor-core tile of the paper, with the logical shape (8,16).
constexpr layout tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;
static_assert(prints(tile, "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"));
static_assert(size(tile) == 128);
static_assert(span(tile, lane) == 32);
static_assert(span(tile, warp) == 6);
static_assert(cosize(tile, warp) == 11);
static_assert(prints(places(tile, {8, 16}, {2, 9}),
                     "{8@lane + 6@warp + 1@reg, 8@lane + 10@warp + 1@reg}"));
static_assert(places(tile, {8, 16}, {0, 0}) == place_set{5 * warp, 9 * warp});
static_assert(places(tile, {8, 16}, {0, 1}) == place_set{5 * warp + 1 * reg, 9 * warp + 1 * reg});
static_assert(places(tile, {8, 16}, {0, 2}) == place_set{1 * lane + 5 * warp, 1 * lane + 9 * warp});
static_assert(places(tile, {8, 16}, {1, 0}) == place_set{4 * lane + 5 * warp, 4 * lane + 9 * warp});
static_assert(places(tile, {8, 16}, {0, 8}) == place_set{6 * warp, 10 * warp});
static_assert(places(tile, {8, 16}, {7, 15}) ==
              place_set{31 * lane + 6 * warp + 1 * reg, 31 * lane + 10 * warp + 1 * reg});

static_assert(prints(canonicalize("S[(2,4):(4,1)]"_axe), "S[8:1]"));
static_assert(equivalent("S[(2,2):(2,1)]"_axe, "S[4:1]"_axe));
static_assert(prints(group("S[16:1]"_axe, {2, 8}), "S[((2),(8)):((8),(1))]"));
static_assert(!is_injective("S[2:1] + R[2:1]"_axe));
static_assert(sentence(try_places("S[4:1]"_axe, shape(4), coordinate{7}).why).size() > 0);
static_assert(try_parse("S[(0,2):(1,1)]").why == refusal{rule::extent_too_small, {3}});

// Equality: (2:0@m) and (2:0@lane) are one map, the replicas (2:1)(2:3) are not (5:1), and two
// different canonical lists of replicas may be one set.
static_assert(equivalent("S[2:0@m]"_axe, "S[2:0@lane]"_axe));
static_assert(!equivalent("S[] + R[2:1] + R[2:3]"_axe, "S[] + R[5:1]"_axe));
static_assert(equivalent("S[] + R[2:1] + R[4:3] + R[2:5]"_axe,
                         "S[] + R[2:1] + R[3:3] + R[3:4]"_axe));
static_assert(equivalent("S[] + R[3:1] + R[2:4] + R[2:5] + R[3:6]"_axe,
                         "S[] + R[3:1] + R[2:4] + R[2:7] + R[2:10]"_axe));

static_assert(size("S[(65536,65536):(65536,1)]"_axe) == 4294967296);
static_assert(prints("S[(64,64):(64,1)] + 128"_axe, "S[(64,64):(64,1)] + 128"));
static_assert(prints("swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)] + 128"_axe,
                     "swizzle(M=3,B=3,S=3) o S[(64,64):(64,1)] + 128"));
static_assert(prints("S[((2),(8)):((8),(1))]"_axe, "S[((2),(8)):((8),(1))]"));

}  // namespace
