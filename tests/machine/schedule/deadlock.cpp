// Builds the report of a deadlock. Groups of lanes that wait at the same place for the same reason
// share a line:
//
//     block (0,0,0) warp 1, 32 lanes, gemm.cu:41 (PTX line 210) bar.sync: waits at barrier 0; ...
#include "schedule/deadlock.hpp"

#include <bit>

#include "async/mbarrier.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "tcgen05/tensor_memory.hpp"

namespace machine {
namespace {

/// True if the warp waits in an allocation of a CTA pair, and the peer CTA has not reached it.
bool waits_for_peer(warp const& w) {
  auto const& memory = *w.home->tensor;
  auto const& blocks = w.home->home->blocks;
  return memory.group == 2 && memory.request.warp == w.number &&
         blocks[w.home->rank ^ 1u]->tensor->request.now == tensor_request::state::none;
}

std::string reason(warp const& w, unsigned number) {
  auto const& lane = w.lanes[number];
  switch (lane.why) {
    case waiting::none:
      return w.polled[number] == 0
                 ? "polls without success"
                 : describe_mbarrier(*w.home, static_cast<std::uint32_t>(w.polled[number]));
    case waiting::reconverge: return "waits for the other lanes of its warp that must take part";
    case waiting::barrier: {
      auto const& barrier = w.home->barriers[lane.object];
      return say("waits at barrier ", lane.object, "; ", barrier.arrived, " of ",
                 barrier.expected != 0 ? barrier.expected : w.home->live_threads,
                 " threads have arrived");
    }
    case waiting::cluster:
      return say("waits at the cluster barrier; ", w.home->home->barrier.arrived, " of ",
                 w.home->home->live_threads, " threads have arrived");
    case waiting::retry: {
      auto const& at = w.run->code->code[lane.pc];
      if (w.run->code->places[at.statement].opcode.starts_with("setmaxnreg"))
        return describe_pool(w, static_cast<std::uint32_t>(at.offset));
      if (w.run->code->places[at.statement].opcode.starts_with("tcgen05.alloc"))
        return waits_for_peer(w) ? "waits for a warp of the peer to allocate with it"
                                 : "waits until other warps have freed tensor memory";
      return "retries an instruction without success";
    }
  }
  return "waits";
}

}  // namespace

void report_deadlock(running const& run, cluster const& stuck) {
  report reported{trouble::deadlock, "no thread of the cluster can go on"};
  reported.kernel = run.code->name;
  int lines = 0;
  for (auto const& b : stuck.blocks)
    for (auto const& w : b->warps) {
      std::uint32_t left = w->live;
      while (left != 0) {
        auto const lane = static_cast<unsigned>(std::countr_zero(left));
        auto const& state = w->lanes[lane];
        std::uint32_t same = 0;
        for_lanes(left, [&](unsigned other) {
          auto const& theirs = w->lanes[other];
          if (theirs.pc == state.pc && theirs.why == state.why && theirs.object == state.object)
            same |= 1u << other;
        });
        left &= ~same;
        // The program counter of a parked lane is already past the barrier.
        std::uint32_t const pc = state.why == waiting::barrier || state.why == waiting::cluster
                                     ? (state.pc > 0 ? state.pc - 1 : 0)
                                     : state.pc;
        if (lines == 0) {
          auto const& at = run.code->places[run.code->code[pc].statement];
          reported.ptx_line = at.ptx_line;
          reported.source_line = at.source_line;
          auto const file = static_cast<std::size_t>(at.source_file);
          if (file < run.code->source->files.size())
            reported.source_file = run.code->source->files[file];
        }
        if (++lines > 64) continue;
        reported.sentence +=
            say("\n  block (", b->index.x, ',', b->index.y, ',', b->index.z, ") warp ", w->number,
                ", ", std::popcount(same), " lanes, ",
                place_of_statement(run, run.code->code[pc].statement), ": ", reason(*w, lane));
      }
    }
  if (lines > 64) reported.sentence += say("\n  and ", lines - 64, " more groups");
  throw error(std::move(reported));
}

}  // namespace machine
