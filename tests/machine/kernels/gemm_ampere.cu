// arch: sm_80
// C = A * B^T in f16 with f32 sums, as on Ampere: cp.async into two stages, ldmatrix, mma.sync.
// Tile 64 x 64 x 32, four warps of 32 x 32; extents are multiples of the tile.
#include <cuda_fp16.h>

#include <cstdint>

namespace {
constexpr int tile = 64, depth = 32, pitch = 40;

__device__ std::uint32_t shared_address(void const* p) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void fetch(__half (*to)[pitch], __half const* from, int k) {
  for (int i = static_cast<int>(threadIdx.x); i < tile * depth / 8; i += 128)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(&to[i / 4][i % 4 * 8])), "l"(from + i / 4 * k + i % 4 * 8) : "memory");
}
}  // namespace

extern "C" __global__ void gemm_ampere(float* c, __half const* a, __half const* b, int n, int k) {
  __shared__ __align__(16) __half sa[2][tile][pitch], sb[2][tile][pitch];
  int const warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  int const row = warp / 2 * 32, column = warp % 2 * 32;
  a += blockIdx.y * tile * k;
  b += blockIdx.x * tile * k;
  float d[2][4][4] = {};
  fetch(sa[0], a, k);
  fetch(sb[0], b, k);
  asm volatile("cp.async.commit_group;" ::: "memory");
  for (int at = 0; at < k; at += depth) {
    int const s = at / depth % 2;
    if (at + depth < k) {
      fetch(sa[s ^ 1], a + at + depth, k);
      fetch(sb[s ^ 1], b + at + depth, k);
    }
    asm volatile("cp.async.commit_group;" ::: "memory");
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    for (int step = 0; step < depth; step += 16) {
      std::uint32_t fa[2][4], fb[4][2];
      for (int i = 0; i < 2; ++i)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3])
                     : "r"(shared_address(&sa[s][row + 16 * i + lane % 16][step + lane / 16 * 8])));
      for (int j = 0; j < 4; ++j)
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                     : "=r"(fb[j][0]), "=r"(fb[j][1])
                     : "r"(shared_address(&sb[s][column + 8 * j + lane % 8][step + lane / 8 % 2 * 8])));
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 4; ++j)
          asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                       : "+f"(d[i][j][0]), "+f"(d[i][j][1]), "+f"(d[i][j][2]), "+f"(d[i][j][3])
                       : "r"(fa[i][0]), "r"(fa[i][1]), "r"(fa[i][2]), "r"(fa[i][3]), "r"(fb[j][0]), "r"(fb[j][1]));
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      for (int e = 0; e < 4; ++e) {
        int const r = static_cast<int>(blockIdx.y) * tile + row + 16 * i + lane / 4 + e / 2 * 8;
        c[r * n + static_cast<int>(blockIdx.x) * tile + column + 8 * j + lane % 4 * 2 + e % 2] = d[i][j][e];
      }
}
