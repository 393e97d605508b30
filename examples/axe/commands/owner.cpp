// axe owner: prints the elements that a thread, warp, CTA or device holds.
#include "commands/request.hpp"
#include "draw/terminal.hpp"
#include "eval/bounded.hpp"
#include "eval/json.hpp"
#include "eval/print.hpp"
#include "text/sink.hpp"

#include <algorithm>
#include <ostream>

namespace program {

namespace {

/// The places of an element on the axes that the owner does not name.
std::string place_within(axe::placement const& where, axe::place const& owner, axe::integer steps) {
  axe::placement rest;
  rest.swizzle = where.swizzle;
  rest.replicas = where.replicas;
  for (axe::term const& t : where.base.terms)
    if (!owner.names(t.on)) rest.base.terms.push(t);
  if (rest.base.terms.empty()) return "";
  std::string text;
  return calculator::print_places(text, rest, steps)
             ? text
             : "{more than " + std::to_string(steps) + (steps == 1 ? " place}" : " places}");
}

/// The pieces and the first `listed` elements of one owner. Each use enumerates them again, because
/// they may not fit in memory.
struct holding {
  request const& asked;
  axe::place owner;
  axe::ownership pieces;
  axe::integer count = 0;   // the number of elements that the owner holds
  axe::integer listed = 0;  // the number of elements that are printed

  template <class Use> bool each_piece(Use const& use) const {
    return calculator::each(pieces, asked.steps(), use);
  }
  /// Calls `use` for each listed element. False if the search takes too many steps.
  template <class Use> bool each_element(Use const& use) const {
    if (listed == 0) return true;
    axe::integer found = 0;
    calculator::each(axe::elements(asked.layouts.front(), asked.shape, owner), listed,
                     [&](axe::element const& e) {
                       ++found;
                       use(e);
                     });
    return found == listed;
  }
  /// Counts the elements and finds the listed ones before anything is written. False if the search
  /// takes too many steps.
  bool find(axe::integer limit) {
    if (!each_piece([&](axe::piece const& part) { count += axe::size(part.places); })) return false;
    listed = std::min(limit, count);
    return each_element([](axe::element const&) {});
  }
};

void write_text(std::ostream& out, holding const& held) {
  axe::integer const size = axe::size(held.asked.layouts.front());
  out << text::printed(held.owner) << " holds " << held.count << " of " << size
      << (size == 1 ? " element\n" : " elements\n");
  held.each_piece([&](axe::piece const& part) {
    std::string line;
    text::sink to(line);
    axe::print_coordinates(to, part);
    out << line << "  shape " << text::printed(part.extents) << "  layout "
        << text::printed(part.places) << '\n';
  });
  held.each_element([&](axe::element const& e) {
    std::string const within = place_within(e.where, held.owner, held.asked.steps());
    out << "  " << text::printed(e.at) << (within.empty() ? "" : "  ") << within << '\n';
  });
  if (held.count > held.listed)
    out << "  and " << held.count - held.listed << " more; --limit " << held.count
        << " lists all\n";
}

void write_json(std::ostream& out, holding const& held) {
  text::json json(out);
  json.object().key("layout");
  calculator::write(json, held.asked.layouts.front());
  json.key("shape");
  calculator::write(json, held.asked.shape);
  json.key("place");
  calculator::write(json, held.owner);
  json.key("pieces").array();
  held.each_piece([&](axe::piece const& part) { calculator::write(json, part); });
  json.end().key("count").number(held.count).key("elements").array();
  held.each_element([&](axe::element const& e) { calculator::write(json, e.at); });
  json.end().key("left_out").number(held.count - held.listed).end().flush();
  out << '\n';
}

}  // namespace

int run_owner(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("owner", given, {{"--at", true}, {"--limit", true}});
  axe::integer limit = 0;
  if (!r.read(1, "LAYOUT") || !r.read_number("--limit", 64, limit)) return r.report(err);
  r.write_notes(err);
  axe::layout const& l = r.layouts.front();
  std::optional<std::string> const at = r.given.last("--at");
  if (!at) {
    for (char const* option : {"--json", "--limit"})
      if (r.given.has(option))
        return r.fail(std::string(option) + " needs --at, as in --at 8@lane"), r.report(err);
    out << axe::drawing::hardware_text(l, r.shape, draw::picture_options(out));
    return answered;
  }
  if (std::size_t const places = r.given.all("--at").size(); places > 1)
    return r.fail("--at is given " + std::to_string(places) +
                  " times, but owner answers for one place"),
           r.report(err);
  axe::place owner;
  if (!r.read_place(*at, owner)) return r.report(err);
  axe::step_limit const steps_allowed(r.steps());
  axe::outcome<axe::ownership> const pieces = axe::try_owned_by(l, r.shape, owner, steps_allowed);
  if (!pieces) return r.refuse(pieces.why, {&l, nullptr, &r.shape}), r.report(err);
  holding held{r, owner, *pieces};
  if (!held.find(limit)) return r.refuse(steps_allowed.refusal(), {&l}), r.report(err);
  if (r.json())
    write_json(out, held);
  else
    write_text(out, held);
  return answered;
}

std::string help_owner() {
  return R"(usage: axe owner LAYOUT [--shape 8,16] [--at 8@lane+6@warp] [--limit N] [--json]

Prints the elements of one owner, for example of a lane. --at gives its place.
First come the pieces of its elements: coordinates, shape, and layout on the axes that
--at does not name. Then come the first 64 elements, or N with --limit N, with their
places on these axes.
Without --at it prints a picture in text of what every owner holds.
--steps N limits the search, to 1000000 steps by default.

examples:
  axe owner 'S[(8,4,2):(4@lane,1@lane,1@reg)] + R[2:1@warp]' --shape 8,8 --at 5@lane+1@warp
  axe owner 'S[(2,32,4,16):(4@gpuid,16@m,1@gpuid,1@m)]' --shape 64,64 --at 3@gpuid --json
  axe owner 'S[(8,4):(4@lane,1@lane)]' --shape 8,4
)";
}

}  // namespace program
