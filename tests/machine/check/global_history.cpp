// Implementation of global_history.hpp.
#include "check/global_history.hpp"

#include <algorithm>

#include "check/history.hpp"
#include "check/strict.hpp"
#include "execute/lanes.hpp"

namespace machine {
namespace {

constexpr std::uint32_t strong_in_block = 1, strong_on_device = 2;

bool has(std::string_view opcode, std::string_view part) {
  return opcode.find(part) != std::string_view::npos;
}

std::string place_of(running const& run, global_touch const& at) {
  auto const& where = run.code->places[at.statement];
  std::string text;
  auto const file = static_cast<std::size_t>(where.source_file);
  if (where.source_line > 0 && file < run.code->source->files.size())
    text = say(run.code->source->files[file], ':', where.source_line, ' ');
  return say(text, "(PTX line ", where.ptx_line, ") ", where.opcode);
}

extent3 index_of_block(running const& run, std::uint32_t number) {
  auto const& c = run.cluster_extent;
  std::uint32_t const blocks = c.x * c.y * c.z, home = number / blocks, rank = number % blocks;
  std::uint32_t const columns = run.grid.x / c.x, rows = run.grid.y / c.y;
  return {home % columns * c.x + rank % c.x, home / columns % rows * c.y + rank / c.x % c.y,
          home / columns / rows * c.z + rank / c.x / c.y};
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
               ',', at.z, other_wrote ? ") wrote in " : ") read in ", place_of(*w.run, other),
               is_bulk      ? "; its wait_group, and then a release, must come before"
               : same_block ? "; no barrier lies between"
                            : "; no release and acquire of scope .gpu or .sys lie between");
  };
  fault_or_warn(w, i, lane, trouble::race, address, sentence,
                w.run->code->places[other.statement].ptx_line);
}

/// Two strong accesses whose scopes include both threads do not race.
bool both_strong(global_touch const& a, global_touch const& b) {
  std::uint32_t const needed = a.block == b.block ? strong_in_block : strong_on_device;
  return a.strong >= needed && b.strong >= needed;
}

moment moment_of(global_touch const& at) { return {at.block, at.actor, at.clock}; }

bool conflicts(warp& w, global_touch const& now, global_touch const& before) {
  if (before.clock == 0 || (before.bytes & now.bytes) == 0 || both_strong(now, before))
    return false;
  if (before.block == now.block && before.actor == now.actor) return false;
  return !knows(w, moment_of(before));
}

/// Reads of a bulk copy need a proxy fence after generic writes, by the writer or by the reader.
void require_proxy_fence(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                         global_touch const& write) {
  if (write.clock == 0 || write.actor >= first_bulk) return;
  auto& all = *w.run->global;
  auto const by_writer = all.proxy_fences.find(std::uint64_t{write.block} << 32 | write.actor);
  if (by_writer != all.proxy_fences.end() && by_writer->second >= write.clock) return;
  auto const by_reader = all.at_proxy_fence.find(key_of(*w.home, w.number));
  if (by_reader != all.at_proxy_fence.end() && is_known(*by_reader->second, moment_of(write)))
    return;
  fault_or_warn(w, i, lane, trouble::proxy, address, [&] {
    return say("reads global memory at ", hexadecimal(address),
               " through the asynchronous proxy; it was written in ", place_of(*w.run, write),
               " without a fence.proxy.async since");
  });
}

void track(warp& w, instruction const& i, global_touch now, std::uint64_t address,
           std::uint32_t bytes, global_access const& how) {
  auto& all = *w.run->global;
  for (std::uint64_t at = address / 4; at < (address + bytes + 3) / 4; ++at) {
    std::uint64_t const first = std::max(address, 4 * at) - 4 * at,
                        end = std::min(address + bytes, 4 * at + 4) - 4 * at;
    now.bytes = ((1u << end) - (1u << first)) & 15u;
    auto& word = all.at(4 * at);
    if (conflicts(w, now, word.write))
      report_race(w, i, now.lane, 4 * at, how.writes, word.write, true);
    if (how.writes)
      for (auto const& read : word.reads)
        if (conflicts(w, now, read)) report_race(w, i, now.lane, 4 * at, true, read, false);
    if (how.is_asynchronous && how.reads && !how.writes)
      require_proxy_fence(w, i, now.lane, 4 * at, word.write);
    if (how.writes) {
      word = {now, {}};
      continue;
    }
    auto const same = [&](global_touch const& read) {
      return read.clock == 0 || (read.block == now.block && read.actor == now.actor);
    };
    word.reads[same(word.reads[0]) || knows(w, moment_of(word.reads[0])) ? 0 : 1] = now;
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

bool tracks_global_memory(launch_options const& options) {
  return options.strict && options.check_races && options.warnings == nullptr;
}

global_access global_access_of(instruction const& i, running const& run, bool reads, bool writes) {
  std::string_view const opcode = run.code->places[i.statement].opcode;
  global_access made;
  made.reads = reads;
  made.writes = writes;
  bool const atomic = reads && writes;
  if (i.is_weak && !atomic) return made;
  // Volatile accesses have the scope .sys, atomics without a scope have .gpu.
  bool const narrow = has(opcode, ".cta") || has(opcode, ".cluster");
  made.strong = narrow ? strong_in_block : strong_on_device;
  made.acquires = !narrow && (has(opcode, ".acquire") || has(opcode, ".acq_rel"));
  made.releases = !narrow && (has(opcode, ".release") || has(opcode, ".acq_rel"));
  return made;
}

void track_global(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                  std::uint32_t bytes, global_access const& how) {
  global_touch now = touch_of(w, i, lane);
  now.strong = how.strong & 3u;
  track(w, i, now, address, bytes, how);
  if (how.strong == strong_on_device)
    synchronise(w, address, {how.reads, how.writes, how.acquires, how.releases});
}

void track_global_lanes(warp& w, instruction const& i, std::uint32_t mask,
                        std::uint64_t const* addresses, std::uint32_t bytes, bool writes) {
  auto const how = global_access_of(i, *w.run, !writes, writes);
  for_lanes(mask, [&](unsigned lane) { track_global(w, i, lane, addresses[lane], bytes, how); });
}

void track_bulk_read(warp& w, instruction const& i, unsigned lane, std::uint64_t address,
                     std::uint32_t bytes, std::uint32_t issued) {
  if (w.run->global == nullptr) return;
  global_touch now = touch_of(w, i, lane);
  now.clock = issued;
  track(w, i, now, address, bytes, {.reads = true, .is_asynchronous = true});
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
  track(w, i, now, address, bytes, {.reads = reduces, .writes = true, .is_asynchronous = true});
}

void bulk_store_waited_for(warp& w, std::uint32_t number) {
  if (w.run->global == nullptr || number == 0) return;
  auto made = std::make_shared<knowledge>();
  (*made)[number_of(*w.home)][first_bulk + w.number] = number;
  acquire(w, made);
}

void proxy_fence_global(warp& w) {
  if (w.run->global == nullptr) return;
  auto const key = key_of(*w.home, w.number);
  w.run->global->proxy_fences[key] = own_clock(w);
  w.run->global->at_proxy_fence[key] = known_of(w);
}

}  // namespace machine
