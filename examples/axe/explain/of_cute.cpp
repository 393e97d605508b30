// Explains CuTe's operations that keep or invert a map, complement it or change its element width.
#include "explain/correspondence.hpp"

#include <axe/cute.hpp>

#include <algorithm>
#include <numeric>

namespace explain {

namespace {

namespace cute = axe::cute;

constexpr integer most = 64;  // the most repetitions, and elements of L, that are compared

integer at(axe::layout const& l, integer i) { return cute::detail::address_at(l, i); }
std::string called(char const* of, integer i) { return of + ("(" + std::to_string(i) + ")"); }
std::string equals(char const* of, integer i, integer is) {
  return called(of, i) + " = " + std::to_string(is);
}

correspondence same_map(axe::layout const& l, std::optional<axe::layout> const& result) {
  integer const size = axe::size(l);
  return selection("L", l, {size}, result, {size}, [](integer x) { return x; });
}

/// Compares a result on m with a layout on any one axis.
correspondence on_memory(axe::layout const& l, std::optional<axe::layout> const& result) {
  correspondence c = same_map(l, result);
  c.by_definition = [l](integer x) {
    some_points const there = places_of(l, x);
    return computed{called("L", x) + " = " + words(there, "L(x)"), each(there, [](point const& p) {
                      return single(p.empty() ? 0 : p.begin()->second, axe::axis::m);
                    })};
  };
  return c;
}

/// A correspondence that makes a statement about each element of R.
correspondence stated(std::vector<operand> const& operands, axe::layout const& r,
                      std::function<computed(integer)> const& statement) {
  correspondence c;
  c.operands = operands;
  c.result = r;
  c.shape = {axe::size(r)};
  c.by_definition = statement;
  return c;
}

correspondence right_inverse(axe::layout const& l, axe::layout const& r) {
  return stated(
      {{"L", l, {axe::size(l)}, [r](integer i) { return at(r, i); }}}, r, [l, r](integer i) {
        integer const x = at(r, i);
        return computed{equals("R", i, x) + ", " + equals("L", x, at(l, x)), {}, at(l, x) == i};
      });
}

/// R maps the places of L to elements. If several elements are at one place, R may return any of
/// them.
correspondence left_inverse(axe::layout const& l, axe::layout const& r) {
  auto const from = [l, r](integer n) {
    integer const x = at(r, n);
    return 0 <= x && x < axe::size(l) && at(l, x) == n ? x : integer{-1};
  };
  correspondence c = stated({{"L", l, {axe::size(l)}, from}}, r, [l, r](integer n) {
    integer const x = at(r, n);
    return computed{equals("R", n, x) + ", " + equals("L", x, at(l, x)), {}, at(l, x) == n};
  });
  for (integer const x : three_of(axe::size(l)))
    if (integer const n = at(l, x); 0 <= n && n < axe::size(r)) c.chosen.push_back(n);
  return c;
}

correspondence common(axe::layout const& a, axe::layout const& b, axe::layout const& r) {
  auto const element = [r](integer i) { return at(r, i); };
  return stated({{"A", a, {axe::size(a)}, element}, {"B", b, {axe::size(b)}, element}}, r,
                [a, b, r](integer i) {
                  integer const x = at(r, i), in_a = at(a, x) - at(a, 0),
                                in_b = at(b, x) - at(b, 0);
                  return computed{equals("R", i, x) + ", A(" + std::to_string(x) +
                                      ") - A(0) = " + std::to_string(in_a) + ", B(" +
                                      std::to_string(x) + ") - B(0) = " + std::to_string(in_b),
                                  {},
                                  in_a == i && in_b == i};
                });
}

/// States that the repetition L + R(j) has no place of an earlier repetition.
correspondence complement(axe::layout const& l, axe::layout const& r) {
  auto const moved = [l, r](integer j) {
    std::set<integer> out;
    for (integer i = 0; i < std::min(axe::size(l), most); ++i) out.insert(at(l, i) + at(r, j));
    return out;
  };
  return stated({}, r, [=](integer j) {
    std::set<integer> const here = moved(j);
    bool disjoint = j == 0 ? at(r, 0) == 0 : at(r, j) > at(r, j - 1);
    for (integer k = 0; k < std::min(j, most) && disjoint; ++k)
      for (integer const n : moved(k)) disjoint = disjoint && here.count(n) == 0;
    std::string set;
    for (integer const n : here) set += (set.empty() ? "{" : ", ") + std::to_string(n);
    return computed{equals("R", j, at(r, j)) + ", L + " + std::to_string(at(r, j)) + " = " + set +
                        (j == 0 ? "}" : "}, which no smaller j reaches"),
                    {},
                    disjoint};
  });
}

/// Finds the element of L to which an element of the result R belongs.
struct leaves {
  extents of_l, of_r;   // the extents of the leaves, the first one fastest
  extents times, over;  // the digit of L is that of R times `times`, divided by `over`

  integer element_of(integer x) const {
    integer element = 0, weight = 1;
    for (std::size_t k = 0; k < of_r.size(); ++k) {
      element += x % of_r[k] * times[k] / over[k] * weight;
      x /= of_r[k];
      weight *= of_l[k];
    }
    return element;
  }
};

std::optional<correspondence> upcast(cute::layout const& l, integer n,
                                     std::optional<axe::layout> const& result) {
  if (n < 1) return {};
  leaves each_leaf;
  for (int k = 0; k < l.leaf_count(); ++k) {
    integer const in_one = cute::detail::steps_in_wide(l[k], n);
    if (in_one == 0) return {};
    each_leaf.of_l.push_back(l[k].extent);
    each_leaf.of_r.push_back(l[k].extent / in_one);
    each_leaf.times.push_back(in_one);
    each_leaf.over.push_back(1);
  }
  auto const from = [=](integer x) { return each_leaf.element_of(x); };
  correspondence c =
      selection("L", l.map, {cute::detail::size_of(l)}, result, {product_of(each_leaf.of_r)}, from);
  c.by_definition = [=](integer x) {
    integer const narrow = at(l.map, from(x));
    return computed{equals("L", from(x), narrow) + " over " + std::to_string(n),
                    points{single(axe::detail::floor_divide(narrow, n), axe::axis::m)}};
  };
  return c;
}

std::optional<correspondence> downcast(cute::layout const& l, integer n,
                                       std::optional<axe::layout> const& result) {
  int adjacent = -1;
  for (int k = l.leaf_count() - 1; k >= 0; --k)
    if ((l[k].stride == 1 || l[k].stride == -1) &&
        (adjacent < 0 || l[k].extent > 1 || l[adjacent].extent == 1))
      adjacent = k;
  if (adjacent < 0 || n < 1) return {};
  leaves each_leaf;
  integer below = 1;
  for (int k = 0; k < l.leaf_count(); ++k) {
    integer const more = k == adjacent ? n : 1;
    if (k < adjacent) below *= l[k].extent;
    each_leaf.of_l.push_back(l[k].extent);
    each_leaf.of_r.push_back(l[k].extent * more);
    each_leaf.times.push_back(1);
    each_leaf.over.push_back(more);
  }
  auto const from = [=](integer x) { return each_leaf.element_of(x); };
  correspondence c =
      selection("L", l.map, {cute::detail::size_of(l)}, result, {product_of(each_leaf.of_r)}, from);
  c.by_definition = [=](integer x) {
    integer const wide = at(l.map, from(x)), t = x / below % n;
    return computed{std::to_string(n) + "*" + called("L", from(x)) + " + " + std::to_string(t) +
                        " = " + std::to_string(n) + "*" + std::to_string(wide) + " + " +
                        std::to_string(t),
                    points{single(n * wide + t, axe::axis::m)}};
  };
  return c;
}

std::optional<correspondence> recast(arguments const& given) {
  integer const from = given.get<integer>(1), to = given.get<integer>(2);
  if (from < 1 || to < 1) return {};
  integer const common = std::gcd(from, to);
  cute::layout l = given.cute(0);
  if (from == common) return upcast(l, to / common, given.result());
  if (to != common) {
    axe::outcome<cute::layout> const wide = cute::try_upcast(l, to / common);
    if (!wide) return {};
    l = *wide;
  }
  std::optional<correspondence> c = downcast(l, from / common, given.result());
  if (c && to != common)
    c->operands.front().name = "upcast(L, " + std::to_string(to / common) + ")";
  return c;
}

}  // namespace

std::optional<correspondence> of_cute(arguments const& given) {
  if (!given.name().starts_with("cute.")) return {};
  std::string_view const name = given.name().substr(5);
  std::optional<axe::layout> const result = given.result();
  if (name == "to_axe" || name == "coalesce" || (name == "layout" && given.is<cute::layout>(0)))
    return same_map(given.cute(0).map, result);
  if (name == "from_axe") return on_memory(given.layout(0), result);
  if (name == "upcast") return upcast(given.cute(0), given.get<integer>(1), result);
  if (name == "downcast") return downcast(given.cute(0), given.get<integer>(1), result);
  if (name == "recast") return recast(given);
  if (!result) return {};
  if (name == "right_inverse") return right_inverse(given.cute(0).map, *result);
  if (name == "left_inverse") return left_inverse(given.cute(0).map, *result);
  if (name == "complement") return complement(given.cute(0).map, *result);
  if (name == "max_common_layout") return common(given.cute(0).map, given.cute(1).map, *result);
  return {};
}

}  // namespace explain
