// Writes in words how the places of one element are computed.
//
//     (2,9) of (8,16) is element 41
//     its digits in (8,2,4,2) are (2,1,0,1)
//     lane   2*4 + 0*1 = 8
//     warp   1*1 + 5 = 6, with replicas {0, 4}: {6, 10}
#include "explain/explain.hpp"
#include "text/sink.hpp"

#include <set>

namespace explain {

namespace {

using axe::integer;

std::string list_of(std::vector<integer> const& numbers, char open, char close) {
  std::string out(1, open);
  for (std::size_t k = 0; k < numbers.size(); ++k)
    out += (k == 0 ? "" : ",") + std::to_string(numbers[k]);
  return out + close;
}

std::vector<integer> digits(axe::layout const& l, integer element) {
  std::vector<integer> out(static_cast<std::size_t>(l.shards.size()));
  for (int k = l.shards.size() - 1; k >= 0; --k) {
    out[static_cast<std::size_t>(k)] = element % l.shards[k].extent;
    element /= l.shards[k].extent;
  }
  return out;
}

constexpr std::size_t most_sums = 4096;

/// All sums of replica steps on one axis. Empty if there may be too many to print.
std::set<integer> sums_of_replicas(axe::layout const& l, axe::axis on) {
  std::set<integer> sums{0};
  for (axe::iter const& r : l.replicas) {
    if (r.on != on) continue;
    if (static_cast<std::size_t>(r.extent) > most_sums / sums.size()) return {};
    std::set<integer> more;
    for (integer const s : sums)
      for (integer k = 0; k < r.extent; ++k) more.insert(s + k * r.stride);
    sums = std::move(more);
  }
  return sums;
}

std::string set_of(std::set<integer> const& numbers, integer plus) {
  std::string out = "{";
  int shown = 0;
  for (integer const n : numbers) {
    if (++shown > 8) return out + ", …}";
    out += (shown == 1 ? "" : ", ") + std::to_string(n + plus);
  }
  return out + "}";
}

/// The line about one axis.
std::string on_axis(axe::layout const& l, axe::axis on, std::vector<integer> const& digit) {
  std::string terms;
  integer sum = 0;
  for (int k = 0; k < l.shards.size(); ++k) {
    axe::iter const& i = l.shards[k];
    if (i.on != on || i.extent == 1) continue;
    integer const d = digit[static_cast<std::size_t>(k)];
    terms += (terms.empty() ? "" : " + ") + std::to_string(d) + "*" + std::to_string(i.stride);
    sum += d * i.stride;
  }
  if (integer const o = l.offset(on); o != 0 || terms.empty()) {
    terms += (terms.empty() ? "" : " + ") + std::to_string(o);
    sum += o;
  }
  std::string out = terms + " = " + std::to_string(sum);
  std::set<integer> const replicas = sums_of_replicas(l, on);
  if (replicas.empty())
    out += ", with too many replicas to list";
  else if (replicas.size() > 1)
    out += ", with replicas " + set_of(replicas, 0) + ": " + set_of(replicas, sum);
  if (on == axe::axis::m && !l.swizzle.none() && replicas.size() == 1) {
    axe::swizzle const& w = l.swizzle;
    integer const x = sum >> w.M;
    integer const ones = (integer{1} << w.B) - 1;
    integer const flip = w.S > 0 ? (x >> w.S) & ones : (x & ones) << -w.S;
    out += ", swizzled " + std::to_string(sum) + " ^ " + std::to_string(flip << w.M) + " = " +
           std::to_string(sum ^ (flip << w.M));
  } else if (on == axe::axis::m && !l.swizzle.none()) {
    out += ", each then swizzled";
  }
  return out;
}

}  // namespace

std::string digits_of(axe::layout const& l) {
  std::string out;
  std::vector<integer> strides;
  integer rest = axe::size(l);
  for (axe::iter const& i : l.shards) {
    strides.push_back(rest /= i.extent);
    out += (out.empty() ? "" : ", ") + std::to_string(i.extent) + ":" +
           text::printed(axe::place(axe::term(i.stride, i.on)));
  }
  return out.empty() ? "none" : out + " with row-major strides " + list_of(strides, '(', ')');
}

void write_layout(std::string& out, std::string const& name, axe::layout const& l) {
  out += "  " + name + "  " + text::printed(l) + "\n";
  axe::outcome<axe::layout> const canonical = axe::try_canonicalize(l);
  std::string const indent(name.size() + 4, ' ');
  if (canonical && !(*canonical == l))
    out += indent + "canonical form " + text::printed(*canonical) + "\n";
  if (canonical) out += indent + "digits " + digits_of(*canonical) + "\n";
}

std::string boundaries_of(axe::shape const& s) {
  axe::detail::extent_list extents;
  integer size = 1;
  if (axe::detail::dimensions_of(s, extents, size)) return "none";
  std::vector<integer> strides;
  for (integer const extent : extents) strides.push_back(size /= extent);
  return list_of(strides, '(', ')');
}

void formula(std::string& out, axe::layout const& l, axe::shape const& s,
             axe::coordinate const& c) {
  axe::detail::extent_list extents, at;
  if (axe::detail::admit_leaves(l, s, extents) || axe::detail::leaf_coordinates(s, c, at)) return;
  integer element = 0;
  for (int k = 0; k < at.size(); ++k) element = element * extents[k] + at[k];
  out += "  " + text::printed(c) + " of " + text::printed(s) + " is element " +
         std::to_string(element) + "\n";
  std::vector<integer> of_d;
  for (axe::iter const& i : l.shards) of_d.push_back(i.extent);
  std::vector<integer> const digit = digits(l, element);
  out += "  its digits in " + list_of(of_d, '(', ')') + " are " + list_of(digit, '(', ')') + "\n";
  for (axe::axis const on : axe::axes_of(l)) {
    if (on == axe::axis::null) continue;
    std::string const name = text::printed(on);
    out += "  " + name + std::string(name.size() < 7 ? 7 - name.size() : 1, ' ') +
           on_axis(l, on, digit) + "\n";
  }
}

}  // namespace explain
