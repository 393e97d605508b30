// shared_address: the address in shared memory that operand `at` of an instruction has in a lane.
#pragma once

#include "execute/lanes.hpp"
#include "state/access.hpp"
#include "state/address_map.hpp"

namespace machine {

/// Returns a shared address, or converts a generic one. Throws if it is not in shared memory.
template <bool generic>
std::uint32_t shared_address(warp& w, instruction const& i, unsigned lane, unsigned at,
                             std::int64_t offset) {
  if constexpr (!generic)
    return lanes_of<std::uint32_t>(w, i.at[at])[lane] + static_cast<std::uint32_t>(offset);
  std::uint64_t const address =
      lanes_of<std::uint64_t>(w, i.at[at])[lane] + static_cast<std::uint64_t>(offset);
  if (!is_in_shared_window(address))
    fault(w, i, lane, trouble::out_of_bounds, address,
          say("the generic address ", hexadecimal(address), " is not in shared memory"));
  return static_cast<std::uint32_t>(address);
}

}  // namespace machine
