// axe plan reduce: plans how threads reduce dimensions of a fragment, and the layout of the result.
#include "plan/elements.hpp"
#include "plan/plan.hpp"

#include "eval/json.hpp"
#include "text/shortened.hpp"

#include <axe/plan/plan_reduce.hpp>
#include <axe/plan/print/print_reduce.hpp>

#include <limits>
#include <optional>
#include <ostream>

namespace program {

namespace {

using dimensions = axe::list<int, axe::capacity::shards>;

bool read_over(plan_request& r, dimensions& over) {
  if (!r.given.has("--over"))
    return r.fail(text::missing("--over", "the dimensions to reduce", "1 or --over 0,1"));
  axe::shape given;
  if (!r.read_shape("--over", given)) return false;
  if (given.rank() == 0) return r.fail("--over is empty: it needs a dimension, as in --over 1");
  for (int k = 0; k < given.rank(); ++k) {
    axe::tree const d = given[k];
    axe::integer const n = d.nodes.value(0);
    if (!d.is_integer() || n < 0 || n > std::numeric_limits<int>::max() ||
        !over.push(static_cast<int>(n)))
      return r.fail("--over is a list of dimensions, counted from 0, as 1 or 0,1, not '" +
                    text::shortened(*r.given.last("--over")) + "'");
  }
  return true;
}

/// Reads --fold, --type and --arch.
bool read_fold(plan_request& r, axe::fold_options& fold) {
  if (!r.read_target() || !r.read_type("--type", fold.type, fold.type)) return false;
  fold.target = r.target;
  if (std::optional<std::string> const name = r.given.last("--fold"))
    if (!find<axe::fold_operation, 4>(*name, fold.operation))
      return r.fail("--fold: no operation is called '" + text::shortened(*name) +
                    "'; the names are " + names_of<axe::fold_operation, 4>());
  return true;
}

std::string json_of(axe::reduce_plan const& plan, axe::operands const&) {
  text::json out;
  out.object()
      .key("plan")
      .string("reduce")
      .key("registers")
      .number(plan.registers)
      .key("results")
      .number(plan.results);
  out.key("lanes").array();
  for (axe::lane_round const& round : plan.lanes)
    out.object()
        .key("divisor")
        .number(round.divisor)
        .key("extent")
        .number(round.extent)
        .key("butterfly")
        .boolean(round.butterfly)
        .end();
  out.end().key("by").string(name_of(plan.by)).key("shuffles").number(plan.shuffles());
  out.key("shared_elements").number(plan.partials);
  out.key("shared_reads").number(plan.reads()).key("shared_folds").number(plan.shared_folds);
  out.key("result");
  calculator::write(out, plan.result);
  write_candidates(out, plan.candidates, {}, [](axe::lane_fold way) { return name_of(way); });
  out.end();
  return out.str() + '\n';
}

}  // namespace

int plan_of_reduce(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  plan_request r("plan reduce", given, {{"--arch", true}, {"--over", true}, {"--fold", true}});
  dimensions over;
  axe::fold_options fold;
  if (!r.read_layouts({"LAYOUT"}, "LAYOUT")) return r.report(err);
  axe::shape tile = r.own_shape(0);
  if (!r.read_shape("--shape", tile) || !read_over(r, over) || !read_fold(r, fold))
    return r.report(err);
  axe::outcome<axe::reduce_plan> const plan = axe::try_plan_reduce(r.layouts[0], tile, over, fold);
  if (plan && r.explains()) r.checked = elements_of(*plan, r.layouts[0], tile, over);
  return r.answer(out, err, plan, {&r.layouts[0], nullptr, &tile}, json_of);
}

}  // namespace program
