#include "commands/request.hpp"

#include "eval/bounded.hpp"
#include "eval/notation.hpp"
#include "eval/parameter.hpp"
#include "text/parentheses.hpp"
#include "text/shortened.hpp"
#include "text/sink.hpp"

#include <axe/cute/convert.hpp>
#include <axe/linear.hpp>

#include <algorithm>
#include <ostream>

namespace program {

namespace {

std::vector<option> with_common(std::vector<option> options) {
  options.insert(options.end(),
                 {{"--shape", true}, {"--axis", true}, {"--json"}, {"--steps", true}});
  return options;
}

/// The notation of a text that the calculator has read as a layout.
char const* notation_of(std::string const& text) {
  std::string const rest = text.substr(std::min(text.find_first_not_of(" \t\n"), text.size()));
  if (rest.starts_with('#') || rest.starts_with("!ttg") || rest.starts_with("tensor<") ||
      rest.starts_with('-'))
    return "Triton";
  for (char const* start : {"T.TileLayout", "TileLayout", "T.ComposeLayout", "ComposeLayout"})
    if (rest.starts_with(start)) return "TIRx";
  return "axe";
}

/// The layout of a linear map from dimensions to places, or from places to dimensions as in Triton.
axe::outcome<axe::layout> layout_of(axe::linear_map const& m) {
  bool const owners = m.out.names(axe::axes::dim<0>);
  axe::outcome<axe::linear_map> const forward = owners ? axe::try_preimage(m) : m;
  return forward ? axe::try_to_layout(forward.value) : axe::outcome<axe::layout>(forward.why);
}

/// The text of an error in the user's words. If parentheses were added around the text, which has
/// `length` characters, positions are counted without them.
std::string own_words(calculator::answer const& a, bool enclosed, std::size_t length) {
  int const end = static_cast<int>(length);
  int const position = enclosed ? std::min(a.position - 1, end) : a.position;
  std::string words = a.words.substr(a.words.find(':'));
  std::string_view const closing = ", not ')'";
  if (enclosed && position == end && words.ends_with(closing))
    words.replace(words.size() - closing.size(), closing.size(), ", not the end");
  return "position " + std::to_string(position) + words;
}

}  // namespace

std::string declare_axes(calculator::session& to, text::words const& given) {
  for (std::string const& declared : given.all("--axis")) {
    std::size_t const colon = declared.find(':');
    if (colon == declared.npos) return "--axis needs a name and a kind, as mesh_x:device";
    std::string const why = to.declare(declared.substr(0, colon), declared.substr(colon + 1));
    if (!why.empty()) return "--axis " + text::shortened(declared) + ": " + why;
  }
  return {};
}

axe::shape request::own_shape(std::size_t which) const {
  if (prescribed[which]) return *prescribed[which];
  return calculator::dimensions_of(layouts[which]);
}

request::request(char const* called, std::vector<std::string> const& words_given,
                 std::vector<option> more)
    : given(text::split(words_given, with_common(std::move(more)))),
      command(called),
      problem(given.problem) {}

bool request::fail(std::string const& sentence) {
  if (problem.empty()) problem = sentence;
  return false;
}

bool request::refuse(axe::refusal const& why, axe::operands const& about) {
  std::string sentence;
  text::sink to(sentence);
  axe::print(to, why, about);
  return fail(sentence);
}

bool request::can_list(axe::placement const& where) {
  return calculator::each_place(where, most_steps, [](axe::place const&) {}) ||
         refuse({axe::rule::undecided, {most_steps}}, {});
}

int request::report(std::ostream& err) const {
  err << "axe " << command << ": " << problem << '\n';
  return bad_input;
}

bool request::read_number(char const* option, axe::integer otherwise, axe::integer& out) {
  out = otherwise;
  std::optional<std::string> const words = given.last(option);
  if (!words) return true;
  std::optional<long long> const n = text::positive_number(*words);
  if (!n) return fail(std::string(option) + " needs a whole number from 1 to 2^63 - 1");
  out = *n;
  return true;
}

bool request::evaluate(std::string const& what, std::string const& text, calculator::answer& a,
                       bool enclosed) {
  a = session.evaluate(enclosed ? "(" + text + ")" : text);
  if (a.how == calculator::outcome_of_line::blank) return fail(what + " is empty");
  if (a.how == calculator::outcome_of_line::malformed)
    return fail(what + ": " + own_words(a, enclosed, text.size()));
  return a.how != calculator::outcome_of_line::refused || fail(what + ": " + a.words);
}

/// Reads `8,16` by adding parentheses. A text with parentheses of its own then has two pairs; one
/// is removed.
bool request::read_tuple(std::string const& what, std::string const& text, axe::tree& out) {
  calculator::answer a;
  calculator::value const& v = a.held;
  if (text.find_first_not_of(" \t") == text.npos) return fail(what + " is empty");
  if (std::size_t const stray = text::stray_parenthesis(text); stray != text.npos)
    return fail(what + ": position " + std::to_string(stray) + ": ')' without '('");
  if (!evaluate(what, text, a, true)) return false;
  if (!calculator::parameter<axe::tree>::accepts(calculator::kind_of(v)))
    return fail(what + ": expected integers, as 8,16 or (2,4),16, not " +
                calculator::describe(calculator::kind_of(v)));
  out = calculator::parameter<axe::tree>::take(v);
  if (out.rank() == 1 && !out[0].is_integer()) out = out[0];
  return true;
}

bool request::read_coordinate(std::string const& text, axe::coordinate& out) {
  axe::tree t;
  if (!read_tuple("--at", text, t)) return false;
  out = axe::coordinate(t);
  return true;
}

bool request::read_place(std::string const& text, axe::place& out) {
  calculator::answer a;
  calculator::value const& v = a.held;
  if (!evaluate("--at", text, a)) return false;
  if (!calculator::parameter<axe::place>::accepts(calculator::kind_of(v)))
    return fail(std::string("--at: expected a place, as 8@lane + 6@warp, not ") +
                calculator::describe(calculator::kind_of(v)));
  out = calculator::parameter<axe::place>::take(v);
  return true;
}

bool request::read_layout(std::string const& name, std::string const& text, axe::layout& out) {
  std::optional<axe::shape> unused;
  return read_prescribed(name, text, out, unused);
}

bool request::read_prescribed(std::string const& name, std::string const& text, axe::layout& out,
                              std::optional<axe::shape>& shape_of_it) {
  calculator::answer a;
  if (!evaluate(name, text, a)) return false;
  shape_of_it = a.shape;
  return take_layout(name, text, a, out);
}

/// Makes a layout of a value. Keeps a note if the notation is not axe's.
bool request::take_layout(std::string const& name, std::string const& text,
                          calculator::answer const& a, axe::layout& out) {
  calculator::kind const k = calculator::kind_of(a.held);
  notations.push_back(notation_of(text));
  std::string about = std::string("is ") + notations.back() + "'s notation for ";
  axe::outcome<axe::layout> made;
  if (axe::layout const* const l = std::get_if<axe::layout>(&a.held)) {
    made = *l;
  } else if (calculator::parameter<axe::cute::layout>::accepts(k)) {
    notations.back() = "CuTe";
    about = "is CuTe's notation for ";
    auto const theirs = calculator::parameter<axe::cute::layout>::take(a.held);
    if (std::holds_alternative<calculator::pair>(a.held) && theirs.profile.size() == 1)
      about = "could be a range; it is read as CuTe's notation for ";
    made = axe::cute::try_to_axe(theirs);
  } else if (calculator::parameter<axe::linear_map>::accepts(k)) {
    notations.back() = "linear map";
    about = "is a linear map, the layout ";
    made = layout_of(calculator::parameter<axe::linear_map>::take(a.held));
  } else {
    return fail(name + ": expected a layout, as S[(8,4):(4@lane,1@lane)], not " +
                calculator::describe(k));
  }
  if (!made) {
    std::string sentence;
    text::sink to(sentence);
    axe::print(to, made.why, {});
    return fail(name + ": " + sentence);
  }
  out = made.value;
  if (notations.back() != std::string_view("axe"))
    note(name, about, out);
  else
    note_inner_layouts(name, a);
  return true;
}

void request::note(std::string const& name, std::string const& what, axe::layout const& l) {
  notes += "axe " + command + ": " + name + ' ' + what + text::printed(l) + '\n';
}

void request::note_inner_layouts(std::string const& name, calculator::answer const& a) {
  for (std::string const& line : a.notes)
    notes += "axe " + command + ": " + name + " has " + line + '\n';
}

void request::write_notes(std::ostream& err) const { err << notes; }

bool request::read_words(std::vector<std::string> const& names, std::string const& what,
                         std::vector<std::string>& out) {
  if (!problem.empty()) return fail(problem);
  if (!read_number("--steps", most_steps, most_steps)) return false;
  session = calculator::session(most_steps);
  if (std::string const why = declare_axes(session, given); !why.empty()) return fail(why);
  if (given.rest.size() != names.size())
    return fail("expected " + std::to_string(names.size()) +
                (names.size() == 1 ? " argument, " : " arguments, ") + what + ", but got " +
                std::to_string(given.rest.size()) + "; see axe " + command + " --help");
  axe::shape tensor;
  if (!read_shape("--shape", tensor)) return false;
  if (given.has("--shape")) session.set_tensor(tensor);
  out = given.rest;
  return true;
}

bool request::read_layouts(std::vector<std::string> const& names, std::string const& what) {
  std::vector<std::string> words;
  if (!read_words(names, what, words)) return false;
  for (std::size_t k = 0; k < names.size(); ++k) {
    layouts.emplace_back();
    layout_names.push_back(names[k]);
    prescribed.emplace_back();
    if (!read_prescribed(names[k], words[k], layouts.back(), prescribed.back())) return false;
  }
  return true;
}

bool request::read_shape(char const* option, axe::shape& out) {
  axe::tree t;
  std::optional<std::string> const text = given.last(option);
  if (!text) return true;
  if (!read_tuple(option, *text, t)) return false;
  out = axe::shape(t);
  return true;
}

bool request::read(int count, char const* what) {
  if (!read_layouts(
          count == 1 ? std::vector<std::string>{"LAYOUT"} : std::vector<std::string>{"A", "B"},
          what))
    return false;
  shape = own_shape(0);
  if (!given.has("--shape")) return true;
  if (!read_shape("--shape", shape)) return false;
  for (axe::layout const& l : layouts) {
    axe::outcome<axe::element_range> const admitted = axe::try_elements(l, shape);
    if (!admitted) return refuse(admitted.why, {&l, nullptr, &shape});
  }
  return true;
}

}  // namespace program
