// Compares answers about one layout with plain sets: its measures on every axis, the places of
// every element, and the elements at a place.
#include "fuzz/judge.hpp"

namespace fuzz {

namespace {

axe::coordinate as_coordinate(shape const& c) { return axe::coordinate(to_axe(c)); }

/// The components of all places of all elements on one axis.
std::vector<number> components(map const& l, int axis) {
  std::vector<number> all;
  for (std::size_t x = 0; x < l.size(); ++x)
    for (number p : places(l, x)) all.push_back(component(p, axis));
  return as_set(std::move(all));
}

judgement judge_measures(test_case const& c, axis_numbers const& in) {
  map const l = in(c.a);
  axe::outcome<axe::integer> const size = axe::try_size(c.a);
  if (!size) return {verdict::missed, axe::name_of(size.why.which)};
  if (*size != static_cast<axe::integer>(l.size())) return {verdict::wrong, "another size"};
  for (axe::axis a : in.known) {
    std::vector<number> const there = components(l, in.of(a));
    number const least = there.front() + (c.what == broken ? 1 : 0), largest = there.back();
    axe::outcome<axe::integer> const min = (axe::try_min)(c.a, a), max = (axe::try_max)(c.a, a),
                                     span = axe::try_span(c.a, a), cosize = axe::try_cosize(c.a, a);
    if (!min || !max || !span) return {verdict::missed, "a measure is rejected"};
    if (*min != least || *max != largest) return {verdict::wrong, "another least or largest place"};
    if (*span != largest - least + 1) return {verdict::wrong, "another span"};
    if (static_cast<bool>(cosize) != (least >= 0))
      return {cosize ? verdict::wrong : verdict::missed, "accepted or rejected a cosize wrongly"};
    if (cosize && *cosize != largest + 1) return {verdict::wrong, "another cosize"};
  }
  return {};
}

judgement judge_element_places(test_case const& c, axis_numbers const& in, axe::shape const& s) {
  map const l = in(c.a);
  bool const fits = size_of(c.s_a) == static_cast<number>(l.size());
  judgement result;
  std::size_t x = 0;
  for_each(c.s_a, [&](shape const& at) {
    axe::outcome<axe::placement> const got = axe::try_places(c.a, s, as_coordinate(at));
    std::size_t const here = x++;
    if (!fits) {
      result = got ? judgement{verdict::wrong, "accepted a shape of another size"}
                   : judgement{verdict::rejected, ""};
      return;
    }
    if (!got) {
      result = {verdict::missed, axe::name_of(got.why.which)};
      return;
    }
    std::vector<number> all;
    for (axe::place const& p : *got) {
      number coded_place = 0;
      for (axe::axis a : in.known) coded_place += coded(p[a], in.of(a));
      all.push_back(coded_place);
      if (!got->contains(p)) result = {verdict::wrong, "a missing place"};
    }
    if (c.what == broken) ++all.back();
    std::size_t const listed = all.size();
    all = as_set(std::move(all));
    if (all.size() != listed || got->size() != static_cast<axe::integer>(listed))
      result = {verdict::wrong, "a place listed twice, or another count"};
    if (all != as_set(places(l, here))) result = {verdict::wrong, "an element has other places"};
  });
  return result;
}

/// True if a place of element x agrees with c.at on the named axes.
bool is_there(map const& l, std::size_t x, test_case const& c, axis_numbers const& in) {
  for (number p : places(l, x)) {
    bool agrees = true;
    for (std::size_t i = 0; i < c.named.size(); ++i)
      agrees = agrees && component(p, in.of(c.named[i])) == c.at[i];
    if (agrees) return true;
  }
  return false;
}

axe::place named_place(test_case const& c) {
  axe::place at;
  for (std::size_t i = 0; i < c.named.size(); ++i) at.add({c.at[i], c.named[i]});
  return at;
}

judgement judge_elements(test_case const& c, axis_numbers const& in, axe::shape const& s) {
  map const l = in(c.a);
  axe::outcome<axe::element_range> const got = axe::try_elements(c.a, s, named_place(c));
  if (size_of(c.s_a) != static_cast<number>(l.size()))
    return got ? judgement{verdict::wrong, "accepted a shape of another size"}
               : judgement{verdict::rejected, ""};
  if (!got)
    return {got.why.which == axe::rule::undecided ? verdict::undecided : verdict::missed,
            axe::name_of(got.why.which)};
  std::vector<std::pair<axe::integer, axe::coordinate>> want, found;
  axe::integer x = 0;
  for_each(c.s_a, [&](shape const& at) {
    if (is_there(l, static_cast<std::size_t>(x), c, in) != (c.what == broken && x == 0))
      want.push_back({x, as_coordinate(at)});
    ++x;
  });
  for (axe::element const& e : *got) found.push_back({e.index, e.at});
  if (want != found) return {verdict::wrong, "other elements, or another order"};
  return {want.empty() ? verdict::rejected : verdict::accepted, ""};
}

judgement judge_owner_has(test_case const& c, axis_numbers const& in, axe::shape const& s) {
  map const l = in(c.a);
  bool const fits = size_of(c.s_a) == static_cast<number>(l.size());
  judgement result{fits ? verdict::accepted : verdict::rejected, ""};
  std::size_t x = 0;
  for_each(c.s_a, [&](shape const& at) {
    axe::outcome<bool> const got = axe::try_owner_has(c.a, s, named_place(c), as_coordinate(at));
    std::size_t const here = x++;
    if (!fits) {
      if (got) result = {verdict::wrong, "accepted a shape of another size"};
    } else if (!got) {
      result = {got.why.which == axe::rule::undecided ? verdict::undecided : verdict::missed,
                axe::name_of(got.why.which)};
    } else if ((*got == is_there(l, here, c, in)) == (c.what == broken)) {
      result = {verdict::wrong,
                *got ? "the owner does not have the element" : "the owner has the element"};
    }
  });
  return result;
}

}  // namespace

judgement judge_questions(test_case const& c, axis_numbers const& in, axe::shape const& s) {
  switch (c.what) {
    case op::measures: return judge_measures(c, in);
    case op::places: return judge_element_places(c, in, s);
    case op::elements: return judge_elements(c, in, s);
    default: return judge_owner_has(c, in, s);
  }
}

}  // namespace fuzz
