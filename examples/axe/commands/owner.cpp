// axe owner: what a thread, warp, CTA or device holds; without a place, what everybody holds, as a picture.
#include "commands/picture.hpp"
#include "commands/request.hpp"
#include "eval/json.hpp"
#include "eval/print.hpp"
#include "text/sink.hpp"

#include <ostream>

namespace program {

namespace {

/// Where an element lies on the axes that the owner does not name.
std::string place_within(axe::placement const& where, axe::place const& owner, axe::integer steps) {
  axe::placement rest;
  rest.swizzle = where.swizzle;
  for (int i = 0; i < where.axes.size(); ++i) {
    if (owner.names(where.axes[i])) continue;
    rest.axes.push(where.axes[i]);
    rest.sums.push(where.sums[i]);
  }
  if (rest.axes.empty()) return "";
  std::string text;
  return calculator::print_places(text, rest, steps) ? text
                                                     : "{more than " + std::to_string(steps) + " places}";
}

std::string for_people(request const& r, axe::place const& owner, axe::ownership const& pieces,
                       axe::integer limit) {
  axe::layout const& l = r.layouts.front();
  std::string listed;
  axe::integer held = 0;
  for (axe::element const& e : axe::elements(l, r.shape, owner)) {
    if (++held > limit) continue;
    listed += "  " + text::printed(e.at) + "  " + place_within(e.where, owner, r.steps());
    while (listed.ends_with(' ')) listed.pop_back();
    listed += '\n';
  }
  std::string out = text::printed(owner) + " holds " + std::to_string(held) + " of " +
                    std::to_string(axe::size(l)) + " elements\n";
  for (axe::piece const& part : pieces) {
    calculator::print_covered(out, part);
    out += "  shape " + text::printed(part.extents) + "  layout " + text::printed(part.held) + '\n';
  }
  if (held > limit)
    listed +=
        "  and " + std::to_string(held - limit) + " more; --limit " + std::to_string(held) + " lists all\n";
  return out + listed;
}

std::string for_programs(request const& r, axe::place const& owner, axe::ownership const& pieces) {
  text::json out;
  out.object().key("layout");
  calculator::write(out, r.layouts.front());
  out.key("shape");
  calculator::write(out, r.shape);
  out.key("place");
  calculator::write(out, owner);
  out.key("pieces").array();
  for (axe::piece const& part : pieces) calculator::write(out, part);
  out.end().key("elements").array();
  for (axe::element const& e : axe::elements(r.layouts.front(), r.shape, owner)) calculator::write(out, e.at);
  out.end().end();
  return out.str() + '\n';
}

}  // namespace

int run_owner(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("owner", given, {{"--at", true}, {"--limit", true}});
  axe::integer limit = 0;
  if (!r.read(1, "LAYOUT") || !r.read_number("--limit", 64, limit)) return r.report(err);
  axe::layout const& l = r.layouts.front();
  std::optional<std::string> const at = r.given.last("--at");
  if (!at) {
    if (r.json()) return r.fail("--json needs --at, the place to ask about"), r.report(err);
    out << draw::hardware_text(l, r.shape, picture_options(out));
    return answered;
  }
  axe::place owner;
  if (!r.read_place(*at, owner)) return r.report(err);
  axe::outcome<axe::ownership> const pieces = axe::try_owned_by(l, r.shape, owner);
  if (!pieces) return r.refuse(pieces.why, {&l, nullptr, &r.shape}), r.report(err);
  axe::step_budget budget(r.steps());
  for ([[maybe_unused]] axe::element const& e : axe::elements(l, r.shape, owner))
    if (!budget.take()) return r.refuse(budget.refusal(), {&l}), r.report(err);
  out << (r.json() ? for_programs(r, owner, *pieces) : for_people(r, owner, *pieces, limit));
  return answered;
}

std::string help_owner() {
  return "usage: axe owner LAYOUT [--shape 8,16] [--at 8@lane+6@warp] [--limit N] [--json]\n"
         "\n"
         "What one owner holds: the place names axes, those that it does not name are what the owner has for "
         "itself.\n"
         "Pieces first (coordinates, their shape, their layout on the remaining axes), then the elements "
         "(64, or --limit N).\n"
         "Without --at: what every owner holds, as a picture in text.\n"
         "\n"
         "examples:\n"
         "  axe owner 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape 8,16 --at "
         "8@lane+6@warp\n"
         "  axe owner 'S[(2,32,4,16):(4@gpuid,16@m,1@gpuid,1@m)]' --shape 64,64 --at 3@gpuid --json\n"
         "  axe owner 'S[(8,4):(4@lane,1@lane)]' --shape 8,4\n";
}

}  // namespace program
