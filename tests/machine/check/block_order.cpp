// Implements release and acquire between blocks (block_order.hpp).
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

/// Returns what warp `other` of w's block had acquired when its clock was `clock`.
shared_knowledge acquired_by(warp& w, std::uint32_t other, std::uint32_t clock) {
  auto const& all = order_of(w).blocks;
  auto const found = all.find(number_of(*w.home));
  if (found == all.end()) return nullptr;
  auto const& list = found->second.warps[other].acquired;
  auto const behind = std::upper_bound(
      list.begin(), list.end(), clock,
      [](std::uint32_t limit, acquisition const& each) { return limit < each.clock; });
  return behind == list.begin() ? nullptr : std::prev(behind)->known;
}

bool is_known(knowledge const& known, moment const& at) {
  auto const found = known.find(at.block);
  return found != known.end() && found->second[at.actor] >= at.clock;
}

shared_knowledge at_address(knowledge_at const& all, std::uint64_t address) {
  auto const found = all.find(address);
  return found == all.end() ? nullptr : found->second;
}

/// Drops acquisitions of this warp that no warp will ask for, because all warps know a later one.
/// Drops nothing while a copy is in flight, because the copy has the clocks of the time when it was
/// issued.
void drop_superseded(warp& w, std::vector<acquisition>& list) {
  if (!w.home->home->copies.empty()) return;
  std::uint32_t least = own_clock(w);
  for (auto const& other : w.home->warps)
    if (other->live != 0) least = std::min(least, w.home->history->warps[other->number][w.number]);
  auto const behind = std::upper_bound(
      list.begin(), list.end(), least,
      [](std::uint32_t limit, acquisition const& each) { return limit < each.clock; });
  if (behind != list.begin()) list.erase(list.begin(), std::prev(behind));
}

}  // namespace

std::uint32_t number_of(block const& b) {
  auto const& c = b.warps.front()->run->cluster_extent;
  return static_cast<std::uint32_t>(b.home->number * (c.x * c.y * c.z)) + b.rank;
}

std::uint32_t cluster_of(running const& run, std::uint32_t block) {
  auto const& c = run.cluster_extent;
  return block / (c.x * c.y * c.z);
}

std::uint32_t& own_clock(warp& w) { return own_clocks(w)[w.number]; }

warp_acquisitions& acquisitions_of(warp& w) {
  return order_of(w).blocks[number_of(*w.home)].warps[w.number];
}

bool knows(warp& w, clocks const& mine, moment const& at) {
  if (at.block == number_of(*w.home)) {
    if (at.actor < first_bulk && mine[at.actor] >= at.clock) return true;
    if (at.actor >= first_engine_actor &&
        mine[at.actor - first_engine_actor + first_engine] >= at.clock)
      return true;
  }
  for (std::uint32_t k = 0; k < w.home->warps.size(); ++k)
    if (auto const known = acquired_by(w, k, mine[k]); known && is_known(*known, at)) return true;
  return false;
}

shared_knowledge known_of(warp& w) {
  auto made = std::make_shared<knowledge>();
  auto const& mine = own_clocks(w);
  auto& here = (*made)[number_of(*w.home)];
  std::copy_n(mine.begin(), first_bulk, here.begin());
  std::copy(mine.begin() + first_engine, mine.begin() + other_blocks,
            here.begin() + first_engine_actor);
  for (std::uint32_t k = 0; k < w.home->warps.size(); ++k)
    if (auto const known = acquired_by(w, k, mine[k])) join(*made, *known);
  return made;
}

void acquire(warp& w, shared_knowledge const& known) {
  if (known == nullptr) return;
  auto& mine = acquisitions_of(w);
  if (known == mine.last) return;
  mine.last = known;
  auto& list = mine.acquired;
  if (!list.empty() && covers(*list.back().known, *known)) return;
  std::uint32_t const clock = own_clock(w);
  auto const all = joined(list.empty() ? nullptr : list.back().known, known);
  if (!list.empty() && list.back().clock == clock) {
    list.back().known = all;
    return;
  }
  list.push_back({clock, all});
  drop_superseded(w, list);
}

void synchronise(warp& w, std::uint64_t address, flag_access const& how) {
  auto& flags = order_of(w).flags;
  shared_knowledge const before = at_address(flags, address);
  auto& mine = acquisitions_of(w);
  if (how.observes && how.acquires && mine.seen.empty()) {
    acquire(w, before);
  } else {
    if (how.observes && before != nullptr)
      mine.seen[address] = joined(at_address(mine.seen, address), before);
    if (how.acquires) {
      acquire(w, at_address(mine.seen, address));
      mine.seen.erase(address);
    }
  }
  if (!how.writes) return;
  if (how.releases) mine.released[address] = known_of(w);
  // A relaxed write publishes what the last release at this address or the last fence covered.
  shared_knowledge published = joined(mine.fenced, at_address(mine.released, address));
  // A store ends the chain of releases at this address; an atomic continues the chain.
  if (how.continues) published = joined(before, published);
  if (published != nullptr || before != nullptr) flags[address] = published;
  if (how.releases) ++own_clock(w);
}

void fence_blocks(warp& w, bool acquires, bool releases) {
  if (w.run->global == nullptr) return;
  auto& mine = acquisitions_of(w);
  if (acquires)
    for (auto const& [address, known] : std::exchange(mine.seen, {})) acquire(w, known);
  if (!releases) return;
  mine.fenced = known_of(w);
  ++own_clock(w);
}

void proxy_fence_global(warp& w) {
  if (w.run->global == nullptr) return;
  auto fenced = std::make_shared<knowledge>(*known_of(w));
  for (auto& [number, of_block] : *fenced)
    std::copy_n(of_block.begin(), first_fenced, of_block.begin() + first_fenced);
  acquire(w, fenced);
  ++own_clock(w);
}

void publish_to_peer(warp& w, block& owner, std::uint32_t offset) {
  if (w.run->global == nullptr || &owner == w.home) return;
  auto& at_mbarrier = order_of(w).blocks[number_of(owner)].mbarriers[offset];
  at_mbarrier = joined(at_mbarrier, known_of(w));
  ++own_clock(w);
}

void publish_moment(warp& w, block& owner, std::uint32_t offset, moment const& at) {
  if (w.run->global == nullptr) return;
  auto made = std::make_shared<knowledge>();
  (*made)[at.block][at.actor] = at.clock;
  auto& at_mbarrier = order_of(w).blocks[number_of(owner)].mbarriers[offset];
  at_mbarrier = joined(at_mbarrier, made);
}

void acquire_from_peers(warp& w, std::uint32_t offset) {
  if (w.run->global == nullptr) return;
  acquire(w, at_address(order_of(w).blocks[number_of(*w.home)].mbarriers, offset));
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
  auto const published = std::make_shared<knowledge const>(known);
  for (auto& each : all.blocks)
    for (auto& w : each->warps) acquire(*w, published);
}

}  // namespace machine
