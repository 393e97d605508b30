// axe map: prints the places of elements.
#include "commands/listing.hpp"
#include "text/sink.hpp"

#include <algorithm>
#include <ostream>

namespace program {

namespace {

struct asked_element {
  axe::coordinate at;
  axe::placement where;
};

/// Reads the elements of --at in the order in which they are given.
bool read_elements(request& r, std::vector<asked_element>& out) {
  axe::layout const& l = r.layouts.front();
  for (std::string const& words : r.given.all("--at")) {
    axe::coordinate c;
    if (!r.read_coordinate(words, c)) return false;
    axe::outcome<axe::placement> const where = axe::try_places(l, r.shape, c);
    if (!where) return r.refuse(where.why, {&l, nullptr, &r.shape, &c});
    if (!r.can_list(*where)) return false;
    out.push_back({c, *where});
  }
  return true;
}

}  // namespace

int run_map(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("map", given, {{"--at", true}, {"--limit", true}});
  axe::integer limit = 0;
  if (!r.read(1, "LAYOUT") || !r.read_number("--limit", 64, limit)) return r.report(err);
  if (r.given.has("--at") && r.given.has("--limit"))
    return r.fail("--limit is for the list of all elements; leave out --at or --limit"),
           r.report(err);
  r.write_notes(err);
  if (!r.given.has("--at")) {
    axe::integer const count = std::min(limit, axe::size(r.layouts.front()));
    return list_elements(r, out, count) ? answered : r.report(err);
  }
  std::vector<asked_element> elements;
  if (!read_elements(r, elements)) return r.report(err);
  std::size_t width = 0;
  for (asked_element const& e : elements) width = std::max(width, text::printed(e.at).size());
  listing list(r, out, width);
  for (asked_element const& e : elements) list.add(e.at, e.where);
  list.finish(0);
  return answered;
}

std::string help_map() {
  return R"(usage: axe map LAYOUT [--shape 8,16] [--at 2,9 ...] [--limit N] [--json]

Prints the places of the elements at --at. Without --at: the places of the first
64 elements, row by row, or of the first N with --limit N.
--steps N limits the search, to 1000000 steps by default.

examples:
  axe map 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape 8,16 --at 2,9
  axe map 'S[(2,4):(4,1)]'
  axe map 'tile(S[2:1@warp], (2), S[8:1@lane], (8))' --shape 16 --json
)";
}

}  // namespace program
