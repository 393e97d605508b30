// Implements the race detection of history.hpp.
#include "check/history.hpp"

#include <algorithm>
#include <bit>

#include "check/cluster_history.hpp"
#include "check/strict.hpp"
#include "execute/lanes.hpp"
#include "tcgen05/order.hpp"

namespace machine {
namespace {

bool knows(clocks const& mine, touched const& other) {
  return other.clock == 0 || mine[other.warp] >= other.clock;
}

}  // namespace

std::string place_of(running const& run, touched const& at) {
  if (at.statement == last_statement)
    return "an instruction whose line was not recorded (the program is too long)";
  return place_of_statement(run, at.statement);
}

touched made_touch(std::uint32_t clock, std::uint32_t as, unsigned lane, proxy through,
                   instruction const& i) {
  touched now;
  now.clock = clock;
  now.warp = as & 63u;
  now.lane = lane & 31u;
  now.asynchronous = through == proxy::async;
  now.atomic = through == proxy::atomic;
  now.statement = std::min(i.statement, last_statement) & last_statement;
  return now;
}

namespace {

std::string who(running const& run, touched const& at) {
  if (at.warp == tensor_core) return "the tensor core";
  if (at.warp == other_blocks) return "another block of the cluster";
  std::uint32_t const first =
      at.warp < first_engine ? at.warp * 32u : (at.warp - first_engine) * 128u;
  auto const thread = thread_index(run, first + at.lane);
  return say("thread (", thread.x, ',', thread.y, ',', thread.z, ')');
}

int ptx_line_of(running const& run, touched const& at) {
  return at.statement == last_statement ? 0 : run.code->places[at.statement].ptx_line;
}

/// Reports a race: ends the launch, or adds a warning for this pair of PTX lines.
void report_race(warp& w, instruction const& i, unsigned lane, std::uint32_t offset, bool writes,
                 touched const& other, bool other_wrote) {
  auto const sentence = [&] {
    return say(writes ? "writes" : "reads", " shared memory at ", hexadecimal(offset), ", which ",
               who(*w.run, other), other_wrote ? " wrote" : " read", " in ",
               place_of(*w.run, other), other.asynchronous ? " (asynchronously)" : "",
               "; no barrier lies between");
  };
  fault_or_warn(w, i, lane, trouble::race, offset, sentence, ptx_line_of(*w.run, other));
}

/// True for accesses of two lanes of one warp that nothing orders. Two lanes may write one word in
/// the same instruction: one of the values remains.
bool unordered_lanes(touched const& now, touched const& before, bool both_write,
                     std::uint32_t ordered) {
  return now.lane != before.lane && before.clock >= ordered && !now.asynchronous &&
         !before.asynchronous && !(both_write && now.statement == before.statement);
}

/// True if `now` races with the last write of its word. Writes of other blocks are left out.
bool races_with_write(warp const& w, shared_history const& all, touched const& last,
                      touched const& now, bool writes) {
  if (last.clock == 0 || last.warp == other_blocks || (last.atomic && now.atomic)) return false;
  clocks const& mine = all.warps[now.warp];
  // True if some of the four warps that issued the wgmma know the access, but not all of them
  // (learn_together).
  bool const heard_of = now.warp >= first_engine && !knows(mine, last) &&
                        knows(all.heard[now.warp - first_engine], last);
  if (last.warp != now.warp && !heard_of) return !knows(mine, last);
  return w.run->options.strict &&
         (heard_of || unordered_lanes(now, last, writes, all.ordered[w.number]));
}

/// True if the write `now` races with a read of its word. Reads of other blocks are left out.
bool races_with_read(warp const& w, shared_history const& all, touched const& read,
                     touched const& now) {
  if (read.clock == 0 || read.warp == other_blocks) return false;
  if (read.warp != now.warp) return !knows(all.warps[now.warp], read);
  return w.run->options.strict && unordered_lanes(now, read, false, all.ordered[w.number]);
}

/// Reports an asynchronous read if no proxy fence lies between it and the write, in strict mode.
void require_fenced_write(warp& w, instruction const& i, unsigned lane, std::uint32_t word,
                          touched const& write) {
  if (!w.run->options.strict || write.clock == 0 || write.warp == other_blocks ||
      write.asynchronous)
    return;
  auto const& all = *w.home->history;
  bool const fenced_by_writer = all.fenced[write.warp] >= write.clock;
  bool const fenced_by_reader = knows(all.at_fence[w.number], write);
  if (fenced_by_writer || fenced_by_reader) return;
  fault_or_warn(w, i, lane, trouble::proxy, word * 4, [&] {
    return say("reads shared memory at ", hexadecimal(word * 4),
               " through the asynchronous proxy; it was written in ", place_of(*w.run, write),
               " without a fence.proxy.async since");
  });
}

/// Adds a legal access to the history of its word.
void remember(word_history& word, touched const& now, bool writes, clocks const& mine) {
  if (writes) {
    word.write = now;
    word.reads[0] = word.reads[1] = {};
    return;
  }
  // The new read replaces the first recorded read if that happened before it, else the second.
  if (word.reads[0].clock == 0 || word.reads[0].warp == now.warp || knows(mine, word.reads[0])) {
    word.reads[0] = now;
    return;
  }
  word.reads[1] = now;
}

}  // namespace

shared_history::shared_history(std::size_t bytes, std::size_t warp_count)
    : words(bytes / 4 + 1),
      warps(most_actors),
      fenced(warp_count, 0),
      at_fence(warp_count),
      core_reads(warp_count, 0),
      mbarrier_fenced(warp_count, 0),
      ordered(warp_count, 1),
      swizzles(bytes / 16 + 1, 0) {
  for (std::size_t k = 0; k < most_actors; ++k) warps[k][k] = 1;
}

void track(warp& w, instruction const& i, unsigned lane, block& owner, std::uint32_t offset,
           std::uint32_t bytes, bool writes, proxy through) {
  track(w, i, lane, owner, offset, bytes, writes, through, w.number);
}

void track(warp& w, instruction const& i, unsigned lane, block& owner, std::uint32_t offset,
           std::uint32_t bytes, bool writes, proxy through, std::uint32_t as) {
  if (owner.history == nullptr) return;
  if (&owner != w.home) return track_remote(w, i, lane, owner, offset, bytes, writes, through, as);
  auto& all = *owner.history;
  clocks const& mine = all.warps[as];
  touched const now = made_touch(mine[as], as, lane, through, i);
  if (writes)
    for (std::uint32_t at = offset / 16; at < (offset + bytes + 15) / 16; ++at)
      all.swizzles[at] = 0;
  remote_touch compared;  // the last access of another block that was compared
  for (std::uint32_t at = offset / 4; at < (offset + bytes + 3) / 4; ++at) {
    auto& word = all.words[at];
    auto const& last = word.write;
    // Accesses of less than 4 bytes are not compared: warps may write different bytes of one word.
    bool const whole = bytes >= 4;
    // An access of another block is checked by cluster_history.hpp. The word has a marker for it.
    touched const marker = last.warp == other_blocks ? last : word.reads[0];
    bool stays_marked = false;
    if (whole && marker.warp == other_blocks && (writes || !(all.remote[at].write == compared))) {
      compared = all.remote[at].write;
      stays_marked = require_after_others(w, i, owner, at, now, writes) && writes;
    }
    if (whole && races_with_write(w, all, last, now, writes))
      report_race(w, i, lane, at * 4, writes, last, true);
    if (whole && writes)
      for (auto const& read : word.reads)
        if (races_with_read(w, all, read, now)) report_race(w, i, lane, at * 4, true, read, false);
    if (through == proxy::async && !writes) require_fenced_write(w, i, lane, at, last);
    remember(word, now, writes, mine);
    if (stays_marked) word.reads[0] = marker;
  }
}

void require_unchanged(warp& w, instruction const& i, unsigned lane, std::uint32_t offset,
                       std::uint32_t bytes, clocks const& issued) {
  if (w.home->history == nullptr) return;
  for (std::uint32_t at = offset / 4; at < (offset + bytes) / 4; ++at) {
    auto const& write = w.home->history->words[at].write;
    bool const is_known =
        write.warp == other_blocks ? knows_other_writer(w, issued, at) : knows(issued, write);
    if (is_known) continue;
    auto const sentence = [&] {
      return say("the bulk store still reads shared memory at ", hexadecimal(at * 4), ", which ",
                 who(*w.run, write), " overwrote in ", place_of(*w.run, write),
                 "; no cp.async.bulk.wait_group has waited for this store's group before");
    };
    fault_or_warn(w, i, lane, trouble::race, at * 4, sentence, ptx_line_of(*w.run, write));
  }
}

void require_fenced_reads(warp& w, instruction const& i, unsigned lane, block& owner,
                          std::uint32_t offset, std::uint32_t bytes) {
  if (owner.history == nullptr || &owner != w.home || !w.run->options.strict) return;
  auto const& all = *owner.history;
  for (std::uint32_t at = offset / 4; at < (offset + bytes) / 4; ++at)
    for (auto const& read : all.words[at].reads) {
      if (read.clock == 0 || read.asynchronous || read.warp >= all.fenced.size()) continue;
      if (all.fenced[read.warp] >= read.clock || knows(all.at_fence[w.number], read)) continue;
      fault_or_warn(w, i, lane, trouble::proxy, at * 4, [&] {
        return say("writes shared memory at ", hexadecimal(at * 4),
                   " through the asynchronous proxy; it was read in ", place_of(*w.run, read),
                   " without a fence.proxy.async since");
      });
    }
}

// If the next lane accesses the same word, only the next lane is recorded, unless strict mode
// compares lanes.
void track_loads(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t const* addresses,
                 std::uint32_t bytes) {
  auto& all = *w.home->history;
  clocks const& mine = all.warps[w.number];
  bool const strict = w.run->options.strict;
  std::uint32_t const ordered = all.ordered[w.number];
  std::uint32_t const words = (bytes + 3) / 4;
  bool const whole = bytes >= 4;
  touched now = made_touch(mine[w.number], w.number, 0, proxy::generic, i);
  for_lanes(mask, [&](unsigned lane) {
    if (!strict && lane != 31 && ((mask >> (lane + 1)) & 1u) != 0 &&
        addresses[lane + 1] == addresses[lane])
      return;
    now.lane = lane & 31u;
    word_history* const first = &all.words[addresses[lane] / 4];
    for (std::uint32_t k = 0; k < words; ++k) {
      touched const last = first[k].write;
      bool const doubtful =
          mine[last.warp] < last.clock || first[k].reads[0].warp == other_blocks ||
          (strict && last.warp == w.number && last.lane != now.lane && last.clock >= ordered);
      if (whole && doubtful)
        return track(w, i, lane, *w.home, addresses[lane], bytes, false, proxy::generic);
      touched const read = first[k].reads[0];
      bool const replaces = read.warp == w.number || mine[read.warp] >= read.clock;
      first[k].reads[replaces ? 0 : 1] = now;
    }
  });
}

void track_stores(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t const* addresses,
                  std::uint32_t bytes) {
  auto& all = *w.home->history;
  clocks const& mine = all.warps[w.number];
  bool const strict = w.run->options.strict;
  std::uint32_t const ordered = all.ordered[w.number];
  std::uint32_t const words = (bytes + 3) / 4;
  bool const whole = bytes >= 4;
  touched now = made_touch(mine[w.number], w.number, 0, proxy::generic, i);
  auto const doubtful = [&](touched const& before) {
    return mine[before.warp] < before.clock || (strict && before.warp == w.number &&
                                                before.lane != now.lane && before.clock >= ordered);
  };
  for_lanes(mask, [&](unsigned lane) {
    now.lane = lane & 31u;
    word_history* const first = &all.words[addresses[lane] / 4];
    for (std::uint32_t k = 0; k < words; ++k) {
      auto& word = first[k];
      if (whole && (doubtful(word.write) || doubtful(word.reads[0]) || doubtful(word.reads[1])))
        return track(w, i, lane, *w.home, addresses[lane], bytes, true, proxy::generic);
      word = {now, {}};
      all.swizzles[addresses[lane] / 16 + k / 4] = 0;
    }
  });
}

// Neighbouring words often have one last write, with the same actor and clock. Such a word is not
// compared again, unless reads[0] has another actor's read. Four words (16 bytes of an operand) are
// tested without a branch. If another block touched a word, its record is only a marker, and two
// accesses may leave equal markers. Then the accesses that `remote` stores are compared.
void track_engine_reads(warp& w, instruction const& i, block& owner, std::uint32_t offset,
                        std::uint32_t bytes, std::uint32_t as) {
  if (owner.history == nullptr) return;
  if (as == tensor_core)
    w.home->history->core_reads[w.number] = w.home->history->warps[tensor_core][tensor_core];
  if (&owner != w.home) return track_remote(w, i, 0, owner, offset, bytes, false, proxy::async, as);
  auto& all = *owner.history;
  touched const now = made_touch(all.warps[as][as], as, 0, proxy::async, i);
  // Masks of the fields of `touched` that decide.
  touched actor_and_clock{~0u, 63, 0, 1, 1, 0}, only_warp{0, 63, 0, 0, 0, 0},
      only_clock{~0u, 0, 0, 0, 0, 0};
  auto const own = std::bit_cast<std::uint64_t>(now),
             write_bits = std::bit_cast<std::uint64_t>(actor_and_clock),
             warp_bits = std::bit_cast<std::uint64_t>(only_warp),
             clock_bits = std::bit_cast<std::uint64_t>(only_clock);
  word_history* const first = &all.words[offset / 4];
  std::uint64_t last = 0;
  bool is_marked = false;  // for the last word that was compared
  remote_touch compared;
  auto const is_new = [&](word_history const& word) {
    auto const write = std::bit_cast<std::uint64_t>(word.write) ^ last,
               read = std::bit_cast<std::uint64_t>(word.reads[0]);
    return int{(write & write_bits) != 0} |
           (int{(read & clock_bits) != 0} & int{((read ^ own) & warp_bits) != 0});
  };
  std::uint32_t const words = bytes / 4;
  for (std::uint32_t k = 0; k < words; k += 4) {
    word_history* const four = first + k;
    if (!is_marked && k + 4 <= words &&
        (is_new(four[0]) | is_new(four[1]) | is_new(four[2]) | is_new(four[3])) == 0) {
      four[0].reads[0] = four[1].reads[0] = four[2].reads[0] = four[3].reads[0] = now;
      continue;
    }
    for (std::uint32_t j = 0; j < std::min(4u, words - k); ++j) {
      auto const write = four[j].write;
      std::uint32_t const at = offset / 4 + k + j;
      if (is_new(four[j]) == 0 && (!is_marked || all.remote[at].write == compared)) {
        four[j].reads[0] = now;
        continue;
      }
      track(w, i, 0, owner, 4 * at, 4, false, proxy::async, as);
      last = std::bit_cast<std::uint64_t>(write);
      is_marked = write.warp == other_blocks;
      if (is_marked) compared = all.remote[at].write;
    }
  }
}

}  // namespace machine
