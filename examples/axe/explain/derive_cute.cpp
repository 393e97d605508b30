// Writes how CuTe's operations use the leaves of their operands. The leaves appear as digits,
// because operations on axe's layouts compute the results.
#include "explain/digits.hpp"

#include "text/sink.hpp"

#include <axe/cute.hpp>

#include <algorithm>

namespace explain {

namespace {

namespace cute = axe::cute;

std::string leaf_text(cute::leaf const& d) {
  return std::to_string(d.extent) + ":" + std::to_string(d.stride);
}

/// Writes which leaves are removed, and which neighbours of the others fuse.
void of_coalesce(std::string& out, cute::layout const& l) {
  std::vector<cute::leaf> kept;
  for (int k = 0; k < l.leaf_count(); ++k) {
    cute::leaf const high = l[k];
    if (high.extent == 1) {
      out += "  leaf " + leaf_text(high) + " has extent 1 and is removed\n";
      continue;
    }
    if (!kept.empty()) {
      cute::leaf const low = kept.back();
      bool const fuses = high.stride == low.extent * low.stride;
      out += "  leaves " + leaf_text(low) + " and " + leaf_text(high) +
             (fuses ? " fuse" : " stay") + ": " + std::to_string(high.stride) +
             (fuses ? " = " : " is not ") + std::to_string(low.extent) + "*" +
             std::to_string(low.stride) + "\n";
    }
    kept.push_back(high);
  }
}

/// Writes the leaves by ascending stride. The leaves with smaller strides fill a block of places.
/// Each line says how many such blocks fit into one step of the leaf.
void of_gaps(std::string& out, cute::layout const& l) {
  std::vector<cute::leaf> all;
  for (int k = 0; k < l.leaf_count(); ++k)
    if (l[k].extent > 1) all.push_back(l[k]);
  std::sort(all.begin(), all.end(), [](cute::leaf const& a, cute::leaf const& b) {
    return axe::detail::magnitude(a.stride) < axe::detail::magnitude(b.stride);
  });
  integer block = 1;
  for (cute::leaf const& d : all) {
    integer const step = axe::detail::magnitude(d.stride);
    out +=
        "  leaf " + leaf_text(d) + ": smaller strides fill a block of " + std::to_string(block) +
        (step == 0           ? ", and it moves nothing\n"
         : step % block == 0 ? ", and its step has room for " + std::to_string(step / block) + "\n"
         : step < block      ? ", which its steps overlap\n"
                             : ", of which its step is not a multiple\n");
    if (step == 0) continue;
    integer end = step;
    if (!axe::detail::multiply(end, d.extent)) return;
    block = std::max(block, end);
  }
  out += "  the period is " + std::to_string(block) + "\n";
}

/// Writes which digits of A each leaf of B walks through.
void of_composition(std::string& out, cute::layout const& a, cute::layout const& b) {
  digits const outer = axe::detail::canonical_shards(a.map.shards);
  axe::detail::digit_boundaries boundaries(outer);
  for (int k = 0; k < b.leaf_count(); ++k) {
    cute::leaf const d = b[k];
    integer end = d.stride;
    std::string const line = "  B  leaf " + leaf_text(d) + ": ";
    if (d.stride <= 0 || !axe::detail::multiply(end, d.extent)) {
      out += line + "stride " + std::to_string(d.stride) + ", one by one\n";
      continue;
    }
    digits walked;
    if (end > boundaries.positions[1]) boundaries.positions[0] = end;
    bool const cut = boundaries.emit_between(d.stride, end, walked);
    out += line + "from boundary " + std::to_string(d.stride) + " to " + std::to_string(end) +
           " of A's digits " + digits_text(outer) + ": " +
           (cut ? digits_text(walked) : "no such boundaries") + "\n";
  }
}

/// Writes the steps of a product, a division or a composition by a tiler. `rests` is false for a
/// composition, which uses no complement. `at` names the mode of A that the tiler cuts, and is
/// empty if the tiler cuts all of A.
void of_modes(std::string& out, cute::layout const& a, cute::tiler const& by, std::string const& at,
              bool product, bool rests) {
  if (by.by_mode()) {
    for (int k = 0; k < std::min(by.modes(), cute::rank(a)); ++k) {
      cute::layout const mode = cute::detail::plain_mode(a, k);
      of_modes(out, mode, by[k], at + (at.empty() ? "mode " : ".") + std::to_string(k), product,
               rests);
    }
    return;
  }
  if (!at.empty())
    out += "  " + at + ": A = " + text::printed(a) + ", B = " + text::printed(by.as_layout) + "\n";
  cute::layout block = a;
  block.map.swizzle = {};
  if (product) {
    axe::outcome<integer> const reach = cute::try_cosize(by.as_layout);
    if (!reach) return;
    axe::outcome<cute::layout> const room = cute::detail::complement_with(block, *reach, {});
    of_gaps(out, block);
    if (!room) return;
    out += "  A* = " + text::printed(*room) + ", the complement of A with room for " +
           std::to_string(*reach) + " blocks\n";
    return of_composition(out, *room, by.as_layout);
  }
  of_composition(out, a, by.as_layout);
  if (!rests) return;
  axe::outcome<cute::layout> const rest =
      cute::try_complement(by.as_layout, cute::detail::size_of(a));
  of_gaps(out, by.as_layout);
  if (!rest) return;
  out += "  B* = " + text::printed(*rest) + ", the complement of B in " +
         std::to_string(cute::detail::size_of(a)) + " elements\n";
  of_composition(out, a, *rest);
}

/// Writes how each leaf changes if elements become n times as wide, or n times as narrow.
void of_recast(std::string& out, cute::layout const& l, integer n, bool wider) {
  for (int k = 0; k < l.leaf_count(); ++k) {
    integer const in_one = wider ? cute::detail::steps_in_wide(l[k], n) : 0;
    out += "  leaf " + leaf_text(l[k]) + ": " +
           (!wider        ? "stride " + std::to_string(l[k].stride) + "*" + std::to_string(n)
            : in_one == 0 ? "does not fill whole wider elements"
            : in_one == 1 ? "stride " + std::to_string(l[k].stride) + "/" + std::to_string(n)
                          : std::to_string(in_one) + " in one wider element") +
           "\n";
  }
}

}  // namespace

void derive_cute(std::string& out, arguments const& given) {
  std::string_view const name = given.name().substr(5);
  if (!given.is<cute::layout>(0)) {
    if (name == "layout") {
      axe::outcome<cute::layout> const l = cute::try_make_layout(given.get<cute::int_tuple>(0));
      if (l) of_coalesce(out, *l);
    }
    if (given.is<axe::layout>(0))
      out += "  L  digits " + digits_text(given.layout(0).shards) + ", the first leaf last\n";
    return;
  }
  cute::layout const a = given.cute(0);
  if (cute::check(a)) return;
  if (name == "composition" || name.ends_with("divide") || name == "logical_product" ||
      name == "zipped_product" || name == "tiled_product" || name == "flat_product")
    return of_modes(out, a, given.get<cute::tiler>(1), "", name.ends_with("product"),
                    name != "composition");
  if (name == "blocked_product" || name == "raked_product") {
    cute::layout const b = given.cute(1);
    int const modes = std::max(cute::rank(a), cute::rank(b));
    return of_modes(out, cute::detail::padded(a, modes), cute::detail::padded(b, modes), "", true,
                    true);
  }
  if (name == "upcast" || name == "downcast") {
    if (given.get<integer>(1) > 0) of_recast(out, a, given.get<integer>(1), name == "upcast");
    return;
  }
  if (name == "coalesce") return of_coalesce(out, a);
  out += "  digits " + digits_text(a.map.shards) + ", the first leaf last\n";
  of_gaps(out, a);
}

}  // namespace explain
