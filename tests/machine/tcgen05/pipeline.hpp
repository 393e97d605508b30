// The queue of a block's tensor core: mma, cp, shift and commit complete in the order of their
// issue, at once, as late as possible, or at random moments (async/copies.hpp).
#pragma once

#include <cstring>
#include <functional>

#include "async/copies.hpp"
#include "check/history.hpp"
#include "check/strict.hpp"
#include "tcgen05/tensor_memory.hpp"

namespace machine {

/// Passes the clocks that the issuing warp knows to the tensor core (check/history.hpp).
inline void begin_tensor_issue(warp& w) {
  tensor_issue(w);
  tensor_core_learns(w);
}

/// Queues an operation. Each step of the cluster's queue runs the oldest operation, whichever warp
/// issued it.
inline void issue_tensor(warp& w, std::function<void()> land) {
  auto& queue = tensor_memory_of(*w.home).queue;
  queue.push_back(std::move(land));
  issue_copy(w, [&queue] {
    auto const oldest = std::move(queue.front());
    queue.pop_front();
    oldest();
  });
}

/// Checks that bytes of a block's shared memory were written, waited for and fenced. `which` says
/// what is at an address.
template <class Which>
void read_by_tensor_core(warp& w, instruction const& i, block& owner, std::uint32_t address,
                         std::uint32_t bytes, Which const& which) {
  track_engine_reads(w, i, owner, address, bytes, tensor_core);
  if (!w.run->check_written) return;
  auto const* const written = owner.shared_written.get() + address;
  for (std::uint32_t byte = 0; byte < bytes; ++byte) {
    if (byte % 64 == 0 && byte + 64 <= bytes) {
      std::uint64_t line[8], together = ~std::uint64_t{0};
      std::memcpy(line, written + byte, 64);
      for (auto const each : line) together &= each;
      if (together == ~std::uint64_t{0}) {
        byte += 63;
        continue;
      }
    }
    std::uint64_t eight = 0;
    std::memcpy(&eight, written + byte / 8 * 8, 8);
    if (eight == ~std::uint64_t{0}) {
      byte = byte / 8 * 8 + 7;
      continue;
    }
    if (written[byte] == std::byte{0xff}) continue;
    auto const sentence = [&] {
      return say("reads ", which(address + byte), " at ", hexadecimal(address + byte / 16 * 16),
                 &owner == w.home ? "" : " of the peer",
                 "; nothing has been written there, or a copy to it has not been waited for");
    };
    if (written[byte] == is_in_flight)
      fault(w, i, 0, trouble::never_written, address + byte, sentence());
    return fault_or_warn(w, i, 0, trouble::never_written, address + byte, sentence);
  }
}

}  // namespace machine
