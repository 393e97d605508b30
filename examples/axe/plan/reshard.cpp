// axe plan reshard: plans how a tensor on a mesh of devices moves to another sharding.
#include "commands/mesh.hpp"
#include "commands/sharding_text.hpp"
#include "explain/of_resharding.hpp"
#include "plan/plan.hpp"

#include <axe/distributed.hpp>
#include <axe/draw/resharding_picture.hpp>

#include <ostream>
#include <vector>

namespace program {

namespace {

bool read_levels(plan_request& r, axe::mesh const& devices, axe::reshard_options& options) {
  std::vector<axe::axis> axes;
  if (!read_axes_of(r, "--levels", devices, axes)) return false;
  for (axe::axis on : axes) {
    for (axe::axis before : options.levels)
      if (on == before) return r.fail("--levels names " + text::printed(on) + " twice");
    options.levels.push(on);  // a mesh has no more axes than the list
  }
  return true;
}

/// Reads SRC and DST, which may be in any notation of shardings.
bool read_shardings(plan_request& r, axe::mesh const& devices,
                    std::vector<std::string> const& words, axe::sharding& from, axe::sharding& to) {
  if (!r.given.has("--shape"))
    return r.fail(text::missing("--shape", "the padded shape of the tensor", "64,64"));
  sharding_reader reading{r, devices, {}, {}, {}};
  axe::shape summands{};
  if (!r.read_shape("--shape", reading.shape) || !r.read_shape("--summands", summands) ||
      !r.read_shape("--real", reading.real))
    return false;
  for (int i = 0; i < summands.nodes.count; ++i)
    if (summands.nodes.is_integer(i) && summands.nodes.value(i) < 1)
      return r.fail("--summands: a dimension of summands has extent " +
                    std::to_string(summands.nodes.value(i)) + ", but it must be at least 1");
  reading.summands = summands;
  if (!reading.read("SRC", words[0], from)) return false;
  std::string const form = reading.notation;
  if (form != "axe" && summands.rank() > 0)
    return r.fail("--summands: SRC is in " + form +
                  "'s notation, which names its sums itself, as Partial(sum) or unreduced={'x'}");
  reading.summands = {};
  return reading.read("DST", words[1], to);
}

struct resharding {
  axe::reshard_plan plan;
  axe::element_type type;
};

/// True if the bits of every figure fit in 64 bits, because byte counts are computed from them.
bool bits_fit(resharding const& r) {
  axe::integer bits = r.plan.elements() * r.plan.bound_per_element;
  return axe::detail::multiply(bits, bits_of(r.type));
}

void print(text::sink& out, resharding const& r) {
  print(out, axe::printed_reshard{&r.plan, r.type});
}

std::string json_of(resharding const& r, axe::operands const&) {
  axe::reshard_plan const& p = r.plan;
  axe::recognised const found = axe::recognise(p);
  text::json out;
  out.object().key("plan").string("reshard").key("collective").string(name_of(found.kind));
  out.key("axis");
  if (found.on < 0) {
    out.null();
  } else {
    std::string name;
    text::sink to(name);
    print(to, p.devices.axes[found.on].on);
    out.string(name);
  }
  out.key("packs").boolean(found.packs).key("unpacks").boolean(found.unpacks);
  out.key("elements").number(p.elements()).key("bits").number(bits_of(r.type));
  std::vector<axe::traffic> traffic(static_cast<std::size_t>(p.device_count()));
  axe::traffic_of_all(p, traffic.data(), p.device_count());
  axe::integer volume = 0;
  for (axe::traffic const& t : traffic) volume += t.received;
  out.key("volume").number(volume).key("least_volume").number(axe::least_volume(p));
  out.key("gathered_volume").number(axe::volume_of_gathering(p));
  out.key("slices")
      .number(p.slices)
      .key("rounds")
      .number(axe::rounds(p))
      .key("summands_in_memory")
      .number(p.in_memory);
  out.key("summand_groups").number(p.groups).key("largest_send");
  axe::outcome<axe::send_bound> const share = axe::try_largest_send(p);
  if (share)
    out.number(share->elements);
  else
    out.null();
  out.key("entering").array();
  for (int level = 1; level <= p.levels; ++level) out.number(axe::elements_entering(p, level));
  out.end().key("devices").array();
  for (axe::integer d = 0; d < p.device_count(); ++d) {
    axe::traffic const& t = traffic[static_cast<std::size_t>(d)];
    out.object().key("rank").number(p.rank_of(d)).key("sent").number(t.sent);
    out.key("received").number(t.received).key("missing").number(axe::missing(p, d));
    out.key("peak").number(axe::peak_memory(p, d)).end();
  }
  out.end().end();
  return out.str() + '\n';
}

}  // namespace

int plan_of_reshard(std::vector<std::string> const& given, std::ostream& out, std::ostream& err) {
  plan_request r("plan reshard", with_mesh_axes(given),
                 {{"--mesh", true},
                  {"--summands", true},
                  {"--real", true},
                  {"--levels", true},
                  {"--scratch", true},
                  {"--messages", false},
                  {"-o", true}});
  axe::sharding from;
  axe::sharding to;
  axe::reshard_options options;
  resharding found{};
  axe::mesh devices;
  std::vector<std::string> words;
  if (!read_mesh(r, devices) || !r.read_words({"SRC", "DST"}, "SRC DST", words) ||
      !read_levels(r, devices, options) || !r.read_number("--scratch", 0, options.scratch) ||
      !read_shardings(r, devices, words, from, to) ||
      !r.read_type("--type", axe::element_type::f32, found.type))
    return r.report(err);
  axe::operands const about{&from.places, &to.places, &from.extents, &to.extents};
  axe::outcome<axe::reshard_plan> const plan =
      axe::try_plan_reshard(from, to, options, axe::step_limit(r.steps()));
  if (!plan) return r.refused(out, err, plan.why, about);
  found.plan = *plan;
  // Limits the work of the tables below: a step for each device, memory replica and slice, and 1/64
  // of a step for each pair of devices.
  axe::integer work = found.plan.device_count();
  if (!axe::detail::multiply(work, found.plan.memory_replicas) ||
      !axe::detail::multiply(work, found.plan.slices) || work > r.steps() ||
      work / 64 > r.steps() / found.plan.device_count())
    return r.refused(out, err, {axe::rule::undecided, {r.steps()}}, about);
  if (!bits_fit(found)) return r.refused(out, err, {axe::rule::reshard_overflows}, about);
  if (r.given.has("-o"))
    return r.write_picture(axe::draw_resharding(found.plan, bits_of(found.type)), out, err);
  if (r.explains()) r.checked = explain::of_resharding(found.plan, r.steps());
  if (r.given.has("--messages") && r.json())
    return r.fail("--messages prints text; leave out --json"), r.report(err);
  if (!r.given.has("--messages"))
    return r.answer(out, err, axe::outcome<resharding>(found), about, json_of);
  r.write_notes(err);
  std::string statements;
  text::sink to_text(statements);
  axe::print_messages(to_text, found.plan);
  out << statements;
  return answered;
}

}  // namespace program
