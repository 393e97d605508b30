// The idioms of docs/guides/from_cute.md, written with CuTe. from_cute_axe.cu is axe's side.
// A number is that of its idiom in the guide.
#include <cute/tensor.hpp>

using namespace cute;

__global__ void views(float* a, int m, int n, int lda) {
  // 1
  auto A = make_tensor(make_gmem_ptr(a), make_shape(m, n), make_stride(lda, _1{}));

  // 2
  auto tile = local_tile(A, Shape<_64, _32>{}, make_coord(blockIdx.y, blockIdx.x));

  // 3
  auto threads = Layout<Shape<_8, _32>, Stride<_32, _1>>{};
  auto thread_tile = local_partition(tile, threads, threadIdx.x);

  // 4
  auto held = make_tensor<float>(shape(thread_tile));
  clear(held);

  // 5
  auto all = make_identity_tensor(shape(A));
  auto at = local_partition(local_tile(all, Shape<_64, _32>{}, make_coord(blockIdx.y, blockIdx.x)),
                            threads, threadIdx.x);
  for (int r = 0; r < size(thread_tile); ++r)
    if (elem_less(at(r), shape(A))) thread_tile(r) = held(r) + 1;
}

__global__ void copies(half_t const* in, half_t* out, int m, int n) {
  auto A = make_tensor(make_gmem_ptr(in), make_shape(m, n), make_stride(n, _1{}));
  auto B = make_tensor(make_gmem_ptr(out), make_shape(m, n), make_stride(n, _1{}));
  auto all = make_identity_tensor(make_shape(m, n));
  auto tiler = Shape<_64, _64>{};
  auto block = make_coord(blockIdx.y, blockIdx.x);
  // 6
  using line = decltype(composition(Swizzle<3, 3, 3>{}, Layout<Shape<_8, _64>, Stride<_64, _1>>{}));
  using swizzled = decltype(tile_to_shape(line{}, Shape<_64, _64>{}));
  __shared__ alignas(128) half_t memory[cosize_v<swizzled>];
  auto staged = make_tensor(make_smem_ptr(memory), swizzled{});

  // 7
  auto copier = make_tiled_copy(Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>, half_t>{},
                                Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto slice = copier.get_slice(threadIdx.x);
  auto at = slice.partition_S(local_tile(all, tiler, block));
  auto inside = make_tensor<bool>(make_shape(size<1>(at), size<2>(at)));
  for (int r = 0; r < size<0>(inside); ++r)
    for (int c = 0; c < size<1>(inside); ++c)
      inside(r, c) = elem_less(at(0, r, c), make_shape(m, n));
  copy_if(copier, inside, slice.partition_S(local_tile(A, tiler, block)),
          slice.partition_D(staged));
  cp_async_fence();
  cp_async_wait<0>();
  __syncthreads();

  // 8
  auto storer = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                Layout<Shape<_16, _8>, Stride<_8, _1>>{}, Layout<Shape<_1, _8>>{});
  auto part = storer.get_slice(threadIdx.x);
  copy_if(storer, inside, part.partition_S(staged), part.partition_D(local_tile(B, tiler, block)));
}

__global__ void product(half_t const* a, half_t const* b, float* c, int lda, int ldb, int ldc) {
  auto A = make_tensor(make_gmem_ptr(a), Shape<_16, _16>{}, make_stride(lda, _1{}));
  auto B = make_tensor(make_gmem_ptr(b), Shape<_16, _16>{}, make_stride(ldb, _1{}));
  auto C = make_tensor(make_gmem_ptr(c), Shape<_16, _16>{}, make_stride(ldc, _1{}));
  using swizzled =
      decltype(composition(Swizzle<1, 3, 3>{}, Layout<Shape<_16, _16>, Stride<_16, _1>>{}));
  __shared__ alignas(128) half_t memory[2][cosize_v<swizzled>];
  auto shared_a = make_tensor(make_smem_ptr(memory[0]), swizzled{});
  auto shared_b = make_tensor(make_smem_ptr(memory[1]), swizzled{});
  auto writer = make_tiled_copy(Copy_Atom<UniversalCopy<uint128_t>, half_t>{},
                                Layout<Shape<_16, _2>, Stride<_2, _1>>{}, Layout<Shape<_1, _8>>{});
  auto writes = writer.get_slice(threadIdx.x);
  copy(writer, writes.partition_S(A), writes.partition_D(shared_a));
  copy(writer, writes.partition_S(B), writes.partition_D(shared_b));
  __syncthreads();

  // 9
  auto mma = make_tiled_mma(SM80_16x8x16_F32F16F16F32_TN{}, Layout<Shape<_1, _1>>{},
                            Tile<_16, _16, _16>{});
  auto lane = mma.get_slice(threadIdx.x);
  auto loads_a = make_tiled_copy_A(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);
  auto loads_b = make_tiled_copy_B(Copy_Atom<SM75_U32x4_LDSM_N, half_t>{}, mma);

  // 10
  auto held_a = lane.partition_fragment_A(shared_a);
  auto held_b = lane.partition_fragment_B(shared_b);
  auto held_c = lane.partition_fragment_C(C);
  clear(held_c);
  auto of_lane_a = loads_a.get_slice(threadIdx.x);
  auto of_lane_b = loads_b.get_slice(threadIdx.x);
  copy(loads_a, of_lane_a.partition_S(shared_a), of_lane_a.retile_D(held_a));
  copy(loads_b, of_lane_b.partition_S(shared_b), of_lane_b.retile_D(held_b));
  gemm(mma, held_a, held_b, held_c);
  copy(held_c, lane.partition_C(C));
}
