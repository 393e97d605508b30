// Tests relabel and reorder with facts, and on small cases against every order of a dimension.
//
// Column c is index c of the reordered dimension. An order k is right if k is a layout, the target
// in this order is a layout, and each lane that needs an element of target column k(c) has it in
// source column c. relabel returns the lexicographically first right order that keeps every element
// in its register, or else the first right order.
#include "convert/small_layouts.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"

#include <axe/construct/build.hpp>
#include <axe/construct/literal.hpp>
#include <axe/convert/plan_convert.hpp>
#include <axe/convert/relabel.hpp>

#include <array>
#include <numeric>

using namespace axe;
using namespace axe::literals;

namespace {

constexpr rule relabel_rule(layout const& from, layout const& to, shape const& s, integer d) {
  return try_relabel(from, to, s, d).why.which;
}
constexpr refusal reorder_refusal(layout const& to, shape const& s, integer d,
                                  layout const& order) {
  return try_reorder(to, s, d, order).why;
}

// The source must have every replica that the target needs.
static_assert(relabel("S[2:1@reg] + R[2:1@lane]"_axe, "S[2:1@lane]"_axe, {2}, 0) == "S[2:1]"_axe);
static_assert(relabel_rule("S[2:1@reg]"_axe, "S[2:1@reg] + R[2:1@lane]"_axe, {2}, 0) ==
              rule::no_relabelling);
static_assert(relabel("S[2:1@reg] + R[4:1@lane]"_axe, "S[2:1@reg] + R[2:2@lane]"_axe, {2}, 0) ==
              "S[2:1]"_axe);
static_assert(relabel_rule("S[2:1@reg] + R[2:1@lane]"_axe, "S[2:1@reg] + R[2:2@lane]"_axe, {2},
                           0) == rule::no_relabelling);
// If no right order keeps every element in its register, relabel returns the first right order.
static_assert(relabel("S[(3,2):(1@reg,3@reg)]"_axe, "S[(2,3):(1@reg,2@reg)]"_axe, {1, 6}, 1) ==
              "S[6:1]"_axe);
static_assert(relabel("S[4:1@lane]"_axe, "S[4:-1@lane] + 3@lane"_axe, {4}, 0) == "S[4:-1] + 3"_axe);
static_assert(relabel("S[(2,2):(1@lane,1@reg)]"_axe, "S[(2,2):(1@reg,1@lane)]"_axe, {4}, 0) ==
              "S[(2,2):(1,2)]"_axe);
static_assert(relabel("S[(4,2):(1@lane,1@reg)]"_axe, "S[(2,2,2):(1@lane,2@lane,1@reg)]"_axe, {8},
                      0) == "S[(2,2,2):(2,4,1)]"_axe);
// An element must stay in its warp and on its device, as it must stay in its lane.
static_assert(relabel_rule("S[2:1@warp]"_axe, "S[2:1@reg]"_axe, {2}, 0) == rule::no_relabelling);
static_assert(relabel("S[2:1@gpuid]"_axe, "S[2:-1@gpuid] + 1@gpuid"_axe, {2}, 0) ==
              "S[2:-1] + 1"_axe);
static_assert(relabel_rule("S[(2,4):(1@lane,1@lane)]"_axe, "S[8:1@lane]"_axe, {8}, 0) ==
              rule::registers_contested);
static_assert(try_relabel("S[8:1@lane]"_axe, "S[8:1@lane]"_axe, {4}, 0).why ==
              refusal{rule::shape_does_not_fit, {4, 8}});
static_assert(try_relabel("S[8:1@lane]"_axe, "S[8:1@lane]"_axe, {8}, 1).why ==
              refusal{rule::dimension_outside, {1, 0}});

// The search for a digit's step ends at the step limit.
static_assert(try_relabel("S[2147483649:8@warp]"_axe, "S[2147483649:64@warp]"_axe, {2147483649}, 0,
                          step_limit{40})
                  .why.which == rule::undecided);
static_assert(reorder("S[8:1@reg]"_axe, {8}, 0, "S[8:-1] + 7"_axe) == "S[8:-1@reg] + 7@reg"_axe);
static_assert(reorder("S[(2,4):(4@lane,1@reg)]"_axe, {2, 4}, 1, "S[(2,2):(1,2)]"_axe) ==
              "S[(2,2,2):(4@lane,1@reg,2@reg)]"_axe);
static_assert(reorder("S[1:1@reg] + 2@lane"_axe, {1}, 0, "S[]"_axe) == "S[] + 2@lane"_axe);
static_assert(reorder("S[8:1]"_axe, {8}, 0, "swizzle(0,1,1) o S[8:1]"_axe) ==
              "swizzle(0,1,1) o S[8:1]"_axe);
static_assert(reorder("S[(4,2):(2,1)]"_axe, {4, 2}, 0, "swizzle(0,1,1) o S[4:1]"_axe) ==
              "swizzle(1,1,1) o S[8:1]"_axe);
static_assert(reorder_refusal("S[16:1@reg]"_axe, {8}, 0, "S[8:1]"_axe) ==
              refusal{rule::shape_does_not_fit, {8, 16}});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {9}, 0, "S[8:1]"_axe) ==
              refusal{rule::shape_does_not_fit, {9, 8}});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {2, 8}, 1, "S[8:1]"_axe) ==
              refusal{rule::shape_does_not_fit, {16, 8}});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {8}, 0, "S[16:1]"_axe) ==
              refusal{rule::order_of_another_size, {0, 8, 16}});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {8}, 0, "S[8:1] + R[2:1]"_axe) ==
              refusal{rule::order_has_replicas});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {8}, 0, "S[8:1] + 1@lane"_axe) ==
              refusal{rule::order_not_on_m, {}, {axis::lane}});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {8}, 0, "S[8:0]"_axe) ==
              refusal{rule::order_repeats, {7, 0, 1, 0}});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {8}, 0, "S[8:2]"_axe) ==
              refusal{rule::order_leaves_out, {7, 1}});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {8}, 0, "S[8:1] + 1"_axe) ==
              refusal{rule::order_leaves_out, {7, 0}});
static_assert(reorder_refusal("S[8:1@reg]"_axe, {8}, 0, "swizzle(0,1,1) o S[8:1]"_axe).which ==
              rule::no_layout_steps);
// The swizzle's period need not divide the dimension, nor the product of the extents after it.
static_assert(reorder("S[(2,6):(8,1)]"_axe, {2, 6}, 1, "swizzle(0,1,1) o S[6:1]"_axe) ==
              "swizzle(0,1,1) o S[(2,6):(8,1)]"_axe);
static_assert(reorder("S[(4,3):(4,1)]"_axe, {4, 3}, 0, "swizzle(0,1,1) o S[4:1]"_axe) ==
              "swizzle(2,1,1) o S[(4,3):(4,1)]"_axe);
static_assert(reorder("S[(2,2,3):(3@lane,0,1@reg)] + R[2:4@warp]"_axe, {4, 3}, 0,
                      "swizzle(0,1,1) o S[4:1]"_axe) ==
              "S[(2,2,3):(3@lane,0,1@reg)] + R[2:4@warp]"_axe);
static_assert(reorder_refusal("S[12:1]"_axe, {4, 3}, 0, "swizzle(0,1,1) o S[4:1]"_axe).which ==
              rule::no_layout_steps);

using order = std::vector<int>;  // entry c is k(c)
using point = std::pair<int, int>;

/// True if a list of digits, each on one axis, gives the places in the table.
bool is_digit_list(std::vector<point> const& table, std::size_t grain = 1) {
  if (grain == table.size()) return true;
  auto const from_first = [&](std::size_t x) {
    return point{table[x].first - table[0].first, table[x].second - table[0].second};
  };
  point const step = from_first(grain);
  if (step.first != 0 && step.second != 0) return false;
  for (std::size_t e = 2; grain * e <= table.size(); ++e) {
    if (table.size() % (grain * e) != 0) continue;
    bool fits = true;
    for (std::size_t x = 0; x < table.size() && fits; ++x) {
      std::size_t const first = x - x % (grain * e) + x % grain;
      int const n = static_cast<int>(x / grain % e);
      fits = table[x].first - table[first].first == n * step.first &&
             table[x].second - table[first].second == n * step.second;
    }
    if (fits && is_digit_list(table, grain * e)) return true;
  }
  return false;
}

/// A shape (above, extent, below). Its middle dimension is reordered.
struct middle_dimension {
  int above, extent, below;

  int element(int a, int c, int b) const { return (a * extent + c) * below + b; }
  shape as_shape() const { return shape{above, extent, below}; }
};

/// All places of every element, and the first place of each.
struct table {
  std::vector<std::set<registers::spot>> places;
  std::vector<std::set<int>> lanes;
  std::vector<point> first;

  explicit table(registers::side const& s) {
    for (int x = 0; x < s.size(); ++x) {
      places.push_back(registers::places(s, x));
      std::set<int> on;
      for (registers::spot const& p : places.back()) on.insert(p.first);
      lanes.push_back(on);
      registers::side one = s;
      one.replicas.clear();
      first.push_back(*registers::places(one, x).begin());
    }
  }
};

template <class Set> bool within(Set const& part, Set const& whole) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

/// The first right order, and the first that keeps elements in their registers.
struct right_orders {
  order first, in_place;
  std::vector<bool> has_place;  // true if some k may be assigned to column c

  right_orders(table const& from, table const& to, middle_dimension const& d) {
    std::size_t const n = static_cast<std::size_t>(d.extent);
    // may[c][j]: 2 if column c may hold target column j with each element in its register, 1 if
    // only in its lane, 0 if in neither.
    std::vector<std::vector<int>> may(n, std::vector<int>(n));
    for (int c = 0; c < d.extent; ++c)
      for (int k = 0; k < d.extent; ++k) {
        int best = 2;
        for (int a = 0; a < d.above; ++a)
          for (int b = 0; b < d.below; ++b) {
            auto const f = static_cast<std::size_t>(d.element(a, c, b)),
                       t = static_cast<std::size_t>(d.element(a, k, b));
            best = std::min(best, within(to.places[t], from.places[f]) ? 2
                                  : within(to.lanes[t], from.lanes[f]) ? 1
                                                                       : 0);
          }
        may[static_cast<std::size_t>(c)][static_cast<std::size_t>(k)] = best;
      }
    for (auto const& row : may) has_place.push_back(*std::max_element(row.begin(), row.end()) > 0);
    order k(n);
    std::iota(k.begin(), k.end(), 0);
    do {
      int worst = 2;
      for (std::size_t c = 0; c < n && worst > 0; ++c)
        worst = std::min(worst, may[c][static_cast<std::size_t>(k[c])]);
      if (worst == 0 || (worst == 1 && !first.empty()) || !is_layout(to, d, k)) continue;
      if (first.empty()) first = k;
      if (worst == 2) {
        in_place = k;
        return;
      }
    } while (std::next_permutation(k.begin(), k.end()));
  }

  static std::vector<point> in_order(table const& to, middle_dimension const& d, order const& k) {
    std::vector<point> all;
    for (int a = 0; a < d.above; ++a)
      for (int at : k)
        for (int b = 0; b < d.below; ++b)
          all.push_back(to.first[static_cast<std::size_t>(d.element(a, at, b))]);
    return all;
  }
  static bool is_layout(table const& to, middle_dimension const& d, order const& k) {
    std::vector<point> numbers;
    for (int at : k) numbers.push_back({at, 0});
    return is_digit_list(numbers) && is_digit_list(in_order(to, d, k));
  }
};

/// The place of element x in a layout without replicas that the library returned.
point place_in(layout const& l, int x, axis first, axis second) {
  point at{static_cast<int>(l.offset(first)), static_cast<int>(l.offset(second))};
  for (int k = l.shards.size() - 1; k >= 0; --k) {
    int const extent = static_cast<int>(l.shards[k].extent),
              n = x % extent * static_cast<int>(l.shards[k].stride);
    if (l.shards[k].on == first) at.first += n;
    if (l.shards[k].on == second) at.second += n;
    x /= extent;
  }
  return at;
}

struct tally {
  int answered = 0, rejected = 0, in_place = 0, no_layout = 0, wrong = 0;
};

/// True if the refusal is right: either the column that it names fits nowhere, or every column fits
/// somewhere but no order is a layout.
bool reason_is_right(refusal const& why, right_orders const& expected) {
  if (why.which == rule::no_relabelling)
    return !expected.has_place[static_cast<std::size_t>(why.numbers[1])];
  return why.which == rule::no_relabelling_is_a_layout &&
         std::count(expected.has_place.begin(), expected.has_place.end(), false) == 0;
}

bool is_order(layout const& answer, order const& expected) {
  for (std::size_t c = 0; c < expected.size(); ++c)
    if (place_in(answer, static_cast<int>(c), axis::m, axis::lane) != point{expected[c], 0})
      return false;
  return true;
}

bool has_places(layout const& l, std::vector<point> const& expected) {
  for (std::size_t x = 0; x < expected.size(); ++x)
    if (place_in(l, static_cast<int>(x), axis::lane, axis::reg) != expected[x]) return false;
  return true;
}

void compare(registers::side const& from, registers::side const& to, middle_dimension const& d,
             tally& counts) {
  layout const a = parse(registers::text(from).c_str()), b = parse(registers::text(to).c_str());
  shape const s = d.as_shape();
  table const f(from), t(to);
  right_orders const expected(f, t, d);
  outcome<layout> const answer = try_relabel(a, b, s, 1);
  order const& best = expected.in_place.empty() ? expected.first : expected.in_place;
  bool right = static_cast<bool>(answer) == !best.empty();
  if (!answer) {
    ++counts.rejected;
    counts.no_layout += answer.why.which != rule::no_relabelling;
    right = right && reason_is_right(answer.why, expected);
  } else {
    ++counts.answered;
    counts.in_place += !expected.in_place.empty();
    outcome<layout> const reordered = try_reorder(b, s, 1, *answer);
    right = right && reordered && answer->replicas.empty() && is_order(*answer, best) &&
            has_places(*reordered, right_orders::in_order(t, d, best));
    if (right) {
      conversion_plan const plan = plan_convert(a, *reordered, 8);
      right = plan.shuffles() == 0 && plan.kind != conversion_kind::warps &&
              (expected.in_place.empty() || plan.kind == conversion_kind::nothing);
    }
  }
  if (right) return;
  ++counts.wrong;
  std::string expected_order;
  for (int k : best) expected_order += std::to_string(k) + " ";
  UNSCOPED_INFO(registers::text(from)
                << " to " << registers::text(to) << " as (" << d.above << ',' << d.extent << ','
                << d.below << "): expected " << expected_order << ", got "
                << (answer ? to_text(*answer).c_str()
                           : sentence(answer.why, {&a, &b, &s}).c_str()));
}

/// Compares every `step`-th pair of layouts, in all shapes of rank three whose middle extent is at
/// most six.
tally compare_all(int n, int lanes, std::size_t step = 1) {
  tally counts;
  axe_test::drawn_cases is_drawn;
  std::vector<registers::side> all = small_layouts::on(n, lanes);
  // Layouts whose slowest digit has a negative stride are compared too.
  for (std::size_t i = 0, upward = all.size(); i < upward; ++i) {
    registers::side down = all[i];
    registers::digit& slowest = down.digits.front();
    (slowest.on_lane ? down.lane_offset : down.slot_offset) +=
        (slowest.extent - 1) * slowest.stride;
    slowest.stride = -slowest.stride;
    all.push_back(down);
  }
  for (std::size_t i = 0; i < all.size() * all.size(); i += step)
    for (int above = 1; above <= n; ++above)
      for (int extent = 2; above * extent <= n && extent <= 6; ++extent)
        if (n % (above * extent) == 0 && is_drawn())
          compare(all[i / all.size()], all[i % all.size()], {above, extent, n / above / extent},
                  counts);
  return counts;
}

/// A candidate for an order: digits on m, an offset, a swizzle of one bit and one iter of R.
struct candidate_order {
  std::vector<point> digits;  // (extent, stride), slowest first
  int offset = 0;
  int swizzle = 0;  // bit 0 is XORed with bit `swizzle`, if that is not 0
  int replicas = 1, apart = 0;

  std::string text() const {
    std::string extents, strides;
    for (auto const& [extent, stride] : digits) {
      extents += (extents.empty() ? "" : ",") + std::to_string(extent);
      strides += (strides.empty() ? "" : ",") + std::to_string(stride);
    }
    std::string all = swizzle == 0 ? "" : "swizzle(0,1," + std::to_string(swizzle) + ") o ";
    all += "S[(" + extents + "):(" + strides + ")]";
    if (replicas > 1) all += " + R[" + std::to_string(replicas) + ":" + std::to_string(apart) + "]";
    return all + " + " + std::to_string(offset);
  }
  std::set<int> places(int c) const {
    int first = offset;
    for (std::size_t k = digits.size(); k-- > 0;) {
      first += c % digits[k].first * digits[k].second;
      c /= digits[k].first;
    }
    std::set<int> all;
    for (int j = 0; j < replicas; ++j) {
      int const at = first + j * apart;
      all.insert(swizzle == 0 ? at : at ^ (at >> swizzle & 1));
    }
    return all;
  }
  /// k(c) for each column c if the candidate is a permutation of 0 to n - 1, otherwise nothing.
  order of(int n) const {
    order all;
    std::set<int> used;
    int size = 1;
    for (point const& d : digits) size *= d.first;
    for (int c = 0; c < n && size == n; ++c) {
      std::set<int> const at = places(c);
      if (at.size() != 1 || *at.begin() < 0 || *at.begin() >= n || !used.insert(*at.begin()).second)
        return {};
      all.push_back(*at.begin());
    }
    return all;
  }
};

std::vector<candidate_order> candidate_orders(int n) {
  std::vector<candidate_order> all;
  std::vector<std::vector<int>> lists;
  small_layouts::factor(n, {}, lists);
  for (std::vector<int> const& extents : lists)
    for (int strides = 0; strides < (extents.size() == 1 ? 9 : 81); ++strides)
      for (int offset = 0; offset < n; ++offset)
        for (int swizzle : {0, 1, 2})
          for (point const& replicas : {point{1, 0}, {2, 0}, {2, 1}}) {
            if (extents.size() > 2) continue;
            candidate_order s;
            for (std::size_t k = 0; k < extents.size(); ++k)
              s.digits.push_back({extents[k], (k == 0 ? strides % 9 : strides / 9) - 4});
            s.offset = offset;
            s.swizzle = swizzle;
            s.replicas = replicas.first;
            s.apart = replicas.second;
            // The oracle does not swizzle negative places, so swizzled candidates with such places
            // are left out.
            int least = offset;
            for (point const& d : s.digits) least += std::min(0, (d.first - 1) * d.second);
            if (swizzle == 0 || least >= 0) all.push_back(s);
          }
  return all;
}

/// True if try_reorder agrees with the oracle.
bool reorders_rightly(registers::side const& to, middle_dimension const& d,
                      candidate_order const& by, tally& counts) {
  table const t(to);
  order const k = by.of(d.extent);
  outcome<layout> const answer =
      try_reorder(parse(registers::text(to).c_str()), d.as_shape(), 1, parse(by.text().c_str()));
  ++(answer ? counts.answered : counts.rejected);
  if (k.empty()) return !answer;
  std::vector<point> const expected = right_orders::in_order(t, d, k);
  if (!answer) {
    ++counts.no_layout;
    return !is_digit_list(expected);
  }
  return answer->swizzle.none() && answer->replicas.size() == (to.replicas.empty() ? 0 : 1) &&
         has_places(*answer, expected);
}

}  // namespace

TEST_CASE("reorder accepts every order and nothing else") {
  tally counts;
  axe_test::drawn_cases is_drawn;
  for (middle_dimension const d :
       {middle_dimension{1, 4, 1}, {1, 4, 2}, {2, 4, 1}, {1, 6, 1}, {2, 2, 3}, {3, 4, 1}}) {
    std::vector<registers::side> const all = small_layouts::on(d.above * d.extent * d.below, 8);
    for (candidate_order const& by : candidate_orders(d.extent))
      for (std::size_t i = 0; i < all.size(); i += 1 + all.size() / 8) {
        if (!is_drawn() || reorders_rightly(all[i], d, by, counts)) continue;
        ++counts.wrong;
        UNSCOPED_INFO(registers::text(all[i]) << " as (" << d.above << ',' << d.extent << ','
                                              << d.below << ") in " << by.text());
      }
  }
  CAPTURE(counts.answered, counts.rejected, counts.no_layout);
  CHECK(counts.wrong == 0);
  CHECK(counts.answered > axe_test::drawn(500));
  CHECK(counts.rejected > axe_test::drawn(5000));
  CHECK(counts.no_layout > axe_test::drawn(20));
}

TEST_CASE("relabel returns the first right order") {
  for (auto const& [n, lanes, step] :
       {std::array<std::size_t, 3>{4, 4, 1}, {6, 4, 1}, {8, 4, 17}, {9, 4, 1}, {12, 6, 211}}) {
    tally const counts = compare_all(static_cast<int>(n), static_cast<int>(lanes), step);
    CAPTURE(n, counts.answered, counts.rejected, counts.in_place, counts.no_layout);
    CHECK(counts.wrong == 0);
    CHECK(counts.answered > axe_test::drawn(50));
    CHECK(counts.in_place >= axe_test::drawn(6));
    CHECK(counts.rejected > axe_test::drawn(50));
  }
}
