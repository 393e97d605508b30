// Writes sums with their numbers, for measures, replicas, bank conflicts and linear maps.
#include "explain/digits.hpp"

#include "text/sink.hpp"

#include <axe/linear.hpp>

#include <algorithm>

namespace explain {

namespace {

using axe::iter;

/// Writes the terms of span, min, max and cosize on one axis (D4).
void of_reach(std::string& out, axe::layout const& l, axe::axis on) {
  auto const line = [&](char const* of, iter const& i) {
    if (i.on != on) return;
    out += std::string("  ") + of + digit_text(i) + ": (" + std::to_string(i.extent) + "-1)*" +
           std::to_string(i.stride) + " = " + std::to_string((i.extent - 1) * i.stride) + "\n";
  };
  for (iter const& i : l.shards) line("", i);
  for (iter const& r : l.replicas) line("R ", r);
  if (integer const o = l.offset(on); o != 0) out += "  offset " + std::to_string(o) + "\n";
  if (!l.swizzle.none()) out += "  under the swizzle, only the addresses that occur are measured\n";
}

void of_size(std::string& out, axe::layout const& l) {
  std::string product;
  for (iter const& i : l.shards) product += (product.empty() ? "" : "*") + std::to_string(i.extent);
  out += "  " + (product.empty() ? "1" : product) + " = " + std::to_string(axe::size(l)) + "\n";
}

/// Writes the digits of each axis by ascending stride. If the reach of the digits below is larger
/// than the stride of a digit, two elements may collide.
void of_overlaps(std::string& out, axe::layout const& l) {
  for (axe::axis const on : axe::axes_of(l)) {
    std::vector<iter> here;
    for (iter const& i : axe::detail::canonical_shards(l.shards))
      if (i.on == on) here.push_back(i);
    for (iter const& r : l.replicas)
      if (r.on == on) here.push_back(r);
    std::sort(here.begin(), here.end(), [](iter const& a, iter const& b) {
      return axe::detail::magnitude(a.stride) < axe::detail::magnitude(b.stride);
    });
    integer reach = 1;
    for (iter const& i : here) {
      integer const step = axe::detail::magnitude(i.stride);
      out += "  digit " + digit_text(i) +
             (step >= reach ? " steps over the " : " steps into the ") + std::to_string(reach) +
             (reach == 1 ? " position below it\n" : " positions below it\n");
      reach += (i.extent - 1) * step;
    }
  }
}

void of_phases(std::string& out, axe::access_pattern const& a, axe::layout const& l) {
  axe::detail::access_counts n;
  if (axe::detail::check_access(a, axe::size(l), n)) return;
  integer const unit = axe::detail::elements_per_unit(a.values, a.bits);
  out += "  access digits " + digits_text(a.elements.shards) + "\n  vectors of " +
         std::to_string(n.vector_bits) +
         " bits: " + std::to_string(axe::detail::phase_lanes(n.vector_bits)) +
         " lanes in a phase, " + std::to_string(1024 / a.bits / unit) + " units of " +
         std::to_string(unit * a.bits / 32) + (unit * a.bits == 32 ? " bank\n" : " banks\n");
  out += "  L  digits " + digits_text(axe::detail::canonical_shards(l.shards)) + "\n";
}

/// Writes the image of each bit.
void of_bits(std::string& out, axe::linear_map const& m) {
  for (int c = 0; c < m.in.bits(); ++c)
    out += "  bit " + text::printed(axe::place(m.in.bit_at(c))) + " -> " +
           text::printed(m.out.place_of(m.matrix.column[c])) + "\n";
  if (m.in.bits() == 0) out += "  no bits\n";
}

}  // namespace

void derive_numbers(std::string& out, arguments const& given) {
  std::string_view const name = given.name();
  if (name.starts_with("linear")) {
    auto const* r = std::get_if<calculator::shared<axe::linear_map>>(&given.call.result);
    if (r != nullptr)
      of_bits(out, **r);
    else if (given.is<axe::linear_map>(0))
      of_bits(out, given.get<axe::linear_map>(0));
    else if (given.is<axe::layout>(0))
      out +=
          "  digits " + digits_text(given.layout(0).shards) + ", one bit for each power of two\n";
    return;
  }
  if (std::optional<axe::layout> const made = given.result(); made && !given.is<axe::layout>(0)) {
    out += "  digits " + digits_text(made->shards) + "\n";
    return;
  }
  if (auto const* a = std::get_if<calculator::shared<calculator::accessed>>(&given.call.result)) {
    axe::outcome<axe::access_pattern> const tile = (*a)->on(axe::shape{64, 64});
    if (tile)
      out += "  digits " + digits_text(tile->elements.shards) + ", lanes and their values last\n";
    return;
  }
  if (!given.is<axe::layout>(0)) return;
  axe::layout const l = given.layout(0);
  if (name == "size") return of_size(out, l);
  if (name == "span" || name == "min" || name == "max" || name == "cosize")
    return of_reach(out, l, given.count() > 1 ? given.get<axe::axis>(1) : axe::axis::m);
  if (name == "is_injective" || name == "gap_ok" || name == "coverage" || name == "redundancy")
    return of_overlaps(out, l);
  if (given.is<calculator::accessed>(2)) {
    axe::outcome<axe::access_pattern> const a =
        given.get<calculator::accessed>(2).on(given.get<axe::shape>(1));
    if (a) of_phases(out, *a, l);
    return;
  }
  for (std::size_t k = 0; k < given.count(); ++k)
    if (given.is<axe::layout>(k))
      out += "  " + std::string(k == 0 ? "first" : "second") + " operand: digits " +
             digits_text(axe::detail::canonical_shards(given.layout(k).shards)) + "\n";
}

}  // namespace explain
