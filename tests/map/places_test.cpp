// Facts about `places` and `on_axis`, and their limits. sweep_test.cpp tests every small layout.
#include <axe/axe.hpp>

namespace {

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

template <class T> constexpr bool prints(T const& value, char const* expected) {
  return to_text(value) == expected;
}

// The slowest digit of D is first. Strides have any sign. The offset is added. Replicas are a set.
static_assert(places("S[(2,3):(10,1)]"_axe, 4) == place_set{11 * m});
static_assert(places("S[(2,3):(10@lane,1)]"_axe, 4) == place_set{10 * lane + 1 * m});
static_assert(places("S[(2,3):(10,1)]"_axe, {2, 3}, {1, 2}) == place_set{12 * m} &&
                  places("S[(2,3):(10,1)]"_axe, {3, 2}, {2, 1}) == place_set{12 * m} &&
                  places("S[(2,3):(10,1)]"_axe, {3, 2}, {1, 1}) == place_set{10 * m},
              "coordinates are row-major, whether or not the layout groups by the shape");
static_assert(places("S[12:1]"_axe, {2, 3, 2}, {1, 2, 1}) == place_set{11 * m});
static_assert(places("S[4:-2] + 6"_axe, 3) == place_set{0 * m} &&
              places("S[4:-2]"_axe, 3) == place_set{-6 * m});
static_assert(places("S[]"_axe, 0) == place_set{place{}} &&
              places("S[] + 3@warp"_axe, 0) == place_set{3 * warp});
static_assert(places("S[4:0]"_axe, 2) == place_set{place{}} &&
              places("S[4:0@lane]"_axe, 2) == place_set{0 * lane});
static_assert(places("S[2:1] + R[2:1] + R[2:1]"_axe, 1) == place_set{1 * m, 2 * m, 3 * m},
              "two replicas at place 1 count once");
static_assert(places("S[] + R[2:2] + R[2:3] + R[2:5]"_axe, 0).size() == 7,
              "{0,2,3,5,7,8,10}: 5 is 2 + 3 and 5");
static_assert(places("S[2:1] + R[3:-2]"_axe, 0) == place_set{0 * m, -2 * m, -4 * m});
static_assert(places("S[2:1] + R[2:4@warp] + R[2:1@reg]"_axe, 1).size() == 4,
              "replicas on two axes multiply");
static_assert(places("S[2:1] + R[2:0] + R[1:7]"_axe, 1).size() == 1);

// Places print in order. Every axis that the layout names has a number, even if it is 0.
static_assert(prints(places("S[(2,2):(1@lane,1@reg)] + R[2:4@warp]"_axe, 0),
                     "{0@lane + 0@reg + 0@warp, 0@lane + 0@reg + 4@warp}"));
static_assert(prints(places("S[2:1] + R[2:-3]"_axe, 0), "{-3@m, 0@m}") &&
              prints(places("S[4:0]"_axe, 1), "{0}"));
static_assert(prints(places("S[] + R[2:1@warp] + R[2:-1@lane]"_axe, 0),
                     "{0@warp + -1@lane, 0@warp + 0@lane, 1@warp + -1@lane, 1@warp + 0@lane}"));

// The answer of `places` computes its places when they are read, so it may have 10^12 of them.
static_assert(places("S[] + R[1000000:1] + R[1000000:1000000]"_axe, 0).size() == 1000000000000);
static_assert(
    places("S[] + R[65536:1@gpuid] + R[65536:1@pid]"_axe, 0).contains(65535 * gpuid + 65535 * pid));
static_assert(!places("S[] + R[65536:1@gpuid]"_axe, 0).contains(65536 * gpuid) &&
              !places("S[] + R[4:2]"_axe, 0).contains(1 * m));
static_assert(!places("S[] + R[4:2]"_axe, 0).contains(2 * m + 1 * lane),
              "an axis that the layout does not name is at 0");
static_assert(places("S[] + R[4:2]"_axe, 0).contains(2 * m + 0 * lane));
static_assert(!places("S[] + R[4:2]"_axe, 0).contains(detail::largest * m) &&
                  !owner_has("S[8:1]"_axe, 8, detail::largest* m, 3),
              "no element is at 2^63 - 1");

// The swizzle is applied last, to the address that includes the offset.
static_assert(places("swizzle(3,3,3) o S[64:1] + 64"_axe, 0) == place_set{72 * m});
static_assert(places("swizzle(3,3,3) o S[(8,64):(64,1)]"_axe, 65) == place_set{73 * m});
static_assert(places("swizzle(0,1,1) o S[] + R[4:1]"_axe, 0) ==
              place_set{0 * m, 1 * m, 3 * m, 2 * m});
static_assert(prints(places("swizzle(3,3,3) o S[64:1] + 64"_axe, 0), "{72@m}"));
static_assert(prints(places("swizzle(0,1,1) o S[] + R[2:1] + 2"_axe, 0), "{2@m, 3@m}"),
              "sorted after the XOR");
static_assert(places("swizzle(0,1,1) o S[4:1] - 2"_axe, 0) == place_set{-1 * m});

// A coordinate is one row-major index, or has one index for each dimension. It may be nested like
// the shape. Coordinates outside the shape are rejected.
constexpr layout tile = "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)]"_axe;
static_assert(places(tile, {8, 16}, {2, 9}) == places(tile, 41) &&
              places(tile, shape(128), coordinate(41)) == places(tile, 41));
static_assert(places(tile, {8, 16}, 41) == places(tile, 41) &&
              places(tile, {{2, 4}, {2, 8}}, {2, 9}) == places(tile, 41));
static_assert(places(tile, {{2, 4}, {2, 8}}, {{0, 2}, {1, 1}}) == places(tile, 41) &&
              places(tile, {{2, 4}, 16}, {{0, 2}, 9}) == places(tile, 41));
static_assert(places(tile, {{2, {2, 2}}, {2, 8}}, {{0, 2}, {1, 1}}) == places(tile, 41));
static_assert(places(tile, {16, 8}, {5, 1}) == places(tile, 41) &&
              places(tile, {1, 128, 1}, {0, 41, 0}) == places(tile, 41));
static_assert(places("S[(7,48,100):(4800,100,1)]"_axe, {7, 4800}, {6, 4799}) ==
              place_set{33599 * m});
static_assert(places("S[(6,10):(1,7)]"_axe, {4, 15}, {3, 14}) == places("S[(6,10):(1,7)]"_axe, 59),
              "the layout does not group by the shape, so the coordinate is flattened");
static_assert(places("S[(6,10):(1,7)]"_axe, {3, 2, 10}, {1, 1, 4}) == place_set{31 * m},
              "a digit split over two dimensions");
static_assert(places("S[(2,3,2):(100,10,1)]"_axe, {3, 4}, {1, 3}) ==
              places("S[(2,3,2):(100,10,1)]"_axe, 7));
static_assert(places("S[(4,2):(10,1)]"_axe, {2, 4}, {1, 3}) == place_set{31 * m},
              "the digit of 4 lies across both dimensions");

constexpr refusal places_refusal(layout const& l, shape const& s, coordinate const& c) {
  return try_places(l, s, c).why;
}
static_assert(places_refusal("S[4:1]"_axe, shape(4), coordinate{7}) ==
              refusal{rule::coordinate_outside, {0, 7, 3}});
static_assert(places_refusal("S[4:1]"_axe, shape(4), coordinate{4}).which ==
                  rule::coordinate_outside &&
              places_refusal("S[4:1]"_axe, shape(4), coordinate{3}) == refusal{});
static_assert(places_refusal(tile, {8, 16}, {2, 16}) ==
              refusal{rule::coordinate_outside, {1, 16, 15}});
static_assert(places_refusal(tile, {8, 16}, {-1, 0}) ==
              refusal{rule::coordinate_outside, {0, -1, 7}});
static_assert(places_refusal(tile, {8, 16}, 128).which == rule::coordinate_outside &&
              places_refusal(tile, {8, 16}, 127) == refusal{});
static_assert(places_refusal(tile, {{2, 4}, 16}, {8, 0}).which == rule::coordinate_outside,
              "one index for the nested dimension (2,4) counts to 7");
static_assert(places_refusal(tile, {{2, 4}, 16}, {{0, 4}, 0}).which == rule::coordinate_outside);
static_assert(places_refusal(tile, {8, 16}, {2}) ==
              refusal{rule::coordinate_has_another_rank, {1, 2}});
static_assert(places_refusal(tile, {{2, 4}, 16}, {{1, 1, 1}, 0}).which ==
              rule::coordinate_has_another_rank);
static_assert(places_refusal(tile, {8, 16}, {{1, 1}, 0}).which ==
              rule::coordinate_is_nested_deeper);
static_assert(places_refusal(tile, {8, 17}, {0, 0}) ==
              refusal{rule::shape_does_not_fit, {136, 128}});
static_assert(places_refusal(tile, {0, 16}, {0, 0}) ==
              refusal{rule::shape_extent_below_one, {0, 0}});
static_assert(places_refusal(tile, {-8, -16}, {0, 0}).which == rule::shape_extent_below_one,
              "(-8) * (-16) = 128 does not make the shape valid");
static_assert(places_refusal(tile, {4294967296, 4294967296}, {0, 0}).which ==
              rule::shape_overflows);
static_assert(places_refusal("S[]"_axe, {}, {}) == refusal{} &&
              places_refusal("S[]"_axe, {1, 1}, {0, 0}) == refusal{});
static_assert(try_places(tile, -1).why == refusal{rule::index_outside, {-1, 127}} &&
              try_places(tile, 128).why.which == rule::index_outside);

constexpr shape with_entries(int n) {
  shape s;
  for (int i = 0; i < n; ++i) s.append(tree(1));
  return s;
}
static_assert(places_refusal("S[]"_axe, with_entries(47), coordinate(0)) == refusal{});
static_assert(places_refusal("S[]"_axe, with_entries(48), coordinate(0)).which ==
              rule::shape_is_too_large_a_tree);

// on_axis gives the digits of other axes stride 0, and drops the replicas and offsets of other
// axes.
constexpr layout whole =
    "S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp - 1@reg"_axe;
static_assert(prints(on_axis(whole, lane), "S[(8,2,4,2):(4@lane,0,1@lane,0)]"));
static_assert(prints(on_axis(whole, warp), "S[(8,2,4,2):(0,1@warp,0,0)] + R[2:4@warp] + 5@warp"));
static_assert(prints(on_axis(whole, reg), "S[(8,2,4,2):(0,0,0,1@reg)] - 1@reg") &&
              prints(on_axis(whole, gpuid), "S[(8,2,4,2):(0,0,0,0)]"));
static_assert(prints(on_axis("swizzle(3,3,3) o S[64:1] + 2"_axe, m),
                     "swizzle(M=3,B=3,S=3) o S[64:1] + 2"));
static_assert(prints(on_axis("swizzle(3,3,3) o S[64:1] + 2"_axe, lane), "S[64:0]"));

// The places up to 2^63 - 2, the largest legal one, are enumerated without overflow.
constexpr int enumerated(layout const& l) {
  int n = 0;
  for (place const& p : places(l, 0)) {
    if (p.terms.empty() || ++n > 3) break;
  }
  return n;
}
static_assert(enumerated("S[1:1] + 9223372036854775806"_axe) == 1);
static_assert(enumerated("S[1:1] + R[2:1] + 9223372036854775805"_axe) == 2);
static_assert(enumerated("S[1:1] + R[2:1] + 9223372036854775806@lane"_axe) == 2);

}  // namespace
