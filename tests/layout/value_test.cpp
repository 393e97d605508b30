// Tests layouts as values: comparison member by member, hash, lists, builders, carriers, and use as
// a template argument.
#include <axe/axe.hpp>

#include <type_traits>

namespace {

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

constexpr layout tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;

// == compares values. Two different values may be the same map.
static_assert(tile == "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe);
static_assert("S[4:1]"_axe != "S[(2,2):(2,1)]"_axe &&
              equivalent("S[4:1]"_axe, "S[(2,2):(2,1)]"_axe));
static_assert("S[4:1]"_axe != "S[4:1@lane]"_axe && "S[4:1]"_axe != "S[4:2]"_axe &&
              "S[4:1]"_axe != "S[5:1]"_axe);
static_assert("S[4:1]"_axe != "S[4:1] + 1"_axe && "S[4:1]"_axe != "S[4:1] + R[2:1]"_axe &&
              "S[]"_axe == layout{});
static_assert("S[4:1]"_axe != "S[((4)):((1))]"_axe, "blocks are part of the value");
static_assert("swizzle(0,1,1) o S[4:1]"_axe != "S[4:1]"_axe);
static_assert("S[(1,1):(1,1@lane)] + 1@warp + 2@m"_axe == "S[(1,1):(1,1@lane)] + 2@m + 1@warp"_axe,
              "offsets are sorted by axis");

template <layout L> struct named {};
static_assert(std::is_same_v<named<"S[8:1]"_axe>, named<"S[ 8 : 1@m ]"_axe>> &&
                  !std::is_same_v<named<"S[8:1]"_axe>, named<"S[8:2]"_axe>>,
              "equal values are one template argument");

// Lists that grew and shrank again are equal as template arguments to lists that never grew,
// because unused slots are empty.
constexpr layout regrown() {
  layout l = "S[(8,4):(4,1)] + R[2:4@warp] + 1@warp"_axe;
  l.shards.push({3, 3, lane});
  l.shards.erase(2);
  l.replicas.insert(0, {5, 5, m});
  l.replicas.erase(0);
  l.offsets.push({1, m});
  l.offsets.pop();
  return l;
}
static_assert(regrown() == "S[(8,4):(4,1)] + R[2:4@warp] + 1@warp"_axe);
static_assert(std::is_same_v<named<regrown()>, named<"S[(8,4):(4,1)] + R[2:4@warp] + 1@warp"_axe>>);
static_assert(hash(regrown()) == hash("S[(8,4):(4,1)] + R[2:4@warp] + 1@warp"_axe));

// Inserting an entry keeps the order of the others.
constexpr list<int, 4> inserted() {
  list<int, 4> l;
  l.push(1);
  l.push(3);
  l.insert(1, 2);
  l.insert(0, 0);
  return l;
}
static_assert(inserted()[0] == 0 && inserted()[1] == 1 && inserted()[2] == 2 &&
              inserted()[3] == 3 && inserted().size() == 4);
static_assert(!inserted().push(4) && !inserted().insert(0, 4) && inserted().back() == 3);

// axes_of lists the axes of a layout in the order of their first appearance, without the null axis.
static_assert(axes_of(tile).size() == 3 && axes_of(tile)[0] == lane && axes_of(tile)[1] == warp &&
              axes_of(tile)[2] == reg);
static_assert(axes_of("S[4:0] + R[2:1@wg] + 3@gpuid"_axe).size() == 2 &&
              axes_of("S[4:0]"_axe).empty());
static_assert(axes_of("S[4:0] + R[2:1@wg] + 3@gpuid"_axe)[0] == wg &&
              axes_of("S[4:0@lane]"_axe)[0] == lane);
static_assert(tile.offset(warp) == 5 && tile.offset(lane) == 0 && !tile.grouped() &&
              "S[((2)):((1))]"_axe.grouped());

// The builders S and R make the same layouts as the notation.
static_assert(S({8, 2, 4, 2}, {4 * lane, 1 * warp, 1 * lane, 1 * reg}) + R({2}, {4 * warp}) +
                  5 * warp ==
              tile);
static_assert(S({64, 64}) == "S[(64,64)]"_axe && S({64, 64}) == "S[(64,64):(64,1)]"_axe);
static_assert(S({7, 48, 100}) == "S[(7,48,100):(4800,100,1)]"_axe && S({}) == "S[]"_axe &&
              S({5}) == "S[5:1]"_axe);
static_assert(S({64, 64}, {64, 1}) + 128 == "S[(64,64):(64,1)] + 128"_axe);
static_assert(S({2, 2}, {0, 0 * m}) == "S[(2,2):(0,0@m)]"_axe);
static_assert(S({4}) + R({2, 3}, {4, 8 * lane}) == "S[4:1] + R[2:4] + R[3:8@lane]"_axe);
static_assert(S({4}) + 3 * warp - 3 * warp == S({4}) && S({4}) - 2 == "S[4:1] - 2"_axe &&
              S({4}) + 0 == S({4}));
static_assert(S({4}) + (3 * warp - 2 * lane) == "S[4:1] + 3@warp - 2@lane"_axe);
static_assert(S({4}, {1 * lane}) + 1 * warp + 1 * lane == "S[4:1@lane] + 1@lane + 1@warp"_axe);

// A carrier is a layout as a type. Its member `value` is the layout.
static_assert(carrier<tile>::value == tile && carrier<"S[]"_axe>::value == layout{});
static_assert(carrier<"swizzle(3,3,3) o S[((8),(8,8)):((64),(8,1))] - 9"_axe>::value ==
              "swizzle(3,3,3) o S[((8),(8,8)):((64),(8,1))] - 9"_axe);
static_assert(std::is_same_v<carrier<"S[8:1]"_axe>, carrier<"S[ 8 : 1@m ]"_axe>> &&
              !std::is_same_v<carrier<"S[8:1]"_axe>, carrier<"S[8:2]"_axe>>);
static_assert(
    std::is_same_v<
        carrier<tile>,
        static_layout<shards<iter{8, 4, lane}, iter{2, 1, warp}, iter{4, 1, lane}, iter{2, 1, reg}>,
                      replicas<iter{2, 4, warp}>, offsets<term{5, warp}>>>);
static_assert(size(carrier<tile>{}) == 128 && span(carrier<tile>{}, warp) == 6,
              "value functions take a carrier");
static_assert(std::is_same_v<decltype(group(carrier<"S[16:1]"_axe>{}, extents<2, 8>{})),
                             carrier<"S[((2),(8)):((8),(1))]"_axe>>);
static_assert(
    std::is_same_v<decltype(canonicalize(carrier<"S[(2,4):(4,1)]"_axe>{})), carrier<"S[8:1]"_axe>>);
struct configuration : carrier<"S[(2,4):(4,1)]"_axe> {};
static_assert(std::is_same_v<decltype(canonicalize(configuration{})), carrier<"S[8:1]"_axe>>,
              "a struct that derives from a carrier is a carrier");
static_assert(carries_layout<configuration> && !carries_layout<extents<2, 8>> &&
              !carries_layout<int>);
static_assert(extents<8, 16>::value == shape{8, 16});

}  // namespace
