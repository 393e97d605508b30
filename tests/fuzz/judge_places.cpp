// Compares answers about places with plain sets: windows with slices, projections, the coverage of
// a box, and the pieces of an owner.
#include "fuzz/judge.hpp"

namespace fuzz {

namespace {

/// Every window must be the slice at its origin: its layout with the offset of the origin added
/// before the swizzle.
judgement judge_window(test_case const& c, axis_numbers const& in, axe::shape const& s) {
  axe::outcome<axe::window_family> got = axe::try_window(c.a, s, to_axe(c.order));
  if (c.what == refusing)
    got = axe::outcome<axe::window_family>(axe::refusal{axe::rule::windows_differ});
  map const l = in(c.a);
  bool fits = size_of(c.s_a) == static_cast<number>(l.size());
  for (std::size_t d = 0; d < c.s_a.size(); ++d) fits = fits && c.order[d] <= c.s_a[d];
  std::vector<number> steps;
  for (std::size_t d = 0; d < c.s_a.size(); ++d)
    steps.push_back(got ? got->steps[static_cast<int>(d)] : c.order[d]);
  shape origins;
  for (std::size_t d = 0; d < c.s_a.size() && fits; ++d)
    origins.push_back((c.s_a[d] - c.order[d]) / steps[d] + 1);
  if (!got) {
    // An answer must exist if the windows at multiples of their own extents are translations of one
    // another, and L groups by the shape or the windows cover all dimensions but the first.
    bool covers = fits;
    for (std::size_t d = 1; d < c.s_a.size(); ++d) covers = covers && c.order[d] == c.s_a[d];
    bool one = fits && (covers || groups(l, c.s_a));
    std::optional<map> first;
    if (one)
      for_each(origins, [&](shape const& o) {
        std::vector<range> box;
        for (std::size_t d = 0; d < o.size(); ++d)
          box.push_back({o[d] * steps[d], o[d] * steps[d] + c.order[d]});
        map plain = l;
        plain.f = {};
        answer const part = slice(plain, c.s_a, box);
        if (!first) first = part.as;
        one = one && part.is == answer::exists && part.as.d == first->d;
      });
    if (got.why.which == axe::rule::undecided) return {verdict::undecided, "undecided"};
    return {one ? verdict::missed : verdict::rejected, axe::name_of(got.why.which)};
  }
  if (!fits) return {verdict::wrong, "accepted a window larger than its dimension"};
  judgement result;
  for_each(origins, [&](shape const& o) {
    std::vector<range> box;
    std::vector<axe::integer> origin;
    for (std::size_t d = 0; d < o.size(); ++d) {
      origin.push_back(o[d] * steps[d] + (c.what == broken ? 1 : 0));
      box.push_back({o[d] * steps[d], o[d] * steps[d] + c.order[d]});
    }
    axe::layout moved = got->part;
    for (axe::term const& t : got->offset(origin.data()).terms) {
      axe::integer n = moved.offset(t.on) + t.n;
      for (int i = moved.offsets.size() - 1; i >= 0; --i)
        if (moved.offsets[i].on == t.on) moved.offsets.erase(i);
      if (n != 0) moved.offsets.push({n, t.on});
    }
    answer const want = slice(l, c.s_a, box);
    if (!(want.places.empty() ? same(in(moved), want.as) : has_table(in(moved), want.places)))
      result = {verdict::wrong, "a window is not the slice there"};
  });
  return result;
}

/// The layout with the digits on `kept` axes. The other digits get stride 0, or are dropped.
map only_on(layout const& l, std::vector<bool> const& kept, bool drop) {
  layout out;
  // A digit with stride 0 is on no axis. The projection on storage keeps it.
  auto const stays = [&](digit const& i) {
    return i.on < 0 || i.stride == 0 ? drop && kept[0] : kept[static_cast<std::size_t>(i.on)];
  };
  for (digit const& i : l.d)
    if (stays(i))
      out.d.push_back(i);
    else if (!drop)
      out.d.push_back({i.extent, 0, oracle::nowhere});
  for (digit const& i : l.r)
    if (i.on >= 0 && kept[static_cast<std::size_t>(i.on)]) out.r.push_back(i);
  for (std::size_t a = 0; a < kept.size(); ++a)
    if (kept[a]) out.o[a] = l.o[a];
  if (kept[0]) out.f = l.f;
  return map_of(out);
}

judgement judge_part(axe::outcome<axe::layout> got, test_case const& c, axis_numbers const& in,
                     map const& want) {
  if (!got) return {verdict::missed, axe::name_of(got.why.which)};
  if (c.what == broken) got.value.offsets.push({1, axe::axis::m});
  if (axe::check(*got).which != axe::rule::none)
    return {verdict::wrong, "the answer is an invalid layout"};
  return same(in(*got), want) ? judgement{}
                              : judgement{verdict::wrong, "the answer is another map"};
}

judgement judge_project(test_case const& c, axis_numbers const& in) {
  std::vector<bool> kept(axes, false);
  for (std::size_t i = 0; i < in.known.size(); ++i) {
    axe::axis const a = in.known[i];
    int const kind = a == axe::axis::m || a == axe::axis::reg ? 0 : a == axe::axis::gpuid ? 2 : 1;
    kept[i] = kind == c.where;
  }
  layout const l = in.plain(c.a);
  return judge_part(c.where == 0   ? axe::try_storage(c.a)
                    : c.where == 1 ? axe::try_threads(c.a)
                                   : axe::try_devices(c.a),
                    c, in, only_on(l, kept, true));
}

/// The components of a place on the named axes.
std::vector<number> on_named(number p, test_case const& c, axis_numbers const& in) {
  std::vector<number> at;
  for (axe::axis a : c.named) at.push_back(component(p, in.of(a)));
  return at;
}

judgement judge_coverage(test_case const& c, axis_numbers const& in) {
  axe::box box;
  for (std::size_t i = 0; i < c.named.size(); ++i) box.axes.push({c.named[i], c.at[i]});
  map const l = in(c.a);
  std::map<std::vector<number>, std::vector<number>> held;
  std::map<number, std::vector<std::vector<number>>> of;
  for (std::size_t x = 0; x < l.size(); ++x)
    for (number p : places(l, x)) {
      std::vector<number> const at = on_named(p, c, in);
      bool inside = true;
      for (std::size_t i = 0; i < at.size(); ++i) inside = inside && at[i] >= 0 && at[i] < c.at[i];
      if (!inside) continue;
      std::vector<number>& there = held[at];
      number const element = static_cast<number>(x);
      if (there.empty() || there.back() != element) there.push_back(element);
      std::vector<std::vector<number>>& mine = of[element];
      if (std::find(mine.begin(), mine.end(), at) == mine.end()) mine.push_back(at);
    }
  number positions = 1;
  for (number n : c.at) positions *= n;
  axe::covered want = axe::covered::once;
  for (auto const& [element, mine] : of)
    if (mine.size() > 1) want = axe::covered::copies;
  if (static_cast<number>(held.size()) < positions) want = axe::covered::holes;
  for (auto const& [at, there] : held)
    if (there.size() > 1) want = axe::covered::contested;
  axe::outcome<axe::coverage_answer> const got = axe::try_coverage(c.a, box);
  if (!got || c.what == refusing)
    return {!got && got.why.which == axe::rule::undecided ? verdict::undecided : verdict::missed,
            "refused"};
  if ((got->how != want) != (c.what == broken)) return {verdict::wrong, "another kind of coverage"};
  auto const named = [&](axe::place const& p) {
    std::vector<number> at;
    for (axe::axis a : c.named) at.push_back(p[a]);
    return at;
  };
  auto const holds = [&](axe::place const& p, number element) {
    auto const there = held.find(named(p));
    return there != held.end() &&
           std::find(there->second.begin(), there->second.end(), element) != there->second.end();
  };
  bool witness = true;
  if (want == axe::covered::holes) witness = held.find(named(got->at)) == held.end();
  if (want == axe::covered::copies)
    witness = holds(got->at, got->first) && holds(got->also_at, got->first) &&
              named(got->at) != named(got->also_at);
  if (want == axe::covered::contested)
    witness =
        got->first != got->second && holds(got->at, got->first) && holds(got->at, got->second);
  return witness ? judgement{} : judgement{verdict::wrong, "a wrong witness"};
}

/// The elements of a piece in the order of the piece.
std::vector<number> elements_of(axe::piece const& part, shape s) {
  if (part.flattened) s = {size_of(s)};
  std::vector<number> out{0};
  int k = 0;
  for (std::size_t d = 0; d < s.size(); ++d) {
    std::vector<number> along{part.origin.is_integer()
                                  ? part.origin.nodes.value(0)
                                  : part.origin[static_cast<int>(d)].nodes.value(0)};
    for (int last = k + part.steps.blocks[static_cast<int>(d)]; k < last; ++k) {
      std::vector<number> longer;
      for (number at : along)
        for (number i = 0; i < part.steps.shards[k].extent; ++i)
          longer.push_back(at + i * part.steps.shards[k].stride);
      along = std::move(longer);
    }
    std::vector<number> longer;
    for (number at : out)
      for (number i : along) longer.push_back(at * s[d] + i);
    out = std::move(longer);
  }
  return out;
}

/// Pieces must be disjoint. If `owned`, they must have exactly the elements at the owner, with
/// their places on the other axes. Else they must have all other elements, with their places on all
/// axes.
template <class Pieces>
judgement judge_pieces(test_case const& c, axis_numbers const& in, Pieces const& pieces,
                       bool owned) {
  map const l = in(c.a);
  std::vector<int> seen(l.size(), 0);
  for (axe::piece const& part : pieces) {
    std::vector<number> const elements = elements_of(part, c.s_a);
    map const held = in(part.places);
    if (held.size() != elements.size())
      return {verdict::wrong, "a piece has another number of elements"};
    for (std::size_t i = 0; i < elements.size(); ++i) {
      std::size_t const x = static_cast<std::size_t>(elements[i]);
      ++seen.at(x);
      std::vector<number> want;
      for (number p : places(l, x)) {
        if (owned && on_named(p, c, in) != c.at) continue;
        for (axe::axis a : c.named)
          if (owned) p = replaced(p, in.of(a), 0);
        want.push_back(p);
      }
      if (as_set(std::move(want)) != places(held, i))
        return {verdict::wrong, "a piece holds other places"};
    }
  }
  bool some = false;
  for (std::size_t x = 0; x < l.size(); ++x) {
    bool there = false;
    for (number p : places(l, x)) there = there || on_named(p, c, in) == c.at;
    bool const wanted = (there == owned) != (c.what == broken);
    some = some || wanted;
    if (seen[x] != (wanted ? 1 : 0))
      return {verdict::wrong, "an element is missing, or in two pieces"};
  }
  return {some ? verdict::accepted : verdict::rejected, ""};
}

}  // namespace

judgement judge_places(test_case const& c, axis_numbers const& in, axe::shape const& s) {
  if (c.what == op::window) return judge_window(c, in, s);
  if (c.what == op::project) return judge_project(c, in);
  if (c.what == op::coverage) return judge_coverage(c, in);
  if (c.what == op::on_axis) {
    std::vector<bool> kept(axes, false);
    kept[static_cast<std::size_t>(in.of(c.on))] = true;
    return judge_part(axe::try_on_axis(c.a, c.on), c, in, only_on(in.plain(c.a), kept, false));
  }
  axe::place at;
  for (std::size_t i = 0; i < c.named.size(); ++i) at.add({c.at[i], c.named[i]});
  if (c.what == op::owned_by) {
    axe::outcome<axe::ownership> const got = axe::try_owned_by(c.a, s, at);
    return got ? judge_pieces(c, in, *got, true)
               : judgement{verdict::missed, axe::name_of(got.why.which)};
  }
  axe::outcome<axe::unowned_pieces> const got = axe::try_not_owned_by(c.a, s, at);
  return got ? judge_pieces(c, in, *got, false)
             : judgement{verdict::missed, axe::name_of(got.why.which)};
}

}  // namespace fuzz
