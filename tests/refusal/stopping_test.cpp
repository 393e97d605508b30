// Tests that the plain form of an operation throws axe::refused if the try_ form returns a refusal.
// The message is "operation: sentence", and the exception has the refusal's numbers.
#include "support/catch.hpp"

#include <axe/algebra/factor.hpp>
#include <axe/algebra/window.hpp>
#include <axe/axe.hpp>

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

namespace {

layout const good = "S[8:1]"_axe;
layout const beyond = S({9223372036854775807}, {2});

/// The message of the exception that the call threw, or "nothing".
template <class Call> std::string thrown(Call call, rule which) {
  try {
    call();
  } catch (refused const& stop) {
    CHECK(stop.why.which == which);
    return stop.what();
  }
  return "nothing";
}

}  // namespace

TEST_CASE("operator* of a refusal throws its sentence with the numbers") {
  CHECK(thrown([] { (void)*try_slice("S[(4,5):(7,1)]"_axe, {21}, {{3, 12}}); },
               rule::shape_does_not_fit) ==
        "outcome: the shape (...) has 21 elements, but the layout (...) has 20");
}

TEST_CASE("every plain form throws the refusal of its try_ form, with the name of the operation") {
  std::string const overflow =
      "the places of S[9223372036854775807:2] on m are too large: they must lie above -2^63 and "
      "below 2^63 - 1 (with a margin of one period under a swizzle), and the span must fit in 64 "
      "bits";
  CHECK(thrown([] { (void)size(beyond); }, rule::places_overflow) == "size: " + overflow);
  CHECK(thrown([] { (void)span(beyond, m); }, rule::places_overflow) == "span: " + overflow);
  CHECK(thrown([] { (void)(min)(beyond, m); }, rule::places_overflow) == "min: " + overflow);
  CHECK(thrown([] { (void)(max)(beyond, m); }, rule::places_overflow) == "max: " + overflow);
  CHECK(thrown([] { (void)cosize(beyond); }, rule::places_overflow) == "cosize: " + overflow);
  CHECK(thrown([] { (void)places(beyond, 0); }, rule::places_overflow) == "places: " + overflow);
  CHECK(thrown([] { (void)on_axis(beyond, m); }, rule::places_overflow) == "on_axis: " + overflow);
  CHECK(thrown([] { (void)elements(beyond, {1}, {}); }, rule::places_overflow) ==
        "elements: " + overflow);
  CHECK(thrown([] { (void)owner_has(beyond, {1}, {}, 0); }, rule::places_overflow) ==
        "owner_has: " + overflow);
  CHECK(thrown([] { (void)owned_by(beyond, {1}, {}); }, rule::places_overflow) ==
        "owned_by: " + overflow);
  CHECK(thrown([] { (void)coverage(beyond, {{m, 1}}); }, rule::places_overflow) ==
        "coverage: " + overflow);
  CHECK(thrown([] { (void)canonicalize(beyond); }, rule::places_overflow) ==
        "canonicalize: " + overflow);
  CHECK(thrown([] { (void)gap_ok(beyond); }, rule::places_overflow) == "gap_ok: " + overflow);
  CHECK(thrown([] { (void)group(beyond, {1}); }, rule::places_overflow) == "group: " + overflow);
  CHECK(thrown([] { (void)is_injective(beyond); }, rule::places_overflow) ==
        "is_injective: " + overflow);
  CHECK(thrown([] { (void)equivalent(beyond, good); }, rule::places_overflow) ==
        "equivalent: " + overflow);
  CHECK(thrown([] { (void)difference(beyond, good); }, rule::places_overflow) ==
        "difference: " + overflow);
}

TEST_CASE("the sentence names the operand that is wrong, not the first") {
  std::string const overflow =
      "the places of S[9223372036854775807:2] on m are too large: they must lie above -2^63 and "
      "below 2^63 - 1 (with a margin of one period under a swizzle), and the span must fit in 64 "
      "bits";
  CHECK(thrown([] { (void)equivalent(good, beyond); }, rule::places_overflow) ==
        "equivalent: " + overflow);
  CHECK(thrown([] { (void)difference(good, beyond); }, rule::places_overflow) ==
        "difference: " + overflow);
  CHECK(thrown([] { (void)compose(good, beyond); }, rule::places_overflow) ==
        "compose: " + overflow);
  CHECK(thrown([] { (void)tile(good, 8, beyond, 1); }, rule::places_overflow) ==
        "tile: " + overflow);
  CHECK(thrown([] { (void)sum_inner(good, 8, beyond, 1); }, rule::places_overflow) ==
        "sum_inner: " + overflow);
}

TEST_CASE("the sentence names the operands of the call") {
  CHECK(thrown([] { (void)places("S[4:1]"_axe, shape(4), coordinate{7}); },
               rule::coordinate_outside) ==
        "places: entry 0 of the coordinate is 7, which is outside the shape (4) (0 to 3)");
  CHECK(thrown([] { (void)places(good, {2, 5}, {0, 0}); }, rule::shape_does_not_fit) ==
        "places: the shape (2,5) has 10 elements, but the layout S[8:1] has 8");
  CHECK(thrown([] { (void)owned_by(good, {3, 3}, 1 * m); }, rule::shape_does_not_fit) ==
        "owned_by: the shape (3,3) has 9 elements, but the layout S[8:1] has 8");
  CHECK(thrown([] { (void)parse("S[8:4@]"); }, rule::expected_an_axis) ==
        "parse: position 6: expected the name of an axis after '@'");
  CHECK(thrown([] { (void)parse("swizzle(3,3,3) o S[8:1@lane]"); },
               rule::swizzle_acts_on_memory_only) ==
        "parse: a swizzled layout must lie on m only, but swizzle(M=3,B=3,S=3) o S[8:1@lane] also "
        "names lane");
  CHECK(thrown([] { (void)coverage(good, {{m, -1}}); }, rule::box_extent_below_one) ==
        "coverage: the box on m has -1 places, but it needs at least 1");
}

TEST_CASE("the builder rejects invalid layouts") {
  CHECK(thrown([] { (void)S({8, 0}, {1, 1}); }, rule::extent_below_one).find("extent 0") !=
        std::string::npos);
  CHECK(thrown([] { (void)S({8, -2}); }, rule::extent_below_one).find("extent -2") !=
        std::string::npos);
  CHECK(thrown([] { (void)S({8, 2}, {1}); }, rule::strides_do_not_pair) ==
        "S: got 2 extents, but 1 stride");
  CHECK(thrown([] { (void)R({8}, {1, 2}); }, rule::strides_do_not_pair) ==
        "R: got 1 extent, but 2 strides");
  CHECK(thrown(
            [] {
              (void)S({2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2});
            },
            rule::too_many_shards) == "S: D has 25 iters, but a layout holds at most 24");
  CHECK(thrown([] { (void)R({2, 2, 2, 2, 2, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1, 1}); },
               rule::too_many_replicas) ==
        "R: R has more than 8 iters, the most that a layout holds");
  CHECK(thrown(
            [] {
              (void)(S({2}) + R({2, 2, 2, 2, 2}, {1, 1, 1, 1, 1}) + R({2, 2, 2, 2}, {1, 1, 1, 1}));
            },
            rule::too_many_replicas) == "R: R has more than 8 iters, the most that a layout holds");
  CHECK(thrown(
            [] {
              (void)(S({2}) + 1 * lane + 1 * warp + 1 * wg + 1 * tid + 1 * reg + 1 * m + 1 * P +
                     1 * F + 1 * Bank);
            },
            rule::too_many_offsets) ==
        "offset: O names more than 8 axes, but a layout holds offsets on at most 8");
  CHECK(thrown([] { (void)(S({2}) + term(9223372036854775807, m) + 1); },
               rule::result_places_overflow) != "nothing");
  CHECK(thrown([] { (void)S({2, 4294967296, 2147483648}); }, rule::size_overflows) != "nothing");
}

TEST_CASE("if one of two shapes is wrong, the sentence names that shape") {
  layout const four = "S[4:1]"_axe;
  layout const two = "S[2:1]"_axe;
  CHECK(thrown([&] { (void)tile_to(four, 2, 6); }, rule::shape_does_not_fit) ==
        "tile_to: the shape (2) has 2 elements, but the layout S[4:1] has 4");
  CHECK(thrown([&] { (void)tile_to(four, 4, 0); }, rule::shape_extent_below_one) ==
        "tile_to: dimension 0 of the shape (0) has extent 0, but an extent must be at least 1");
  CHECK(thrown([&] { (void)direct_sum(two, 2, four, 0); }, rule::shape_extent_below_one) ==
        "direct_sum: dimension 0 of the shape (0) has extent 0, but an extent must be at least 1");
  CHECK(thrown([&] { (void)tile_outer(four, 4, two, 0); }, rule::shape_extent_below_one) ==
        "tile_outer: dimension 0 of the shape (0) has extent 0, but an extent must be at least 1");
  CHECK(thrown([&] { (void)window(four, 4, 0); }, rule::shape_extent_below_one) ==
        "window: dimension 0 of the shape (0) has extent 0, but an extent must be at least 1");
}

TEST_CASE("an operation with a result throws nothing") {
  CHECK(thrown([] { (void)size(good); }, rule::none) == "nothing");
  CHECK(thrown([] { (void)places(good, 7); }, rule::none) == "nothing");
  CHECK(thrown([] { (void)try_places(good, 8); }, rule::none) == "nothing");
}
