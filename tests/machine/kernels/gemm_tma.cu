// C = A * B^T in bf16 with f32 sums, for Hopper. A producer warp copies tiles into a ring of stages
// by tensor copies. Two consumer warpgroups multiply them by wgmma. The result is stored by tensor
// copies. A is (m, k), B is (n, k), C is (m, n), all row-major.
//
// Tile 128 x 128 x 64, four stages, 128-byte swizzle everywhere. Extents need not be multiples of
// the tile: elements out of bounds are loaded as zeros and are not stored.
#include <cuda.h>
#include <cuda_bf16.h>

#include <cstdint>

namespace {

constexpr int tile_m = 128, tile_n = 128, tile_k = 64, stages = 4;
constexpr int stage_bytes = (tile_m + tile_n) * tile_k * 2;

__device__ std::uint32_t shared_address(void const* p) { return static_cast<std::uint32_t>(__cvta_generic_to_shared(p)); }

__device__ void init_barrier(std::uint64_t* barrier, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count));
}
__device__ void expect_bytes(std::uint64_t* barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes) : "memory");
}
__device__ void arrive(std::uint64_t* barrier) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}
__device__ void wait(std::uint64_t* barrier, int parity) {
  asm volatile(
      "{\n.reg .pred P1;\nLAB_WAIT:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra LAB_WAIT;\nDONE:\n}"
      ::"r"(shared_address(barrier)), "r"(parity) : "memory");
}
__device__ void load_tile(void* to, CUtensorMap const* map, std::uint64_t* barrier, int x, int y) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];"
               ::"r"(shared_address(to)), "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y) : "memory");
}
__device__ std::uint64_t descriptor(void const* tile) {
  std::uint64_t const address = shared_address(tile);
  return ((address & 0x3ffff) >> 4) | std::uint64_t{1} << 16 | std::uint64_t{1024 >> 4} << 32 | std::uint64_t{1} << 62;
}


__device__ void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b, int accumulate) {
  asm volatile(
      "{\n.reg .pred p;\nsetp.ne.b32 p, %66, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16 "
      "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, "
      "%27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, %50, %51, "
      "%52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 0;\n}\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7]), "+f"(d[8]), "+f"(d[9]),
        "+f"(d[10]), "+f"(d[11]), "+f"(d[12]), "+f"(d[13]), "+f"(d[14]), "+f"(d[15]), "+f"(d[16]), "+f"(d[17]), "+f"(d[18]),
        "+f"(d[19]), "+f"(d[20]), "+f"(d[21]), "+f"(d[22]), "+f"(d[23]), "+f"(d[24]), "+f"(d[25]), "+f"(d[26]), "+f"(d[27]),
        "+f"(d[28]), "+f"(d[29]), "+f"(d[30]), "+f"(d[31]), "+f"(d[32]), "+f"(d[33]), "+f"(d[34]), "+f"(d[35]), "+f"(d[36]),
        "+f"(d[37]), "+f"(d[38]), "+f"(d[39]), "+f"(d[40]), "+f"(d[41]), "+f"(d[42]), "+f"(d[43]), "+f"(d[44]), "+f"(d[45]),
        "+f"(d[46]), "+f"(d[47]), "+f"(d[48]), "+f"(d[49]), "+f"(d[50]), "+f"(d[51]), "+f"(d[52]), "+f"(d[53]), "+f"(d[54]),
        "+f"(d[55]), "+f"(d[56]), "+f"(d[57]), "+f"(d[58]), "+f"(d[59]), "+f"(d[60]), "+f"(d[61]), "+f"(d[62]), "+f"(d[63])
      : "l"(a), "l"(b), "r"(accumulate));
}

}  // namespace

extern "C" __global__ void __launch_bounds__(384, 1)
    gemm_tma(__grid_constant__ CUtensorMap const a, __grid_constant__ CUtensorMap const b, __grid_constant__ CUtensorMap const c, int k) {
  extern __shared__ __align__(1024) unsigned char ring[];
  __shared__ std::uint64_t full[stages], empty[stages];
  int const steps = (k + tile_k - 1) / tile_k;
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) {
      init_barrier(&full[s], 1);
      init_barrier(&empty[s], 2);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  __syncthreads();
  int const group = static_cast<int>(threadIdx.x) / 128;
  if (group == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 24;");
    if (threadIdx.x == 0)
      for (int step = 0; step < steps; ++step) {
        int const s = step % stages;
        wait(&empty[s], (step / stages & 1) ^ 1);
        expect_bytes(&full[s], stage_bytes);
        unsigned char* const stage = ring + s * stage_bytes;
        load_tile(stage, &a, &full[s], step * tile_k, static_cast<int>(blockIdx.y) * tile_m);
        load_tile(stage + tile_m * tile_k * 2, &b, &full[s], step * tile_k, static_cast<int>(blockIdx.x) * tile_n);
      }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 240;");
    float d[64];
    for (float& each : d) each = 0;
    for (int step = 0; step < steps; ++step) {
      int const s = step % stages;
      wait(&full[s], step / stages & 1);
      unsigned char const* const tile_a = ring + s * stage_bytes + (group - 1) * 64 * tile_k * 2;
      unsigned char const* const tile_b = ring + s * stage_bytes + tile_m * tile_k * 2;
      asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
      for (int inner = 0; inner < tile_k / 16; ++inner)
        multiply(d, descriptor(tile_a) + 2 * inner, descriptor(tile_b) + 2 * inner, step + inner > 0);
      asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
      asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
      if (threadIdx.x % 128 == 0) arrive(&empty[s]);
    }
    // After this barrier both groups have read their last stage. The memory of the ring then holds C:
    // two boxes of 64 columns for each group.
    asm volatile("bar.sync 1, 256;" ::: "memory");
    int const thread = static_cast<int>(threadIdx.x) % 128, lane = thread % 32;
    unsigned char* const staging = ring + (group - 1) * 64 * tile_n * 2;
    for (int j = 0; j < 64; j += 2) {
      int const row = 16 * (thread / 32) + 8 * (j / 2 % 2) + lane / 4, column = 8 * (j / 4) + 2 * (lane % 4);
      int const offset = column / 64 * 64 * 128 + row * 128 + column % 64 * 2;
      int const swizzled = offset ^ ((offset >> 7 & 7) << 4);
      *reinterpret_cast<__nv_bfloat162*>(staging + swizzled) = __floats2bfloat162_rn(d[j], d[j + 1]);
    }
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    if (thread == 0) {
      for (int half = 0; half < 2; ++half)
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %3}], [%1];"
                     ::"l"(&c), "r"(shared_address(staging + half * 64 * 128)), "r"(static_cast<int>(blockIdx.x) * tile_n + half * 64),
                     "r"(static_cast<int>(blockIdx.y) * tile_m + (group - 1) * 64) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
      asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
  }
}
