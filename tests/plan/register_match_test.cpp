// Compares match_registers with sets of places. It must accept operands if and only if, for each
// register of the first, one register of the second holds the same elements in every thread.
#include "copy_check.hpp"
#include "support/catch.hpp"

#include <axe/notation/print.hpp>
#include <axe/plan/engine/register_match.hpp>

#include <algorithm>
#include <random>

namespace {

using axe::axis;
using axe::integer;
using generator = std::mt19937;

/// One iter of D or of the replicas.
struct random_iter {
  int dimension = 0;  // -1 for replicas
  integer extent = 1;
  axis on = axis::null;  // null: stride 0
  integer stride = 0;
};

std::size_t below(generator& random, std::size_t n) { return random() % n; }

/// Gives the digits on each axis strides in a random order, without gaps.
void number_digits(std::vector<random_iter>& digits, generator& random) {
  for (axis const a : {axis::lane, axis::reg}) {
    std::vector<random_iter*> on;
    for (random_iter& c : digits)
      if (c.on == a) on.push_back(&c);
    std::shuffle(on.begin(), on.end(), random);
    integer stride = 1;
    for (random_iter* c : on) {
      c->stride = stride;
      stride *= c->extent;
    }
  }
}

axe::layout layout_of(std::vector<random_iter> const& digits) {
  axe::layout l;
  for (random_iter const& c : digits) {
    axe::iter const i{c.extent, c.stride, c.on};
    if (c.dimension < 0)
      l.replicas.push(i);
    else
      l.shards.push(c.on == axis::null ? axe::iter{c.extent, 0, axis::reg} : i);
  }
  return l;
}

axis any_axis(generator& random) {
  constexpr axis all[] = {axis::lane, axis::lane, axis::reg, axis::reg, axis::null};
  return all[below(random, 5)];
}

/// Random digits that divide dimensions of these extents, such as 12 and 4. Two results need not
/// have common boundaries.
std::vector<random_iter> random_digits(generator& random, std::vector<integer> const& extents) {
  std::vector<random_iter> digits;
  for (std::size_t d = 0; d < extents.size(); ++d)
    for (integer left = extents[d]; left > 1;) {
      integer const factors[] = {2, 3, 4, 6};
      integer const f = factors[below(random, 4)];
      if (left % f != 0) continue;
      digits.push_back({static_cast<int>(d), f, any_axis(random)});
      left /= f;
    }
  if (below(random, 3) == 0)
    digits.push_back({-1, 2, below(random, 2) == 0 ? axis::lane : axis::reg});
  number_digits(digits, random);
  return digits;
}

/// A variation of the given digits: some get stride 0, and some become replicas.
std::vector<random_iter> variation_of(std::vector<random_iter> digits, generator& random) {
  std::size_t const n = digits.size();
  for (std::size_t k = 0; k < n; ++k) {
    random_iter& c = digits[k];
    if (c.dimension < 0 || c.on == axis::null || below(random, 3) != 0) continue;
    if (c.on == axis::lane) digits.push_back({-1, c.extent, c.on, c.stride});
    digits[k].on = axis::null;
    digits[k].stride = 0;
  }
  if (below(random, 2) == 0) {  // number the registers in another order
    std::vector<random_iter> lanes = digits;
    number_digits(digits, random);
    for (std::size_t k = 0; k < digits.size(); ++k)
      if (digits[k].on == axis::lane) digits[k].stride = lanes[k].stride;
  }
  return digits;
}

struct tile {
  axe::layout where;
  std::vector<integer> extents;
};
axe::shape shape_of(tile const& t) {
  axe::shape s;
  for (integer e : t.extents) s.append(e);
  return s;
}

/// The elements of a tile at each (thread, register).
struct held_elements {
  std::map<std::pair<long long, long long>, std::set<std::size_t>> at;
  long long last_register = 0;
  bool on_threads = false;  // some element is not on thread 0

  explicit held_elements(oracle::map_table const& places) {
    for (std::size_t x = 0; x < places.size(); ++x)
      for (oracle::place const& p : places[x]) {
        at[{p[2], p[1]}].insert(x);
        last_register = std::max<long long>(last_register, p[1]);
        on_threads = on_threads || p[2] != 0;
      }
  }

  /// The registers of this thread that hold element x. A tile without threads is on every thread.
  std::set<long long> registers_with(std::size_t x, long long thread) const {
    std::set<long long> found;
    for (long long r = 0; r <= last_register; ++r)
      if (auto const held = at.find({on_threads ? thread : 0, r});
          held != at.end() && held->second.count(x) != 0)
        found.insert(r);
    return found;
  }
};

/// The element of `from` that belongs to element x of `to`. Dimensions of extent 1 and missing
/// leading dimensions are broadcast.
std::size_t broadcast_element(tile const& to, tile const& from, std::size_t x) {
  std::size_t const missing = to.extents.size() - from.extents.size();
  std::size_t y = 0, stride = 1;
  for (std::size_t d = to.extents.size(); d-- > 0;) {
    auto const extent = static_cast<std::size_t>(to.extents[d]);
    if (d >= missing && from.extents[d - missing] != 1) {
      y += x % extent * stride;
      stride *= extent;
    }
    x /= extent;
  }
  return y;
}

/// For each register of `to`, the registers of `from` that hold all of its elements.
std::vector<std::set<long long>> matches(tile const& to, tile const& from) {
  oracle::map_table const to_places = axe_test::places_of(to.where);
  held_elements const held(axe_test::places_of(from.where));
  std::map<long long, std::set<long long>> found;
  for (std::size_t x = 0; x < to_places.size(); ++x)
    for (oracle::place const& p : to_places[x]) {
      std::set<long long> const here = held.registers_with(broadcast_element(to, from, x), p[2]);
      auto const [it, is_new] = found.try_emplace(p[1], here);
      if (is_new) continue;
      std::set<long long> common;
      std::set_intersection(it->second.begin(), it->second.end(), here.begin(), here.end(),
                            std::inserter(common, common.begin()));
      it->second = common;
    }
  std::vector<std::set<long long>> by_register;
  for (auto const& each : found) by_register.push_back(each.second);
  return by_register;
}

struct tally {
  int legal = 0, rejected = 0, skipped = 0;
};

void compare(tile const& to, tile const& from, tally& n) {
  auto const match = axe::try_match_registers(to.where, shape_of(to), from.where, shape_of(from));
  axe::rule const why = match.why.which;
  // Not compared: layouts that are not partitions, and fragments that begin at different threads.
  if (why != axe::rule::none && why != axe::rule::elementwise_threads &&
      why != axe::rule::elementwise_other_threads && why != axe::rule::elementwise_one_register &&
      why != axe::rule::elementwise_rank) {
    ++n.skipped;
    return;
  }
  auto const expected = matches(to, from);
  bool legal = true;
  for (auto const& each : expected) legal = legal && !each.empty();
  ++(legal ? n.legal : n.rejected);
  if (legal != (why == axe::rule::none))
    FAIL((legal ? "legal, but rejected: " : "illegal, but accepted: ")
         << axe::to_text(to.where).c_str() << " on " << axe::to_text(shape_of(to)).c_str()
         << " from " << axe::to_text(from.where).c_str() << " on "
         << axe::to_text(shape_of(from)).c_str());
  if (!legal) return;
  auto const& at = match.value.at;
  REQUIRE(at.size() == static_cast<int>(expected.size()));
  for (int r = 0; r < at.size(); ++r)
    if (expected[static_cast<std::size_t>(r)].count(at[r]) == 0)
      FAIL("register " << r << " from " << at[r] << ": " << axe::to_text(to.where).c_str()
                       << " from " << axe::to_text(from.where).c_str());
}

}  // namespace

TEST_CASE("a match is a register that holds the same elements in every thread") {
  generator random(8);
  tally n;
  std::vector<std::vector<integer>> const shapes = {{2},    {4},     {12},     {24},
                                                    {4, 6}, {12, 2}, {2, 3, 4}};
  for (int round = 0; round < 20000; ++round) {
    auto const& extents = shapes[below(random, shapes.size())];
    auto const digits = random_digits(random, extents);
    tile const to{layout_of(digits), extents};
    tile from{layout_of(below(random, 4) == 0 ? random_digits(random, extents)
                                              : variation_of(digits, random)),
              extents};
    if (below(random, 4) == 0) {  // broadcasts along one dimension, whose iters become replicas
      std::size_t const d = below(random, extents.size());
      from.extents[d] = 1;
      std::vector<random_iter> kept = digits;
      for (random_iter& c : kept)
        if (c.dimension == static_cast<int>(d)) c = {-1, c.extent, axis::lane, 0};
      number_digits(kept, random);
      from.where = layout_of(kept);
      if (d == 0 && below(random, 2) == 0) from.extents.erase(from.extents.begin());
    }
    if (below(random, 8) == 0) {
      axe::term const later{static_cast<integer>(1) << below(random, 4), axis::lane};
      tile moved = to;
      moved.where.offsets.push(later);
      if (below(random, 2) == 0) from.where.offsets.push(later);
      compare(moved, from, n);
    }
    compare(to, from, n);
  }
  CAPTURE(n.legal, n.rejected, n.skipped);
  CHECK((n.legal > 3000 && n.rejected > 3000));
}
