// Tests layouts with numbers of up to 64 bits. `check` must accept exactly the layouts whose
// numbers fit, and all measures must be right; 128-bit arithmetic decides both. Built with
// -fsanitize=undefined, the test also shows that nothing overflows.
#include "oracle/require.hpp"

#include <axe/axe.hpp>

using namespace axe;
using axe_test::random_source;

namespace {

// __extension__ silences -Wpedantic, because 128-bit integers are an extension.
__extension__ using wide = __int128;

constexpr wide largest_integer = detail::largest;

// `check` has a short path for small numbers. That path must reject what the full check rejects:
// small numbers may be invalid, and four extents of 2^16 are too many elements.
constexpr refusal checked(std::initializer_list<iter> digits,
                          std::initializer_list<int> blocks = {}) {
  layout l;
  for (iter const& i : digits) l.shards.push(i);
  for (int b : blocks) l.blocks.push(b);
  return check(l);
}
constexpr iter broad{1 << 15, 0, axis::null};
constexpr iter broader{1 << 16, 0, axis::null};
static_assert(checked({broad, broad, broad, broad}) == refusal{});
static_assert(checked({broader, broader, broader, broader}).which == rule::size_overflows);
static_assert(checked({{4, 1, axis::m}, {0, 1, axis::m}}) ==
              refusal{rule::extent_below_one, {1, 0}});
static_assert(checked({{4, -1, axis::null}}) == refusal{rule::stride_on_no_axis, {0, -1}});
static_assert(checked({{4, 1, axis::m}}, {2}) == refusal{rule::blocks_do_not_cover, {2, 1}});
// A count of iters that no dimension can have is rejected, even if its low 8 bits are a legal
// count. Nine dimensions fill more than one 64-bit word of counts.
static_assert(checked({{4, 1, axis::m}}, {257}) == refusal{rule::blocks_do_not_cover, {255, 1}});
static_assert(checked({{4, 1, axis::m}}, {-1}) == refusal{rule::blocks_do_not_cover, {255, 1}});
constexpr iter two{2, 1, axis::m};
static_assert(block_counts{0, 2}.size() == 2 && block_counts{0, 2}[1] == 2);
static_assert(checked({two, two, two, two, two, two, two, two, two}, {1, 1, 1, 1, 1, 1, 1, 1, 1}) ==
              refusal{});
static_assert(checked({{1 << 15, integer{1} << 40, axis::m},
                       {1 << 15, -(integer{1} << 40), axis::m}}) == refusal{});

/// A stride of any magnitude up to 2^62. A third of them are powers of two or next to one.
integer random_stride(random_source& d) {
  auto const bits = static_cast<unsigned long long>(d.between(0, 62));
  integer const power = static_cast<integer>(1ull << bits);
  integer const any = static_cast<integer>(d.next() & ((1ull << bits) - 1));
  integer const magnitude = d.between(0, 2) == 0 ? power + d.between(-1, 1) : any;
  return d.between(0, 1) == 0 ? magnitude : -magnitude;
}
integer random_extent(random_source& d) {
  if (d.between(0, 3) == 0) return integer{1} << d.between(0, 40);
  return 1 + static_cast<integer>(d.next() & ((1ull << d.between(0, 32)) - 1));
}

layout random_large_layout(random_source& d) {
  layout l;
  auto const on = [&] { return d.between(0, 2) > 0 ? axis::m : axis::lane; };
  for (int k = d.between(0, 3); k > 0; --k)
    l.shards.push({random_extent(d), random_stride(d), on()});
  for (int k = d.between(0, 2); k > 0; --k)
    l.replicas.push({random_extent(d), random_stride(d), on()});
  if (d.between(0, 1) == 1) l.offsets.push({random_stride(d), axis::m});
  detail::order_offsets(l);
  return l;
}

struct wide_reach {
  wide least = 0;
  wide largest = 0;
  bool fits = true;  // every partial sum fits, with and without the offset
};

wide_reach reach(layout const& l, axis a) {
  wide_reach r;
  auto const add = [&](iter const& i) {
    if (i.on == a) (i.stride < 0 ? r.least : r.largest) += wide{i.extent - 1} * i.stride;
  };
  for (iter const& i : l.shards) add(i);
  for (iter const& i : l.replicas) add(i);
  r.fits = r.least >= -largest_integer - 1 && r.largest <= largest_integer;
  r.least += l.offset(a);
  r.largest += l.offset(a);
  // -2^63, which cannot be negated, and 2^63 - 1, which has no cosize, are rejected as places.
  r.fits = r.fits && r.least >= -largest_integer && r.largest < largest_integer &&
           r.largest - r.least + 1 <= largest_integer;
  return r;
}

bool fits(layout const& l) {
  wide size = 1;
  for (iter const& i : l.shards) {
    size *= i.extent;
    if (size > largest_integer) return false;
  }
  return reach(l, axis::m).fits && reach(l, axis::lane).fits;
}

/// The place of element x without replicas, in 128 bits.
wide place_of(layout const& l, axis a, integer x) {
  wide at = l.offset(a);
  for (int k = l.shards.size() - 1; k >= 0; --k) {
    if (l.shards[k].on == a) at += wide{x % l.shards[k].extent} * l.shards[k].stride;
    x /= l.shards[k].extent;
  }
  return at;
}

/// Returns null, or names the operation that is wrong.
char const* large_disagreement(layout const& l, unsigned long long pick) {
  if ((check(l).which == rule::none) != fits(l)) return "check";
  if (!fits(l)) return nullptr;
  for (axis a : {axis::m, axis::lane}) {
    wide_reach const r = reach(l, a);
    if ((min)(l, a) != r.least || (max)(l, a) != r.largest || span(l, a) != r.largest - r.least + 1)
      return "measures";
    if (static_cast<bool>(try_cosize(l, a)) != (r.least >= 0)) return "cosize";
  }
  integer const x = static_cast<integer>(pick % static_cast<unsigned long long>(size(l)));
  layout alone = l;
  alone.replicas.clear();
  for (axis a : {axis::m, axis::lane})
    if ((*places(alone, x).begin())[a] != place_of(l, a, x)) return "places";
  outcome<layout> const c = try_canonicalize(l);
  if (!c) return "canonicalize";
  for (axis a : {axis::m, axis::lane})
    if ((min)(*c, a) != (min)(l, a) || (max)(*c, a) != (max)(l, a))
      return "measures of the canonical form";
  outcome<bool> const same = try_equivalent(l, *c);
  if (same ? !*same : same.why.which != rule::undecided) return "equivalent";
  if (!(parse(to_text(l).c_str()) == l)) return "text";
  outcome<layout> const g = try_group(l, shape(size(l)));
  if (!g || size(*g) != size(l)) return "group";
  return nullptr;
}

}  // namespace

TEST_CASE("layouts that fit in 64 bits are accepted and exact, others are rejected") {
  int const count = axe_test::samples / 10;
  random_source d = axe_test::seeded("limits", 20260401, count);
  int admitted = 0;
  for (int i = 0; i < count; ++i) {
    layout const l = random_large_layout(d);
    unsigned long long const pick = d.next();
    if (char const* wrong = large_disagreement(l, pick)) FAIL(to_text(l).c_str() << ": " << wrong);
    admitted += check(l).which == rule::none;
  }
  CHECK((admitted > count / 5 && admitted < count * 4 / 5));
}

TEST_CASE("a comparison with more than 32 places stops") {
  layout const l = parse("S[] + R[33:1]");
  place_set some;
  for (integer n = 0; n < 32; ++n) some.places.push(place{{n, axis::m}});
  CHECK(places(parse("S[] + R[32:1]"), 0) == some);
  CHECK(!(places(l, 0) == some));
  some.overflowed = true;
  CHECK_THROWS_AS(places(l, 0) == some, refused);
}

TEST_CASE("a box of too many axes is rejected") {
  box all;
  for (char k = 'a'; k < 'a' + 17; ++k)
    if (!all.axes.push({detail::pack_axis(&k, 1, kind::memory), 1})) all.overflowed = true;
  CHECK(try_coverage(parse("S[2:1]"), all).why.which == rule::box_of_too_many_axes);
  all.overflowed = false;
  CHECK(try_coverage(parse("S[2:1]"), all)->how == covered::contested);
}
