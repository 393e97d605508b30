// Helpers for tests of kernels on the PTX machine (tests/machine): the PTX, device memory, tensor
// maps and schedules of warps.
#pragma once

#include "machine.hpp"
#include "support/catch.hpp"
#include "tensor/tensor_map.hpp"

#include <axe/plan/tma_arguments.hpp>

#include <array>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace on_the_machine {

inline std::string text_of(std::string const& kernels, std::string const& target) {
  std::ifstream file(std::string(AXE_PLAN_PTX) + "/" + kernels + "_" + target + ".ptx");
  REQUIRE(file.good());
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The tensor map that the machine's driver encodes from the arguments of a plan.
inline machine::argument map_of(axe::tma_plan const& plan, std::uint64_t address,
                                std::vector<axe::integer> const& numbers) {
  axe::tma_arguments const a = *axe::try_tma_arguments(plan, numbers.data());
  machine::tensor::map_arguments what;
  what.type = static_cast<std::uint32_t>(a.type);
  what.rank = static_cast<std::uint32_t>(a.rank);
  what.address = address + static_cast<std::uint64_t>(a.offset);
  what.extents = a.extents;
  what.strides = a.strides;
  what.element_strides = a.element_strides;
  what.swizzle = static_cast<std::uint32_t>(a.swizzle);
  what.promotion = static_cast<std::uint32_t>(a.promotion);
  what.fill = static_cast<std::uint32_t>(a.fill);
  alignas(64) std::array<std::byte, 128> bytes;
  REQUIRE(machine::tensor::encode_tiled(bytes.data(), what, a.box).value_or("") == "");
  return {bytes.data(), bytes.size()};
}

/// A block of device memory.
struct memory {
  machine::device& on;
  std::size_t size;
  std::uint64_t address;

  memory(machine::device& d, std::vector<unsigned char> const& from)
      : on(d), size(from.size()), address(d.allocate(from.size())) {
    on.copy_in(address, from.data(), size);
  }
  std::vector<unsigned char> bytes() const {
    std::vector<unsigned char> all(size);
    on.copy_out(all.data(), address, size);
    return all;
  }
};

inline machine::launch_options options_for(int round) {
  machine::launch_options options;
  options.strict = true;
  options.when = round == 0   ? machine::landing::at_once
                 : round == 1 ? machine::landing::late
                              : machine::landing::random;
  options.seed = static_cast<std::uint64_t>(round);
  return options;
}

}  // namespace on_the_machine
