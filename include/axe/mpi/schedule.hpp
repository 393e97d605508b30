// schedule: what one rank does in each step of a plan.
//
//     schedule mine(plan, rank);
//     for (transfer const& t : mine.steps[0].sends) …       t.peer, t.runs, t.elements
//
// Runs of one message are in the same order on both sides, so that their elements can be packed.
#pragma once

#include <axe/distributed/runs.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

/// The elements that go from one rank to another in a step.
struct transfer {
  int peer = 0;
  buffer read = buffer::src;
  buffer write = buffer::dst;
  bool adds = false;
  integer elements = 0;
  std::vector<strided_run> runs;
};

struct step {
  std::vector<transfer> local;  // inside the rank
  std::vector<transfer> sends;
  std::vector<transfer> receives;
};

/// The highest address that a run reads or writes, plus one.
inline integer end_of(strided_run const& r, bool from) {
  integer end = from ? r.begin_from : r.begin_to;
  for (run_digit const& d : r.digits)
    end += std::max<integer>(0, (d.extent - 1) * (from ? d.from_stride : d.to_stride));
  return end + 1;
}

struct schedule {
  std::vector<step> steps;
  integer ends[3] = {0, 0, 0};  // of src, dst and tmp0: elements that the buffers must hold

  schedule() = default;
  schedule(reshard_plan const& p, integer rank) : steps(static_cast<std::size_t>(p.steps())) {
    for (integer d = 0; d < p.device_count(); ++d) {
      if (p.rank_of(d) != rank) continue;
      for (message const& m : messages(p, d)) {
        step& in = steps[static_cast<std::size_t>(m.step)];
        (m.local() ? in.local : in.receives).push_back(made(p, m, m.from));
      }
      for (message const& m : sent(p, d))
        steps[static_cast<std::size_t>(m.step)].sends.push_back(made(p, m, m.to));
    }
    for (step const& s : steps) {
      for (transfer const& t : s.local) note(t, true, true);
      for (transfer const& t : s.sends) note(t, true, false);
      for (transfer const& t : s.receives) note(t, false, true);
    }
  }
  integer& end(buffer b) { return ends[static_cast<int>(b)]; }

 private:
  static transfer made(reshard_plan const& p, message const& m, integer peer) {
    transfer t{static_cast<int>(p.rank_of(peer)), m.read, m.write, m.adds, 0, {}};
    for (strided_run const& r : runs(p, m)) {
      t.runs.push_back(r);
      t.elements += r.size();
    }
    return t;
  }
  void note(transfer const& t, bool reads, bool writes) {
    for (strided_run const& r : t.runs) {
      if (reads) end(t.read) = std::max(end(t.read), end_of(r, true));
      if (writes) end(t.write) = std::max(end(t.write), end_of(r, false));
    }
  }
};

/// Calls use(from, to) for the addresses of a run, in order.
template <class Use>
void each_address(strided_run const& r, Use const& use, int k = 0, integer from = 0,
                  integer to = 0) {
  if (k == r.digits.size()) return use(r.begin_from + from, r.begin_to + to);
  run_digit const& d = r.digits[k];
  for (integer c = 0; c < d.extent; ++c)
    each_address(r, use, k + 1, from + c * d.from_stride, to + c * d.to_stride);
}

/// FNV-1a over the numbers of a plan: ranks with different plans have different digests.
inline std::uint64_t digest_of(reshard_plan const& p, integer bytes_of_an_element) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  auto const add = [&](integer n) {
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ (static_cast<std::uint64_t>(n) >> (8 * byte) & 255)) * 0x100000001b3u;
  };
  auto const add_axis = [&](axis a) { add(static_cast<integer>(axe::detail::number_of(a))); };
  auto const add_shape = [&](shape const& s) {
    for (int i = 0; i < s.nodes.count; ++i) add(s.nodes.numbers[i]);
  };
  add(bytes_of_an_element);
  for (sharding const* s : {&p.from, &p.to}) {
    auto const add_iters = [&](auto const& iters) {
      add(iters.size());
      for (iter const& i : iters) {
        add(i.extent);
        add(i.stride);
        add_axis(i.on);
      }
    };
    add_iters(s->places.shards);
    add_iters(s->places.replicas);
    for (term const& t : s->places.offsets) {
      add(t.n);
      add_axis(t.on);
    }
    add_shape(s->extents);
    add_shape(s->real);
    add(s->summands);
    add(s->devices.first_rank);
    for (mesh_axis const& a : s->devices.axes) {
      add_axis(a.on);
      add(a.extent);
      add(a.rank_stride);
    }
  }
  for (int level : p.level_of) add(level);
  for (auto const& part : p.tensor.parts) add(part.slices);
  return hash;
}

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
