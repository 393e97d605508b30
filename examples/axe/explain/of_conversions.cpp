// Explains a conversion between register layouts F and T by its effect on three elements.
//
//     convert(F, T, 8)      element 5 goes from {1@lane + 1@reg} to {5@lane}, and the
//                           steps move it there
//     relabel(F, T, S, d)   index 5 of dimension d becomes k(5) = 6: every thread with index 6 in T
//                           has index 5 in F
#include "explain/correspondence.hpp"
#include "explain/explain.hpp"

#include <axe/convert.hpp>

#include <algorithm>

namespace explain {

namespace {

using word = axe::detail::register_word;

/// The registers of all lanes of a warp. To follow an element, all its bits are set and all others
/// are 0.
struct registers {
  std::vector<word> all;
  int words, bits;

  registers(int words_of_lane, int width)
      : all(static_cast<std::size_t>(32 * std::max(words_of_lane, 1))),
        words(words_of_lane),
        bits(width) {}

  /// Calls `use(word, mask)` for each register that has bits of the element at p.
  template <class Use> void slot(point const& p, Use const& use) {
    auto const lane = component(p, axe::axis::lane), reg = component(p, axe::axis::reg);
    integer const first = reg * bits / 32, last = (reg * bits + bits - 1) / 32;
    for (integer w = first; w <= last && w < words; ++w) {
      word const mask = bits >= 32 ? ~word{0} : ((word{1} << bits) - 1) << (reg * bits % 32);
      use(all.at(static_cast<std::size_t>(lane * words + w)), mask);
    }
  }
};

bool of_one_warp(point const& a, point const& b) {
  point one = a, other = b;
  for (axe::axis const on : {axe::axis::lane, axe::axis::reg}) one.erase(on), other.erase(on);
  return one == other;
}

/// True if the plan moves the element from a place of F to each of its places in T.
bool moves(axe::conversion_plan const& plan, points const& from, points const& to) {
  bool all = true;
  for (point const& wanted : to) {
    registers source(plan.source_words, plan.width), target(plan.target_words, plan.width);
    for (point const& p : from)
      if (of_one_warp(p, wanted)) source.slot(p, [](word& w, word mask) { w |= mask; });
    axe::interpret(plan, source.all.data(), target.all.data());
    target.slot(wanted, [&](word& w, word mask) { all = all && (w & mask) == mask; });
  }
  return all;
}

/// The components of places on thread axes.
std::set<point> threads(points const& all) {
  std::set<point> out;
  for (point p : all) {
    std::erase_if(p, [](auto const& t) { return axe::kind_of(t.first) != axe::kind::thread; });
    out.insert(p);
  }
  return out;
}

std::vector<statement> of_relabel(arguments const& given, axe::layout const& order) {
  axe::layout const from = given.layout(0), to = given.layout(1);
  extents const shape = given.shape(2);
  auto const d = static_cast<std::size_t>(given.get<integer>(3));
  std::vector<statement> out;
  for (integer const c : three_of(axe::size(order))) {
    integer const k = component(*places_of(order, c)->begin(), axe::axis::m);
    extents at(shape.size());
    at[d] = c;
    some_points const have = places_of(from, number_of(at, shape));
    at[d] = k;
    some_points const need = places_of(to, number_of(at, shape));
    if (!have || !need) continue;
    std::set<point> const there = threads(*have), wanted = threads(*need);
    out.push_back({"k(" + std::to_string(c) + ") = " + std::to_string(k) + ": FROM has " +
                       words(*have) + ", TO has " + words(*need),
                   std::includes(there.begin(), there.end(), wanted.begin(), wanted.end())});
  }
  return out;
}

/// True if no other element is at the place of element x.
bool has_its_own_place(axe::layout const& memory, integer x) {
  some_points const own = places_of(memory, x);
  bool alone = own.has_value();
  for (integer y = 0; alone && y < axe::size(memory); ++y)
    alone = y == x || places_of(memory, y) != own;
  return alone;
}

}  // namespace

std::vector<statement> of_conversion(axe::layout const& f, axe::layout const& t,
                                     axe::conversion_plan const& plan) {
  std::vector<statement> out;
  for (integer const x : three_of(axe::size(f))) {
    some_points const from = places_of(f, x), to = places_of(t, x);
    if (!from || !to) continue;
    std::string const line =
        "element " + std::to_string(x) + " goes from " + words(*from) + " to " + words(*to);
    if (plan.kind == axe::conversion_kind::nothing)
      out.push_back({line, *from == *to});
    else if (plan.kind == axe::conversion_kind::warps)
      out.push_back({line + " through " + words(places_of(plan.shared.place, x), "memory"),
                     has_its_own_place(plan.shared.place, x)});
    else
      out.push_back({line + ", and the steps move it there", moves(plan, *from, *to)});
  }
  return out;
}

std::vector<statement> of_conversions(calculator::recorded_call const& call) {
  arguments const given{call};
  if (auto const* plan = std::get_if<calculator::shared<axe::conversion_plan>>(&call.result))
    return of_conversion(given.layout(0), given.layout(1), **plan);
  if (given.name() == "relabel") return of_relabel(given, *given.result());
  return {};
}

}  // namespace explain
