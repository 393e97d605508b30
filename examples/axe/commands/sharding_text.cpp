#include "commands/sharding_text.hpp"

#include "text/sink.hpp"

#include <axe/distributed/dtensor.hpp>
#include <axe/distributed/gspmd.hpp>
#include <axe/distributed/partition_spec.hpp>
#include <axe/distributed/scalapack.hpp>

#include <algorithm>

namespace program {

namespace {

/// The notation that the first characters belong to.
char const* notation_of(std::string const& text) {
  std::string const rest = text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
  if (rest.starts_with('{')) return "XLA";
  if (rest.starts_with("P(") || rest.starts_with("PartitionSpec")) return "JAX";
  if (!rest.starts_with('[') && !rest.starts_with('(')) return "axe";
  std::size_t const inside = std::min(rest.find_first_not_of(" \t", 1), rest.size() - 1);
  return rest[inside] >= '0' && rest[inside] <= '9' ? "ScaLAPACK" : "DTensor";
}

}  // namespace

bool sharding_reader::read(std::string const& name, std::string const& text, axe::sharding& out) {
  std::string const form = notation = notation_of(text);
  axe::shape const& tensor = real.rank() > 0 ? real : shape;
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
    return true;
  }
  std::string sentence;
  text::sink to(sentence);
  axe::print(to, made.why, {});
  return r.fail(name + ": " + sentence);
}

}  // namespace program
