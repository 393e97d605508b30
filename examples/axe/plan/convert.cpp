// axe plan convert: plans how registers move from one layout to another.
#include "plan/plan.hpp"

#include "eval/conversion_steps.hpp"
#include "eval/json.hpp"

#include <axe/convert/plan_convert.hpp>
#include <axe/convert/print_conversion.hpp>
#include <axe/draw/conversion_picture.hpp>

namespace program {

namespace {

std::string json_of(axe::conversion_plan const& plan, axe::operands const&) {
  text::json out;
  out.object().key("plan").string("convert").key("kind").string(name_of(plan.kind));
  out.key("bits")
      .number(plan.width)
      .key("registers")
      .number(plan.source_words)
      .key("results")
      .number(plan.target_words);
  out.key("shuffles").number(plan.shuffles()).key("fewest_shuffles").number(plan.shuffle_bound);
  out.key("selects").number(plan.selects()).key("byte_permutes").number(plan.permutes());
  out.key("selectors").number(plan.selectors());
  calculator::write_steps(out, plan);
  out.key("shared");
  if (plan.kind == axe::conversion_kind::warps) {
    out.object().key("layout");
    calculator::write(out, plan.shared.place);
    out.key("bytes").number(plan.shared.bytes);
    out.key("store_bits")
        .number(plan.shared.store_bits)
        .key("store_conflicts")
        .number(plan.shared.store_conflict);
    out.key("load_bits")
        .number(plan.shared.load_bits)
        .key("load_conflicts")
        .number(plan.shared.load_conflict);
    out.end();
  } else {
    out.null();
  }
  out.end();
  return out.str() + '\n';
}

}  // namespace

int plan_of_convert(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  plan_request r("plan convert", given, {{"-o", true}});
  axe::element_type type{};
  if (!r.read_layouts({"FROM", "TO"}, "FROM TO") ||
      !r.read_type("--type", axe::element_type::bf16, type))
    return r.report(err);
  axe::outcome<axe::conversion_plan> const plan =
      axe::try_plan_convert(r.layouts[0], r.layouts[1], bits_of(type), axe::step_limit{r.steps()});
  if (plan && r.given.has("-o"))
    return r.write_picture(axe::draw_conversion(r.layouts[0], r.layouts[1], *plan), out, err);
  if (plan && r.explains()) r.checked = explain::of_conversion(r.layouts[0], r.layouts[1], *plan);
  return r.answer(out, err, plan, {&r.layouts[0], &r.layouts[1]}, json_of);
}

}  // namespace program
