// Kernels with prepared copies. prepared_test.cpp runs them.
#include "tensors.hpp"

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms.hpp>
#include <axe/cuda.hpp>
#include <axe/cuda/mma/wgmma.hpp>

#include <cuda_fp16.h>

namespace loops {

using atom = axe::mma_atom<16, 8, 16, 16>;
using a_lanes = axe::carrier<axe::direct_sum("S[4:8@reg]"_axe, {1, 4}, atom::a, {16, 16})>;
using b_lanes = axe::carrier<axe::direct_sum("S[4:4@reg]"_axe, {4, 1}, atom::b, {16, 8})>;
using c_lanes = axe::carrier<atom::accumulator>;
using stage = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;

/// Each block sums 64 rows on tensor cores. Each of three stages has 64 columns.
extern "C" __global__ void row_sums(axe::tensor<__half const, whole_tiles, axe::aligned<16>> x,
                                    axe::tensor<float, axe::row_major<1>> sums) {
  __shared__ axe::shared_tile<__half, stage> ring[3];
  unsigned const steps = axe::tiles<1, 64>(x);
  auto const fill = axe::prepare_copy_async<1>(
      axe::tile<64, 64>(x, axe::block_x(), axe::constant<0>{}), ring, axe::cta<128>);
  axe::fragment<__half, a_lanes, axe::extents<16, 64>> a;
  axe::fragment<__half, b_lanes, axe::extents<64, 8>> ones;
  axe::fragment<float, c_lanes, axe::extents<16, 8>> c{};
  ones.fill(__float2half(1.0f));
  auto const read = axe::prepare_copy(
      axe::tile<16, 64>(ring, axe::warp_id<128>(), axe::constant<0>{}), a, axe::warp);
  auto to = axe::first_stage(ring), from = to;
  unsigned next = 0;
  auto const load = [&] {
    if (next < steps) fill(next, to);
    axe::async_commit();
    ++next;
    to.advance();
  };
  load();
  load();
#pragma unroll 1
  for (unsigned k = 0; k < steps; ++k) {
    axe::async_wait<1>();
    axe::sync(axe::cta<128>);
    load();
    read(from);
    axe::mma(c, a, ones);
    from.advance();
  }
  if (threadIdx.x % 4 == 0) {
    auto const row = axe::constant<64>{} * axe::block_x() +
                     axe::constant<16>{} * axe::warp_id<128>() +
                     axe::thread_id<128>().digit<4, 8>();
    sums(row) = c[0];
    sums(row + axe::constant<8>{}) = c[2];
  }
}
/// One warp sums 16 rows. It loads A from global memory and stores the whole accumulator.
extern "C" __global__ void row_sums_of_warp(
    axe::tensor<__half const, axe::row_major<2>, axe::aligned<128>> x,
    axe::tensor<float, axe::row_major<2>> sums) {
  axe::fragment<__half, a_lanes, axe::extents<16, 64>> a;
  axe::fragment<__half, b_lanes, axe::extents<64, 8>> ones;
  axe::fragment<float, c_lanes, axe::extents<16, 8>> c;
  ones.fill(__float2half(1.0f));
  c.fill(0);
  auto const read = axe::prepare_copy<1>(
      axe::exact_grid(axe::tile<16, 64>(x, axe::block_x(), axe::constant<0>{})), a, axe::warp);
#pragma unroll 1
  for (unsigned k = 0; k < axe::tiles<1, 64>(x); ++k) {
    read(k);
    axe::mma(c, a, ones);
  }
  axe::copy(c, axe::tile<16, 8>(sums, axe::block_x(), 0), axe::warp);
}
extern "C" __global__ void row_sums_by_hand(__half const* x, float* sums, unsigned columns,
                                            unsigned pitch) {
  __shared__ alignas(1024) __half ring[3 * 4096];
  unsigned const t = threadIdx.x, lane = t & 31, row = t >> 3, chunk = t & 7;
  unsigned const base = static_cast<unsigned>(__cvta_generic_to_shared(ring));
  unsigned const steps = columns / 64;
  char const* from = reinterpret_cast<char const*>(
      x + static_cast<unsigned long long>(blockIdx.x * 64 + row) * pitch + chunk * 8);
  unsigned long long const down = static_cast<unsigned long long>(pitch) * 32;
  unsigned to = base + row * 128 + ((chunk ^ (row & 7)) << 4);
  unsigned const to_end = to + 3 * 8192;
  unsigned left = steps;
  auto const load = [&] {
    if (left != 0) {
#pragma unroll
      for (unsigned i = 0; i < 4; ++i)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to + i * 2048),
                     "l"(from + i * down)
                     : "memory");
      from += 128;
      --left;
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    to += 8192;
    if (to == to_end) to -= 3 * 8192;
  };
  load();
  load();
  unsigned const r = (t >> 5) * 16 + (lane & 15);
  unsigned at = base + r * 128 + (((lane >> 4) ^ (r & 7)) << 4);
  unsigned const at_end = at + 3 * 8192;
  float c[4] = {};
#pragma unroll 1
  for (unsigned k = 0; k < steps; ++k) {
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    load();
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) {
      unsigned a[4];
      asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                   : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
                   : "r"(at ^ (j << 5))
                   : "memory");
      asm volatile(
          "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
          "{%8,%9}, {%0,%1,%2,%3};"
          : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
          : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(0x3c003c00u), "r"(0x3c003c00u));
    }
    at += 8192;
    if (at == at_end) at -= 3 * 8192;
  }
  if ((lane & 3) == 0) {
    float* const o = sums + blockIdx.x * 64 + (t >> 5) * 16 + (lane >> 2);
    o[0] = c[0];
    o[8] = c[2];
  }
}

/// Copies a column of partial tiles through shared memory, without cp.async.
extern "C" __global__ void down(aligned_input in, output out) {
  __shared__ axe::shared_tile<unsigned short, swizzled> ring[2];
  auto const fill = axe::prepare_copy<0, axe::zero_fill>(axe::tile<16, 64>(in, 0, axe::block_x()),
                                                         ring, axe::cta<64>);
  auto const drain =
      axe::prepare_copy<0>(ring, axe::tile<16, 64>(out, 0, axe::block_x()), axe::cta<64>);
  for (unsigned k = 0; k < axe::tiles<0, 16>(in); ++k) {
    fill(k, k % 2);
    axe::sync(axe::cta<64>);
    drain(k, k % 2);
  }
}
/// Copies row numbers[i] to row i.
extern "C" __global__ void chosen_rows(aligned_input in, output out, unsigned const* numbers) {
  using held = axe::carrier<"S[(1,32,8):(1@reg,1@tid,1@reg)]"_axe>;
  axe::fragment<unsigned short, held, axe::extents<1, 256>> row;
  auto const read = axe::prepare_copy<0>(axe::tile<1, 256>(in, 0, 0), row, axe::cta<32>);
  auto const write = axe::prepare_copy<0>(row, axe::tile<1, 256>(out, 0, 0), axe::cta<32>);
#pragma unroll 1
  for (unsigned i = 0; i < axe::extent<0>(out); ++i) {
    read(numbers[i]);
    write(i);
  }
}
/// `down` through registers, from tiles that begin above and left of the tensor.
extern "C" __global__ void down_from_above(input in, output out) {
  using held = axe::carrier<"S[(16,32,2):(2@reg,1@tid,1@reg)]"_axe>;
  axe::fragment<unsigned short, held, extent_16_64> f;
  auto const fill = axe::prepare_copy < 0,
             axe::zero_fill | axe::allow_slow > (axe::tile_at<16, 64>(in, -3, -5), f, axe::cta<32>);
  auto const drain = axe::prepare_copy<0>(f, axe::tile<16, 64>(out, 0, 0), axe::cta<32>);
  for (int k = 0; k < static_cast<int>(axe::tiles<0, 16>(out)); ++k) {
    fill(k);
    drain(k);
  }
}
/// Each thread adds up 8 columns of one row of each tile. `Step` is the type of the loop counter.
template <class Step> __device__ void add_rows(whole_rows in, unsigned* sums) {
  using held = axe::carrier<"S[(4,32,8):(32@tid,1@tid,1@reg)]"_axe>;
  axe::fragment<unsigned short, held, axe::extents<4, 256>> rows;
  auto const read =
      axe::prepare_copy<0, axe::zero_fill>(axe::tile<4, 256>(in, 0, 0), rows, axe::cta<128>);
  unsigned sum = 0;
  for (Step k = 0; k < static_cast<Step>(axe::tiles<0, 4>(in)); ++k) {
    read(k);
    for (int r = 0; r < rows.size; ++r) sum += rows[r];
  }
  sums[threadIdx.x] = sum;
}
extern "C" __global__ void add_by_unsigned(whole_rows in, unsigned* sums) {
  add_rows<unsigned>(in, sums);
}
extern "C" __global__ void add_by_int(whole_rows in, unsigned* sums) { add_rows<int>(in, sums); }
#if __CUDA_ARCH__ >= 900
/// Loads three tiles side by side with tensor copies. The first begins at (row, column), where
/// column is a multiple of 8.
extern "C" __global__ void boxes(__grid_constant__ axe::tensor_map const map, aligned_input in,
                                 output out, int row, int column) {
  __shared__ axe::shared_tile<unsigned short, swizzled> ring[2];
  __shared__ axe::mbarrier_storage<2> barriers;
  if (threadIdx.x == 0) {
    barriers[0].init(1);
    barriers[1].init(1);
    axe::fence_mbarrier_init();
  }
  axe::sync(axe::cta<64>);
  auto const fill = axe::prepare_copy_async<1>(
      axe::mapped(map, axe::tile_at<16, 64>(in, row, column)), ring, axe::thread);
  auto const drain = axe::prepare_copy<1>(ring, axe::tile<16, 64>(out, 0, 0), axe::cta<64>);
  for (unsigned k = 0; k < axe::tiles<1, 64>(out); ++k) {
    if (threadIdx.x == 0) {
      barriers[k % 2].arrive_and_expect_tx(axe::bytes_of_tile<decltype(ring[0])>);
      fill(k, k % 2, barriers[k % 2]);
    }
    barriers[k % 2].wait(k / 2 % 2);
    drain(k, k % 2);
    axe::sync(axe::cta<64>);
  }
}
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
using halves_in_rows = axe::tensor<__half const, axe::row_major<2>, axe::aligned<16>>;
using operand_stage = axe::shared_tile<__half, stage>;
using sums_of_64 = axe::carrier<axe::wgmma_atom<64, 16>::accumulator>;

/// C = A B^T: a warp loads tiles by TMA, and a warpgroup multiplies them.
extern "C" __global__ void product_of_boxes(__grid_constant__ axe::tensor_map const map_a,
                                            __grid_constant__ axe::tensor_map const map_b,
                                            halves_in_rows A, halves_in_rows B,
                                            axe::tensor<float, axe::row_major<2>> C) {
  __shared__ operand_stage a[2], b[2];
  __shared__ axe::pipeline_storage<2> barriers;
  axe::pipeline<2> const ring(barriers);
  if (axe::thread_id() == 0) ring.init(1);  // one warpgroup releases a stage
  axe::sync(axe::cta<160>);
  axe::pipeline_state<2> at;
  if (axe::thread_id() >= 128) {
    if (axe::thread_id() == 128)
#pragma unroll 1
      for (unsigned k = 0; k < axe::tiles<1, 64>(A); ++k, at.advance()) {
        ring.wait_until_empty(at);
        auto const full = ring.fill(at, 2 * axe::bytes_of_tile<operand_stage>);
        axe::copy_async(axe::mapped(map_a, axe::tile<64, 64>(A, axe::block_y(), k)), a[at.stage],
                        full, axe::thread);
        axe::copy_async(axe::mapped(map_b, axe::tile<64, 64>(B, axe::block_x(), k)), b[at.stage],
                        full, axe::thread);
      }
    return;
  }
  axe::fragment<float, sums_of_64, axe::extents<64, 64>> c;
#pragma unroll 1
  for (unsigned k = 0; k < axe::tiles<1, 64>(A); ++k, at.advance()) {
    ring.wait_until_full(at);
    axe::wgmma_fence(c);
    axe::mma(c, a[at.stage], axe::transposed(b[at.stage]), k > 0);
    axe::wgmma_commit();
    axe::wgmma_wait<0>(c);
    ring.release(at, axe::warpgroup);
  }
  axe::copy(c, axe::tile<64, 64>(C, axe::block_y(), axe::block_x()), axe::warpgroup);
}
#endif
#endif

/// Copies tiles of a `divided` matrix.
extern "C" __global__ void divided_columns(divided in, output out) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(4,64):(64,1)]"_axe>> staged;
  auto const read =
      axe::prepare_copy<0, axe::zero_fill>(axe::tile<4, 64>(in, 0, 0), staged, axe::cta<64>);
  auto const write = axe::prepare_copy<0>(staged, axe::tile<4, 64>(out, 0, 0), axe::cta<64>);
  for (unsigned k = 0; k < 3; ++k) {
    read(k);
    axe::sync(axe::cta<64>);
    write(k);
    axe::sync(axe::cta<64>);
  }
}

/// Sums 3 x 3 neighbours of each channel of (rows, columns, channels). Eight threads share a pixel,
/// and each has eight channels in each step.
extern "C" __global__ void windows(images<unsigned short const> in, images<unsigned short> out) {
  using nine = axe::carrier<"S[(3,3,8):(24@reg,8@reg,1@reg)]"_axe>;
  auto const t = axe::thread_id<32>();
  auto const x = axe::constant<4>{} * axe::block_x() + t.bits<3, 2>();
  if (x >= axe::extent<1>(in)) return;
  axe::fragment<unsigned short, nine, axe::extents<3, 3, 8>> v;
  axe::reduced<decltype(v), 0, 1> sum;
  axe::constant<0> const zero;
  auto const around = axe::tile_at<3, 3, 8>(in, 1 * axe::block_y() - 1, 1 * x - 1, zero);
  auto const read = axe::prepare_copy<2, axe::zero_fill>(around, v, axe::thread);
  auto const to = axe::tile<1, 1, 8>(out, axe::block_y(), x, zero);
  auto const write = axe::prepare_copy<2>(sum, to, axe::thread);
#pragma unroll 1
  for (unsigned c = threadIdx.x % 8; c < axe::tiles<2, 8>(in); c += 8) {
    read(c);
    axe::reduce<0, 1>(axe::plus{}, v, sum, axe::thread);
    write(c);
  }
}

/// Adds plane z - 1, 2 * plane z and plane z + 1. A tile has one plane, and the first and the last
/// step copy a plane out of bounds: it is tested, because the origin may be below 0.
extern "C" __global__ void planes(images<unsigned short const> in, images<unsigned short> out) {
  using lanes = axe::carrier<"S[(4,8,8):(8@lane,1@lane,1@reg)]"_axe>;
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(1,4,64):(256,64,1)]"_axe>> ring[1];
  axe::fragment<unsigned short, lanes, axe::extents<1, 4, 64>> here, above;
  axe::constant<0> const zero;
  auto const first = axe::tile_at<1, 4, 64>(in, axe::constant<-1>{}, zero, zero);
  auto const fill = axe::prepare_copy_async<0, axe::zero_fill>(first, ring, axe::warp);
  auto const read = axe::prepare_copy<0, axe::zero_fill>(first, above, axe::warp);
  for (int z = 0; z < static_cast<int>(axe::extent<0>(in)); ++z) {
    fill(z, 0);
    axe::async_commit();
    axe::copy<axe::zero_fill>(axe::tile_at<1, 4, 64>(in, z, zero, zero), here, axe::warp);
    read(z + 2);
    axe::async_wait<0>();
    axe::sync(axe::warp);
    auto const below = axe::load<lanes>(ring[0], axe::warp);
    axe::elementwise([](int a, int b, int c) { return a + 2 * b + c; }, here, below, here, above);
    axe::copy(here, axe::tile<1, 4, 64>(out, z, 0, 0), axe::warp);
    axe::sync(axe::warp);
  }
}

/// Each warp reads two tiles of three dimensions from shared memory. The prepared copy `first`
/// takes no argument, and `staged` takes a stage. `fill` is assigned a second prepared copy.
using box = axe::tensor<double, axe::row_major<3, 8, 16>, axe::aligned<16>>;
using box_rows = axe::carrier<"S[(4,8,16):(128,16,1)]"_axe>;
using box_lanes = axe::carrier<"S[(2,4,2,8):(2@reg,8@lane,1@reg,1@lane)]"_axe>;
extern "C" __global__ void deep_tiles(box in, box out) {
  __shared__ axe::shared_tile<double, box_rows> ring[2];
  auto const from = [&](int first) {
    axe::constant<0> const zero{};
    return axe::prepare_copy_async<0, axe::zero_fill>(
        axe::tile_at<4, 8, 16>(in, axe::any_signed(first), zero, zero), ring, axe::cta<64>);
  };
  auto fill = from(0);
  fill(0, 0);
  fill = from(4);
  fill(0, 1);
  axe::async_commit();
  axe::async_wait<0>();
  axe::sync(axe::cta<64>);
  auto const warp = axe::warp_id<64>();
  axe::fragment<double, box_lanes, axe::extents<2, 4, 16>> held;
  auto const first = axe::prepare_copy(axe::tile<2, 4, 16>(ring[0], warp, 1, 0), held, axe::warp);
  auto const staged = axe::prepare_copy(axe::tile<2, 4, 16>(ring, warp, 0, 0), held, axe::warp);
  first();
  axe::copy(held, axe::tile<2, 4, 16>(out, warp, 1, 0), axe::warp);
  staged(1);
  axe::copy(held, axe::tile<2, 4, 16>(out, axe::constant<2>{} + warp, 0, 0), axe::warp);
}

}  // namespace loops
