// Copies from plans and elements of a tensor, and the same accesses with index arithmetic by hand.
// copy_by_hand.cmake compares their instruction counts.
#include <axe/axe.hpp>
#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/for_each.hpp>
#include <axe/cuda/thread.hpp>

using namespace axe::literals;

inline constexpr axe::integer bound = 1 << 24;
using halves =
    axe::dynamic_matrix<axe::dynamic(0).below(bound), axe::dynamic(1).multiple_of(8).below(bound),
                        axe::dynamic(2).multiple_of(8).below(bound)>;
using input = axe::tensor<unsigned short const, halves, axe::aligned<16>>;
using output = axe::tensor<unsigned short, halves, axe::aligned<16>>;

/// 16-byte accesses of a matrix with partial tiles. A block of 256 threads copies 8 x 1024.
extern "C" __global__ void vectors_axe(input in, output out) {
  axe::copy(axe::tile<8, 1024>(in, axe::block_y(), axe::block_x()),
            axe::tile<8, 1024>(out, axe::block_y(), axe::block_x()), axe::cta<256>);
}
extern "C" __global__ void vectors_hand(unsigned short const* in, unsigned rows, unsigned columns,
                                        unsigned in_pitch, unsigned short* out, unsigned out_rows,
                                        unsigned out_columns, unsigned out_pitch) {
  unsigned const column = blockIdx.x * 1024 + threadIdx.x % 128 * 8,
                 row = blockIdx.y * 8 + threadIdx.x / 128;
  unsigned short const* const from = in + static_cast<size_t>(row) * in_pitch + column;
  unsigned short* const to = out + static_cast<size_t>(row) * out_pitch + column;
  uint4 held[4];
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
    if (row + 2 * k < rows && column < columns && row + 2 * k < out_rows && column < out_columns)
      held[k] = *reinterpret_cast<uint4 const*>(from + static_cast<size_t>(2 * k) * in_pitch);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k)
    if (row + 2 * k < rows && column < columns && row + 2 * k < out_rows && column < out_columns)
      *reinterpret_cast<uint4*>(to + static_cast<size_t>(2 * k) * out_pitch) = held[k];
}

/// Copies a 64 x 64 tile by cp.async into shared memory with the 128-byte swizzle. Elements past
/// the end of the matrix become zero.
using swizzled = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
using square = axe::extents<64, 64>;
extern "C" __global__ void staged_axe(input in, unsigned* first) {
  __shared__ axe::shared_tile<unsigned short, swizzled, square> staged;
  axe::copy_async<axe::zero_fill>(axe::tile<64, 64>(in, axe::block_y(), axe::block_x()), staged,
                                  axe::cta<128>);
  axe::async_commit();
  axe::async_wait();
  __syncthreads();
  first[threadIdx.x] = reinterpret_cast<unsigned const*>(staged.bytes)[threadIdx.x];
}
extern "C" __global__ void staged_hand(unsigned short const* in, unsigned rows, unsigned columns,
                                       unsigned pitch, unsigned* first) {
  __shared__ __align__(1024) unsigned char staged[64 * 64 * 2];
  unsigned const t = threadIdx.x;
  unsigned const row = blockIdx.y * 64 + t / 8, column = blockIdx.x * 64 + t % 8 * 8;
  unsigned const to =
      static_cast<unsigned>(__cvta_generic_to_shared(staged)) + ((t ^ (t / 8 % 8)) * 16);
  unsigned short const* const from = in + static_cast<size_t>(row) * pitch + column;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    unsigned const bytes = row + 16 * k < rows && column < columns ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to + 2048 * k),
                 "l"(__cvta_generic_to_global(from + static_cast<size_t>(16 * k) * pitch)),
                 "r"(bytes)
                 : "memory");
  }
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  first[t] = reinterpret_cast<unsigned const*>(staged)[t];
}

/// Loads 16 x 16 elements of that tile as the A fragment of mma.m16n8k16.
using a_lanes = axe::carrier<"S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
using a_tile = axe::carrier<"swizzle(3,3,3) o S[(16,16):(64,1)]"_axe>;
extern "C" __global__ void matrices_axe(uint4* out) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  axe::shared_tile_ref<unsigned short, a_tile, axe::extents<16, 16>> const tile{
      axe::shared_address(bytes)};
  axe::fragment<unsigned short, a_lanes, axe::extents<16, 16>> a;
  axe::copy(tile, a, axe::warp);
  uint4 words;
  memcpy(&words, a.registers, sizeof(words));
  out[threadIdx.x] = words;
}
extern "C" __global__ void matrices_hand(uint4* out) {
  extern __shared__ __align__(1024) unsigned char bytes[];
  unsigned const lane = threadIdx.x % 32;
  unsigned const from = static_cast<unsigned>(__cvta_generic_to_shared(bytes)) + lane % 16 * 128 +
                        (lane / 16 ^ lane % 8) * 16;
  uint4 a;
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(a.x), "=r"(a.y), "=r"(a.z), "=r"(a.w)
               : "r"(from)
               : "memory");
  out[threadIdx.x] = a;
}

/// Stores eight numbers of each thread, in two vectors. A vector at the end may be partial.
using by_fours = axe::carrier<"S[(2,256,4):(4@reg,1@tid,1@reg)]"_axe>;
using lines = axe::tensor<unsigned, axe::row_major<2>, axe::aligned_rows<16>>;
extern "C" __global__ void partial_axe(lines out) {
  axe::fragment<unsigned, by_fours, axe::extents<1, 2048>> v;
  axe::for_each_register<8>([&](auto r) { v[r] = threadIdx.x + 2 * r.value; });
  axe::copy(v, axe::tile<1, 2048>(out, axe::block_y(), axe::block_x()), axe::cta<256>);
}
extern "C" __global__ void partial_hand(unsigned* out, unsigned n, unsigned pitch) {
  unsigned const t = threadIdx.x, i = blockIdx.x * 2048 + t * 4;
#pragma unroll
  for (unsigned k = 0; k < 2; ++k) {
    int const left = static_cast<int>(n - i - 1024 * k);
    unsigned* const to = out + static_cast<size_t>(blockIdx.y) * pitch + i + 1024 * k;
    uint4 const v{t + 8 * k, t + 8 * k + 2, t + 8 * k + 4, t + 8 * k + 6};
    if (left >= 4) {
      *reinterpret_cast<uint4*>(to) = v;
    } else if (left > 0) {
      to[0] = v.x;
      if (left > 1) to[1] = v.y;
      if (left > 2) to[2] = v.z;
    }
  }
}

/// Loads eight numbers in each thread, or zeros past the end. A whole vector needs one test.
extern "C" __global__ void cut_axe(lines in, unsigned* sums) {
  auto const from = axe::tile<1, 2048>(in, axe::block_y(), axe::block_x());
  auto const v = axe::load<by_fours, axe::zero_fill>(from, axe::cta<256>);
  sums[threadIdx.x] = ((v[0] + v[1]) ^ (v[2] + v[3])) + ((v[4] + v[5]) ^ (v[6] + v[7]));
}
extern "C" __global__ void cut_hand(unsigned const* in, unsigned n, unsigned pitch,
                                    unsigned* sums) {
  unsigned const t = threadIdx.x, i = blockIdx.x * 2048 + t * 4;
  unsigned sum = 0;
#pragma unroll
  for (unsigned k = 0; k < 2; ++k) {
    int const left = static_cast<int>(n - i - 1024 * k);
    unsigned const* const from = in + static_cast<size_t>(blockIdx.y) * pitch + i + 1024 * k;
    uint4 v{};
    if (left >= 4) {
      v = *reinterpret_cast<uint4 const*>(from);
    } else {
      if (left > 0) v.x = from[0];
      if (left > 1) v.y = from[1];
      if (left > 2) v.z = from[2];
    }
    sum += (v.x + v.y) ^ (v.z + v.w);
  }
  sums[t] = sum;
}

/// Copies a row of 256 elements to row `to_row` of a tensor with rows of 576 elements. The offset
/// of this row has 64 bits.
using short_rows = axe::tensor<unsigned short const, axe::row_major<2, 256>, axe::aligned<16>>;
using long_rows = axe::tensor<unsigned short, axe::row_major<2, 576>, axe::aligned<16>>;
extern "C" __global__ void rows_axe(short_rows in, long_rows out, unsigned to_row) {
  axe::constant<0> const first{};
  axe::copy(axe::tile<1, 256>(in, axe::block_x(), first), axe::tile<1, 256>(out, to_row, first),
            axe::warp);
}
extern "C" __global__ void rows_hand(unsigned short const* in, unsigned short* out,
                                     unsigned to_row) {
  unsigned const column = threadIdx.x % 32 * 8;
  *reinterpret_cast<uint4*>(out + static_cast<size_t>(to_row) * 576 + column) =
      *reinterpret_cast<uint4 const*>(in + static_cast<size_t>(blockIdx.x) * 256 + column);
}

/// Copies the first 512 of 576 elements of a row. nvcc knows that column 0 is in bounds only if it
/// compares the column of the thread with a constant.
extern "C" __global__ void start_axe(long_rows in, long_rows out) {
  axe::copy(axe::tile<1, 512>(in, axe::block_x(), 0), axe::tile<1, 512>(out, axe::block_y(), 0),
            axe::warp);
}
extern "C" __global__ void start_hand(unsigned short const* in, unsigned short* out) {
  unsigned const column = threadIdx.x % 32 * 8;
  unsigned short const* const from = in + static_cast<size_t>(blockIdx.x) * 576 + column;
  unsigned short* const to = out + static_cast<size_t>(blockIdx.y) * 576 + column;
  uint4 const held[2]{*reinterpret_cast<uint4 const*>(from),
                      *reinterpret_cast<uint4 const*>(from + 256)};
  *reinterpret_cast<uint4*>(to) = held[0];
  *reinterpret_cast<uint4*>(to + 256) = held[1];
}

// For sm_100a nvcc computes the coordinates of elements apart from their address. This takes two or
// three instructions more.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 1000
/// Loads four numbers of each thread, of which 0 to 4 are in bounds, and finds the largest.
extern "C" __global__ void filled_axe(lines in, unsigned* largest) {
  axe::fragment<unsigned, axe::carrier<"S[(256,4):(1@tid,1@reg)]"_axe>, axe::extents<1, 1024>> v;
  v.fill(7);
  axe::copy(axe::tile<1, 1024>(in, axe::block_y(), axe::block_x()), v, axe::cta<256>);
  largest[threadIdx.x] = max(max(v[0], v[1]), max(v[2], v[3]));
}
extern "C" __global__ void filled_hand(unsigned const* in, unsigned n, unsigned pitch,
                                       unsigned* largest) {
  unsigned const t = threadIdx.x, i = blockIdx.x * 1024 + t * 4;
  int const left = static_cast<int>(n - i);
  unsigned const* const from = in + static_cast<size_t>(blockIdx.y) * pitch + i;
  uint4 v{7, 7, 7, 7};
  if (left >= 4) {
    v = *reinterpret_cast<uint4 const*>(from);
  } else if (left > 0) {
    v.x = from[0];
    if (left > 1) v.y = from[1];
    if (left > 2) v.z = from[2];
  }
  largest[t] = max(max(v.x, v.y), max(v.z, v.w));
}

/// Adds 1 to the element of each row with the number `chosen`.
extern "C" __global__ void chosen_axe(axe::tensor<unsigned, axe::row_major<2>, axe::aligned<32>> x,
                                      unsigned chosen) {
  using by_eights = axe::carrier<"S[(256,8):(1@tid,1@reg)]"_axe>;
  auto const [row, i] = axe::block<2>();
  auto const tile = axe::exact_grid(axe::tile<1, 2048>(x, row, i));
  auto v = axe::load<by_eights>(tile, axe::cta<256>);
  axe::for_each(v, axe::cta<256>, [&, i = i](unsigned& number, auto, auto k) {
    if (axe::constant<2048>{} * i + k == chosen) ++number;
  });
  axe::copy(v, tile, axe::cta<256>);
}
extern "C" __global__ void chosen_hand(unsigned* x, unsigned pitch, unsigned chosen) {
  unsigned const i = blockIdx.x * 2048 + threadIdx.x * 8;
  uint4* const at = reinterpret_cast<uint4*>(x + static_cast<size_t>(blockIdx.y) * pitch + i);
  union {
    uint4 whole[2];
    unsigned one[8];
  } v{{at[0], at[1]}};
#pragma unroll
  for (unsigned k = 0; k < 8; ++k)
    if (i + k == chosen) ++v.one[k];
  at[0] = v.whole[0];
  at[1] = v.whole[1];
}
#endif

/// Four points of each head. The number of a point becomes an immediate when nvcc unrolls the loop.
extern "C" __global__ void points_axe(axe::tensor<float const, axe::row_major<3, 4>> points,
                                      float* sums) {
  float sum = 0;
#pragma unroll
  for (int p = 0; p < 4; ++p) sum += points(blockIdx.x, threadIdx.x, p);
  sums[threadIdx.x] = sum;
}
extern "C" __global__ void points_hand(float const* points, unsigned pitch, float* sums) {
  float const* const from = points + static_cast<size_t>(pitch) * blockIdx.x + 4 * threadIdx.x;
  float sum = 0;
#pragma unroll
  for (int p = 0; p < 4; ++p) sum += from[p];
  sums[threadIdx.x] = sum;
}

/// A warp doubles the first 32 elements of 16 rows in a loop after a return.
using blocks = axe::tensor<float, axe::row_major<3, 16, 128>>;
extern "C" __global__ void doubled_axe(blocks x, blocks y) {
  auto const n = axe::constant<8>{} * axe::block_x() + axe::warp_id<256>();
  if (n >= axe::extent<0>(x)) return;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) y(n, k, axe::lane_id()) = x(n, k, axe::lane_id()) * 2;
}
extern "C" __global__ void doubled_hand(float const* x, float* y, unsigned count) {
  unsigned const n = 8 * blockIdx.x + threadIdx.x / 32;
  if (n >= count) return;
  size_t const first = size_t{n} * 2048 + threadIdx.x % 32;
  x += first;
  y += first;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) y[128 * k] = x[128 * k] * 2;
}
