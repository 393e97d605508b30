// Tests the laws of laws.hpp on layouts of kernels, small layouts and random ones.
// compiled_laws_test.cpp tests the laws at compile time.
#include "laws/laws.hpp"
#include "oracle/require.hpp"

#include <algorithm>
#include <set>

using namespace axe_test;
using namespace axe::literals;

namespace {

/// Small layouts that resemble each other: equal maps with different digits, maps that differ
/// little, and layouts with every part that a layout can have.
constexpr layout small[] = {
    "S[]"_axe,
    "S[] + 3"_axe,
    "S[8:1]"_axe,
    "S[(2,4):(4,1)]"_axe,
    "S[((2),(4)):((4),(1))]"_axe,
    "S[8:-1] + 7"_axe,
    "S[8:1@lane]"_axe,
    "S[(2,4):(5,1)]"_axe,
    "S[(3,2,1):(2,1,9)]"_axe,
    "S[6:1]"_axe,
    "S[6:0]"_axe,
    "S[6:0@lane]"_axe,
    "S[(2,3):(0,1)]"_axe,
    "S[2:1] + R[2:1]"_axe,
    "S[2:2] + R[2:1]"_axe,
    "S[2:1] + R[2:-4@warp] + 4@warp"_axe,
    "S[2:1] + R[2:4@warp]"_axe,
    "S[] + R[2:1] + R[4:3] + R[2:5]"_axe,
    "S[] + R[2:1] + R[3:3] + R[3:4]"_axe,
    "swizzle(0,1,1) o S[2:1] + 2"_axe,
    "S[2:-1] + 3"_axe,
    "swizzle(0,2,1) o S[(4,2):(2,1)] - 3"_axe,
    "swizzle(1,1,-1) o S[8:1] + R[2:8]"_axe,
    "S[(4,2):(1@TLane,1@TCol)] + R[2:4@TLane]"_axe,
};

/// Layouts of kernels: a tensor-core tile, A of mma, scale factors in tensor memory, a tensor on a
/// mesh of devices, a padded tile, a tile with odd extents, and a swizzled tile of shared memory.
constexpr layout real[] = {
    "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp"_axe,
    "S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe,
    "S[(32,4):(1@TLane,1@TCol)] + R[4:32@TLane]"_axe,
    "S[(4,2,8):(1@gpuid,8,1)] + R[2:4@gpuid]"_axe,
    "S[(16,15):(16,1)]"_axe,
    "S[(3,5,7):(35,7,1)]"_axe,
    "swizzle(3,3,3) o S[(8,64):(64,1)]"_axe,
};

/// Stops at the first layout that breaks one of the laws for single layouts.
template <class Layouts> void require_laws(Layouts const& layouts) {
  auto const require = [&](char const* name, auto law) {
    if (layout const* l = breaks(law, layouts))
      FAIL(name << " does not hold for " << axe::to_text(*l).c_str());
  };
  require("round_trips", law::round_trips);
  require("canonical_is_idempotent", law::canonical_is_idempotent);
  require("canonical_keeps_the_map", law::canonical_keeps_the_map);
  require("measures_bound_the_places", law::measures_bound_the_places);
  require("grouping_keeps_the_map", law::grouping_keeps_the_map);
  require("elements_invert_places", law::elements_invert_places);
  require("owners_have_what_they_own", law::owners_have_what_they_own);
  require("injective_means_one_element_each", law::injective_means_one_element_each);
  require("one_axis_keeps_its_measures", law::one_axis_keeps_its_measures);
}

template <class Layouts> void require_pair_laws(Layouts const& layouts) {
  auto const require = [&](char const* name, auto law) {
    if (layout const* l = breaks_as_pair(law, layouts))
      FAIL(name << " does not hold for a pair with " << axe::to_text(*l).c_str());
  };
  require("order_equality_and_hash_agree", law::order_equality_and_hash_agree);
  require("equivalent_agrees", law::equivalent_agrees);
}

std::vector<layout> random_layouts(random_source& d, int count) {
  std::vector<layout> out;
  for (int i = 0; i < count; ++i) out.push_back(d.layout());
  return out;
}

}  // namespace

TEST_CASE("the laws hold for small layouts and for layouts of real kernels") {
  require_laws(small);
  require_laws(real);
  require_pair_laws(small);
  require_pair_laws(real);
}

TEST_CASE("the laws hold for random layouts") {
  random_source d = seeded("laws", 20260301, samples / 50);
  require_laws(random_layouts(d, samples / 50));
  for (int i = 0; i < 20; ++i) require_pair_laws(random_layouts(d, 60));
}

TEST_CASE("equivalent() and the order are transitive, for random layouts and their variations") {
  random_source d = seeded("relatives", 20260302, samples / 100);
  for (int i = 0; i < samples / 100; ++i) {
    layout const a = d.layout();
    layout const b = d.neighbour(a);
    layout const c = d.neighbour(b);
    if (axe::equivalent(a, b) && axe::equivalent(b, c)) REQUIRE(axe::equivalent(a, c));
    if (a < b && b < c) REQUIRE(a < c);
  }
}

TEST_CASE("hashes of different small layouts differ, and a sorted container finds each") {
  std::set<unsigned long long> hashes;
  std::set<layout> sorted;
  for (int length = 0; length <= 2; ++length)
    for_each_list(length, digit_count(2), [&](std::vector<int> const& picked) {
      for (layout const& l : {shards_of(picked), replicas_of(picked)}) {
        hashes.insert(axe::hash(l));
        sorted.insert(l);
      }
      return true;
    });
  std::size_t const lists = 96 * 96 + 96 + 1;
  CHECK(sorted.size() == 2 * lists - 1);  // an empty D and an empty R are one layout
  CHECK(hashes.size() == sorted.size());
}
