// Tests the fuzzer's oracle against the oracle of tests/oracle, and against lists of all small
// maps.
//
//     coded places        the table of a layout equals oracle::table
//     is_digit_list       all functions on 4, 6 and 8 elements with small values: true iff listed
//     completes           all sets up to 12: true iff it is the sums of some iters
#include "fuzz/expected_pairs.hpp"
#include "oracle/samples.hpp"
#include "support/catch.hpp"

#include <set>

using namespace fuzz;

namespace {

/// The maps of all digit lists with n elements and strides from -`most` to `most`. The digits are
/// on axis 0 or, with two_axes, on axes 0 and 1.
std::set<std::vector<number>> all_digit_lists(number n, number most, bool two_axes) {
  std::set<std::vector<number>> all;
  auto const extend = [&](auto const& self, number left, std::vector<digit> const& begun) -> void {
    if (left == 1) {
      all.insert(sums(begun));
      return;
    }
    for (number e = 2; e <= left; ++e)
      for (number s = -most; s <= most && left % e == 0; ++s)
        for (int on = 0; on <= (two_axes ? 1 : 0); ++on) {
          std::vector<digit> longer = begun;
          longer.push_back({e, s, on});
          self(self, left / e, longer);
        }
  };
  extend(extend, n, {});
  return all;
}

/// Visits all functions with f(0) = 0 and values from this list.
template <class Visit>
void all_functions(std::size_t n, std::vector<number> const& values, Visit visit) {
  std::vector<std::size_t> at(n, 0);
  std::vector<number> f(n, 0);
  for (;;) {
    for (std::size_t i = 1; i < n; ++i) f[i] = values[at[i]];
    visit(f);
    std::size_t k = n - 1;
    while (k > 0 && ++at[k] == values.size()) at[k--] = 0;
    if (k == 0) return;
  }
}

int disagreements(std::size_t n, std::vector<number> const& values,
                  std::set<std::vector<number>> const& all) {
  int wrong = 0;
  all_functions(n, values, [&](std::vector<number> const& f) {
    wrong += is_digit_list(f) != (all.count(f) > 0);
  });
  return wrong;
}

/// Inserts every set of sums of iters whose largest sum is `reach`, as bits.
void all_sums(number left, number least, unsigned now, std::set<unsigned>& out) {
  if (left == 0) out.insert(now);
  for (number s = least; s <= left; ++s)
    for (number e = 2; (e - 1) * s <= left; ++e) {
      unsigned next = 0;
      for (number j = 0; j < e; ++j) next |= now << (j * s);
      all_sums(left - (e - 1) * s, s, next, out);
    }
}

}  // namespace

TEST_CASE("coded places: the table of a layout is that of its enumeration") {
  axe_test::random_source d{3};
  for (int i = 0; i < 20'000; ++i) {
    axe::layout const random = d.layout();
    layout plain;
    oracle::layout walked;
    auto const number_of = [](axe::axis a) {
      return a == axe::axis::null ? -1 : a == axe::axis::m ? 0 : a == axe::axis::lane ? 1 : 2;
    };
    for (axe::iter const& s : random.shards)
      plain.d.push_back({s.extent, s.stride, number_of(s.on)});
    for (axe::iter const& r : random.replicas)
      plain.r.push_back({r.extent, r.stride, number_of(r.on)});
    for (axe::term const& t : random.offsets)
      plain.o[static_cast<std::size_t>(number_of(t.on))] = t.n;
    plain.f = {random.swizzle.M, random.swizzle.B, random.swizzle.S};
    walked.d = plain.d;
    walked.r = plain.r;
    walked.f = plain.f;
    std::copy(plain.o.begin(), plain.o.begin() + 3, walked.o.begin());
    map const m = map_of(plain);
    oracle::map_table const table = oracle::table(walked);
    REQUIRE(m.size() == table.size());
    for (std::size_t x = 0; x < m.size(); ++x) {
      std::vector<number> want;
      for (oracle::place const& p : table[x])
        want.push_back(coded(p[0], 0) + coded(p[1], 1) + coded(p[2], 2));
      REQUIRE(places(m, x) == as_set(want));
    }
  }
}

TEST_CASE("coded places: each component is read back from a sum of codes") {
  for (number a : {-7, 0, 30000})
    for (number b : {-30000, -1, 5})
      for (number c : {-2, 0, 9})
        for (number d : {-3, 0, 31000}) {
          number const p = coded(a, 0) + coded(b, 1) + coded(c, 2) + coded(d, 3);
          REQUIRE((component(p, 0) == a && component(p, 1) == b && component(p, 2) == c &&
                   component(p, 3) == d));
        }
  CHECK(on_one_axis(coded(-5, 2)));
  CHECK_FALSE(on_one_axis(coded(-5, 2) + coded(1, 0)));
}

TEST_CASE("is_digit_list is right for all small functions of 4, 6 and 8 elements") {
  CHECK(disagreements(4, {-6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5, 6},
                      all_digit_lists(4, 12, false)) == 0);
  CHECK(disagreements(6, {-3, -2, -1, 0, 1, 2, 3}, all_digit_lists(6, 6, false)) == 0);
  CHECK(disagreements(8, {-2, -1, 0, 1, 2}, all_digit_lists(8, 4, false)) == 0);
  std::vector<number> plane;
  for (number a = -2; a <= 2; ++a)
    for (number b = -2; b <= 2; ++b) plane.push_back(coded(a, 0) + coded(b, 1));
  CHECK(disagreements(4, plane, all_digit_lists(4, 4, true)) == 0);
}

TEST_CASE("completes is right for all sets of numbers up to 12") {
  for (number reach = 1; reach <= 12; ++reach) {
    std::set<unsigned> sums_of_iters;
    all_sums(reach, 1, 1u, sums_of_iters);
    int wrong = 0;
    for (unsigned inner = 0; inner < (1u << (reach - 1)); ++inner) {
      unsigned const set = 1u | (inner << 1) | (1u << reach);
      std::vector<number> values;
      for (number v = 0; v <= reach; ++v)
        if (((set >> v) & 1u) != 0) values.push_back(v);
      wrong += completes(values, {0}, 1) != std::optional(sums_of_iters.count(set) > 0);
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE("completing a set: {0..3} = {0,1} + C has C = {0,1,2}, or {0,2} if steps must be even") {
  CHECK(completes({0, 1, 2, 3}, {0, 1}, 1) == std::optional(true));
  CHECK(completes({0, 1, 2, 3}, {0, 1}, 2) == std::optional(true));
  CHECK(completes({0, 1, 2, 3}, {0, 1}, 3) == std::optional(false));
  CHECK(completes({0, 1, 3, 4}, {0, 2}, 1) == std::optional(false));
  CHECK(is_product({0, coded(1, 0), coded(1, 1), coded(1, 0) + coded(1, 1)}));
  CHECK_FALSE(is_product({0, coded(1, 0) + coded(1, 1)}));
}
