// Declarations for the kernels of copies.cu and their test.
#pragma once

#include <axe/cuda/local_partition.hpp>

#include <cstdint>

namespace pattern {

/// A matrix of 16-bit elements whose extents are multiples of 64 and whose rows are 16-byte
/// aligned.
using whole_tiles = axe::dynamic_matrix<axe::dynamic(0).below(1 << 24).multiple_of(64),
                                        axe::dynamic(1).below(1 << 24).multiple_of(64),
                                        axe::dynamic(2).below(1 << 24).multiple_of(8)>;
struct copied_tile {
  axe::tensor<std::uint16_t const, whole_tiles, axe::aligned<16>> tensor;
};

}  // namespace pattern
