// Implements fences, clocks, traps, and hints without effect on results (PTX ISA, "membar, fence",
// "nanosleep", "trap", "griddepcontrol", "prefetch").
#include <cinttypes>
#include <cstring>

#include "check/global_history.hpp"
#include "check/history.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

void nothing(warp&, instruction const&, std::uint32_t) {}

/// Executes a fence of scope .gpu or .sys.
template <bool acquires, bool releases>
void fence_device(warp& w, instruction const&, std::uint32_t) {
  fence_blocks(w, acquires, releases);
}

void fence_mbarrier(warp& w, instruction const&, std::uint32_t) { mbarrier_fence(w); }

template <bool acquires, bool releases>
void fence_proxy(warp& w, instruction const&, std::uint32_t) {
  proxy_fence(w, acquires, releases);
}

void fence_proxy_in_global(warp& w, instruction const&, std::uint32_t) { proxy_fence_global(w); }

void fence_proxy_everywhere(warp& w, instruction const&, std::uint32_t) {
  proxy_fence_global(w);
  proxy_fence(w, true, true);
}

void sleep(warp& w, instruction const&, std::uint32_t) {
  w.give_way = true;
  ++w.home->home->progress;
}

void trap(warp& w, instruction const& i, std::uint32_t mask) {
  fault(w, i, static_cast<unsigned>(std::countr_zero(mask)), trouble::trap, 0,
        "the program executed trap");
}

void breakpoint(warp& w, instruction const& i, std::uint32_t mask) {
  fault(w, i, static_cast<unsigned>(std::countr_zero(mask)), trouble::trap, 0,
        "the program executed brkpt, a breakpoint");
}

/// Finds the 128-byte line that applypriority and discard name.
reached cache_line(warp& w, instruction const& i, unsigned lane, access how) {
  std::uint64_t const address =
      lanes_of<std::uint64_t>(w, i.at[0])[lane] + static_cast<std::uint64_t>(i.offset);
  if (auto const size = lanes_of<std::uint32_t>(w, i.at[1])[lane]; size != 128)
    fault(w, i, lane, trouble::misaligned, address,
          say("names ", size, " bytes; the instruction takes 128"));
  return reach(w, i, lane, space::global, address, 128, how, 128);
}

/// The contents of a discarded line are undefined: reading it before it is written is an error.
void discard(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    std::memset(cache_line(w, i, lane, access::write).written, 0, 128);
  });
}

void prioritise(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) { cache_line(w, i, lane, access::read); });
}

template <class T, unsigned shift>
void read_clock(warp& w, instruction const& i, std::uint32_t mask) {
  for_lanes(mask, [&](unsigned lane) {
    lanes_of<T>(w, i.at[0])[lane] = static_cast<T>(w.run->clock >> shift);
  });
}

}  // namespace

void add_system(opcode_table& table) {
  table.add({"membar.cta", "=", &nothing});
  for (char const* scope : {"gl", "sys"})
    table.add({std::string("membar.") + scope, "=", &fence_device<true, true>});
  struct meaning {
    char const* name;
    handler on_device;
  };
  for (meaning const each :
       {meaning{"", &fence_device<true, true>}, meaning{".sc", &fence_device<true, true>},
        meaning{".acq_rel", &fence_device<true, true>},
        meaning{".acquire", &fence_device<true, false>},
        meaning{".release", &fence_device<false, true>}}) {
    for (char const* scope : {".cta", ".cluster"})
      table.add({std::string("fence") + each.name + scope, "=", &nothing});
    for (char const* scope : {".gpu", ".sys"})
      table.add({std::string("fence") + each.name + scope, "=", each.on_device});
  }
  table.add({"fence.mbarrier_init.release.cluster", "=", &fence_mbarrier});
  for (char const* where : {"cta", "cluster"})
    table.add({std::string("fence.proxy.async.shared::") + where, "=", &fence_proxy<true, true>});
  table.add({"fence.proxy.async", "=", &fence_proxy_everywhere});
  table.add({"fence.proxy.async.global", "=", &fence_proxy_in_global});
  // fence.proxy.alias orders accesses through two virtual addresses of one location. Here each
  // location has one address.
  table.add({"fence.proxy.alias", "=", &nothing});
  // .sync_restrict limits a fence to shared memory. async::generic orders generic accesses before
  // asynchronous ones: .release those of this thread, .acquire those that it has synchronised with.
  std::string const acquire = ".acquire.sync_restrict::shared::cluster.cluster",
                    release = ".release.sync_restrict::shared::cta.cluster";
  table.add({"fence" + acquire, "=", &nothing});
  table.add({"fence" + release, "=", &nothing});
  table.add({"fence.proxy.async::generic" + acquire, "=", &fence_proxy<true, false>});
  table.add({"fence.proxy.async::generic" + release, "=", &fence_proxy<false, true>});
  table.add({"nanosleep.u32", "=w", &sleep, control::polling});
  table.add({"trap", "=", &trap});
  table.add({"brkpt", "=", &breakpoint});
  table.add({"griddepcontrol.wait", "=", &nothing});
  table.add({"griddepcontrol.launch_dependents", "=", &nothing});
  table.add({"pmevent", "=w", &nothing});
  for (char const* level : {"L1", "L2"}) {
    table.add({std::string("prefetch.global.") + level, "=A", &nothing});
    table.add({std::string("prefetch.") + level, "=A", &nothing});
  }
  table.add({"prefetchu.L1", "=A", &nothing});
  for (char const* priority : {"normal", "last"})
    table.add({std::string("prefetch.global.L2::evict_") + priority, "=A", &nothing});
  for (char const* place : {"", ".global"}) {
    table.add({std::string("applypriority") + place + ".L2::evict_normal", "=Aw", &prioritise});
    table.add({std::string("discard") + place + ".L2", "=Aw", &discard});
  }
  for (char const* first : {"first", "last", "normal", "unchanged"}) {
    std::string const primary = std::string(".L2::evict_") + first;
    for (char const* second : {"", ".L2::evict_first", ".L2::evict_unchanged"}) {
      table.add({"createpolicy.fractional" + primary + second + ".b64", "l=?f", &nothing});
      for (char const* place : {"", ".global"})
        table.add({std::string("createpolicy.range") + place + primary + second + ".b64", "l=Aww",
                   &nothing});
    }
  }
  table.add({"createpolicy.cvt.L2.b64", "l=l", &nothing});
  table.add({"read.clock", "w=", &read_clock<std::uint32_t, 0>});
  table.add({"read.clock_hi", "w=", &read_clock<std::uint32_t, 32>});
  table.add({"read.clock64", "l=", &read_clock<std::uint64_t, 0>});
  table.add({"read.globaltimer", "l=", &read_clock<std::uint64_t, 0>});
  table.add({"read.globaltimer_lo", "w=", &read_clock<std::uint32_t, 0>});
  table.add({"read.globaltimer_hi", "w=", &read_clock<std::uint32_t, 32>});
}

}  // namespace machine
