// axe plan mma plans the product of two tiles: the instruction and its operands.
#include "plan/plan.hpp"

#include "eval/json.hpp"
#include "plan/elements.hpp"
#include "text/shortened.hpp"

#include <axe/plan/plan_mma.hpp>
#include <axe/plan/print/print_mma.hpp>

namespace program {

namespace {

std::string name_of_instruction(axe::mma_instruction const& i) { return text::printed(i); }

struct mma_question {
  axe::mma_types types;
  axe::mma_tile a, b, c;
  axe::mma_choice forced = axe::mma_choice::any;
};

/// Reads --shape M,N,K. The tiles are (M,K), (K,N) and (M,N). If a pair of CTAs multiplies, A and B
/// are the tiles of one CTA.
bool read_sizes(plan_request& r, mma_question& q) {
  axe::shape sizes;
  if (!r.given.has("--shape")) return r.fail(text::missing("--shape", "M,N,K", "128,256,64"));
  if (!r.read_shape("--shape", sizes)) return false;
  axe::integer n[3]{};
  for (int d = 0; d < 3; ++d) {
    if (sizes.rank() != 3 || !sizes[d].is_integer())
      return r.fail("--shape needs three numbers M,N,K, as in --shape 128,256,64");
    n[d] = sizes[d].nodes.value(0);
  }
  q.c = {r.layouts[2], {n[0], n[1]}, q.c.space};
  axe::integer const ctas = axe::is_shared_by_a_pair(q.c) && n[0] % 2 == 0 && n[1] % 2 == 0 ? 2 : 1;
  q.a = {r.layouts[0], {n[0] / ctas, n[2]}, q.a.space};
  q.b = {r.layouts[1], {n[2], n[1] / ctas}, q.b.space};
  return true;
}

bool read_mma(plan_request& r, mma_question& q) {
  if (!r.read_layouts({"A", "B", "C"}, "A B C") || !r.read_target() ||
      !r.read_type("--type", axe::element_type::bf16, q.types.a) ||
      !r.read_type("--b-type", q.types.a, q.types.b) ||
      !r.read_type("--sum", axe::element_type::f32, q.types.sum) ||
      !r.read_space("--a", axe::memory_space::registers, q.a.space) ||
      !r.read_space("--b", axe::memory_space::registers, q.b.space) ||
      !r.read_space("--c", axe::memory_space::registers, q.c.space))
    return false;
  if (std::optional<std::string> const name = r.given.last("--force")) {
    if (*name == "mma.sync")
      q.forced = axe::mma_choice::mma_sync;
    else if (*name == "wgmma")
      q.forced = axe::mma_choice::wgmma;
    else if (*name == "tcgen05")
      q.forced = axe::mma_choice::tcgen05;
    else
      return r.fail("--force is mma.sync, wgmma or tcgen05, not '" + text::shortened(*name) + "'");
  }
  return read_sizes(r, q);
}

void write_shared(text::json& out, char const* name, axe::memory_space space,
                  axe::shared_operand_plan const& s) {
  out.key(name);
  if (space != axe::memory_space::shared) {
    out.null();
    return;
  }
  out.object()
      .key("swizzle_bytes")
      .number(s.mode == axe::swizzle_mode::none ? 0 : static_cast<axe::integer>(s.mode));
  out.key("k_major")
      .boolean(s.major == axe::operand_major::k)
      .key("leading")
      .number(s.leading)
      .key("stride");
  out.number(s.stride).key("alignment").number(s.alignment).key("starts");
  calculator::write(out, s.starts);
  out.end();
}

std::string json_of(axe::mma_plan const& plan, axe::operands const& about) {
  text::json out;
  out.object()
      .key("plan")
      .string("mma")
      .key("instruction")
      .string(name_of_instruction(plan.instruction));
  out.key("a_type").string(name_of(plan.types.a)).key("b_type").string(name_of(plan.types.b));
  out.key("sum").string(name_of(plan.types.sum));
  out.key("m_steps")
      .number(plan.m_steps)
      .key("n_steps")
      .number(plan.n_steps)
      .key("k_steps")
      .number(plan.k_steps);
  out.key("a_space").string(name_of(plan.a_space)).key("b_space").string(name_of(plan.b_space));
  out.key("a");
  calculator::write(out, plan.a);
  out.key("b");
  calculator::write(out, plan.b);
  out.key("c");
  calculator::write(out, plan.c);
  write_shared(out, "a_shared", plan.a_space, plan.a_shared);
  write_shared(out, "b_shared", plan.b_space, plan.b_shared);
  write_candidates(out, plan.candidates, about, name_of_instruction);
  out.end();
  return out.str() + '\n';
}

}  // namespace

int plan_of_mma(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  plan_request r("plan mma", given,
                 {{"--arch", true},
                  {"--force", true},
                  {"--a", true},
                  {"--b", true},
                  {"--c", true},
                  {"--b-type", true},
                  {"--sum", true}});
  mma_question q;
  if (!read_mma(r, q)) return r.report(err);
  axe::outcome<axe::mma_plan> const plan =
      axe::try_plan_mma(q.types, q.a, q.b, q.c, r.target, q.forced);
  axe::operands const about = operands_of(q.a, q.b, q.c);
  if (plan && r.explains()) r.checked = elements_of(*plan, q.a, q.b, q.c);
  return r.answer(out, err, plan, about, json_of);
}

}  // namespace program
