// Three elements of a result, computed from the operands by the definition of the operation.
//
//     tile(S[(2,2):(2,1)], (2,2), S[(4,8):(8,1)], (4,8))
//       (6,6)  p = (1,0), q = (2,6): sigma*{2@m} + {22@m} = {86@m}; so has the result
#include "explain/explain.hpp"
#include "text/sink.hpp"

#include <functional>
#include <map>
#include <optional>
#include <set>

namespace explain {

namespace {

using axe::integer;
using calculator::recorded_call;

using point = std::map<axe::axis, integer>;  // components that are not 0
using points = std::set<point>;

constexpr integer most_places = 64;

/// The places of element x, or nothing if there are too many.
std::optional<points> at(axe::layout const& l, integer x) {
  axe::outcome<axe::placement> const where =
      axe::try_places(l, axe::shape(axe::size(l)), axe::coordinate(x));
  if (!where || where->size() > most_places) return {};
  points out;
  for (axe::place const& p : *where) {
    point one;
    for (axe::term const& t : p.terms)
      if (t.n != 0) one[t.on] += t.n;
    out.insert(one);
  }
  return out;
}

std::string words(points const& all) {
  std::string out;
  for (point const& one : all) {
    axe::place p;
    for (auto const& [on, n] : one) p.terms.push({n, on});
    out += (out.empty() ? "{" : ", ") + text::printed(p);
  }
  return out + "}";
}

points sum(points const& a, points const& b) {
  points out;
  for (point const& p : a)
    for (point const& q : b) {
      point both = p;
      for (auto const& [on, n] : q)
        if ((both[on] += n) == 0) both.erase(on);
      out.insert(both);
    }
  return out;
}

std::vector<integer> extents_of(axe::shape const& s) {
  axe::detail::extent_list extents;
  integer size = 1;
  if (axe::detail::dimensions_of(s, extents, size)) return {};
  return {extents.begin(), extents.end()};
}

std::vector<integer> coordinate_of(integer x, std::vector<integer> const& extents) {
  std::vector<integer> out(extents.size());
  for (std::size_t d = extents.size(); d-- > 0; x /= extents[d]) out[d] = x % extents[d];
  return out;
}
integer number_of(std::vector<integer> const& c, std::vector<integer> const& extents) {
  integer x = 0;
  for (std::size_t d = 0; d < c.size(); ++d) x = x * extents[d] + c[d];
  return x;
}

std::string words(std::vector<integer> const& c) {
  std::string out;
  for (integer const n : c) out += (out.empty() ? "(" : ",") + std::to_string(n);
  return out.empty() ? "()" : out + ")";
}

/// The arguments of a call by kind.
struct operands {
  std::vector<axe::layout const*> layouts;
  std::vector<axe::shape> shapes;
  axe::region const* region = nullptr;
  axe::axis_list const* axes = nullptr;

  explicit operands(recorded_call const& call) {
    for (std::size_t k = 0; k < call.given.size(); ++k) {
      calculator::value const& v = call.given[k].held;
      if (auto const* l = std::get_if<axe::layout>(&v)) layouts.push_back(l);
      if (auto const* r = std::get_if<axe::region>(&v)) region = r;
      if (auto const* a = std::get_if<axe::axis_list>(&v)) axes = a;
      if (calculator::parameter<axe::tree>::accepts(calculator::kind_of(v)))
        shapes.emplace_back(calculator::parameter<axe::tree>::take(v));
    }
  }
};

/// Writes one element and compares it.
struct writer {
  std::string& out;
  axe::layout const& result;
  char const* called = "the result";
  bool agree = true;

  void element(std::string const& name, std::string const& how, std::optional<points> const& want,
               integer x) {
    std::optional<points> const have = at(result, x);
    if (!want || !have) {
      out += "  " + name + "  has more than 64 places\n";
      return;
    }
    bool const same = *want == *have;
    agree = agree && same;
    out += "  " + name + "  " + how + " = " + words(*want) +
           (same ? std::string("; so has ") + called + "\n"
                 : std::string("; but ") + called + " has " + words(*have) + "\n");
  }
};

/// The first, a middle and the last of n numbers.
std::vector<integer> three_of(integer n) {
  std::set<integer> const chosen{0, n / 2 + n / 5, n - 1};
  std::vector<integer> out;
  for (integer const x : chosen)
    if (x >= 0 && x < n) out.push_back(x);
  return out;
}

/// T at (p,q) is sigma*A(p) + B(q); coordinate d of (p,q) is p[d] times the extent of B plus q[d].
void product(writer& to, axe::layout const& a, std::vector<integer> const& of_a,
             axe::layout const& b, std::vector<integer> const& of_b, bool scaled) {
  std::vector<integer> whole;
  for (std::size_t d = 0; d < of_a.size(); ++d) whole.push_back(of_a[d] * of_b[d]);
  std::vector<integer> const choice_a = three_of(axe::size(a)), choice_b = three_of(axe::size(b));
  for (std::size_t k = 0; k < std::max(choice_a.size(), choice_b.size()); ++k) {
    std::vector<integer> const p = coordinate_of(choice_a[std::min(k, choice_a.size() - 1)], of_a);
    std::vector<integer> const q = coordinate_of(choice_b[std::min(k, choice_b.size() - 1)], of_b);
    std::vector<integer> c;
    for (std::size_t d = 0; d < p.size(); ++d) c.push_back(p[d] * of_b[d] + q[d]);
    std::optional<points> const outer = at(a, number_of(p, of_a)),
                                inner = at(b, number_of(q, of_b));
    std::optional<points> both;
    if (outer && inner) {
      points moved;
      for (point one : *outer) {
        for (auto& [on, n] : one)
          if (scaled) n *= axe::span(b, on);
        moved.insert(one);
      }
      both = sum(moved, *inner);
    }
    to.element(words(c),
               "p = " + words(p) + ", q = " + words(q) + ": " + (scaled ? "sigma*" : "") +
                   (outer ? words(*outer) : "A(p)") + " + " + (inner ? words(*inner) : "B(q)"),
               both, number_of(c, whole));
  }
}

std::vector<integer> quotient(std::vector<integer> const& whole, std::vector<integer> const& part) {
  std::vector<integer> out;
  for (std::size_t d = 0; d < whole.size() && d < part.size(); ++d)
    out.push_back(whole[d] / part[d]);
  return out;
}

void of_product(writer& to, operands const& o, bool scaled) {
  product(to, *o.layouts[0], extents_of(o.shapes[0]), *o.layouts[1], extents_of(o.shapes[1]),
          scaled);
}
/// The product of the factor that was found and the known one is T.
void of_factor(writer& to, operands const& o, bool scaled, bool outer) {
  axe::layout const& found = to.result;
  std::vector<integer> const whole = extents_of(o.shapes[0]), known = extents_of(o.shapes[1]);
  std::vector<integer> const rest = quotient(whole, known);
  writer into{to.out, *o.layouts[0], "T"};
  outer ? product(into, found, rest, *o.layouts[1], known, scaled)
        : product(into, *o.layouts[1], known, found, rest, scaled);
  to.agree = into.agree;
}

void of_same_map(writer& to, operands const& o) {
  for (integer const x : three_of(axe::size(to.result)))
    to.element("element " + std::to_string(x), "L(" + std::to_string(x) + ")", at(*o.layouts[0], x),
               x);
}

void of_composition(writer& to, operands const& o) {
  if (o.layouts.size() < 2) return;
  for (integer const x : three_of(axe::size(to.result))) {
    std::optional<points> const inner = at(*o.layouts[1], x);
    std::optional<points> all = points();
    std::string numbers;
    for (point const& one : inner ? *inner : points()) {
      integer const n = one.empty() ? 0 : one.begin()->second;
      std::optional<points> const there = at(*o.layouts[0], n);
      if (!there) all.reset();
      if (all) all->insert(there->begin(), there->end());
      numbers += (numbers.empty() ? "A(" : " and A(") + std::to_string(n) + ")";
    }
    if (!inner) all.reset();
    to.element("element " + std::to_string(x), "A(B(" + std::to_string(x) + ")) = " + numbers, all,
               x);
  }
}

void of_slice(writer& to, operands const& o) {
  std::vector<integer> const whole = extents_of(o.shapes[0]);
  std::vector<integer> begin, part;
  for (axe::range const& r : o.region->ranges) {
    begin.push_back(r.begin);
    part.push_back(r.end - r.begin);
  }
  if (begin.size() != whole.size()) return;
  for (integer const y : three_of(axe::size(to.result))) {
    std::vector<integer> const inside = coordinate_of(y, part);
    std::vector<integer> c = inside;
    for (std::size_t d = 0; d < c.size(); ++d) c[d] += begin[d];
    to.element(words(inside), "L" + words(c), at(*o.layouts[0], number_of(c, whole)), y);
  }
}

void of_permutation(writer& to, operands const& o) {
  if (o.shapes.size() < 2) return;
  std::vector<integer> const whole = extents_of(o.shapes[0]);
  std::vector<integer> order;
  for (int k = 0; k < o.shapes[1].nodes.count; ++k)
    if (!o.shapes[1].nodes.is_group(k)) order.push_back(o.shapes[1].nodes.value(k));
  if (order.size() != whole.size()) return;
  for (integer const x : three_of(axe::size(to.result))) {
    std::vector<integer> const c = coordinate_of(x, whole);
    std::vector<integer> moved, extents;
    for (integer const d : order) {
      moved.push_back(c[static_cast<std::size_t>(d)]);
      extents.push_back(whole[static_cast<std::size_t>(d)]);
    }
    to.element(words(moved), "L" + words(c), at(*o.layouts[0], x), number_of(moved, extents));
  }
}

/// Every element is at the number of its place in the box of the axes.
void of_inverse(writer& to, operands const& o) {
  axe::layout const& l = *o.layouts[0];
  axe::axis_list axes = o.axes != nullptr ? *o.axes : axe::axis_list{};
  if (o.axes == nullptr) axes.push(axe::axis::m);
  for (integer const x : three_of(axe::size(l))) {
    std::optional<points> const where = at(l, x);
    if (!where || where->size() != 1) return;
    point one = *where->begin();
    integer number = 0;
    for (axe::axis const on : axes)
      number = number * axe::span(l, on) + one[on] - (axe::min)(l, on);
    points want{x == 0 ? point{} : point{{axe::axis::m, x}}};
    to.element("place " + words(*where) + " (number " + std::to_string(number) + ")",
               "element " + std::to_string(x) + " of L", want, number);
  }
}

struct by_hand {
  char const* function;
  std::size_t layouts, shapes;
  std::function<void(writer&, operands const&)> write;
};

std::vector<by_hand> const& known() {
  static std::vector<by_hand> const all = {
      {"canonicalize", 1, 0, of_same_map},
      {"group", 1, 1, of_same_map},
      {"group_many", 1, 0, of_same_map},
      {"tile", 2, 2, [](writer& to, operands const& o) { of_product(to, o, true); }},
      {"direct_sum", 2, 2, [](writer& to, operands const& o) { of_product(to, o, false); }},
      {"tile_outer", 2, 2, [](writer& to, operands const& o) { of_factor(to, o, true, true); }},
      {"tile_inner", 2, 2, [](writer& to, operands const& o) { of_factor(to, o, true, false); }},
      {"sum_outer", 2, 2, [](writer& to, operands const& o) { of_factor(to, o, false, true); }},
      {"sum_inner", 2, 2, [](writer& to, operands const& o) { of_factor(to, o, false, false); }},
      {"compose", 2, 0, of_composition},
      {"permute", 1, 1, of_permutation},
      {"inverse", 1, 0, of_inverse},
  };
  return all;
}

}  // namespace

bool elements_by_hand(std::string& out, recorded_call const& call) {
  axe::layout const* result = std::get_if<axe::layout>(&call.result);
  if (result == nullptr) return true;
  operands const o(call);
  std::string_view const name = call.of->name;
  writer to{out, *result};
  if (name == "slice" && o.region != nullptr && o.shapes.size() == 1) of_slice(to, o);
  for (by_hand const& each : known())
    if (name == each.function && o.layouts.size() >= each.layouts && o.shapes.size() >= each.shapes)
      each.write(to, o);
  return to.agree;
}

}  // namespace explain
