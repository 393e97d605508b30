// Vector clocks of what accesses tensor memory (PTX ISA, "Memory Consistency Model for 5th
// generation of TensorCore operations"). An agent executes in order: the loads of a warp, its
// stores, and the pipelines of mma, cp and shift of a block. Between two agents there must be
// wait::ld or wait::st of the warp, a commit and a wait on its mbarrier, or a barrier or mbarrier
// of the threads.
//
// The last one needs fence::before_thread_sync before it and fence::after_thread_sync after it. The
// clocks are kept with and without these fences: only strict mode reports a missing fence.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "state/grid.hpp"

namespace machine {

inline constexpr std::uint32_t tensor_agents = 67;  // of a block
enum class tensor_agent : std::uint32_t { loads = 0, stores = 32, mma = 64, cp = 65, shift = 66 };

/// By agent; those of block k of the cluster begin at k * tensor_agents.
using tensor_clocks = std::vector<std::uint32_t>;

/// What a warp, or who arrives at a barrier, knows: with the fences, and without.
struct tensor_knowledge {
  tensor_clocks fenced, loose;
};

struct tensor_access {
  std::uint32_t clock = 0;  // 0: never
  std::uint16_t agent = 0;
  std::uint16_t accumulator = 0;  // of an mma: equal ones follow each other in order
  std::uint32_t statement = 0;
};

struct tensor_order {
  struct of_warp {
    tensor_knowledge known;
    tensor_clocks released;  // known.fenced at the last fence::before_thread_sync
    // Released clocks that this warp has received since its last fence::after_thread_sync.
    tensor_clocks acquired;
  };
  std::vector<of_warp> warps;
  std::array<std::uint32_t, tensor_agents> now{};  // each agent's own clock
  tensor_knowledge pipelines;                      // what mma, cp and shift know
  std::array<tensor_knowledge, 16> barriers, completed;
  std::map<std::uint32_t, tensor_knowledge> mbarriers;
  // By accumulator, the clock of its last product. Granules keep that of an earlier one if nothing
  // else has touched them since.
  std::map<std::uint16_t, std::uint32_t> last_product;
};

std::uint32_t tensor_agent_of(warp const& w, tensor_agent kind);

/// A new access of one of the warp's agents, not yet anywhere.
tensor_access begin_tensor_access(warp& w, instruction const& i, tensor_agent kind,
                                  std::uint16_t accumulator = 0);
/// Compares it with what has touched the 16 lanes of that column, and remembers it there.
void track_tensor(warp& w, instruction const& i, block& owner, std::uint32_t lane,
                  std::uint32_t column, bool writes, tensor_access const& access);
/// A product that follows another one with the same accumulator, where nothing else has touched
/// tensor memory in between.
void track_next_product(warp& w, tensor_access const& access);
/// Throws unless the warp knows of everything that has touched these columns.
void require_tensor_idle(warp& w, instruction const& i, block& owner, std::uint32_t first,
                         std::uint32_t count);

void tensor_wait(warp& w, tensor_agent kind);  // wait::ld, wait::st
void tensor_fence_before(warp& w);
void tensor_fence_after(warp& w);
/// The pipelines know what the issuing warp knows.
void tensor_issue(warp& w);
/// What a commit tells those who wait for its mbarrier.
tensor_knowledge tensor_committed(warp const& w);
void publish_tensor(block& owner, std::uint32_t mbarrier, tensor_knowledge const& known);

// Called where warps meet: check/history.cpp.
void tensor_publish_at_barrier(warp& w, unsigned number);
void tensor_complete_barrier(block& home, unsigned number);
void tensor_acquire_barrier(warp& w, unsigned number);
void tensor_publish_at_mbarrier(warp& w, block& owner, std::uint32_t offset);
void tensor_acquire_mbarrier(warp& w, block& owner, std::uint32_t offset);
void tensor_order_cluster(cluster& all);

}  // namespace machine
