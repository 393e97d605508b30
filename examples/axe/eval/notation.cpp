#include "eval/notation.hpp"

#include "text/sink.hpp"

#include <axe/bridge/tirx.hpp>
#include <axe/bridge/triton.hpp>
#include <axe/cute/convert.hpp>
#include <axe/cute/notation.hpp>

namespace calculator {

axe::shape dimensions_of(axe::layout const& l) {
  if (!l.grouped()) return axe::shape(axe::size(l));
  axe::shape s;
  int k = 0;
  for (int iters : l.blocks) {
    axe::integer extent = 1;
    for (int last = k + iters; k < last; ++k) extent *= l.shards[k].extent;
    s.append(axe::tree(extent));
  }
  return s;
}

axe::refusal print_as(std::string& out, axe::layout const& l, axe::shape const& s,
                      std::string_view name) {
  text::sink to(out);
  if (name == "triton") return axe::try_print_triton(to, l, s);
  if (name == "cute") {
    axe::outcome<axe::cute::layout> const theirs = axe::cute::try_from_axe(l);
    if (!theirs) return theirs.why;
    axe::cute::print(to, *theirs);
  } else if (name == "tirx") {
    axe::print_tirx(to, l);
  } else {
    axe::print(to, l);
  }
  return {};
}

std::string left_out(axe::layout const& l, std::string_view name) {
  if (name != "cute") return "";
  for (axe::axis const a : axe::axes_of(l))
    if (a != axe::axis::m)
      return "the axis " + text::printed(a) + ", which CuTe's notation leaves out";
  return "";
}

}  // namespace calculator
