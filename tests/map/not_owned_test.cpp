// Tests not_owned_by on random layouts and owners: each element is either at the owner or in
// exactly one piece, and the layout of a piece gives the places of its elements.
#include <axe/axe.hpp>

#include "support/catch.hpp"
#include "support/dice.hpp"

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

namespace {

constexpr layout fragment = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe;

/// The text of all pieces, in order.
constexpr text<1000> others(layout const& l, shape const& s, place const& p) {
  text<1000> all;
  for (piece const& part : not_owned_by(l, s, p)) {
    if (all.size() > 0) all.put("; ");
    print(all, part);
  }
  return all;
}
static_assert(others("S[(4,2,8):(8,1@warp,1)]"_axe, {4, 16}, 1 * warp) ==
              "(0:4, 0:8) holds S[((4),(8)):((8),(1))]");
static_assert(others("S[8:1@lane]"_axe, 8, 3 * lane) ==
                  "(0:3) holds S[((3)):((1@lane))]; (4:8) holds S[((4)):((1@lane))] + 4@lane",
              "the pieces keep the axis of the owner");
static_assert(
    others("S[(3,4):(2@lane,1@lane)]"_axe, {3, 4}, 5 * lane) ==
        "(0:1, 0:4) holds S[((),(4)):((),(1@lane))]; "
        "(1:2, 0:3) holds S[((),(3)):((),(1@lane))] + 2@lane; "
        "(2:3, 0:1) holds S[((),()):((),())] + 4@lane; "
        "(2:3, 2:4) holds S[((),(2)):((),(1@lane))] + 6@lane",
    "elements (1,3) and (2,1) are at lane 5; the pieces lie before, between and after them");
static_assert(others("S[8:1@lane]"_axe, 8, 9 * lane) == "(0:8) holds S[((8)):((1@lane))]",
              "no element is at lane 9");
static_assert(others("S[8:1]"_axe, 8, 0 * lane).size() == 0, "all elements are at lane 0");
constexpr layout on_nine_axes =
    S({2, 2, 2, 2, 2, 2, 2, 2, 2},
      {1 * lane, 1 * warp, 1 * wg, 1 * tid, 1 * cta_x, 1 * cta_y, 1 * cta_z, 1 * reg, 1 * m});
constexpr place at_one_on_each = {1 * lane,  1 * warp,  1 * wg,  1 * tid, 1 * cta_x,
                                  1 * cta_y, 1 * cta_z, 1 * reg, 1 * m};
static_assert(try_not_owned_by(on_nine_axes, 512, at_one_on_each).why ==
                  refusal{rule::too_many_offsets},
              "a piece would need an offset on each axis");
static_assert(try_not_owned_by(on_nine_axes, 512, 1 * m));

/// True if the piece has index `at` of the dimension. `local` becomes its index within the piece.
constexpr bool holds(piece const& part, int dimension, integer at, integer& local) {
  layout const along = part.along(dimension);
  for (local = 0; local < part.extent(dimension); ++local)
    if (places(along, local).first()[m] == at - part.begin(dimension)) return true;
  return false;
}

/// The number of pieces that hold element (i, j), or -1 if one disagrees with the layout.
constexpr int holders(layout const& l, shape const& s, place const& owner, integer i, integer j) {
  int held = 0;
  for (piece const& part : not_owned_by(l, s, owner)) {
    integer p = 0;
    integer q = 0;
    integer const x = i * s[1].nodes.value(0) + j;
    bool const inside =
        part.flattened ? holds(part, 0, x, p) : holds(part, 0, i, p) && holds(part, 1, j, q);
    if (!inside) continue;
    ++held;
    integer const local = part.flattened ? p : p * part.extent(1) + q;
    if (!(places(part.places, local) == places(l, x))) return -1;
  }
  return held;
}

constexpr bool complements(layout const& l, shape const& s, place const& owner) {
  for (integer i = 0; i < s[0].nodes.value(0); ++i)
    for (integer j = 0; j < s[1].nodes.value(0); ++j)
      if (holders(l, s, owner, i, j) != (owner_has(l, s, owner, {i, j}) ? 0 : 1)) return false;
  return true;
}
static_assert(complements("S[(3,4):(2@lane,1@lane)] + R[2:1@lane]"_axe, {3, 4}, 4 * lane));
static_assert(complements("S[(5,3):(1@lane,2@lane)]"_axe, {5, 3}, 4 * lane),
              "the elements of the owner are two rows apart");
static_assert(complements("S[(2,3):(3@lane,1)]"_axe, {3, 2}, 3 * lane), "the pieces are flattened");

}  // namespace

TEST_CASE("each element is at the owner or in one piece") {
  CHECK(complements(fragment, {8, 16}, 8 * lane + 6 * warp));
  CHECK(complements(fragment, {8, 16}, 3 * lane));
  axe_test::dice<integer, std::mt19937> d(7);
  int owned = 0;
  for (int turn = 0; turn < 3'000; ++turn) {
    layout l;
    for (integer k = d.between(1, 3); k > 0; --k)
      l.shards.push(
          {d.between(1, 4), d.between(-2, 3), d.between(0, 2) > 0 ? axis::lane : axis::m});
    if (d.between(0, 3) == 0) l.replicas.push({2, d.between(1, 3), axis::lane});
    integer const n = size(l);
    integer rows = d.between(1, n);
    while (n % rows != 0) --rows;
    shape const s{rows, n / rows};
    place const owner = d.between(-3, 6) * lane;
    owned += elements(l, s, owner).empty() ? 0 : 1;
    INFO(to_text(l).c_str() << " by " << to_text(s).c_str() << " at " << to_text(owner).c_str());
    REQUIRE(complements(l, s, owner));
  }
  CHECK(owned > 500);
}
