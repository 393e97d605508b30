// axe diff: are two layouts one map, and where do they part?
#include "commands/picture.hpp"
#include "commands/request.hpp"
#include "draw/command.hpp"
#include "eval/json.hpp"
#include "eval/print.hpp"
#include "text/sink.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>

namespace program {

namespace {

axe::coordinate coordinate_of(axe::shape const& s, axe::integer x) {
  axe::coordinate c = axe::detail::coordinate_of(s, x);
  return c;
}

/// The places on one side, "nothing" where it has no such element; false when there are too many.
bool side(std::string& to, bool has, axe::placement const& where, axe::integer most) {
  if (!has) to += "nothing";
  return !has || calculator::print_places(to, where, most);
}

bool for_people(std::string& out, request const& r, axe::layout_difference const& d,
                bool pictured) {
  if (!d) {
    out = "no difference: both are the same map\n";
    return true;
  }
  out = "element " + std::to_string(d.at);
  if (pictured) out += " at " + text::printed(coordinate_of(r.shape, d.at));
  out += " is the first that differs: A ";
  if (!side(out, d.in_a, d.a, r.steps())) return false;
  out += ", B ";
  if (!side(out, d.in_b, d.b, r.steps())) return false;
  out += '\n';
  return true;
}

std::string for_programs(request const& r, axe::layout_difference const& d, bool shaped) {
  text::json out;
  out.object().key("a");
  calculator::write(out, r.layouts[0]);
  out.key("b");
  calculator::write(out, r.layouts[1]);
  out.key("shape");
  if (shaped)
    calculator::write(out, r.shape);
  else
    out.null();
  out.key("equivalent").boolean(!d.found).key("first");
  if (!d) {
    out.null();
  } else {
    out.object().key("element").number(d.at).key("at");
    if (shaped)
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

/// Whole or not at all.
bool write_file(std::string const& path, std::string const& content, request& r) {
  std::ofstream file(path, std::ios::binary);
  file << content;
  file.close();
  return file.good() || r.fail("cannot write " + path + ": " + std::strerror(errno));
}

}  // namespace

int run_diff(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("diff", given, {{"-o", true}, {"--exit-code"}});
  if (!r.read(2, "A B")) return r.report(err);
  axe::layout const& a = r.layouts[0];
  axe::layout const& b = r.layouts[1];
  bool const same_size = axe::size(a) == axe::size(b);
  axe::outcome<axe::layout_difference> const d =
      axe::try_difference(a, b, axe::step_budget(r.steps()));
  if (!d) return r.refuse(d.why, {&a, &b}), r.report(err);
  std::optional<std::string> const file = r.given.last("-o");
  if (file && !same_size)
    return r.fail("no picture: the layouts have different sizes"), r.report(err);
  std::string answer;
  if (r.json()) {
    answer = for_programs(r, *d, same_size);
  } else {
    if (!for_people(answer, r, *d, same_size))
      return r.refuse({axe::rule::undecided, {r.steps()}}, {&a, &b}), r.report(err);
    if (d->found && same_size) answer += draw::difference_text(a, b, r.shape, picture_options(out));
  }
  if (file && !write_file(*file, draw::difference_svg(a, b, r.shape), r)) return r.report(err);
  out << answer;
  return d->found && r.given.has("--exit-code") ? unlike : answered;
}

std::string help_diff() {
  return "usage: axe diff A B [--shape 8,16] [-o FILE.svg] [--json] [--exit-code]\n"
         "\n"
         "Are two layouts one map? If not: the first element, counted row by row, that they put "
         "elsewhere, "
         "and a picture in text of all of\n"
         "them. -o writes the picture as SVG. --exit-code ends with 1 when they differ.\n"
         "\n"
         "examples:\n"
         "  axe diff 'S[(2,2):(2,1)]' 'S[4:1]'\n"
         "  axe diff 'S[(8,16):(16,1)]' 'swizzle(0,3,4) o S[(8,16):(16,1)]' --shape 8,16\n"
         "  axe diff 'S[(2,4):(5,1)]' 'S[8:1]' --shape 2,4 --json\n";
}

}  // namespace program
