#include "explain/digits.hpp"

#include "explain/explain.hpp"
#include "text/sink.hpp"

namespace explain {

std::string digit_text(axe::iter const& i) {
  return std::to_string(i.extent) + ":" + text::printed(axe::place(axe::term(i.stride, i.on)));
}

std::string digits_text(digits const& all) {
  std::string out;
  for (axe::iter const& i : all) out += (out.empty() ? "" : ", ") + digit_text(i);
  return out.empty() ? "no digit" : out;
}

std::string boundary_text(axe::detail::digit_boundaries const& of, integer below) {
  int const k = of.first_below(below);
  if (k == of.digits->count) return "the end";
  axe::iter const& i = of.digits->at[k];
  integer const above = of.positions.at[k], after = of.positions.at[k + 1];
  if (below == above)
    return k == 0 ? "the beginning"
                  : "between " + digit_text(of.digits->at[k - 1]) + " and " + digit_text(i);
  if (!of.cuts_at(below))
    return "inside " + digit_text(i) + "; a boundary there divides " + std::to_string(above) +
           " and is a multiple of " + std::to_string(after);
  axe::iter const high{above / below, i.stride * (below / after), i.on};
  axe::iter const low{below / after, i.stride, i.on};
  return "cuts " + digit_text(i) + " into " + digit_text(high) + " and " + digit_text(low);
}

void write_dimensions(std::string& out, std::string const& name, axe::layout const& l,
                      extents const& shape) {
  digits const all = axe::detail::canonical_shards(l.shards);
  if (product_of(shape) != axe::size(l)) return;
  axe::detail::digit_boundaries const boundaries(all);
  integer below = axe::size(l), high = below;
  std::string waiting;  // dimensions that share digits with a later one
  for (std::size_t d = 0; d < shape.size(); ++d) {
    below /= shape[d];
    std::string const line = "  " + name + "  dimension " + std::to_string(d) + ", extent " +
                             std::to_string(shape[d]) + ", boundary " + std::to_string(below) +
                             ": " + boundary_text(boundaries, below);
    if (!boundaries.cuts_at(below)) {
      out += line + "\n";
      waiting += (waiting.empty() ? "dimensions " : ", ") + std::to_string(d);
      continue;
    }
    digits block;
    boundaries.emit_between(below, high, block);
    out += line + "; " +
           (waiting.empty() ? "digits " : waiting + " and " + std::to_string(d) + " share ") +
           digits_text(block) + "\n";
    waiting.clear();
    high = below;
  }
}

std::string derivation_of(calculator::recorded_call const& call) {
  std::string out;
  arguments const given{call};
  if (!given.cute_is_valid()) return out;
  given.name().starts_with("cute.") ? derive_cute(out, given) : derive_axe(out, given);
  if (out.empty() || given.is<calculator::accessed>(2)) derive_numbers(out, given);
  return out;
}

}  // namespace explain
