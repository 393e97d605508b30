// The fragments that the kernels of reduce_kernels.cu reduce, for the kernels and their test.
#pragma once

#include <axe/construct/literal.hpp>
#include <axe/cuda/fragment.hpp>

namespace reductions {

using namespace axe::literals;

using mma_accumulator =
    axe::fragment<float, axe::carrier<"S[(2,8,4,2):(2@reg,4@lane,1@lane,1@reg)]"_axe>,
                  axe::extents<16, 8>>;
using three_lanes =
    axe::fragment<float, axe::carrier<"S[(8,3,5):(3@lane,1@lane,1@reg)]"_axe>, axe::extents<8, 15>>;
using row =
    axe::fragment<float, axe::carrier<"S[(2,256,8):(8@reg,1@tid,1@reg)]"_axe>, axe::extents<4096>>;
using sixes =
    axe::fragment<float, axe::carrier<"S[(16,3,6):(6@tid,1@reg,1@tid)]"_axe>, axe::extents<16, 18>>;
using replicated_rows =
    axe::fragment<float,
                  axe::carrier<"S[(4,8,2):(64@tid,4@tid,1@reg)] + R[4:1@tid] + R[2:32@tid]"_axe>,
                  axe::extents<4, 16>>;
/// Kernels reduce these two along dimension 0. The rows of `columns` are in eight warps. Those of
/// many_columns are in six warps, with 20 columns per thread.
using columns =
    axe::fragment<float, axe::carrier<"S[(32,8,8):(8@tid,1@tid,1@reg)]"_axe>, axe::extents<32, 64>>;
using many_columns = axe::fragment<float, axe::carrier<"S[(6,32,20):(32@tid,1@tid,1@reg)]"_axe>,
                                   axe::extents<6, 640>>;

/// A column is on 16 lanes. Each half of a warp reduces its own fragment.
using half_warp =
    axe::fragment<float, axe::carrier<"S[(16,2):(1@tid,1@reg)]"_axe>, axe::extents<16, 2>>;

/// Fragments for scopes whose last warp is partial. In the first two, all threads of the scope own
/// elements; in the others, some own nothing.
using fours_of_300 =
    axe::fragment<float, axe::carrier<"S[(75,4):(4@tid,1@tid)]"_axe>, axe::extents<75, 4>>;
using row_of_300 =
    axe::fragment<float, axe::carrier<"S[(2,300):(1@reg,1@tid)]"_axe>, axe::extents<600>>;
using eights_of_296 =
    axe::fragment<float, axe::carrier<"S[(37,8):(8@tid,1@tid)]"_axe>, axe::extents<37, 8>>;
using threes_of_30 =
    axe::fragment<float, axe::carrier<"S[(10,3):(3@tid,1@tid)] + 32@tid"_axe>, axe::extents<10, 3>>;
using from_thread_101 =
    axe::fragment<float, axe::carrier<"S[(11,31):(31@tid,1@tid)] + 101@tid"_axe>,
                  axe::extents<11, 31>>;

/// Fragments of integers: rows inside a warp, a row over all warps, and rows of eight lanes.
template <class T>
using warp_rows =
    axe::fragment<T, axe::carrier<"S[(3,32,2):(2@reg,1@lane,1@reg)]"_axe>, axe::extents<3, 64>>;
template <class T>
using long_row_of =
    axe::fragment<T, axe::carrier<"S[(2,256):(1@reg,1@tid)]"_axe>, axe::extents<512>>;
using eights = axe::fragment<int, axe::carrier<"S[(4,8):(8@lane,1@lane)]"_axe>, axe::extents<4, 8>>;

/// Each lane has whole rows: two of four columns or of one column, or one of seven columns.
using four_columns =
    axe::fragment<float, axe::carrier<"S[(32,2,4):(1@lane,4@reg,1@reg)]"_axe>, axe::extents<64, 4>>;
using one_column =
    axe::fragment<float, axe::carrier<"S[(32,2):(1@lane,1@reg)]"_axe>, axe::extents<64, 1>>;
using seven_columns =
    axe::fragment<float, axe::carrier<"S[(32,7):(1@lane,1@reg)]"_axe>, axe::extents<32, 7>>;

}  // namespace reductions
