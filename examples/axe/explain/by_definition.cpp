// Computes three elements of a result from the operands, by the definition of the operation.
//
//     tile(S[(2,2):(2,1)], (2,2), S[(4,8):(8,1)], (4,8))
//       (6,6)  p = (1,0), q = (2,6): sigma*{2@m} + {22@m} = {86@m}; the result agrees
//
// After a refusal there is no result. Then the line ends with the places that the element should
// have.
#include "explain/correspondence.hpp"
#include "explain/explain.hpp"

#include <algorithm>

namespace explain {

namespace {

bool valid(correspondence const& c) {
  integer size = 1;
  for (integer const extent : c.shape)
    if (extent < 1 || !axe::detail::multiply(size, extent)) return false;
  for (operand const& o : c.operands)
    if (product_of(o.shape) != axe::size(o.of)) return false;
  return !c.result || axe::size(*c.result) == size;
}

/// Chooses elements that show why no result exists: the first two, and the first one whose step
/// from the element before differs from the first step.
extents elements_of_refusal(correspondence const& c) {
  constexpr integer most = 4096;
  auto const step = [&](integer x) -> std::optional<point> {
    some_points const a = c.by_definition(x - 1).places, b = c.by_definition(x).places;
    if (!a || !b || a->size() != 1 || b->size() != 1) return {};
    point back = *a->begin();
    for (auto& [on, n] : back) n = -n;
    return *sum({back}, *b).begin();
  };
  if (c.size() < 3) return three_of(c.size());
  std::optional<point> const first = step(1);
  if (!first) {
    for (integer x = 0; x < std::min(c.size(), most); ++x)
      if (!c.by_definition(x).places) return x < 2 ? extents{0, 1} : extents{0, 1, x};
  }
  for (integer x = 2; first && x < std::min(c.size(), most); ++x)
    if (step(x) != first) return {0, 1, x};
  return three_of(c.size());
}

void write_wanted(std::string& out, correspondence const& c) {
  for (integer const x : elements_of_refusal(c)) {
    computed const by = c.by_definition(x);
    out += "  " + c.name_of(x) + "  " + by.how;
    if (by.places) out += " = " + words(*by.places);
    out += "\n";
  }
}

bool write_compared(std::string& out, correspondence const& c) {
  bool agree = true;
  for (integer const x : c.chosen.empty() ? three_of(c.size()) : c.chosen) {
    computed const want = c.by_definition(x);
    out += "  " + c.name_of(x) + "  " + want.how;
    if (want.holds) {
      agree = agree && *want.holds;
      out += *want.holds ? "; true\n" : "; false\n";
      continue;
    }
    some_points const have = places_of(*c.result, x);
    if (!want.places || !have) {
      out += "; it has more than 64 places\n";
      continue;
    }
    bool const same = *want.places == *have;
    agree = agree && same;
    out += " = " + words(*want.places) +
           (same ? "; " + c.called + " agrees" : "; but " + c.called + " has " + words(*have)) +
           "\n";
  }
  return agree;
}

/// Computes elements of a layout without operands, such as that of an instruction, from its own
/// digits.
bool write_digits(std::string& out, axe::layout const& l) {
  bool agree = true;
  extents all;
  for (axe::iter const& i : l.shards) all.push_back(i.extent);
  for (integer const x : three_of(axe::size(l))) {
    extents const digits = coordinate_of(x, all);
    point at;
    std::string how;
    for (int k = 0; k < l.shards.size(); ++k) {
      axe::iter const& i = l.shards[k];
      integer const d = digits[static_cast<std::size_t>(k)];
      how += (k == 0 ? ": " : " + ") + std::to_string(d) + "*" + std::to_string(i.stride);
      if (i.on != axe::axis::null && d * i.stride != 0) at[i.on] += d * i.stride;
    }
    for (axe::term const& o : l.offsets) at[o.on] += o.n;
    std::erase_if(at, [](auto const& t) { return t.second == 0; });
    points places{at};
    for (axe::iter const& r : l.replicas) {
      points steps;
      for (integer j = 0; j < std::min(r.extent, most_places); ++j)
        steps.insert(single(j * r.stride, r.on));
      places = sum(places, steps);
    }
    if (!l.replicas.empty()) how += ", with replicas";
    if (!l.swizzle.none()) {
      how += " = " + words(places) + ", swizzled";
      places = *each(places, [&](point const& p) {
        return single(l.swizzle(component(p, axe::axis::m)), axe::axis::m);
      });
    }
    bool const same = places_of(l, x) == places;
    agree = agree && same;
    out += "  element " + std::to_string(x) + "  digits " + words(digits) + how + " = " +
           words(places) + (same ? "; the result agrees\n" : "; but the result differs\n");
  }
  return agree;
}

}  // namespace

bool elements_by_definition(std::string& out, calculator::recorded_call const& call) {
  bool agree = true;
  bool const refused = static_cast<bool>(call.why);
  // Places do not explain an overflow, too many iters or the step limit.
  if (refused && !axe::detail::is_about_the_map(call.why.which)) return true;
  std::vector<correspondence> const all = correspondences_of(call);
  for (correspondence const& c : all) {
    if (!valid(c)) continue;
    if (!c.result && refused)
      write_wanted(out, c);
    else
      agree = write_compared(out, c) && agree;
  }
  if (!all.empty() && all.back().more)
    out += "  pieces after the first " + std::to_string(most_pieces) + " are not shown\n";
  for (statement const& s : statements_of(call)) {
    agree = agree && s.holds;
    out += "  " + s.words + (s.holds ? "; true\n" : "; false\n");
  }
  std::optional<axe::layout> const made = arguments{call}.result();
  if (out.empty() && made) agree = write_digits(out, *made) && agree;
  return agree;
}

}  // namespace explain
