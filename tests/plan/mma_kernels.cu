// Matrix products by mma(c, a, b) with every kind of operand: registers, and shared memory with
// each swizzle in both directions. mma_kernels_test.cpp runs them.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <axe/algebra/direct_sum.hpp>
#include <axe/algebra/permute.hpp>
#include <axe/algebra/tile.hpp>
#include <axe/atoms.hpp>
#include <axe/axe.hpp>
#include <axe/cuda/fence.hpp>
#include <axe/cuda/local_partition.hpp>
#include <axe/cuda/mma/mma.hpp>
#include <axe/cuda/mma/wgmma.hpp>
#include <axe/cuda/shared_subtile.hpp>
#include <axe/cuda/shared_tile.hpp>
#include <axe/cuda/thread.hpp>
#include <axe/index.hpp>

namespace products {

using namespace axe::literals;
using axe::integer;
using axe::layout;

using matrix = axe::dynamic_matrix<axe::dynamic(0).below(1 << 20), axe::dynamic(1).below(1 << 20),
                                   axe::dynamic(2).below(1 << 20)>;
using input = axe::tensor<int const, matrix>;
using output = axe::tensor<float, matrix>;

/// rows x columns fragments, one after the other in registers.
constexpr layout repeat(layout const& atom, axe::shape const& s, integer rows, integer columns,
                        integer size) {
  layout outer;
  outer.shards.push({rows, columns * size, axe::axis::reg});
  outer.shards.push({columns, size, axe::axis::reg});
  return axe::direct_sum(outer, {rows, columns}, atom, s);
}

template <class Fragment, class ThreadTile>
__device__ void fill(Fragment& f, ThreadTile const& from) {
  using value = typename Fragment::value_type;
  axe::for_each_register<Fragment::size>(
      [&](auto r) { f[r] = value(static_cast<float>(from.load(r))); });
}
template <class Fragment, class ThreadTile>
__device__ void store(Fragment const& f, ThreadTile const& to) {
  axe::for_each_register<Fragment::size>([&](auto r) { to.store(r, static_cast<float>(f[r])); });
}

/// Fragments of mma.sync: 2 x 2 x 2 instructions of one warp.
template <int M, int K, int Bits> struct warp_layouts {
  using atom = axe::mma_atom<M, 8, K, Bits>;
  struct a : axe::carrier<repeat(atom::a, {M, K}, 2, 2, M* K / 32)> {};
  struct b : axe::carrier<repeat(atom::b, {K, 8}, 2, 2, K / 4)> {};
  struct c : axe::carrier<repeat(atom::accumulator, {M, 8}, 2, 2, M / 4)> {};
};
template <class A, class B, class Sum, int M, int K>
__device__ void by_warp(input const& a, input const& b, output const& c) {
  using layouts = warp_layouts<M, K, 8 * sizeof(A)>;
  axe::fragment<A, typename layouts::a, axe::extents<2 * M, 2 * K>> x;
  axe::fragment<B, typename layouts::b, axe::extents<2 * K, 16>> y;
  axe::fragment<Sum, typename layouts::c, axe::extents<2 * M, 16>> sums;
  constexpr axe::constant<0> first{};
  fill(x, axe::local_partition<typename layouts::a>(axe::tile<2 * M, 2 * K>(a, first, first),
                                                    threadIdx.x));
  fill(y, axe::local_partition<typename layouts::b>(axe::tile<2 * K, 16>(b, first, first),
                                                    threadIdx.x));
  sums.fill(Sum(1));
  axe::mma(sums, x, y);
  store(sums, axe::local_partition<typename layouts::c>(axe::tile<2 * M, 16>(c, first, first),
                                                        threadIdx.x));
}

extern "C" __global__ void warp_bf16(input a, input b, output c) {
  by_warp<__nv_bfloat16, __nv_bfloat16, float, 16, 16>(a, b, c);
}
extern "C" __global__ void warp_f16_k8(input a, input b, output c) {
  by_warp<__half, __half, float, 16, 8>(a, b, c);
}
extern "C" __global__ void warp_f16_sums(input a, input b, output c) {
  by_warp<__half, __half, __half, 16, 16>(a, b, c);
}
extern "C" __global__ void warp_tf32(input a, input b, output c) {
  by_warp<float, float, float, 16, 8>(a, b, c);
}
extern "C" __global__ void warp_tf32_k4(input a, input b, output c) {
  by_warp<float, float, float, 16, 4>(a, b, c);
}
extern "C" __global__ void warp_s8(input a, input b, output c) {
  by_warp<signed char, signed char, int, 16, 32>(a, b, c);
}
extern "C" __global__ void warp_s8_m8(input a, input b, output c) {
  by_warp<signed char, signed char, int, 8, 16>(a, b, c);
}
extern "C" __global__ void warp_f64(input a, input b, output c) {
  by_warp<double, double, double, 8, 4>(a, b, c);
}
#if __CUDA_ARCH__ >= 900
extern "C" __global__ void warp_f64_k16(input a, input b, output c) {
  by_warp<double, double, double, 16, 16>(a, b, c);
}
extern "C" __global__ void warp_e4m3(input a, input b, output c) {
  by_warp<__nv_fp8_e4m3, __nv_fp8_e5m2, float, 16, 32>(a, b, c);
}
#endif

/// Four warps, 2 x 2, that share their operands: (64,32) by (32,64).
using atom = axe::mma_atom<16, 8, 16, 16>;
struct cta_a : axe::carrier<axe::tile("S[(2,1):(2@warp,0)] + R[2:1@warp]"_axe, {2, 1},
                                      repeat(atom::a, {16, 16}, 2, 2, 8), {32, 32})> {};
struct cta_b : axe::carrier<axe::tile("S[(1,2):(0,1@warp)] + R[2:2@warp]"_axe, {1, 2},
                                      repeat(atom::b, {16, 8}, 2, 4, 4), {32, 32})> {};
struct cta_c : axe::carrier<axe::tile("S[(2,2):(2@warp,1@warp)]"_axe, {2, 2},
                                      repeat(atom::accumulator, {16, 8}, 2, 4, 4), {32, 32})> {};
extern "C" __global__ void four_warps(input a, input b, output c) {
  axe::fragment<__nv_bfloat16, cta_a, axe::extents<64, 32>> x;
  axe::fragment<__nv_bfloat16, cta_b, axe::extents<32, 64>> y;
  axe::fragment<float, cta_c, axe::extents<64, 64>> sums;
  constexpr axe::constant<0> first{};
  fill(x, axe::local_partition<cta_a>(axe::tile<64, 32>(a, first, first), threadIdx.x));
  fill(y, axe::local_partition<cta_b>(axe::tile<32, 64>(b, first, first), threadIdx.x));
  sums.fill(1);
  axe::mma(sums, x, y);
  store(sums, axe::local_partition<cta_c>(axe::tile<64, 64>(c, first, first), threadIdx.x));
}

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

/// Elements of a tile over 128 threads.
template <integer Elements> struct by_threads_source {
  static constexpr layout value =
      axe::S({Elements / 128, 128}, {1 * axe::axis::reg, 1 * axe::axis::tid});
};
/// Elements of a tile of K rows over 128 threads, 128 / K in each row. The number of columns need
/// not be a power of two.
template <integer K, integer N> struct by_rows_source {
  static constexpr layout value =
      axe::S({K, 128 / K, N / (128 / K)},
             {128 / K * axe::axis::tid, 1 * axe::axis::tid, 1 * axe::axis::reg});
};
template <integer K, integer N> using by_rows = axe::detail::carrier_of<by_rows_source<K, N>>;
template <integer Elements> using by_threads = axe::detail::carrier_of<by_threads_source<Elements>>;

/// Tiles of shared memory as wgmma reads them: A (64,K), B (K,N), under a swizzle, with K or the
/// other dimension contiguous.
template <int N, int K, int Bits, axe::swizzle_mode Mode, bool AByRows, bool BByRows>
struct group_layouts {
  static constexpr layout rows_of(integer rows, bool mn_major) {
    return axe::mma_shared_layout(Bits, Mode, {rows, K},
                                  mn_major ? axe::runs_along::rows : axe::runs_along::columns);
  }
  using atom = axe::wgmma_atom<N, Bits>;
  struct a : axe::carrier<rows_of(64, AByRows)> {};
  struct b : axe::carrier<axe::permute(rows_of(N, BByRows), {N, K}, {1, 0})> {};
  struct c : axe::carrier<atom::accumulator> {};
  struct a_registers : axe::carrier<repeat(atom::a, {64, atom::k}, 1, K* Bits / 256, 128 / Bits)> {
  };
};

template <class Layouts, class A, class Sum, int N, int K, bool ARegisters>
__device__ void by_group(input const& a, input const& b, output const& c) {
  __shared__ axe::shared_tile<A, typename Layouts::a, axe::extents<64, K>> sa;
  __shared__ axe::shared_tile<A, typename Layouts::b, axe::extents<K, N>> sb;
  constexpr axe::constant<0> first{};
  auto const stage = [&](auto const& from, auto const& to) {
    axe::for_each_register<from.size>(
        [&](auto r) { to.store(r, A(static_cast<float>(from.load(r)))); });
  };
  using all_a = by_threads<64 * K>;
  using all_b = by_rows<K, N>;
  stage(axe::local_partition<all_a>(axe::tile<64, K>(a, first, first), threadIdx.x),
        axe::local_partition<all_a>(sa, threadIdx.x));
  stage(axe::local_partition<all_b>(axe::tile<K, N>(b, first, first), threadIdx.x),
        axe::local_partition<all_b>(sb, threadIdx.x));
  axe::fence_proxy_async();
  __syncthreads();
  axe::fragment<Sum, typename Layouts::c, axe::extents<64, N>> sums;
  auto const multiply = [&](auto const& x) {
    // Multiplies twice, the first time without accumulating, so that C = 2 A B.
    axe::wgmma_fence(sums);
    axe::mma(sums, x, sb, false);
    axe::mma(sums, x, sb);
    axe::wgmma_commit();
    axe::wgmma_wait<0>(sums);
  };
  if constexpr (ARegisters) {
    axe::fragment<A, typename Layouts::a_registers, axe::extents<64, K>> x;
    fill(x, axe::local_partition<typename Layouts::a_registers>(axe::tile<64, K>(a, first, first),
                                                                threadIdx.x));
    multiply(x);
  } else {
    multiply(sa);
  }
  store(sums,
        axe::local_partition<typename Layouts::c>(axe::tile<64, N>(c, first, first), threadIdx.x));
}

#define GROUP(NAME, A, SUM, N, K, MODE, A_BY_ROWS, B_BY_ROWS, A_REGISTERS)                         \
  extern "C" __global__ void __launch_bounds__(128) NAME(input a, input b, output c) {             \
    by_group<group_layouts<N, K, 8 * sizeof(A), axe::swizzle_mode::MODE, A_BY_ROWS, B_BY_ROWS>, A, \
             SUM, N, K, A_REGISTERS>(a, b, c);                                                     \
  }
GROUP(group_bf16, __nv_bfloat16, float, 128, 64, bytes_128, false, false, false)
GROUP(group_by_rows, __nv_bfloat16, float, 64, 32, bytes_128, true, true, false)
GROUP(group_64_bytes, __nv_bfloat16, float, 32, 64, bytes_64, true, false, false)
GROUP(group_32_bytes, __nv_bfloat16, float, 48, 32, bytes_32, false, true, false)
GROUP(group_unswizzled, __nv_bfloat16, float, 24, 32, none, true, false, false)
GROUP(group_a_registers, __nv_bfloat16, float, 8, 64, bytes_128, false, false, true)
GROUP(group_f16_sums, __half, __half, 40, 64, bytes_128, false, false, false)
GROUP(group_tf32, float, float, 16, 32, bytes_128, false, false, false)
GROUP(group_e4m3, __nv_fp8_e4m3, float, 136, 64, bytes_64, false, false, false)
GROUP(group_e4m3_registers, __nv_fp8_e4m3, float, 16, 64, bytes_64, false, false, true)
GROUP(group_s8, signed char, int, 96, 64, bytes_64, false, false, false)

/// B (32,64) has adjacent columns under the 128-byte swizzle, and is read 8 or 16 columns at a
/// time: the order of C's registers fits no wider instruction. Blocks begin at 16, 32, … bytes
/// inside the swizzle's pattern. The hardware XORs the final address, so that they are read
/// correctly.
template <class C>
struct narrow_layouts : group_layouts<64, 32, 16, axe::swizzle_mode::bytes_128, true, true> {
  struct c : C {};
};
struct by_eights
    : axe::carrier<"S[(4,2,8,2,4,4,2):(1@wid_in_wg,2@reg,4@lane,4@reg,8@reg,1@lane,1@reg)]"_axe> {};
struct by_sixteens
    : axe::carrier<
          "S[(4,2,8,2,2,2,4,2):(1@wid_in_wg,2@reg,4@lane,8@reg,16@reg,4@reg,1@lane,1@reg)]"_axe> {};
template <class C, int N> __device__ void narrow(input const& a, input const& b, output const& c) {
  using layouts = narrow_layouts<C>;
  constexpr layout of_a = layouts::a::value, of_b = layouts::b::value, of_c = layouts::c::value;
  constexpr axe::mma_plan plan = axe::plan_mma(
      {axe::element_type::bf16, axe::element_type::bf16, axe::element_type::f32},
      {of_a, {64, 32}, axe::memory_space::shared}, {of_b, {32, 64}, axe::memory_space::shared},
      {of_c, {64, 64}, axe::memory_space::registers}, axe::architecture::sm_90a);
  static_assert(plan.instruction.n == N && plan.n_steps == 64 / N &&
                    plan.b_shared.start(1, 0) == 2 * N &&
                    plan.b_shared.major == axe::operand_major::mn &&
                    plan.b_shared.mode == axe::swizzle_mode::bytes_128,
                "B is read in blocks of N columns inside the swizzle's pattern");
  by_group<layouts, __nv_bfloat16, float, 64, 32, false>(a, b, c);
}
extern "C" __global__ void __launch_bounds__(128) group_by_eights(input a, input b, output c) {
  narrow<by_eights, 8>(a, b, c);
}
extern "C" __global__ void __launch_bounds__(128) group_by_sixteens(input a, input b, output c) {
  narrow<by_sixteens, 16>(a, b, c);
}

/// Two warpgroups share one tile of A. Warpgroup w multiplies half w of its rows.
extern "C" __global__ void __launch_bounds__(256) two_groups(input a, input b, output c) {
  using layouts = group_layouts<32, 64, 16, axe::swizzle_mode::bytes_128, false, false>;
  struct whole : axe::carrier<axe::mma_shared_layout(16, axe::swizzle_mode::bytes_128, {128, 64})> {
  };
  struct halves
      : axe::carrier<"S[(2,4,2,8,4,4,2):(4@warp,1@warp,2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe> {};
  __shared__ axe::shared_tile<__nv_bfloat16, whole, axe::extents<128, 64>> sa;
  __shared__ axe::shared_tile<__nv_bfloat16, layouts::b, axe::extents<64, 32>> sb;
  constexpr axe::constant<0> first{};
  auto const t = axe::thread_id<256>();
  if (threadIdx.x < 128) {
    auto const stage = [&](auto const& from, auto const& to) {
      axe::for_each_register<from.size>(
          [&](auto r) { to.store(r, __nv_bfloat16(static_cast<float>(from.load(r)))); });
    };
    stage(axe::local_partition<by_threads<128 * 64>>(axe::tile<128, 64>(a, first, first),
                                                     threadIdx.x),
          axe::local_partition<by_threads<128 * 64>>(sa, threadIdx.x));
    stage(
        axe::local_partition<by_threads<64 * 32>>(axe::tile<64, 32>(b, first, first), threadIdx.x),
        axe::local_partition<by_threads<64 * 32>>(sb, threadIdx.x));
    axe::fence_proxy_async();
  }
  __syncthreads();
  axe::fragment<float, layouts::c, axe::extents<64, 32>> sums;
  axe::wgmma_fence(sums);
  axe::mma(sums, axe::tile<64, 64>(sa, t.digit<128, 2>(), first), sb, false);
  axe::wgmma_commit();
  axe::wgmma_wait<0>(sums);
  // A wait also keeps elements of 64 bits.
  axe::fragment<double, axe::carrier<"S[8:1@reg]"_axe>, axe::extents<8>> pairs;
  memcpy(pairs.registers, sums.registers, sizeof(pairs.registers));
  axe::wgmma_wait<0>(pairs);
  memcpy(sums.registers, pairs.registers, sizeof(pairs.registers));
  store(sums, axe::local_partition<halves>(axe::tile<128, 32>(c, first, first), threadIdx.x));
}

#endif

}  // namespace products
