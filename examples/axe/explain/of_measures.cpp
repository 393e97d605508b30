// Makes statements about three elements, for measures, owners, coverage and equality.
//
//     span(T, warp)      element 8 is at {…}: 6 to 10 on warp, the largest
#include "explain/correspondence.hpp"
#include "explain/explain.hpp"

#include "text/sink.hpp"

#include <algorithm>

namespace explain {

namespace {

using calculator::shared;
std::string element(integer x) { return "element " + std::to_string(x); }

/// The elements with the least and with the largest place on an axis, or -1 if no element is there.
std::pair<integer, integer> extremes(axe::layout const& l, axe::axis on) {
  if (l.swizzle.none()) {
    integer least = 0, largest = 0, weight = axe::size(l);
    for (axe::iter const& i : l.shards) {
      weight /= i.extent;
      if (i.on == on) (i.stride < 0 ? least : largest) += (i.extent - 1) * weight;
    }
    return {least, largest};
  }
  auto const element_at = [&](integer n) -> integer {
    axe::outcome<axe::element_range> const held =
        axe::try_elements(l, axe::shape(axe::size(l)), axe::place(axe::term(n, on)));
    return held && !held->empty() ? (*held->begin()).index : -1;
  };
  return {element_at((axe::min)(l, on)), element_at((axe::max)(l, on))};
}

std::vector<statement> of_reach(axe::layout const& l, axe::axis on) {
  std::vector<statement> out;
  integer const least = (axe::min)(l, on), largest = (axe::max)(l, on);
  auto const [first, last] = extremes(l, on);
  for (integer const x : {first, axe::size(l) / 2, last}) {
    if (x < 0) out.push_back({"no element is at the least or the largest place", false});
    if (x < 0) continue;
    some_points const there = places_of(l, x);
    if (!there) continue;
    integer low = largest, high = least;
    for (point const& p : *there) {
      low = std::min(low, component(p, on));
      high = std::max(high, component(p, on));
    }
    bool const holds = least <= low && high <= largest && (x != first || low == least) &&
                       (x != last || high == largest);
    out.push_back({element(x) + " is at " + words(*there) + ": " + std::to_string(low) +
                       (low == high ? "" : " to " + std::to_string(high)) + " on " +
                       text::printed(on) + (x == first ? ", the least" : "") +
                       (x == last ? ", the largest" : ""),
                   holds});
  }
  return out;
}

std::vector<statement> of_size(axe::layout const& l) {
  std::vector<statement> out;
  extents all;
  for (axe::iter const& i : l.shards) all.push_back(i.extent);
  for (integer const x : three_of(axe::size(l))) {
    extents const digits = coordinate_of(x, all);
    out.push_back({element(x) + " has the digits " + words(digits) + " in " + words(all),
                   number_of(digits, all) == x});
  }
  return out;
}

/// True if a place of element x agrees with `asked` on all axes of `asked`, or if x has too many
/// places to list.
bool agrees(axe::layout const& l, integer x, axe::place const& asked) {
  some_points const there = places_of(l, x);
  return !there || std::any_of(there->begin(), there->end(), [&](point const& p) {
    return std::all_of(asked.terms.begin(), asked.terms.end(),
                       [&](axe::term const& t) { return component(p, t.on) == t.n; });
  });
}

std::vector<statement> of_elements(axe::layout const& l, axe::element_range const& found,
                                   axe::place const& asked) {
  std::vector<statement> out;
  for (axe::element const& e : found) {
    out.push_back({"L" + text::printed(e.at) + " = " + words(places_of(l, e.index), "many places") +
                       " agrees with " + text::printed(asked),
                   agrees(l, e.index, asked)});
    if (out.size() == 3) break;
  }
  return out;
}

std::vector<statement> of_places(axe::layout const& l, axe::shape const& s,
                                 axe::placement const& where, axe::coordinate const& c) {
  std::vector<statement> out;
  for (axe::place const& p : where) {
    axe::outcome<bool> const has = axe::try_owner_has(l, s, p, c);
    out.push_back({text::printed(p) + " holds " + text::printed(c), has && *has});
    if (out.size() == 3) break;
  }
  return out;
}

std::vector<statement> of_coverage(axe::layout const& l, axe::box const& box,
                                   axe::coverage_answer const& answer) {
  extents all;
  for (axe::box_axis const& a : box.axes) all.push_back(a.positions);
  std::vector<statement> out;
  auto const add = [&](axe::place const& p) {
    axe::outcome<axe::element_range> const here =
        axe::try_elements(l, axe::shape(axe::size(l)), p, axe::step_limit(100'000));
    if (!here) return;
    std::string numbers;
    int count = 0;
    for (axe::element const& e : *here) {
      numbers += (count == 0 ? "" : ", ") + std::to_string(e.index);
      if (++count == 4) break;
    }
    bool const holds = answer.how == axe::covered::contested ||
                       (answer.how == axe::covered::holes ? count <= 1 : count == 1);
    out.push_back({text::printed(p) + " holds " +
                       (count == 0   ? "no element"
                        : count == 1 ? "element " + numbers
                                     : "the elements " + numbers),
                   holds});
  };
  if (answer.how == axe::covered::contested || answer.how == axe::covered::holes) add(answer.at);
  if (answer.how == axe::covered::copies) add(answer.at), add(answer.also_at);
  for (integer const n : three_of(product_of(all))) {
    extents const at = coordinate_of(n, all);
    axe::place p;
    for (std::size_t k = 0; k < at.size(); ++k) p.add({at[k], box.axes[static_cast<int>(k)].on});
    if (out.size() < 3) add(p);
  }
  return out;
}

std::vector<statement> of_gaps(axe::layout const& l, bool answer) {
  std::vector<statement> out;
  bool all = true;
  axe::outcome<axe::layout> const canonical = axe::try_canonicalize(l);
  for (axe::axis const on : axe::axes_of(l)) {
    std::vector<axe::iter> here;
    for (axe::iter const& r : canonical->replicas)
      if (r.on == on) here.push_back(r);
    std::sort(here.begin(), here.end(),
              [](axe::iter const& a, axe::iter const& b) { return a.stride < b.stride; });
    for (std::size_t k = 0; k + 1 < here.size(); ++k) {
      bool const gap = here[k + 1].stride >= here[k].extent * here[k].stride;
      all = all && gap;
      out.push_back({std::to_string(here[k + 1].stride) + (gap ? " >= " : " < ") +
                         std::to_string(here[k].extent) + "*" + std::to_string(here[k].stride) +
                         " on " + text::printed(on),
                     true});
    }
  }
  if (out.empty()) out.push_back({"no axis has two replica iters", true});
  out.back().holds = all == answer;
  return out;
}

std::vector<statement> of_equality(axe::layout const& a, axe::layout const& b, bool equal) {
  std::vector<statement> out;
  auto const add = [&](integer x, bool same) {
    some_points const in_a = places_of(a, x), in_b = places_of(b, x);
    if (!in_a || !in_b) return;  // the element has more than 64 places in one of them
    out.push_back({"A(" + std::to_string(x) + ") = " + words(*in_a) + ", B(" + std::to_string(x) +
                       ") = " + words(*in_b),
                   (in_a == in_b) == same});
  };
  if (axe::size(a) != axe::size(b))
    return {{"A has " + std::to_string(axe::size(a)) + " elements and B has " +
                 std::to_string(axe::size(b)),
             !equal}};
  if (equal) {
    for (integer const x : three_of(axe::size(a))) add(x, true);
    return out;
  }
  axe::outcome<axe::layout_difference> const first = axe::try_difference(a, b);
  if (!first || !first->found) return out;
  for (integer x = std::max<integer>(0, first->at - 2); x < first->at; ++x) add(x, true);
  add(first->at, false);
  return out;
}

std::vector<statement> of_injectivity(axe::layout const& l, bool injective) {
  std::vector<statement> out;
  std::map<point, integer> seen;
  for (integer x = 0; x < std::min<integer>(axe::size(l), 4096) && !injective; ++x)
    for (point const& p : places_of(l, x).value_or(points{})) {
      auto const [at, fresh] = seen.emplace(p, x);
      if (!fresh && at->second != x)
        return {{words(points{p}) + " holds element " + std::to_string(at->second) +
                     " and element " + std::to_string(x),
                 true}};
    }
  bool const few = axe::size(l) <= 65'536;
  for (integer const x : three_of(axe::size(l))) {
    some_points const there = places_of(l, x);
    if (!there || !injective) continue;
    bool alone = true;
    for (point const& p : *there) {
      axe::place at;  // the place must name every axis, also with 0
      for (axe::axis const on : axe::axes_of(l)) at.add({component(p, on), on});
      axe::outcome<axe::element_range> const here =
          axe::try_elements(l, axe::shape(axe::size(l)), at, axe::step_limit(100'000));
      if (!here) continue;
      auto held = here->begin();
      alone = alone && held != here->end() && (*held).index == x;
      // A second element is searched for only in small layouts, because the search may visit all
      // elements.
      if (few && alone) alone = ++held == here->end();
    }
    out.push_back(
        {words(*there) + " holds element " + std::to_string(x) + (few ? " alone" : ""), alone});
  }
  return out;
}

/// States the distance between the first and the last element of a window. It must be the same at
/// each origin.
std::vector<statement> of_windows(arguments const& given, axe::tree const& steps) {
  extents const whole = given.shape(1), taken = given.shape(2);
  axe::layout const l = given.layout(0);
  std::vector<statement> out;
  extents last = taken;
  for (integer& n : last) --n;
  auto const moved = [&](extents const& origin) -> std::optional<point> {
    extents to = origin;
    for (std::size_t d = 0; d < to.size(); ++d) to[d] += last[d];
    some_points const a = places_of(l, number_of(origin, whole)),
                      b = places_of(l, number_of(to, whole));
    if (!a || !b || a->size() != 1 || !l.swizzle.none()) return {};
    point back = *a->begin();
    for (auto& [on, n] : back) n = -n;
    return *sum({back}, *b).begin();
  };
  for (int turn = 0; turn < 3; ++turn) {
    extents origin;
    for (std::size_t d = 0; d < whole.size(); ++d) {
      integer const step = steps[static_cast<int>(d)].nodes.value(0);
      integer const most = (whole[d] - taken[d]) / step;
      origin.push_back(step * (turn == 0 ? 0 : turn == 1 ? std::min<integer>(1, most) : most));
    }
    std::optional<point> const step = moved(origin);
    if (!step) continue;
    out.push_back({"at the origin " + words(origin) + " element " + words(last) + " is " +
                       words(points{*step}) + " further than the first",
                   step == moved(extents(whole.size()))});
  }
  return out;
}

}  // namespace

std::vector<statement> of_measures(calculator::recorded_call const& call) {
  arguments const given{call};
  std::string_view const name = given.name();
  if (!given.is<axe::layout>(0)) return {};
  axe::layout const l = given.layout(0);
  auto const& result = call.result;
  if (name == "size") return of_size(l);
  if (name == "span" || name == "min" || name == "max" || name == "cosize")
    return of_reach(l, given.count() > 1 ? given.get<axe::axis>(1) : axe::axis::m);
  if (name == "places")
    return of_places(l, given.get<axe::shape>(1), **std::get_if<shared<axe::placement>>(&result),
                     given.get<axe::coordinate>(2));
  if (name == "elements")
    return of_elements(l, **std::get_if<shared<axe::element_range>>(&result),
                       given.count() > 2 ? given.get<axe::place>(2) : axe::place{});
  if (name == "owner_has") {
    axe::place const p = given.get<axe::place>(2);
    auto const c = given.get<axe::coordinate>(3);
    axe::outcome<axe::placement> const where = axe::try_places(l, given.get<axe::shape>(1), c);
    if (where->size() > most_places) return {};
    std::string places;
    for (axe::place const& one : *where)
      places += (places.empty() ? "{" : ", ") + text::printed(one);
    bool const has = *std::get_if<bool>(&result);
    bool agree = false;
    for (axe::place const& one : *where)
      agree = agree || std::all_of(p.terms.begin(), p.terms.end(),
                                   [&](axe::term const& t) { return one[t.on] == t.n; });
    return {{"L" + text::printed(c) + " = " + places + "}" +
                 (has ? " agrees with " : " does not agree with ") + text::printed(p),
             agree == has}};
  }
  if (name == "coverage") {
    axe::box box;
    for (std::size_t k = 1; k < given.count(); ++k)
      box.axes.push(std::get<axe::box_axis>(call.given[k].held));
    return of_coverage(l, box, *std::get_if<axe::coverage_answer>(&result));
  }
  if (name == "gap_ok") return of_gaps(l, *std::get_if<bool>(&result));
  if (name == "is_injective") return of_injectivity(l, *std::get_if<bool>(&result));
  if (name == "equivalent") return of_equality(l, given.layout(1), *std::get_if<bool>(&result));
  if (name == "difference")
    return of_equality(l, given.layout(1),
                       !(*std::get_if<shared<axe::layout_difference>>(&result))->found);
  if (name == "window_steps") return of_windows(given, *std::get_if<axe::tree>(&result));
  return {};
}

}  // namespace explain
