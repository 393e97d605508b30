// map_of: the tensor map of a plan for kernels on the PTX machine (tests/machine).
#pragma once

#include "machine.hpp"
#include "support/catch.hpp"
#include "tensor/tensor_map.hpp"

#include <axe/plan/tma_arguments.hpp>

#include <array>
#include <vector>

namespace axe_test {

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
  arguments.promotion = 2;  // 128 bytes, as make_tensor_map passes
  alignas(64) std::array<std::byte, 128> bytes;
  REQUIRE(machine::tensor::encode_tiled(bytes.data(), arguments, a.box).value_or("") == "");
  return {bytes.data(), bytes.size()};
}

}  // namespace axe_test
