// Copies tiles by tensor maps to and from shared memory: loads, stores, reductions, a multicast.
// copy_tensor_kernels_test.cpp runs the kernels.
#include "copy_tensor_kernels.hpp"

#include <axe/cuda/copy/tensor_copy.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/thread.hpp>

using axe::tensor_map;

namespace copies {

template <class Staging, int Rows, int Columns, axe::copy_how Store, class T>
__device__ void by_maps(tensor_map const& in, tensor_map const& out, mapped_operands<T> const& x) {
  __shared__ axe::shared_tile<T, Staging, axe::extents<Rows, Columns>> staged;
  __shared__ axe::mbarrier_storage<1> bars;
  axe::mbarrier const full = bars[0];
  if (threadIdx.x == 0) {
    full.init(1);
    axe::fence_mbarrier_init();
    full.arrive_and_expect_tx(axe::bytes_of_tile<decltype(staged)>);
  }
  __syncthreads();
  axe::copy_async(axe::mapped(in, axe::tile<Rows, Columns>(x.in, axe::block_y(), axe::block_x())),
                  staged, full, axe::cta<64>);
  full.wait(0);
  axe::copy_async<Store>(
      staged, axe::mapped(out, axe::tile<Rows, Columns>(x.out, axe::block_y(), axe::block_x())),
      axe::cta<64>);
  if (threadIdx.x == 0) {
    axe::bulk_commit();
    axe::bulk_wait<0>();
  }
}

#define BY_MAPS(NAME, T, LAYOUT, ROWS, COLUMNS, ...)                                              \
  extern "C" __global__ void NAME(__grid_constant__ tensor_map const in,                          \
                                  __grid_constant__ tensor_map const out, mapped_operands<T> x) { \
    by_maps<LAYOUT, ROWS, COLUMNS, __VA_ARGS__>(in, out, x);                                      \
  }
BY_MAPS(mapped_halves, unsigned short, halves_tile, 64, 64, axe::copy_how{})
BY_MAPS(mapped_permuted, float, permuted_tile, 32, 32, axe::copy_how{})
BY_MAPS(mapped_columns, unsigned, columns_tile, 16, 64, axe::cached<axe::cache_hint::evict_first>)
BY_MAPS(mapped_sum, unsigned, columns_tile, 16, 64, axe::reducing<axe::tma_reduction::add>)
BY_MAPS(mapped_hinted_sum, unsigned, columns_tile, 16, 64,
        axe::copy_how{.reduction = axe::tma_reduction::add, .cache = axe::cache_hint::evict_last})

/// CTA 0 of each cluster loads for both CTAs. Tile (i, j) of the input is stored as tiles (i, 2j)
/// and (i, 2j+1) of the output.
extern "C" __global__ void __cluster_dims__(2, 1, 1)
    mapped_twice(__grid_constant__ tensor_map const in, __grid_constant__ tensor_map const out,
                 mapped_operands<unsigned short> x) {
  __shared__ axe::shared_tile<unsigned short, halves_tile, axe::extents<64, 64>> staged;
  __shared__ axe::mbarrier_storage<1> bars;
  axe::mbarrier const full = bars[0];
  if (threadIdx.x == 0) {
    full.init(1);
    axe::fence_mbarrier_init();
    full.arrive_and_expect_tx(axe::bytes_of_tile<decltype(staged)>);
  }
  axe::cluster_sync();
  if (axe::cta_in_cluster<2>()() == 0)
    axe::copy_async<axe::copy_how{.cache = axe::cache_hint::evict_last, .ctas = 3}>(
        axe::mapped(in,
                    axe::tile<64, 64>(x.in, axe::block_y(), axe::below<(1 << 20)>(blockIdx.x / 2))),
        staged, full, axe::cta<64>);
  full.wait(0);
  axe::copy_async(staged,
                  axe::mapped(out, axe::tile<64, 64>(x.out, axe::block_y(), axe::block_x())),
                  axe::cta<64>);
  if (threadIdx.x == 0) {
    axe::bulk_commit();
    axe::bulk_wait<0>();
  }
  axe::cluster_sync();
}

}  // namespace copies
