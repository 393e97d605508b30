// Writes how the operations of docs/algebra.md cut and change the digits of their operands.
#include "explain/digits.hpp"

#include "text/sink.hpp"

#include <algorithm>

namespace explain {

namespace {

using axe::iter;

/// Writes which neighbours in D fuse, and which iters are removed (D5). It does not show how iters
/// of R fuse.
void of_canonical_form(std::string& out, axe::layout const& l) {
  digits kept;
  for (iter const& i : l.shards) {
    if (i.extent == 1) {
      out += "  " + digit_text(i) + " has extent 1 and is removed\n";
      continue;
    }
    if (i.stride == 0 && i.on != axe::axis::null)
      out += "  " + digit_text(i) + " has stride 0 and is on no axis\n";
    iter const now{i.extent, i.stride, i.stride == 0 ? axe::axis::null : i.on};
    if (!kept.empty()) {
      iter& last = kept.back();
      integer step = now.stride;
      bool const fuses =
          last.on == now.on && axe::detail::multiply(step, now.extent) && last.stride == step;
      std::string const product = std::to_string(now.extent) + "*" + std::to_string(now.stride);
      out += "  " + digit_text(last) + " and " + digit_text(now) +
             (last.on != now.on ? " stay: their axes differ\n"
              : fuses           ? " fuse: " + std::to_string(last.stride) + " = " + product + "\n"
                      : " stay: " + std::to_string(last.stride) + " is not " + product + "\n");
      if (fuses) {
        last = {last.extent * now.extent, now.stride, now.on};
        continue;
      }
    }
    kept.push(now);
  }
  out += "  D: " + digits_text(kept) + "\n";
  for (iter const& r : l.replicas)
    out += "  R " + digit_text(r) +
           (r.extent == 1 || r.stride == 0 ? " makes no replicas and is removed\n"
            : r.stride < 0                 ? " becomes " + digit_text({r.extent, -r.stride, r.on}) +
                                 ", and the offset changes by " +
                                 std::to_string((r.extent - 1) * r.stride) + "\n"
                           : " has a positive stride\n");
}

/// Writes the digits of A and B in the alternating dimensions of a tile or sum. In a tile sigma
/// scales A.
void of_product(std::string& out, axe::layout const& a, extents const& s_a, axe::layout const& b,
                extents const& s_b, bool scaled) {
  axe::detail::extent_list outer, inner;
  for (integer const e : s_a) outer.push(e);
  for (integer const e : s_b) inner.push(e);
  if (s_a.size() != s_b.size() || product_of(s_a) != axe::size(a) ||
      product_of(s_b) != axe::size(b))
    return;
  digits const of_a = axe::detail::canonical_shards(a.shards);
  digits const of_b = axe::detail::canonical_shards(b.shards);
  axe::detail::digit_boundaries const bounds_a(of_a), bounds_b(of_b);
  // The product of the extents of the faster dimensions.
  integer below_a = axe::size(a), below_b = axe::size(b);
  for (axe::detail::dimension const& d : axe::detail::interleave(outer, inner)) {
    axe::detail::digit_boundaries const& bounds = d.belongs_to_b ? bounds_b : bounds_a;
    integer& below = d.belongs_to_b ? below_b : below_a;
    integer const above = below;
    below /= d.extent;
    digits block;
    bool const cut = bounds.emit_between(below, above, block);
    out += std::string("  ") + (d.belongs_to_b ? "B" : "A") + "  extent " +
           std::to_string(d.extent) + ", boundaries " + std::to_string(above) + " to " +
           std::to_string(below) + ": " +
           (cut ? "digits " + digits_text(block) : boundary_text(bounds, below));
    if (cut && !d.belongs_to_b && scaled && !block.empty()) {
      bool fit = true;
      for (iter& i : block)
        if (i.on != axe::axis::null)
          fit = fit && axe::detail::multiply(i.stride, axe::span(b, i.on));
      out += fit ? ", times sigma " + digits_text(block) : ", times sigma beyond 64 bits";
    }
    out += "\n";
    if (!cut) {
      out += "  the table of all places decides\n";
      return;
    }
  }
}

extents quotient(extents const& whole, extents const& by) {
  extents out;
  for (std::size_t d = 0; d < whole.size() && d < by.size(); ++d)
    out.push_back(by[d] != 0 && whole[d] % by[d] == 0 ? whole[d] / by[d] : 0);
  return out;
}

/// Writes the digits of T in the alternating dimensions of both factors. The digits in the
/// dimensions of the missing factor are the answer.
void of_factor(std::string& out, arguments const& given, bool outer) {
  extents const whole = given.shape(1), known = given.shape(3), missing = quotient(whole, known);
  extents alternating;
  for (std::size_t d = 0; d < missing.size(); ++d) {
    alternating.push_back(outer ? missing[d] : known[d]);
    alternating.push_back(outer ? known[d] : missing[d]);
  }
  write_dimensions(out, "T", given.layout(0), alternating);
  write_dimensions(out, outer ? "B" : "A", given.layout(2), known);
}

/// Writes which digits of its dimension each range takes (D10).
void of_slice(std::string& out, arguments const& given) {
  axe::layout const l = given.layout(0);
  extents const shape = given.shape(1);
  axe::region const r = given.get<axe::region>(2);
  write_dimensions(out, "L", l, shape);
  axe::detail::extent_list all;
  for (integer const e : shape) all.push(e);
  if (product_of(shape) != axe::size(l) || axe::detail::check_region(all, r)) return;
  digits const canonical = axe::detail::canonical_shards(l.shards);
  axe::detail::for_each_run(canonical, all, [&](int first, int count, digits const& block) {
    if (count > 1) {
      out += "  dimensions " + std::to_string(first) + " to " + std::to_string(first + count - 1) +
             " share digits: the table of places decides\n";
      return axe::refusal{};
    }
    extents of_block;
    for (iter const& i : block) of_block.push_back(i.extent);
    axe::range const range = r.ranges[first];
    extents const begin = coordinate_of(range.begin, of_block);
    integer rest = range.end - range.begin;
    auto p = static_cast<int>(block.size()) - 1;
    for (; p >= 0 && begin[static_cast<std::size_t>(p)] == 0 && rest % block[p].extent == 0; --p)
      rest /= block[p].extent;
    out += "  range " + std::to_string(range.begin) + ":" + std::to_string(range.end) + " in " +
           digits_text(block) + ": begins at digits " + words(begin);
    if (p < 0 || rest == 1) {
      out += "; whole digits remain (case 1)\n";
      return axe::refusal{};
    }
    integer const wrap = block[p].extent - begin[static_cast<std::size_t>(p)];
    out += "; rest " + std::to_string(rest) + " from digit " + digit_text(block[p]) +
           ", c = " + std::to_string(wrap) +
           (rest <= wrap       ? ": inside the digit (case 2)"
            : rest == 2 * wrap ? ": two runs of c (case 3)"
            : block[p].extent == 2 * wrap && rest % (2 * wrap) == 0
                ? ": " + std::to_string(rest / (2 * wrap)) + " turns (case 4)"
                : ": the table of places decides") +
           "\n";
    return axe::refusal{};
  });
}

/// Writes which digits of A each digit of B walks through. A digit (e : s) of B covers A between
/// the boundaries s and s*e.
void of_composition(std::string& out, axe::layout const& a, axe::layout const& b) {
  digits const outer = axe::detail::canonical_shards(a.shards);
  axe::detail::digit_boundaries boundaries(outer);
  for (iter const& i : axe::detail::canonical_shards(b.shards)) {
    std::string const line = "  B  digit " + digit_text(i) + ": ";
    integer end = i.stride;
    if (i.stride <= 0 || !axe::detail::multiply(end, i.extent)) {
      out += line + "stride " + std::to_string(i.stride) + ", one by one\n";
      continue;
    }
    digits walked;
    if (end > boundaries.positions[1]) boundaries.positions[0] = end;
    bool const cut = boundaries.emit_between(i.stride, end, walked);
    out += line + "from boundary " + std::to_string(i.stride) + " to " + std::to_string(end) +
           " of A: " +
           (cut ? "digits " + digits_text(walked)
                : "A's digits " + digits_text(outer) + " have no such boundaries") +
           "\n";
  }
}

/// Writes the result of rewriting each digit alone.
void of_rewrite(std::string& out, axe::layout const& l,
                std::function<axe::outcome<axe::layout>(axe::layout const&)> const& operation) {
  for (iter const& i : axe::detail::canonical_shards(l.shards)) {
    axe::layout one;
    one.shards.push(i);
    axe::outcome<axe::layout> const made = operation(one);
    out += "  digit " + digit_text(i) + ": " +
           (made ? "digits " + digits_text(made->shards)
                 : std::string(axe::sentence(made.why).c_str())) +
           "\n";
  }
}

/// Writes the digits on each axis by ascending stride, with the number of positions below each.
void of_inverse(std::string& out, axe::layout const& l, axe::axis_list const& axes) {
  for (axe::axis const on : axes) {
    std::vector<iter> here;
    for (iter const& i : axe::detail::canonical_shards(l.shards))
      if (i.on == on) here.push_back(i);
    std::sort(here.begin(), here.end(), [](iter const& x, iter const& y) {
      return axe::detail::magnitude(x.stride) < axe::detail::magnitude(y.stride);
    });
    integer filled = 1;
    for (iter const& i : here) {
      integer const step = axe::detail::magnitude(i.stride);
      out += "  digit " + digit_text(i) + ": " + std::to_string(filled) +
             (filled == 1 ? " position below it" : " positions below it") +
             (step == filled  ? ", none between its steps"
              : step > filled ? ", " + std::to_string(step - filled) + " empty between its steps"
                              : ", which its steps overlap") +
             "\n";
      filled += (i.extent - 1) * step;
    }
    out += "  positions of " + text::printed(on) + ": " + std::to_string(filled) + "\n";
  }
}

void of_kind(std::string& out, axe::layout const& l, std::function<bool(axe::axis)> const& kept) {
  for (iter const& i : l.shards)
    out += "  digit " + digit_text(i) +
           (kept(i.stride == 0 ? axe::axis::null : i.on) ? " stays\n" : " is removed\n");
  for (iter const& r : l.replicas)
    out += "  R " + digit_text(r) + (kept(r.on) ? " stays\n" : " is removed\n");
}

void of_packing(std::string& out, axe::layout const& l, integer n, axe::axis on, bool pack) {
  for (iter const& i : axe::detail::canonical_shards(l.shards)) {
    out += "  digit " + digit_text(i) + ": ";
    integer stride = i.stride;
    if (i.on != on)
      out += "stays\n";
    else if (pack && i.stride % n != 0)
      out += i.stride == 1 && i.extent % n == 0 ? std::to_string(n) + " neighbours become one, " +
                                                      std::to_string(i.extent / n) + " remain\n"
                                                : std::to_string(n) + " does not divide the " +
                                                      (i.stride == 1 ? "extent\n" : "stride\n");
    else if (pack)
      out += digit_text({i.extent, i.stride / n, on}) + "\n";
    else if (axe::detail::multiply(stride, n))
      out += digit_text({i.extent, stride, on}) + "\n";
  }
  if (!pack) out += "  the last digit is " + digit_text({n, 1, on}) + "\n";
}

using rewriting = axe::outcome<axe::layout> (*)(axe::layout const&);
struct named_rewriting {
  char const* name;
  rewriting operation;
};
constexpr named_rewriting rewritings[] = {{"to_lane_warp", axe::try_to_lane_warp},
                                          {"to_wg", axe::try_to_wg},
                                          {"to_wid_in_wg", axe::try_to_wid_in_wg},
                                          {"to_wg_wid_in_wg", axe::try_to_wg_wid_in_wg},
                                          {"to_tid", axe::try_to_tid},
                                          {"to_tid_in_wg", axe::try_to_tid_in_wg},
                                          {"to_warp", axe::try_to_warp}};

}  // namespace

void derive_axe(std::string& out, arguments const& given) {
  std::string_view const name = given.name();
  bool const layout_first = given.is<axe::layout>(0);
  if (name == "compose" && !layout_first) {
    auto const f = given.get<axe::swizzle>(0);
    out += "  digits " + digits_text(given.layout(1).shards) + "; the swizzle has period " +
           std::to_string(f.period()) + "\n";
    return;
  }
  if (name == "compose") return of_composition(out, given.layout(0), given.layout(1));
  if (!layout_first || name.starts_with("linear")) return;
  axe::layout const l = given.layout(0);
  if (name == "canonicalize") return of_canonical_form(out, l);
  if (name == "slice") return of_slice(out, given);
  if (name == "tile" || name == "direct_sum")
    return of_product(out, l, given.shape(1), given.layout(2), given.shape(3), name == "tile");
  if (name == "tile_outer" || name == "sum_outer") return of_factor(out, given, true);
  if (name == "tile_inner" || name == "sum_inner") return of_factor(out, given, false);
  if (name == "inverse") return of_inverse(out, l, given.get<axe::axis_list>(1));
  if (name == "pack" || name == "unpack") {
    if (given.get<integer>(1) > 0)
      of_packing(out, l, given.get<integer>(1), given.get<axe::axis>(2), name == "pack");
    return;
  }
  if (name == "on_axis") {
    axe::axis const on = given.get<axe::axis>(1);
    return of_kind(out, l, [=](axe::axis a) { return a == on; });
  }
  if (name == "storage" || name == "threads" || name == "devices") {
    axe::kind const wanted = name == "storage"   ? axe::kind::memory
                             : name == "threads" ? axe::kind::thread
                                                 : axe::kind::device;
    return of_kind(out, l,
                   [=](axe::axis a) { return a != axe::axis::null && axe::kind_of(a) == wanted; });
  }
  if (name == "rewrite") {
    auto const c = given.get<axe::axis_composition>(1);
    return of_rewrite(out, l, [=](axe::layout const& one) { return axe::try_rewrite(one, c); });
  }
  for (named_rewriting const& each : rewritings)
    if (name == each.name) return of_rewrite(out, l, each.operation);
  if (given.is<std::vector<axe::shape>>(1)) {
    for (axe::shape const& s : given.get<std::vector<axe::shape>>(1))
      write_dimensions(out, text::printed(s), l, extents_of(s));
    return;
  }
  if (given.is<axe::shape>(1) && given.call.called->accepts(1, calculator::kind::tree))
    write_dimensions(out, "L", l, given.shape(1));
}

}  // namespace explain
