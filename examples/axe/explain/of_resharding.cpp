// States for three elements of a resharding which ranks hold the element or a summand of it, which
// ranks want it, and that a message of the plan writes it to each wanted address.
#include "explain/of_resharding.hpp"
#include "explain/points.hpp"

#include <axe/distributed.hpp>
#include <axe/draw/resharding_picture.hpp>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace explain {

namespace {

/// True if values of the digits from k on add up to `address`. The digits are sorted by stride.
bool writes(std::vector<axe::run_digit> const& digits, std::size_t k, integer address) {
  if (k == digits.size()) return address == 0;
  integer least = 0;
  integer most = 0;
  for (std::size_t j = k; j < digits.size(); ++j) {
    integer const reach = (digits[j].extent - 1) * digits[j].to_stride;
    (reach < 0 ? least : most) += reach;
  }
  if (address < least || address > most) return false;
  for (integer c = 0; c < digits[k].extent; ++c)
    if (writes(digits, k + 1, address - c * digits[k].to_stride)) return true;
  return false;
}

/// True if a message to the device writes to this address of dst.
bool arrives(axe::reshard_plan const& p, integer device, integer address) {
  for (axe::message const& m : axe::messages(p, device)) {
    if (m.write != axe::buffer::dst) continue;
    for (axe::strided_run const& r : axe::runs(p, m)) {
      std::vector<axe::run_digit> digits(r.digits.begin(), r.digits.end());
      std::sort(digits.begin(), digits.end(), [](auto const& a, auto const& b) {
        return std::abs(a.to_stride) > std::abs(b.to_stride);
      });
      if (writes(digits, 0, address - r.begin_to)) return true;
    }
  }
  return false;
}

/// The places of an element as (rank, address). Empty if there are more than `steps`.
std::vector<std::pair<integer, integer>> ranks_and_addresses(axe::sharding const& s,
                                                             integer element, integer steps) {
  axe::placement const where = axe::places(s.places, element);
  std::vector<std::pair<integer, integer>> out;
  if (where.size() > steps) return out;
  for (axe::place const& at : where) {
    integer rank = s.devices.first_rank;
    for (axe::mesh_axis const& a : s.devices.axes) rank += at[a.on] * a.rank_stride;
    out.emplace_back(rank, at[axe::axis::m]);
  }
  return out;
}

/// The text "rank 2" or "ranks 0,1,2,3".
std::string ranks(std::set<integer> const& all) {
  return (all.size() == 1 ? "rank " : "ranks ") +
         axe::drawing::positions_text({all.begin(), all.end()}, false);
}

}  // namespace

std::vector<statement> of_resharding(axe::reshard_plan const& p, integer steps) {
  std::vector<statement> out;
  extents const real(p.tensor.real.begin(), p.tensor.real.end());
  extents held = extents_of(p.from.extents);
  held.erase(held.begin(), held.begin() + p.from.summands);
  integer const summands = p.groups * p.in_memory;
  if (summands > steps) return out;
  for (integer const k : three_of(p.elements())) {
    extents const at = coordinate_of(k, real);
    integer const first = number_of(at, held);
    integer const wanted = number_of(at, extents_of(p.to.extents));
    std::set<integer> from;
    for (integer s = 0; s < summands; ++s)
      for (auto const& [rank, address] :
           ranks_and_addresses(p.from, s * product_of(held) + first, steps))
        from.insert(rank);
    auto const places = ranks_and_addresses(p.to, wanted, steps);
    if (from.empty() || places.empty()) continue;
    std::set<integer> to;
    bool holds = true;
    for (auto const& [rank, address] : places) {
      to.insert(rank);
      bool there = false;
      for (integer d = 0; d < p.device_count() && !there; ++d)
        there = p.rank_of(d) == rank && arrives(p, d, address);
      holds = holds && there;
    }
    out.push_back(
        {"element " + words(at) + "  moves from " + ranks(from) + " to " + ranks(to), holds});
  }
  return out;
}

}  // namespace explain
