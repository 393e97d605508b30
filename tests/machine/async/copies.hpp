// Declares a thread's asynchronous copies: cp.async groups, and bulk stores and reductions in bulk
// groups.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "state/grid.hpp"

namespace machine {

/// The form of a cp.async: it reads all bytes, those of its operand src-size, or none if its operand
/// ignore-src is true. The instruction's `target` holds it.
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
  std::deque<std::uint32_t> last;             // the number of the last bulk store of each group
};

struct thread_copies {
  std::array<grouped<small_copy>, 32> small;
  std::array<grouped<bulk_store>, 32> bulk;
  std::uint64_t last_small = 0;  // the number of the last cp.async of the warp
};

thread_copies& copies_of(warp& w);

/// Completes, at the end of a block, the copies that no thread has waited for.
void land_leftovers(warp& w);

/// Throws if a thread exits while its bulk stores still read the block's shared memory.
void require_no_copies(warp& w, instruction const& i, std::uint32_t mask);

/// True if this operation completes when it is issued, as the launch's option `landing` says.
bool lands_now(running& run);

/// Completes a copy that signals an mbarrier at once, or queues it in the cluster.
void issue_copy(warp& w, std::function<void()> land, bool is_bulk = true);

/// Completes one queued copy (a random one under landing::random). False if the queue is empty.
bool land_one(running& run, cluster& home);

}  // namespace machine
