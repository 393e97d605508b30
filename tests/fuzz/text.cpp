// Prints cases as text, and shrinks a case to the simplest one that still fails.
#include "fuzz/case.hpp"

namespace fuzz {

char const* name_of(op what) {
  static char const* const names[] = {
      "canonicalize", "equivalent", "is_injective", "group",    "group_many",      "permute",
      "broadcast",    "slice",      "tile",         "tile_to",  "direct_sum",      "tile_outer",
      "tile_inner",   "sum_outer",  "sum_inner",    "compose",  "compose_swizzle", "inverse",
      "rewrite",      "pack",       "unpack",       "window",   "on_axis",         "project",
      "coverage",     "owned_by",   "not_owned_by", "measures", "places",          "elements",
      "owner_has"};
  return names[static_cast<int>(what)];
}

namespace {

std::string text_of(shape const& s) {
  std::string out = "(";
  for (std::size_t k = 0; k < s.size(); ++k) out += (k > 0 ? "," : "") + std::to_string(s[k]);
  return out + ")";
}
std::string text_of(std::vector<range> const& box) {
  std::string out = "(";
  for (std::size_t k = 0; k < box.size(); ++k)
    out += (k > 0 ? "," : "") + std::to_string(box[k].begin) + ":" + std::to_string(box[k].end);
  return out + ")";
}
std::string text_of(axe::layout const& l) { return axe::to_text(l).c_str(); }
std::string text_of(axe::axis a) {
  axe::text<31> out;
  axe::print(out, a);
  return out.c_str();
}

/// Changes the extent of digit k, and that of one dimension of the shape accordingly.
void resize(axe::layout& l, int k, number extent, shape& s, std::size_t dimension,
            std::vector<range>& box) {
  number const before = l.shards[k].extent;
  l.shards[k].extent = extent;
  if (extent == 1) l.shards.erase(k);
  if (dimension >= s.size() || s[dimension] % before != 0) return;
  s[dimension] = s[dimension] / before * extent;
  if (dimension < box.size()) {
    box[dimension].end = std::min(box[dimension].end, s[dimension]);
    box[dimension].begin = std::min(box[dimension].begin, box[dimension].end - 1);
  }
}

template <class Add> void simpler_copies(axe::layout const& l, Add add) {
  for (int k = 0; k < l.replicas.size(); ++k) add([k](axe::layout& c) { c.replicas.erase(k); });
  for (int k = 0; k < l.offsets.size(); ++k) add([k](axe::layout& c) { c.offsets.erase(k); });
  add([](axe::layout& c) { c.swizzle = {}; });
  for (int k = 0; k < l.replicas.size(); ++k) {
    if (l.replicas[k].extent > 2) add([k](axe::layout& c) { --c.replicas[k].extent; });
    if (l.replicas[k].stride < 0)
      add([k](axe::layout& c) { c.replicas[k].stride = -c.replicas[k].stride; });
    if (l.replicas[k].stride > 1) add([k](axe::layout& c) { --c.replicas[k].stride; });
  }
  for (int k = 0; k < l.shards.size(); ++k) {
    if (l.shards[k].stride < 0)
      add([k](axe::layout& c) { c.shards[k].stride = -c.shards[k].stride; });
    if (l.shards[k].stride > 0) add([k](axe::layout& c) { c.shards[k].stride /= 2; });
    if (l.shards[k].stride > 0) add([k](axe::layout& c) { --c.shards[k].stride; });
  }
  for (int k = 0; k < l.offsets.size(); ++k) add([k](axe::layout& c) { c.offsets[k].n /= 2; });
}

std::vector<test_case> simpler(test_case const& c) {
  std::vector<test_case> out;
  auto const with = [&](auto change) {
    test_case changed = c;
    change(changed);
    axe::detail::order_offsets(changed.a);
    axe::detail::order_offsets(changed.b);
    out.push_back(std::move(changed));
  };
  simpler_copies(c.a, [&](auto change) { with([&](test_case& t) { change(t.a); }); });
  if (takes_two(c.what))
    simpler_copies(c.b, [&](auto change) { with([&](test_case& t) { change(t.b); }); });
  for (int k = 0; k < c.a.shards.size(); ++k)
    for (number e = 1; e < c.a.shards[k].extent; ++e)
      for (std::size_t d = 0; d <= c.s_a.size(); ++d) {
        with([&](test_case& t) { resize(t.a, k, e, t.s_a, d, t.box); });
        for (int j = 0; takes_two(c.what) && j < c.b.shards.size(); ++j)
          with([&](test_case& t) {
            resize(t.a, k, e, t.s_a, d, t.box);
            if (t.b.shards[j].extent == c.a.shards[k].extent) resize(t.b, j, e, t.s_b, d, t.box);
          });
      }
  for (int k = 0; k < c.b.shards.size(); ++k)
    for (number e = 1; e < c.b.shards[k].extent; ++e)
      for (std::size_t d = 0; d <= c.s_b.size(); ++d)
        with([&](test_case& t) { resize(t.b, k, e, t.s_b, d, t.box); });
  for (std::size_t d = 0; d < c.box.size(); ++d) {
    if (c.box[d].end - c.box[d].begin > 1) {
      with([&](test_case& t) { --t.box[d].end; });
      with([&](test_case& t) { ++t.box[d].begin; });
    }
  }
  bool const no_orders = c.order.empty();
  for (std::size_t d = 0; d < c.s_a.size() && no_orders; ++d)
    if (c.s_a[d] == 1 && c.s_a.size() > 1)
      with([&](test_case& t) {
        t.s_a.erase(t.s_a.begin() + static_cast<std::ptrdiff_t>(d));
        if (d < t.box.size()) t.box.erase(t.box.begin() + static_cast<std::ptrdiff_t>(d));
        if (d < t.s_b.size()) t.s_b.erase(t.s_b.begin() + static_cast<std::ptrdiff_t>(d));
      });
  if (c.extent > 1) with([](test_case& t) { --t.extent; });
  for (std::size_t i = 0; i < c.at.size(); ++i)
    if (c.at[i] > 1) with([&](test_case& t) { --t.at[i]; });
  return out;
}

/// How complex a case is for a reader. shrink() accepts a case only if this number falls.
number weight(test_case const& c) {
  number w = 0;
  for (axe::layout const* l : {&c.a, &c.b}) {
    for (axe::iter const& i : l->shards)
      w += 20 + 4 * i.extent + 2 * std::abs(i.stride) + (i.stride < 0);
    for (axe::iter const& i : l->replicas)
      w += 20 + 4 * i.extent + 2 * std::abs(i.stride) + (i.stride < 0);
    for (axe::term const& t : l->offsets) w += 10 + std::abs(t.n);
    w += l->swizzle.none() ? 0 : 50;
  }
  for (shape const* s : {&c.s_a, &c.s_b}) w += 5 * static_cast<number>(s->size());
  for (range const& r : c.box) w += r.end;
  for (number n : c.at) w += n;
  return w + c.extent;
}

}  // namespace

std::string text_of(test_case const& c) {
  std::string out = std::string(name_of(c.what)) + "(";
  if (c.what == op::compose_swizzle) out += text_of(c.b) + " = swizzle, ";
  out += text_of(c.a);
  switch (c.what) {
    case op::equivalent:
    case op::compose: out += ", " + text_of(c.b); break;
    case op::places:
    case op::group: out += ", " + text_of(c.s_a); break;
    case op::group_many: out += ", {" + text_of(c.s_a) + ", " + text_of(c.order) + "}"; break;
    case op::permute:
    case op::window:
    case op::tile_to: out += ", " + text_of(c.s_a) + ", " + text_of(c.order); break;
    case op::broadcast:
      out +=
          ", " + text_of(c.s_a) + ", " + std::to_string(c.where) + ", " + std::to_string(c.extent);
      break;
    case op::slice: out += ", " + text_of(c.s_a) + ", " + text_of(c.box); break;
    case op::tile:
    case op::direct_sum:
    case op::tile_outer:
    case op::tile_inner:
    case op::sum_outer:
    case op::sum_inner:
      out += ", " + text_of(c.s_a) + ", " + text_of(c.b) + ", " + text_of(c.s_b);
      break;
    case op::inverse:
      for (std::size_t i = 0; i < c.named.size(); ++i)
        out += (i == 0 ? ", (" : ", ") + text_of(c.named[i]);
      out += ")";
      break;
    case op::rewrite:
      out += ", " + text_of(c.made_of.whole) + " =";
      for (int i = 0; i < c.made_of.parts.size(); ++i)
        out += (i == 0 ? " " : " + ") + std::to_string(c.made_of.parts[i].n) + "*" +
               text_of(c.made_of.parts[i].on);
      break;
    case op::pack:
    case op::unpack: out += ", " + std::to_string(c.extent) + ", " + text_of(c.on); break;
    case op::on_axis: out += ", " + text_of(c.on); break;
    case op::project:
      out += c.where == 0 ? ", storage" : c.where == 1 ? ", threads" : ", devices";
      break;
    case op::coverage:
    case op::owned_by:
    case op::not_owned_by:
    case op::elements:
    case op::owner_has:
      if (c.what != op::coverage) out += ", " + text_of(c.s_a);
      for (std::size_t i = 0; i < c.named.size(); ++i)
        out += ", " + text_of(c.named[i]) + ": " + std::to_string(c.at[i]);
      break;
    default: break;
  }
  return out + ")";
}

test_case shrink(test_case c, verdict failing) {
  for (bool again = true; again;) {
    again = false;
    for (test_case const& candidate : simpler(c)) {
      if (weight(candidate) >= weight(c)) continue;
      bool valid = axe::check(candidate.a).which == axe::rule::none &&
                   axe::check(candidate.b).which == axe::rule::none;
      for (range const& r : candidate.box) valid = valid && r.begin >= 0;
      if (!valid || judge(candidate).is != failing) continue;
      c = candidate;
      again = true;
      break;
    }
  }
  return c;
}

}  // namespace fuzz
