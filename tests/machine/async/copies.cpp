// Implements cp.async and its groups, and decides when asynchronous copies complete (`landing`).
//
//     at_once    when the operation is issued
//     late       at the wait that guarantees it. Copies that signal an mbarrier complete when no
//                thread of the cluster can run without them
//     random     some operations complete when they are issued. The others complete at a random
//                moment if they signal an mbarrier, else at their wait
#include "async/copies.hpp"

#include <cstring>

#include "async/mbarrier.hpp"
#include "check/global_history.hpp"
#include "check/history.hpp"
#include "check/strict.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "state/address_map.hpp"

namespace machine {

thread_copies& copies_of(warp& w) {
  if (w.copies == nullptr) w.copies = std::make_unique<thread_copies>();
  return *w.copies;
}

bool lands_now(running& run) {
  switch (run.options.when) {
    case landing::at_once: return true;
    case landing::late: return false;
    case landing::random: return run.random(2) == 0;
  }
  return true;
}

void issue_copy(warp& w, std::function<void()> land, bool is_bulk) {
  if (lands_now(*w.run))
    land();
  else
    w.home->home->copies.push_back({std::move(land), is_bulk});
}

bool land_one(running& run, cluster& home) {
  if (home.copies.empty()) return false;
  std::size_t const which = run.options.when == landing::random
                                ? run.random(static_cast<std::uint32_t>(home.copies.size()))
                                : 0;
  auto const chosen = home.copies.begin() + static_cast<std::ptrdiff_t>(which);
  auto const land = std::move(chosen->land);
  home.copies.erase(chosen);
  land();
  ++home.progress;
  return true;
}

namespace {

void land(warp& w, unsigned lane, small_copy const& copy) {
  auto const to = reach(w, *copy.issued, lane, space::shared, copy.destination, copy.bytes,
                        access::write, copy.bytes);
  std::byte buffer[16] = {};
  if (copy.source_bytes != 0) {
    auto const from = reach(w, *copy.issued, lane, space::generic, copy.source, copy.source_bytes,
                            access::read, 1);
    require_written(w, *copy.issued, lane, copy.source, from, copy.source_bytes);
    std::memcpy(buffer, from.bytes, copy.source_bytes);
  }
  std::memcpy(to.bytes, buffer, copy.bytes);
  mark_written(to, copy.bytes);
}

/// With `cg` the copy bypasses L1, which is possible for 16 bytes only.
template <source_form form, bool cg>
void copy_async(warp& w, instruction const& i, std::uint32_t mask) {
  auto const* const to = lanes_of<std::uint32_t>(w, i.at[0]);
  auto const* const from = lanes_of<std::uint64_t>(w, i.at[1]);
  auto const* const size = lanes_of<std::uint32_t>(w, i.at[2]);
  auto& copies = copies_of(w);
  for_lanes(mask, [&](unsigned lane) {
    small_copy made{to[lane] + static_cast<std::uint32_t>(i.offset),
                    from[lane],
                    size[lane],
                    size[lane],
                    &i,
                    ++copies.last_small};
    if (made.bytes != 16 && (cg || (made.bytes != 4 && made.bytes != 8)))
      fault(w, i, lane, trouble::misaligned, made.source,
            say("copies ", made.bytes, " bytes; ", cg ? "only 16 are" : "4, 8 or 16 are",
                " possible"));
    if constexpr (form == source_form::size) {
      made.source_bytes = lanes_of<std::uint32_t>(w, i.at[3])[lane];
      if (made.source_bytes > made.bytes)
        fault(w, i, lane, trouble::out_of_bounds, made.source,
              say("src-size ", made.source_bytes, " is larger than cp-size ", made.bytes));
    }
    if constexpr (form == source_form::ignore)
      if (((predicate_of(w, i.at[3]) >> lane) & 1u) != 0) made.source_bytes = 0;
    if (made.source_bytes != 0)
      reach(w, i, lane, space::generic, made.source, made.source_bytes, access::read, 1);
    if (made.source_bytes != 0 && w.run->global != nullptr)
      track_global(w, i, lane, made.source, made.source_bytes, {.reads = true});
    if (made.source % made.bytes != 0)
      fault(w, i, lane, trouble::misaligned, made.source,
            say("the source ", hexadecimal(made.source), " is not a multiple of ", made.bytes));
    auto const where =
        reach(w, i, lane, space::shared, made.destination, made.bytes, access::write, made.bytes);
    if (made.destination >> shared_rank_shift == w.home->rank)
      track(w, i, lane, *w.home, made.destination & shared_offset_mask, made.bytes, true,
            proxy::generic);
    if (lands_now(*w.run)) {
      land(w, lane, made);
    } else {
      std::memset(where.written, static_cast<int>(is_in_flight),
                  made.bytes);  // the bytes count as not written until the thread waits
      copies.small[lane].open.push_back(made);
    }
  });
}

template <bool cg> void add_small_copies(opcode_table& table, char const* cache) {
  for (char const* place : {"shared", "shared::cta"}) {
    std::string const name = std::string("cp.async.") + cache + "." + place + ".global";
    auto const add = [&](char const* form, char const* signature, source_form of, handler run) {
      table_row row{name + form, signature, run};
      row.payload = static_cast<std::uint32_t>(of);
      table.add(row);
    };
    add("", "=SAw", source_form::all, &copy_async<source_form::all, cg>);
    add(".src_size", "=SAww", source_form::size, &copy_async<source_form::size, cg>);
    add(".ignore_src", "=SAwp", source_form::ignore, &copy_async<source_form::ignore, cg>);
  }
}

void commit(warp& w, instruction const&, std::uint32_t mask) {
  auto& copies = copies_of(w);
  for_lanes(mask, [&](unsigned lane) {
    auto& mine = copies.small[lane];
    // A group without copies, and without groups before it, is already complete.
    if (mine.open.empty() && mine.groups.empty()) return;
    mine.groups.push_back(std::exchange(mine.open, {}));
  });
}

void land_groups(warp& w, unsigned lane, std::size_t leave) {
  auto& mine = copies_of(w).small[lane];
  while (mine.groups.size() > leave) {
    for (auto const& each : mine.groups.front()) land(w, lane, each);
    mine.groups.pop_front();
  }
}

void wait_group(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) { land_groups(w, lane, static_cast<std::size_t>(i.offset)); });
}

void land_all_small(warp& w, unsigned lane) {
  land_groups(w, lane, 0);
  for (auto const& each : std::exchange(copies_of(w).small[lane].open, {})) land(w, lane, each);
}

void wait_all(warp& w, instruction const&, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) { land_all_small(w, lane); });
}

/// Completes the thread's copies up to number `last` and removes them from their groups. The groups
/// remain, even if they are empty.
void land_until(warp& w, unsigned lane, std::uint64_t last) {
  auto const is_due = [&](small_copy const& each) {
    if (each.number > last) return false;
    land(w, lane, each);
    return true;
  };
  auto& mine = copies_of(w).small[lane];
  for (auto& group : mine.groups) std::erase_if(group, is_due);
  std::erase_if(mine.open, is_due);
}

/// Implements cp.async.mbarrier.arrive, which arrives when the thread's earlier cp.async have
/// completed. Without .noinc it first increments the pending count, so the arrival leaves it
/// unchanged.
template <bool increments, bool generic>
void arrive_on_barrier(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    if constexpr (generic) {
      std::uint64_t const whole =
          lanes_of<std::uint64_t>(w, i.at[0])[lane] + static_cast<std::uint64_t>(i.offset);
      if (!is_in_shared_window(whole))
        fault(w, i, lane, trouble::mbarrier, whole,
              say("the mbarrier at ", hexadecimal(whole), " is not in shared memory"));
    }
    // The low half of a generic address in the shared window is the shared address.
    std::uint32_t const low =
        generic ? static_cast<std::uint32_t>(lanes_of<std::uint64_t>(w, i.at[0])[lane])
                : lanes_of<std::uint32_t>(w, i.at[0])[lane];
    std::uint32_t const address = low + static_cast<std::uint32_t>(i.offset);
    auto const at = reach(w, i, lane, space::shared, address, 8, access::update, 8);
    block& owner = block_of(w, i, lane, address);
    std::uint64_t bits = 0;
    std::memcpy(&bits, at.bytes, 8);
    auto word = unpack_mbarrier(bits);
    if (!word.valid)
      fault(w, i, lane, trouble::mbarrier, address, "the 8 bytes are not an initialised mbarrier");
    if constexpr (increments) {
      ++word.pending;
      bits = pack_mbarrier(word);
      std::memcpy(at.bytes, &bits, 8);
    }
    std::uint32_t const offset = address & shared_offset_mask;
    issue_copy(
        w,
        [&w, &i, lane, &owner, offset, last = copies_of(w).last_small, known = issued_clocks(w)] {
          land_until(w, lane, last);
          if (&owner == w.home) publish_clocks(owner, offset, known);
          if (auto const problem = arrive_once(owner, offset); !problem.empty())
            fault(w, i, lane, trouble::mbarrier, offset, problem);
        },
        false);
  });
}

}  // namespace

void require_no_copies(warp& w, instruction const& i, std::uint32_t mask) {
  if (w.copies == nullptr) return;
  for_lanes(mask, [&](unsigned lane) {
    auto const& bulk = w.copies->bulk[lane];
    bool reads = !bulk.open.empty();
    for (auto const& group : bulk.groups)
      for (auto const& each : group) reads = reads || each.read != nullptr;
    if (reads)
      fault_or_warn(w, i, lane, trouble::in_flight, 0, [] {
        return std::string(
            "ends while its bulk stores still read shared memory; no cp.async.bulk.wait_group has "
            "waited for them");
      });
  });
}

void land_leftovers(warp& w) {
  if (w.copies == nullptr) return;
  for (unsigned lane = 0; lane < 32; ++lane) {
    w.copies->small[lane] = {};  // the block's shared memory no longer exists
    auto& bulk = w.copies->bulk[lane];
    auto const finish = [](std::vector<bulk_store>& list) {
      for (auto& each : list) {
        if (each.read) each.read();
        if (each.write) each.write();
      }
    };
    for (auto& group : bulk.groups) finish(group);
    finish(bulk.open);
    bulk = {};
  }
}

void add_copies(opcode_table& table) {
  add_small_copies<false>(table, "ca");
  add_small_copies<true>(table, "cg");
  table.add({"cp.async.commit_group", "=", &commit});
  table.add({"cp.async.wait_group", "=i", &wait_group});
  table.add({"cp.async.wait_all", "=", &wait_all});
  for (char const* place : {"shared", "shared::cta"}) {
    table.add({std::string("cp.async.mbarrier.arrive.") + place + ".b64", "=S",
               &arrive_on_barrier<true, false>});
    table.add({std::string("cp.async.mbarrier.arrive.noinc.") + place + ".b64", "=S",
               &arrive_on_barrier<false, false>});
  }
  table.add({"cp.async.mbarrier.arrive.b64", "=A", &arrive_on_barrier<true, true>});
  table.add({"cp.async.mbarrier.arrive.noinc.b64", "=A", &arrive_on_barrier<false, true>});
}

}  // namespace machine
