// axe table: prints the tensor view of a layout, the place of each element (i,j).
#include "commands/listing.hpp"
#include "draw/options.hpp"
#include "draw/terminal.hpp"

#include <ostream>

namespace program {

int run_table(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("table", given, {{"--color", true}});
  if (!r.read(1, "LAYOUT")) return r.report(err);
  r.write_notes(err);
  axe::layout const& l = r.layouts.front();
  if (!r.json()) {
    axe::drawing::text_options options = draw::picture_options(out);
    options.color = draw::read_color(r.given.last("--color").value_or(""), l);
    out << axe::drawing::tensor_text(l, r.shape, options);
    return answered;
  }
  if (axe::size(l) > r.steps())
    return r.refuse({axe::rule::undecided, {r.steps()}}, {&l}), r.report(err);
  return list_elements(r, out, axe::size(l)) ? answered : r.report(err);
}

std::string help_table() {
  return R"(usage: axe table LAYOUT [--shape 8,16] [--color AXIS] [--json]

Prints the tensor view: for each element its place on every axis, replicas side
by side. A matrix is one grid, a tensor of more dimensions several.
--json lists all elements. More than 1000000, or N with --steps N, are rejected.

examples:
  axe table 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape 8,16
  axe table 'mma.accumulator(16, 8, 16, 16)' --color reg
)";
}

}  // namespace program
