// Helpers for tests of kernels on the PTX machine (tests/machine): the PTX, device memory, tensor
// maps and schedules of warps.
#pragma once

#include "machine.hpp"
#include "support/catch.hpp"
#include "support/ptx.hpp"
#include "tensor/tensor_map.hpp"

#include <axe/plan/tma_arguments.hpp>

#include <array>
#include <string>
#include <vector>

namespace on_the_machine {

inline std::string text_of(std::string const& kernels, std::string const& target) {
  return axe_test::ptx_of(AXE_PLAN_PTX, kernels, target);
}

/// The tensor map that the machine's driver encodes from the arguments of a plan.
inline machine::argument map_of(axe::tma_plan const& plan, std::uint64_t address,
                                std::vector<axe::integer> const& numbers) {
  axe::tma_arguments const a = *axe::try_tma_arguments(plan, numbers.data());
  machine::tensor::map_arguments arguments;
  arguments.type = static_cast<std::uint32_t>(a.type);
  arguments.rank = static_cast<std::uint32_t>(a.rank);
  arguments.address = address + static_cast<std::uint64_t>(a.offset);
  arguments.extents = a.extents;
  arguments.strides = a.strides;
  arguments.element_strides = a.element_strides;
  arguments.swizzle = static_cast<std::uint32_t>(a.swizzle);
  arguments.promotion = static_cast<std::uint32_t>(a.promotion);
  arguments.fill = static_cast<std::uint32_t>(a.fill);
  alignas(64) std::array<std::byte, 128> bytes;
  REQUIRE(machine::tensor::encode_tiled(bytes.data(), arguments, a.box).value_or("") == "");
  return {bytes.data(), bytes.size()};
}

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
