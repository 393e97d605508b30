#include "commands/sharding_text.hpp"

#include "text/sink.hpp"

#include <axe/algebra/rewrite.hpp>
#include <axe/distributed/dtensor.hpp>
#include <axe/distributed/gspmd.hpp>
#include <axe/distributed/partition_spec.hpp>
#include <axe/distributed/scalapack.hpp>

#include <algorithm>

namespace program {

namespace {

/// Recognises the notation of a text by its first characters.
char const* notation_of(std::string const& text) {
  std::string const rest = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  if (rest.starts_with('{')) return "XLA";
  if (rest.starts_with("P(") || rest.starts_with("PartitionSpec")) return "JAX";
  if (!rest.starts_with('[') && !rest.starts_with('(')) return "axe";
  if (rest.find("):") != rest.npos) return "axe";  // CuTe's (4,8):(8,1), which the calculator reads
  std::size_t const inside = std::min(rest.find_first_not_of(" \t", 1), rest.size() - 1);
  return rest[inside] >= '0' && rest[inside] <= '9' ? "ScaLAPACK" : "DTensor";
}

/// Checks that `real` has as many extents as `shape` and none that is larger.
axe::refusal check_real(axe::shape const& shape, axe::shape const& real) {
  axe::detail::extent_list all;
  axe::detail::extent_list part;
  axe::integer size = 1;
  if (axe::refusal const bad = axe::detail::dimensions_of(shape, all, size)) return bad;
  if (real.rank() == 0) return {};
  if (axe::refusal const bad = axe::detail::dimensions_of(real, part, size)) return bad;
  if (part.size() != all.size()) return {axe::rule::sharding_real_rank, {part.size(), all.size()}};
  for (int d = 0; d < part.size(); ++d)
    if (part[d] > all[d]) return {axe::rule::sharding_real_extent, {d, part[d], all[d]}};
  return {};
}

/// Moves device numbers to the axes of the mesh. Leaves them on gpuid if a digit crosses two axes.
void place_on(axe::mesh const& devices, axe::sharding& s) {
  axe::place sum;
  axe::integer below = 1;
  for (int k = devices.axes.size() - 1; k >= 0; --k) {
    axe::mesh_axis const& a = devices.axes[k];
    if (a.extent > 1) sum.terms.push({below, a.on});
    below *= a.extent;
  }
  // A composition needs two parts.
  if (sum.terms.size() == 1) {
    auto const move = [&](axe::axis& on) {
      if (on == axe::axis::gpuid) on = sum.terms[0].on;
    };
    for (axe::iter& i : s.places.shards) move(i.on);
    for (axe::iter& i : s.places.replicas) move(i.on);
    for (axe::term& t : s.places.offsets) move(t.on);
  } else if (sum.terms.size() > 1) {
    axe::outcome<axe::layout> const on_mesh = axe::try_rewrite(s.places, {axe::axis::gpuid, sum});
    if (!on_mesh) return;
    s.places = *on_mesh;
  }
  s.devices = devices;
}

}  // namespace

bool sharding_reader::read(std::string const& name, std::string const& text, axe::sharding& out) {
  std::string const form = notation = notation_of(text);
  axe::shape const& tensor = real.rank() > 0 ? real : shape;
  if (axe::refusal const bad = check_real(shape, real))
    return r.refuse(bad, {nullptr, nullptr, &tensor});
  axe::outcome<axe::sharding> made;
  if (form == "DTensor") made = axe::try_from_dtensor(text.c_str(), devices, tensor);
  if (form == "JAX") made = axe::try_from_partition_spec(text.c_str(), devices, tensor);
  if (form == "XLA") made = axe::try_from_gspmd(text.c_str(), devices.devices(), tensor);
  if (form == "ScaLAPACK") made = axe::try_from_scalapack(text.c_str(), devices);
  if (form == "axe") {
    if (!r.read_layout(name, text, out.places)) return false;
    out.devices = devices;
    out.summands = summands.rank();
    out.extents = summands;
    for (int d = 0; d < shape.rank(); ++d) out.extents.append(shape[d]);
    out.real = real;
    axe::refusal const bad = axe::check(out);
    return !bad || r.refuse(bad, {&out.places, nullptr, &out.extents});
  }
  if (made) {
    out = made.value;
    if (form == "XLA") place_on(devices, out);
    r.note(name, "is " + form + "'s notation for ", out.places);
    axe::shape const& own = out.real.rank() > 0 ? out.real : out.extents;
    return form != "ScaLAPACK" || own == tensor ||
           r.fail(name + ": the descriptor is of a " + text::printed(own) +
                  " matrix, but the tensor is " + text::printed(tensor));
  }
  std::string sentence;
  text::sink to(sentence);
  axe::print(to, made.why, {nullptr, nullptr, &tensor});
  return r.fail(name + ": " + sentence);
}

}  // namespace program
