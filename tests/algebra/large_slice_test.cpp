// Slices of large layouts, which the library decides without visiting every element. No slice may
// be undecided, accepted slices must be right at sampled elements, and skipping repeated steps must
// change no answer.
//
//     slice(S[(5,1048576):(1@reg,5@reg)], (5242880), (562872:2907392))
//     rejected: elements 562872 and 562880 differ by 40, but 1048568 and 1048576 by -5242839
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <axe/axe.hpp>

#include <string>

using namespace axe;
using namespace axe::literals;

namespace {

using dice = axe_test::dice<integer>;

/// A small extent, a product of 2s and 3s up to about `largest`, or any extent up to `largest`.
integer random_extent(dice& d, integer largest) {
  if (d.chance(40)) return d.between(2, 6);
  if (d.chance(50)) {
    integer e = 2;
    while (e < largest / 3 && d.chance(85)) e *= d.chance(70) ? 2 : 3;
    return e;
  }
  return d.between(2, largest);
}

/// A layout whose strides nest, leave gaps, or continue the steps of the faster digits.
layout random_layout(dice& d, integer largest_extent) {
  layout l;
  integer nested = 1;
  integer top = 0;                         // the place of the last element of the faster digits
  integer const large = integer{1} << 40;  // the next digit multiplies `nested` by at most 2^21
  for (int digits = static_cast<int>(d.between(2, 4));
       digits > 0 && nested < large && top < large && top > -large; --digits) {
    iter i{random_extent(d, largest_extent), nested, axis::m};
    if (d.chance(40)) i.stride = d.between(-9, 9);
    if (d.chance(25)) i.stride = top + d.between(1, 3);
    if (d.chance(20)) i.stride += nested;
    if (d.chance(15)) i.on = axis::reg;
    l.shards.insert(0, i);
    nested *= i.extent;
    top += (i.extent - 1) * i.stride;
  }
  return l;
}

/// A region of whole or of half rows. A row is all values of some of the fastest digits.
region random_region(dice& d, layout const& l) {
  integer row = 1;
  for (int k = l.shards.size() - 1; k > 0 && d.chance(50); --k) row *= l.shards[k].extent;
  integer const parts_of_row = l.shards[0].extent > 1 && d.chance(20) ? 2 : 1;
  integer const parts = axe::size(l) / row * parts_of_row;
  integer const begin = d.between(0, parts - 1);
  integer const end = d.between(begin + 1, parts);
  if (row % parts_of_row != 0) return {{begin / 2 * row, (begin / 2 + 1) * row}};
  return {{begin * row / parts_of_row, end * row / parts_of_row}};
}

/// The function of a slice without its skip(), so that the engine visits every element.
struct every_step {
  static constexpr bool of_operand = true;
  detail::box_walk const& walk;

  constexpr int cost() const { return walk.cost(); }
  constexpr integer element(integer x) const { return walk.element(x); }
  constexpr place operator()(integer x) const { return walk(x); }
};

constexpr bool skipping_changes_no_answer(layout const& l, integer begin, integer count,
                                          integer pitch = 1) {
  detail::box_walk walk{detail::digit_function(l.shards), begin, {}};
  walk.box.push({count, pitch, axis::m});
  step_limit fast;
  step_limit slow;
  return detail::fit_digits(walk, count, fast).why ==
             detail::fit_digits(every_step{walk}, count, slow).why &&
         fast.taken < slow.taken && slow.taken < slow.allowed;
}
// The steps repeat after 128 elements: a step other than 1 occurs first at 3 and next at 131.
static_assert(skipping_changes_no_answer("S[(3,2,64):(1064,1000,1)]"_axe, 61, 180));
static_assert(skipping_changes_no_answer("S[(3,3,64):(1064,1000,1)]"_axe, 61, 180));
static_assert(skipping_changes_no_answer("S[(3,200):(1000,1)]"_axe, 2, 150, 3));
static_assert(try_slice("S[(5,1048576):(1@reg,5@reg)]"_axe, 5242880, {{562872, 2907392}}).why ==
              refusal{rule::no_layout_steps_there,
                      {562872, 562880, 40, 1048568, 1048576, -5242839},
                      {axis::reg, axis::reg}});
}  // namespace

TEST_CASE("no slice of a large layout is undecided, and accepted ones have the region's places") {
  dice d(20261121);
  int accepted = 0;
  for (int n = 0; n < 4000; ++n) {
    layout const l = random_layout(d, integer{1} << 21);
    if (check(l)) continue;
    region const r = random_region(d, l);
    outcome<layout> const part = try_slice(l, size(l), r);
    text<256> shown;
    print(shown, l);
    print(shown, r);
    INFO(shown.c_str());
    if (!part) {
      REQUIRE(part.why.which != rule::undecided);
      continue;
    }
    ++accepted;
    integer const extent = r.ranges[0].end - r.ranges[0].begin;
    REQUIRE(size(*part) == extent);
    for (int k = 0; k < 40; ++k) {
      integer const x = k < 8 ? (extent - 1) / 7 * k : d.between(0, extent - 1);
      REQUIRE(places(*part, x) == places(l, r.ranges[0].begin + x));
    }
  }
  CHECK(accepted > 400);
}

TEST_CASE(
    "skipping repeated steps changes neither the answer nor the elements that a refusal names") {
  dice d(7);
  int accepted = 0;
  int skipped = 0;
  for (int n = 0; n < axe_test::drawn(60'000); ++n) {
    layout const l = random_layout(d, 24);
    integer const size = axe::size(l);
    if (size > 20'000) continue;
    detail::iter_list const digits = detail::canonical_shards(l.shards);
    integer const pitch = d.chance(50) ? 1 : d.between(1, 8);
    integer const begin = d.between(0, size - 1);
    integer const all = (size - 1 - begin) / pitch + 1;
    integer const count = d.chance(50) ? all : d.between(1, all);
    detail::box_walk walk{detail::digit_function(digits), begin, {}};
    walk.box.push({count, pitch, axis::m});
    step_limit fast(1'000'000'000);
    step_limit slow(1'000'000'000);
    auto const skipping = detail::fit_digits(walk, count, fast);
    auto const table = detail::fit_digits(every_step{walk}, count, slow);
    text<256> shown;
    print(shown, l);
    INFO(shown.c_str() << " from " << begin << " by " << pitch << ", " << count << " entries");
    REQUIRE(skipping.why == table.why);
    REQUIRE((!table || *skipping == *table));
    accepted += table ? 1 : 0;
    skipped += fast.taken < slow.taken ? 1 : 0;
  }
  CHECK(accepted > axe_test::drawn(3000));
  CHECK(skipped > axe_test::drawn(1000));
}
