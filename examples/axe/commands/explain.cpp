// axe explain: shows step by step how the answer to an expression is computed.
#include "explain/explain.hpp"
#include "commands/request.hpp"

#include "eval/expression.hpp"
#include "eval/print.hpp"
#include "eval/session.hpp"
#include "text/sink.hpp"
#include "text/words.hpp"

#include <axe/cute/convert.hpp>

#include <ostream>

namespace program {

namespace {

using calculator::recorded_call;

constexpr axe::integer longest_list = 64;

std::string one_line(calculator::value const& v) {
  std::string out;
  if (calculator::print(out, v, longest_list)) return "a long list";
  return out;
}

/// Removes the first name from a list such as "L, S, (b:e, …)" and returns it. Returns "and" if the
/// call has more arguments than the list has names.
std::string take_name(std::string& names) {
  int depth = 0;
  std::size_t end = 0;
  for (; end < names.size() && (depth > 0 || names[end] != ','); ++end)
    depth += names[end] == '(' || names[end] == '{'   ? 1
             : names[end] == ')' || names[end] == '}' ? -1
                                                      : 0;
  std::string name = names.substr(0, end);
  names.erase(0, std::min(names.size(), end + 2));
  name.erase(0, name.find_first_not_of(" ["));
  if (std::size_t const stop = name.find_first_of("[]"); stop != name.npos) name.erase(stop);
  while (!name.empty() && name.back() == ' ') name.pop_back();
  return name.empty() ? "and" : name;
}

/// Writes the operands: a layout with its digits, a shape with its boundaries, and others as they
/// are.
void write_operands(std::string& out, recorded_call const& call) {
  std::string names = call.called->parameters;
  for (calculator::argument const& a : call.given) {
    std::string const name = take_name(names);
    if (axe::layout const* l = std::get_if<axe::layout>(&a.held)) {
      explain::write_layout(out, name, *l);
      continue;
    }
    out += "  " + name + "  " + one_line(a.held);
    if (name[0] == 'S' && calculator::parameter<axe::tree>::accepts(calculator::kind_of(a.held)))
      out += " with row-major strides " +
             explain::boundaries_of(axe::shape(calculator::parameter<axe::tree>::take(a.held)));
    out += "\n";
  }
}

/// Writes sigma, the factors of a tile: the span of the inner layout on each axis of the outer one.
void write_sigma(std::string& out, recorded_call const& call) {
  std::string_view const name = call.called->name;
  axe::layout const* result = std::get_if<axe::layout>(&call.result);
  if ((name != "tile" && name != "tile_outer" && name != "tile_inner") || result == nullptr) return;
  auto const layout = [&](std::size_t k) { return std::get_if<axe::layout>(&call.given[k].held); };
  axe::layout const* outer = name == "tile" ? layout(0) : name == "tile_outer" ? result : layout(2);
  axe::layout const* inner = name == "tile_inner" ? result : layout(2);
  if (outer == nullptr || inner == nullptr) return;
  out += "sigma: ";
  bool first = true;
  for (axe::axis const on : axe::axes_of(*outer)) {
    if (on == axe::axis::null) continue;
    out += (first ? "" : ", ") + std::to_string(axe::span(*inner, on)) + " on " + text::printed(on);
    first = false;
  }
  out += first ? "1\n" : "\n";
}

/// Writes the formula of a call of `places` with its numbers.
void write_formula(std::string& out, recorded_call const& call) {
  if (std::string_view(call.called->name) != "places" || call.given.size() != 3) return;
  axe::layout const* l = std::get_if<axe::layout>(&call.given[0].held);
  auto const tree = [&](std::size_t k) {
    return calculator::parameter<axe::tree>::take(call.given[k].held);
  };
  if (l != nullptr) explain::formula(out, *l, axe::shape(tree(1)), axe::coordinate(tree(2)));
}

bool write_call(std::string& out, recorded_call const& call) {
  out += std::string(call.called->name) + "(" + call.called->parameters +
         "): " + call.called->help + "\n";
  write_operands(out, call);
  if (explain::rule const* rule = explain::rule_of(call.called->name))
    out += std::string("rule (docs/algebra.md, ") + rule->section +
           (*rule->sentence == '\0' ? ")" : "): ") + rule->sentence + "\n";
  write_formula(out, call);
  write_sigma(out, call);
  std::string const derived = explain::derivation_of(call);
  if (!derived.empty()) out += "digits:\n" + derived;
  out += call.why ? "refused: " + call.sentence + "\n" + explain::rule_of_refusal(call.why)
                  : "result: " + one_line(call.result) + "\n";
  std::string elements;
  bool const agree = explain::elements_by_definition(elements, call);
  if (!elements.empty())
    out += (call.why ? "elements that the result would have:\n"
                     : "elements computed from the operands:\n") +
           elements;
  return agree;
}

/// Writes the answer to a line without calls: the value and, for a layout, its digits.
void write_value(std::string& out, calculator::answer const& a) {
  out += a.text() + "\n";
  if (a.how == calculator::outcome_of_line::refused) out += explain::rule_of_refusal(a.why);
  if (a.how != calculator::outcome_of_line::answered) return;
  if (axe::layout const* own = std::get_if<axe::layout>(&a.held))
    explain::write_layout(out, "L", *own);
  if (!calculator::parameter<axe::cute::layout>::accepts(calculator::kind_of(a.held))) return;
  axe::outcome<axe::layout> const l =
      axe::cute::try_to_axe(calculator::parameter<axe::cute::layout>::take(a.held));
  if (l)
    explain::write_layout(out, "L", *l);
  else
    out += std::string("not a layout: ") + axe::sentence(l.why).c_str() + "\n" +
           explain::rule_of_refusal(l.why);
}

}  // namespace

int run_explain(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  if (!given.empty() && given[0] == "plan") {
    std::vector<std::string> words(given.begin() + 1, given.end());
    if (!words.empty()) words.insert(words.begin() + 1, "--elements");
    return run_plan(words, out, err);
  }
  text::words const w = text::split(given, {{"--steps", true}, {"--axis", true}});
  std::optional<long long> const steps =
      text::positive_number(w.last("--steps").value_or("1000000"));
  std::string const wrong = !w.problem.empty() ? w.problem
                            : !steps           ? "--steps needs a whole number from 1 to 2^63 - 1"
                            : w.rest.empty()   ? "an expression is missing; example: axe explain "
                                                 "'tile(S[2:1@warp], (2), S[8:1@lane], (8))'"
                                               : "";
  if (!wrong.empty()) {
    err << "axe explain: " << wrong << "; see axe explain --help\n";
    return bad_input;
  }
  calculator::session session(*steps);
  if (std::string const why = declare_axes(session, w); !why.empty()) {
    err << "axe explain: " << why << '\n';
    return bad_input;
  }
  std::string text;
  bool agree = true;
  std::size_t lines = 0;
  for (std::string const& line : w.rest) {
    ++lines;
    std::vector<recorded_call> calls;
    calculator::answer const a = session.evaluate(line, &calls);
    if (a.how == calculator::outcome_of_line::malformed) {
      err << "axe explain: " << a.words << '\n';
      return bad_input;
    }
    for (recorded_call const& call : calls) {
      if (!text.empty()) text += "\n";
      agree = write_call(text, call) && agree;
    }
    for (std::string const& note : a.notes)
      err << "axe explain: line " << lines << " has " << note << '\n';
    if (!calls.empty()) continue;
    if (!text.empty()) text += "\n";
    write_value(text, a);
  }
  out << text;
  if (!agree) err << "axe explain: an element differs from the definition; please report it\n";
  return agree ? answered : disagrees;
}

std::string help_explain() {
  return R"(usage: axe explain EXPRESSION ... [--steps N] [--axis NAME:KIND]
       axe explain plan KIND ...

Explains each call of an expression of `axe eval`: the operands with their canonical
forms and digits, the rule, the result or the refusal, and three elements of the result
computed from the operands by the definition. `axe explain plan` prints the answer of
`axe plan` with the declined candidates, and checks three elements. If there is no plan,
it prints the rule, its numbers, and elements of the operands. A name that one EXPRESSION
defines is known in the next ones.

examples:
  axe explain 'tile(S[(2,2):(2,1)], (2,2), S[(4,8):(8,1)], (4,8))'
  axe explain 'places(swizzle(3,3,3) o S[(8,64):(64,1)], (8,64), (2,9))'
  axe explain 'T = S[(8,8):(100,1)]' 'slice(T, (64), (4:20))'
  axe explain plan convert 'S[(4,8):(1@reg,1@lane)]' 'S[(8,4):(1@lane,1@reg)]'
)";
}

}  // namespace program
