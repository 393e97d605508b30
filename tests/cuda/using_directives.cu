// Programs with using directives compile: the names of axe, its axes and its literals do not
// collide with each other or with CUDA.
#include <axe/axe.hpp>
#include <axe/cuda.hpp>
#include <axe/linear.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

using namespace axe;
using namespace axe::axes;
using namespace axe::literals;

using matrix = tensor<float, row_major<2>>;
using padded = carrier<"S[(32,32):(33,1)]"_axe>;
constexpr auto held = S({4, 32}, {1 * reg, 1 * lane}) + 2 * warp;
static_assert(held.offset(warp) == 2 && size(held) == 128);
static_assert(equivalent(tile("S[2:1]"_axe, {2}, "S[4:1]"_axe, {4}), "S[8:1]"_axe));

__global__ void transpose(tensor<float const, row_major<2>> in, matrix out) {
  __shared__ shared_tile<float, padded> staged;
  auto const [row, column] = block<2>();
  copy(tile<32, 32>(in, row, column), staged, cta<256>);
  sync(cta<256>);
  copy(transposed(staged), tile<32, 32>(out, column, row), cta<256>);
}

/// Coordinates that mix ints with thread and block numbers, tiles with int indices, loops over
/// registers.
__global__ void mixed_integers(matrix a, tensor<__nv_bfloat16, column_major<3>, aligned_rows<16>> b,
                               int n) {
  fragment<float, carrier<"S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe>, extents<8, 8>> c;
  for (int i = 0; i < n; ++i) {
    if (64 * block_x() + i >= extent<0>(a)) return;
    copy(tile<8, 8>(a, i, 2 * block_y() - 1), c, warp);
#pragma unroll
    for (int r = 0; r < c.size; ++r) c[r] += 1;
    for (float& x : c) x *= 2;
    copy(c, tile<8, 8>(a, block_x() + i, warp_id() + 1), warp);
    a(thread_id() + i, lane_id() * i) = static_cast<float>(n - block_z());
  }
  auto const [row, column] = block<2>();
  index_part<unnamed, 0> chosen = n > 9 ? column : any(n);
  chosen = row;
  a(chosen, n > 9 ? block_x() : column) = 0;
  if (threadIdx.x == 0) copy(tile<8, 1, 1>(b, 0, 0, 1), tile<8, 1, 1>(b, 0, 1, 1), thread);
}

/// Elements of a CUDA type whose copy constructor is not trivial.
__global__ void pairs(tensor<__half2 const, row_major<2>, aligned<16>> in,
                      tensor<__half2, row_major<2>, aligned<16>> out) {
  __shared__ shared_tile<__half2, carrier<"S[(16,64):(64,1)]"_axe>> staged;
  copy<zero_fill>(tile<16, 64>(in, block_x(), 0), staged, cta<128>);
  sync(cta<128>);
  copy(staged, tile<16, 64>(out, block_x(), 0), cta<128>);
}

/// nvcc also compiles the lambda for the host.
using eight_rows = carrier<"S[(8,32):(32@tid,1@tid)]"_axe>;
__global__ void visit(tensor<float const, row_major<2>> in, matrix out) {
  auto const from = local_partition<eight_rows>(tile<8, 32>(in, block_y(), block_x()), threadIdx.x);
  for_each_register<from.size>([&](auto r) {
    if (from.in_bounds(r)) out(from.coordinate<0>(r), from.coordinate<1>(r)) = from.load(r);
  });
}

/// r.value as a coordinate. Device code cannot bind a reference to this static member, so axe takes
/// coordinates by value.
__global__ void register_numbers(matrix a) {
  using one_row = carrier<"S[(1,32):(0@reg,1@lane)]"_axe>;
  fragment<float, one_row, extents<1, 32>> row;
  __shared__ shared_tile<float, padded> staged[2];
  auto const read_global = prepare_copy<0>(tile<1, 32>(a, 0, 0), row, warp);
  auto const read_shared = prepare_copy(tile<1, 32>(staged, 0, 0), row, warp);
  for_each_register<2>([&](auto r) {
    copy(tile<1, 32>(a, r.value, 0), row, warp);
    copy(tile_at<1, 32>(a, r.value, 0), row, warp);
    copy(tile<1, 32>(staged[0], r.value, 0), row, warp);
    read_global(r.value);
    read_shared(r.value);
    auto const at = bind_pointer(a.data, a.sizes, r.value, 1);
    a(r.value, 0) = staged[1](r.value, 0) + *at.template at<>();
    a(block_x() + r.value, block_y() - r.value) = row[0];
    a(4 * threadIdx.x + r, 7 - r) = a(r + 1, 4 * blockIdx.x + 1 - r);
  });
}

int main(int argc, char**) {
  dim3 const grid = grid_of<32, 32>(100, 200);
  if (grid.x != 7 || grid.y != 4 || grid.z != 1) return 1;
  if (grid_of<1>((1ll << 32) + 5).x != 0xffff'ffff) return 1;  // CUDA rejects such a grid
  if (argc < 2) return 0;                                      // compiled and linked
  tensor<float const, row_major<2>> const in(nullptr, 100, 200);
  matrix const out(nullptr, 200, 100, 104);
  return launch(transpose, grid, cta<256>, in, out) == cudaSuccess ? 0 : 1;
}
