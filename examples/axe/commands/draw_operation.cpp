// Draws the outermost call of an expression. Elements of the result have the colour of the elements
// of the operands that they come from (explain/).
#include "commands/draw_operation.hpp"

#include "commands/request.hpp"
#include "draw/command.hpp"
#include "explain/correspondence.hpp"
#include "text/shortened.hpp"

#include <axe/draw/operation_picture.hpp>

namespace program {

namespace {

/// Evaluates a text and collects its calls. The outermost call is the last one.
bool read_calls(request& r, std::string const& text,
                std::vector<calculator::recorded_call>& calls) {
  calculator::session session(r.steps());
  declare_axes(session, r.given);  // succeeds, because r.read_words has declared the same axes
  calculator::answer const a = session.evaluate(text, &calls);
  r.note_inner_layouts("OPERATION", a);
  return a.how == calculator::outcome_of_line::answered || r.fail("OPERATION: " + a.words);
}

/// True if the text begins with the name of the call and ends with ')'. `size(A):size(B)` passes,
/// although the call is only a part of it.
bool is_call(std::string const& text, calculator::recorded_call const& call) {
  std::size_t const first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
  return text.compare(first, std::string(call.called->name).size(), call.called->name) == 0 &&
         text[last] == ')';
}

}  // namespace

int draw_operation(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  request r("draw --operation", given, {{"--operation"}, {"-o", true}, {"--name", true}});
  std::vector<std::string> words;
  std::vector<calculator::recorded_call> calls;
  if (!r.read_words({"OPERATION"}, "OPERATION", words) || !read_calls(r, words.front(), calls))
    return r.report(err);
  std::string const& text = words.front();
  if (calls.empty() || !is_call(text, calls.back())) {
    r.fail("--operation draws a call, as in 'tile(A, (2), B, (4))', not '" + text::shortened(text) +
           "'");
    return r.report(err);
  }
  std::vector<explain::correspondence> const found = explain::correspondences_of(calls.back());
  std::vector<axe::drawn_operand> operands;
  std::vector<axe::drawn_result> results;
  for (explain::correspondence const& c : found) {
    if (c.operands.empty() || !c.result) continue;
    axe::drawn_result result{found.size() == 1 ? text : text + ", " + c.called,
                             *c.result,
                             explain::shape_of(c.shape),
                             {}};
    if (c.called == "T") result.name = "T";
    for (explain::operand const& o : c.operands) {
      result.element_of.push_back(o.element_of);
      if (results.empty())
        operands.push_back({o.name, o.of, explain::shape_of(o.shape), o.element_of});
    }
    results.push_back(result);
  }
  if (results.empty()) {
    r.fail("--operation draws operations whose result has the elements of its operands, not " +
           std::string(calls.back().called->name));
    return r.report(err);
  }
  if (axe::shape own; r.given.has("--shape")) {
    if (!r.read_shape("--shape", own)) return r.report(err);
    axe::outcome<axe::element_range> const admitted = axe::try_elements(results.front().of, own);
    if (!admitted)
      return r.refuse(admitted.why, {&results.front().of, nullptr, &own}), r.report(err);
    results.front().seen_as = own;
  }
  r.write_notes(err);
  axe::draw_options options;
  options.name = r.given.last("--name").value_or("");
  axe::drawing::picture p = axe::drawing::operation_picture(text, operands, results);
  if (found.back().more)
    p.views.back().notes.push_back("drawn: the first " + std::to_string(explain::most_pieces) +
                                   " pieces");
  return draw::write_svg(r.given.last("-o").value_or("layout.svg"),
                         axe::drawing::svg_picture(p, options), out, err);
}

}  // namespace program
