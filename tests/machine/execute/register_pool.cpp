// Implements setmaxnreg and a block's register pool, and reports undefined uses (PTX ISA,
// "setmaxnreg").
#include "execute/register_pool.hpp"

#include <algorithm>

#include "check/history.hpp"
#include "check/strict.hpp"
#include "execute/families.hpp"
#include "execute/lanes.hpp"
#include "state/access.hpp"

namespace machine {
namespace {

constexpr std::uint32_t all_registers = 65536;  // the registers of a multiprocessor
constexpr std::uint32_t warpgroup_warps = 4;

std::uint32_t clock_of(warp const& w) {
  return w.home->history == nullptr ? 0 : w.home->history->warps[w.number][w.number];
}

/// Requires that all warps of a warpgroup execute the same setmaxnreg, and that these warps
/// synchronise before each of them executes the next one.
void require_same_change(warp& w, instruction const& i, register_pool const& pool) {
  auto const& own = pool.of[w.number];
  std::size_t const first = w.number / warpgroup_warps * warpgroup_warps;
  if (first + warpgroup_warps > pool.of.size())
    fault(w, i, 0, trouble::members, 0, "setmaxnreg in a warp whose warpgroup is not complete");
  for (std::size_t other = first; other < first + warpgroup_warps; ++other) {
    auto const& theirs = pool.of[other];
    // A warning in launches that collect warnings: in examples 77 and 81 of CUTLASS the warps of
    // one warpgroup execute the setmaxnreg of different roles.
    if (theirs.changes == own.changes + 1 && theirs.statement != i.statement)
      fault_or_warn(w, i, 0, trouble::members, 0, [&] {
        return say("the warps of a warpgroup execute different setmaxnreg: warp ", other,
                   " executes the one in PTX line ",
                   w.run->code->places[theirs.statement].ptx_line);
      });
    bool const met = other == w.number || theirs.changes > own.changes ||
                     w.home->history == nullptr ||
                     w.home->history->warps[w.number][other] >= theirs.clock;
    if (own.changes != 0 && (theirs.changes < own.changes || !met))
      fault(w, i, 0, trouble::members, 0,
            say("a second setmaxnreg without synchronisation since the first: warp ", other,
                " of the warpgroup may not have executed the first one yet"));
  }
}

void count_change(warp& w, instruction const& i, register_pool& pool, std::uint32_t wanted) {
  pool.of[w.number] = {wanted, pool.of[w.number].changes + 1, i.statement, clock_of(w)};
  if (w.home->history != nullptr) ++w.home->history->warps[w.number][w.number];
  ++w.home->home->progress;
}

template <bool more> void change(warp& w, instruction const& i, std::uint32_t) {
  auto& pool = w.home->registers;
  if (pool.of.empty()) return;
  auto const wanted = static_cast<std::uint32_t>(i.offset);
  std::uint32_t const has = pool.of[w.number].registers;
  if (more ? wanted < has : wanted > has)
    fault(w, i, 0, trouble::members, 0,
          say("setmaxnreg.", more ? "inc" : "dec", " to ", wanted,
              " registers per thread, but the warp has ", has));
  if (more && wanted - has > pool.free) {  // waits until other warps release registers
    w.retry = true;
    return;
  }
  require_same_change(w, i, pool);
  pool.free = pool.free + has - wanted;
  count_change(w, i, pool, wanted);
}

}  // namespace

std::uint32_t entry_registers(program const& code) {
  std::uint32_t largest = 0;
  for (auto const& each : code.code)
    if (code.places[each.statement].opcode.starts_with("setmaxnreg"))
      largest = std::max(largest, static_cast<std::uint32_t>(each.offset));
  if (largest == 0) return 0;
  if (code.most_registers != 0) return (code.most_registers + 7) / 8 * 8;
  auto const* const threads =
      code.required_threads[0] != 0 ? code.required_threads : code.maximum_threads;
  if (threads[0] == 0 || code.blocks_per_processor == 0) return 0;
  std::uint64_t const block = std::uint64_t{threads[0]} * threads[1] * threads[2];
  std::uint64_t const whole = (block + 127) / 128 * 128 * code.blocks_per_processor;
  return std::min(largest, static_cast<std::uint32_t>(all_registers / whole / 8 * 8));
}

void start_pool(block& home, std::uint32_t entry, std::size_t warps) {
  home.registers = {};
  if (entry != 0) home.registers.of.assign(warps, {entry, 0, 0, 0});
}

std::string describe_pool(warp const& w, std::uint32_t wanted) {
  auto const& pool = w.home->registers;
  return say("waits for ", wanted - pool.of[w.number].registers,
             " more registers per thread, and the pool of its block has ", pool.free);
}

void require_equal_changes(running const& run, block const& home) {
  auto const& pool = home.registers;
  for (std::size_t k = 0; k < pool.of.size(); ++k) {
    auto const& first = pool.of[k / warpgroup_warps * warpgroup_warps];
    if (pool.of[k].changes == first.changes) continue;
    auto const& more = pool.of[k].changes > first.changes ? pool.of[k] : first;
    report reported{
        trouble::members,
        say("warp ", k, " ends after ", pool.of[k].changes, " setmaxnreg and warp ",
            k / warpgroup_warps * warpgroup_warps, " of its warpgroup after ", first.changes)};
    reported.kernel = run.code->name;
    reported.block = home.index;
    reported.ptx_line = run.code->places[more.statement].ptx_line;
    throw error(std::move(reported));
  }
}

void add_register_pool(opcode_table& table) {
  table.add({"setmaxnreg.inc.sync.aligned.u32", "=i", &change<true>, control::blocking, true});
  table.add({"setmaxnreg.dec.sync.aligned.u32", "=i", &change<false>, control::blocking, true});
}

}  // namespace machine
