#include "tcgen05/order.hpp"

#include <algorithm>

#include "check/strict.hpp"
#include "state/access.hpp"
#include "tcgen05/tensor_memory.hpp"

namespace machine {
namespace {

void join(tensor_clocks& into, tensor_clocks const& from) {
  if (into.size() < from.size()) into.resize(from.size(), 0);
  for (std::size_t k = 0; k < from.size(); ++k) into[k] = std::max(into[k], from[k]);
}

tensor_order::of_warp& of(warp& w) { return w.home->tensor->order.warps[w.number]; }

tensor_agent kind_of(std::uint32_t agent) {
  std::uint32_t const within = agent % tensor_agents;
  if (within < 32) return tensor_agent::loads;
  if (within < 64) return tensor_agent::stores;
  return static_cast<tensor_agent>(within);
}

bool is_pipeline(tensor_agent kind) {
  return kind != tensor_agent::loads && kind != tensor_agent::stores;
}

/// True if the hardware orders the two accesses (PTX ISA, "Pipelined tcgen05 Instructions"). The
/// only cp that is ordered after a shift is cp.4x256b, whose `accumulator` is set to nonzero.
bool is_pipelined(tensor_access const& before, tensor_access const& after) {
  auto const first = kind_of(before.agent), second = kind_of(after.agent);
  if (!is_pipeline(first) || !is_pipeline(second) ||
      before.agent / tensor_agents != after.agent / tensor_agents)
    return false;
  using enum tensor_agent;
  if (first == mma && second == mma) return before.accumulator == after.accumulator;
  return (first == cp && second == mma) || (first == shift && second == mma) ||
         (first == mma && second == shift) ||
         (first == shift && second == cp && after.accumulator != 0);
}

/// True for a store after a load of the same warp. The two are ordered, because the registers that
/// a warp stores depend on what it has loaded.
bool is_own_load(tensor_access const& before, tensor_access const& after) {
  return kind_of(before.agent) == tensor_agent::loads &&
         kind_of(after.agent) == tensor_agent::stores && before.agent + 32 == after.agent;
}

/// Names the missing instruction that would order a later access after this one.
char const* missing_after(tensor_agent kind) {
  switch (kind) {
    case tensor_agent::loads:
      return "no tcgen05.wait::ld of its warp, and no barrier, lies between";
    case tensor_agent::stores:
      return "no tcgen05.wait::st of its warp, and no barrier, lies between";
    default: return "no tcgen05.commit and wait on its mbarrier lies between";
  }
}

struct known_by {
  tensor_knowledge const& known;
  tensor_clocks const& acquired;
};

known_by knowledge_of(warp& w, tensor_agent kind) {
  auto& all = w.home->tensor->order;
  auto const& mine = all.warps[w.number];
  return {is_pipeline(kind) ? all.pipelines : mine.known, mine.acquired};
}

/// Returns the clock of an access. For a product, returns the clock of the last product with the
/// same accumulator.
std::uint32_t last_clock(warp const& w, tensor_access const& before) {
  if (kind_of(before.agent) != tensor_agent::mma) return before.clock;
  auto const& issuer = *w.home->home->blocks[before.agent / tensor_agents];
  auto const found = issuer.tensor->order.last_product.find(before.accumulator);
  if (found == issuer.tensor->order.last_product.end()) return before.clock;
  return std::max(before.clock, found->second);
}

void report_if_unordered(warp& w, instruction const& i, known_by const& mine, char const* what,
                         tensor_access const& before, std::uint32_t address) {
  auto const agent = before.agent;
  std::uint32_t const clock = last_clock(w, before);
  if (mine.known.fenced[agent] >= clock) return;
  bool const is_race = mine.known.loose[agent] < clock;
  if (!is_race && !w.run->options.strict) return;
  auto const& where = w.run->code->places[before.statement];
  fault_or_warn(
      w, i, 0, is_race ? trouble::race : trouble::proxy, address,
      [&] {
        std::string const reason =
            is_race ? missing_after(kind_of(agent))
            : mine.acquired[agent] >= clock
                ? "threads synchronised since, and no tcgen05.fence::after_thread_sync follows"
                : "threads synchronised since, and no tcgen05.fence::before_thread_sync came first";
        return say(what, " at ", hexadecimal(address), ", which was accessed in ",
                   place_of_statement(*w.run, before.statement), "; ", reason);
      },
      where.ptx_line);
}

/// Records an access. Two reads are kept: the second is the latest that is not ordered after the
/// first.
void remember(tensor_granule& at, tensor_access const& access, bool writes,
              tensor_clocks const& known) {
  if (writes) {
    at.write = access;
    at.reads[0] = at.reads[1] = {};
    return;
  }
  auto const& first = at.reads[0];
  bool const replaces =
      first.clock == 0 || first.agent == access.agent || known[first.agent] >= first.clock;
  at.reads[replaces ? 0 : 1] = access;
}

}  // namespace

std::uint32_t tensor_agent_of(warp const& w, tensor_agent kind) {
  std::uint32_t const own = is_pipeline(kind) ? 0 : w.number;
  return w.home->rank * tensor_agents + static_cast<std::uint32_t>(kind) + own;
}

tensor_access begin_tensor_access(warp& w, instruction const& i, tensor_agent kind,
                                  std::uint16_t accumulator) {
  auto const agent = tensor_agent_of(w, kind);
  auto& now = w.home->tensor->order.now;
  std::uint32_t const clock = ++now[agent % tensor_agents];
  if (is_pipeline(kind)) std::copy_n(now.begin() + 64, 3, of(w).issued.begin());
  return {clock, static_cast<std::uint16_t>(agent), accumulator, i.statement};
}

void track_tensor(warp& w, instruction const& i, block& owner, std::uint32_t lane,
                  std::uint32_t column, bool writes, tensor_access const& access) {
  ++owner.tensor->touched;
  if (!w.run->options.check_races) return;
  auto& at = owner.tensor->granule(lane, column);
  auto const mine = knowledge_of(w, kind_of(access.agent));
  std::uint32_t const address = lane << 16 | column;
  auto const against = [&](tensor_access const& before) {
    if (before.clock == 0 || (before.agent == access.agent && before.clock == access.clock)) return;
    if (is_pipelined(before, access) || is_own_load(before, access)) return;
    report_if_unordered(w, i, mine, writes ? "writes tensor memory" : "reads tensor memory", before,
                        address);
  };
  against(at.write);
  if (writes)
    for (auto const& each : at.reads) against(each);
  remember(at, access, writes, mine.known.fenced);
}

void track_next_product(warp& w, tensor_access const& access) {
  w.home->tensor->order.last_product[access.accumulator] = access.clock;
}

void require_tensor_idle(warp& w, instruction const& i, block& owner, std::uint32_t first,
                         std::uint32_t count) {
  if (!w.run->options.check_races) return;
  auto const mine = knowledge_of(w, tensor_agent::loads);
  for (std::uint32_t column = first; column < first + count; ++column)
    for (std::uint32_t lane = 0; lane < tensor_lanes; lane += granule_lanes) {
      auto const& at = owner.tensor->granule(lane, column);
      for (auto const* each : {&at.write, &at.reads[0], &at.reads[1]})
        if (each->clock != 0)
          report_if_unordered(w, i, mine, "frees tensor memory", *each, lane << 16 | column);
    }
}

void tensor_wait(warp& w, tensor_agent kind) {
  auto const agent = tensor_agent_of(w, kind);
  auto& known = of(w).known;
  known.fenced[agent] = known.loose[agent] = w.home->tensor->order.now[agent % tensor_agents];
}

void tensor_fence_before(warp& w) { of(w).released = of(w).known.fenced; }

void tensor_fence_after(warp& w) { join(of(w).known.fenced, of(w).acquired); }

void tensor_issue(warp& w) {
  auto& pipelines = w.home->tensor->order.pipelines;
  join(pipelines.fenced, of(w).known.fenced);
  join(pipelines.loose, of(w).known.loose);
}

tensor_knowledge tensor_committed(warp& w) {
  tensor_knowledge done = w.home->tensor->order.pipelines;
  auto const first = tensor_agent_of(w, tensor_agent::mma);
  for (std::uint32_t k = 0; k < 3; ++k)
    for (auto* each : {&done.fenced, &done.loose})
      (*each)[first + k] = std::max((*each)[first + k], of(w).issued[k]);
  return done;
}

void publish_tensor(block& owner, std::uint32_t mbarrier, tensor_knowledge const& known) {
  auto& at = owner.tensor->order.mbarriers[mbarrier];
  join(at.fenced, known.fenced);
  join(at.loose, known.loose);
}

namespace {

void acquire(warp& w, tensor_knowledge const& from) {
  join(of(w).acquired, from.fenced);
  join(of(w).known.loose, from.loose);
}

tensor_knowledge offered(warp& w) { return {of(w).released, of(w).known.loose}; }

}  // namespace

void tensor_publish_at_barrier(warp& w, unsigned number) {
  if (w.home->tensor == nullptr) return;
  auto& at = w.home->tensor->order.barriers[number];
  join(at.fenced, of(w).released);
  join(at.loose, of(w).known.loose);
}

void tensor_complete_barrier(block& home, unsigned number) {
  if (home.tensor == nullptr) return;
  home.tensor->order.completed[number] = home.tensor->order.barriers[number];
}

void tensor_acquire_barrier(warp& w, unsigned number) {
  if (w.home->tensor != nullptr) acquire(w, w.home->tensor->order.completed[number]);
}

void tensor_publish_at_mbarrier(warp& w, block& owner, std::uint32_t offset) {
  if (w.home->tensor != nullptr) publish_tensor(owner, offset, offered(w));
}

void tensor_acquire_mbarrier(warp& w, block& owner, std::uint32_t offset) {
  if (w.home->tensor == nullptr) return;
  auto const& all = owner.tensor->order.mbarriers;
  if (auto const found = all.find(offset); found != all.end()) acquire(w, found->second);
}

void tensor_order_cluster(cluster& all) {
  if (all.blocks.front()->tensor == nullptr) return;
  tensor_knowledge met;
  for (auto& each : all.blocks)
    for (auto& w : each->warps) {
      join(met.fenced, of(*w).released);
      join(met.loose, of(*w).known.loose);
    }
  for (auto& each : all.blocks)
    for (auto& w : each->warps) acquire(*w, met);
}

}  // namespace machine
