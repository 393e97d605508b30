// Converts layouts to linear maps and back, and compares the places of both: all small layouts on
// one axis, random layouts, all small maps and random maps.
#include "linear/layouts.hpp"
#include "oracle/require.hpp"

#include <axe/linear/print_map.hpp>

namespace {

using namespace axe_test;
using namespace axe::axes;

void require_agreement(axe::layout const& l, axe::shape const& s) {
  if (char const* const wrong = layout_disagreement(l, s))
    FAIL(axe::to_text(l).c_str() << " on " << axe::to_text(static_cast<axe::tree const&>(s)).c_str()
                                 << ": " << wrong);
}
void require_agreement(linear_map const& m) {
  if (char const* const wrong = map_disagreement(m)) FAIL(axe::to_text(m).c_str() << ": " << wrong);
}

TEST_CASE("random layouts have the places of their linear maps") {
  random_source d = seeded("layouts as linear maps", 21, samples / 5);
  int linear = 0;
  for (int i = 0; i < samples / 5; ++i) {
    axe::layout const l = random_layout(d);
    axe::shape const s = random_shape(d, l);
    require_agreement(l, s);
    linear += axe::try_linear(l, s) ? 1 : 0;
  }
  std::printf("%d of %d random layouts are linear\n", linear, samples / 5);
  CHECK(linear > samples / 40);
}

// All layouts with an iter of D (extents 1 to 4, strides -3 to 6), two iters of R (extents 1 to 4,
// strides 1 to 6) and an offset of 0 to 7.
TEST_CASE("every small layout on one axis has the places of its linear map") {
  for (int a = 0; a < 24; ++a)
    for (int b = a; b < 24; ++b)
      for (int c = 0; c < 40; ++c)
        for (int o = 0; o < 8; ++o) {
          axe::layout l;
          l.shards.push({c % 4 + 1, c / 4 - 3, axe::axis::m});
          l.replicas.push({a % 4 + 1, a / 4 + 1, axe::axis::m});
          l.replicas.push({b % 4 + 1, b / 4 + 1, axe::axis::m});
          if (o > 0) l.offsets.push({o, axe::axis::m});
          require_agreement(l, axe::shape(c % 4 + 1));
        }
}

// 65,536 maps of two dimensions and one replica with one bit each: every image of up to 4 bits and
// every offset. Then maps to places on m and lane with 2 bits each.
TEST_CASE("every small map has a layout with its places, unless no layout has them") {
  drawn_cases is_drawn;
  for (unsigned n = 0; n < 1u << 16; ++n) {
    if (!is_drawn()) continue;
    linear_map map({{dim<0>, 1}, {dim<1>, 1}, {replica, 1}}, {{m, 4}});
    for (int c = 0; c < 3; ++c) map.matrix.column[c] = (n >> (4 * c)) & 15;
    map.offset = n >> 12;
    require_agreement(map);
    if (n % 2 == 0) continue;
    linear_map two({{dim<0>, 2}, {replica, 1}}, {{m, 2}, {lane, 2}});
    for (int c = 0; c < 3; ++c) two.matrix.column[c] = map.matrix.column[c];
    two.offset = map.offset;
    require_agreement(two);
  }
}

TEST_CASE("random maps have the places of their layouts") {
  random_source d = seeded("linear maps as layouts", 22, samples / 50);
  for (int i = 0; i < samples / 50; ++i) require_agreement(random_map_to_places(d));
}

}  // namespace
