// axe check-sharding: compares the devices and addresses of each element in two placements.
#include "commands/mesh.hpp"
#include "commands/sharding_text.hpp"
#include "eval/bounded.hpp"
#include "eval/json.hpp"
#include "support/json.hpp"
#include "text/sink.hpp"

#include <axe/distributed/sharding_difference.hpp>

#include <ostream>

namespace program {

namespace {

/// Names the devices and addresses of an element: "device 1 at address 4 and device 3 at address
/// 4". If there are more than four, names only the first, "and others".
std::string in_words(axe::placement const& where) {
  std::string out;
  axe::integer count = 0;
  bool const whole = calculator::each_place(where, 4, [&](axe::place const& p) {
    out += count++ == 0 ? "" : " and ";
    out += "device " + std::to_string(p[axe::axis::gpuid]) + " at address " +
           std::to_string(p[axe::axis::m]);
  });
  if (whole) return out;
  axe::place const first = where.first();
  return "device " + std::to_string(first[axe::axis::gpuid]) + " at address " +
         std::to_string(first[axe::axis::m]) + " and others";
}

/// Writes a JSON list of all places of an element.
void write_places(text::json& out, axe::placement const& where) {
  out.array();
  calculator::each_place(where, axe::detail::largest, [&](axe::place const& p) {
    out.object().key("device").number(p[axe::axis::gpuid]);
    out.key("address").number(p[axe::axis::m]).end();
  });
  out.end();
}

/// The answer as a line of JSON. `a` and `b` name the notations of the placements.
std::string json_of(axe::sharding_difference const& d, std::string const& a, std::string const& b) {
  text::json out;
  out.object().key("a").string(a).key("b").string(b).key("equivalent").boolean(!d.found);
  out.key("first");
  if (!d.found) {
    out.null();
  } else {
    out.object().key("at");
    calculator::write(out, d.at);
    out.key("a");
    write_places(out, d.a);
    out.key("b");
    write_places(out, d.b);
    out.end();
  }
  out.end();
  return out.str() + '\n';
}

}  // namespace

int run_check_sharding(std::vector<std::string> const& given, std::ostream& out,
                       std::ostream& err) {
  request r("check-sharding", with_mesh_axes(given),
            {{"--mesh", true}, {"--summands", true}, {"--real", true}, {"--exit-code"}});
  axe::mesh devices;
  axe::sharding a;
  axe::sharding b;
  std::vector<std::string> words;
  if (!r.read_words({"A", "B"}, "A B", words) || !read_mesh(r, devices)) return r.report(err);
  sharding_reader reading{r, devices, {}, {}, {}};
  if (!r.read_shape("--shape", reading.shape) || !r.read_shape("--real", reading.real) ||
      !r.read_shape("--summands", reading.summands))
    return r.report(err);
  if (reading.shape.rank() == 0)
    return r.fail(text::missing("--shape", "the shape of the tensor", "64,64")), r.report(err);
  if (!reading.read("A", words[0], a)) return r.report(err);
  std::string const of_a = reading.notation;
  if (!reading.read("B", words[1], b)) return r.report(err);
  std::string const of_b = reading.notation;
  if (r.given.has("--summands") && of_a != "axe" && of_b != "axe")
    return r.fail("--summands is for a layout, but A is in " + of_a + "'s notation and B in " +
                  of_b + "'s; leave it out"),
           r.report(err);
  axe::outcome<axe::sharding_difference> const d =
      axe::try_difference(a, b, axe::step_limit(r.steps()));
  if (!d) return r.refuse(d.why, {&a.places, &b.places, &a.extents, &b.extents}), r.report(err);
  if (r.json()) {
    if (!r.can_list(d.value.a) || !r.can_list(d.value.b)) return r.report(err);
    out << json_of(d.value, of_a, of_b);
  } else if (!d.value.found) {
    out << "the same placement: A (" << of_a << ") and B (" << of_b
        << ") hold every element on the same devices at the same addresses\n";
  } else {
    out << "element " << text::printed(d.value.at) << " is the first that differs: A (" << of_a
        << ") has it on " << in_words(d.value.a) << ", B (" << of_b << ") on "
        << in_words(d.value.b) << '\n';
  }
  return d.value.found && r.given.has("--exit-code") ? differ : answered;
}

std::string help_check_sharding() {
  return R"help(usage: axe check-sharding A B --mesh y=2,x=4 --shape 64,64 [options]

Prints whether two placements of a tensor on a mesh of devices are the same: every element
on the same devices, at the same addresses. If not, prints the first element that differs.

A and B are each in one of these notations; the first characters say which:
  [Shard(0), Replicate()]               DTensor, one placement for each axis of the mesh
  P('y', None)                          PartitionSpec of JAX
  {devices=[2,1,4]<=[8] last_tile_dim_replicate}    sharding of XLA; device numbers are row-major
  [1,0,64,64,8,8,0,0,32]                descriptor of ScaLAPACK on a mesh of two axes
  S[(2,32,64):(1@y,64,1)] + R[4:1@x]    a layout

  --mesh y=2,x=4     the device axes, slowest first
  --shape 64,64      the extents of the tensor, with the padding if A or B is a layout
  --real 61,64       the extents without padding
  --summands 2       the extents of a layout's leading dimensions, which hold summands
  --exit-code        end with 1 if A and B differ
  --steps N          the most elements that are compared one by one
                     (default: 1000000)
  --json             one line of JSON, for programs

examples:
  axe check-sharding '[Shard(0), Replicate()]' "P('y', None)" --mesh y=2,x=4 --shape 64,64
  axe check-sharding '[Shard(0), Shard(0)]' "P(('x','y'))" --mesh y=2,x=4 --shape 64,64
)help";
}

}  // namespace program
