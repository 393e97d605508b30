// A bank conflict and its cure: sums of the columns of a matrix of any size, mod 2^32. The 32 lanes
// of a warp read one column of a 32 x 32 tile. With rows of 32 words, the whole column lies in one
// bank, and the read takes 32 wavefronts. With a word of padding in each row, or with the swizzle
// that the library finds, the read takes one wavefront.
#pragma once

#include <axe/analysis.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/synthesis.hpp>

using namespace axe::literals;

using input = axe::tensor<int const, axe::row_major<2>>;
using output = axe::tensor<int, axe::row_major<2>>;

/// The threads that write the tile. A warp has every 8th row, and each lane has a column.
using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
/// The threads that read the tile. A warp has every 8th column, and each lane has a row.
using by_columns = axe::carrier<"S[(32,4,8):(1@tid,1@reg,32@tid)]"_axe>;
using square = axe::extents<32, 32>;

inline constexpr axe::access_form written = axe::rows_of_elements<32>;
inline constexpr axe::access_form read = axe::columns_of_elements<32>;
inline constexpr axe::layout words = "S[(32,32):(32,1)]"_axe;
inline constexpr auto found = axe::conflict_free_swizzle(words, written, read);
inline constexpr axe::layout swizzled_words = axe::compose(found.swizzle, words);
using plain = axe::carrier<words>;
using padded = axe::carrier<"S[(32,32):(33,1)]"_axe>;
using swizzled = axe::carrier<swizzled_words>;

// The wavefronts of each access. The PTX machine must count the same (CMakeLists.txt).
static_assert(axe::conflicts(plain::value, {32, 32}, read) == 32);
static_assert(axe::conflicts(padded::value, {32, 32}, read) == 1);
static_assert(axe::conflicts(swizzled::value, {32, 32}, read) == 1);
static_assert(axe::conflicts(plain::value, {32, 32}, written) == 1);
static_assert(axe::conflicts(padded::value, {32, 32}, written) == 1);
static_assert(axe::conflicts(swizzled::value, {32, 32}, written) == 1);

template <class Tile> __device__ void sum_columns(input const& in, output const& out) {
  __shared__ axe::shared_tile<int, Tile, square> staged;
  axe::fragment<int, by_columns, square> held;
  axe::reduced<decltype(held), 0> sums;
  auto const block = axe::cta<256>;
  sums.fill(0);
  for (unsigned tile = 0; tile < axe::tiles<0, 32>(in); ++tile) {
    auto const from = axe::tile<32, 32>(in, tile, axe::block_x());
    axe::copy_by<by_rows, axe::zero_fill>(from, staged, block);
    axe::sync(block);
    axe::copy(staged, held, block);
    axe::sync(block);
    axe::accumulate<0>(axe::plus{}, held, sums, block);
  }
  axe::copy(sums, axe::tile<1, 32>(out, 0, axe::block_x()), block);
}

__global__ void __launch_bounds__(256) sums_plain(input in, output out) {
  sum_columns<plain>(in, out);
}
__global__ void __launch_bounds__(256) sums_padded(input in, output out) {
  sum_columns<padded>(in, out);
}
__global__ void __launch_bounds__(256) sums_swizzled(input in, output out) {
  sum_columns<swizzled>(in, out);
}
