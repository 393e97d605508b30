// The tensors that the kernels with tensor maps and their test share.
#pragma once

#include "copy_kernels.hpp"

namespace copies {

using halves_tile = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
/// Row 4a + j at 8j + a: permuted rows, several boxes.
using permuted_tile = axe::carrier<"swizzle(2,3,3) o S[(8,4,32):(32,256,1)]"_axe>;
/// Four columns of 16 words each, beside each other.
using columns_tile = axe::carrier<"S[(16,4,16):(16,256,1)]"_axe>;

}  // namespace copies
