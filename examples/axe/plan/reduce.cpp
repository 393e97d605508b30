// axe plan reduce: how the threads that hold a fragment fold some of its dimensions, and who holds the result.
#include "plan/plan.hpp"

#include "eval/json.hpp"

#include <axe/plan/print/reduce.hpp>
#include <axe/plan/reduce.hpp>

#include <ostream>

namespace program {

namespace {

using dimensions = axe::list<int, axe::capacity::shards>;

bool read_over(plan_request& r, dimensions& over) {
  if (!r.given.has("--over")) return r.fail("which dimensions are folded? --over 1, or 0,1");
  std::string const text = *r.given.last("--over");
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t const end = std::min(text.find(',', at), text.size());
    std::string const word = text.substr(at, end - at);
    if (word.size() != 1 || word[0] < '0' || word[0] > '9' || !over.push(word[0] - '0'))
      return r.fail("--over is a list of dimensions, counted from 0, as 1 or 0,1, not '" + text + "'");
    at = end + 1;
  }
  return true;
}

std::string for_programs(axe::reduce_plan const& plan) {
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
  out.end().key("shuffles").number(plan.shuffles()).key("shared_elements").number(plan.partials);
  out.key("shared_reads").number(plan.reads()).key("ctas").number(plan.ctas).key("result");
  calculator::write(out, plan.result);
  out.end();
  return out.str() + '\n';
}

}  // namespace

int plan_of_reduce(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  plan_request r("plan reduce", given, {{"--over", true}});
  dimensions over;
  if (!r.read_layouts({"LAYOUT"}, "LAYOUT")) return r.report(err);
  axe::shape tile = own_shape(r.layouts[0]);
  if (!r.read_shape("--shape", tile) || !read_over(r, over)) return r.report(err);
  axe::outcome<axe::reduce_plan> const plan = axe::try_plan_reduce(r.layouts[0], tile, over);
  if (!plan) return r.refuse(plan.why, {&r.layouts[0], nullptr, &tile}), r.report(err);
  out << (r.json() ? for_programs(*plan) : text::printed(*plan));
  return answered;
}

}  // namespace program
