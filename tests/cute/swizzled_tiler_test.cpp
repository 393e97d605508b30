// Composes, divides and multiplies random layouts. Each operand may be swizzled. Only the places of
// the answers are checked.
#include "support/catch.hpp"
#include "support/dice.hpp"

#include "swizzled_places.hpp"

namespace {

namespace cute = axe::cute;
using axe::rule;
using plain::number;

std::string text(cute::layout const& a, cute::layout const& b) {
  return std::string(cute::to_text(a).c_str()) + ", " + cute::to_text(b).c_str();
}
/// True if the swizzle of l changes a place. Otherwise l has the places of a plain layout.
bool is_swizzled(cute::layout const& l) {
  cute::layout unswizzled = l;
  unswizzled.map.swizzle = {};
  return enumerated::places(l) != enumerated::places(unswizzled);
}
bool swizzled(cute::layout const& a, cute::layout const& b) {
  return is_swizzled(a) || is_swizzled(b);
}

struct counts {
  int answered = 0;
  int rejected = 0;
  int undecided = 0;
};

/// An answer must have these places. A refusal is right if no layout with these modes has the
/// places.
void judge(counts& found, axe::outcome<cute::layout> const& r, std::vector<number> const& wanted,
           plain::mode const& modes, bool behind_swizzles, std::string const& question) {
  if (r) {
    ++found.answered;
    if (enumerated::places(*r) != wanted) FAIL_CHECK(question + ": " + cute::to_text(*r).c_str());
  } else if (r.why.which == rule::undecided) {
    ++found.undecided;
  } else {
    ++found.rejected;
    if (enumerated::are_a_layout(wanted, modes, behind_swizzles))
      FAIL_CHECK(question + ": " + axe::sentence(r.why).c_str());
  }
}

/// The values of `of` at the positions `elements`, or nothing if one is out of range.
std::vector<number> at(std::vector<number> const& of, std::vector<number> const& elements) {
  std::vector<number> found;
  for (number e : elements) {
    if (e < 0 || e >= static_cast<number>(of.size())) return {};
    found.push_back(of[static_cast<std::size_t>(e)]);
  }
  return found;
}
std::vector<number> sums(std::vector<number> const& fast, std::vector<number> const& slow) {
  std::vector<number> all;
  for (number s : slow)
    for (number f : fast) all.push_back(f + s);
  return all;
}

/// A random layout, mostly swizzled, with places below n.
cute::layout inside(enumerated::source& random, number n) {
  for (int turn = 0; turn < 40; ++turn) {
    cute::layout const l = random.layout(2);
    std::vector<number> const v = enumerated::places(l);
    if (*std::min_element(v.begin(), v.end()) >= 0 && *std::max_element(v.begin(), v.end()) < n)
      return l;
  }
  return cute::make_layout(1, 0);
}

}  // namespace

TEST_CASE("a composition with swizzled operands is A at the elements of B") {
  enumerated::source random(20261124);
  counts found;
  for (int turn = 0; turn < 4000; ++turn) {
    cute::layout a = random.layout(3);
    if (turn % 2 == 0) a.map.swizzle = {};
    cute::layout const b = inside(random, static_cast<number>(enumerated::places(a).size()));
    judge(found, cute::try_composition(a, b), at(enumerated::places(a), enumerated::places(b)),
          enumerated::leaves(b), swizzled(a, b), text(a, b));
  }
  CHECK(found.answered > 2000);
  CHECK(found.rejected > 100);
  CHECK(found.undecided < 100);
}

TEST_CASE("a divide by a swizzled tile is A at the tile and its repetitions") {
  enumerated::source random(20261125);
  counts found;
  for (int turn = 0; turn < 4000; ++turn) {
    cute::layout a = random.layout(3);
    if (turn % 2 == 0) a.map.swizzle = {};
    number const size = static_cast<number>(enumerated::places(a).size());
    cute::layout const b = inside(random, size);
    auto const rest = cute::try_complement(b, size);
    if (!rest) continue;
    plain::mode modes = enumerated::leaves(b);
    for (plain::leaf const& d : enumerated::leaves(*rest)) modes.push_back(d);
    judge(found, cute::try_logical_divide(a, b),
          at(enumerated::places(a), sums(enumerated::places(b), enumerated::places(*rest))), modes,
          swizzled(a, b), text(a, b));
  }
  CHECK(found.answered > 500);
  CHECK(found.undecided < 100);
}

TEST_CASE("a product with a swizzled tiler puts the blocks where the tiler says", "[slow]") {
  enumerated::source random(20261126);
  counts found;
  int wrapped = 0;
  for (int turn = 0; turn < axe_test::drawn(4000); ++turn) {
    cute::layout a = random.layout(2);
    cute::layout block = a;
    block.map.swizzle = {};
    block.set_offset(0);
    if (turn % 4 != 0) a = block;
    cute::layout const b = inside(random, 64);
    std::vector<number> const vb = enumerated::places(b);
    number const reach = *std::max_element(vb.begin(), vb.end()) + 1;
    number room = static_cast<number>(enumerated::places(a).size()) * reach;
    auto over = cute::try_complement(block, room);
    while (over && cute::size(*over) < reach) over = cute::try_complement(block, room *= 2);
    if (!over) continue;
    std::vector<number> wanted = sums(enumerated::places(block), at(enumerated::places(*over), vb));
    for (number& place : wanted)
      place = enumerated::xors{a.swizzle().M, a.swizzle().B, a.swizzle().S}.of(a.offset() + place);
    plain::mode modes = enumerated::leaves(a);
    for (plain::leaf const& d : enumerated::leaves(b)) modes.push_back(d);
    auto const r = cute::try_logical_product(a, b);
    judge(found, r, wanted, modes, swizzled(a, b), text(a, b));
    // The blocked product has the same places, but its mode k is mode k of both operands together.
    auto const blocked = cute::try_blocked_product(a, b);
    if (r && blocked) {
      std::vector<number> all = enumerated::places(*blocked);
      std::sort(all.begin(), all.end());
      std::sort(wanted.begin(), wanted.end());
      if (all != wanted) FAIL_CHECK("blocked " + text(a, b));
      wrapped += !blocked->swizzle().none() && a.swizzle().none();
    }
  }
  CHECK(found.answered > axe_test::drawn(2000));
  CHECK(found.undecided < axe_test::drawn(200));
  CHECK(wrapped > axe_test::drawn(100));
}
