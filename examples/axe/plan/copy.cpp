// axe plan copy: plans a copy of a tile: the instruction, and the addresses of each thread.
#include "plan/plan.hpp"

#include "eval/json.hpp"
#include "plan/elements.hpp"
#include "text/shortened.hpp"

#include <axe/algebra/window.hpp>
#include <axe/draw/copy_picture.hpp>
#include <axe/plan/plan_copy.hpp>
#include <axe/plan/print/print_copy.hpp>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <utility>

namespace program {

namespace {

/// Reads --alignment. If it is missing, a tile in shared memory begins at a multiple of 128 bytes
/// and of the period of its swizzle.
bool read_alignment(plan_request& r, axe::layout const& side, axe::memory_space space, int bits,
                    axe::integer& out) {
  if (!r.read_number("--alignment", 16, out)) return false;
  if (space == axe::memory_space::shared && !r.given.has("--alignment"))
    out = side.swizzle.none() ? 128 : std::max<axe::integer>(128, side.swizzle.period() * bits / 8);
  return true;
}

bool read_outside(plan_request& r, axe::copy_outside& out) {
  std::optional<std::string> const name = r.given.last("--outside");
  if (!name) return true;
  out = *name == "zero" ? axe::copy_outside::zero : axe::copy_outside::skip;
  return *name == "zero" || *name == "skip" ||
         r.fail("--outside is skip or zero, not '" + text::shortened(*name) + "'");
}

struct copy_question {
  axe::copy_request copy;
  axe::tma_tensor tensor;  // the tensor of --tensor
};

/// The alignment of every tile of a tensor that is aligned to `bytes` bytes.
axe::integer alignment_of_tiles(axe::window_family const& tiles, axe::shape const& tile, int bits,
                                axe::integer bytes) {
  axe::integer aligned = 8 * bytes;  // bits
  axe::integer end = axe::detail::product_of_extents(tiles.digits);
  for (int d = 0; d < tiles.pitches.size(); ++d) {
    axe::integer const elements = tile[d].nodes.value(0) * tiles.pitches[d];  // to the next tile
    axe::integer below = axe::detail::product_of_extents(tiles.digits);
    for (axe::iter const& i : tiles.digits) {
      below /= i.extent;
      if (elements < end && below < end && below * i.extent > elements)
        aligned = std::gcd(aligned, std::max<axe::integer>(1, elements / below) * i.stride * bits);
    }
    end = tiles.pitches[d];
  }
  return aligned / 8;
}

/// Reads --tensor: the side in global memory is a tensor of that shape, whose last tiles may be
/// partial. The plan is right for every tile.
bool read_tensor(plan_request& r, copy_question& q) {
  axe::copy_request& c = q.copy;
  if (!r.given.has("--tensor")) return true;
  axe::shape extents;
  if (!r.read_shape("--tensor", extents)) return false;
  if (c.from_space != axe::memory_space::global && c.to_space != axe::memory_space::global)
    return r.fail("--tensor needs a side in global memory: --from global or --to global");
  axe::layout& side = c.from_space == axe::memory_space::global ? c.from : c.to;
  axe::outcome<axe::tma_tensor> const tensor = axe::try_tma_tensor_of(side, extents);
  if (!tensor) return r.refuse(tensor.why, {&side, nullptr, &extents});
  if (extents.rank() != c.tile.rank())
    return r.fail("--shape is a tile of the tensor and needs as many dimensions as --tensor");
  for (int d = 0; d < extents.rank(); ++d) {
    if (!extents[d].is_integer() || !c.tile[d].is_integer())
      return r.fail(
          "--tensor and --shape need one number for each dimension, without inner parentheses");
    axe::integer const whole = extents[d].nodes.value(0), taken = c.tile[d].nodes.value(0);
    if (taken < 1 || taken > whole)
      return r.fail("--shape is " + std::to_string(taken) + " along dimension " +
                    std::to_string(d) + ", but with --tensor it must be from 1 to " +
                    std::to_string(whole));
    if (!r.given.has("--edges"))
      c.options.edges.push(whole % taken == 0 ? 0 : std::gcd(whole, taken));
  }
  axe::outcome<axe::window_family> const tiles = axe::try_window(side, extents, c.tile);
  if (!tiles) return r.refuse(tiles.why, {&side, nullptr, &extents, &c.tile});
  axe::integer& alignment = &side == &c.from ? c.options.from_alignment : c.options.to_alignment;
  alignment = alignment_of_tiles(*tiles, c.tile, c.bits, alignment);
  q.tensor = *tensor;
  side = tiles->part;
  c.options.mapped = true;
  return true;
}

/// Reads FROM, TO, their memories and the tile.
bool read_sides(plan_request& r, axe::copy_request& c) {
  if (!r.given.has("--from"))
    return r.fail(text::missing("--from", "the memory of FROM", "global"));
  if (!r.given.has("--to")) return r.fail(text::missing("--to", "the memory of TO", "shared"));
  c.from = r.layouts[0];
  c.to = r.layouts[1];
  c.tile = r.own_shape(1);
  return r.read_space("--from", c.from_space, c.from_space) &&
         r.read_space("--to", c.to_space, c.to_space) && r.read_shape("--shape", c.tile) &&
         read_alignment(r, c.from, c.from_space, c.bits, c.options.from_alignment) &&
         read_alignment(r, c.to, c.to_space, c.bits, c.options.to_alignment);
}

bool read_names(plan_request& r, axe::copy_options& options) {
  if (std::optional<std::string> const name = r.given.last("--cache"))
    if (!find<axe::cache_hint, 5>(*name, options.cache))
      return r.fail("--cache: no cache hint is called '" + text::shortened(*name) +
                    "'; the names are " + names_of<axe::cache_hint, 5>());
  constexpr int instructions = static_cast<int>(axe::copy_instruction::count);
  if (std::optional<std::string> const name = r.given.last("--force"))
    if (!find<axe::copy_instruction, instructions>(*name, options.force))
      return r.fail("--force: no copy instruction is called '" + text::shortened(*name) +
                    "'; the names are " + names_of<axe::copy_instruction, instructions>());
  return true;
}

bool read_partition(plan_request& r, axe::copy_options& options) {
  std::optional<std::string> const text = r.given.last("--partition");
  options.partitioned = text.has_value();
  return !text || r.read_layout("--partition", *text, options.partition);
}

bool read_edges(plan_request& r, axe::copy_options& options) {
  axe::shape edges;
  if (!r.given.has("--edges")) return true;
  if (!r.read_shape("--edges", edges)) return false;
  for (int d = 0; d < edges.rank(); ++d) {
    axe::tree const one = edges[d];
    if (!one.is_integer() || !options.edges.push(one.nodes.value(0)))
      return r.fail("--edges needs one number for each dimension of the tile, as 1,1");
  }
  return true;
}

bool read_copy(plan_request& r, copy_question& q) {
  axe::copy_request& c = q.copy;
  axe::element_type type{};
  if (!r.read_layouts({"FROM", "TO"}, "FROM TO") || !r.read_target() ||
      !r.read_type("--type", axe::element_type::bf16, type) ||
      !read_reduction(r, c.options.tensor.reduction))
    return false;
  c.options.type = type;
  c.bits = bits_of(type);
  c.scope = r.threads;
  c.target = r.target;
  c.options.asynchronous = r.given.has("--async");
  return read_sides(r, c) && read_outside(r, c.options.outside) && read_names(r, c.options) &&
         read_partition(r, c.options) && read_edges(r, c.options) && read_tensor(r, q);
}

void write_traffic(text::json& out, axe::copy_plan const& plan, axe::copy_side which) {
  axe::memory_space const space = which == axe::copy_side::from ? plan.from_space : plan.to_space;
  if (space == axe::memory_space::shared) {
    axe::outcome<axe::shared_traffic> const t = axe::try_copy_wavefronts(plan, which);
    if (t) {
      out.object().key("conflicts").number(t->conflicts).key("wavefronts").number(t->wavefronts);
      out.key("least").number(t->phases).end();
      return;
    }
  } else if (space == axe::memory_space::global) {
    axe::outcome<axe::global_traffic> const t = axe::try_copy_sectors(plan, which);
    if (t) {
      out.object().key("sectors").number(t->sectors).key("least").number(t->least_sectors).end();
      return;
    }
  }
  out.null();
}

void write_numbers(text::json& out,
                   std::initializer_list<std::pair<char const*, axe::integer>> list) {
  for (auto const& [key, number] : list) out.key(key).number(number);
}

void write_mode(text::json& out, axe::copy_mode const& m) {
  out.object();
  write_numbers(out, {{"dimension", m.dimension},
                      {"step", m.step},
                      {"extent", m.extent},
                      {"values", m.values},
                      {"threads", m.threads},
                      {"accesses", m.issues},
                      {"thread_stride", m.thread_stride},
                      {"access_stride", m.issue_stride}});
  out.end();
}

void write_instruction(text::json& out, axe::copy_plan const& plan) {
  out.key("instruction").string(name_of(plan.instruction));
  out.key("from").string(name_of(plan.from_space)).key("to").string(name_of(plan.to_space));
  out.key("arch").string(name_of(plan.target));
  write_numbers(out, {{"bits", plan.bits},
                      {"elements", plan.tile},
                      {"threads", plan.threads},
                      {"scope", plan.scope},
                      {"accesses", plan.issues},
                      {"values", plan.values},
                      {"bytes", plan.bytes}});
  out.key("predicated").boolean(plan.predicated()).key("asynchronous").boolean(plan.asynchronous());
  out.key("cache").string(name_of(plan.cache)).key("one_by_one").boolean(plan.one_by_one());
}

void write_layouts(text::json& out, axe::copy_plan const& plan) {
  out.key("from_layout");
  calculator::write(out, plan.from);
  out.key("to_layout");
  calculator::write(out, plan.to);
  out.key("access_partition");
  calculator::write(out, plan.access_partition);
  out.key("partition");
  calculator::write(out, plan.partition);
}

std::string json_of(axe::copy_plan const& plan, axe::operands const& about) {
  text::json out;
  out.object().key("plan").string("copy");
  write_instruction(out, plan);
  out.key("modes").array();
  for (axe::copy_mode const& m : plan.modes) write_mode(out, m);
  out.end();
  write_layouts(out, plan);
  out.key("from_traffic");
  write_traffic(out, plan, axe::copy_side::from);
  out.key("to_traffic");
  write_traffic(out, plan, axe::copy_side::to);
  out.key("tensor");
  if (plan.instruction == axe::copy_instruction::tma) {
    out.object();
    write_tensor_copy(out, plan.tensor, about);
    out.end();
  } else {
    out.null();
  }
  write_candidates(out, plan.candidates, about, [](axe::copy_instruction i) { return name_of(i); });
  out.end();
  return out.str() + '\n';
}

}  // namespace

int plan_of_copy(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  plan_request r("plan copy", given,
                 {{"--arch", true},
                  {"--force", true},
                  {"--from", true},
                  {"--to", true},
                  {"--scope", true},
                  {"--async"},
                  {"--partition", true},
                  {"--alignment", true},
                  {"--edges", true},
                  {"--outside", true},
                  {"--tensor", true},
                  {"--cache", true},
                  {"--reduction", true},
                  {"-o", true}});
  copy_question q;
  if (!read_copy(r, q)) return r.report(err);
  axe::copy_request const& c = q.copy;
  axe::outcome<axe::copy_plan> const plan = axe::try_plan_copy(c, q.tensor);
  axe::operands const about = operands_of(c);
  if (plan && r.given.has("-o")) return r.write_picture(axe::draw_copy(*plan, c.tile), out, err);
  if (plan && r.explains()) r.checked = elements_of(*plan, c.from, c.to);
  return r.answer(out, err, plan, about, json_of);
}

}  // namespace program
