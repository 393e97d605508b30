// axe plan: reads the options that all kinds of plans share, and calls the kind's own file, such as
// copy.cpp.
#include "plan/plan.hpp"

#include "draw/command.hpp"
#include "explain/points.hpp"
#include "plan/help.hpp"
#include "text/nearest.hpp"
#include "text/shortened.hpp"

#include <axe/atoms/target.hpp>

#include <ostream>
#include <sstream>

namespace program {

namespace {

std::vector<option> with_type(std::vector<option> options) {
  options.insert(options.end(), {{"--type", true}, {"--elements"}});
  return options;
}

struct plan_kind {
  char const* name;
  int (*run)(std::vector<std::string> const& given, std::ostream& out, std::ostream& err);
  char const* section;  // the section of the documentation
  char const* rule;
};

constexpr plan_kind kinds[] = {
    {"copy", plan_of_copy, "docs/plans.md, Copy",
     "the first instruction that the layouts, their alignments and the threads allow"},
    {"tma", plan_of_tma, "docs/plans.md, Tensor maps",
     "boxes of whole digits that fill shared memory without gaps, within the limits of a map"},
    {"mma", plan_of_mma, "docs/plans.md, Matrix products",
     "the first instruction whose prescribed layouts, when repeated, give all three tiles"},
    {"convert", plan_of_convert, "docs/plans.md, Conversions",
     "shuffles that copy every element of TO from a register of FROM that has it"},
    {"reduce", plan_of_reduce, "docs/plans.md, Elementwise and reductions",
     "each thread folds its registers, then the lanes of a warp fold, then the warps"},
    {"reshard", plan_of_reshard, "docs/distributed.md, Plans",
     "each device receives the elements that it needs and does not have"},
};

/// Writes the places of three elements of each layout.
void write_places(std::string& out, std::vector<std::string> const& names,
                  std::vector<axe::layout> const& layouts) {
  for (std::size_t k = 0; k < layouts.size(); ++k)
    for (axe::integer const x : explain::three_of(axe::size(layouts[k])))
      out += "  " + names[k] + "(" + std::to_string(x) +
             ") = " + explain::words(explain::places_of(layouts[k], x), "more than 64 places") +
             "\n";
}

}  // namespace

plan_request::plan_request(char const* called, std::vector<std::string> const& words_given,
                           std::vector<option> more)
    : request(called, words_given, with_type(std::move(more))) {
  for (char const* option : {"--json", "--messages", "-o"})
    if (explains() && given.has(option))
      fail(std::string(option) + " is for axe plan; leave it out of axe explain plan");
}

bool plan_request::read_target() {
  if (std::optional<std::string> const name = given.last("--arch"))
    if (!find<axe::architecture, 5>(*name, target))
      return fail("--arch: no architecture is called '" + text::shortened(*name) +
                  "'; the names are " + names_of<axe::architecture, 5>());
  std::optional<std::string> const scope = given.last("--scope");
  if (!scope) return true;
  if (*scope == "cta" || *scope == "cluster")
    return fail("--scope " + *scope +
                ": the kernel decides how many threads it has; give a number, as --scope 256");
  if (*scope == "thread") return threads = 1, true;
  if (*scope == "warp") return threads = 32, true;
  if (*scope == "warpgroup") return threads = 128, true;
  std::optional<long long> const number = text::positive_number(*scope);
  if (!number || *number > 1024)
    return fail("--scope is thread, warp, warpgroup or a number of threads up to 1024, not '" +
                text::shortened(*scope) + "'");
  threads = *number;
  return true;
}

bool plan_request::read_type(char const* option, axe::element_type otherwise,
                             axe::element_type& out) {
  out = otherwise;
  std::optional<std::string> const name = given.last(option);
  constexpr int types = static_cast<int>(axe::element_type::count);
  return !name || find<axe::element_type, types>(*name, out) ||
         fail(std::string(option) + ": no element type is called '" + text::shortened(*name) +
              "'; the names are " + names_of<axe::element_type, types>());
}

bool plan_request::read_space(char const* option, axe::memory_space otherwise,
                              axe::memory_space& out) {
  out = otherwise;
  std::optional<std::string> const name = given.last(option);
  return !name || find<axe::memory_space, 4>(*name, out) ||
         fail(std::string(option) + ": no memory space is called '" + text::shortened(*name) +
              "'; the names are " + names_of<axe::memory_space, 4>());
}

int plan_request::refused(std::ostream& out, std::ostream& err, axe::refusal const& why,
                          axe::operands const& about) {
  if (!explains()) return refuse(why, about), report(err);
  write_notes(err);
  // `plan reshard` reads shardings, not layouts. Its refusals have their layouts as operands.
  if (layouts.empty() && about.a != nullptr && about.b != nullptr) {
    layouts = {*about.a, *about.b};
    layout_names = {"SRC", "DST"};
  }
  std::string text = name() + ": no plan\n";
  for (std::size_t k = 0; k < layouts.size(); ++k)
    explain::write_layout(text, layout_names[k], layouts[k]);
  if (about.s != nullptr) text += "  tile  " + text::printed(*about.s) + "\n";
  for (plan_kind const& k : kinds)
    if (name() == std::string("plan ") + k.name)
      text += std::string("rule (") + k.section + "): " + k.rule + "\n";
  std::string sentence;
  text::sink to(sentence);
  axe::print(to, why, about);
  text += "refused: " + sentence + "\n" + explain::rule_of_refusal(why);
  text += "elements of the operands:\n";
  write_places(text, layout_names, layouts);
  out << text;
  return answered;
}

int plan_request::write_picture(std::string const& svg, std::ostream& out, std::ostream& err) {
  for (char const* option : {"--json", "--messages"})
    if (given.has(option))
      return fail(std::string("-o draws the plan; leave out ") + option), report(err);
  write_notes(err);
  return draw::write_svg(*given.last("-o"), svg, out, err);
}

int run_plan(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  std::string const name = given.empty() ? "" : given.front();
  text::nearest meant(name);
  std::string known;
  for (plan_kind const& k : kinds) {
    if (name == k.name)
      return k.run(std::vector<std::string>(given.begin() + 1, given.end()), out, err);
    meant.offer(k.name);
    known += (known.empty() ? "" : ", ") + std::string(k.name);
  }
  err << "axe plan: "
      << (given.empty() ? "the kind of plan is missing"
                        : "no plan is called '" + text::shortened(name) + "'" + meant.question())
      << (meant.question().empty() ? ";" : "") << " the kinds are " << known
      << "; see axe plan --help\n";
  return bad_input;
}

std::string help_plan() { return help_of_plans; }

/// Keeps the usage, the options and the examples of `kind`. Headings of options name their kinds.
std::string help_plan_of_kind(std::string const& kind) {
  std::string const call = "axe plan " + kind + ' ';
  std::string const all = help_plan();
  if (all.find(call) == std::string::npos) return all;
  std::string kept;
  std::istringstream lines(all);
  bool in_section = true;
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with(':')) {
      std::string const kinds_of_section = ", " + line.substr(0, line.size() - 1) + ',';
      in_section = line == "all kinds:" || line == "examples:" ||
                   kinds_of_section.find(", " + kind + ',') != std::string::npos;
    }
    bool const of_another_kind =
        line.find("axe plan ") != std::string::npos && line.find(call) == std::string::npos;
    if (line.empty() || (in_section && !of_another_kind)) kept += line + '\n';
  }
  return "usage:" + kept.substr(std::string("usage:").size());
}

}  // namespace program
