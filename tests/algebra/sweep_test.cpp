// Compares the algebra with the oracle (tests/oracle): every small layout, then many random layouts
// and pairs.
//
//     equal maps <=> equal canonical D, over all lists of 3 digits on one axis and of 2 on two
//     equal sets <=> equivalent, over all lists of 3 replicas on one axis, with and without gaps
#include "algebra/agree.hpp"
#include "oracle/require.hpp"

#include <map>

using namespace axe_test;

namespace {

char const* algebra_only(axe::layout const& l) { return algebra_disagreement(l); }

/// For each map, the canonical forms of the layouts that have it.
using by_map = std::map<oracle::map_table, std::vector<axe::layout>>;

void record(by_map& all, axe::layout const& l) {
  axe::layout const c = axe::canonicalize(l);
  std::vector<axe::layout>& forms = all[oracle::table(to_oracle(l))];
  if (std::find(forms.begin(), forms.end(), c) == forms.end()) forms.push_back(c);
}

std::string words(axe::layout const& l) { return axe::to_text(l).c_str(); }

}  // namespace

TEST_CASE("D alone (paper, A.8): every list keeps its map, and equal maps have one canonical D") {
  by_map all;
  drawn_cases is_drawn;
  auto const look = [&](auto const& picked) {
    if (!is_drawn()) return;
    require_agrees(shards_of(picked), algebra_only);
    record(all, shards_of(picked));
  };
  for_each_short_list(3, 1, look);
  for_each_short_list(2, 2, look);
  for (auto const& [map, forms] : all)
    if (forms.size() != 1) FAIL(words(forms[0]) << " and " << words(forms[1]) << " are one map");
  CHECK(all.size() > static_cast<std::size_t>(drawn(50'000)));
}

TEST_CASE(
    "R alone (paper, A.2 and A.12): a set with gap_ok has one list; lists of other sets are "
    "compared as sets") {
  by_map all;
  drawn_cases is_drawn;
  auto const look = [&](auto const& picked) {
    if (!is_drawn()) return;
    require_agrees(replicas_of(picked), algebra_only);
    record(all, replicas_of(picked));
  };
  for_each_short_list(3, 1, look);
  for_each_short_list(2, 2, look);
  int maps_with_several_forms = 0;
  axe::layout const* previous = nullptr;
  for (auto const& [map, forms] : all) {
    maps_with_several_forms += forms.size() > 1;
    for (axe::layout const& one : forms) {
      if (forms.size() > 1 && axe::gap_ok(one))
        FAIL(words(one) << " is gap_ok, and its set has another list");
      for (axe::layout const& other : forms)
        if (!axe::equivalent(one, other))
          FAIL(words(one) << " and " << words(other) << " are one set");
    }
    if (previous != nullptr && axe::equivalent(*previous, forms[0]))
      FAIL(words(*previous) << " and " << words(forms[0]) << " are two sets");
    previous = &forms[0];
  }
  // For example, {(2:1),(4:3),(2:5)} and {(2:1),(3:3),(3:4)} are one set.
  CHECK(maps_with_several_forms > 0);
}

TEST_CASE("is_injective: every layout of 1 digit and 2 replicas, or 2 digits and 1 replica") {
  drawn_cases is_drawn;
  for_each_list(3, digit_count(1), [&](std::vector<int> const& picked) {
    if (!is_drawn()) return true;
    for (std::size_t in_d : {std::size_t{1}, std::size_t{2}}) {
      axe::layout l;
      for (std::size_t k = 0; k < picked.size(); ++k)
        if (k < in_d)
          l.shards.push(numbered_digit(picked[k]));
        else
          l.replicas.push(numbered_digit(picked[k]));
      require_agrees(l, [](axe::layout const& c) {
        return injective_disagreement(c, oracle::table(to_oracle(c)));
      });
    }
    return true;
  });
}

TEST_CASE("canonical forms, gap_ok and is_injective of random layouts agree with the oracle") {
  random_source d = seeded("algebra", 20260201);
  for (int i = 0; i < samples; ++i) require_agrees(d.layout(), algebra_only);
}

TEST_CASE("equality and first differences of random pairs agree with the oracle") {
  random_source d = seeded("pairs", 20260202);
  int same = 0;
  for (int i = 0; i < samples; ++i) {
    axe::layout const a = d.layout();
    axe::layout const b = i % 8 == 0 ? d.layout() : d.neighbour(a);
    oracle::map_table const map_a = oracle::table(to_oracle(a));
    oracle::map_table const map_b = oracle::table(to_oracle(b));
    same += map_a == map_b;
    if (char const* wrong = equality_disagreement(a, b, map_a, map_b))
      FAIL(words(a) << " and " << words(b) << ": " << wrong);
  }
  CHECK((same > samples / 4 && same < samples * 3 / 4));
}

TEST_CASE("swizzled: equal maps are equivalent, whatever swizzles their layouts have") {
  by_map all;
  drawn_cases is_drawn;
  std::vector<axe::swizzle> swizzles{{}};
  for (int B : {1, 2})
    for (int M : {0, 1})
      for (int S : {-2, -1, 1, 2}) swizzles.push_back({M, B, S});
  for (axe::swizzle const& s : swizzles)
    for (axe::integer offset : {-2, 0, 2})
      for_each_short_list(2, 1, [&](auto const& picked) {
        if (!is_drawn()) return;
        axe::layout l = shards_of(picked);
        if (offset != 0) l.offsets.push({offset, axe::axis::m});
        l.swizzle = s;
        record(all, l);
      });
  int maps_with_several_forms = 0;
  axe::layout const* previous = nullptr;
  for (auto const& [map, forms] : all) {
    maps_with_several_forms += forms.size() > 1;
    for (axe::layout const& other : forms)
      if (!axe::equivalent(forms[0], other))
        FAIL(words(forms[0]) << " and " << words(other) << " are one map");
    if (previous != nullptr) {
      oracle::map_table const map_before = oracle::table(to_oracle(*previous));
      if (char const* wrong = equality_disagreement(*previous, forms[0], map_before, map))
        FAIL(words(*previous) << " and " << words(forms[0]) << ": " << wrong);
    }
    previous = &forms[0];
  }
  CHECK(maps_with_several_forms > drawn(1000));
}
