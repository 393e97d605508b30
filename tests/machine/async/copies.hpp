// Asynchronous copies of a thread: cp.async groups, and bulk stores and reductions in bulk groups.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "state/grid.hpp"

namespace machine {

/// One cp.async of one thread (ISA, "cp.async"): 4, 8 or 16 bytes, of which `source_bytes` are
/// read, the rest zero.
struct small_copy {
  std::uint32_t destination = 0;
  std::uint64_t source = 0;
  std::uint32_t bytes = 0;
  std::uint32_t source_bytes = 0;
  instruction const* issued = nullptr;
};

/// A bulk operation that reads shared memory: first the reading may end (wait_group.read), then the
/// whole.
struct bulk_store {
  std::function<void()> read;   // shared memory is free afterwards
  std::function<void()> write;  // global memory has it afterwards
};

template <class Operation> struct grouped {
  std::vector<Operation> open;                // not committed
  std::deque<std::vector<Operation>> groups;  // committed, oldest first
};

struct thread_copies {
  std::array<grouped<small_copy>, 32> small;
  std::array<grouped<bulk_store>, 32> bulk;
};

thread_copies& replicated_places(warp& w);

/// Lands what a thread has not waited for: at the end of its block, when nobody can ask any more.
void land_leftovers(warp& w);

/// Throws when a thread leaves while bulk stores have still to read its block's shared memory.
void require_no_copies(warp& w, instruction const& i, std::uint32_t mask);

/// True when the operation should take effect now, by the launch's landing policy.
bool lands_now(running& run);

/// Bulk copies towards mbarriers: now, or into the cluster's queue.
void issue_copy(warp& w, std::function<void()> land);

/// Lets one queued copy land (a random one under landing::random); false when there is none.
bool land_one(running& run, cluster& home);

}  // namespace machine
