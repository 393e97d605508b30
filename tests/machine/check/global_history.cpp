// Implements the race detection of global_history.hpp.
#include "check/global_history.hpp"

#include <algorithm>

#include "check/history.hpp"
#include "check/strict.hpp"
#include "execute/lanes.hpp"

namespace machine {
namespace {

constexpr std::uint32_t strong_in_block = 1, strong_in_cluster = 2, strong_on_device = 3;

bool has(std::string_view opcode, std::string_view part) {
  return opcode.find(part) != std::string_view::npos;
}

void report_race(warp& w, instruction const& i, unsigned lane, std::uint64_t address, bool writes,
                 global_touch const& other, bool other_wrote) {
  auto const thread = thread_index(*w.run, other.actor % first_bulk * 32 + other.lane);
  auto const at = index_of_block(*w.run, other.block);
  bool const is_bulk = other.actor >= first_bulk;
  bool const same_block = other.block == number_of(*w.home);
  auto const sentence = [&] {
    return say(writes ? "writes" : "reads", " global memory at ", hexadecimal(address), ", which ",
               "thread (", thread.x, ',', thread.y, ',', thread.z, ") of block (", at.x, ',', at.y,
               ',', at.z, other_wrote ? ") wrote in " : ") read in ",
               place_of_statement(*w.run, other.statement),
               is_bulk      ? "; its wait_group, and then a release, must come before"
               : same_block ? "; no barrier lies between"
                            : "; no release and acquire of scope .gpu or .sys lie between");
  };
  fault_or_warn(w, i, lane, trouble::race, address, sentence,
                w.run->code->places[other.statement].ptx_line);
}

/// True if both accesses are strong and the scope of each includes both threads. Such accesses do
/// not race.
bool both_strong(running const& run, global_touch const& a, global_touch const& b) {
  std::uint32_t const needed = a.block == b.block ? strong_in_block
                               : cluster_of(run, a.block) == cluster_of(run, b.block)
                                   ? strong_in_cluster
                                   : strong_on_device;
  return a.strong >= needed && b.strong >= needed;
}

bool same_actor(global_touch const& a, global_touch const& b) {
  return a.block == b.block && a.actor == b.actor;
}

/// True if a recorded access happened before the access `now` of warp w, whose clocks are `mine`. A
/// warp's own accesses are ordered, except that only a wait orders its bulk stores.
bool is_before(warp& w, clocks const& mine, global_touch const& now, global_touch const& before) {
  bool const follows =
      same_actor(before, now) && (now.actor < first_bulk || before.clock == now.clock);
  return before.clock == 0 || follows || knows(w, mine, {before.block, before.actor, before.clock});
}

/// True if a recorded read of all bytes that `write` and the access share happened before the
/// access. The read did not race with `write`: its reader knew of `write`, or both are strong. So
/// `write` is ordered before the access too.
bool observed(warp& w, clocks const& mine, global_touch const& now, global_word const& word,
              global_touch const& write) {
  return std::any_of(std::begin(word.reads), std::end(word.reads), [&](auto const& read) {
    return read.clock != 0 && (write.bytes & now.bytes & ~read.bytes) == 0 &&
           is_before(w, mine, now, read);
  });
}

/// Records an access. Merges it with a record that the same warp has made since it last
/// synchronised, if both have the same bytes or the same strength. The weaker strength remains.
/// `is_superseded` says which other records the new access replaces.
template <class Superseded>
void record(global_touch (&slots)[2], global_touch now, Superseded const& is_superseded) {
  for (auto& each : slots) {
    if (each.clock == 0) continue;
    bool const merges = same_actor(each, now) && each.clock == now.clock &&
                        (each.strong == now.strong || each.bytes == now.bytes);
    if (merges) {
      now.bytes = (now.bytes | each.bytes) & 15u;
      now.strong = std::min<std::uint32_t>(now.strong, each.strong) & 3u;
      each = {};
    } else if (is_superseded(each)) {
      each.bytes = each.bytes & ~now.bytes & 15u;
      if (each.bytes == 0) each = {};
    }
  }
  slots[slots[0].clock == 0 ? 0 : 1] = now;
}

/// Requires a proxy fence between generic writes and a bulk copy that reads them. The writer, the
/// reader, or a thread between them in the order of release and acquire may execute the fence.
void require_proxy_fence(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                         clocks const& mine, global_touch const& write) {
  if (write.clock == 0 || write.actor >= first_bulk) return;
  if (knows(w, mine, {write.block, first_fenced + write.actor, write.clock})) return;
  fault_or_warn(w, i, lane, trouble::proxy, address, [&] {
    return say("reads global memory at ", hexadecimal(address),
               " through the asynchronous proxy; it was written in ",
               place_of_statement(*w.run, write.statement), " without a fence.proxy.async since");
  });
}

/// Checks an access of one lane and records it. `mine` are the warp's clocks at the issue.
void track(warp& w, instruction const& i, global_touch now, std::uint64_t address,
           std::uint32_t bytes, global_access const& how, clocks const& mine) {
  auto& all = *w.run->global;
  for (std::uint64_t at = address / 4; at < (address + bytes + 3) / 4; ++at) {
    std::uint64_t const first = std::max(address, 4 * at) - 4 * at,
                        end = std::min(address + bytes, 4 * at + 4) - 4 * at;
    now.bytes = ((1u << end) - (1u << first)) & 15u;
    auto& word = all.at(4 * at);
    auto const overlaps = [&](global_touch const& other) { return (other.bytes & now.bytes) != 0; };
    auto const is_ordered = [&](global_touch const& write) {
      return is_before(w, mine, now, write) || observed(w, mine, now, word, write);
    };
    for (auto const& write : word.writes) {
      if (!overlaps(write)) continue;
      if (!both_strong(*w.run, now, write) && !is_ordered(write))
        report_race(w, i, now.lane, 4 * at, how.writes, write, true);
      if (how.is_asynchronous && how.reads && !how.writes)
        require_proxy_fence(w, i, now.lane, 4 * at, mine, write);
    }
    if (!how.writes) {
      record(word.reads, now,
             [&](global_touch const& read) { return is_before(w, mine, now, read); });
      continue;
    }
    for (auto const& read : word.reads)
      if (overlaps(read) && !both_strong(*w.run, now, read) && !is_before(w, mine, now, read))
        report_race(w, i, now.lane, 4 * at, true, read, false);
    // An atomic that returns the old value has observed the earlier writes and replaces them.
    record(word.writes, now,
           [&](global_touch const& write) { return how.observes || is_ordered(write); });
    for (auto& read : word.reads) {
      read.bytes = read.bytes & ~now.bytes & 15u;
      if (read.bytes == 0) read = {};
    }
  }
}

global_touch touch_of(warp& w, instruction const& i, unsigned lane) {
  global_touch now;
  now.clock = own_clock(w);
  now.block = number_of(*w.home);
  now.statement = i.statement;
  now.actor = w.number & 63u;
  now.lane = lane & 31u;
  return now;
}

}  // namespace

extent3 index_of_block(running const& run, std::uint32_t number) {
  auto const& c = run.cluster_extent;
  std::uint32_t const blocks = c.x * c.y * c.z, home = number / blocks, rank = number % blocks;
  std::uint32_t const columns = run.grid.x / c.x, rows = run.grid.y / c.y;
  return {home % columns * c.x + rank % c.x, home / columns % rows * c.y + rank / c.x % c.y,
          home / columns / rows * c.z + rank / c.x / c.y};
}

global_word& global_history::at(std::uint64_t address) {
  std::uint64_t const number = address / 4 / page_words;
  if (number != last_number_) {
    auto& found = pages_[number];
    if (found == nullptr) found = std::make_unique<page>();
    last_ = found.get();
    last_number_ = number;
  }
  return (*last_)[address / 4 % page_words];
}

void global_history::forget(cluster const& ended) {
  for (auto const& each : ended.blocks) order.blocks.erase(number_of(*each));
}

bool tracks_global_memory(launch_options const& options) {
  return options.strict && options.check_races && options.warnings == nullptr;
}

global_access global_access_of(instruction const& i, running const& run, bool reads, bool writes) {
  std::string_view const opcode = run.code->places[i.statement].opcode;
  global_access made;
  made.reads = reads;
  made.writes = writes;
  made.observes = reads && !opcode.starts_with("red");
  bool const atomic = reads && writes;
  if (i.is_weak && !atomic) return made;
  // Volatile accesses have the scope .sys, atomics without a scope have .gpu.
  made.strong = has(opcode, ".cta")       ? strong_in_block
                : has(opcode, ".cluster") ? strong_in_cluster
                                          : strong_on_device;
  if (made.strong != strong_on_device) return made;
  made.acquires = made.observes && (has(opcode, ".acquire") || has(opcode, ".acq_rel"));
  made.releases = writes && (has(opcode, ".release") || has(opcode, ".acq_rel"));
  return made;
}

void track_global(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                  std::uint32_t bytes, global_access const& how) {
  global_touch now = touch_of(w, i, lane);
  now.strong = how.strong & 3u;
  track(w, i, now, address, bytes, how, w.home->history->warps[w.number]);
  if (how.strong == strong_on_device)
    synchronise(w, address,
                {how.observes, how.writes, how.reads && how.writes, how.acquires, how.releases});
}

void track_global_lanes(warp& w, instruction const& i, std::uint32_t mask,
                        std::uint64_t const* addresses, std::uint32_t bytes, bool writes) {
  auto const how = global_access_of(i, *w.run, !writes, writes);
  for_lanes(mask, [&](unsigned lane) { track_global(w, i, lane, addresses[lane], bytes, how); });
}

void track_bulk_read(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                     std::uint32_t bytes, clocks const& issued) {
  if (w.run->global == nullptr) return;
  global_touch now = touch_of(w, i, lane);
  now.clock = issued[w.number];
  track(w, i, now, address, bytes, {.reads = true, .is_asynchronous = true}, issued);
}

std::uint32_t issue_bulk_store(warp& w) {
  return w.run->global == nullptr ? 0 : ++acquisitions_of(w).bulk;
}

std::uint32_t last_bulk_store(warp& w) {
  return w.run->global == nullptr ? 0 : acquisitions_of(w).bulk;
}

void track_bulk_write(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                      std::uint32_t bytes, std::uint32_t number, bool reduces) {
  if (w.run->global == nullptr) return;
  global_touch now = touch_of(w, i, lane);
  now.clock = number;
  now.actor = (first_bulk + w.number) & 63u;
  now.strong = reduces ? strong_on_device : 0;
  track(w, i, now, address, bytes, {.reads = reduces, .writes = true, .is_asynchronous = true},
        w.home->history->warps[w.number]);
}

void bulk_store_waited_for(warp& w, std::uint32_t number) {
  if (w.run->global == nullptr || number == 0) return;
  auto made = std::make_shared<knowledge>();
  (*made)[number_of(*w.home)][first_bulk + w.number] = number;
  acquire(w, made);
}

}  // namespace machine
