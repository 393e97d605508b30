// Reads AXIS/N%M, and chooses the default.
#include "scale.hpp"

#include "joined.hpp"

#include <stdexcept>

namespace draw {

std::string name_of_axis(axis a) {
  auto const text = axe::to_text(a);
  return {text.begin(), text.end()};
}

integer color_key::of(integer position) const {
  integer const quotient = axe::detail::floor_divide(position, divide);
  return modulo == 0 ? quotient : quotient - axe::detail::floor_divide(quotient, modulo) * modulo;
}

std::string color_key::text() const {
  std::string out = name_of_axis(on);
  if (divide != 1) out += joined("/", divide);
  if (modulo != 0) out += joined("%", modulo);
  return out;
}

namespace {

/// The number of positions that D reaches on an axis.
integer spread(axe::layout l, axis a) {
  l.replicas.clear();
  l.swizzle = {};
  return axe::span(l, a);
}

/// Coarse owners first, because their blocks are visible. Then memory.
color_key default_key(axe::layout const& l) {
  color_key key;
  integer best = 0;
  for (axis a : axe::axes_of(l)) {
    integer const here = spread(l, a);
    if (here == 1 || axe::kind_of(a) == axe::kind::memory) continue;
    if (best == 0 || here < best) {
      best = here;
      key.on = a;
    }
  }
  if (best > 0) return key;
  for (axis a : axe::axes_of(l))
    if (spread(l, a) > best) {
      best = spread(l, a);
      key.on = a;
    }
  if (!l.swizzle.none() && key.on == axis::m) {  // the chunks that the swizzle moves
    key.divide = integer{1} << l.swizzle.M;
    key.modulo = integer{1} << (l.swizzle.S > 0 ? l.swizzle.S : l.swizzle.B - l.swizzle.S);
  }
  return key;
}

integer read_factor(std::string const& text, std::size_t& at) {
  char const sign = text[at];
  std::size_t const start = ++at;
  integer n = 0;
  while (at < text.size() && axe::detail::is_digit(text[at]) && n < 1'000'000'000'000)
    n = 10 * n + (text[at++] - '0');
  if (at == start || n < 1)
    throw std::invalid_argument("--color " + text + ": expected a number of at least 1 after '" +
                                sign + "'");
  return n;
}

}  // namespace

color_key read_color(std::string const& text, axe::layout const& l) {
  if (text.empty()) return default_key(l);
  axe::axis_list const named = axe::axes_of(l);
  axe::reader in{text.c_str(), static_cast<int>(text.size()), 0, {named.begin(), named.size()}};
  color_key key;
  if (!in.read_axis(key.on))
    throw std::invalid_argument("--color " + text + ": " + axe::sentence(in.refusal).c_str());
  auto at = static_cast<std::size_t>(in.position);
  if (at < text.size() && text[at] == '/') key.divide = read_factor(text, at);
  if (at < text.size() && text[at] == '%') key.modulo = read_factor(text, at);
  if (at < text.size())
    throw std::invalid_argument("--color " + text + ": expected AXIS, AXIS/N, AXIS%N or AXIS/N%M");
  for (axis a : named)
    if (a == key.on) return key;
  throw std::invalid_argument("--color " + text + ": the layout does not name " +
                              name_of_axis(key.on));
}

int color_scale::class_of(integer value) const {
  auto const found = seen_.find(value);
  if (found == seen_.end()) return 0;
  if (few()) return static_cast<int>(std::distance(seen_.begin(), found));
  // By value, so that gaps are visible. In double, because a span may need 64 bits.
  double const least = static_cast<double>(seen_.begin()->first);
  double const most = static_cast<double>(seen_.rbegin()->first);
  return static_cast<int>((static_cast<double>(value) - least) / (most - least) * (classes() - 1) +
                          0.5);
}

}  // namespace draw
