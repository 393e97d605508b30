// Reads a call of the calculator again, argument by argument, for the elements that correspond.
#include "commands/draw_operation.hpp"

#include "commands/request.hpp"
#include "draw/command.hpp"

#include <axe/draw/operation_picture.hpp>

namespace program {

namespace {

using axe::integer;

/// `tile` and its arguments as text: `S[(2,3):(3,1)]`, `(2,3)`, …
struct call_text {
  std::string const* whole;
  std::string name;
  std::vector<std::string> arguments;  // none if the text is not a call

  explicit call_text(std::string const& text) : whole(&text) {
    std::size_t const open = text.find('(');
    if (open == text.npos || text.find_last_not_of(" ") == text.npos ||
        text[text.find_last_not_of(" ")] != ')')
      return;
    name = text.substr(0, open);
    int depth = 0;
    std::string argument;
    for (std::size_t i = open; i <= text.find_last_not_of(" "); ++i) {
      char const c = text[i];
      if (c == ')' || c == ']' || c == '}') --depth;
      if (depth == 0 && i != open) break;
      if (c == ',' && depth == 1) {
        arguments.push_back(argument);
        argument.clear();
      } else if (depth > 0) {
        argument += c;
      }
      if (c == '(' || c == '[' || c == '{') ++depth;
    }
    arguments.push_back(argument);
  }
};

struct operands {
  std::vector<axe::layout> layouts;
  std::vector<std::string> names;
  std::vector<axe::shape> shapes;
  axe::region region;
};

/// The values of the arguments: layouts, shapes, and the region of a slice.
bool read_operands(request& r, call_text const& call, operands& out) {
  calculator::session session;
  for (std::string const& one : r.given.all("--axis")) {
    std::size_t const colon = one.find(':');
    session.declare(one.substr(0, colon), one.substr(colon + 1));
  }
  for (std::string const& argument : call.arguments) {
    calculator::answer const a = session.evaluate(argument);
    if (a.how != calculator::outcome_of_line::answered)
      return r.fail("OPERATION: " + argument + ": " + a.words);
    if (axe::layout const* l = std::get_if<axe::layout>(&a.held)) {
      out.layouts.push_back(*l);
      out.names.push_back(argument.substr(argument.find_first_not_of(' ')));
    } else if (axe::tree const* t = std::get_if<axe::tree>(&a.held)) {
      out.shapes.emplace_back(*t);
    } else if (integer const* n = std::get_if<integer>(&a.held)) {
      out.shapes.push_back(axe::shape(*n));
    } else if (axe::region const* region = std::get_if<axe::region>(&a.held)) {
      out.region = *region;
    } else if (calculator::pair const* range = std::get_if<calculator::pair>(&a.held)) {
      out.region = axe::region{axe::range{range->left.nodes[0].value, range->right.nodes[0].value}};
    }
  }
  return true;
}

std::vector<integer> extents_of(axe::layout const& l, axe::shape const& s) {
  return axe::drawing::make_subject(l, s).extents;
}

/// A row-major number from a coordinate and back.
integer number_of(std::vector<integer> const& at, std::vector<integer> const& extents) {
  integer x = 0;
  for (std::size_t d = 0; d < extents.size(); ++d) x = x * extents[d] + at[d];
  return x;
}

/// tile and direct_sum: the blocks of the result are elements of A.
std::vector<axe::drawn_operand> of_blocks(operands const& o, axe::shape& whole) {
  std::vector<integer> const a = extents_of(o.layouts[0], o.shapes[0]);
  std::vector<integer> const b = extents_of(o.layouts[1], o.shapes[1]);
  std::vector<integer> all;
  for (std::size_t d = 0; d < a.size(); ++d) {
    all.push_back(a[d] * b[d]);
    whole.append(axe::tree(all.back()));
  }
  auto const split = [=](integer x) { return axe::drawing::split_number(x, all, b); };
  return {{"A", o.layouts[0], o.shapes[0], [=](integer x) { return split(x).outer; }},
          {"B", o.layouts[1], o.shapes[1], [=](integer x) { return split(x).inner; }}};
}

std::vector<axe::drawn_operand> of_slice(operands const& o, axe::shape& part) {
  std::vector<integer> const extents = extents_of(o.layouts[0], o.shapes[0]);
  std::vector<integer> begin, taken;
  for (axe::range const& range : o.region.ranges) {
    begin.push_back(range.begin);
    taken.push_back(range.end - range.begin);
    part.append(axe::tree(taken.back()));
  }
  return {{"L", o.layouts[0], o.shapes[0], [=](integer x) {
             std::vector<integer> at(taken.size());
             for (std::size_t d = taken.size(); d-- > 0; x /= taken[d])
               at[d] = begin[d] + x % taken[d];
             return number_of(at, extents);
           }}};
}

std::vector<axe::drawn_operand> of_permute(operands const& o, axe::shape& turned) {
  std::vector<integer> const extents = extents_of(o.layouts[0], o.shapes[0]);
  std::vector<std::size_t> order;
  std::vector<integer> own;
  for (int d = 0; d < o.shapes[1].rank(); ++d) {
    order.push_back(static_cast<std::size_t>(o.shapes[1][d].nodes[0].value));
    own.push_back(extents.at(order.back()));
    turned.append(axe::tree(own.back()));
  }
  return {{"L", o.layouts[0], o.shapes[0], [=](integer x) {
             std::vector<integer> at(own.size());
             for (std::size_t d = own.size(); d-- > 0; x /= own[d]) at[order[d]] = x % own[d];
             return number_of(at, extents);
           }}};
}

/// compose(A, B): element x of the result is element B(x) of A.
std::vector<axe::drawn_operand> of_compose(operands const& o) {
  axe::layout const a = o.layouts[0], b = o.layouts[1];
  return {{"A", a, axe::shape(axe::size(a)),
           [=](integer x) {
             axe::place const at = axe::places(b, x).first();
             return at.terms.empty() ? 0 : at.terms[0].n;
           }},
          {"B", b, axe::shape(axe::size(b)), [](integer x) { return x; }}};
}

bool find_operands(request& r, call_text const& call, operands const& o,
                   std::vector<axe::drawn_operand>& out, axe::shape& s) {
  std::size_t const layouts = o.layouts.size(), shapes = o.shapes.size();
  if ((call.name == "tile" || call.name == "direct_sum") && layouts == 2 && shapes == 2)
    out = of_blocks(o, s);
  else if (call.name == "slice" && layouts == 1 && shapes == 1 && !o.region.ranges.empty())
    out = of_slice(o, s);
  else if (call.name == "permute" && layouts == 1 && shapes == 2)
    out = of_permute(o, s);
  else if (call.name == "compose" && layouts == 2 && shapes == 0)
    out = of_compose(o);
  else
    return r.fail(
        "--operation draws slice and permute, and tile, direct_sum and compose of two layouts, not "
        "'" +
        *call.whole + "'");
  return true;
}

}  // namespace

int draw_operation(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("draw", given, {{"--operation"}, {"-o", true}, {"--name", true}});
  if (!r.read_layouts({"OPERATION"}, "OPERATION")) return r.report(err);
  axe::layout const& result = r.layouts.front();
  std::string const text = r.given.rest.front();
  call_text const call(text);
  operands found;
  std::vector<axe::drawn_operand> drawn;
  axe::shape s;
  if (!read_operands(r, call, found) || !find_operands(r, call, found, drawn, s))
    return r.report(err);
  if (call.name == "compose") s = axe::shape(axe::size(result));
  if (!r.read_shape("--shape", s)) return r.report(err);
  axe::outcome<axe::element_range> const admitted = axe::try_elements(result, s);
  if (!admitted) return r.refuse(admitted.why, {&result, nullptr, &s}), r.report(err);
  axe::draw_options options;
  options.name = r.given.last("--name").value_or("");
  return draw::write_svg(r.given.last("-o").value_or("layout.svg"),
                         axe::draw_operation(text, drawn, result, s, options), out, err);
}

}  // namespace program
