// Makes random swizzled operands of CuTe's operations and checks the places of the results. An
// operation other than an inverse may reject a case only if no layout with any swizzle has these
// places. For inverses the tests count the cases in which a search of all layouts finds a longer
// right inverse, or a left inverse although the operation rejects the case.
#include "support/catch.hpp"
#include "support/dice.hpp"

#include "swizzled_places.hpp"

namespace {

namespace cute = axe::cute;
using axe::rule;
using plain::number;

std::string text(cute::layout const& l) { return cute::to_text(l).c_str(); }

std::vector<number> first_elements(std::vector<number> const& all, std::size_t n) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)};
}

/// True if the place of element e + step is i above that of element e.
bool steps(std::vector<number> const& v, number e, number step, std::size_t i) {
  return v[static_cast<std::size_t>(e + step)] ==
         v[static_cast<std::size_t>(e)] + static_cast<number>(i);
}

/// Element i of a vector is step[i] elements after its first element. True if the vector at
/// element 0 is contiguous, and if the swizzle keeps all other contiguous vectors contiguous.
bool is_vector_everywhere(cute::layout const& l, std::vector<number> const& step) {
  std::vector<number> const v = enumerated::places(l);
  std::vector<number> from_zero;
  for (number place : v) from_zero.push_back(place - v[0]);
  std::vector<number> const plain_ones =
      plain::is_digit_list(from_zero) ? v : plain::values(enumerated::leaves(l));
  std::set<number> left;
  for (std::size_t e = 0; e < v.size(); ++e) left.insert(static_cast<number>(e));
  for (bool first = true; !left.empty(); first = false) {
    number const e = *left.begin();
    bool whole = true;
    for (std::size_t i = 0; i < step.size(); ++i)
      whole = whole && left.count(e + step[i]) != 0 && steps(plain_ones, e, step[i], i);
    if (first && !whole) return false;
    left.erase(e);
    for (std::size_t i = 0; i < step.size() && whole; ++i) {
      left.erase(e + step[i]);
      if (!steps(v, e, step[i], i)) return false;
    }
  }
  return true;
}

/// The plain layout with the leaves of l, if it has the places of l; otherwise l.
cute::layout plain_by_leaves(cute::layout const& l) {
  std::vector<number> const places = enumerated::places(l);
  cute::layout plain;
  cute::detail::add_group(plain, l.leaf_count());
  std::size_t weight = 1;
  for (int k = 0; k < l.leaf_count(); ++k) {
    cute::detail::add_leaf(plain, {l[k].extent, l[k].extent == 1 ? 0 : places[weight] - places[0]});
    weight *= static_cast<std::size_t>(l[k].extent);
  }
  plain.set_offset(places[0]);
  return enumerated::places(plain) == places ? plain : l;
}

}  // namespace

TEST_CASE("a right inverse inverts its layout, and is usually the longest") {
  enumerated::source random(20261120);
  int undecided = 0;
  int swizzled = 0;
  int longer = 0;
  for (int turn = 0; turn < 6000; ++turn) {
    cute::layout const l = random.layout(turn % 4 == 0 ? 2 : 3);
    std::vector<number> const elements = enumerated::elements_at(enumerated::places(l));
    auto const r = cute::try_right_inverse(l);
    if (!r) {
      undecided += r.why.which == rule::undecided;
      if (r.why.which != rule::undecided &&
          !(r.why.which == rule::cute_nothing_at_zero && elements.empty()))
        FAIL_CHECK(text(l));
      continue;
    }
    std::vector<number> const v = enumerated::places(l);
    std::vector<number> const back = enumerated::places(*r);
    bool right = true;
    for (std::size_t i = 0; i < back.size() && right; ++i)
      right = back[i] >= 0 && back[i] < static_cast<number>(v.size()) &&
              v[static_cast<std::size_t>(back[i])] == static_cast<number>(i);
    if (turn % 4 == 0 && right) {
      auto const all = enumerated::all_of(v.size(), !l.swizzle().none());
      bool longest = true;
      for (std::size_t n = back.size() + 1; n <= elements.size() && longest; ++n)
        longest = !enumerated::is_layout(first_elements(elements, n), all);
      longer += !longest;
    }
    if (!right) FAIL_CHECK(text(l) + ": " + text(*r));
    swizzled += !r->swizzle().none();
  }
  CAPTURE(longer);
  CHECK(undecided == 0);
  CHECK(swizzled > 400);
  CHECK(longer < 100);  // of 1,500
}

TEST_CASE("right inverses invert layouts of powers of two, and are usually the longest", "[slow]") {
  enumerated::source random(20261125);
  int swizzled = 0;
  int backwards = 0;
  int longer = 0;
  for (int turn = 0; turn < axe_test::drawn(2000); ++turn) {
    cute::layout const l = random.bits();
    std::vector<number> const v = enumerated::places(l);
    std::vector<number> const elements = enumerated::elements_at(v);
    auto const r = cute::try_right_inverse(l);
    if (!r) {
      if (r.why.which != rule::cute_nothing_at_zero || !elements.empty()) FAIL_CHECK(text(l));
      continue;
    }
    std::vector<number> const back = enumerated::places(*r);
    bool right = back.size() <= elements.size() && back == first_elements(elements, back.size());
    auto const all = enumerated::all_of(v.size(), true);
    std::size_t const n = back.size();
    bool longest = true;
    for (std::size_t more : {n + 1, n + n / 4, n + n / 2, 2 * n, 3 * n, elements.size()})
      if (more > n && more <= elements.size() && longest)
        longest = !enumerated::is_layout(first_elements(elements, more), all);
    longer += !longest;
    auto const left = cute::try_left_inverse(l);
    for (std::size_t i = 0; left && i < v.size() && right; ++i)
      right = *cute::try_at(*left, v[i]) == static_cast<number>(i);
    if (!right) FAIL_CHECK(text(l) + ": " + text(*r));
    swizzled += !r->swizzle().none();
    backwards += static_cast<bool>(left);
  }
  CAPTURE(longer);
  CHECK(swizzled > axe_test::drawn(400));
  CHECK(backwards > axe_test::drawn(500));
  CHECK(longer < axe_test::drawn(100));
}

TEST_CASE("a left inverse inverts its layout; if it is rejected, mostly none exists", "[slow]") {
  enumerated::source random(20261121);
  int inverted = 0;
  int undecided = 0;
  int none = 0;
  int missed = 0;
  for (int turn = 0; turn < axe_test::drawn(6000); ++turn) {
    cute::layout const l = turn % 8 == 0 ? random.stages() : random.layout(turn % 2 == 0 ? 1 : 3);
    std::vector<number> const v = enumerated::places(l);
    std::map<number, number> wanted;
    for (std::size_t i = v.size(); i-- > 0;) wanted[v[i]] = static_cast<number>(i);
    number const largest = wanted.rbegin()->first;
    auto const r = cute::try_left_inverse(l);
    if (r) {
      std::vector<number> const back = enumerated::places(*r);
      bool right = static_cast<number>(back.size()) > largest;
      for (auto const& [place, element] : wanted)
        right = right && back[static_cast<std::size_t>(place)] == element;
      if (!right) FAIL_CHECK(text(l) + ": " + text(*r));
      ++inverted;
    } else if (r.why.which == rule::cute_no_left_inverse && largest <= 20) {
      ++none;
      for (enumerated::xors const& g : enumerated::all_of(v.size(), !l.swizzle().none())) {
        std::map<number, number> before;
        for (auto const& [place, element] : wanted) before[place] = g.before(element);
        if (!enumerated::has_left_inverse(before, largest, 20)) continue;
        ++missed;
        break;
      }
    } else {
      undecided += r.why.which == rule::undecided;
      bool const named = r.why.which == rule::cute_no_left_inverse ||
                         r.why.which == rule::undecided ||
                         (r.why.which == rule::cute_negative_place && wanted.begin()->first < 0) ||
                         (r.why.which == rule::cute_two_elements && wanted.size() < v.size());
      if (!named) FAIL_CHECK(text(l));
    }
  }
  CAPTURE(inverted, none, missed);
  CHECK(inverted > axe_test::drawn(3000));
  CHECK(undecided == 0);
  // In these cases strides do not divide one another, or the offset is not a multiple of the
  // period.
  CHECK(missed < axe_test::drawn(250));
}

TEST_CASE("a common vector is contiguous everywhere, in either order of the operands") {
  enumerated::source random(20261122);
  int longer = 0;
  for (int turn = 0; turn < 5000; ++turn) {
    cute::layout const a = random.layout();
    cute::layout b = turn % 4 == 0 ? random.layout() : a;
    if (turn % 2 == 0) b.map.swizzle = {};
    cute::layout const r = cute::max_common_layout(a, b);
    std::vector<number> const step = enumerated::places(r);
    bool right = turn % 4 == 0 || cute::max_common_vector(b, a) == static_cast<number>(step.size());
    right = right && is_vector_everywhere(a, step) && is_vector_everywhere(b, step);
    if (!right) FAIL_CHECK(text(a) + ", " + text(b) + ": " + text(r));
    longer += step.size() > 1;
  }
  CHECK(longer > 1000);
}

TEST_CASE("an upcast is right; if it is rejected, no layout with the same modes has its places") {
  enumerated::source random(20261123);
  int answered = 0;
  int rejected = 0;
  for (int turn = 0; turn < 6000; ++turn) {
    cute::layout const l = random.layout();
    number const n = turn % 8 == 0 ? 3 : number{1} << random.between(1, 3);
    auto const r = cute::try_upcast(l, n);
    enumerated::wide_elements wide(l, n);
    if (!enumerated::are_a_layout(wide.places, wide.modes, !l.swizzle().none()))
      wide = enumerated::wide_elements(plain_by_leaves(l), n);
    if (r) {
      if (wide.places != enumerated::places(*r))
        FAIL_CHECK(text(l) + " by " + std::to_string(n) + ": " + text(*r));
      ++answered;
    } else {
      if (enumerated::are_a_layout(wide.places, wide.modes, !l.swizzle().none()))
        FAIL_CHECK(text(l) + " by " + std::to_string(n) + ": " + axe::sentence(r.why).c_str());
      ++rejected;
    }
  }
  CHECK(answered > 2000);
  CHECK(rejected > 500);
}

TEST_CASE("a swizzled layout with the places of a plain one is recast like it") {
  int upcasts = 0;
  int downcasts = 0;
  auto const same_set = [](cute::layout const& one, cute::layout const& other) {
    std::vector<number> const a = enumerated::places(one), b = enumerated::places(other);
    return std::is_permutation(a.begin(), a.end(), b.begin(), b.end());
  };
  for (number const first : {2, 3, 6, 8})
    for (number const second : {2, 4, 6})
      for (number const step : {1, 2, 3, 16, 48, 64})
        for (number const apart : {1, 8, 32, 64, 96})
          for (axe::swizzle const f : {axe::swizzle{0, 1, 1}, {1, 3, 3}, {3, 1, 3}, {1, 1, -2}})
            for (number const offset : {0, 5}) {
              cute::layout l = cute::make_layout({first, second}, {step, apart});
              l.set_offset(offset);
              l.map.swizzle = f;
              cute::layout const plain = plain_by_leaves(l);
              if (!plain.swizzle().none()) continue;
              for (number const n : {2, 3, 4, 6}) {
                auto const wide = cute::try_upcast(plain, n);
                auto const narrow = cute::try_downcast(plain, n);
                INFO(text(l) << ", " << n);
                upcasts += wide ? 1 : 0;
                downcasts += narrow ? 1 : 0;
                if (wide) CHECK(cute::try_upcast(l, n));
                if (narrow) CHECK(same_set(cute::downcast(l, n), *narrow));
              }
            }
  CAPTURE(upcasts, downcasts);
  CHECK(upcasts > 100);
  CHECK(downcasts > 100);
}
