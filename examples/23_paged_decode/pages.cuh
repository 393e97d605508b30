// Types of the kernels: a page of 16 keys or values of one head in shared memory, and the lanes
// that hold scores, weights and sums of up to 16 queries that share a head of the cache.
#pragma once

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/cast.hpp>
#include <axe/cuda/elementwise.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/reduce.hpp>

#include <cuda_bf16.h>

using namespace axe::literals;
using bf16 = __nv_bfloat16;
template <class T> using rows = axe::tensor<T, axe::row_major<2, 128>, axe::aligned<16>>;
/// K and V are matrices: 16 rows for each page, and 128 columns for each head.
using cache = axe::tensor<bf16 const, axe::row_major<2>, axe::aligned<16>>;

/// The arguments of the kernels, except the cache. The first dimension of `results` and `logs` is
/// the split.
struct decoding {
  bf16 const* queries;  // (sequence, head of the cache, query, 128)
  axe::tensor<unsigned const, axe::row_major<2>> pages;  // (sequence, n): its page n in the cache
  axe::tensor<unsigned const, axe::row_major<1>> keys;   // the number of keys of each sequence
  float *results, *logs;            // the weighted means, and the logarithms of the sums of weights
  unsigned group, pages_per_split;  // group: queries that share a head of the cache
  float scale;                      // the scale of the scores
};

using page_layout = axe::carrier<"swizzle(3,3,3) o S[(16,2,64):(64,1024,1)]"_axe>;
using page_buffer = axe::shared_tile<bf16, page_layout, axe::extents<16, 128>>;
struct stage {
  page_buffer keys, values;
};
inline constexpr unsigned stages = 3, warps = 4;

using atom = axe::mma_atom<16, 8, 16, 16>;
/// Down x Across fragments of an mma, one after the other in registers.
template <axe::layout const& Atom, int Rows, int Columns, int Down, int Across> struct tiled {
  static constexpr int registers = Rows * Columns / 32;
  static constexpr axe::layout value = axe::direct_sum(
      axe::S({Down, Across}, {Across * registers * axe::axis::reg, registers* axe::axis::reg}),
      {Down, Across}, Atom, {Rows, Columns});
};
template <int Columns> using sums = tiled<atom::accumulator, 16, 8, 1, Columns / 8>;
template <int Columns> using a_lanes = tiled<atom::a, 16, 16, 1, Columns / 16>;
template <int Rows, int Columns> using b_lanes = tiled<atom::b, 16, 8, Rows / 16, Columns / 8>;
template <class T, int Columns>
using by_query = axe::fragment<T, sums<Columns>, axe::extents<16, Columns>>;
