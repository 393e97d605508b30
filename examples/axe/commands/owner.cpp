// axe owner: what a thread, warp, CTA or device holds; without a place, what everybody holds, as a
// picture.
#include "commands/picture.hpp"
#include "commands/request.hpp"
#include "eval/bounded.hpp"
#include "eval/json.hpp"
#include "eval/print.hpp"
#include "text/sink.hpp"

#include <algorithm>
#include <ostream>

namespace program {

namespace {

/// Where an element lies on the axes that the owner does not name.
std::string place_within(axe::placement const& where, axe::place const& owner, axe::integer steps) {
  axe::placement rest;
  rest.swizzle = where.swizzle;
  rest.replicas = where.replicas;
  for (int i = 0; i < where.axes.size(); ++i) {
    if (owner.names(where.axes[i])) continue;
    rest.axes.push(where.axes[i]);
    rest.base.push(where.base[i]);
  }
  if (rest.axes.empty()) return "";
  std::string text;
  return calculator::print_places(text, rest, steps)
             ? text
             : "{more than " + std::to_string(steps) + (steps == 1 ? " place}" : " places}");
}

/// What is held, listed within the bounds that were asked for.
struct holding {
  std::vector<axe::piece> pieces;
  axe::integer count = 0;              // elements
  std::vector<axe::element> elements;  // the first --limit of them
};

/// False when searching for pieces or elements takes too long.
bool list(axe::layout const& l, axe::shape const& s, axe::place const& owner,
          axe::ownership const& pieces, axe::integer steps, axe::integer limit, holding& out) {
  bool const whole = calculator::each(pieces, steps, [&](axe::piece const& part) {
    out.pieces.push_back(part);
    out.count += axe::size(part.held);
  });
  if (!whole) return false;
  axe::integer const listed = std::min(limit, out.count);
  if (listed == 0) return true;
  calculator::each(axe::elements(l, s, owner), listed,
                   [&](axe::element const& e) { out.elements.push_back(e); });
  return static_cast<axe::integer>(out.elements.size()) == listed;
}

std::string for_people(request const& r, axe::place const& owner, holding const& held) {
  std::string out = text::printed(owner) + " holds " + std::to_string(held.count) + " of " +
                    std::to_string(axe::size(r.layouts.front())) +
                    (axe::size(r.layouts.front()) == 1 ? " element\n" : " elements\n");
  for (axe::piece const& part : held.pieces) {
    text::sink to(out);
    axe::print_coordinates(to, part);
    out += "  shape " + text::printed(part.extents) + "  layout " + text::printed(part.held) + '\n';
  }
  for (axe::element const& e : held.elements) {
    std::string const within = place_within(e.where, owner, r.steps());
    out += "  " + text::printed(e.at) + (within.empty() ? "" : "  ") + within + '\n';
  }
  axe::integer const left_out = held.count - static_cast<axe::integer>(held.elements.size());
  if (left_out > 0)
    out += "  and " + std::to_string(left_out) + " more; --limit " + std::to_string(held.count) +
           " lists all\n";
  return out;
}

std::string for_programs(request const& r, axe::place const& owner, holding const& held) {
  text::json out;
  out.object().key("layout");
  calculator::write(out, r.layouts.front());
  out.key("shape");
  calculator::write(out, r.shape);
  out.key("place");
  calculator::write(out, owner);
  out.key("pieces").array();
  for (axe::piece const& part : held.pieces) calculator::write(out, part);
  out.end().key("count").number(held.count).key("elements").array();
  for (axe::element const& e : held.elements) calculator::write(out, e.at);
  out.end()
      .key("left_out")
      .number(held.count - static_cast<axe::integer>(held.elements.size()))
      .end();
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
  axe::step_budget const budget(r.steps());
  axe::outcome<axe::ownership> const pieces = axe::try_owned_by(l, r.shape, owner, budget);
  if (!pieces) return r.refuse(pieces.why, {&l, nullptr, &r.shape}), r.report(err);
  holding held;
  if (!list(l, r.shape, owner, *pieces, r.steps(), limit, held))
    return r.refuse(budget.refusal(), {&l}), r.report(err);
  out << (r.json() ? for_programs(r, owner, held) : for_people(r, owner, held));
  return answered;
}

std::string help_owner() {
  return "usage: axe owner LAYOUT [--shape 8,16] [--at 8@lane+6@warp] [--limit N] [--json]\n"
         "\n"
         "What one owner holds: the place names axes, those that it does not name are what the "
         "owner has for "
         "itself.\n"
         "Pieces first (coordinates, their shape, their layout on the remaining axes), then the "
         "elements "
         "(64, or --limit N).\n"
         "Without --at: what every owner holds, as a picture in text.\n"
         "\n"
         "examples:\n"
         "  axe owner 'S[(8,2,4,2):(4@lane,1@warp,1@lane,1@reg)] + R[2:4@warp] + 5@warp' --shape "
         "8,16 --at "
         "8@lane+6@warp\n"
         "  axe owner 'S[(2,32,4,16):(4@gpuid,16@m,1@gpuid,1@m)]' --shape 64,64 --at 3@gpuid "
         "--json\n"
         "  axe owner 'S[(8,4):(4@lane,1@lane)]' --shape 8,4\n";
}

}  // namespace program
