// The tensors and tiles that the kernels with tensor maps and their test share.
#pragma once

#include "copy_kernels.hpp"

namespace copies {

using halves_tile = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
/// A tile with permuted rows, which takes several boxes: row 4a + j is at row 8j + a of shared
/// memory.
using permuted_tile = axe::carrier<"swizzle(2,3,3) o S[(8,4,32):(32,256,1)]"_axe>;
/// A tile of four column blocks of 16 words, one block after the other.
using columns_tile = axe::carrier<"S[(16,4,16):(16,256,1)]"_axe>;

/// A matrix for stores, whose rows end at multiples of 16 bytes.
using padded = axe::dynamic_matrix<rows, axe::dynamic(1).below(1 << 24).multiple_of(8),
                                   axe::dynamic(2).below(1 << 24).multiple_of(16)>;
template <class T> struct mapped_operands {
  axe::tensor<T const, lined, axe::aligned<16>> in;
  axe::tensor<T, padded, axe::aligned<16>> out;
};

}  // namespace copies
