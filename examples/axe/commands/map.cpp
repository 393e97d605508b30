// axe map: coordinates in, places out.
#include "commands/listing.hpp"
#include "commands/request.hpp"

#include <ostream>

namespace program {

int run_map(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("map", given, {{"--at", true}, {"--limit", true}});
  axe::integer limit = 0;
  if (!r.read(1, "LAYOUT") || !r.read_number("--limit", 64, limit)) return r.report(err);
  axe::layout const& l = r.layouts.front();
  listing list(l, r.shape, r.steps());
  for (std::string const& text : r.given.all("--at")) {
    axe::coordinate c;
    if (!r.read_coordinate(text, c)) return r.report(err);
    axe::outcome<axe::placement> const where = axe::try_places(l, r.shape, c);
    if (!where) return r.refuse(where.why, {&l, nullptr, &r.shape, &c}), r.report(err);
    list.add(c, *where);
  }
  if (!r.given.has("--at")) {
    for (axe::element const& e : axe::elements(l, r.shape)) {
      if (list.size() == limit) break;
      list.add(e.at, e.where);
    }
    list.leave_out(axe::size(l) - list.size());
  }
  if (list.why.which != axe::rule::none)
    return r.refuse(list.why, {&l, nullptr, &r.shape}), r.report(err);
  out << (r.json() ? list.json() : list.text());
  return answered;
}

std::string help_map() {
  return "usage: axe map LAYOUT [--shape 8,16] [--at 2,9 ...] [--limit N] [--json]\n"
         "\n"
         "Where the elements lie: all places of the element at each --at, else of every element, "
         "row by row "
         "(the first 64, or --limit N).\n"
         "\n"
         "examples:\n"
         "  axe map 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape "
         "8,16 --at "
         "2,9\n"
         "  axe map 'S[(2,4):(4,1)]'\n"
         "  axe map 'tile(S[2:1@warp], (2), S[8:1@lane], (8))' --shape 16 --json\n";
}

}  // namespace program
