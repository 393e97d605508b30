// Compiles the pieces of kernels that docs/guides and docs/index_code.md show.
#include <axe/axe.hpp>
#include <axe/cuda.hpp>

#include <axe/atoms.hpp>
#include <axe/cuda/mma/wgmma.hpp>
#include <axe/cuda/online_softmax.hpp>
#include <axe/plan/print/print_copy.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cstdio>

using namespace axe::literals;
using axe::dimension, axe::digit, axe::dynamic;
using bf16 = __nv_bfloat16;
using atom = axe::mma_atom<16, 8, 16, 16>;
template <class T> using list = axe::tensor<T, axe::row_major<1>>;
template <class T> using matrix = axe::tensor<T, axe::row_major<2>>;
template <class T> using vectors = axe::tensor<T, axe::row_major<2>, axe::aligned<16>>;
template <class T> using sequences = axe::tensor<T, axe::row_major<3>>;
using c_lanes = axe::carrier<atom::accumulator>;

__global__ void explained_copy(matrix<float const> in) {
  __shared__ axe::shared_tile<float, axe::carrier<"S[(32,32):(33,1)]"_axe>> staged;
  auto const from = axe::tile<32, 32>(in, axe::block_y(), axe::block_x());
  constexpr axe::copy_plan plan =
      axe::plan_of_copy<decltype(from), decltype(staged), decltype(axe::cta<256>)>;
  static constexpr auto text = axe::explain(plan);
  if (axe::thread_id() == 0) printf("%s", text.c_str());
  static_assert(plan.bytes == 4, "each access moves 4 bytes");
  axe::copy(from, staged, axe::cta<256>);
}

__global__ void embedding_bag(matrix<float const> table, list<int const> offsets,
                              list<int const> indices, matrix<float> sums) {
  using by_fours = axe::carrier<"S[(2,32,4):(4@reg,1@lane,1@reg)]"_axe>;
  unsigned const bag = axe::block_x();
  int const end = offsets(bag + 1);
  axe::fragment<float, by_fours, axe::extents<1, 256>> sum;
  sum.fill(0);
  axe::fragment<float, by_fours, axe::extents<1, 256>> row;
  auto const read = axe::prepare_copy<0>(axe::tile<1, 256>(table, 0, 0), row, axe::warp);
  for (int i = offsets(bag); i < end; ++i) {
    read(indices(i));
    axe::elementwise(axe::plus{}, sum, sum, row);
  }
  axe::copy(sum, axe::tile<1, 256>(sums, bag, 0), axe::warp);
}

__global__ void planes_of_a_stencil(axe::tensor<float const, axe::row_major<3>> in) {
  __shared__ axe::shared_tile<float, axe::carrier<"S[(1,10,34):(340,34,1)]"_axe>> plane[3];
  auto const before = axe::tile_at<1, 10, 34>(in, axe::constant<-1>{}, 8 * axe::block_y() - 1,
                                              32 * axe::block_x() - 1);
  auto const fill = axe::prepare_copy<0, axe::zero_fill>(before, plane, axe::cta<256>);
  fill(0, 2);  // zeros
  fill(1, 0);  // plane 0
}

__global__ void one_matrix_of_a_batch(sequences<float const> x, list<float> out) {
  unsigned const n = axe::block_x();
  matrix<float const> const C(&x(n, 0, 0), axe::extent<1>(x), axe::extent<2>(x), axe::stride<1>(x));
  out(n) = C(1, axe::thread_id());
}

using tokens_of_a_head =
    axe::dynamic_layout<dimension<digit<dynamic(0), dynamic(1).multiple_of(8)>>,
                        dimension<digit<64, 1>>>;
__global__ void rows_with_gaps(axe::tensor<bf16 const, tokens_of_a_head, axe::aligned<16>> head,
                               axe::tensor<bf16, axe::row_major<2, 64>, axe::aligned<16>> out) {
  axe::copy(axe::tile<8, 64>(head, axe::block_x(), 0), axe::tile<8, 64>(out, axe::block_x(), 0),
            axe::cta<64>);
}

__global__ void overlapping_windows(matrix<float const> in, matrix<float> out) {
  __shared__ axe::shared_tile<float, axe::carrier<"S[(1,520):(520,1)]"_axe>> staged;
  axe::copy(axe::tile<1, 520>(in, 0, 0), staged, axe::cta<128>);
  axe::sync(axe::cta<128>);
  using four = axe::carrier<"S[4:1@reg]"_axe>;
  auto const t = axe::thread_id<128>();
  auto const before = axe::load<four>(axe::tile<1, 4>(staged, 0, t), axe::thread);
  auto const at = axe::load<four>(axe::tile<1, 4>(staged, 0, t + axe::constant<1>{}), axe::thread);
  auto const after =
      axe::load<four>(axe::tile<1, 4>(staged, 0, t + axe::constant<2>{}), axe::thread);
  out(0, t) = before[3] + at[0] + after[0];
}

__global__ void bilinear_sampling(axe::tensor<float const, axe::row_major<4>> images,
                                  float4 const* of_threads, list<float> out, int y, int x) {
  unsigned const n = axe::block_x();
  float const weights[] = {of_threads->x, of_threads->y, of_threads->z, of_threads->w};
  float sum = 0;
  axe::fragment<float, axe::carrier<"S[4:1@reg]"_axe>, axe::extents<1, 1, 2, 2>> neighbours;
  auto const corner = axe::tile_at<1, 1, 2, 2>(images, n, axe::constant<0>{}, y, x);
  auto const read = axe::prepare_copy<1, axe::zero_fill>(corner, neighbours, axe::thread);
  for (unsigned c = 0; c < axe::extent<1>(images); ++c) {
    read(c);
    sum += weights[0] * neighbours[0] + weights[1] * neighbours[1];  // the row y
    sum += weights[2] * neighbours[2] + weights[3] * neighbours[3];  // the row y + 1
  }
  out(n) = sum;
}

__global__ void tiles_in_place(sequences<float> scores, unsigned last) {
  axe::fragment<float, axe::carrier<"S[(128,4):(1@tid,1@reg)]"_axe>, axe::extents<1, 1, 512>> held;
  unsigned const token = axe::block_y(), chunk = axe::block_x();
  auto const hidden = [=](unsigned key) { return key > last; };
  for (unsigned head = 0; head < axe::extent<0>(scores); ++head) {
    auto const x = axe::tile<1, 1, 512>(scores, head, token, chunk);
    axe::copy<axe::zero_fill>(x, held, axe::cta<128>);
    axe::for_each(held, axe::cta<128>,
                  [&](float& v, auto, auto, auto key) { v = hidden(key) ? -INFINITY : v; });
    axe::copy(held, x, axe::cta<128>);
  }
}

__global__ void bias_for_each_column(matrix<float const> bias, matrix<float> out) {
  using lanes = axe::carrier<axe::wgmma_atom<128, 16>::accumulator>;
  axe::fragment<float, lanes, axe::extents<64, 128>> c;
  c.fill(1);
  axe::reduced<decltype(c), 0> added;
  axe::copy<axe::zero_fill>(axe::tile<1, 128>(bias, 0, axe::block_x()), added, axe::warpgroup);
  axe::elementwise(axe::plus{}, c, c, added);
  axe::copy(c, axe::tile<64, 128>(out, axe::block_y(), axe::block_x()), axe::warpgroup);
}

__global__ void gather_in_steps(vectors<__half const> x, list<int const> chosen, list<float> out) {
  using tile_of_64 = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
  __shared__ axe::shared_tile<__half, tile_of_64> ring[2];
  __shared__ int rows[64];
  if (axe::thread_id() < 64) rows[axe::thread_id()] = chosen(axe::thread_id());
  axe::sync(axe::cta<128>);
  for (unsigned k = 0, stage = 0; k < axe::tiles<1, 64>(x); ++k, stage ^= 1) {
    axe::gather_async<0, axe::zero_fill>(axe::tile<64, 64>(x, axe::constant<0>{}, k), ring[stage],
                                         axe::cta<128>, [&](auto i) { return rows[i]; });
    axe::async_commit();
    axe::async_wait<0>();
    axe::sync(axe::cta<128>);
    out(axe::thread_id()) = __half2float(ring[stage](axe::thread_id() % 64, 0));
  }
}

__global__ void mask_of_positions(matrix<float> scores, int first_row, int first_column,
                                  int window) {
  auto s = axe::load<c_lanes>(axe::tile<16, 8>(scores, 0, 0), axe::warp);
  axe::online_softmax<decltype(s)> softmax(1.0f);
  axe::for_each(s, axe::warp, [&](float& v, auto i, auto j) {
    auto const row = axe::any(first_row) + i;
    auto const column = axe::any(first_column) + j;
    v = (column > row) | (column + axe::any(window) <= row) ? softmax.masked() : v;
  });
  axe::copy(s, axe::tile<16, 8>(scores, 0, 0), axe::warp);
}

__global__ void mask_of_bits(matrix<float> scores, matrix<unsigned long long const> words) {
  using lanes = axe::carrier<axe::wgmma_atom<64, 16>::accumulator>;
  auto s = axe::load<lanes>(axe::tile<64, 64>(scores, 0, 0), axe::warpgroup);
  using of_rows = axe::reduced<decltype(s), 1>;
  axe::fragment<unsigned long long, of_rows::layout_type, axe::extents<64, 1>> bits;
  axe::copy(axe::tile<64, 1>(words, 0, 0), bits, axe::warpgroup);
  unsigned const first = s.coordinate<1>(axe::constant<0>{}, axe::thread_id());
  axe::elementwise([=](unsigned long long word) { return word >> first; }, bits, bits);
  axe::fragment<unsigned, lanes, axe::extents<64, 64>> column;
  axe::for_each_register<s.size>([&](auto r) { column[r] = s.coordinate<1>(r, 0); });
  auto const mask = [](float v, unsigned j, unsigned long long word) {
    return word >> j & 1 ? v : -INFINITY;
  };
  axe::elementwise(mask, s, s, column, bits);
  axe::copy(s, axe::tile<64, 64>(scores, 0, 0), axe::warpgroup);
}

__global__ void sums_of_another_block(matrix<float> C) {
  axe::fragment<float, c_lanes, axe::extents<16, 8>> c;
  c.fill(1);
  auto const tile = axe::tile<16, 8>(C, axe::block_y(), axe::block_x());
  auto const part = axe::local_partition<c_lanes>(tile, axe::lane_id());
  axe::for_each_register<c.size>([&](auto r) {
    if (part.in_bounds(r)) c[r] += part.load(r);
  });
  axe::copy(c, tile, axe::warp);
}

__global__ void sums_of_four_warps(matrix<float> out) {
  axe::fragment<
      float,
      axe::carrier<axe::direct_sum("S[(4,1):(1@warp,0)]"_axe, {4, 1}, atom::accumulator, {16, 8})>,
      axe::extents<4, 16, 8>>
      parts;
  parts.fill(1);
  using by_lanes = axe::carrier<"S[(4,2,8,4,2):(128,2,16,4,1)]"_axe>;
  using by_elements = axe::carrier<"S[(4,2,8,4,2):(1@reg,2@tid,16@tid,4@tid,1@tid)]"_axe>;
  __shared__ axe::shared_tile<float, by_lanes, axe::extents<4, 16, 8>> staged;
  axe::copy(parts, staged, axe::cta<128>);
  axe::sync(axe::cta<128>);
  auto const element = axe::load<by_elements>(staged, axe::cta<128>);
  axe::reduced<decltype(element), 0> sum;
  axe::reduce<0>(axe::plus{}, element, sum, axe::cta<128>);
  out(0, axe::thread_id()) = sum[0];
}

using matrix_of_blocks = axe::tensor<__half const, axe::row_major<3, 16, 16>, axe::aligned<16>>;
__global__ void sparse_blocks(matrix_of_blocks blocks, list<int const> offsets, matrix<float> out) {
  using a_lanes = axe::carrier<atom::a>;
  unsigned const row = axe::block_x();
  int const end = offsets(row + 1);
  axe::fragment<__half, axe::carrier<atom::b>, axe::extents<16, 8>> b;
  axe::fragment<float, c_lanes, axe::extents<16, 8>> c;
  b.fill(__float2half(1.0f));
  c.fill(0);
  axe::fragment<__half, a_lanes, axe::extents<1, 16, 16>> a;
  auto const zero = axe::constant<0>{};
  auto const first = axe::tile<1, 16, 16>(blocks, zero, zero, zero);
  auto const read = axe::prepare_copy<0>(first, a, axe::warp);
  for (int i = offsets(row); i < end; ++i) {
    read(i);
    axe::mma(c, a, b);
  }
  axe::copy(c, axe::tile<16, 8>(out, row, 0), axe::warp);
}

using rows_of_blocks = axe::dynamic_layout<
    dimension<digit<dynamic(0).multiple_of(16), dynamic(2).below(1 << 28).multiple_of(8)>>,
    dimension<digit<dynamic(1).multiple_of(8), 1>>>;
__global__ void copy_rows_of_blocks(axe::tensor<__half const, rows_of_blocks, axe::aligned<16>> in,
                                    axe::tensor<__half, rows_of_blocks, axe::aligned<16>> out) {
  axe::copy(axe::tile<16, 64>(in, axe::block_y(), axe::block_x()),
            axe::tile<16, 64>(out, axe::block_y(), axe::block_x()), axe::warp);
}

__global__ void largest_and_its_index(matrix<float const> x, matrix<unsigned> indices) {
  using by_lanes = axe::carrier<"S[(4,32):(1@reg,1@lane)]"_axe>;
  auto const v = axe::load<by_lanes>(axe::tile<1, 128>(x, axe::block_x(), 0), axe::warp);
  axe::reduced<decltype(v), 1> most;
  axe::fragment<unsigned, axe::carrier<"S[32:1@lane]"_axe>, axe::extents<1, 32>> at;
  axe::reduced<decltype(at), 1> first;
  axe::reduce<1>(axe::maximum{}, v, most, axe::warp);
  at.fill(~0u);
  axe::for_each_register<v.size>([&](auto i) {
    axe::constant<v.size - 1 - i.value> const r;
    if (v[r] == most[0]) at[0] = v.coordinate<1>(r, axe::lane_id());
  });
  axe::reduce<1>(axe::minimum{}, at, first, axe::warp);
  axe::copy(first, axe::tile<1, 1>(indices, axe::block_x(), 0), axe::warp);
}

__global__ void warps_without_a_row(matrix<float> x) {
  auto const row = axe::constant<8>{} * axe::block_y() + axe::warp_id<256>();
  if (row >= axe::extent<0>(x)) return;
  x(row, 0) = 0;
}

__global__ void sums_of_columns(matrix<float const> in, matrix<float> out) {
  auto const block = axe::cta<128>;
  __shared__ axe::shared_tile<float, axe::carrier<"S[(8,128):(128,1)]"_axe>> staged;
  auto const x = axe::tile<8, 128>(in, 0, axe::block_x());
  using by_columns = axe::carrier<"S[(8,128):(1@reg,1@tid)]"_axe>;
  axe::copy<axe::zero_fill>(x, staged, block);
  axe::sync(block);
  auto const columns = axe::load<by_columns>(staged, block);
  axe::reduced<decltype(columns), 0> sums;
  axe::reduce<0>(axe::plus{}, columns, sums, block);
  axe::copy(sums, axe::tile<1, 128>(out, 0, axe::block_x()), block);
}

__global__ void step_of_a_bitonic_sort(matrix<float> x, int d, bool smaller) {
  using by_lanes = axe::carrier<"S[(4,32):(1@reg,1@lane)]"_axe>;
  auto v = axe::load<by_lanes, axe::zero_fill>(axe::tile<1, 128>(x, 0, 0), axe::warp);
  axe::for_each_register<v.size>([&](auto r) {
    float const other = __shfl_xor_sync(~0u, v[r], d);
    v[r] = smaller ? fminf(v[r], other) : fmaxf(v[r], other);
  });
  axe::for_each_register<v.size - 1>([&](auto r) { v[r + 1] += v[r]; });
  axe::copy(v, axe::tile<1, 128>(x, 0, 0), axe::warp);
}

using namespace axe::axes;
template <int J>
using pairs_apart = axe::carrier<axe::S({512 / J, 2, J}, {J * tid, 1 * reg, 1 * tid})>;
__global__ void pairs_of_a_bitonic_sort(matrix<float> x) {
  auto v = axe::load<pairs_apart<64>, axe::zero_fill>(axe::tile<1, 1024>(x, 0, 0), axe::cta<512>);
  float const smaller = fminf(v[0], v[1]);
  v[1] = fmaxf(v[0], v[1]);
  v[0] = smaller;
  axe::copy(v, axe::tile<1, 1024>(x, 0, 0), axe::cta<512>);
}

__global__ void shared_sizes(sequences<bf16 const> x, sequences<bf16> out, list<bf16> weights) {
  sequences<bf16> const to(out.data, x.sizes);                        // as large as x
  matrix<bf16 const> const taps(weights.data, 4, axe::extent<2>(x));  // 4 rows, channels of x
  to(0, 0, 0) = taps(1, 0);
}

__global__ void early_return(vectors<float> tensor) {
  using by_fours = axe::carrier<"S[(256,4):(1@tid,1@reg)]"_axe>;
  auto const x = axe::tile<1, 1024>(tensor, axe::block_y(), axe::block_x());
  if (!axe::local_partition<by_fours>(x, axe::thread_id()).any_in_bounds()) return;
  axe::fragment<float, by_fours, axe::extents<1, 1024>> ones;
  ones.fill(1);
  axe::copy(ones, x, axe::cta<256>);
}

using sort_keys = axe::tensor<unsigned const, axe::row_major<1>, axe::aligned_rows<16>>;
__global__ void whole_tiles(sort_keys keys, list<unsigned> counts) {
  using by_fours = axe::carrier<"S[(4,256,4):(4@reg,1@tid,1@reg)]"_axe>;
  auto const block = axe::cta<256>;
  unsigned const begin = 4096 * axe::block_x();
  auto const count = [&](unsigned key) { atomicAdd(&counts(key), 1); };
  if (begin + 4096 <= axe::extent<0>(keys)) {
    auto const whole = axe::exact_grid(axe::tile<4096>(keys, axe::block_x()));
    auto const held = axe::load<by_fours>(whole, block);
    axe::for_each_register<held.size>([&](auto r) { count(held[r]); });
  } else {
#pragma unroll 1
    for (unsigned i = begin + axe::thread_id(); i < axe::extent<0>(keys); i += 256) count(keys(i));
  }
}

__global__ void one_vector_in_each_step(vectors<bf16 const> x, matrix<float> sums) {
  axe::fragment<bf16, axe::carrier<"S[8:1@reg]"_axe>, axe::extents<1, 8>> held;
  unsigned const row = axe::block_x();
  float sum = 0;
  for (unsigned i = axe::thread_id(); i < axe::tiles<1, 8>(x); i += 256) {
    axe::copy(axe::tile<1, 8>(x, row, i), held, axe::thread);
    axe::for_each_register<held.size>([&](auto r) { sum += static_cast<float>(held[r]); });
  }
  sums(row, axe::thread_id()) = sum;
}

__device__ uint4 dequantise(unsigned word, unsigned zero, uint4 scale) {
  return {word - zero, word >> 8, word >> 16, scale.x};
}
__global__ void quantised_weights(matrix<unsigned const> words, matrix<unsigned const> all_zeros,
                                  matrix<uint4 const> all_scales, matrix<uint4> results) {
  using by_lanes = axe::carrier<"S[(8,32):(1@reg,1@lane)]"_axe>;
  auto const weights = axe::load<by_lanes>(axe::tile<8, 32>(words, 0, 0), axe::warp);
  axe::reduced<decltype(weights), 0> zeros;
  axe::fragment<uint4, decltype(zeros)::layout_type, axe::extents<1, 32>> scales;
  axe::copy(axe::tile<1, 32>(all_zeros, 0, 0), zeros, axe::warp);
  axe::copy(axe::tile<1, 32>(all_scales, 0, 0), scales, axe::warp);
  axe::fragment<uint4, by_lanes, axe::extents<8, 32>> out;
  auto const unpack = [](unsigned word, unsigned zero, uint4 scale) {
    return dequantise(word, zero, scale);
  };
  axe::elementwise(unpack, out, weights, zeros, scales);
  axe::copy(out, axe::tile<8, 32>(results, 0, 0), axe::warp);
}

__global__ void scales_of_groups(vectors<float const> scales, vectors<float> values) {
  using by_columns = axe::carrier<"S[(128,16):(1@tid,1@reg)]"_axe>;
  auto const token = axe::block_y(), block = axe::block_x();
  auto v = axe::load<by_columns>(axe::tile<1, 2048>(values, token, block), axe::cta<128>);
  using by_groups = axe::carrier<"S[16:8@tid] + R[8:1@tid]"_axe>;
  auto const scale = axe::load<by_groups>(axe::tile<1, 16>(scales, token, block), axe::cta<128>);
  axe::elementwise([&](float a) { return a * scale[0]; }, v, v);
  axe::copy(v, axe::tile<1, 2048>(values, token, block), axe::cta<128>);
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 1000
__global__ void pairs_of_floats(axe::tensor<float2, axe::row_major<1>> data) {
  using pairs = axe::carrier<"S[(4,128):(1@reg,1@tid)]"_axe>;
  auto const tile = axe::tile<512>(data, axe::block_x());
  auto const x = axe::load<pairs, axe::zero_fill>(tile, axe::cta<128>);
  auto const a = x;
  auto y = x;
  axe::elementwise([](float2 a, float2 x, float2 y) { return __ffma2_rn(a, x, y); }, y, a, x, y);
  axe::copy(y, tile, axe::cta<128>);
}
#endif

__global__ void four_rows(matrix<float const> in, matrix<float> out) {
  unsigned const i = axe::block_y(), j = axe::block_x();
  using by_rows = axe::carrier<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>;
  auto const from = axe::local_partition<by_rows>(axe::tile<32, 32>(in, i, j), axe::thread_id());
  auto const to = axe::local_partition<by_rows>(axe::tile<32, 32>(out, i, j), axe::thread_id());
  axe::for_each_register<from.size>([&](auto r) {
    if (from.in_bounds(r)) to.store(r, from.load(r));
  });
}

__global__ void ring_of_stages(vectors<__half const> x, unsigned k, vectors<__half> out) {
  using L = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
  using a_lanes = axe::carrier<axe::direct_sum("S[4:8@reg]"_axe, {1, 4}, atom::a, {16, 16})>;
  axe::fragment<__half, a_lanes, axe::extents<16, 64>> a;
  auto const row = axe::block_x();
  auto const zero = axe::constant<0>{};
  __shared__ axe::shared_tile<__half, L> ring[3];
  auto const first = axe::tile<64, 64>(x, row, zero);
  auto const fill = axe::prepare_copy_async<1, axe::zero_fill>(first, ring, axe::cta<128>);
  auto const part = axe::tile<16, 64>(ring, axe::warp_id<128>(), zero);
  auto const read = axe::prepare_copy(part, a, axe::warp);
  auto to = axe::first_stage(ring), from = to;
  fill(k, to);          // tile k along dimension 1, into that stage: cp.async
  axe::async_commit();  // ends the group
  to.advance();
  axe::async_wait<0>();  // waits for all groups; async_wait<1>() for all but the last
  axe::sync(axe::cta<128>);
  read(from);  // ldmatrix
  axe::copy(a, axe::tile<16, 64>(out, axe::warp_id<128>(), 0), axe::warp);
}

__global__ void bound_address(__half const* memory, __half* out) {
  unsigned const shared = static_cast<unsigned>(__cvta_generic_to_shared(memory));
  using tile = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;  // 16-bit elements
  using axe::on, axe::constant;
  auto const lane = on<axe::axis::lane, 32>(threadIdx.x);  // a block of one warp
  auto const rows = axe::bind_address<tile, axe::extents<64, 64>, 2>(
                        lane.bits<0, 4>(), constant<8>{} * lane.bits<4, 1>())
                        .from(shared);
  auto const address = rows.at<16, 32>();  // 16 rows down, 32 columns right
  asm volatile("ld.shared.u16 %0, [%1];" : "=h"(*reinterpret_cast<short*>(out)) : "r"(address));
}

__global__ void elements_of_words(matrix<unsigned const> w, matrix<unsigned> out) {
  unsigned const i = axe::block_x(), j = axe::thread_id();
  unsigned const word = w(i, j / 8);
  unsigned const element = word >> 4 * (j % 8) & 15;
  out(i, j) = element;
}

using heads =
    axe::dynamic_layout<dimension<digit<dynamic(0), dynamic(2).multiple_of(8)>>,  // tokens
                        dimension<digit<dynamic(1), dynamic(3).multiple_of(8)>>,  // heads
                        dimension<digit<128, 1>>>;
__global__ void heads_at_any_distance(bf16 const* data, unsigned tokens, unsigned count,
                                      unsigned token_stride, unsigned head_stride, bf16* out) {
  axe::tensor<bf16 const, heads, axe::aligned<16>> const q(data, tokens, count, token_stride,
                                                           head_stride);
  out[axe::thread_id()] = q(0, 1, axe::thread_id());
}
