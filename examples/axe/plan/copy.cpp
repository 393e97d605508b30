// axe plan copy: which instruction moves a tile, and what each thread addresses.
#include "plan/plan.hpp"

#include "eval/json.hpp"

#include <axe/plan/copy.hpp>
#include <axe/plan/print/copy.hpp>

namespace program {

namespace {

bool read_copy(plan_request& r, axe::copy_request& c) {
  axe::element_type type{};
  if (!r.read_layouts({"FROM", "TO"}, "FROM TO") || !r.read_target() ||
      !r.read_type("--type", axe::element_type::bf16, type))
    return false;
  if (!r.given.has("--from") || !r.given.has("--to"))
    return r.fail("where do both sides lie? --from and --to: global, shared or registers");
  c.from = r.layouts[0];
  c.to = r.layouts[1];
  c.tile = own_shape(c.to);
  c.bits = bits_of(type);
  c.scope = r.threads;
  c.target = r.target;
  c.options.asynchronous = r.given.has("--async");
  if (!r.read_space("--from", c.from_space, c.from_space) || !r.read_space("--to", c.to_space, c.to_space) ||
      !r.read_shape("--shape", c.tile) || !r.read_number("--alignment", 16, c.options.from_alignment))
    return false;
  c.options.to_alignment = c.options.from_alignment;
  if (std::optional<std::string> const name = r.given.last("--force"))
    if (!axe::try_copy_instruction(name->c_str(), c.options.force))
      return r.fail("--force: no instruction of copies is called '" + *name + "': " +
                    names_of<axe::copy_instruction, static_cast<int>(axe::copy_instruction::count)>());
  if (std::optional<std::string> const text = r.given.last("--partition")) {
    c.options.partitioned = true;
    if (!r.read_layout("--partition", *text, c.options.partition)) return false;
  }
  axe::shape edges;
  if (!r.given.has("--edges")) return true;
  if (!r.read_shape("--edges", edges)) return false;
  for (int d = 0; d < edges.rank(); ++d) {
    axe::tree const one = edges[d];
    if (!one.is_integer() || !c.options.edges.push(one.nodes[0].value))
      return r.fail("--edges needs one number for each dimension of the tile, as 1,1");
  }
  return true;
}

void write_traffic(text::json& out, axe::copy_plan const& plan, axe::copy_end end) {
  axe::memory_space const space = end == axe::copy_end::from ? plan.from_space : plan.to_space;
  if (space == axe::memory_space::shared) {
    axe::outcome<axe::shared_traffic> const t = axe::try_copy_wavefronts(plan, end);
    if (t) {
      out.object().key("conflicts").number(t->conflicts).key("wavefronts").number(t->wavefronts);
      out.key("least").number(t->phases).end();
      return;
    }
  } else if (space == axe::memory_space::global) {
    axe::outcome<axe::global_traffic> const t = axe::try_copy_sectors(plan, end);
    if (t) {
      out.object().key("sectors").number(t->sectors).key("least").number(t->least_sectors).end();
      return;
    }
  }
  out.null();
}

std::string for_programs(axe::copy_plan const& plan, axe::operands const& about) {
  text::json out;
  out.object().key("plan").string("copy").key("instruction").string(name_of(plan.instruction));
  out.key("from").string(name_of(plan.from_space)).key("to").string(name_of(plan.to_space));
  out.key("arch")
      .string(name_of(plan.target))
      .key("bits")
      .number(plan.bits)
      .key("elements")
      .number(plan.tile);
  out.key("threads").number(plan.threads).key("scope").number(plan.scope).key("accesses").number(plan.issues);
  out.key("values").number(plan.values).key("bytes").number(plan.bytes);
  out.key("predicated").boolean(plan.predicated()).key("asynchronous").boolean(plan.asynchronous());
  out.key("modes").array();
  for (axe::copy_mode const& m : plan.modes) {
    out.object()
        .key("dimension")
        .number(m.dimension)
        .key("step")
        .number(m.step)
        .key("extent")
        .number(m.extent);
    out.key("values").number(m.values).key("threads").number(m.threads).key("accesses").number(m.issues);
    out.key("thread_stride").number(m.thread_stride).key("access_stride").number(m.issue_stride).end();
  }
  out.end().key("from_layout");
  calculator::write(out, plan.from);
  out.key("to_layout");
  calculator::write(out, plan.to);
  out.key("addresses");
  calculator::write(out, plan.addresses);
  out.key("held");
  calculator::write(out, plan.partition);
  out.key("from_traffic");
  write_traffic(out, plan, axe::copy_end::from);
  out.key("to_traffic");
  write_traffic(out, plan, axe::copy_end::to);
  write_candidates(out, plan.candidates, about, [](axe::copy_instruction i) { return name_of(i); });
  out.end();
  return out.str() + '\n';
}

}  // namespace

int plan_of_copy(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  plan_request r("plan copy", given,
                 {{"--from", true},
                  {"--to", true},
                  {"--async"},
                  {"--partition", true},
                  {"--alignment", true},
                  {"--edges", true}});
  axe::copy_request c;
  if (!read_copy(r, c)) return r.report(err);
  axe::outcome<axe::copy_plan> const plan = axe::try_plan_copy(c);
  axe::operands const about{&c.from, &c.to, &c.tile};
  return r.answer(out, err, plan, about, for_programs);
}

}  // namespace program
