// tile_map: the tensor map that the kernels in kernels/ take as an argument. It describes a bf16
// matrix in boxes of 64 columns with the 128-byte swizzle.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

#include "machine.hpp"
#include "tensor/tensor_map.hpp"

namespace machine_test {

inline machine::argument tile_map(std::uint64_t address, std::uint64_t columns, std::uint64_t rows,
                                  std::uint32_t box_rows) {
  std::uint64_t const extents[] = {columns, rows}, strides[] = {columns * 2};
  std::uint32_t const steps[] = {1, 1}, box[] = {64, box_rows};
  machine::tensor::map_arguments what;
  what.type = 9;
  what.rank = 2;
  what.address = address;
  what.extents = extents;
  what.strides = strides;
  what.element_strides = steps;
  what.swizzle = 3;
  alignas(64) std::array<std::byte, 128> bytes;
  if (auto const problem = machine::tensor::encode_tiled(bytes.data(), what, box))
    throw std::runtime_error(*problem);
  return {bytes.data(), bytes.size()};
}

}  // namespace machine_test
