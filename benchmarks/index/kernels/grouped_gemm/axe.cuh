// A grouped product: each group of rows of x is multiplied by its own weights. Source: CUTLASS's
// grouped GEMM (include/cutlass/gemm/kernel/grouped_problem_visitor.h).
#pragma once

#include "../accumulators.cuh"

namespace grouped_gemm {
using namespace axe::literals;
using axe::direct_sum;
using kernels::atom;
/// Rows of a multiple of 64 elements.
template <class T> using matrix = axe::tensor<T, axe::row_major<2>, axe::aligned<128>>;
using stage = axe::shared_tile<__half, axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>>;
/// Each of 2 x 2 warps has 32 x 32 elements of a tile.
using a_lanes = axe::carrier<direct_sum("S[(2,4):(8@reg,16@reg)]"_axe, {2, 4}, atom::a, {16, 16})>;
using b_lanes = axe::carrier<direct_sum("S[(4,4):(16@reg,4@reg)]"_axe, {4, 4}, atom::b, {16, 8})>;
using c_lanes =
    axe::carrier<direct_sum("S[(2,4):(16@reg,4@reg)]"_axe, {2, 4}, atom::accumulator, {16, 8})>;
}  // namespace grouped_gemm

extern "C" __global__ void __launch_bounds__(128)
    axe_grouped_gemm(grouped_gemm::matrix<__half const> x, __half const* const* weights,
                     grouped_gemm::matrix<__half> out, kernels::list_of<unsigned const> offsets) {
  using namespace grouped_gemm;
  __shared__ stage ring_a[3], ring_b[3];
  auto const block = axe::cta<128>;
  auto const zero = axe::constant<0>{};
  unsigned const k = axe::extent<1>(x), n = axe::extent<1>(out);
  unsigned const across = axe::tiles<1, 64>(out), steps = axe::tiles<1, 64>(x);
  auto const warp = axe::warp_coordinate<2, 2>();
  axe::fragment<__half, a_lanes, axe::extents<32, 64>> a;
  axe::fragment<__half, b_lanes, axe::extents<64, 32>> b;
  auto const read_a = axe::prepare_copy(axe::tile<32, 64>(ring_a, warp.row, zero), a, axe::warp);
  auto const read_b = axe::prepare_copy(axe::tile<64, 32>(ring_b, zero, warp.column), b, axe::warp);
  unsigned group = 0, first = 0, begin = offsets(0), end = offsets(1);
#pragma unroll 1
  for (unsigned tile = blockIdx.x;; tile += gridDim.x) {
    for (;;) {
      unsigned const count = (end - begin + 63) / 64 * across;
      if (tile - first < count) break;
      first += count;
      if (++group == axe::extent<0>(offsets) - 1) return;
      begin = end;
      end = offsets(group + 1);
    }
    unsigned const down = (tile - first) / across, column = (tile - first) - down * across;
    unsigned const top = begin + 64 * down;
    matrix<__half const> const of_group(x.data, end, k), w(weights[group], k, n);
    matrix<__half> const to_group(out.data, end, n);
    auto const fill_a = axe::prepare_copy_async<1, axe::zero_fill>(
        axe::tile_at<64, 64>(of_group, top, zero), ring_a, block);
    auto const fill_b = axe::prepare_copy_async<0>(
        axe::exact_grid(axe::tile<64, 64>(w, zero, column)), ring_b, block);
    auto to = axe::first_stage(ring_a), from = to;
    unsigned next = 0;
    auto const load = [&] {
      if (next < steps) {
        fill_a(next, to);
        fill_b(next, to);
      }
      axe::async_commit();
      ++next;
      to.advance();
    };
    load();
    load();
    axe::fragment<float, c_lanes, axe::extents<32, 32>> c;
    c.fill(0);
#pragma unroll 1
    for (unsigned step = 0; step < steps; ++step) {
      axe::async_wait<1>();
      axe::sync(block);
      load();
      read_a(from);
      read_b(from);
      axe::mma(c, a, b);
      from.advance();
    }
    axe::sync(block);
    axe::fragment<__half, c_lanes, axe::extents<32, 32>> rounded;
    axe::cast(c, rounded);
    axe::copy(rounded,
              axe::tile_at<32, 32>(
                  to_group, top + axe::constant<32>{} * warp.row,
                  axe::constant<64>{} * axe::any(column) + axe::constant<32>{} * warp.column),
              axe::warp);
  }
}
