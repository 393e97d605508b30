// Implements the clocks of history.hpp: what each warp, engine and tensor core knows of the others
// after barriers, mbarriers and fences.
#include "check/cluster_history.hpp"
#include "check/history.hpp"
#include "check/strict.hpp"
#include "execute/lanes.hpp"
#include "tcgen05/order.hpp"

#include <algorithm>

namespace machine {

void join(clocks& into, clocks const& from) {
  for (std::size_t k = 0; k < most_actors; ++k) into[k] = std::max(into[k], from[k]);
}

void learn_together(warp const& w, clocks& known, clocks& heard, bool first) {
  if (w.home->history == nullptr) return;
  clocks const& mine = w.home->history->warps[w.number];
  for (std::size_t k = 0; k < most_actors; ++k)
    known[k] = first ? mine[k] : std::min(known[k], mine[k]);
  join(heard, mine);
}

void engine_learns(warp& w, clocks const& known, clocks const& heard) {
  if (w.home->history == nullptr) return;
  join(w.home->history->warps[first_engine + w.number / 4], known);
  join(w.home->history->heard[w.number / 4], heard);
}

std::uint32_t engine_finishes(warp& w) {
  if (w.home->history == nullptr) return 0;
  std::uint32_t const engine = first_engine + w.number / 4;
  return w.home->history->warps[engine][engine]++;
}

void engine_waited_for(warp& w, std::uint32_t clock) {
  if (w.home->history == nullptr) return;
  auto& known = w.home->history->warps[w.number][first_engine + w.number / 4];
  known = std::max(known, clock);
}

void tensor_core_learns(warp& w) {
  if (w.home->history != nullptr)
    join(w.home->history->warps[tensor_core], w.home->history->warps[w.number]);
}

clocks tensor_core_finishes(warp& w) {
  if (w.home->history == nullptr) return {};
  auto& core = w.home->history->warps[tensor_core];
  clocks done = core;
  done[tensor_core] = w.home->history->core_reads[w.number];
  ++core[tensor_core];
  // Advances the warp's clock, because the commit does not publish later accesses of this warp.
  ++w.home->history->warps[w.number][w.number];
  return done;
}

void order_lanes(warp& w) {
  if (w.home->history != nullptr)
    w.home->history->ordered[w.number] = ++w.home->history->warps[w.number][w.number];
}

void publish_at_barrier(warp& w, unsigned number) {
  tensor_publish_at_barrier(w, number);
  if (w.home->history == nullptr) return;
  order_lanes(w);
  auto& all = *w.home->history;
  join(all.barriers[number], all.warps[w.number]);
  ++all.warps[w.number][w.number];
}

void complete_barrier(block& home, unsigned number) {
  tensor_complete_barrier(home, number);
  if (home.history == nullptr) return;
  home.history->completed[number] = home.history->barriers[number];
  home.history->barriers[number] = {};
}

void acquire_barrier(warp& w, unsigned number) {
  tensor_acquire_barrier(w, number);
  if (w.home->history == nullptr) return;
  order_lanes(w);
  join(w.home->history->warps[w.number], w.home->history->completed[number]);
}

clocks clocks_of(warp const& w) {
  return w.home->history == nullptr ? clocks{} : w.home->history->warps[w.number];
}

clocks issued_clocks(warp& w) {
  clocks const known = clocks_of(w);
  if (w.home->history != nullptr) ++w.home->history->warps[w.number][w.number];
  return known;
}

void publish_clocks(block& owner, std::uint32_t offset, clocks const& known) {
  if (owner.history != nullptr) join(owner.history->mbarriers[offset], known);
}

void publish_at_mbarrier(warp& w, block& owner, std::uint32_t offset) {
  tensor_publish_at_mbarrier(w, owner, offset);
  publish_to_peer(w, owner, offset);
  if (w.home->history == nullptr || &owner != w.home) return;
  publish_clocks(owner, offset, clocks_of(w));
  ++w.home->history->warps[w.number][w.number];
}

void end_phase(block& owner, std::uint32_t offset) {
  if (owner.history != nullptr) owner.history->ended[offset] = owner.history->mbarriers[offset];
}

void acquire_mbarrier(warp& w, block& owner, std::uint32_t offset) {
  tensor_acquire_mbarrier(w, owner, offset);
  if (w.home->history == nullptr || &owner != w.home) return;
  order_lanes(w);
  join(w.home->history->warps[w.number], owner.history->ended[offset]);
  acquire_from_peers(w, offset);
}

void proxy_fence(warp& w, bool acquires, bool releases) {
  if (w.home->history == nullptr) return;
  auto& all = *w.home->history;
  auto const& mine = all.warps[w.number];
  if (releases) all.fenced[w.number] = mine[w.number];
  if (acquires) all.at_fence[w.number] = mine;
  mbarrier_fence(w);
}

void mbarrier_fence(warp& w) {
  if (w.home->history == nullptr) return;
  auto& all = *w.home->history;
  all.mbarrier_fenced[w.number] = all.warps[w.number][w.number]++;
}

void mbarrier_initialised(warp& w, instruction const& i, block& owner, std::uint32_t offset) {
  if (&owner != w.home || owner.history == nullptr) return;
  auto& all = *owner.history;
  all.fresh[offset] = {w.number, all.warps[w.number][w.number], i.statement};
}

void require_visible_mbarrier(warp& w, instruction const& i, unsigned lane, block& owner,
                              std::uint32_t offset) {
  if (owner.history == nullptr || !w.run->options.strict) return;
  auto const found = owner.history->fresh.find(offset);
  if (found == owner.history->fresh.end()) return;
  auto const& [by, clock, statement] = found->second;
  bool const fenced_here = &owner == w.home && owner.history->at_fence[w.number][by] >= clock;
  if (owner.history->mbarrier_fenced[by] < clock && !fenced_here) {
    auto const& where = w.run->code->places[statement];
    fault_or_warn(w, i, lane, trouble::proxy, offset, [&] {
      return say("completes on the mbarrier at ", hexadecimal(offset), ", initialised in PTX line ",
                 where.ptx_line, " without a fence.mbarrier_init or fence.proxy.async since");
    });
  }
  owner.history->fresh.erase(found);
}

void remember_swizzle(block& owner, std::uint32_t begin, std::uint32_t bytes, int mode) {
  if (owner.history == nullptr) return;
  for (std::uint32_t at = begin / 16; at < (begin + bytes) / 16; ++at)
    owner.history->swizzles[at] = static_cast<std::uint8_t>(mode + 1);
}

void order_cluster(cluster& all) {
  tensor_order_cluster(all);
  knowledge const known_by_all = known_in(all);
  for (auto& each : all.blocks) {
    if (each->history == nullptr) continue;
    auto& warps = each->history->warps;
    clocks known{};
    for (auto const& w : warps) join(known, w);
    for (std::size_t k = 0; k < warps.size(); ++k) {
      warps[k] = known;
      ++warps[k][k];
    }
    for (std::size_t k = 0; k < each->history->ordered.size(); ++k)
      each->history->ordered[k] = warps[k][k];
  }
  acquire_in_cluster(all, known_by_all);
}

}  // namespace machine
