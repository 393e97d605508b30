// A grouped product: rows offsets[g] to offsets[g + 1] - 1 of x are multiplied by weights[g], whose
// extents are (k, n). Blocks take tiles of 64 x 64 of all groups in turn. k and n are multiples of
// 64. Source: CUTLASS's grouped GEMM (include/cutlass/gemm/kernel/grouped_problem_visitor.h,
// examples/24_gemm_grouped).
#pragma once

#include "../instructions.cuh"

extern "C" __global__ void __launch_bounds__(128)
    hand_grouped_gemm(__half const* x, __half const* const* weights, __half* out,
                      unsigned const* offsets, unsigned groups, unsigned k, unsigned n) {
  using namespace by_hand;
  constexpr unsigned stage = 8192, of_b = 3 * stage;
  __shared__ alignas(1024) unsigned char ring[2 * of_b];
  unsigned const t = threadIdx.x, lane = t & 31, warp = t >> 5, row = t >> 3;
  unsigned chunk = t & 7;
  asm("" : "+r"(chunk));  // otherwise nvcc shifts t before the mask, and adds in 64 bits
  unsigned const base = shared_address(ring), across = n / 64, steps = k / 64;
  unsigned const pitch_a = 2 * k, pitch_b = 2 * n;
  unsigned const put = base + row * 128 + ((chunk ^ (row & 7)) << 4);
  unsigned const own_row = lane & 15, own_chunk = lane >> 4;
  unsigned const get_a =
      base + ((warp >> 1) * 32 + own_row) * 128 + ((own_chunk ^ (own_row & 7)) << 4);
  unsigned const get_b =
      base + own_row * 128 + ((((warp & 1) * 4 + own_chunk) ^ (own_row & 7)) << 4);
  unsigned group = 0, first = 0, begin = offsets[0], end = offsets[1];
#pragma unroll 1
  for (unsigned tile = blockIdx.x;; tile += gridDim.x) {
    for (;;) {
      unsigned const count = (end - begin + 63) / 64 * across;
      if (tile - first < count) break;
      first += count;
      if (++group == groups) return;
      begin = end;
      end = offsets[group + 1];
    }
    unsigned const down = (tile - first) / across, column = (tile - first) - down * across;
    unsigned const top = begin + 64 * down;
    unsigned const row_of_a = top + row;
    int const left = static_cast<int>(end - row_of_a);
    __half const* from_a = plus_bytes(x + chunk * 8, std::uint64_t{row_of_a} * pitch_a);
    __half const* from_b =
        plus_bytes(weights[group] + (column * 64 + chunk * 8), std::uint64_t{row} * pitch_b);
    std::uint64_t down_a = std::uint64_t{pitch_a} * 16, down_b = std::uint64_t{pitch_b} * 16;
    asm("" : "+l"(down_a), "+l"(down_b));
    unsigned to = put, from = 0, filled = 0;
    auto const load = [&] {
      if (filled < steps) {
        __half const *a = from_a, *b = from_b;
        each<4>([&](auto i) {
          cp_async_or_zero<i * 2048>(to, a, left > 16 * i);
          a = plus_bytes(a, down_a);
          asm("" : "+l"(a));  // otherwise nvcc multiplies down_a in 64 bits
        });
        each<4>([&](auto i) {
          cp_async<of_b + i * 2048>(to, b);
          b = plus_bytes(b, down_b);
          asm("" : "+l"(b));
        });
        from_a += 64;
        from_b = plus_bytes(from_b, std::uint64_t{pitch_b} * 64);
      }
      commit();
      ++filled;
      to += stage;
      if (to == put + 3 * stage) to = put;
    };
    load();
    load();
    float c[2][4][4] = {};
#pragma unroll 1
    for (unsigned step = 0; step < steps; ++step) {
      wait<1>();
      __syncthreads();
      load();
      unsigned const at_a = get_a + from, at_b = get_b + from;
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        unsigned a[2][4], b[2][4];
        ldmatrix(a[0], at_a ^ (j << 5));
        ldmatrix(a[1], (at_a ^ (j << 5)) + 2048);
        ldmatrix_trans<of_b>(b[0], at_b + j * 2048);
        ldmatrix_trans<of_b>(b[1], (at_b ^ 32) + j * 2048);
#pragma unroll
        for (int i = 0; i < 2; ++i)
#pragma unroll
          for (int m = 0; m < 4; ++m)
            mma(c[i][m], a[i], b[m / 2][m % 2 * 2], b[m / 2][m % 2 * 2 + 1]);
      }
      from += stage;
      if (from == 3 * stage) from = 0;
    }
    __syncthreads();
    unsigned const lowest = top + (warp >> 1) * 32 + (lane >> 2);
    int const rows = static_cast<int>(end - lowest);
    __half* const to_c = plus_bytes(out + (column * 64 + (warp & 1) * 32 + (lane & 3) * 2),
                                    std::uint64_t{lowest} * pitch_b);
    each<4>([&](auto i) {
      if (rows > 8 * i)
#pragma unroll
        for (int m = 0; m < 4; ++m)
          *reinterpret_cast<unsigned*>(plus_bytes(to_c, std::uint64_t{pitch_b} * (8 * i)) + 8 * m) =
              pack(c[i / 2][m][i % 2 * 2], c[i / 2][m][i % 2 * 2 + 1]);
    });
  }
}
