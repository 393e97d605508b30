// axe plan tma: plans the tensor map and the boxes that copy a tile between global and shared
// memory.
#include "explain/points.hpp"
#include "plan/elements.hpp"
#include "plan/plan.hpp"
#include "text/shortened.hpp"

#include <axe/draw/box_view.hpp>
#include <axe/plan/plan_tma.hpp>
#include <axe/plan/print/print_tma.hpp>

namespace program {

namespace {

struct tma_question {
  axe::tma_kind kind = axe::tma_kind::load;
  axe::element_type type = axe::element_type::bf16;
  axe::shape tensor, tile;
  axe::tma_options options;
};

bool read_tma(plan_request& r, tma_question& q) {
  if (!r.read_layouts({"GLOBAL", "SHARED"}, "GLOBAL SHARED") || !r.read_target() ||
      !r.read_type("--type", axe::element_type::bf16, q.type))
    return false;
  q.tensor = r.own_shape(0);
  q.tile = r.own_shape(1);
  q.options.target = r.target;
  if (!r.read_shape("--tensor", q.tensor) || !r.read_shape("--shape", q.tile)) return false;
  if (r.given.has("--force"))
    return r.fail(
        "--force is not for plan tma, which has one instruction; --do chooses the direction");
  if (std::optional<std::string> const name = r.given.last("--do"))
    if (!find<axe::tma_kind, 4>(*name, q.kind))
      return r.fail("--do is one of " + names_of<axe::tma_kind, 4>() + ", not '" +
                    text::shortened(*name) + "'");
  if (!read_reduction(r, q.options.reduction)) return false;
  bool const reduces = q.kind == axe::tma_kind::reduce;
  return reduces != (q.options.reduction == axe::tma_reduction::none) ||
         r.fail(reduces ? "--do reduce needs --reduction, as in --reduction add"
                        : "--reduction needs --do reduce");
}

/// Writes a number of the tensor map, or null if it is dynamic.
void write_number(text::json& out, axe::tma_number const& n) {
  if (n.known())
    out.number(n.value());
  else
    out.null();
}

std::string json_of(axe::tma_plan const& plan, axe::operands const& about) {
  text::json out;
  out.object().key("plan").string("tma");
  write_tensor_copy(out, plan, about);
  out.end();
  return out.str() + '\n';
}

}  // namespace

bool read_reduction(plan_request& r, axe::tma_reduction& out) {
  std::optional<std::string> const name = r.given.last("--reduction");
  return !name || find<axe::tma_reduction, 9>(*name, out) ||
         r.fail("--reduction is one of " + names_of<axe::tma_reduction, 9>() + ", not '" +
                text::shortened(*name) + "'");
}

void write_tensor_copy(text::json& out, axe::tma_plan const& plan, axe::operands const& about) {
  out.key("do").string(name_of(plan.kind)).key("type").string(name_of(plan.type));
  out.key("unit").string(name_of(plan.unit)).key("rank").number(plan.dimensions.size());
  out.key("swizzle_bytes")
      .number(plan.swizzle == axe::swizzle_mode::none ? 0
                                                      : static_cast<axe::integer>(plan.swizzle));
  out.key("box_bytes")
      .number(plan.box_bytes)
      .key("boxes")
      .number(plan.issues)
      .key("alignment")
      .number(plan.alignment());
  out.key("global_offset").number(plan.global_offset);
  out.key("shared_offset").number(plan.shared_offset);
  out.key("dimensions").array();
  for (axe::tma_dimension const& d : plan.dimensions) {
    out.object().key("extent");
    write_number(out, d.extent);
    out.key("stride_bytes");
    write_number(out, d.stride);
    out.key("box").number(d.box).key("element_stride").number(d.element_stride).end();
  }
  out.end().key("loops").array();
  for (axe::tma_loop const& l : plan.loops)
    out.object()
        .key("boxes")
        .number(l.extent)
        .key("coordinate")
        .number(l.to)
        .key("step")
        .number(l.step)
        .key("shared_bytes")
        .number(l.shared_step)
        .end();
  out.end().key("moves").array();
  for (axe::tma_move const& m : plan.moves)
    out.object()
        .key("coordinate")
        .number(m.to)
        .key("tile")
        .number(m.dimension)
        .key("divisor")
        .number(m.divisor)
        .key("modulus")
        .number(m.modulus)
        .key("factor")
        .number(m.factor)
        .end();
  out.end().key("ctas").number(static_cast<axe::integer>(plan.ctas));
  write_candidates(out, plan.candidates, about, [](axe::tma_instruction i) { return name_of(i); });
}

int plan_of_tma(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  plan_request r("plan tma", given,
                 {{"--arch", true},
                  {"--tensor", true},
                  {"--do", true},
                  {"--force", true},
                  {"--reduction", true},
                  {"-o", true}});
  tma_question q;
  if (!read_tma(r, q)) return r.report(err);
  axe::outcome<axe::tma_tensor> const tensor = axe::try_tma_tensor_of(r.layouts[0], q.tensor);
  if (!tensor) return r.refused(out, err, tensor.why, {&r.layouts[0], nullptr, &q.tensor});
  axe::outcome<axe::tma_plan> const plan =
      axe::try_plan_tma(q.kind, q.type, *tensor, q.tile, r.layouts[1], q.options);
  axe::operands const about{&r.layouts[1], nullptr, &q.tile};
  if (plan && r.given.has("-o"))
    return r.write_picture(axe::draw_boxes(*plan, r.layouts[1], q.tile), out, err);
  if (plan && r.explains())
    r.checked =
        elements_of(*plan, r.layouts[1], [&](axe::integer x) -> std::optional<axe::integer> {
          explain::extents const whole = explain::extents_of(q.tensor);
          explain::extents const at = explain::coordinate_of(x, explain::extents_of(q.tile));
          for (std::size_t d = 0; d < at.size(); ++d)
            if (at[d] >= whole[d]) return {};
          return axe::places(r.layouts[0], explain::number_of(at, whole)).first()[axe::axis::m];
        });
  return r.answer(out, err, plan, about, json_of);
}

}  // namespace program
