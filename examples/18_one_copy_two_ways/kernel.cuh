// One copy, written between tiles and through the registers of each thread. Both kernels copy a
// tile of 32 x 64 through swizzled shared memory. The thread that stores an element is not the
// thread that loaded it. A test (CMakeLists.txt) checks that both kernels have the same number of
// PTX instructions of each kind.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda/copy/copy.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/thread.hpp>

using namespace axe::literals;

/// Rows are multiples of 16 bytes. exact_grid declares that tiles are whole.
using input = axe::tensor<float const, axe::row_major<2>, axe::aligned<16>>;
using output = axe::tensor<float, axe::row_major<2>, axe::aligned<16>>;

using tile = axe::extents<32, 64>;
using staging = axe::carrier<"swizzle(2,3,3) o S[(32,64):(64,1)]"_axe>;
/// Each thread has four vectors of four elements: in rows 8 apart, or in adjacent rows.
using rows_apart = axe::carrier<"S[(4,8,16,4):(4@reg,16@tid,1@tid,1@reg)]"_axe>;
using rows_adjacent = axe::carrier<"S[(8,4,16,4):(16@tid,4@reg,1@tid,1@reg)]"_axe>;

__global__ void together(input in, output out) {
  __shared__ axe::shared_tile<float, staging, tile> staged;
  auto const [row, column] = axe::block<2>();
  auto const from = axe::exact_grid(axe::tile<32, 64>(in, row, column));
  auto const to = axe::exact_grid(axe::tile<32, 64>(out, row, column));
  axe::copy_by<rows_apart>(from, staged, axe::cta<128>);
  axe::sync(axe::cta<128>);
  axe::copy_by<rows_adjacent>(staged, to, axe::cta<128>);
}

__global__ void through_registers(input in, output out) {
  __shared__ axe::shared_tile<float, staging, tile> staged;
  auto const [row, column] = axe::block<2>();
  auto const from = axe::exact_grid(axe::tile<32, 64>(in, row, column));
  auto const to = axe::exact_grid(axe::tile<32, 64>(out, row, column));
  axe::copy(axe::load<rows_apart>(from, axe::cta<128>), staged, axe::cta<128>);
  axe::sync(axe::cta<128>);
  axe::copy(axe::load<rows_adjacent>(staged, axe::cta<128>), to, axe::cta<128>);
}
