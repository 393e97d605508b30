// Reads and answers lines: an expression, `name = expression`, `gpuid = 4*mesh_y + mesh_x`, or
// `axis mesh_x : device`.
#include "eval/session.hpp"

#include "eval/expression.hpp"
#include "eval/print.hpp"
#include "text/shortened.hpp"
#include "text/sink.hpp"

#include <axe/cute/convert.hpp>

#include <optional>

namespace calculator {

namespace {

// There is a limit because positions are ints and a line is kept in memory.
constexpr std::size_t longest_line = std::size_t{1} << 24;
constexpr std::size_t longest_axis_name = 9;
constexpr char const* letters_of_axes =
    "the name of an axis has the letters A to Z and a to z, digits and underscores, and does not "
    "begin with a digit";

std::optional<axe::kind> kind_called(std::string_view word) {
  if (word == "thread") return axe::kind::thread;
  if (word == "memory") return axe::kind::memory;
  if (word == "device") return axe::kind::device;
  return {};
}

/// Declares `axis name : kind`. Returns the mistake, or an empty string.
std::string declare_in(names& known, std::string_view name, axe::kind k, axe::axis& a) {
  if (std::optional<axe::axis> const same = known.find_axis(name)) {
    a = *same;
    if (axe::kind_of(a) == k) return {};
    return std::string(name) + " is a " + name_of(axe::kind_of(a)) + " axis already";
  }
  if (name.size() > longest_axis_name)
    return text::shortened(name) + " has " + std::to_string(name.size()) +
           " characters; the name of a declared axis has at most 9";
  if (std::string const why = names::reserved(name); !why.empty())
    return why + ", not a name for an axis";
  if (known.find(name) != nullptr) return std::string(name) + " is the name of a value already";
  a = axe::detail::pack_axis(name.data(), static_cast<int>(name.size()), k);
  return known.declare(a) ? "" : "a session holds at most 256 declared axes";
}

enum class statement { expression, declaration, binding, composition };

/// Looks ahead for the kind of the line: `axis name`, `axis_name =`, `name =`, or an expression.
statement kind_of_line(names const& known, expression in) {
  std::string_view const first = in.word();
  if (first.empty()) return statement::expression;
  in.in.position += static_cast<int>(first.size());
  // `axis = …` is a binding, which rejects the reserved name `axis`.
  if (in.in.next() != '=' && first == "axis") return statement::declaration;
  if (in.in.next() != '=') return statement::expression;
  return known.find_axis(first) ? statement::composition : statement::binding;
}

void take_word(expression& in, std::string_view& word, int& position) {
  word = in.word();
  position = in.in.position;
  in.in.position += static_cast<int>(word.size());
}

bool require_end(expression& in) {
  return in.at_end() || in.fail_unexpected("the end of the line");
}

bool run_declaration(names& known, expression& in, value& out) {
  std::string_view name, of_kind;
  int at = 0;
  take_word(in, name, at);  // reads the word `axis`
  take_word(in, name, at);
  if (name.empty() && axe::detail::is_digit(in.in.next())) return in.fail(at, letters_of_axes);
  if (name.empty()) return in.fail_unexpected("the name of an axis, as in axis mesh_x : device");
  if (!in.in.take(':')) return in.fail_unexpected("':' and thread, memory or device");
  int kind_at = 0;
  take_word(in, of_kind, kind_at);
  std::optional<axe::kind> const k = kind_called(of_kind);
  if (!k) return in.fail(kind_at, "an axis is of kind thread, memory or device");
  if (!require_end(in)) return false;
  if (name.find('.') != name.npos) return in.fail(at, letters_of_axes);
  declaration d;
  if (std::string const why = declare_in(known, name, *k, d.declared); !why.empty())
    return in.fail(at, why);
  out = d;
  return true;
}

/// True if the right side looks like a sum, `4*mesh_y + mesh_x`. False if it looks like a value.
bool starts_sum(names const& known, expression in) {
  axe::integer n = 0;
  if (std::string_view const word = in.word(); !word.empty())
    return known.find_axis(word) || (known.find(word) == nullptr && names::reserved(word).empty());
  return in.in.read_integer(n, axe::rule::expected_a_number) && in.in.next() == '*';
}

bool run_composition(names& known, expression& in, value& out) {
  std::string_view name;
  int at = 0;
  take_word(in, name, at);
  in.in.take('=');
  axe::axis const whole = *known.find_axis(name);
  if (!starts_sum(known, in))
    return in.fail(at, std::string(name) +
                           " is an axis, not a name for a value; a composition is a sum of axes, "
                           "as 4*mesh_y + mesh_x");
  axe::axis_composition c;
  if (!in.read_sum(whole, c) || !require_end(in)) return false;
  if (!in.refused()) known.compose(c);
  out = c;
  return true;
}

bool run_binding(expression& in, std::string_view& name, value& out) {
  int at = 0;
  take_word(in, name, at);
  in.in.take('=');
  if (name.find('.') != name.npos)
    return in.fail(at, "a name has only letters, digits and underscores");
  if (std::string const why = names::reserved(name); !why.empty())
    return in.fail(at, why + ", not a name for a value");
  return in.read(out) && require_end(in);
}

answer malformed(expression const& in) {
  answer a;
  a.how = outcome_of_line::malformed;
  a.position = in.complained_at;
  a.words = in.complaint;
  return a;
}

answer refused(refused_call const& by) {
  answer a;
  a.how = outcome_of_line::refused;
  a.why = by.why;
  a.operation = by.operation;
  a.words = by.operation.empty() ? by.sentence : by.operation + ": " + by.sentence;
  return a;
}

/// Adds a note to an answer that is a pair, if the pair is also a layout in CuTe's notation. No
/// call returns a pair, so the user wrote it.
void note_cute(answer& a) {
  pair const* const p = std::get_if<pair>(&a.held);
  if (p == nullptr || !a.notes.empty()) return;
  axe::outcome<axe::layout> const l =
      axe::cute::try_to_axe(parameter<axe::cute::layout>::take(a.held));
  if (l)
    a.notes.push_back(std::string(p->left.is_integer() ? "a range, or " : "") +
                      "CuTe's notation for " + text::printed(*l));
}

}  // namespace

std::string answer::text() const {
  if (how == outcome_of_line::refused) return "refused: " + words;
  if (how == outcome_of_line::malformed) return "error: " + words;
  return words;
}

answer session::evaluate(std::string_view line, std::vector<recorded_call>* record) {
  expression in(known, most_steps, line.substr(0, longest_line));
  in.record = record;
  if (line.size() > longest_line) {
    in.fail(static_cast<int>(longest_line), "the line is longer than 16777216 characters");
    return malformed(in);
  }
  if (in.at_end()) return {};
  in.tensor = tensor ? &*tensor : nullptr;
  answer a;
  std::string_view name;
  bool good = false;
  switch (kind_of_line(known, in)) {
    case statement::declaration: good = run_declaration(known, in, a.held); break;
    case statement::composition: good = run_composition(known, in, a.held); break;
    case statement::binding: good = run_binding(in, name, a.held); break;
    case statement::expression: good = in.read(a.held) && require_end(in); break;
  }
  if (in.failed() || (!good && !in.refused())) return malformed(in);
  if (!in.refused()) {
    axe::refusal const too_long = print(a.words, a.held, most_steps);
    if (too_long.which != axe::rule::none) in.refuse(name_of(kind_of(a.held)), too_long, {});
  }
  if (in.refused()) return refused(in.refusals.front());
  a.how = outcome_of_line::answered;
  a.shape = in.shape_of_last;
  a.notes = in.notes;
  note_cute(a);
  if (!name.empty()) known.bind(name, a.held);
  return a;
}

std::string session::declare(std::string_view name, std::string_view of_kind) {
  if (name.empty()) return "the name of the axis is empty";
  axe::reader in{name.data(), static_cast<int>(name.size())};
  if (in.name_length() != static_cast<int>(name.size()) || in.position != 0) return letters_of_axes;
  std::optional<axe::kind> const k = kind_called(of_kind);
  if (!k) return "an axis is of kind thread, memory or device";
  axe::axis a{};
  return declare_in(known, name, *k, a);
}

}  // namespace calculator
