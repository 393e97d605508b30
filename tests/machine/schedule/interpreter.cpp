// Implements the interpreter's loop, which repeats two steps:
//
//     choose   a group: lanes at the same depth and program counter; deepest, then lowest, first
//     run      it, until it meets or passes another group (they merge), waits, or uses up its slice
//
// After a full slice or a failed poll the groups take turns, so that a group that spins on a flag
// does not starve the group that sets it.
#include "schedule/interpreter.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "async/copies.hpp"
#include "check/history.hpp"
#include "execute/barriers.hpp"
#include "execute/lanes.hpp"
#include "schedule/frames.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

struct group {
  std::uint32_t mask = 0;
  std::uint32_t pc = 0;
  std::uint32_t depth = 0;
  std::uint32_t limit = 0;  // program counter of the next group at this depth
  bool alone = true;        // no other group can run
};

std::uint32_t runnable(warp const& w) {
  std::uint32_t mask = 0;
  for_lanes(w.live, [&](unsigned lane) {
    if (w.lanes[lane].why == waiting::none) mask |= 1u << lane;
  });
  return mask;
}

/// Returns the rank of a lane's group. Groups run in this order: deeper calls first, then lower
/// program counters.
std::uint64_t rank_of(lane_state const& lane) {
  return (std::uint64_t{0xffffu - lane.depth} << 32) | lane.pc;
}

bool choose(warp& w, group& chosen) {
  std::uint32_t const ready = runnable(w);
  if (ready == 0) return false;
  std::uint64_t best = ~std::uint64_t{0};
  std::uint64_t after_last = ~std::uint64_t{0};
  std::uint64_t const last = rank_of(w.lanes[w.last_leader]);
  for_lanes(ready, [&](unsigned lane) {
    std::uint64_t const rank = rank_of(w.lanes[lane]);
    if (rank < best) best = rank;
    if (rank > last && rank < after_last) after_last = rank;
  });
  if (w.rotate && after_last != ~std::uint64_t{0}) best = after_last;
  w.rotate = false;
  chosen = {0, static_cast<std::uint32_t>(best), static_cast<std::uint32_t>(0xffffu - (best >> 32)),
            ~0u, true};
  for_lanes(ready, [&](unsigned lane) {
    auto const& state = w.lanes[lane];
    if (rank_of(state) == best) {
      if (chosen.mask == 0) w.last_leader = lane;
      chosen.mask |= 1u << lane;
    } else {
      chosen.alone = false;
      if (state.depth == chosen.depth && state.pc > chosen.pc && state.pc < chosen.limit)
        chosen.limit = state.pc;
    }
  });
  return true;
}

void set_pc(warp& w, std::uint32_t mask, std::uint32_t pc) {
  for_lanes(mask, [&](unsigned lane) { w.lanes[lane].pc = pc; });
}

void park(warp& w, std::uint32_t mask, waiting why) {
  for_lanes(mask, [&](unsigned lane) { w.lanes[lane].why = why; });
}

std::uint32_t guarded(warp& w, instruction const& i, std::uint32_t mask) {
  if (!i.has_guard) return mask;
  std::uint32_t const predicate = predicate_of(w, i.guard);
  return mask & (i.guard_negated ? ~predicate : predicate);
}

void wake_lanes(warp& w) {
  for_lanes(w.live, [&](unsigned lane) {
    auto& state = w.lanes[lane];
    switch (state.why) {
      case waiting::none:
      case waiting::reconverge: break;
      case waiting::retry: state.why = waiting::none; break;
      case waiting::barrier:
        if (w.home->barriers[state.object].generation != state.generation) {
          state.why = waiting::none;
          acquire_barrier(w, state.object);
        }
        break;
      case waiting::cluster:
        if (w.home->home->barrier.generation != state.generation) state.why = waiting::none;
        break;
    }
  });
}

void copy_parameters(warp& w, std::uint32_t mask, std::vector<std::uint32_t> const& from_offsets,
                     std::uint32_t from_depth, std::vector<std::uint32_t> const& to_offsets,
                     std::uint32_t to_depth, std::vector<std::uint32_t> const& bytes) {
  for_lanes(mask, [&](unsigned lane) {
    std::size_t const stack = std::size_t{lane} * stack_stride;
    for (std::size_t p = 0; p < bytes.size(); ++p) {
      std::size_t const from = stack + w.calls[from_depth].stack_base[lane] + from_offsets[p];
      std::size_t const to = stack + w.calls[to_depth].stack_base[lane] + to_offsets[p];
      std::memcpy(w.stack + to, w.stack + from, bytes[p]);
      std::memcpy(w.stack_written + to, w.stack_written + from, bytes[p]);
    }
  });
}

void call(warp& w, instruction const& i, std::uint32_t callee, std::uint32_t mask, std::uint32_t pc,
          std::uint32_t depth) {
  auto const& code = *w.run->code;
  auto const& site = code.calls[i.target];
  auto const& layout = code.functions[callee];
  if (layout.parameter_bytes != site.argument_bytes || layout.result_bytes != site.result_bytes)
    fault(w, i, static_cast<unsigned>(std::countr_zero(mask)), trouble::trap, 0,
          say("a call through a pointer reaches '", layout.name,
              "', whose parameters have other sizes"));
  enter_function(w, callee, depth + 1, mask);
  for_lanes(mask, [&](unsigned lane) {
    w.calls[depth + 1].return_pc[lane] = pc + 1;
    w.calls[depth + 1].instruction[lane] = pc;
  });
  copy_parameters(w, mask, site.arguments, depth, layout.parameter_offsets, depth + 1,
                  site.argument_bytes);
}

/// Returns the lanes of the mask whose 64-bit register equals that of the first lane.
std::uint32_t same_value(warp& w, std::uint32_t offset, std::uint32_t mask) {
  auto const* values = lanes_of<std::uint64_t>(w, offset);
  std::uint64_t const wanted = values[std::countr_zero(mask)];
  std::uint32_t same = 0;
  for_lanes(mask, [&](unsigned lane) {
    same |= static_cast<std::uint32_t>(values[lane] == wanted) << lane;
  });
  return same;
}

void call_pointer(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t pc,
                  std::uint32_t depth) {
  while (mask != 0) {
    w.registers = registers_at(w, depth, pc);
    std::uint32_t const same = same_value(w, i.at[0], mask);
    auto const lane = static_cast<unsigned>(std::countr_zero(mask));
    std::uint64_t const target = lanes_of<std::uint64_t>(w, i.at[0])[lane];
    auto const found = w.run->code->function_addresses.find(target);
    if (found == w.run->code->function_addresses.end())
      fault(w, i, lane, trouble::trap, target,
            say("a call through ", hexadecimal(target), ", which is not a function"));
    call(w, i, found->second, same, pc, depth);
    mask &= ~same;
  }
}

void leave_function(warp& w, std::uint32_t mask, std::uint32_t depth) {
  auto const& code = *w.run->code;
  for_lanes(mask, [&](unsigned lane) {
    auto const& record = w.calls[depth];
    auto const& site = code.calls[code.code[record.instruction[lane]].target];
    // The callee's frame layout is that of the function that contains this lane's instruction.
    std::uint32_t holder = 0;
    std::uint32_t best = 0;
    for (std::uint32_t f = 0; f < code.functions.size(); ++f)
      if (code.functions[f].first <= w.lanes[lane].pc && code.functions[f].first >= best) {
        best = code.functions[f].first;
        holder = f;
      }
    copy_parameters(w, 1u << lane, code.functions[holder].result_offsets, depth, site.results,
                    depth - 1, site.result_bytes);
    w.lanes[lane].pc = record.return_pc[lane];
    w.lanes[lane].depth = static_cast<std::uint16_t>(depth - 1);
  });
}

/// Completes the barriers that waited only for threads that have now exited.
void complete_barriers(block& home) {
  for (auto& each : home.barriers)
    if (each.arrived != 0 && each.expected == 0 && each.arrived >= home.live_threads)
      begin_next_generation(home, each);
  auto& whole = home.home->barrier;
  if (whole.arrived != 0 && whole.arrived >= home.home->live_threads) {
    whole.arrived = 0;
    ++whole.generation;
    order_cluster(*home.home);
    ++home.home->progress;
  }
}

void leave_kernel(warp& w, instruction const& i, std::uint32_t mask) {
  if (w.run->options.strict) require_no_copies(w, i, mask);
  w.live &= ~mask;
  auto const threads = static_cast<std::uint32_t>(std::popcount(mask));
  w.home->live_threads -= threads;
  w.home->home->live_threads -= threads;
  ++w.home->home->progress;
  for_lanes(w.live, [&](unsigned lane) {  // lanes that waited for these lanes check again
    if (w.lanes[lane].why == waiting::reconverge) w.lanes[lane].why = waiting::none;
  });
  complete_barriers(*w.home);
}

/// Returns the lanes that wait at this instruction for other lanes.
std::uint32_t waiting_here(warp const& w, std::uint32_t pc, std::uint32_t depth) {
  std::uint32_t mask = 0;
  for_lanes(w.live, [&](unsigned lane) {
    auto const& state = w.lanes[lane];
    if (state.why == waiting::reconverge && state.pc == pc && state.depth == depth)
      mask |= 1u << lane;
  });
  return mask;
}

/// Returns the active lanes whose member mask equals that of lane `first`. Throws if a mask does
/// not name its own lane, or if that of `first` names lanes that the block does not have.
std::uint32_t lanes_of_mask(warp& w, instruction const& i, std::uint32_t active, unsigned first) {
  auto const* named = lanes_of<std::uint32_t>(w, i.members);
  std::uint32_t const wanted = named[first];
  std::uint32_t same = 0;
  for_lanes(active, [&](unsigned lane) {
    if (named[lane] == wanted) same |= 1u << lane;
    if (((named[lane] >> lane) & 1u) == 0)
      fault(w, i, lane, trouble::members, 0,
            say("executes with member mask ", hexadecimal(named[lane]),
                ", which does not name its own lane ", lane));
  });
  if ((wanted & ~w.existing) != 0 && wanted != all_lanes)
    fault(w, i, first, trouble::members, 0,
          say("member mask ", hexadecimal(wanted),
              " names lanes that are not threads of this block"));
  return same;
}

/// Runs an instruction of kind member, blocking or single (program/instruction.hpp), or parks its
/// lanes until the missing ones arrive. Updates the state of every lane of the mask in w.lanes.
/// Returns the lanes that passed the instruction.
std::uint32_t run_together(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t pc,
                           std::uint32_t depth) {
  std::uint32_t active = guarded(w, i, mask);
  set_pc(w, mask & ~active, pc + 1);
  if (active == 0) return 0;
  set_pc(w, active, pc);
  if (i.kind != control::single) {
    // The first lane that arrives, not one that waits, chooses the mask. Otherwise two groups that
    // wait for late lanes would take turns forever.
    auto const first = static_cast<unsigned>(std::countr_zero(active));
    active |= waiting_here(w, pc, depth);
    std::uint32_t required = w.live;
    if (i.members != 0) {
      active = lanes_of_mask(w, i, active, first);
      required &= lanes_of<std::uint32_t>(w, i.members)[first];
    }
    if ((required & ~active) != 0) {
      park(w, active, waiting::reconverge);
      return 0;
    }
    park(w, active, waiting::none);
  }
  w.retry = false;
  w.parked = waiting::none;
  i.run(w, i, active);
  if (w.retry) {
    w.retry = false;
    park(w, active, waiting::retry);
    return 0;
  }
  set_pc(w, active, pc + 1);
  if (w.parked == waiting::none) return active;
  for_lanes(active, [&](unsigned lane) {
    w.lanes[lane].why = w.parked;
    w.lanes[lane].object = w.parked_object;
    w.lanes[lane].generation = w.parked_generation;
  });
  w.parked = waiting::none;
  return 0;
}

void jump_by_table(warp& w, instruction const& i, std::uint32_t mask) {
  auto const& table = w.run->code->tables[i.target];
  auto const* index = lanes_of<std::uint32_t>(w, i.at[0]);
  for_lanes(mask, [&](unsigned lane) {
    if (index[lane] >= table.size())
      fault(w, i, lane, trouble::trap, 0,
            say("index ", index[lane], " into a list of ", table.size(), " branch targets"));
    w.lanes[lane].pc = table[index[lane]];
  });
}

/// Runs an instruction after which the lanes of a group may differ: a call, return, exit or jump by
/// table. Updates the state of every lane of the group in w.lanes.
void leave_group(warp& w, instruction const& i, group const& now, std::uint32_t pc) {
  std::uint32_t const taken = guarded(w, i, now.mask);
  set_pc(w, now.mask & ~taken, pc + 1);
  if (taken == 0) return;
  switch (i.kind) {
    case control::jump_table: return jump_by_table(w, i, taken);
    case control::call:
      return call(w, i, w.run->code->calls[i.target].callee, taken, pc, now.depth);
    case control::call_pointer: return call_pointer(w, i, taken, pc, now.depth);
    case control::ret: set_pc(w, taken, pc); return leave_function(w, taken, now.depth);
    default: return leave_kernel(w, i, taken);
  }
}

/// Returns true if all lanes of the group go to the same instruction, and sets `pc` to it.
/// Otherwise sets the program counter of each lane.
bool jump(warp& w, instruction const& i, std::uint32_t mask, std::uint32_t& pc) {
  std::uint32_t const taken = guarded(w, i, mask);
  if (taken == 0 || taken == mask) {
    pc = taken == 0 ? pc + 1 : i.target;
    return true;
  }
  set_pc(w, taken, i.target);
  set_pc(w, mask & ~taken, pc + 1);
  return false;
}

/// Returns true if the whole warp passed the instruction, and adds 1 to `pc`.
bool pass_together(warp& w, instruction const& i, group const& now, std::uint32_t& pc) {
  std::uint32_t const passed = run_together(w, i, now.mask, pc, now.depth);
  if (!now.alone || w.live != now.mask || passed != now.mask) return false;
  ++pc;
  return true;
}

/// Runs a group until its lanes differ or wait, or it meets another group. Returns the outcome if
/// the warp yields. `ran` is set unless the group only jumped or called.
std::optional<outcome> run_group(warp& w, group const& now, std::uint64_t deadline, bool& ran) {
  running& run = *w.run;
  instruction const* const code = run.code->code.data();
  std::uint32_t pc = now.pc;
  std::uint32_t const mask = now.mask;
  while (true) {
    instruction const* i = code + pc;
    run.runs[pc] += static_cast<std::uint32_t>(std::popcount(mask));
    ++run.warp_runs[pc];
    run.clock += std::max<std::uint32_t>(i->length, 1);
    ran |= i->length != 0;
    switch (i->kind) {
      case control::plain:
        for (std::uint32_t const end = pc + i->length; pc < end; ++pc, ++i) i->run(w, *i, mask);
        break;
      case control::polling: {
        std::uint32_t const active = guarded(w, *i, mask);
        if (active != 0) i->run(w, *i, active);
        ++pc;
        if (w.give_way) {
          w.give_way = false;
          w.rotate = true;
          set_pc(w, mask, pc);
          return outcome::polling;
        }
        break;
      }
      case control::jump:
        if (!jump(w, *i, mask, pc)) return {};
        break;
      case control::member:
      case control::blocking:
      case control::single:
        ran = true;
        if (!pass_together(w, *i, now, pc)) return {};
        break;
      default:
        ran |= i->kind == control::exit;
        leave_group(w, *i, now, pc);
        return {};
    }
    if (run.clock >= deadline) {
      set_pc(w, mask, pc);
      w.rotate = !now.alone;
      return outcome::sliced;
    }
    if (!now.alone && (pc >= now.limit || pc < now.pc)) {  // met another group, or jumped back
      set_pc(w, mask, pc);
      return {};
    }
  }
}

}  // namespace

outcome run_warp(warp& w, std::uint32_t slice) {
  std::uint64_t const seen = w.home->home->progress;
  std::uint64_t const deadline = w.run->clock + slice;
  wake_lanes(w);
  bool ran = false;
  group now;
  while (choose(w, now)) {
    w.registers = registers_at(w, now.depth, now.pc);
    auto const yielded = run_group(w, now, deadline, ran);
    if (yielded == outcome::polling && seen != w.home->home->progress) return outcome::sliced;
    if (yielded) return *yielded;
  }
  if (w.live == 0) return outcome::finished;
  return ran && seen != w.home->home->progress ? outcome::sliced : outcome::blocked;
}

}  // namespace machine
