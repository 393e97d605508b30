// Tests left_inverse of layouts without a swizzle, with strides up to 2^24: the places of the
// results are checked, and small layouts are compared with a search of all lists of boundaries.
#include "support/catch.hpp"
#include "support/dice.hpp"

#include "plain.hpp"

#include <axe/cute.hpp>

#include <cstdint>

namespace {

namespace cute = axe::cute;
using namespace axe::cute::literals;
using axe::integer;
using axe::refusal;
using axe::rule;
using plain::mode;
using plain::number;

/// True if R(L(i)) = i for all i, and R is the expected layout.
constexpr bool left(cute::layout const& l, cute::layout const& expected) {
  cute::layout const r = cute::left_inverse(l);
  for (integer i = 0; i < cute::size(l); ++i)
    if (*cute::try_at(r, *cute::try_at(l, i)) != i) return false;
  return r == expected;
}
constexpr rule why(cute::layout const& l) { return cute::try_left_inverse(l).why.which; }

static_assert(left("(2,19):(3684,15)"_cute, "(15,245,2):(0,2,1)"_cute),
              "3684 = 9 + 245 * 15, 9 is below 15");
static_assert(left("(5,4):(41,1000003)"_cute, "(41,24390,4):(0,1,5)"_cute), "13 * 3 is below 41");
static_assert(left("(3,7):(61683633,8)"_cute, "(8,15420915):(-23131361,3)"_cute) &&
                  cute::left_inverse("(3,64):(36028797018963969,64)"_cute) ==
                      "(64,1125899906842688):(-1688849860263935,3)"_cute,
              "one boundary is enough");
static_assert(left("(7,2,3):(52215,10,366375)"_cute, "(3,17405,7,3):(7,0,1,14)"_cute),
              "3 divides two of the strides, and 52215 nearly divides the third");
static_assert(left("(6,2):(31,18)"_cute, "(15,2,6):(1,3,0)"_cute), "the digit below 15 counts too");
static_assert(left("Sw<0,0,1> o 36840 o (2,19):(-3684,15)"_cute,
                   "Sw<0,0,1> o -4912 o (2,3,5,1238):(0,-984,493,4)"_cute) &&
                  left("Sw<0,0,1> o 7 o (2,19):(3684,15)"_cute,
                       "Sw<0,0,1> o -489 o (2,3,5,133):(-2,-491,491,4)"_cute),
              "7 + 9 exceeds 15, so the digits of the least place carry");
static_assert(cute::left_inverse("(64000,300):(1000000000015,1000000)"_cute) ==
                  "(1000000,1000000,64000):(0,64000,1)"_cute,
              "one equation for each leaf is enough");
static_assert(why("(3,3,8):(183,354,345)"_cute) == rule::cute_no_left_inverse &&
                  why("(3,6,2):(1765,590,25)"_cute) == rule::cute_no_left_inverse,
              "72 and 36 elements at sparse places");
static_assert(why("(3,100,3):(304,3,1)"_cute) == rule::cute_no_left_inverse,
              "the gaps begin behind the 300 smallest places");
static_assert(why("(4,3,3817981332179508,3):(343,21,0,33)"_cute) == rule::undecided,
              "a list of boundaries was left out because its numbers exceed 64 bits");

/// True if there are integers r with rows * r = values. Subtracts columns from each other until
/// each row has at most one that is not 0.
bool has_solution(std::vector<std::vector<number>> const& rows, std::vector<number> values) {
  std::vector<std::vector<number>> columns(rows[0].size());
  for (auto const& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) columns[k].push_back(row[k]);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (;;) {
      std::sort(columns.begin(), columns.end(), [i](auto const& a, auto const& b) {
        return a[i] != 0 && (b[i] == 0 || std::abs(a[i]) < std::abs(b[i]));
      });
      if (columns.size() < 2 || columns[1][i] == 0) break;
      for (std::size_t k = 1; k < columns.size() && columns[k][i] != 0; ++k)
        for (number n = columns[k][i] / columns[0][i], j = 0; j < static_cast<number>(rows.size());
             ++j)
          columns[k][static_cast<std::size_t>(j)] -= n * columns[0][static_cast<std::size_t>(j)];
    }
    bool const seen = !columns.empty() && columns[0][i] != 0;
    if (!seen && values[i] != 0) return false;
    if (!seen) continue;
    if (values[i] % columns[0][i] != 0) return false;
    for (number n = values[i] / columns[0][i], j = 0; j < static_cast<number>(rows.size()); ++j)
      values[static_cast<std::size_t>(j)] -= n * columns[0][static_cast<std::size_t>(j)];
    columns.erase(columns.begin());
  }
  return true;
}

/// True if some layout maps each place to its element. Tries every list of boundaries in which each
/// is a prime multiple of the one before.
bool has_left_inverse(std::map<number, number> const& wanted,
                      std::vector<number> const& bounds = {1}) {
  number const largest = wanted.rbegin()->first;
  if (2 * bounds.back() > largest) {
    std::vector<std::vector<number>> rows;
    std::vector<number> values;
    for (auto const& [place, element] : wanted) {
      rows.emplace_back();
      for (std::size_t k = 0; k + 1 < bounds.size(); ++k)
        rows.back().push_back(place % bounds[k + 1] / bounds[k]);
      rows.back().push_back(place / bounds.back());
      values.push_back(element);
    }
    return has_solution(rows, values);
  }
  for (number by = 2; by * bounds.back() <= largest; ++by) {
    bool prime = true;
    for (number n = 2; n * n <= by; ++n) prime = prime && by % n != 0;
    std::vector<number> longer = bounds;
    longer.push_back(by * bounds.back());
    if (prime && has_left_inverse(wanted, longer)) return true;
  }
  return false;
}

std::map<number, number> elements_of(mode const& m) {
  std::map<number, number> at;
  for (number i = 0; i < plain::size(m); ++i) at[plain::at(m, i)] = i;
  return at;
}
cute::layout layout_of(mode const& m, number offset) {
  cute::layout l;
  cute::detail::add_group(l, static_cast<int>(m.size()));
  for (plain::leaf const& d : m) cute::detail::add_leaf(l, {d.first, d.second});
  l.set_offset(offset);
  return l;
}
std::string text(cute::layout const& l) { return cute::to_text(l).c_str(); }

/// Compares left_inverse of a small layout with has_left_inverse.
void judge(mode const& m, int& inverted, int& rejected) {
  std::map<number, number> const wanted = elements_of(m);
  if (static_cast<number>(wanted.size()) < plain::size(m)) return;
  cute::layout const l = layout_of(m, 0);
  auto const r = cute::try_left_inverse(l);
  bool right = has_left_inverse(wanted) == static_cast<bool>(r);
  if (!r) right = right && r.why.which == rule::cute_no_left_inverse;
  for (auto const& [place, element] : wanted)
    right = right && (!r || *cute::try_at(*r, place) == element);
  if (!right) FAIL_CHECK(text(l));
  (r ? inverted : rejected) += 1;
}

struct source : axe_test::dice<number> {
  using dice::dice;

  /// A stride up to 2^24. Each stride is equally likely, or (`by_bits`) each number of bits.
  number stride(bool by_bits) {
    if (!by_bits) return between(1, number{1} << 24);
    number const bit = number{1} << between(0, 23);
    return bit + between(0, bit - 1);
  }
  mode layout(int ranks, number most_extent, bool by_bits, bool both_signs) {
    mode m;
    for (number k = between(1, ranks); k > 0; --k) {
      number const d = stride(by_bits);
      m.emplace_back(between(2, most_extent), both_signs && between(0, 1) == 0 ? -d : d);
    }
    return m;
  }
};

}  // namespace

TEST_CASE("left inverses of small layouts agree with a search of all boundaries") {
  int inverted = 0;
  int rejected = 0;
  for (number e = 2; e <= 4; ++e)
    for (number f = 2; f <= 4; ++f)
      for (number d = 1; d <= 13; ++d)
        for (number c = 1; c <= 13; ++c) judge({{e, d}, {f, c}}, inverted, rejected);
  for (number shape = 0; shape < 8; ++shape)
    for (number strides = 0; strides < 9 * 9 * 9; ++strides)
      judge({{2 + shape % 2, 1 + strides % 9},
             {2 + shape / 2 % 2, 1 + strides / 9 % 9},
             {2 + shape / 4, 1 + strides / 81}},
            inverted, rejected);
  CHECK(inverted > 2000);
  CHECK(rejected > 300);
}

TEST_CASE("wide strides have left inverses", "[slow]") {
  struct drawn {
    int ranks;
    number most_extent;
    bool by_bits, both_signs;
    int inverted, undecided;  // at least `inverted` inverses, at most `undecided`
  };
  for (drawn const& d : {drawn{3, 8, false, false, 2750, 230}, drawn{4, 6, true, false, 2190, 430},
                         drawn{4, 6, true, true, 2100, 530}, drawn{2, 40, true, true, 2360, 470}}) {
    source draw(20261121);
    int inverted = 0;
    int undecided = 0;
    for (int turn = 0; turn < 3000; ++turn) {
      mode const m = draw.layout(d.ranks, d.most_extent, d.by_bits, d.both_signs);
      std::map<number, number> const from_zero = elements_of(m);
      number const offset = d.both_signs ? draw.between(0, 100) - from_zero.begin()->first : 0;
      auto const r = cute::try_left_inverse(layout_of(m, offset), axe::step_limit{50'000});
      bool const different = static_cast<number>(from_zero.size()) == plain::size(m);
      bool right = different == (r.why.which != rule::cute_two_elements);
      if (r) {
        right = right && cute::size(*r) > from_zero.rbegin()->first + offset;
        for (auto const& [place, element] : from_zero)
          right = right && *cute::try_at(*r, place + offset) == element;
      } else {
        right = right && (r.why.which == rule::cute_no_left_inverse ||
                          r.why.which == rule::undecided || r.why.which == rule::cute_two_elements);
      }
      if (!right) FAIL_CHECK(text(layout_of(m, offset)));
      inverted += static_cast<bool>(r);
      undecided += r.why.which == rule::undecided;
    }
    CHECK(inverted >= d.inverted);
    CHECK(undecided <= d.undecided);
  }
}
