// A warp: 32 lanes, each with its own program counter and call depth, and their register frames.
//
// A frame belongs to (depth, function), and each lane has its own column in it. Lanes that reach
// the same function by different paths share a frame, so they can merge again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "program/instruction.hpp"

namespace machine {

struct block;
struct thread_copies;
struct watched_registers;
struct running;
struct frame_layout;

/// The reason why a lane does not run.
enum class waiting : std::uint8_t {
  none,
  reconverge,  // for the other lanes of a .sync instruction
  barrier,     // bar / barrier, until its generation passes
  cluster,     // barrier.cluster.wait
  retry        // for an instruction that is tried again (wgmma.wait_group, setmaxnreg.inc,
               // tcgen05.alloc)
};

struct lane_state {
  std::uint32_t pc = 0;
  std::uint16_t depth = 0;
  waiting why = waiting::none;
  std::uint32_t object = 0;      // barrier number
  std::uint64_t generation = 0;  // of the barrier, when the lane arrived
};

struct aligned_delete {
  void operator()(std::byte* bytes) const { ::operator delete[](bytes, std::align_val_t{64}); }
};
using register_storage = std::unique_ptr<std::byte[], aligned_delete>;

struct frame {
  std::uint32_t function = 0;
  register_storage registers;
};

/// The return addresses and stack bases of the lanes at one call depth.
struct call_record {
  std::array<std::uint32_t, 32> return_pc{};
  std::array<std::uint32_t, 32> instruction{};  // the call instruction, for its results
  std::array<std::uint32_t, 32> stack_base{};
  std::array<std::uint32_t, 32> stack_top{};
};

/// The votes of the threads that have arrived at a barrier.red.
struct barrier_votes {
  std::uint32_t all = 1, any = 0, count = 0;
};

struct warp {
  warp();
  ~warp();
  std::byte* registers = nullptr;  // of the current frame
  running* run = nullptr;
  block* home = nullptr;
  std::uint32_t number = 0;    // in its block
  std::uint32_t live = 0;      // lanes that have not exited
  std::uint32_t existing = 0;  // lanes that belong to a thread (fewer than 32 in a partial warp)
  bool give_way = false;       // set by polling instructions: other warps run next
  bool retry = false;          // set by blocking instructions that must be tried again
  // Set by blocking instructions: the warp waits until the generation of `parked_object` has
  // changed.
  waiting parked = waiting::none;
  std::uint32_t parked_object = 0;
  std::uint64_t parked_generation = 0;
  barrier_votes votes;  // of the last barrier.red that the warp has waited for
  // The first lane of the group that ran last. After a poll or a full slice (`rotate`), the group
  // after it runs.
  std::uint32_t last_leader = 0;
  bool rotate = false;
  std::uint32_t cluster_arrived = 0;  // lanes between barrier.cluster.arrive and .wait
  std::array<std::uint64_t, 32> cluster_phase{};
  // For each lane, the mbarrier of its last failed poll, as a shared address; 0: none.
  std::array<std::uint64_t, 32> polled{};
  // The cp.async and bulk stores of each lane (async/copies.hpp).
  std::unique_ptr<thread_copies> copies;
  // The registers that this launch checks (check/registers.hpp).
  std::unique_ptr<watched_registers> watched;
  std::array<lane_state, 32> lanes{};
  std::vector<std::vector<frame>> frames;  // by depth
  std::vector<call_record> calls;          // by depth
  std::byte* stack = nullptr;  // local memory of lane 0; that of lane l is l * stack_stride further
  std::byte* stack_written = nullptr;  // shadow bytes of the stacks (state/access.hpp)
};

inline constexpr std::uint32_t stack_bytes = 1u << 20;
/// The stride is not a power of two, so that a local variable of 32 lanes does not fill one cache
/// set.
inline constexpr std::uint32_t stack_stride = stack_bytes + 4096 + 64;

}  // namespace machine
