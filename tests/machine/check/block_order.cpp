// Implementation of block_order.hpp.
#include "check/block_order.hpp"

#include <algorithm>
#include <utility>

#include "check/global_history.hpp"

namespace machine {
namespace {

block_order& order_of(warp const& w) { return w.run->global->order; }

clocks& own_clocks(warp& w) { return w.home->history->warps[w.number]; }

void join(knowledge& into, knowledge const& from) {
  for (auto const& [number, theirs] : from) {
    auto& mine = into[number];
    for (std::size_t k = 0; k < mine.size(); ++k) mine[k] = std::max(mine[k], theirs[k]);
  }
}

shared_knowledge joined(shared_knowledge const& a, shared_knowledge const& b) {
  if (a == nullptr || a == b) return b;
  if (b == nullptr) return a;
  auto made = std::make_shared<knowledge>(*a);
  join(*made, *b);
  return made;
}

bool covers(knowledge const& all, knowledge const& part) {
  return std::all_of(part.begin(), part.end(), [&](auto const& each) {
    auto const found = all.find(each.first);
    if (found == all.end()) return false;
    for (std::size_t k = 0; k < each.second.size(); ++k)
      if (found->second[k] < each.second[k]) return false;
    return true;
  });
}

/// What warp `other` of the block had acquired at a clock.
shared_knowledge acquired_by(warp& w, std::uint32_t other, std::uint32_t clock) {
  auto const& all = order_of(w).warps;
  auto const found = all.find(key_of(*w.home, other));
  if (found == all.end()) return nullptr;
  auto const& list = found->second.acquired;
  auto const behind = std::upper_bound(
      list.begin(), list.end(), clock,
      [](std::uint32_t limit, acquisition const& each) { return limit < each.clock; });
  return behind == list.begin() ? nullptr : std::prev(behind)->known;
}

}  // namespace

std::uint32_t number_of(block const& b) {
  auto const& c = b.warps.front()->run->cluster_extent;
  return static_cast<std::uint32_t>(b.home->number * (c.x * c.y * c.z)) + b.rank;
}

std::uint64_t key_of(block const& b, std::uint32_t within) {
  return std::uint64_t{number_of(b)} << 32 | within;
}

std::uint32_t& own_clock(warp& w) { return own_clocks(w)[w.number]; }

warp_acquisitions& acquisitions_of(warp& w) { return order_of(w).warps[key_of(*w.home, w.number)]; }

bool is_known(knowledge const& known, moment const& at) {
  auto const found = known.find(at.block);
  return found != known.end() && found->second[at.actor] >= at.clock;
}

bool knows(warp& w, moment const& at) {
  auto const& mine = own_clocks(w);
  if (at.block == number_of(*w.home) && at.actor < first_bulk && mine[at.actor] >= at.clock)
    return true;
  for (std::uint32_t k = 0; k < w.home->warps.size(); ++k)
    if (auto const known = acquired_by(w, k, mine[k]); known && is_known(*known, at)) return true;
  return false;
}

shared_knowledge known_of(warp& w) {
  auto made = std::make_shared<knowledge>();
  auto const& mine = own_clocks(w);
  auto& here = (*made)[number_of(*w.home)];
  std::copy_n(mine.begin(), first_bulk, here.begin());
  for (std::uint32_t k = 0; k < w.home->warps.size(); ++k)
    if (auto const known = acquired_by(w, k, mine[k])) join(*made, *known);
  return made;
}

void acquire(warp& w, shared_knowledge const& known) {
  if (known == nullptr) return;
  auto& list = acquisitions_of(w).acquired;
  if (!list.empty() && covers(*list.back().known, *known)) return;
  std::uint32_t const clock = own_clock(w);
  auto const all = joined(list.empty() ? nullptr : list.back().known, known);
  if (!list.empty() && list.back().clock == clock)
    list.back().known = all;
  else
    list.push_back({clock, all});
}

void synchronise(warp& w, std::uint64_t address, flag_access const& how) {
  auto& flags = order_of(w).flags;
  auto const found = flags.find(address);
  shared_knowledge const before = found == flags.end() ? nullptr : found->second;
  auto& mine = acquisitions_of(w);
  if (how.reads) {
    if (how.acquires)
      acquire(w, before);
    else
      mine.seen = joined(mine.seen, before);
  }
  if (!how.writes) return;
  shared_knowledge const told = how.releases ? known_of(w) : mine.fenced;
  // A store ends the chain of releases at this address, an atomic continues it.
  flags[address] = how.reads ? joined(before, told) : told;
  if (how.releases) ++own_clock(w);
}

void fence_blocks(warp& w, bool acquires, bool releases) {
  if (w.run->global == nullptr) return;
  auto& mine = acquisitions_of(w);
  if (acquires) acquire(w, std::exchange(mine.seen, nullptr));
  if (!releases) return;
  mine.fenced = known_of(w);
  ++own_clock(w);
}

void publish_to_peer(warp& w, block& owner, std::uint32_t offset) {
  if (w.run->global == nullptr || &owner == w.home) return;
  auto& told = order_of(w).mbarriers[key_of(owner, offset)];
  told = joined(told, known_of(w));
  ++own_clock(w);
}

void acquire_from_peers(warp& w, std::uint32_t offset) {
  if (w.run->global == nullptr) return;
  auto const found = order_of(w).mbarriers.find(key_of(*w.home, offset));
  if (found != order_of(w).mbarriers.end()) acquire(w, found->second);
}

knowledge known_in(cluster& all) {
  knowledge known;
  if (all.blocks.front()->warps.front()->run->global == nullptr || all.blocks.size() == 1)
    return known;
  for (auto& each : all.blocks)
    for (auto& w : each->warps) join(known, *known_of(*w));
  return known;
}

void acquire_in_cluster(cluster& all, knowledge const& known) {
  if (known.empty()) return;
  auto const told = std::make_shared<knowledge const>(known);
  for (auto& each : all.blocks)
    for (auto& w : each->warps) acquire(*w, told);
}

}  // namespace machine
