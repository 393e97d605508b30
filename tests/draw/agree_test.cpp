// Draws random layouts. Compares each cell of the tensor view, and the number of cells of the
// hardware view, with an independent oracle.
#include "draw/xml.hpp"
#include "oracle/convert.hpp"
#include "support/catch.hpp"

#include <axe/axe.hpp>
#include <axe/draw/joined.hpp>
#include <axe/draw/svg_picture.hpp>
#include <axe/draw/text_picture.hpp>

#include <random>
#include <set>

namespace {

using axe::axis;
using axe::integer;

class random_layouts {
 public:
  explicit random_layouts(unsigned seed) : random_(seed) {}

  axe::layout next() {
    axe::layout l;
    bool const swizzled = pick(0, 5) == 0;
    auto const on = [&] {
      return swizzled ? axis::m : axe_test::known_axes[static_cast<std::size_t>(pick(0, 2))];
    };
    auto const iter = [&](integer largest) {
      axe::iter i{pick(1, largest), pick(-5, 12), on()};
      if (pick(0, 9) == 0) i = {i.extent, 0, axis::null};
      return i;
    };
    for (integer k = pick(0, 4); k > 0; --k) l.shards.push(iter(6));
    for (integer k = pick(0, 2); k > 0; --k) l.replicas.push(iter(3));
    if (swizzled)
      l.swizzle = {static_cast<int>(pick(0, 1)), static_cast<int>(pick(1, 2)),
                   static_cast<int>(pick(0, 1)) == 0 ? 2 : -2};
    for (integer k = pick(0, 2); k > 0; --k) l = l + axe::term(pick(-9, 40), on());
    axe::detail::order_offsets(l);
    return l;
  }

  /// A shape for l: the extents of D, where some neighbouring ones are replaced by their product.
  axe::shape shape_of(axe::layout const& l) {
    std::vector<integer> extents;
    for (axe::iter const& i : l.shards)
      if (!extents.empty() && pick(0, 1) == 0)
        extents.back() *= i.extent;
      else
        extents.push_back(i.extent);
    axe::shape s;
    for (integer e : extents) s.append(axe::tree(e));
    return s;
  }

 private:
  integer pick(integer smallest, integer largest) {
    return std::uniform_int_distribution<integer>(smallest, largest)(random_);
  }

  std::mt19937 random_;
};

/// The text that the tensor view must show for the positions of one element on one axis.
std::string expected_word(oracle::place_set const& places, axis a) {
  std::set<oracle::number> positions;
  for (oracle::place const& p : places)
    positions.insert(p[static_cast<std::size_t>(axe_test::number_of(a))]);
  std::string out;
  std::size_t shown = 0;
  for (oracle::number n : positions) {
    if (positions.size() > 4 && shown == 2) break;
    out += axe::drawing::joined(shown++ > 0 ? "," : "", n);
  }
  return positions.size() > 4 ? axe::drawing::joined(out, ",…", *positions.rbegin()) : out;
}

/// The number after the `+` in a cell: the further elements at the place of this cell.
std::size_t others(std::string const& word) {
  std::size_t const plus = word.find(" +");
  return plus == std::string::npos ? 0 : std::stoul(word.substr(plus + 2));
}

void check_tensor(axe::drawing::picture const& p, oracle::map_table const& map,
                  axe::layout const& l) {
  std::size_t x = 0;
  axe::axis_list const axes = axe::axes_of(l);
  axe::drawing::view const& v = p.views[0];
  for (axe::drawing::grid const& g : v.grids)
    for (axe::drawing::cell const& c : g.cells) {
      if (c.kind != axe::drawing::cell::held) continue;
      REQUIRE(x < map.size());
      if (axes.empty()) {
        CHECK(c.words == std::vector<std::string>{"0"});
      } else {
        REQUIRE(c.words.size() == static_cast<std::size_t>(axes.size()));
        for (int a = 0; a < axes.size(); ++a)
          REQUIRE(c.words[static_cast<std::size_t>(a)] == expected_word(map[x], axes[a]));
      }
      REQUIRE(c.several == (map[x].size() > 1));
      ++x;
    }
  CHECK(x == map.size());
}

/// Compares the number of cells with elements, and the number of these elements, with the oracle's.
void check_hardware(axe::drawing::picture const& p, oracle::map_table const& map) {
  oracle::place_set all;
  std::size_t pairs = 0;
  for (oracle::place_set const& places : map) {
    all.insert(all.end(), places.begin(), places.end());
    pairs += places.size();
  }
  all = oracle::sorted(all);
  axe::drawing::view const& v = p.views[1];
  for (std::string const& note : v.notes) REQUIRE(note.rfind("drawn:", 0) != 0);
  std::size_t held = 0, shown = 0;
  for (axe::drawing::grid const& g : v.grids)
    for (axe::drawing::cell const& c : g.cells)
      if (c.kind == axe::drawing::cell::held) {
        ++held;
        shown += 1 + others(c.words.at(0));
      }
  CHECK(held == all.size());
  CHECK(shown == pairs);
}

}  // namespace

TEST_CASE("both views of random layouts agree with the oracle, and pictures are well-formed") {
  random_layouts source(20240607);
  for (int n = 0; n < 400; ++n) {
    axe::layout const l = source.next();
    axe::shape const s = source.shape_of(l);
    CAPTURE(n, axe::to_text(l).c_str(), axe::to_text(static_cast<axe::tree const&>(s)).c_str());
    oracle::map_table const map = oracle::table(axe_test::to_oracle(l));
    axe::drawing::picture const p = axe::drawing::make_picture(l, s, {});
    check_tensor(p, map, l);
    check_hardware(p, map);
    if (n % 8 != 0) continue;
    std::string const svg = axe::drawing::svg_picture(p);
    CHECK(axe_test::xml_mistake(svg) == "");
    CHECK(svg.size() <= 3'000'000);
    CHECK_FALSE(axe::drawing::tensor_text(l, s).empty());
    CHECK_FALSE(axe::drawing::hardware_text(l, s).empty());
  }
}

TEST_CASE("a random layout is its block, repeated at the strides that find_block returns") {
  random_layouts source(11);
  int blocks = 0;
  for (int n = 0; n < 400; ++n) {
    axe::layout const l = source.next();
    axe::shape const s = source.shape_of(l);
    axe::drawing::subject const of = axe::drawing::make_subject(l, s);
    auto const found = axe::drawing::find_block(of, {2, 8});
    if (!found) continue;
    ++blocks;
    CAPTURE(n, axe::to_text(l).c_str(), axe::to_text(found->block.where).c_str());
    oracle::map_table const whole = oracle::table(axe_test::to_oracle(l));
    oracle::map_table const block = oracle::table(axe_test::to_oracle(found->block.where));
    REQUIRE(whole.size() == block.size() * static_cast<std::size_t>(found->times));
    for (std::size_t x = 0; x < whole.size(); ++x) {
      // Element x is element `inside` of the block, at repetition outer[d] of dimension d.
      std::vector<integer> outer;
      std::size_t rest = x, inside = 0, scale = 1;
      for (std::size_t d = of.extents.size(); d-- > 0;) {
        auto const extent = static_cast<std::size_t>(of.extents[d]);
        auto const part = static_cast<std::size_t>(found->block.extents[d]);
        std::size_t const at = rest % extent;
        rest /= extent;
        inside += at % part * scale;
        scale *= part;
        outer.insert(outer.begin(), static_cast<integer>(at / part));
      }
      oracle::place_set moved = block[inside];
      for (std::size_t k = found->outer.size(); k-- > 0;) {
        axe::drawing::repetition const& r = found->outer[k];
        integer const digit = outer[r.dimension] % r.count;
        outer[r.dimension] /= r.count;
        if (r.on == axis::null) continue;
        for (oracle::place& p : moved)
          p[static_cast<std::size_t>(axe_test::number_of(r.on))] += digit * r.stride;
      }
      REQUIRE(oracle::sorted(moved) == oracle::sorted(whole[x]));
    }
  }
  CHECK(blocks > 100);
}

TEST_CASE("a difference of random layouts marks the elements whose places differ") {
  random_layouts source(7);
  int pairs = 0;
  for (int n = 0; n < 300; ++n) {
    axe::layout const a = source.next();
    axe::layout b = a;
    if (!b.shards.empty()) b.shards[b.shards.size() / 2].stride += n % 3;
    if (!b.swizzle.none() && n % 2 == 0) b.swizzle = {};
    for (axe::iter& i : b.shards)
      if (i.on == axis::null) i.stride = 0;
    axe::shape const s = source.shape_of(a);
    CAPTURE(n, axe::to_text(a).c_str(), axe::to_text(b).c_str());
    oracle::map_table const one = oracle::table(axe_test::to_oracle(a));
    oracle::map_table const two = oracle::table(axe_test::to_oracle(b));
    axe::drawing::picture const p = axe::drawing::difference_picture(a, b, s);
    std::size_t x = 0;
    for (axe::drawing::grid const& g : p.views[0].grids)
      for (axe::drawing::cell const& c : g.cells) {
        if (c.kind != axe::drawing::cell::held) continue;
        REQUIRE(c.marked == (one[x] != two[x]));
        pairs += c.marked;
        ++x;
      }
    CHECK(x == one.size());
  }
  CHECK(pairs > 100);
}
