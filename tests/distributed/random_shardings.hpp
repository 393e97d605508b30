// Generates random shardings: digits on the axes of a mesh and in memory, replicas, gaps, negative
// strides.
#pragma once

#include "distributed/oracle.hpp"
#include "support/dice.hpp"

namespace random_shardings {

using axe::integer;

inline constexpr axe::axis y = axe::device_axis("y");
inline constexpr axe::axis x = axe::device_axis("x");

struct random_source : axe_test::dice<integer, std::mt19937> {
  using dice::dice;

  axe::mesh mesh() {
    axe::mesh m;
    integer const h = 1 + below(3);
    m.add(y, h);
    m.add(x, 1 + below(h > 1 ? 3 : 4));
    return m;
  }

  /// Cuts an extent into random factors.
  std::vector<integer> factors(integer extent) {
    std::vector<integer> out;
    while (extent > 1) {
      std::vector<integer> divisors;
      for (integer d = 2; d <= extent; ++d)
        if (extent % d == 0) divisors.push_back(d);
      integer const f =
          divisors[static_cast<std::size_t>(below(static_cast<integer>(divisors.size())))];
      out.insert(out.begin() + below(static_cast<integer>(out.size()) + 1), f);
      extent /= f;
    }
    return out;
  }

  /// A sharding of a tensor with these extents on a mesh. Digits fill each axis from stride 1 on,
  /// and replicas or an offset use the rest of the axis.
  axe::sharding sharding(std::vector<integer> const& extents, int summands, axe::mesh const& m) {
    std::vector<axe::iter> digits;
    for (integer e : extents)
      for (integer f : factors(e)) digits.push_back({f, 0, axe::axis::m});
    std::vector<std::size_t> order(digits.size());
    for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
    std::shuffle(order.begin(), order.end(), engine);
    integer used[2] = {1, 1};
    integer memory = 1;
    axe::sharding s;
    s.devices = m;
    s.summands = summands;
    integer offset_in_memory = 0;
    for (std::size_t k : order) {
      axe::iter& d = digits[k];
      int const a = static_cast<int>(below(3));
      if (a < 2 && used[a] * d.extent <= m.axes[a].extent) {
        d.on = m.axes[a].on;
        d.stride = used[a];
        used[a] *= d.extent;
      } else {
        d.stride = memory;
        memory *= d.extent;
        if (one_in(6)) memory += below(3);
      }
      if (!one_in(5)) continue;
      if (d.on == axe::axis::m)
        offset_in_memory += (d.extent - 1) * d.stride;
      else
        add_offset(s.places, (d.extent - 1) * d.stride, d.on);
      d.stride = -d.stride;
    }
    for (int a = 0; a < 2; ++a) {
      integer const room = m.axes[a].extent / used[a];
      integer const replicas = room > 1 && !one_in(3) ? 1 + below(room) : 1;
      if (replicas > 1) s.places.replicas.push({replicas, used[a], m.axes[a].on});
      integer const spare = m.axes[a].extent - used[a] * replicas;
      if (spare > 0 && one_in(2)) add_offset(s.places, 1 + below(spare), m.axes[a].on);
    }
    if (one_in(8)) s.places.replicas.push({2 + below(2), memory, axe::axis::m});
    if (one_in(4)) offset_in_memory += below(4);
    if (offset_in_memory > 0) add_offset(s.places, offset_in_memory, axe::axis::m);
    for (axe::iter const& d : digits) s.places.shards.push(d);
    axe::detail::order_offsets(s.places);
    for (integer e : extents) s.extents.append(e);
    return s;
  }

  static void add_offset(axe::layout& l, integer n, axe::axis on) {
    for (axe::term& t : l.offsets)
      if (t.is_on(on)) {
        t.n += n;
        return;
      }
    l.offsets.push({n, on});
  }
};

struct random_case {
  axe::sharding from, to;
  axe::reshard_options options;
};

inline random_case make_random_case(random_source& d) {
  static constexpr integer sizes[] = {1, 2, 3, 4, 6, 8, 12};
  axe::mesh const m = d.mesh();
  std::vector<integer> extents;
  integer const rank = 1 + d.below(2);
  for (integer k = 0; k < rank; ++k) extents.push_back(sizes[d.below(rank == 1 ? 7 : 5)]);
  std::vector<integer> with = extents;
  int const summands = static_cast<int>(d.one_in(3) ? 1 + d.below(2) : 0);
  for (int k = 0; k < summands; ++k) with.insert(with.begin(), 2 + d.below(summands == 1 ? 3 : 2));
  random_case out;
  out.from = d.sharding(with, summands, m);
  axe::mesh other_mesh = m;
  if (d.one_in(4)) other_mesh = d.mesh();
  if (d.one_in(8)) other_mesh = other_mesh.on_ranks({1, other_mesh.axes[0].extent}, d.below(3));
  out.to = d.sharding(extents, 0, other_mesh);
  if (d.one_in(5)) {  // the target pads the tensor differently
    std::vector<integer> other;
    axe::shape tensor;
    for (integer e : extents) {
      other.push_back(e + d.below(3));
      tensor.append(e);
    }
    out.to = d.sharding(other, 0, other_mesh);
    out.to.real = tensor;
  } else if (d.one_in(3)) {
    axe::shape real;
    for (integer e : extents) real.append(e - (e > 1 ? d.below(2 + e / 4) : 0));
    out.from.real = real;
    out.to.real = real;
  }
  if (d.one_in(4)) out.options.scratch = 1 + d.below(12);
  if (other_mesh == m && d.one_in(3)) {
    out.options.levels.push(d.one_in(2) ? y : x);
    if (d.one_in(4)) out.options.levels = {y, x};
  }
  return out;
}

inline std::string described(random_case const& c) {
  auto const side = [](axe::sharding const& s) {
    std::string out = std::string(axe::to_text(s.places).c_str()) + " on " +
                      axe::to_text(s.extents).c_str() + " real " + axe::to_text(s.real).c_str() +
                      " summands " + std::to_string(s.summands) + " mesh";
    for (auto const& a : s.devices.axes)
      out += " " + std::to_string(a.extent) + "*" + std::to_string(a.rank_stride);
    return out + " + " + std::to_string(s.devices.first_rank);
  };
  return side(c.from) + "\n  -> " + side(c.to);
}

/// True if in every step the device receives, or adds up in tmp0, at most `scratch` elements.
inline bool within_scratch(axe::reshard_plan const& p, integer device, integer scratch) {
  std::map<integer, integer> in_step;
  for (axe::message const& m : axe::messages(p, device))
    if (!m.local() || m.write == axe::buffer::tmp0) in_step[m.step] += axe::count(p, m);
  for (auto const& [step, elements] : in_step)
    if (scratch > 0 && elements > scratch) return false;
  return true;
}

/// Checks the traffic of every device and node against its bounds. Returns what is wrong, or "".
inline std::string judge_devices(axe::reshard_plan const& p, integer scratch) {
  integer sent = 0;
  integer received = 0;
  integer largest = 0;
  for (integer d = 0; d < p.device_count(); ++d) {
    axe::traffic const t = axe::traffic_of(p, d);
    if (t.received < axe::missing(p, d)) return "receives less than it lacks";
    if (p.groups == 1 && t.received != axe::missing(p, d)) return "receives more than it lacks";
    if (!within_scratch(p, d, scratch)) return "more than the scratch is in flight";
    sent += t.sent;
    received += t.received;
    largest = std::max(largest, t.sent);
  }
  if (sent != received) return "sends and receives differ";
  if (p.groups > 1) return "";
  for (int level = 1; level <= p.levels; ++level)
    if (axe::elements_entering(p, level) != axe::least_elements_entering(p, level))
      return "more than the least enters a node";
  if (p.levels == 0 && axe::try_largest_send(p)->elements > largest)
    return "the largest send is below its bound";
  return "";
}

/// Checks the messages of a permute, an all-gather or an all-to-all against their definitions.
inline std::string judge_collective(axe::reshard_plan const& p) {
  axe::recognised const found = recognise(p);
  bool const permutes = found.kind == axe::collective::permute;
  if (!permutes && found.kind != axe::collective::all_gather &&
      found.kind != axe::collective::all_to_all)
    return "";
  for (integer d = 0; d < p.device_count(); ++d) {
    integer messages = 0;
    for (axe::message const& m : axe::sent(p, d)) {
      ++messages;
      if (!permutes && axe::count(p, m) != found.block) return "a block has another size";
    }
    integer limit = 1;
    if (!permutes) limit = p.holds_any(p.src, d) ? p.devices.axes[found.on].extent - 1 : 0;
    if (permutes ? messages > limit : messages != limit)
      return std::string(name_of(found.kind)) + " has messages that its definition excludes";
  }
  return "";
}

/// Checks that the bound of the largest send is the least possible, and that its demand and holders
/// prove it.
inline std::string judge_largest_send(axe::reshard_plan const& p, oracle::problem const& q) {
  if (p.groups > 1) return "";
  integer const least = q.largest_send();
  axe::send_bound const stated = *axe::try_largest_send(p);
  if (stated.elements > 0 &&
      (stated.demand + stated.holders - 1) / stated.holders != stated.elements)
    return "the demand does not prove the bound of the largest send";
  return least < 0 || stated.elements == least ? "" : "states a wrong largest send";
}

}  // namespace random_shardings
