// Compares the map with the oracle (tests/oracle): every small layout, then many random ones.
//
//     D alone: up to 3 digits of extents 1 to 4 and strides -3 to 8 on m; up to 2 on m and lane
//     R alone: up to 2 iters with these extents and strides on m and lane
#include "algebra/agree.hpp"
#include "map/agree_owners.hpp"
#include "oracle/require.hpp"

using namespace axe_test;

namespace {

char const* map_only(axe::layout const& l) { return map_disagreement(l); }

/// A place that names some of the axes, with positions from one below the least to one above the
/// largest.
axe::place random_place(random_source& d, oracle::map_table const& map) {
  axe::place p;
  for (axe::axis a : known_axes) {
    oracle::range const r = oracle::reached(map, number_of(a));
    if (d.between(0, 2) > 0)
      p.add({d.between(static_cast<int>(r.least) - 1, static_cast<int>(r.largest) + 1), a});
  }
  return p;
}

std::vector<oracle::number> random_shape(random_source& d, oracle::map_table const& map) {
  auto const all = shapes_of(static_cast<oracle::number>(map.size()), d.between(1, 3));
  return all[static_cast<std::size_t>(d.between(0, static_cast<int>(all.size()) - 1))];
}

/// Compares elements, owned_by and not_owned_by at the positions on m from one below the least
/// place to one above the largest.
char const* every_place_on_m(axe::layout const& l) {
  oracle::map_table const map = oracle::table(to_oracle(l));
  oracle::range const r = oracle::reached(map, 0);
  for (auto const& extents : shapes_of(static_cast<oracle::number>(map.size()), 2))
    for (oracle::number n = r.least - 1; n <= r.largest + 1; ++n)
      if (char const* wrong = owners_disagreement(l, map, extents, {{n, axe::axis::m}}))
        return wrong;
  return nullptr;
}

char const* every_box_on_m(axe::layout const& l) {
  oracle::map_table const map = oracle::table(to_oracle(l));
  oracle::number const last = std::max<oracle::number>(1, oracle::reached(map, 0).largest + 2);
  for (oracle::number n = 1; n <= last; ++n)
    if (char const* wrong = coverage_disagreement(l, map, {n, 0, 0})) return wrong;
  return nullptr;
}

}  // namespace

TEST_CASE("D alone: every list of 3 digits on one axis and of 2 on two has the oracle's map") {
  drawn_cases is_drawn;
  auto const look = [&](auto const& picked) {
    if (is_drawn()) require_agrees(shards_of(picked), map_only);
  };
  for_each_short_list(3, 1, look);
  for_each_short_list(2, 2, look);
}

TEST_CASE("R alone: every 2 replicas on one axis and on two have the oracle's set") {
  for_each_short_list(2, 2,
                      [](auto const& picked) { require_agrees(replicas_of(picked), map_only); });
}

TEST_CASE("swizzled layouts have the places of the oracle: every 2 digits, three offsets",
          "[slow]") {
  drawn_cases is_drawn;
  for (int M = 0; M <= 1; ++M)
    for (int B = 1; B <= 3; ++B)
      for (int S : {-3, -2, -1, 1, 2, 3})
        for (axe::integer offset : {-5, 0, 3})
          for_each_short_list(2, 1, [&](auto const& picked) {
            if (!is_drawn()) return;
            axe::layout l = shards_of(picked);
            if (offset != 0) l.offsets.push({offset, axe::axis::m});
            l.swizzle = {M, B, S};
            require_agrees(l, map_only);
          });
}

TEST_CASE("random layouts with replicas, offsets and swizzles have the oracle's map") {
  random_source d = seeded("map", 20260101);
  for (int i = 0; i < samples; ++i) require_agrees(d.layout(), map_only);
}

TEST_CASE("random layouts accept shapes of their size, and no coordinate outside these shapes") {
  random_source d = seeded("coordinates", 20260102, samples / 4);
  for (int i = 0; i < samples / 4; ++i) {
    axe::layout const l = d.layout();
    oracle::map_table const map = oracle::table(to_oracle(l));
    std::vector<oracle::number> const extents = random_shape(d, map);
    if (char const* wrong = coordinates_disagreement(l, map, extents))
      FAIL(axe::to_text(l).c_str()
           << " by " << axe::to_text(to_shape(extents)).c_str() << ": " << wrong);
  }
}

TEST_CASE("every place on m of 2 digits, or of a digit and a replica, has the oracle's elements",
          "[slow]") {
  drawn_cases is_drawn;
  for_each_short_list(2, 1, [&](auto const& picked) {
    if (!is_drawn()) return;
    require_agrees(shards_of(picked), every_place_on_m);
    axe::layout mixed;
    for (std::size_t k = 0; k < picked.size(); ++k) {
      if (k == 0) mixed.shards.push(numbered_digit(picked[k]));
      if (k == 1) mixed.replicas.push(numbered_digit(picked[k]));
    }
    require_agrees(mixed, every_place_on_m);
    require_agrees(shards_of(picked), every_box_on_m);
    require_agrees(mixed, every_box_on_m);
  });
}

TEST_CASE("elements, owners and pieces of owners agree with the oracle for random layouts") {
  random_source d = seeded("owners", 20260103, samples / 4);
  for (int i = 0; i < samples / 4; ++i) {
    axe::layout l = d.layout();
    if (i % 4 == 0)  // up to six replicas
      for (int n = d.between(1, 4); n > 0; --n)
        l.replicas.push(
            {d.between(1, 3), d.between(-3, 6),
             l.swizzle.none() && d.between(0, 1) == 0 ? axe::axis::lane : axe::axis::m});
    oracle::map_table const map = oracle::table(to_oracle(l));
    std::vector<oracle::number> const extents = random_shape(d, map);
    axe::place const p = random_place(d, map);
    if (char const* wrong = owners_disagreement(l, map, extents, p))
      FAIL(axe::to_text(l).c_str() << " by " << axe::to_text(to_shape(extents)).c_str() << " at "
                                   << axe::to_text(p).c_str() << ": " << wrong);
  }
}

TEST_CASE("coverage of random layouts reports contested before holes, and holes before replicas") {
  random_source d = seeded("coverage", 20260104, samples / 4);
  int of_kind[4]{};
  for (int i = 0; i < samples / 4; ++i) {
    axe::layout const l = d.layout();
    oracle::map_table const map = oracle::table(to_oracle(l));
    std::array<oracle::number, oracle::axes> box{};
    for (std::size_t a = 0; a < box.size(); ++a)
      if (d.between(0, 1) == 1)
        box[a] = std::max<oracle::number>(
            1, oracle::reached(map, static_cast<int>(a)).largest + d.between(-1, 2));
    if (box == std::array<oracle::number, oracle::axes>{}) box[0] = 3;
    if (char const* wrong = coverage_disagreement(l, map, box))
      FAIL(axe::to_text(l).c_str()
           << " over m " << box[0] << ", lane " << box[1] << ", warp " << box[2] << ": " << wrong);
    ++of_kind[static_cast<int>(oracle::coverage(map, box))];
  }
  for (int n : of_kind) CHECK(n > samples / 4000);  // each of the four kinds of coverage occurred
}
