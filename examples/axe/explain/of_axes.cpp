// Explains on_axis, storage, threads, devices, rewrite, pack and unpack, element by element.
#include "explain/correspondence.hpp"

#include "eval/print.hpp"
#include "text/sink.hpp"

namespace explain {

namespace {

/// The correspondence of a result with the same elements as L, where each place is changed.
correspondence changed(axe::layout const& l, std::optional<axe::layout> const& result,
                       std::string const& words_of_change,
                       std::function<point(point const&)> const& change) {
  integer const size = axe::size(l);
  correspondence c = selection("L", l, {size}, result, {size}, [](integer x) { return x; });
  c.by_definition = [=](integer x) {
    some_points const there = places_of(l, x);
    return computed{words(there, "L(x)") + " " + words_of_change, each(there, change)};
  };
  return c;
}

/// The correspondence of a projection on axes of one kind. It has the elements of L at which the
/// digits on axes of other kinds are 0.
correspondence projection(axe::layout const& l, axe::kind wanted, char const* named,
                          std::optional<axe::layout> const& result) {
  extents kept, weights;
  integer after = axe::size(l);
  for (axe::iter const& i : l.shards) {
    after /= i.extent;
    if (axe::kind_of(i.stride == 0 ? axe::axis::null : i.on) != wanted) continue;
    kept.push_back(i.extent);
    weights.push_back(after);
  }
  auto const from = [=](integer x) {
    extents const digits = coordinate_of(x, kept);
    integer element = 0;
    for (std::size_t k = 0; k < kept.size(); ++k) element += digits[k] * weights[k];
    return element;
  };
  integer const size = product_of(kept);
  correspondence c = selection("L", l, {axe::size(l)}, result, {size}, from);
  c.by_definition = [=](integer x) {
    some_points const there = places_of(l, from(x));
    return computed{
        "L(" + std::to_string(from(x)) + ") = " + words(there, "many places") + " on " + named,
        each(there, [&](point const& p) {
          point out;
          for (auto const& [on, n] : p)
            if (axe::kind_of(on) == wanted) out[on] = n;
          return out;
        })};
  };
  return c;
}

/// Replaces the components on the parts by one on the whole, which is the sum of factor*part.
point joined_axes(point p, axe::axis whole, std::vector<axe::term> const& parts) {
  integer sum = component(p, whole);
  for (axe::term const& part : parts) {
    sum += part.n * component(p, part.on);
    p.erase(part.on);
  }
  p.erase(whole);
  if (sum != 0) p[whole] = sum;
  return p;
}

point split_axis(point p, axe::axis_composition const& c) {
  integer rest = component(p, c.whole);
  p.erase(c.whole);
  for (axe::term const& part : c.parts) {
    integer const digit = axe::detail::floor_divide(rest, part.n);
    rest -= digit * part.n;
    if (digit != 0) p[part.on] += digit;
  }
  return p;
}

correspondence rewritten(axe::layout const& l, axe::axis_composition const& c, bool split,
                         std::optional<axe::layout> const& result) {
  std::string formula;
  calculator::print(formula, c, 64);
  std::vector<axe::term> const parts(c.parts.begin(), c.parts.end());
  if (split)
    return changed(l, result, "by " + formula, [=](point const& p) { return split_axis(p, c); });
  return changed(l, result, "by " + formula,
                 [=](point const& p) { return joined_axes(p, c.whole, parts); });
}

correspondence thread_ids(axe::layout const& l, std::optional<axe::layout> const& result) {
  using axe::axis;
  std::vector<axe::term> const parts = {{128, axis::wg},
                                        {32, axis::warp},
                                        {32, axis::wid_in_wg},
                                        {1, axis::lane},
                                        {1, axis::tid_in_wg}};
  return changed(l, result, "by tid = 32*warp + lane, tid = 128*wg + 32*wid_in_wg + lane",
                 [=](point const& p) { return joined_axes(p, axis::tid, parts); });
}

correspondence unpacked(axe::layout const& l, integer n, axe::axis on,
                        std::optional<axe::layout> const& result) {
  auto const from = [n](integer y) { return y / n; };
  correspondence c = selection("L", l, {axe::size(l)}, result, {axe::size(l) * n}, from);
  c.by_definition = [=](integer y) {
    some_points const wide = places_of(l, y / n);
    std::string const times =
        std::to_string(n) + "*L(" + std::to_string(y / n) + ") + " + std::to_string(y % n);
    bool fit = true;
    some_points const narrow = each(wide, [&](point p) {
      integer at = component(p, on);
      fit = axe::detail::multiply_add(at, n, y % n) && fit;
      p.erase(on);
      if (at != 0) p[on] = at;
      return p;
    });
    return computed{times + " on " + text::printed(on), fit ? narrow : some_points()};
  };
  return c;
}

correspondence packed(axe::layout const& l, integer n, axe::axis on,
                      std::optional<axe::layout> const& result) {
  auto const from = [n](integer y) { return y * n; };
  correspondence c = selection("L", l, {axe::size(l)}, result, {axe::size(l) / n}, from);
  c.by_definition = [=](integer y) {
    some_points const narrow = places_of(l, y * n);
    std::string const over = "L(" + std::to_string(y * n) + ") = " + words(narrow, "many places") +
                             " over " + std::to_string(n);
    return computed{over + " on " + text::printed(on), each(narrow, [&](point p) {
                      integer const at = axe::detail::floor_divide(component(p, on), n);
                      p.erase(on);
                      if (at != 0) p[on] = at;
                      return p;
                    })};
  };
  return c;
}

}  // namespace

std::optional<correspondence> of_axes(arguments const& given) {
  namespace made = axe::compositions;
  std::string_view const name = given.name();
  if (!given.is<axe::layout>(0)) return {};
  axe::layout const l = given.layout(0);
  std::optional<axe::layout> const result = given.result();
  if (name == "on_axis") {
    axe::axis const on = given.get<axe::axis>(1);
    return changed(l, result, "on " + text::printed(on),
                   [=](point const& p) { return single(component(p, on), on); });
  }
  if (name == "storage") return projection(l, axe::kind::memory, "memory axes", result);
  if (name == "threads") return projection(l, axe::kind::thread, "thread axes", result);
  if (name == "devices") return projection(l, axe::kind::device, "device axes", result);
  if (name == "rewrite") {
    auto const c = given.get<axe::axis_composition>(1);
    return rewritten(l, c, axe::detail::names(l, c.whole), result);
  }
  if (name == "to_lane_warp") return rewritten(l, made::tid_of_warp_lane(), true, result);
  if (name == "to_wg") return rewritten(l, made::tid_of_wg(), true, result);
  if (name == "to_wid_in_wg") return rewritten(l, made::tid_in_wg_of_lane(), true, result);
  if (name == "to_wg_wid_in_wg") return rewritten(l, made::warp_of_wg(), true, result);
  if (name == "to_tid_in_wg") return rewritten(l, made::tid_in_wg_of_lane(), false, result);
  if (name == "to_warp") return rewritten(l, made::warp_of_wg(), false, result);
  if (name == "to_tid") return thread_ids(l, result);
  if (name != "pack" && name != "unpack") return {};
  integer const n = given.get<integer>(1);
  axe::axis const on = given.get<axe::axis>(2);
  integer elements = axe::size(l);
  if (n < 1 || (name == "pack" ? elements % n != 0 : !axe::detail::multiply(elements, n)))
    return {};
  return name == "pack" ? packed(l, n, on, result) : unpacked(l, n, on, result);
}

}  // namespace explain
