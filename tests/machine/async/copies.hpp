// Declares the asynchronous copies of the threads of a warp: cp.async groups, and bulk stores and
// reductions in bulk groups.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "state/grid.hpp"

namespace machine {

/// Which bytes of its source a cp.async reads: all of them, as many as its operand src-size says,
/// or none if its operand ignore-src is true. instruction::target has this value.
enum class source_form { all, size, ignore };

/// A cp.async of one thread (PTX ISA, "cp.async"). It copies `source_bytes` and fills the rest of
/// `bytes` (4, 8 or 16) with zeros.
struct small_copy {
  std::uint32_t destination = 0;
  std::uint64_t source = 0;
  std::uint32_t bytes = 0;
  std::uint32_t source_bytes = 0;
  instruction const* issued = nullptr;
  std::uint64_t number = 0;  // in the order of issue
};

/// A bulk operation that reads shared memory. It has two steps: wait_group.read waits for `read`,
/// and wait_group waits for both.
struct bulk_store {
  std::function<void()> read;   // afterwards shared memory may be overwritten
  std::function<void()> write;  // afterwards global memory holds the bytes
};

template <class Operation> struct grouped {
  std::vector<Operation> open;                // not committed
  std::deque<std::vector<Operation>> groups;  // committed, oldest first
  // For each bulk group, the number of the warp's last bulk store before the commit.
  std::deque<std::uint32_t> last;
};

/// The copies of the 32 threads of a warp, by lane.
struct thread_copies {
  std::array<grouped<small_copy>, 32> small;
  std::array<grouped<bulk_store>, 32> bulk;
  std::uint64_t last_small = 0;  // the number of the last cp.async of the warp
};

thread_copies& copies_of(warp& w);

/// Called when a cluster has ended. Completes the bulk stores that no thread has waited for, and
/// drops the cp.async that none has waited for.
void land_leftovers(warp& w);

/// Throws if a thread exits while its bulk stores still read the block's shared memory.
void require_no_copies(warp& w, instruction const& i, std::uint32_t mask);

/// True if an operation that is issued now completes now: always, never or at random, by
/// launch_options::when.
bool lands_now(running& run);

/// Issues a copy that signals an mbarrier: completes the copy now or queues it in the cluster.
void issue_copy(warp& w, std::function<void()> land, bool is_bulk = true);

/// Completes one queued copy (a random one under landing::random). False if the queue is empty.
bool land_one(running& run, cluster& home);

}  // namespace machine
