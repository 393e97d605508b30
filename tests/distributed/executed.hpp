// Compares the numbers that a plan of resharding states with those of its execution, device by
// device: traffic, memory, and the elements that enter the enclosures of a level.
#pragma once

#include "distributed/random_shardings.hpp"

namespace random_shardings {

/// True if two devices agree on the axes of the first `level` levels.
inline bool in_one_enclosure(random_case const& c, integer a, integer b, int level) {
  for (int k = c.from.devices.axes.size() - 1; k >= 0; --k) {
    auto const& axis = c.from.devices.axes[k];
    for (int l = 0; l < level; ++l)
      if (c.options.levels[l] == axis.on && a % axis.extent != b % axis.extent) return false;
    a /= axis.extent;
    b /= axis.extent;
  }
  return true;
}

inline std::string judge_executed(axe::reshard_plan const& p, random_case const& c,
                                  oracle::problem const& q, oracle::verdict const& v) {
  // The elements of each rank, with their addresses.
  std::map<integer, std::set<std::pair<integer, integer>>> held, wanted;
  for (integer e = 0; e < q.elements; ++e) {
    if (!q.is_real(e)) continue;
    for (integer s = 0; s < q.summands; ++s)
      for (auto const& [rank, address] : oracle::places_of(c.from, s * q.elements + e))
        held[rank].insert({s * q.elements + e, address});
    for (auto const& [rank, address] : oracle::places_of(c.to, q.in_to(e)))
      wanted[rank].insert({e, address});
  }
  std::map<integer, axe::traffic> executed;
  for (auto const& [between, words] : v.moved) {
    executed[between.first].sent += words;
    executed[between.second].received += words;
  }
  std::vector<axe::traffic> all(static_cast<std::size_t>(p.device_count()));
  traffic_of_all(p, all.data(), p.device_count());
  for (integer d = 0; d < p.device_count(); ++d) {
    axe::traffic const stated = axe::traffic_of(p, d), did = executed[d];
    if (stated.sent != did.sent || stated.received != did.received)
      return "states a wrong traffic of device " + std::to_string(d);
    if (all[static_cast<std::size_t>(d)].sent != did.sent ||
        all[static_cast<std::size_t>(d)].received != did.received)
      return "states a wrong traffic of all devices";
    integer const tmp0 = v.tmp0.count(d) == 0 ? 0 : v.tmp0.at(d);
    integer const memory = static_cast<integer>(held[d].size() + wanted[d].size()) + tmp0;
    if (p.slices > 1 ? axe::peak_memory(p, d) < memory : axe::peak_memory(p, d) != memory)
      return "states a wrong memory of device " + std::to_string(d);
  }
  for (int level = 1; level <= p.levels; ++level) {
    integer entering = 0;
    for (auto const& [between, words] : v.moved)
      if (!in_one_enclosure(c, between.first, between.second, level)) entering += words;
    if (axe::elements_entering(p, level) != entering)
      return "states a wrong number of elements that enter the nodes";
  }
  return "";
}

/// If a scratch is rejected, the sentence must name a scratch that is accepted. If padding is
/// rejected, it must name a dimension that the sides pad differently. No other refusal is expected.
inline std::string judge_refusal(random_case const& c, axe::refusal const& why) {
  if (why.which == axe::rule::reshard_padding) {
    int const d = static_cast<int>(why.numbers[0]);
    bool const same =
        c.from.extents.nodes.value(1 + c.from.summands + d) == c.to.extents.nodes.value(1 + d);
    return same ? "rejects equal padding" : "";
  }
  if (why.which != axe::rule::reshard_scratch) return name_of(why.which);
  random_case enough = c;
  enough.options.scratch = why.numbers[1];
  if (!axe::try_plan_reshard(c.from, c.to, enough.options))
    return "names a scratch that it rejects";
  return "";
}

}  // namespace random_shardings
