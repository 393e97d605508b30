// Compares windows with slices, swizzled or not: at every legal origin, the window's layout plus
// its offset must be the slice.
#include <axe/algebra/window.hpp>
#include <axe/axe.hpp>

#include "support/catch.hpp"
#include "support/dice.hpp"

using namespace axe::literals;
using axe::axis;
using axe::integer;

namespace {

constexpr auto matrix = "S[(128,64):(64,1)]"_axe;
static_assert(axe::window(matrix, {128, 64}, {16, 16}).part == "S[(16,16):(64,1)]"_axe);
static_assert(axe::window(matrix, {128, 64}, {16, 16}).steps[0] == 1,
              "each dimension has one stride, so any origin is legal");
constexpr auto blocked = "S[(4,8,64):(2048,100,1)]"_axe;
static_assert(axe::window(blocked, {32, 64}, {8, 64}).steps[0] == 8,
              "whole blocks: origins in steps of 8");
static_assert(!axe::try_window("S[(4,6):(100,1)]"_axe, {24}, {4}),
              "4 does not divide the extent 6");
static_assert(axe::window("S[(4,6):(100,1)]"_axe, {24}, {3}).steps[0] == 3,
              "3 divides 6, so legal origins are multiples of 3");

/// The offset of the window `w` at the origin (i, j).
constexpr axe::place offset_at(axe::layout const& l, axe::shape const& s, axe::shape const& w,
                               integer i, integer j) {
  integer const origin[] = {i, j};
  return axe::window(l, s, w).offset(origin);
}
static_assert(offset_at(matrix, {128, 64}, {16, 16}, 3, 5) == axe::place{197 * axe::axes::m});
static_assert(offset_at(blocked, {32, 64}, {8, 64}, 16, 0) == axe::place{4096 * axe::axes::m},
              "two blocks further");
static_assert(offset_at("S[(4,6):(100,1)]"_axe, {1, 24}, {1, 3}, 0, 9) ==
                  axe::place{103 * axe::axes::m},
              "one outer stride of 100, and 3 elements");
static_assert(axe::try_window(matrix, {128, 64}, {129, 16}).why.which ==
                  axe::rule::window_is_larger &&
              axe::try_window(matrix, {128, 64}, {16}).why.which ==
                  axe::rule::region_has_another_rank &&
              axe::try_window("S[(2,6):(100,1)]"_axe, {3, 4}, {1, 4}).why ==
                  axe::refusal{axe::rule::windows_differ, {0, 1, 6, 4}});

// Dimensions that share a digit: the window covers all of them but the slowest.
static_assert(axe::window("S[(3,2):(5,1)]"_axe, {2, 3, 1}, {2, 3, 1}).part == "S[(3,2):(5,1)]"_axe);
constexpr auto six = "S[(4,6):(100,1)]"_axe;
static_assert(axe::window(six, {6, 4}, {3, 4}).part == "S[(2,6):(100,1)]"_axe);
static_assert(axe::window(six, {6, 4}, {3, 4}).steps[0] == 3, "12 elements are two digits");
static_assert(offset_at(six, {6, 4}, {3, 4}, 3, 0) == axe::place{200 * axe::axes::m});
constexpr auto nine = "S[(2,9,4):(1000,100,1)]"_axe;
static_assert(axe::window(nine, {12, 6}, {2, 6}).part == "S[(3,4):(100,1)]"_axe);
static_assert(axe::window(nine, {12, 6}, {2, 6}).steps[0] == 2, "3 divides the extent 9");
static_assert(offset_at(nine, {12, 6}, {2, 6}, 10, 0) == axe::place{1600 * axe::axes::m});
static_assert(axe::try_window(six, {6, 4}, {3, 1}).why ==
              axe::refusal{axe::rule::window_dimensions_share_a_digit, {0, 1, 1, 4, 1}});

// axe looks for the same map without a swizzle. At the step limit of this search the answer is
// undecided.
constexpr auto turned = "swizzle(0,1,1) o S[(4,3,3):(64,8,1)]"_axe;
static_assert(axe::try_window(turned, {36}, {5}, axe::step_limit(3)).why ==
                  axe::refusal{axe::rule::undecided, {3}} &&
              axe::try_window(turned, {36}, {5}).why.which == axe::rule::windows_differ &&
              axe::try_window(turned, {36}, {37}, axe::step_limit(4)).why.which ==
                  axe::rule::window_is_larger);

// Windows of ldmatrix rows in a 128-byte swizzled tile keep the swizzle: it permutes row 1, not
// row 0.
constexpr auto swizzled = "swizzle(3,3,3) o S[(64,64):(64,1)]"_axe;
static_assert(axe::window(swizzled, {64, 64}, {1, 8}).part == "swizzle(3,3,3) o S[8:1]"_axe);

struct tally {
  long families = 0, wrong = 0, swizzled = 0;
};

/// l has the dimensions (rows, columns).
void compare(axe::layout const& l, integer rows, integer columns, integer height, integer width,
             tally& seen) {
  axe::shape const s{rows, columns}, w{height, width};
  axe::outcome<axe::window_family> const family = axe::try_window(l, s, w);
  if (!family) return;
  ++seen.families;
  seen.swizzled += l.swizzle.none() ? 0 : 1;
  for (integer i = 0; i + height <= rows; i += family->steps[0])
    for (integer j = 0; j + width <= columns; j += family->steps[1]) {
      integer const origin[] = {i, j};
      axe::layout moved = family->part;
      for (axe::term const& t : family->offset(origin).terms) moved = moved + t;
      axe::outcome<axe::layout> const part =
          axe::try_slice(l, s, {{i, i + height}, {j, j + width}});
      if (!part || !axe::equivalent(*part, moved)) {
        ++seen.wrong;
        CAPTURE(axe::to_text(l).c_str(), axe::to_text(s).c_str(), axe::to_text(w).c_str(), i, j);
        CHECK(part);
        CHECK(axe::equivalent(part.value, moved));
      }
    }
}

}  // namespace

TEST_CASE("a window plus its offset is the slice at legal origins") {
  axe_test::dice<integer, std::mt19937> d(20261120);
  tally seen;
  for (int turn = 0; turn < 20'000; ++turn) {
    axe::layout l;
    bool const memory_only = d.between(0, 1) == 1;
    for (integer k = d.between(1, 3); k > 0; --k)
      l.shards.push({d.between(1, 4), d.between(-3, 9),
                     memory_only || d.between(0, 1) == 1 ? axis::m : axis::lane});
    if (memory_only)
      l.swizzle = {static_cast<int>(d.between(0, 1)), static_cast<int>(d.between(1, 2)),
                   static_cast<int>(d.between(1, 2))};
    integer const size = axe::size(l);
    integer rows = d.between(1, size);
    while (size % rows != 0) --rows;
    compare(l, rows, size / rows, d.between(1, rows), d.between(1, size / rows), seen);
  }
  CHECK(seen.wrong == 0);
  CHECK(seen.families > 5'000);
  CHECK(seen.swizzled > 1'000);
}
