// SPDX-License-Identifier: MIT
// schedule: a rank's transfers in each round of a plan.
//
// Without slices, all steps of add_inside are one round, and so are those of add_across: they read
// no buffer that they write. Arrivals that are added keep the plan's order.
#pragma once

#include <axe/mpi/copy_run.hpp>

#include <algorithm>
#include <cstdint>
#include <map>

namespace axe {
inline namespace AXE_NAMESPACE {
namespace mpi {
namespace detail {

struct transfer {
  int peer = 0;  // may be the rank itself
  buffer read = buffer::src;
  buffer write = buffer::dst;
  bool adds = false;
  integer elements = 0;
  int packed_as = -1;  // an earlier send with these packed elements, or -1
  std::vector<copy_run> runs;

  template <class T> void pack(T const* from, T* packed) const {
    for (copy_run const& r : runs) {
      r.pack(from, packed);
      packed += r.size();
    }
  }
  template <class T> void unpack(T const* packed, T* to) const {
    for (copy_run const& r : runs) {
      r.unpack(packed, to, adds);
      packed += r.size();
    }
  }
  template <class T> void copy(T const* from, T* to) const {
    for (copy_run const& r : runs) r.copy(from, to, adds);
  }
  /// True if the elements are contiguous and in packing order on this side.
  bool dense(bool at_sender) const { return runs.size() == 1 && runs[0].dense(at_sender); }
  integer begin(bool at_sender) const { return runs[0].begin(at_sender); }
  integer pieces(bool at_sender) const {
    integer sum = 0;
    for (copy_run const& r : runs) sum += r.pieces(at_sender);
    return sum;
  }
};

struct round {
  stage first = stage::move;
  buffer read = buffer::src;
  bool adds = false;
  std::vector<transfer> sends;
  std::vector<transfer> arrivals;  // local copies and receives
};

struct schedule {
  int rank = 0;
  std::vector<round> rounds;
  integer ends[3] = {0, 0, 0};  // elements that src, dst and tmp0 must hold

  schedule() = default;
  schedule(reshard_plan const& p, int own) : rank(own) {
    std::vector<std::size_t> round_of;
    for (integer k = 0; k < p.steps(); ++k) {
      if (k == 0 || !joins(p, k)) {
        rounds.push_back({});
        rounds.back().first = p.step(k).kind;
        rounds.back().read = reads(p, p.step(k).kind);
      }
      rounds.back().adds = rounds.back().adds || p.step(k).kind < stage::release;
      round_of.push_back(rounds.size() - 1);
    }
    for (integer d = 0; d < p.device_count(); ++d) {
      if (p.rank_of(d) != rank) continue;
      for (message const& m : messages(p, d))
        rounds[round_of[static_cast<std::size_t>(m.step)]].arrivals.push_back(
            transfer_of(p, m, m.from));
      for (message const& m : sent(p, d))
        rounds[round_of[static_cast<std::size_t>(m.step)]].sends.push_back(transfer_of(p, m, m.to));
    }
    for (round& r : rounds) {
      for (transfer const& t : r.arrivals) extend_buffers(t, t.peer == rank, true);
      for (transfer const& t : r.sends) extend_buffers(t, true, false);
      order_by_peer(r, static_cast<int>(p.devices.last_rank()) + 1);
      share_packs(r.sends);
    }
  }
  integer end(buffer b) const { return ends[static_cast<int>(b)]; }

 private:
  static buffer reads(reshard_plan const& p, stage s) {
    buffer const summed = p.in_memory > 1 ? buffer::tmp0 : buffer::src;
    if (s == stage::add_inside) return buffer::src;
    if (s == stage::add_across) return summed;
    return s == stage::move && p.groups == 1 ? summed : buffer::dst;
  }
  static bool joins(reshard_plan const& p, integer k) {
    stage const s = p.step(k).kind;
    return p.slices == 1 && s == p.step(k - 1).kind &&
           (s == stage::add_inside || s == stage::add_across);
  }
  static transfer transfer_of(reshard_plan const& p, message const& m, integer peer) {
    transfer t{static_cast<int>(p.rank_of(peer)), m.read, m.write, m.adds, 0, -1, {}};
    for (strided_run const& r : runs(p, m)) {
      t.runs.emplace_back(r);
      t.elements += r.size();
    }
    return t;
  }
  void extend_buffers(transfer const& t, bool reads, bool writes) {
    auto const grow = [&](buffer b, bool at_sender) {
      integer& end = ends[static_cast<int>(b)];
      for (copy_run const& r : t.runs) end = std::max(end, r.end(at_sender));
    };
    if (reads) grow(t.read, true);
    if (writes) grow(t.write, false);
  }
  /// Rank r orders its transfers by peer: r, r + 1, … So ranks begin with different peers.
  void order_by_peer(round& r, int ranks) const {
    if (r.adds) return;
    // Transfers with one peer keep their order. Clang warns of std::stable_sort of libstdc++ 12.
    for (std::vector<transfer>* all : {&r.sends, &r.arrivals}) {
      std::multimap<integer, transfer> nearest;
      for (transfer& t : *all) nearest.emplace((t.peer - rank + ranks) % ranks, std::move(t));
      all->clear();
      for (auto& [distance, t] : nearest) all->push_back(std::move(t));
    }
  }
  static void share_packs(std::vector<transfer>& sends) {
    std::map<std::vector<integer>, int> seen;
    for (std::size_t k = 0; k < sends.size(); ++k) {
      std::vector<integer> key;
      for (copy_run const& r : sends[k].runs) {
        key.push_back(r.begin(true));
        for (run_digit const& d : r.side(true)) key.insert(key.end(), {d.extent, d.from_stride});
        key.push_back(-1);
      }
      auto const [at, is_new] = seen.emplace(std::move(key), static_cast<int>(k));
      if (!is_new) sends[k].packed_as = at->second;
    }
  }
};

/// The FNV-1a hash of the values on which all ranks must agree.
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
  auto const add_iters = [&](auto const& iters) {
    add(iters.size());
    for (iter const& i : iters) {
      add(i.extent);
      add(i.stride);
      add_axis(i.on);
    }
  };
  add(bytes_of_an_element);
  for (sharding const* s : {&p.from, &p.to}) {
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
  for (auto const& part : p.tensor.parts) add(part.slice_width);
  return hash;
}

}  // namespace detail
}  // namespace mpi
}  // namespace AXE_NAMESPACE
}  // namespace axe
