// Swizzled operands of CuTe's operations, drawn and judged by their places alone. What a swizzle makes equal to a plain layout is answered as that one.
#include "support/catch.hpp"

#include "plain.hpp"

#include <axe/cute.hpp>

#include <random>

namespace {

namespace cute = axe::cute;
using axe::rule;
using plain::number;

std::mt19937_64 engine(20261120);
number pick(number from, number to) {
  return from + static_cast<number>(engine() % static_cast<std::uint64_t>(to - from + 1));
}

number moved(axe::swizzle const& f, number place) {
  number const field = (number{1} << f.B) - 1;
  if (f.S >= 0) return place ^ ((place >> (f.M + f.S) & field) << f.M);
  return place ^ ((place >> f.M & field) << (f.M - f.S));
}
std::vector<number> places(cute::layout const& l) {
  plain::mode leaves;
  for (cute::leaf const& d : l.leaves) leaves.emplace_back(d.extent, d.stride);
  std::vector<number> all = plain::values(leaves);
  for (number& place : all) place = moved(l.swizzle, l.offset + place);
  return all;
}

/// Two or three digits, mostly of powers of two, compact in some order, at times with a gap; a swizzle that reads what they write, or not.
cute::layout draw() {
  std::vector<plain::leaf> digits(static_cast<std::size_t>(pick(1, 3)));
  number next = 1;
  std::vector<std::size_t> order(digits.size());
  for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
  std::shuffle(order.begin(), order.end(), engine);
  for (std::size_t k : order) {
    digits[k] = {pick(0, 3) == 0 ? 3 : number{1} << pick(1, 3), next};
    next *= digits[k].first * (pick(0, 3) == 0 ? 2 : 1);
  }
  cute::layout l;
  l.profile.clear();
  l.profile.push(static_cast<int>(digits.size()));
  for (plain::leaf const& d : digits) {
    l.profile.push(cute::leaf_node);
    l.leaves.push({d.first, d.second});
  }
  int const fields = static_cast<int>(pick(1, 2));
  int const step = static_cast<int>(pick(fields, 3));
  l.swizzle = {static_cast<int>(pick(0, 3)), fields, pick(0, 1) == 0 ? step : -step};
  return l;
}

bool goes_back(std::vector<number> const& v, std::vector<number> const& back) {
  for (std::size_t i = 0; i < back.size(); ++i)
    if (back[i] < 0 || back[i] >= static_cast<number>(v.size()) ||
        v[static_cast<std::size_t>(back[i])] != static_cast<number>(i))
      return false;
  return true;
}

}  // namespace

TEST_CASE("inverses of swizzled layouts go back to their elements, and equal maps are answered alike") {
  int inverted = 0;
  for (int turn = 0; turn < 20000; ++turn) {
    cute::layout const l = draw();
    std::vector<number> const v = places(l);
    auto const right = cute::try_right_inverse(l);
    auto const left = cute::try_left_inverse(l);
    bool const as_plain = plain::is_digit_list(v);
    if ((right && !goes_back(v, places(*right))) || (!right && as_plain))
      FAIL_CHECK(cute::to_text(l).c_str());
    if (left) {
      std::vector<number> const back = places(*left);
      for (std::size_t i = 0; i < v.size(); ++i)
        if (v[i] >= static_cast<number>(back.size()) ||
            back[static_cast<std::size_t>(v[i])] != static_cast<number>(i))
          FAIL_CHECK(cute::to_text(l).c_str());
    }
    bool const whole = *std::max_element(v.begin(), v.end()) == static_cast<number>(v.size()) - 1;
    inverted += whole && right && left && places(*right).size() == v.size();
  }
  CHECK(inverted > 2000);
}

TEST_CASE("a common vector is one everywhere, and the same for both orders of the operands") {
  int shorter = 0;
  for (int turn = 0; turn < 5000; ++turn) {
    cute::layout l = draw();
    number const n = number{1} << pick(3, 6);
    l.leaves.clear();
    l.leaves.push({n, 1});
    l.profile.clear();
    l.profile.push(cute::leaf_node);
    std::vector<number> const v = places(l);
    cute::layout plain_one = l;
    plain_one.swizzle = {};
    number const vector = cute::max_common_vector(l, plain_one);
    bool right = vector == cute::max_common_vector(plain_one, l);
    for (std::size_t i = 0; i < v.size(); ++i)
      right = right && v[i] == v[i - i % static_cast<std::size_t>(vector)] + static_cast<number>(i) % vector;
    if (!right) FAIL_CHECK(cute::to_text(l).c_str());
    shorter += vector < n;
  }
  CHECK(shorter > 1000);
}
