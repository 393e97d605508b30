// axe table: the tensor view, who holds element (i,j).
#include "commands/listing.hpp"
#include "commands/picture.hpp"
#include "commands/request.hpp"

#include <ostream>

namespace program {

int run_table(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("table", given, {{"--color", true}});
  if (!r.read(1, "LAYOUT")) return r.report(err);
  axe::layout const& l = r.layouts.front();
  if (!r.json()) {
    draw::text_options options = picture_options(out);
    options.color = r.given.last("--color").value_or("");
    out << draw::tensor_text(l, r.shape, options);
    return answered;
  }
  if (axe::size(l) > r.steps())
    return r.refuse({axe::rule::undecided, {r.steps()}}, {&l}), r.report(err);
  listing list(l, r.shape, r.steps());
  for (axe::element const& e : axe::elements(l, r.shape)) list.add(e.at, e.where);
  if (list.why.which != axe::rule::none)
    return r.refuse(list.why, {&l, nullptr, &r.shape}), r.report(err);
  out << list.json();
  return answered;
}

std::string help_table() {
  return "usage: axe table LAYOUT [--shape 8,16] [--color AXIS] [--json]\n"
         "\n"
         "The tensor view: for every element its place on each axis, copies side by side. One grid "
         "for a "
         "matrix, several for more dimensions.\n"
         "--json lists all elements (at most 1000000, or --steps N).\n"
         "\n"
         "examples:\n"
         "  axe table 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape "
         "8,16\n"
         "  axe table 'S[(8,4,2):(4@lane,1@lane,1@reg)]' --shape 8,8 --color reg\n";
}

}  // namespace program
