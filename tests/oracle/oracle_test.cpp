// Tests the functions of the oracle against values written by hand.
#include "oracle/oracle.hpp"
#include "oracle/questions.hpp"
#include "support/catch.hpp"

using namespace oracle;

TEST_CASE("walking visits all digits, the last one fastest") {
  CHECK((walk(std::vector<digit>{}) ==
         std::vector<place>{{0, 0, 0}}));  // the empty list has one element
  CHECK((walk({{2, 4, 0}, {2, 1, 1}}) ==
         std::vector<place>{{0, 0, 0}, {0, 1, 0}, {4, 0, 0}, {4, 1, 0}}));  // last digit fastest
  CHECK((walk({{3, -2, 2}}) == std::vector<place>{{0, 0, 0}, {0, 0, -2}, {0, 0, -4}}));
  CHECK((walk({{2, 7, nowhere}}) == std::vector<place>{{}, {}}));
}

TEST_CASE("a table has the set of places of each element, with offset and swizzle") {
  CHECK((table({{{2, 1, 0}}, {{2, 1, 0}}, {10, 0, 0}}) ==
         map_table{{{10, 0, 0}, {11, 0, 0}}, {{11, 0, 0}, {12, 0, 0}}}));
  CHECK((table({{}, {{2, 0, 0}}, {}}) == map_table{{{0, 0, 0}}}));  // equal replicas are one place
  CHECK((table({{{2, 1, 0}}, {}, {2, 0, 0}, {0, 1, 1}}) ==
         map_table{{{3, 0, 0}}, {{2, 0, 0}}}));  // the offset is added before the swizzle
}

TEST_CASE("a swizzle XORs the bits of its formula") {
  // swizzle(3,3,3), 128 bytes of 16-bit elements: row 1 swaps neighbouring chunks of 8 elements.
  CHECK((swizzled({3, 3, 3}, 64) == 72));
  CHECK((swizzled({3, 3, 3}, 72) == 64));
  CHECK((swizzled({3, 3, 3}, 63) == 63));
  CHECK((swizzled({3, 3, 3}, 511) == (511 ^ 56)));
  CHECK((swizzled({3, 3, 3}, 512) == 512));
  CHECK((swizzled({0, 1, 1}, -1) == -2));  // -1 is ...111: bit 0 is XORed with bit 1
  CHECK((swizzled({0, 1, 1}, -2) == -1));
  CHECK((swizzled({0, 2, -2}, 1) == 5));  // S < 0: bit 0 is XORed into bit 2
  CHECK((swizzled({0, 2, -2}, 5) == 1));
  CHECK((swizzled({0, 2, -2}, 4) == 4));
  CHECK((swizzled({0, 2, 1}, 6) == 5));  // |S| < B: 110 ^ 011 = 101
}

TEST_CASE("measures and projections use every place, and coordinates are row-major") {
  CHECK((reached({{{-1, 5, 0}}, {{3, 5, 0}}}, 0).least == -1));
  CHECK((reached({{{-1, 5, 0}}, {{3, 5, 0}}}, 0).largest == 3));
  CHECK((reached({{{-1, 5, 0}}, {{3, 5, 0}}}, 1).least == 5));
  CHECK((on_axis({{{1, 0, 0}, {1, 4, 0}}}, 0) == map_table{{{1, 0, 0}}}));
  CHECK((coordinates({2, 3})[4] == std::vector<number>{1, 1}));
  CHECK((coordinates({}).size() == 1));
}

TEST_CASE("first_difference returns the first element whose places differ") {
  CHECK((first_difference({{{1, 0, 0}}, {{2, 0, 0}}}, {{{1, 0, 0}}, {{3, 0, 0}}}) == 1));
  CHECK((first_difference({{{1, 0, 0}}}, {{{1, 0, 0}}}) == -1));
}

TEST_CASE("elements finds the elements at a place, and rest_at their other components") {
  CHECK((elements({{{0, 1, 0}}, {{1, 1, 0}}, {{0, 2, 0}}}, {{true, false, false}, {0, 9, 9}}) ==
         std::vector<number>{0, 2}));
  CHECK((elements({{{0, 1, 0}}}, {{true, true, false}, {0, 2, 0}}).empty()));
  CHECK((rest_at({{0, 1, 0}, {0, 3, 0}, {1, 7, 0}}, {{true, false, false}, {}}) ==
         place_set{{0, 1, 0}, {0, 3, 0}}));
}

TEST_CASE("injective: no place has two elements") {
  CHECK((!injective(table({{{2, 1, 0}}, {{2, 1, 0}}, {}}))));  // S[2:1] + R[2:1]
  CHECK((injective(
      table({{{2, 2, 0}}, {{2, 1, 0}}, {}}))));       // S[2:2] + R[2:1]: replicas do not conflict
  CHECK((!injective(table({{{2, 0, 0}}, {}, {}}))));  // S[2:0]
}

TEST_CASE("coverage reports contested before holes, holes before replicas, replicas before once") {
  CHECK((coverage({{{0, 0, 0}}, {{1, 0, 0}}}, {2, 0, 0}) == covered::once));
  CHECK((coverage({{{0, 0, 0}}, {{2, 0, 0}}}, {2, 0, 0}) ==
         covered::holes));  // place 2 is outside the box
  CHECK((coverage({{{0, 0, 0}, {1, 0, 0}}}, {2, 0, 0}) == covered::replicas));
  CHECK(
      (coverage({{{0, 0, 0}, {1, 0, 0}}}, {3, 0, 0}) == covered::holes));  // holes before replicas
  CHECK((coverage({{{0, 0, 0}}, {{0, 0, 0}}}, {2, 0, 0}) ==
         covered::contested));  // contested before holes
  CHECK((coverage({{{0, 0, 0}}, {{0, 1, 0}}}, {1, 0, 0}) ==
         covered::contested));  // axis 1 is ignored
  CHECK((coverage({{{0, 0, 0}}, {{0, 1, 0}}}, {1, 2, 0}) == covered::once));
}

TEST_CASE("grouping tries every list of digits") {
  CHECK((fewest_digits(walk({{2, 4, 0}, {4, 1, 0}})) == 1));  // (2:4)(4:1) is 8:1
  CHECK((fewest_digits(walk({{2, 1, 0}, {2, 5, 0}})) == 2));
  CHECK((fewest_digits({{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}) == -1));  // 0, 1, 3 is not a digit list
  CHECK((fewest_digits({{0, 0, 0}, {1, 1, 0}}) == -1));             // a digit has one axis
  CHECK((fewest_digits({{7, 0, 0}, {7, 0, 0}, {7, 0, 0}, {7, 0, 0}}) == 1));  // stride 0
  CHECK((fewest_grouped(walk({{16, 1, 0}}), {2, 8}) == 2));
  CHECK((fewest_grouped(walk({{16, 1, 0}}), {1, 16}) == 1));  // an extent of 1 needs no digit
  CHECK((fewest_grouped(walk({{2, 100, 0}, {3, 1, 0}}), {3, 2}) == -1));
  CHECK((fewest_grouped(walk({{2, 4, 0}, {2, 2, 1}, {2, 1, 0}}), {2, 4}) == 3));
}

TEST_CASE("the oracle has the places of the paper's tensor-core tile") {
  layout const tile{
      {{8, 4, 1}, {2, 1, 2}, {4, 1, 1}, {2, 1, 0}}, {{2, 4, 2}}, {0, 0, 5}, {}};  // reg, lane, warp
  map_table const map = table(tile);
  std::vector<std::vector<number>> const at = coordinates({8, 16});
  REQUIRE(map.size() == 128);
  CHECK(at[41] == std::vector<number>{2, 9});
  CHECK(map[41] == place_set{{1, 8, 6}, {1, 8, 10}});
  CHECK(reached(map, 1).largest == 31);
  CHECK(reached(map, 2).least == 5);
  CHECK(reached(map, 2).largest == 10);
  CHECK(injective(map));
}

TEST_CASE("a swizzle of the oracle is a permutation of its period for S > 0, S < 0 and |S| < B") {
  for (int M = 0; M <= 2; ++M)
    for (int B = 0; B <= 3; ++B)
      for (int S = -4; S <= 4; ++S) {
        if (S == 0) continue;
        number const period = number{1} << (M + B + (S < 0 ? -S : S));
        std::vector<number> seen;
        for (number m = -period; m < 0; ++m) seen.push_back(swizzled({M, B, S}, m));
        std::sort(seen.begin(), seen.end());
        for (number m = 0; m < period; ++m) {
          REQUIRE(seen[static_cast<std::size_t>(m)] == m - period);
          REQUIRE(swizzled({M, B, S}, m + period) == swizzled({M, B, S}, m) + period);
        }
      }
}
