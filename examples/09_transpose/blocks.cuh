// A transpose with TMA loads and stores, for elements of 1, 2 and 4 bytes. V elements have 16
// bytes. A thread transposes a block of V x V elements with V loads and V stores of 16 bytes. The 8
// threads of a column of blocks access row j of their blocks together. These 8 rows are V rows
// apart in the matrix, but adjacent in shared memory: row V*a + j is stored as row 8*j + a. The
// 128-byte swizzle spreads 8 adjacent rows over all banks. If V divides the number of rows, the
// tensor map has three dimensions, and the tile is one box. Otherwise there is one box for each j.
#pragma once

#include <axe/axe.hpp>
#include <axe/cuda.hpp>

using namespace axe::literals;
using namespace axe::axes;
using axe::S;

/// Rows of 128 bytes: 8 chunks of V elements. Block (a, k) has rows V*a + j and columns V*k + i,
/// with 0 <= i, j < V.
template <int V> struct permuted {
  static constexpr int bits = V == 4 ? 2 : V == 8 ? 3 : 4, side = 8 * V;
  /// Row V*a + j is stored as row 8*j + a.
  static constexpr axe::layout tile =
      axe::compose(axe::swizzle{bits, 3, 3}, S({8, V, side}, {side, 8 * side, 1}));
  static constexpr axe::term block{V, reg};
  static constexpr auto rows_of_blocks = S({8, V, 8, V}, {8 * tid, block, 1 * tid, 1 * reg});
  static constexpr auto columns_of_blocks = S({8, V, 8, V}, {1 * tid, block, 8 * tid, 1 * reg});
};

template <class T, int Rows> struct transpose_by_blocks {
  static constexpr int V = 16 / sizeof(T);
  /// The sizes of a matrix whose number of rows is a multiple of Rows. `row_major<2>` cannot
  /// declare this: `aligned<16>` says nothing about the number of rows.
  template <auto Columns>
  using sizes = axe::dynamic_matrix<axe::dynamic(0).multiple_of(Rows), Columns,
                                    axe::dynamic(2).multiple_of(V)>;
  using source = axe::tensor<T const, sizes<axe::dynamic(1)>, axe::aligned<16>>;
  /// TMA stores multiples of 16 bytes.
  using target = axe::tensor<T, sizes<axe::dynamic(1).multiple_of(V)>, axe::aligned<16>>;
  using shape = axe::extents<8 * V, 8 * V>;
  using tile = decltype(axe::carry<permuted<V>::tile>());
  using rows = decltype(axe::carry<permuted<V>::rows_of_blocks>());
  using columns = decltype(axe::carry<permuted<V>::columns_of_blocks>());
  using buffer = axe::shared_tile<T, tile, shape>;
  static constexpr int side = 8 * V;
};

template <class T, int Rows>
__global__ void __launch_bounds__(64) transpose_blocks(
    __grid_constant__ axe::mapped_tensor<typename transpose_by_blocks<T, Rows>::source> const in,
    __grid_constant__ axe::mapped_tensor<typename transpose_by_blocks<T, Rows>::target> const out) {
  using by = transpose_by_blocks<T, Rows>;
  constexpr int side = by::side;
  __shared__ typename by::buffer staged, turned;
  __shared__ axe::mbarrier_storage<1> bars;
  axe::mbarrier const full = bars[0];
  auto const [row, column] = axe::block<2>();
  if (axe::thread_id() == 0) {
    full.init(1);
    axe::fence_mbarrier_init();
    full.arrive_and_expect_tx(axe::bytes_of_tile<typename by::buffer>);
    axe::copy_async(axe::mapped(in.map, axe::tile<side, side>(in.tensor, row, column)), staged,
                    full, axe::thread);
  }
  __syncthreads();
  full.wait(0);
  axe::fragment<T, typename by::rows, typename by::shape> block;
  axe::fragment<T, typename by::columns, typename by::shape> block_turned;
  axe::copy(staged, block, axe::cta<64>);
  axe::for_each_register<by::V * by::V>([&](auto r) {
    constexpr int i = r.value % by::V, j = r.value / by::V;
    block_turned[axe::constant<i * by::V + j>{}] = block[r];
  });
  axe::copy(block_turned, turned, axe::cta<64>);
  axe::fence_proxy_async();
  __syncthreads();
  if (axe::thread_id() == 0) {
    axe::copy_async(turned, axe::mapped(out.map, axe::tile<side, side>(out.tensor, column, row)),
                    axe::thread);
    axe::bulk_commit();
    axe::bulk_wait_read();
  }
}
