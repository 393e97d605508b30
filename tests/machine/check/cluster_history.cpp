// Implements the race detection of cluster_history.hpp.
#include "check/cluster_history.hpp"

#include <algorithm>

#include "check/global_history.hpp"
#include "check/strict.hpp"

namespace machine {
namespace {

bool is_marker(touched const& at) { return at.clock != 0 && at.warp == other_blocks; }

/// True if the access at this moment happened before what w does now: w has synchronised with the
/// actor since the access, or the access is a copy and w has waited for the copy.
bool is_ordered(warp& w, clocks const& mine, moment const& at, bool is_copy) {
  if (knows(w, mine, at)) return true;
  return is_copy && at.actor < first_bulk &&
         knows(w, mine, {at.block, first_copy + at.actor, at.clock});
}

/// True for the accesses that complete on an mbarrier: copies, st.async and red.async.
bool is_copy(running const& run, touched const& at) {
  if (at.warp >= first_engine || at.statement == last_statement) return at.asynchronous;
  std::string_view const opcode = run.code->places[at.statement].opcode;
  return at.asynchronous || opcode.starts_with("st.async") || opcode.starts_with("red.async") ||
         opcode.starts_with("cp.reduce");
}

/// True if warp or engine `as` of w's block made the access.
bool is_same(remote_touch const& at, warp const& w, std::uint32_t as) {
  return at.block == number_of(*w.home) && at.by.warp == as;
}

void report(warp& w, instruction const& i, unsigned lane, std::uint32_t address, bool writes,
            std::uint32_t other_block, touched const& other, bool other_wrote) {
  auto const at = index_of_block(*w.run, other_block);
  bool const is_core = other.warp >= first_engine;
  auto const thread = thread_index(*w.run, is_core ? 0 : other.warp * 32 + other.lane);
  int const line =
      other.statement == last_statement ? 0 : w.run->code->places[other.statement].ptx_line;
  auto const sentence = [&] {
    std::string const who = is_core ? std::string("a matrix engine")
                                    : say("thread (", thread.x, ',', thread.y, ',', thread.z, ')');
    return say(writes ? "writes" : "reads", " shared memory at ", hexadecimal(address), ", which ",
               who, " of block (", at.x, ',', at.y, ',', at.z, other_wrote ? ") wrote" : ") read",
               " in ", place_of(*w.run, other), other.asynchronous ? " (asynchronously)" : "",
               "; no barrier of the cluster, and no arrival at an mbarrier and wait, lies between");
  };
  fault_or_warn(w, i, lane, trouble::race, address, sentence, line);
}

/// Compares an access with an earlier one to the same word, by this or another block.
struct comparison {
  warp& w;
  instruction const& i;
  block& owner;
  std::uint32_t word;
  touched const& now;
  bool writes;
  clocks const& mine;

  void against(std::uint32_t block_number, touched const& before, bool wrote) const {
    if (before.clock == 0 || is_marker(before) || (before.atomic && now.atomic)) return;
    remote_touch const other{block_number, before};
    if (is_same(other, w, now.warp)) return;
    if (is_ordered(w, mine, {block_number, actor_of(before.warp), before.clock},
                   wrote && is_copy(*w.run, before)))
      return;
    report(w, i, now.lane, word * 4 | owner.rank << shared_rank_shift, writes, block_number, before,
           wrote);
  }
};

remote_word& remote_at(shared_history& all, std::uint32_t word) {
  if (all.remote.empty()) all.remote.resize(all.words.size());
  return all.remote[word];
}

touched marker_of(touched const& now) {
  touched made = now;
  made.warp = other_blocks;
  made.clock = now.clock | 0x80000000u;  // higher than the clock of any warp
  return made;
}

/// Marks a word that another block has touched. The marker of a read is stored in reads[0], where
/// no later read of this block replaces it. Atomics need no order: if both accesses are atomic, the
/// marker is stored in reads[0] too, and this block's write stays recorded.
void mark(word_history& word, touched const& now, bool writes) {
  if (writes) {
    bool const beside = now.atomic && word.write.atomic && !is_marker(word.write);
    word =
        beside ? word_history{word.write, {marker_of(now), {}}} : word_history{marker_of(now), {}};
    return;
  }
  if (!is_marker(word.reads[0]) && word.reads[0].clock != 0) word.reads[1] = word.reads[0];
  word.reads[0] = marker_of(now);
}

}  // namespace

void track_remote(warp& w, instruction const& i, unsigned lane, block& owner, std::uint32_t offset,
                  std::uint32_t bytes, bool writes, proxy through, std::uint32_t as) {
  if (w.run->global == nullptr || bytes < 4) return;
  auto& all = *owner.history;
  clocks const& mine = w.home->history->warps[w.number];
  std::uint32_t const clock = w.home->history->warps[as][as];
  touched const now = made_touch(clock, as, lane, through, i);
  std::uint32_t const home = number_of(*w.home), other = number_of(owner);
  // A copy writes many words. Most have the same history as the word before and need no comparison.
  word_history last{};
  remote_word last_remote{};
  for (std::uint32_t at = offset / 4; at < (offset + bytes + 3) / 4; ++at) {
    auto& word = all.words[at];
    auto& remote = remote_at(all, at);
    if (!(word == last && remote == last_remote)) {
      last = word;
      last_remote = remote;
      comparison const it{w, i, owner, at, now, writes, mine};
      it.against(other, word.write, true);
      it.against(remote.write.block, remote.write.by, true);
      if (writes)
        for (std::size_t k = 0; k < 2; ++k) {
          it.against(other, word.reads[k], false);
          it.against(remote.reads[k].block, remote.reads[k].by, false);
        }
    }
    if (writes) {
      remote = {{home, now}, {}};
      all.swizzles[at / 4] = 0;
    } else {
      auto& first = remote.reads[0];
      bool const replaces =
          first.by.clock == 0 || is_same(first, w, as) ||
          is_ordered(w, mine, {first.block, actor_of(first.by.warp), first.by.clock}, false);
      remote.reads[replaces ? 0 : 1] = {home, now};
    }
    mark(word, now, writes);
  }
}

bool require_after_others(warp& w, instruction const& i, block& owner, std::uint32_t word,
                          touched const& now, bool writes) {
  auto& all = *owner.history;
  auto& remote = remote_at(all, word);
  // All four warps of a warpgroup issue its wgmma, so each must know the last write.
  bool const is_group = now.warp >= first_engine && now.warp < tensor_core;
  std::uint32_t const first = is_group ? w.number / 4 * 4 : w.number;
  for (std::uint32_t k = first; k < first + (is_group ? 4 : 1); ++k)
    comparison{*w.home->warps[k], i, owner, word, now, writes, all.warps[k]}.against(
        remote.write.block, remote.write.by, true);
  if (!writes) return true;
  comparison const it{w, i, owner, word, now, writes, all.warps[w.number]};
  for (auto const& read : remote.reads) it.against(read.block, read.by, false);
  bool const stays = now.atomic && remote.write.by.atomic;
  remote = stays ? remote_word{remote.write, {}} : remote_word{};
  return stays;
}

bool knows_other_writer(warp& w, clocks const& known, std::uint32_t word) {
  auto const& write = remote_at(*w.home->history, word).write;
  return write.by.clock == 0 ||
         is_ordered(w, known, {write.block, actor_of(write.by.warp), write.by.clock},
                    is_copy(*w.run, write.by));
}

void publish_copy(warp& w, block& signalled, std::uint32_t offset, clocks const& issued) {
  publish_moment(w, signalled, offset,
                 {number_of(*w.home), first_copy + w.number, issued[w.number]});
}

void publish_tensor_core(warp& w, block& owner, std::uint32_t offset, clocks const& read) {
  if (&owner == w.home || w.home->history == nullptr) return;
  publish_moment(w, owner, offset, {number_of(*w.home), actor_of(tensor_core), read[tensor_core]});
}

}  // namespace machine
