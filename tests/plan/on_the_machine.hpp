// Helpers for tests of kernels on the PTX machine (tests/machine): the PTX, device memory and
// launch options.
#pragma once

#include "machine.hpp"
#include "support/catch.hpp"
#include "support/encoded_map.hpp"
#include "support/ptx.hpp"

#include <string>
#include <vector>

namespace on_the_machine {

inline std::string text_of(std::string const& kernels, std::string const& target) {
  return axe_test::ptx_of(AXE_PLAN_PTX, kernels, target);
}

using axe_test::map_of;

/// A block of device memory.
struct memory {
  machine::device& device;
  std::size_t size;
  std::uint64_t address;

  memory(machine::device& d, std::vector<unsigned char> const& from)
      : device(d), size(from.size()), address(d.allocate(from.size())) {
    device.copy_in(address, from.data(), size);
  }
  std::vector<unsigned char> bytes() const {
    std::vector<unsigned char> all(size);
    device.copy_out(all.data(), address, size);
    return all;
  }
};

/// Strict checks. Copies complete at once in round 0, late in round 1, and at random times in other
/// rounds.
inline machine::launch_options options_for(int round) {
  machine::launch_options options;
  options.strict = true;
  options.when = machine::landing::random;
  if (round == 0) options.when = machine::landing::at_once;
  if (round == 1) options.when = machine::landing::late;
  options.seed = static_cast<std::uint64_t>(round);
  return options;
}

}  // namespace on_the_machine
