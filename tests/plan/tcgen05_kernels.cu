// Products by tcgen05.mma on one CTA and on a pair, with every kind of operand and the data paths
// A, B, D and F. tcgen05_kernels_test.cpp runs them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <axe/algebra/permute.hpp>
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/cuda/mma/tcgen05.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/thread.hpp>
#include <axe/index.hpp>

namespace products {

using namespace axe::literals;
using axe::integer;
using axe::layout;
using axe::swizzle_mode;

using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 20), axe::dynamic(1).below(1 << 20),
                                   axe::dynamic(2).below(1 << 20)>;
using input = axe::tensor<int const, matrix>;
using output = axe::tensor<float, matrix>;

/// Elements of a tile over 128 threads.
template <integer Rows, integer Columns> struct by_threads_source {
  static constexpr layout value =
      axe::S({Rows * Columns / 128, 128}, {1 * axe::axis::reg, 1 * axe::axis::tid});
};
/// D in registers. On path F it lies as for wgmma. On path B two threads have the halves of a row.
/// On other paths each thread has a row.
template <axe::data_path Path, integer N> struct held_source {
  static constexpr layout make() {
    using enum axe::axis;
    if (Path == axe::data_path::F) return axe::wgmma_fragment(axe::mma_operand::accumulator, N, 16);
    if (Path == axe::data_path::B)
      return axe::S({2, 32, 2, N / 2}, {1 * wid_in_wg, 1 * lane, 2 * wid_in_wg, 1 * reg});
    return axe::S({4, 32, N}, {1 * wid_in_wg, 1 * lane, 1 * reg});
  }
  static constexpr layout value = make();
};
template <axe::data_path Path, integer N> struct sums_source {
  static constexpr layout value = axe::accumulator_in_tensor_memory(Path, N);
};
/// A in tensor memory.
template <integer K> struct kept_source {
  static constexpr layout value = axe::a_in_tensor_memory(axe::data_path::D, K, 16);
};
/// Tiles of shared memory: A (Rows,K), B (K,Columns), with K or the other dimension contiguous.
template <integer Rows, integer K, int Bits, swizzle_mode Mode, bool MnMajor> struct a_source {
  static constexpr layout value = axe::mma_shared_layout(
      Bits, Mode, {Rows, K}, MnMajor ? axe::runs_along::rows : axe::runs_along::columns);
};
template <integer Columns, integer K, int Bits, swizzle_mode Mode, bool MnMajor> struct b_source {
  static constexpr layout value =
      axe::permute(a_source<Columns, K, Bits, Mode, MnMajor>::value, {Columns, K}, {1, 0});
};

/// C = 2 A B. M is the number of rows of A, N the number of columns of B, in one CTA.
template <class A, class Sum, int Ctas, axe::data_path Path, int M, int N, int K, swizzle_mode Mode,
          bool MnMajor, bool AInTensor>
__device__ void multiply(input const& a, input const& b, output const& c) {
  constexpr int bits = 8 * sizeof(A), columns = Ctas * N;
  using sums_shape = axe::extents<M, columns>;
  using held = held_source<Path, columns>;
  __shared__ axe::shared_tile<A, a_source<M, K, bits, Mode, MnMajor>, axe::extents<M, K>> sa;
  __shared__ axe::shared_tile<A, b_source<N, K, bits, Mode, MnMajor>, axe::extents<K, N>> sb;
  __shared__ axe::mbarrier_storage<1> barriers;
  __shared__ unsigned tmem_address;
  constexpr axe::constant<0> first{};
  auto const rank = axe::below<Ctas>(Ctas == 2 ? blockIdx.x : 0);
  auto const stage = [&](auto const& from, auto const& to) {
    axe::for_each_register<from.size>(
        [&](auto r) { to.store(r, A(static_cast<float>(from.load(r)))); });
  };
  stage(axe::local_partition<axe::detail::carrier_of<by_threads_source<K, N>>>(
            axe::tile<K, N>(b, first, rank), threadIdx.x),
        axe::local_partition<axe::detail::carrier_of<by_threads_source<K, N>>>(sb, threadIdx.x));
  if constexpr (!AInTensor)
    stage(axe::local_partition<axe::detail::carrier_of<by_threads_source<M, K>>>(
              axe::tile<M, K>(a, rank, first), threadIdx.x),
          axe::local_partition<axe::detail::carrier_of<by_threads_source<M, K>>>(sa, threadIdx.x));
  axe::fence_proxy_async();
  axe::mbarrier const done = barriers[0];
  if (threadIdx.x == 0) {
    done.init(1);
    axe::fence_mbarrier_init();
  }
  axe::tensor_memory<256, Ctas> const memory(tmem_address);
  auto const d =
      memory.template tile<Sum, axe::detail::carrier_of<sums_source<Path, columns>>, sums_shape>();
  auto const issue = [&](auto const& of_a) {
    if (threadIdx.x != 0 || rank() != 0) return;
    axe::mma(d, of_a, sb, false);
    axe::mma(d, of_a, sb);
    if constexpr (Ctas == 2)
      axe::tcgen05_commit_to<2>(done, 0b11);
    else
      axe::tcgen05_commit(done);
  };
  if constexpr (AInTensor) {
    using row_per_thread = axe::detail::carrier_of<held_source<axe::data_path::D, K>>;
    axe::fragment<A, row_per_thread, axe::extents<128, K>> x;
    auto const from =
        axe::local_partition<row_per_thread>(axe::tile<M, K>(a, rank, first), threadIdx.x);
    axe::for_each_register<x.size>([&](auto r) { x[r] = A(static_cast<float>(from.load(r))); });
    auto const kept =
        memory.template tile<A, axe::detail::carrier_of<kept_source<K>>, axe::extents<128, K>>(128);
    axe::copy(x, kept, axe::warpgroup);
    axe::tcgen05_fence_before();
    if constexpr (Ctas == 2)
      axe::cluster_sync();
    else
      __syncthreads();
    axe::tcgen05_fence_after();
    issue(kept);
  } else {
    issue(sa);
  }
  __syncwarp();
  done.wait(0);
  axe::tcgen05_fence_after();
  axe::fragment<Sum, axe::detail::carrier_of<held>, sums_shape> f;
  axe::copy(d, f, axe::warpgroup);
  auto const to = axe::local_partition<axe::detail::carrier_of<held>>(
      axe::tile<M, columns>(c, rank, first), threadIdx.x);
  axe::for_each_register<f.size>([&](auto r) { to.store(r, static_cast<float>(f[r])); });
}

#define PRODUCT(NAME, ...)                                                             \
  extern "C" __global__ void __launch_bounds__(128) NAME(input a, input b, output c) { \
    multiply<__VA_ARGS__>(a, b, c);                                                    \
  }
#define OF_PAIR(NAME, ...)                                              \
  extern "C" __global__ void __launch_bounds__(128) __cluster_dims__(2) \
      NAME(input a, input b, output c) {                                \
    multiply<__VA_ARGS__>(a, b, c);                                     \
  }
using enum axe::data_path;
using enum swizzle_mode;
PRODUCT(bf16, __nv_bfloat16, float, 1, D, 128, 64, 64, bytes_128, false, false)
PRODUCT(by_rows, __nv_bfloat16, float, 1, D, 128, 64, 32, bytes_128, true, false)
PRODUCT(rows_64, __half, float, 1, F, 64, 32, 64, bytes_64, false, false)
PRODUCT(unswizzled, __half, float, 1, D, 128, 16, 32, none, true, false)
PRODUCT(tf32, float, float, 1, D, 128, 32, 32, bytes_128, false, false)
PRODUCT(e4m3, __nv_fp8_e4m3, float, 1, D, 128, 32, 64, bytes_64, false, false)
PRODUCT(s8, signed char, int, 1, D, 128, 32, 32, bytes_32, false, false)
PRODUCT(a_in_tensor, __nv_bfloat16, float, 1, D, 128, 32, 64, bytes_128, false, true)
OF_PAIR(pair_bf16, __nv_bfloat16, float, 2, A, 128, 64, 64, bytes_128, false, false)
OF_PAIR(pair_by_rows, __nv_bfloat16, float, 2, A, 128, 32, 32, bytes_64, true, false)
OF_PAIR(pair_64_rows, __nv_bfloat16, float, 2, B, 64, 64, 64, bytes_128, false, false)
OF_PAIR(pair_a_in_tensor, __nv_bfloat16, float, 2, A, 128, 32, 64, bytes_128, false, true)

}  // namespace products
