// The types of tensors and the layouts that the kernels of kernels.cu and their test share.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/index.hpp>

namespace views {

using namespace axe::literals;

/// The sizes of any row-major matrix with a pitch.
using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 24), axe::dynamic(1).below(1 << 24),
                                   axe::dynamic(2).below(1 << 24)>;
using input = axe::tensor<float const, matrix>;
using output = axe::tensor<float, matrix>;

using square = axe::extents<32, 32>;
using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
using padded = axe::carrier<"S[(32,32):(33,1)]"_axe>;
using swizzled = axe::carrier<"swizzle(0,5,5) o S[(32,32):(32,1)]"_axe>;

/// The accumulator of wgmma m64n32 in warps 0 to 3, and in warps 4 to 7.
using accumulator = axe::carrier<"S[(4,2,8,4,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
using second_group =
    axe::carrier<"S[(4,2,8,4,4,2):(1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)] + 4@warp"_axe>;
using accumulator_tile = axe::extents<64, 32>;

}  // namespace views
