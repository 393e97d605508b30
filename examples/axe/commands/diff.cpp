// axe diff: prints the first element that two layouts place differently.
#include "commands/request.hpp"
#include "draw/terminal.hpp"
#include "eval/json.hpp"
#include "eval/print.hpp"
#include "text/sink.hpp"
#include "text/whole_file.hpp"

#include <axe/draw.hpp>

#include <ostream>

namespace program {

namespace {

axe::coordinate coordinate_of(axe::shape const& s, axe::integer x) {
  return axe::detail::coordinate_of(s, x);
}

/// Writes the places in one of the layouts, or "nothing". False if there are too many places.
bool side(std::string& to, bool has, axe::placement const& where, axe::integer most) {
  if (!has) to += "nothing";
  return !has || calculator::print_places(to, where, most);
}

bool text_of(std::string& out, request const& r, axe::layout_difference const& d, bool same_size) {
  if (!d) {
    out = "no difference: both are the same map\n";
    return true;
  }
  out = "element " + std::to_string(d.at);
  if (same_size) out += " at " + text::printed(coordinate_of(r.shape, d.at));
  out += " is the first that differs: A ";
  if (!side(out, d.in_a, d.a, r.steps())) return false;
  out += ", B ";
  if (!side(out, d.in_b, d.b, r.steps())) return false;
  out += '\n';
  return true;
}

std::string json_of(request const& r, axe::layout_difference const& d, bool same_size) {
  text::json out;
  out.object().key("a");
  calculator::write(out, r.layouts[0]);
  out.key("b");
  calculator::write(out, r.layouts[1]);
  out.key("shape");
  if (same_size)
    calculator::write(out, r.shape);
  else
    out.null();
  out.key("equivalent").boolean(!d.found).key("first");
  if (!d) {
    out.null();
  } else {
    out.object().key("element").number(d.at).key("at");
    if (same_size)
      calculator::write(out, coordinate_of(r.shape, d.at));
    else
      out.null();
    out.key("a");
    if (d.in_a)
      calculator::write(out, d.a);
    else
      out.null();
    out.key("b");
    if (d.in_b)
      calculator::write(out, d.b);
    else
      out.null();
    out.end();
  }
  out.end();
  return out.str() + '\n';
}

}  // namespace

int run_diff(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("diff", given, {{"-o", true}, {"--exit-code"}});
  if (!r.read(2, "A B")) return r.report(err);
  r.write_notes(err);
  axe::layout const& a = r.layouts[0];
  axe::layout const& b = r.layouts[1];
  bool const same_size = axe::size(a) == axe::size(b);
  axe::outcome<axe::layout_difference> const d =
      axe::try_difference(a, b, axe::step_limit(r.steps()));
  if (!d) return r.refuse(d.why, {&a, &b}), r.report(err);
  std::optional<std::string> const file = r.given.last("-o");
  if (file == "-")
    return r.fail("-o needs the name of a file: standard output has the difference as text"),
           r.report(err);
  if (file && !same_size)
    return r.fail("-o needs layouts of equal size: A has " + std::to_string(axe::size(a)) +
                  " elements, B has " + std::to_string(axe::size(b))),
           r.report(err);
  std::string answer;
  if (r.json()) {
    if (!r.can_list(d->a) || !r.can_list(d->b)) return r.report(err);
    answer = json_of(r, *d, same_size);
  } else {
    if (!text_of(answer, r, *d, same_size))
      return r.refuse({axe::rule::undecided, {r.steps()}}, {&a, &b}), r.report(err);
    if (d->found && same_size)
      answer += axe::drawing::difference_text(a, b, r.shape, draw::picture_options(out));
  }
  bool const code_is_answer = r.given.has("--exit-code");
  if (file) {
    std::string const why = text::write_whole_file(*file, axe::draw_difference(a, b, r.shape));
    if (!why.empty()) {
      r.fail(why);
      r.report(err);
      return code_is_answer ? bad_input : not_written;
    }
  }
  out << answer;
  return d->found && code_is_answer ? differ : answered;
}

std::string help_diff() {
  return R"(usage: axe diff A B [--shape 8,16] [-o FILE.svg] [--json] [--exit-code]

Prints the first element, counted row by row, that A and B place differently. If A and B
have the same number of elements, it then prints a picture in text that marks all such elements.
-o writes the picture as SVG. --exit-code ends with 1 if A and B differ, and with 2
after any mistake. --steps N limits the search, to 1000000 steps by default.

examples:
  axe diff 'S[(2,2):(2,1)]' 'S[4:1]'
  axe diff 'S[(8,16):(16,1)]' 'swizzle(0,3,4) o S[(8,16):(16,1)]' --shape 8,16
  axe diff 'S[(2,4):(5,1)]' 'S[8:1]' --shape 2,4 --json
)";
}

}  // namespace program
