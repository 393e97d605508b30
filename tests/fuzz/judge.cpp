// Runs one case through the library and compares the answer with the oracle. Only this file,
// judge_places.cpp and judge_questions.cpp include headers of both.
#include "fuzz/judge.hpp"

namespace fuzz {

op broken = static_cast<op>(-1);
op refusing = static_cast<op>(-1);

namespace {

using fuzz::to_axe;
axe::coordinate to_order(shape const& s) { return axe::coordinate(fuzz::to_axe(s)); }
axe::region to_axe(std::vector<range> const& box) {
  axe::region out;
  for (range const& r : box) out.ranges.push({r.begin, r.end});
  return out;
}

using result = axe::outcome<axe::layout>;

bool is_capacity(axe::rule r) {
  using axe::rule;
  return r == rule::too_many_shards || r == rule::too_many_replicas ||
         r == rule::too_many_offsets || r == rule::too_many_axes ||
         r == rule::result_too_many_axes || r == rule::too_many_dimensions;
}

judgement rejected(axe::refusal const& why, answer want) {
  if (is_capacity(why.which)) return {verdict::capacity, axe::name_of(why.which)};
  if (!want.places.empty()) want = layout_behind_any(want.places);
  if (why.which == axe::rule::undecided)
    return {verdict::undecided, want.is == answer::unknown ? "undecided, also by the oracle"
                                : want.is == answer::none  ? "undecided, but no layout exists"
                                                           : "undecided, but a layout exists"};
  return {want.is == answer::exists ? verdict::missed : verdict::rejected, axe::name_of(why.which)};
}

result spoilt(result got, op what) {
  if (what == refusing) return axe::refusal{axe::rule::no_layout_steps};
  if (what == broken && got && !got.value.shards.empty()) {
    got.value.shards.back().stride += 1;
    got.value.shards.back().on = axe::axis::m;
  }
  return got;
}

char const* not_canonical(axe::layout const& l) {
  axe::outcome<axe::layout> const again = axe::try_canonicalize(l);
  if (!again) return "canonicalize rejects the answer";
  return *again == l ? nullptr : "the answer is not canonical";
}

judgement compare(axis_numbers const& in, result const& got, answer const& want) {
  if (!got) return rejected(got.why, want);
  if (axe::check(*got).which != axe::rule::none)
    return {verdict::wrong, "the answer is an invalid layout"};
  if (want.places.empty() && want.is == answer::none)
    return {verdict::wrong, "no such layout exists, but one was returned"};
  if (want.places.empty() ? !same(in(*got), want.as) : !has_table(in(*got), want.places))
    return {verdict::wrong, "the answer is another map"};
  if (char const* bad = not_canonical(*got)) return {verdict::wrong, bad};
  return {};
}

/// Judges a factor of T. The oracle composes it with the known operand, and the result must be T.
/// If T was composed of two operands, the missing one shows that a legal answer exists.
judgement compare_factor(result const& got, answer const& exists, map const& t, map const& known,
                         axis_numbers const& in, axe::layout const& missing, auto compose) {
  auto const is_factor = [&](axe::layout const& l) {
    answer const again = compose(in(l));
    return again.places.empty() ? again.is == answer::exists && same(again.as, t)
                                : has_table(t, again.places);
  };
  if (!got) {
    // If T and the known operand have no swizzle, a factor with a swizzle is not expected.
    bool const plain = t.f.B == 0 && known.f.B == 0 && !missing.swizzle.none();
    bool const made =
        exists.is != answer::exists && !plain && !missing.shards.empty() && is_factor(missing);
    return rejected(got.why, made ? answer{answer::exists} : exists);
  }
  if (!is_factor(*got)) return {verdict::wrong, "the composition is not T"};
  if (exists.places.empty() && exists.is == answer::none)
    return {verdict::wrong, "the oracle is wrong: it does not find the factor, which is correct"};
  if (char const* bad = not_canonical(*got)) return {verdict::wrong, bad};
  return {};
}

answer as_answer(std::optional<bool> exists) {
  return {!exists ? answer::unknown : *exists ? answer::exists : answer::none};
}

judgement judge_outer(test_case const& c, axis_numbers const& in, bool tiled) {
  axe::shape const s_t = to_axe(c.s_a), s_b = to_axe(c.s_b);
  result const got = spoilt(
      tiled ? axe::try_tile_outer(c.a, s_t, c.b, s_b) : axe::try_sum_outer(c.a, s_t, c.b, s_b),
      c.what);
  map const t = without_idle(in(c.a)), b = without_idle(in(c.b));
  factors const sigma = tiled ? spans(b) : ones;
  bool const plain = t.f.B == 0 && b.f.B == 0;
  answer const exists = plain ? as_answer(has_outer(t, c.s_a, b, c.s_b, sigma))
                              : outer_behind_swizzle(t, c.s_a, b, c.s_b, sigma);
  return compare_factor(got, exists, t, b, in, c.missing, [&](map const& a) {
    std::optional<shape> const s_a = quotient(c.s_a, c.s_b);
    return !s_a ? answer{} : tiled ? tile(a, *s_a, b, c.s_b) : direct_sum(a, *s_a, b, c.s_b);
  });
}

judgement judge_inner(test_case const& c, axis_numbers const& in, bool tiled) {
  axe::shape const s_t = to_axe(c.s_a), s_a = to_axe(c.s_b);
  result const got = spoilt(
      tiled ? axe::try_tile_inner(c.a, s_t, c.b, s_a) : axe::try_sum_inner(c.a, s_t, c.b, s_a),
      c.what);
  map const t = without_idle(in(c.a)), a = without_idle(in(c.b));
  bool const plain = t.f.B == 0 && a.f.B == 0;
  answer const exists = plain ? as_answer(has_inner(t, c.s_a, a, c.s_b, tiled))
                              : inner_behind_swizzle(t, c.s_a, a, c.s_b, tiled);
  return compare_factor(got, exists, t, a, in, c.missing, [&](map const& b) {
    std::optional<shape> const s_b = quotient(c.s_a, c.s_b);
    return !s_b ? answer{} : tiled ? tile(a, c.s_b, b, *s_b) : direct_sum(a, c.s_b, b, *s_b);
  });
}

judgement yes_or_no(axe::outcome<bool> const& got, bool want, op what) {
  if (!got) return rejected(got.why, {answer::exists});
  if (*got != (what == broken ? !want : want))
    return {verdict::wrong, want ? "the answer is no, but the condition holds"
                                 : "the answer is yes, but the condition does not hold"};
  return {want ? verdict::accepted : verdict::rejected, ""};
}

judgement judge_equivalent(test_case const& c, axis_numbers const& in) {
  map const a = in(c.a), b = in(c.b);
  bool const equal = same(a, b);
  axe::outcome<axe::layout_difference> const d = axe::try_difference(c.a, c.b);
  if (d && d->found == equal) return {verdict::wrong, "try_difference disagrees"};
  if (d && d->found) {
    std::size_t x = 0;
    while (x < a.size() && x < b.size() && places(a, x) == places(b, x)) ++x;
    if (d->at != static_cast<axe::integer>(x))
      return {verdict::wrong, "the first difference is at another element"};
  }
  return yes_or_no(axe::try_equivalent(c.a, c.b), equal, c.what);
}

bool injective(map const& m) {
  std::vector<number> all;
  for (std::size_t x = 0; x < m.size(); ++x)
    for (number p : places(m, x)) all.push_back(p);
  std::size_t const before = all.size();
  return as_set(std::move(all)).size() == before;
}

judgement judge_group(axis_numbers const& in, axe::layout const& l, result const& got,
                      std::optional<shape> const& s) {
  map const m = in(l);
  answer const want{s && groups(m, *s) ? answer::exists : answer::none, m};
  if (!got) return rejected(got.why, want);
  if (want.is == answer::none)
    return {verdict::wrong, "the shape does not group, but blocks were returned"};
  if (!same(in(*got), m)) return {verdict::wrong, "the answer is another map"};
  int k = 0;
  for (std::size_t d = 0; d < s->size(); ++d) {
    number held = 1;
    for (int last = k + got->blocks[static_cast<int>(d)]; k < last; ++k)
      held *= got->shards[k].extent;
    if (held != (*s)[d])
      return {verdict::wrong, "a block does not have the extent of its dimension"};
  }
  return {};
}

judgement judge_compose(test_case const& c, axis_numbers const& in) {
  result const got = spoilt(axe::try_compose(c.a, c.b), c.what);
  axe::axis_list const on = axe::axes_of(c.b);
  if (on.size() > 1)
    return got ? judgement{verdict::wrong, "accepted B on several axes"}
               : judgement{verdict::rejected, ""};
  map const a = in(c.a), b = in(c.b);
  int const along = on.empty() ? 0 : in.of(on[0]);
  table all = composed(a, b, along);
  if (got && !has_table(in(*got), all)) return {verdict::wrong, "the answer is not A(B(x))"};
  if (got) {
    char const* const bad = not_canonical(*got);
    return {bad == nullptr ? verdict::accepted : verdict::wrong, bad == nullptr ? "" : bad};
  }
  if (all.empty()) return rejected(got.why, {});
  return rejected(got.why, moves(a) || moves(b) ? any_layout_of(std::move(all)) : layout_of(all));
}

judgement judge_rewrite(test_case const& c, axis_numbers const& in) {
  result const got = spoilt(axe::try_rewrite(c.a, c.made_of), c.what);
  composition made{in.of(c.made_of.whole), {}};
  bool part_named = false;
  for (axe::term const& t : c.made_of.parts) {
    made.parts.push_back({t.n, in.of(t.on)});
    for (axe::axis a : axe::axes_of(c.a)) part_named = part_named || a == t.on;
  }
  bool whole_named = false;
  for (axe::axis a : axe::axes_of(c.a)) whole_named = whole_named || a == c.made_of.whole;
  if (part_named && whole_named)
    return got ? judgement{verdict::wrong, "accepted a layout on the whole axis and on its parts"}
               : judgement{verdict::rejected, ""};
  answer want = rewrite(in(c.a), made, whole_named);
  if (want.is == answer::unknown && got) want.is = answer::exists;
  return compare(in, got, want);
}

/// Judges a swizzle applied to a layout. Half of the layouts have a swizzle already.
judgement judge_swizzle(test_case const& c, axis_numbers const& in) {
  axe::swizzle const f = c.b.swizzle;
  result const got = spoilt(axe::try_compose(f, c.a), c.what);
  map const inner = without_idle(in(c.a));
  bool only_memory = true;
  table all;
  for (std::size_t x = 0; x < inner.size(); ++x) {
    std::vector<number> here;
    for (number p : places(inner, x)) {
      only_memory = only_memory && p == component(p, 0);
      here.push_back(swizzled({f.M, f.B, f.S}, p));
    }
    all.push_back(as_set(std::move(here)));
  }
  if (!only_memory)
    return got ? judgement{verdict::wrong, "accepted places on axes other than m"}
               : judgement{verdict::rejected, ""};
  if (!got) return rejected(got.why, any_layout_of(std::move(all)));
  return {has_table(in(*got), all) ? verdict::accepted : verdict::wrong,
          "the answer is another map"};
}

judgement judge_unpack(test_case const& c, axis_numbers const& in) {
  result const got = spoilt(axe::try_unpack(c.a, c.extent, c.on), c.what);
  return compare(in, got, unpack(without_idle(in(c.a)), c.extent, in.of(c.on)));
}

judgement judge_pack(test_case const& c, axis_numbers const& in) {
  result const got = spoilt(axe::try_pack(c.a, c.extent, c.on), c.what);
  return compare(in, got, pack(without_idle(in(c.a)), c.extent, in.of(c.on)));
}

}  // namespace

judgement judge(test_case const& c) try {
  axis_numbers const in(c);
  axe::shape const s_a = to_axe(c.s_a), s_b = to_axe(c.s_b);
  switch (c.what) {
    case op::canonicalize:
      return compare(in, spoilt(axe::try_canonicalize(c.a), c.what), {answer::exists, in(c.a)});
    case op::equivalent: return judge_equivalent(c, in);
    case op::is_injective: return yes_or_no(axe::try_is_injective(c.a), injective(in(c.a)), c.what);
    case op::group: return judge_group(in, c.a, spoilt(axe::try_group(c.a, s_a), c.what), c.s_a);
    case op::group_many:
      return judge_group(in, c.a, spoilt(axe::try_group_many(c.a, {s_a, to_axe(c.order)}), c.what),
                         refinement({c.s_a, c.order}));
    case op::permute:
      return compare(in, spoilt(axe::try_permute(c.a, s_a, to_order(c.order)), c.what),
                     permute(without_idle(in(c.a)), c.s_a, c.order));
    case op::broadcast:
      return compare(in, spoilt(axe::try_broadcast(c.a, s_a, c.where, c.extent), c.what),
                     broadcast(without_idle(in(c.a)), c.s_a, c.where, c.extent));
    case op::slice:
      return compare(in, spoilt(axe::try_slice(c.a, s_a, to_axe(c.box)), c.what),
                     slice(without_idle(in(c.a)), c.s_a, c.box));
    case op::tile:
      return compare(in, spoilt(axe::try_tile(c.a, s_a, c.b, s_b), c.what),
                     tile(in(c.a), c.s_a, in(c.b), c.s_b));
    case op::direct_sum:
      return compare(in, spoilt(axe::try_direct_sum(c.a, s_a, c.b, s_b), c.what),
                     direct_sum(in(c.a), c.s_a, in(c.b), c.s_b));
    case op::tile_to: {
      result const got = spoilt(axe::try_tile_to(c.a, s_a, to_axe(c.order)), c.what);
      std::optional<shape> const outer = quotient(c.order, c.s_a);
      if (!outer) return compare(in, got, {});
      std::vector<number> rows;
      for (number p = 0; p < size_of(*outer); ++p) rows.push_back(coded(p, in.of(axe::axis::m)));
      return compare(in, got, tile(map{rows, {0}, 0, {}}, *outer, in(c.a), c.s_a));
    }
    case op::tile_outer: return judge_outer(c, in, true);
    case op::sum_outer: return judge_outer(c, in, false);
    case op::tile_inner: return judge_inner(c, in, true);
    case op::sum_inner: return judge_inner(c, in, false);
    case op::compose: return judge_compose(c, in);
    case op::compose_swizzle: return judge_swizzle(c, in);
    case op::inverse: {
      axe::axis_list named;
      std::vector<int> numbers;
      for (axe::axis a : c.named) {
        named.push(a);
        numbers.push_back(in.of(a));
      }
      return compare(in, spoilt(axe::try_inverse(c.a, named), c.what),
                     inverse(without_idle(in(c.a)), numbers));
    }
    case op::rewrite: return judge_rewrite(c, in);
    case op::pack: return judge_pack(c, in);
    case op::unpack: return judge_unpack(c, in);
    case op::measures:
    case op::places:
    case op::elements:
    case op::owner_has: return judge_questions(c, in, s_a);
    default: return judge_places(c, in, s_a);
  }
  return {};
} catch (out_of_range const&) { return {verdict::skipped, "too large for the oracle"}; }

}  // namespace fuzz
