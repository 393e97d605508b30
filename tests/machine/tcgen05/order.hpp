// Vector clocks of the agents that access tensor memory (PTX ISA, "Memory Consistency Model for 5th
// generation of TensorCore operations"). The agents are a warp's loads, its stores, and a block's
// pipelines of mma, cp and shift. An agent executes in order. Two agents are ordered by wait::ld or
// wait::st, by a commit and a wait on its mbarrier, or by a barrier or mbarrier of the threads.
//
// A barrier or mbarrier of the threads needs fence::before_thread_sync before and after_thread_sync
// after it. Clocks are kept with and without these fences: only strict mode reports a missing
// fence.
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

/// A clock for each agent. The agents of block k of the cluster begin at k * tensor_agents.
using tensor_clocks = std::vector<std::uint32_t>;

/// The clocks that a warp or a barrier knows: `fenced` has those that fences passed on, `loose`
/// all.
struct tensor_knowledge {
  tensor_clocks fenced, loose;
};

struct tensor_access {
  std::uint32_t clock = 0;  // 0: no access
  std::uint16_t agent = 0;
  std::uint16_t accumulator = 0;  // of an mma; products with the same accumulator execute in order
  std::uint32_t statement = 0;
};

struct tensor_order {
  struct of_warp {
    tensor_knowledge known;
    tensor_clocks released;  // known.fenced at the last fence::before_thread_sync
    // The released clocks that this warp has received since its last fence::after_thread_sync.
    tensor_clocks acquired;
    // The clocks of mma, cp and shift after this warp's last operation of any of them.
    std::array<std::uint32_t, 3> issued{};
  };
  std::vector<of_warp> warps;
  std::array<std::uint32_t, tensor_agents> now{};  // each agent's own clock
  tensor_knowledge pipelines;                      // what mma, cp and shift know
  std::array<tensor_knowledge, 16> barriers, completed;
  std::map<std::uint32_t, tensor_knowledge> mbarriers;
  // The clock of each accumulator's last product. A granule (16 lanes of a column) that nothing
  // else has touched keeps the clock of an earlier product.
  std::map<std::uint16_t, std::uint32_t> last_product;
};

std::uint32_t tensor_agent_of(warp const& w, tensor_agent kind);

/// Makes an access of one of the warp's agents with a new clock. The access is not recorded yet.
tensor_access begin_tensor_access(warp& w, instruction const& i, tensor_agent kind,
                                  std::uint16_t accumulator = 0);
/// Compares an access with the earlier ones to 16 lanes of a column, and records it there.
void track_tensor(warp& w, instruction const& i, block& owner, std::uint32_t lane,
                  std::uint32_t column, bool writes, tensor_access const& access);
/// Records a product after another one with the same accumulator, if nothing else has touched
/// tensor memory in between.
void track_next_product(warp& w, tensor_access const& access);
/// Throws unless the warp knows all accesses to these columns.
void require_tensor_idle(warp& w, instruction const& i, block& owner, std::uint32_t first,
                         std::uint32_t count);

void tensor_wait(warp& w, tensor_agent kind);  // wait::ld, wait::st
void tensor_fence_before(warp& w);
void tensor_fence_after(warp& w);
/// Passes the knowledge of the issuing warp to the pipelines.
void tensor_issue(warp& w);
/// Returns the knowledge that a commit passes to the threads that wait on its mbarrier. The commit
/// covers the warp's last operation, and those that the block issued before it.
tensor_knowledge tensor_committed(warp& w);
void publish_tensor(block& owner, std::uint32_t mbarrier, tensor_knowledge const& known);

// check/history.cpp calls these functions where warps synchronise.
void tensor_publish_at_barrier(warp& w, unsigned number);
void tensor_complete_barrier(block& home, unsigned number);
void tensor_acquire_barrier(warp& w, unsigned number);
void tensor_publish_at_mbarrier(warp& w, block& owner, std::uint32_t offset);
void tensor_acquire_mbarrier(warp& w, block& owner, std::uint32_t offset);
void tensor_order_cluster(cluster& all);

}  // namespace machine
