// The accumulator of mma.sync that several axe.cuh kernels use.
#pragma once

#include "tensors.cuh"

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms/mma_atom.hpp>
#include <axe/cuda/mma/mma.hpp>

#include <cuda_fp16.h>

namespace kernels {

using atom = axe::mma_atom<16, 8, 16, 16>;
/// 64 x 64 elements. Each of four warps has 16 rows.
using accumulator = axe::carrier<axe::direct_sum("S[(4,8):(1@warp,4@reg)]"_axe, {4, 8},
                                                 atom::accumulator, {16, 8})>;

}  // namespace kernels
