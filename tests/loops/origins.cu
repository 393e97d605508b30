// Kernels with tiles at any origin, even below 0, and kernels whose instructions are counted.
// origins_test.cpp runs them.
#include "tensors.hpp"

#include <axe/cuda.hpp>

namespace loops {

/// Copies a window of 16 x 64 elements, zero out of bounds. Its first column is 8 * eighth.
extern "C" __global__ void window(aligned_input in, output out, int row, int eighth) {
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  axe::copy<axe::zero_fill>(
      axe::tile_at<16, 64>(in, row, axe::constant<8>{} * axe::any_signed(eighth)), staged,
      axe::cta<128>);
  axe::sync(axe::cta<128>);
  axe::copy<axe::allow_slow>(staged, axe::tile<16, 64>(out, 0, 0), axe::cta<128>);
}
/// Copies eight rows of a tensor of 56 rows. The origin is a multiple of 8, so the eight rows are
/// all in bounds or all out of bounds. A warp copies each row with one access.
extern "C" __global__ void eight_rows(
    axe::tensor<unsigned short const, axe::row_major<2, 56, 256>, axe::aligned<16>> in,
    whole_rows out, int eighth) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(8,256):(256,1)]"_axe>> staged;
  axe::copy<axe::zero_fill>(
      axe::tile_at<8, 256>(in, axe::constant<8>{} * axe::any_signed(eighth), axe::constant<0>{}),
      staged, axe::warp);
  axe::sync(axe::warp);
  axe::copy(staged, axe::tile<8, 256>(out, 0, 0), axe::warp);
}
/// Copies a window with cp.async. window_by_hand does the same.
extern "C" __global__ void window_async(aligned_input in, whole_rows out, int row, int eighth) {
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  axe::copy_async<axe::zero_fill>(
      axe::tile_at<16, 64>(in, row, axe::constant<8>{} * axe::any_signed(eighth)), staged,
      axe::cta<128>);
  axe::async_commit();
  axe::async_wait();
  axe::sync(axe::cta<128>);
  axe::copy<axe::allow_slow>(staged, axe::tile<16, 64>(out, 0, 0), axe::cta<128>);
}
/// Copies a window from any column, element by element, if an element is in bounds of both tensors.
extern "C" __global__ void window_moved(input in, output out, int row, int column) {
  axe::copy<axe::allow_slow>(axe::tile_at<16, 64>(in, row, column),
                             axe::tile_at<16, 64>(out, row + 1, column - 1), axe::cta<128>);
}
/// Block (i, j) copies its 14 x 62 elements with a halo of one element on each side.
extern "C" __global__ void with_halo(input in, output out) {
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  auto const [i, j] = axe::block<2>();
  axe::copy<axe::zero_fill | axe::allow_slow>(axe::tile_at<16, 64>(in, 14 * i - 1, 62 * j - 1),
                                              staged, axe::cta<128>);
  axe::sync(axe::cta<128>);
  axe::copy<axe::allow_slow>(staged, axe::tile<16, 64>(out, i, j), axe::cta<128>);
}
/// Loads a window from any column into registers.
extern "C" __global__ void window_loaded(input in, output out, int row, int column) {
  using by_rows = axe::carrier<"S[(16,32,2):(2@reg,1@tid,1@reg)]"_axe>;
  constexpr auto options = axe::zero_fill | axe::allow_slow;
  auto const from = axe::tile_at<16, 64>(in, row, column);
  axe::copy<axe::allow_slow>(axe::load<by_rows, options>(from, axe::cta<32>),
                             axe::tile<16, 64>(out, 0, 0), axe::cta<32>);
}
/// Copies the rows of a group that begins at any row. The origin is unsigned, so the kernel does
/// not test it against 0.
extern "C" __global__ void group(aligned_input in, output out, unsigned first, unsigned rows) {
  aligned_input const valid(in.data, first + rows, axe::extent<1>(in), axe::stride<0>(in));
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  axe::copy<axe::zero_fill>(
      axe::tile_at<16, 64>(valid, first + 16 * blockIdx.x, axe::constant<0>{}), staged,
      axe::cta<128>);
  axe::sync(axe::cta<128>);
  axe::copy<axe::allow_slow>(staged, axe::tile<16, 64>(out, axe::block_x(), 0), axe::cta<128>);
}
/// Adds up the tiles of four rows of a sequence, the first tile twice, and 1 for each tile. `steps`
/// is the number of tiles. If the sequence has no rows, the copy of its first tile changes nothing.
extern "C" __global__ void sum_of_sequence(rows_of_floats in, four_rows out, unsigned rows,
                                           unsigned* steps) {
  using by_rows = axe::carrier<"S[(4,8,4):(8@lane,1@lane,1@reg)]"_axe>;
  rows_of_floats const sequence(in.data, rows, axe::extent<1>(in));
  axe::fragment<float, by_rows, axe::extents<4, 32>> sum;
  sum.fill(0);
  axe::copy(axe::tile<4, 32>(sequence, 0, 0), sum, axe::warp);
  *steps = axe::tiles<0, 4>(sequence);
#pragma unroll 1
  for (unsigned k = 0; k < axe::tiles<0, 4>(sequence); ++k) {
    auto const v = axe::load<by_rows, axe::zero_fill>(axe::tile<4, 32>(sequence, k, 0), axe::warp);
    axe::elementwise([](float a, float b) { return a + b + 1; }, sum, sum, v);
  }
  axe::copy(sum, axe::tile<4, 32>(out, 0, 0), axe::warp);
}
/// Copies four rows of a tensor whose extent may exceed 31 bits. Each thread has elements of one
/// row.
extern "C" __global__ void four_of_any_rows(any_rows in, four_rows out, unsigned row) {
  using by_rows = axe::carrier<"S[(4,8,4):(8@tid,1@tid,1@reg)]"_axe>;
  axe::fragment<float, by_rows, axe::extents<4, 32>> rows;
  axe::copy<axe::zero_fill>(axe::tile_at<4, 32>(in, row, axe::constant<0>{}), rows, axe::warp);
  axe::copy(rows, axe::tile<4, 32>(out, 0, 0), axe::warp);
}

/// window_async by hand: each thread copies 16 bytes.
extern "C" __global__ void window_by_hand(unsigned short const* in, int rows, int columns,
                                          int pitch, unsigned short* out, int out_rows,
                                          int out_columns, int out_pitch, int row, int eighth) {
  __shared__ alignas(1024) unsigned short staged[16 * 64];
  unsigned const t = threadIdx.x;
  int const r = row + static_cast<int>(t / 8), c = 8 * eighth + static_cast<int>(t % 8) * 8;
  unsigned const base = static_cast<unsigned>(__cvta_generic_to_shared(staged));
  unsigned const to = base + t / 8 * 128 + ((t % 8 ^ t / 8 % 8) << 4);
  int const left = columns - c;
  unsigned bytes = static_cast<unsigned>(r) < static_cast<unsigned>(rows) && c >= 0 && left > 0
                       ? (left < 8 ? 2 * left : 16)
                       : 0;
  unsigned short const* from = in + static_cast<long long>(r) * pitch + c;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
               : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  __syncthreads();
  uint4 v;
  asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
               : "r"(to));
  if (t / 8 < static_cast<unsigned>(out_rows) && static_cast<int>(t % 8 * 8) < out_columns)
    *reinterpret_cast<uint4*>(out + t / 8 * static_cast<unsigned>(out_pitch) + t % 8 * 8) = v;
}

/// Computes the differences of neighbouring points. points_by_hand does the same.
extern "C" __global__ void points(axe::tensor<float3 const, axe::row_major<1>> in,
                                  axe::tensor<float3, axe::row_major<1>> out) {
  auto const i = axe::constant<32>{} * axe::block_x() + axe::thread_id<32>();
  if (i + 1 >= axe::extent<0>(in)) return;
  float3 const p = in(i), q = in(i + axe::constant<1>{});
  out(i) = make_float3(q.x - p.x, q.y - p.y, q.z - p.z);
}
extern "C" __global__ void points_by_hand(float3 const* in, unsigned count, float3* out) {
  unsigned const i = blockIdx.x * 32 + threadIdx.x;
  if (i + 1 >= count) return;
  float3 const p = in[i], q = (in + i)[1];
  out[i] = make_float3(q.x - p.x, q.y - p.y, q.z - p.z);
}

/// Copies a partial tile. Each thread has one element in each of eight rows.
template <class T>
__device__ void copy_rows(axe::tensor<T const, axe::row_major<2>> const& in, T* out) {
  using by_rows = axe::carrier<"S[(8,2,64):(1@reg,64@tid,1@tid)]"_axe>;
  __shared__ axe::shared_tile<T, axe::carrier<"S[(16,64):(64,1)]"_axe>> held;
  for (int r = 0; r < 8; ++r) held(2 * r + threadIdx.x / 64, threadIdx.x % 64) = 0;
  axe::sync(axe::cta<128>);
  axe::copy_by<by_rows>(axe::tile<16, 64>(in, 1, 1), held, axe::cta<128>);
  axe::sync(axe::cta<128>);
  for (int r = 0; r < 8; ++r)
    out[128 * r + threadIdx.x] = held(2 * r + threadIdx.x / 64, threadIdx.x % 64);
}
extern "C" __global__ void rows_of_bytes(axe::tensor<unsigned char const, axe::row_major<2>> in,
                                         unsigned char* out) {
  copy_rows(in, out);
}
extern "C" __global__ void rows_of_doubles(axe::tensor<double const, axe::row_major<2>> in,
                                           double* out) {
  copy_rows(in, out);
}
extern "C" __global__ void rows_of_int128(axe::tensor<__int128 const, axe::row_major<2>> in,
                                          __int128* out) {
  copy_rows(in, out);
}

/// Each lane computes four elements of 2 bytes and stores them with one instruction.
extern "C" __global__ void fours_of_shorts(unsigned const* in, unsigned short* out) {
  using rows_of_four = axe::tensor<unsigned short, axe::row_major<2, 4>, axe::aligned<8>>;
  axe::fragment<unsigned short, axe::carrier<"S[(32,4):(1@lane,1@reg)]"_axe>, axe::extents<32, 4>>
      parts;
  for (int k = 0; k < 4; ++k)
    parts[k] = static_cast<unsigned short>((in[threadIdx.x] >> 8 * k & 255) * 257);
  axe::copy(parts, axe::tile<32, 4>(rows_of_four(out, 32), 0, 0), axe::warp);
}

/// Doubles the bytes of a tile in shared memory and stores them. Each lane loads eight bytes.
extern "C" __global__ void eights_of_bytes(unsigned char* out) {
  using by_eights = axe::carrier<"S[(32,8):(1@lane,1@reg)]"_axe>;
  using rows_of_eight = axe::tensor<unsigned char, axe::row_major<2, 8>, axe::aligned<8>>;
  __shared__ axe::shared_tile<unsigned char, axe::carrier<"S[(32,8):(8,1)]"_axe>> staged;
  for (int k = 0; k < 8; ++k) staged(threadIdx.x, k) = static_cast<unsigned char>(threadIdx.x + k);
  axe::sync(axe::warp);
  auto bytes = axe::load<by_eights>(staged, axe::warp);
  axe::elementwise([](unsigned char x) { return static_cast<unsigned char>(2 * x); }, bytes, bytes);
  axe::copy(bytes, axe::tile<32, 8>(rows_of_eight(out, 32), 0, 0), axe::warp);
}

/// Each lane sums every 32nd product of a sparse dot product. The loop counts in an int.
using counts = axe::tensor<int const, axe::row_major<1>>;
using values = axe::tensor<float const, axe::row_major<1>>;
extern "C" __global__ void sparse(counts columns, int begin, values factors, values x, float* out) {
  float sum = 0;
  int const end = axe::extent<0>(columns);
  for (int i = begin + axe::lane_id(); i < end; i += 32) sum += factors(i) * x(columns(i));
  out[threadIdx.x] = sum;
}
extern "C" __global__ void sparse_by_hand(int const* columns, int count, int begin,
                                          float const* factors, float const* x, float* out) {
  float sum = 0;
  for (int i = begin + static_cast<int>(threadIdx.x % 32); i < count; i += 32)
    sum += factors[i] * x[columns[i]];
  out[threadIdx.x] = sum;
}

/// Copies sixteen adjacent rows of 16 floats. adjacent_rows tests whether a row is in bounds,
/// adjacent_whole does not. The kernels are equal otherwise.
template <class Tile> __device__ void load_adjacent(Tile const& tile, float* out) {
  using by_threads = axe::carrier<"S[256:1@tid]"_axe>;
  axe::fragment<float, by_threads, axe::extents<16, 16>> held;
  axe::copy<axe::zero_fill>(tile, held, axe::cta<256>);
  out[threadIdx.x] = held[0];
}
using adjacent = axe::tensor<float const, axe::row_major<2, 16>>;
extern "C" __global__ void adjacent_rows(adjacent in, float* out) {
  load_adjacent(axe::tile<16, 16>(in, axe::constant<0>{}, axe::constant<0>{}), out);
}
extern "C" __global__ void adjacent_whole(adjacent in, float* out) {
  load_adjacent(axe::exact_grid(axe::tile<16, 16>(in, axe::constant<0>{}, axe::constant<0>{})),
                out);
}

/// Adds up windows of 4 x 64 elements whose first rows are -2, -1, …, end - 1.
extern "C" __global__ void moving_window(aligned_input in, output out, int end) {
  using by_rows = axe::carrier<"S[(4,8,8):(8@lane,1@lane,1@reg)]"_axe>;
  axe::fragment<unsigned short, by_rows, axe::extents<4, 64>> sum, part;
  sum.fill(0);
#pragma unroll 1
  for (int row = -2; row < end; ++row) {
    axe::copy<axe::zero_fill>(axe::tile_at<4, 64>(in, row, axe::constant<0>{}), part, axe::warp);
    axe::elementwise([](unsigned short a, unsigned short b) { return a + b; }, sum, sum, part);
  }
  axe::copy(sum, axe::tile<4, 64>(out, 0, 0), axe::warp);
}

/// Masks the keys after a query, and those at least `window` before it.
using scores_of_warp = axe::tensor<float, axe::row_major<2, 16, 64>>;
template <class Mask> __device__ void mask_by(scores_of_warp const& x, Mask const& mask) {
  using by_quads = axe::carrier<"S[(2,8,8,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
  auto scores = axe::load<by_quads>(axe::tile<16, 64>(x, 0, 0), axe::warp);
  axe::for_each(scores, axe::warp, mask);
  axe::copy(scores, axe::tile<16, 64>(x, 0, 0), axe::warp);
}
extern "C" __global__ void masked(scores_of_warp x, unsigned query, unsigned key, unsigned window) {
  mask_by(x, [&](float& score, auto i, auto j) {
    if (key + j > query + i || key + j + window <= query + i) score = -1;
  });
}
/// `masked` with coordinates as plain numbers.
extern "C" __global__ void masked_by_numbers(scores_of_warp x, unsigned query, unsigned key,
                                             unsigned window) {
  mask_by(x, [&](float& score, unsigned i, unsigned j) {
    if (key + j > query + i || key + j + window <= query + i) score = -1;
  });
}

/// Counts the wrong elements of tile (row, column) of a swizzled tile, accessed in several ways.
/// The inner tile may begin inside a period of the swizzle.
template <class L, int Rows, int Columns, class P>
__device__ void check_inner_tile(unsigned row, unsigned column, unsigned* wrong) {
  constexpr int width =
      axe::shared_tile<unsigned short, L>::operand_type::shape_type::value.extent(1);
  __shared__ axe::shared_tile<unsigned short, L> ring[2];
  for (unsigned i = threadIdx.x; i < 32 * width; i += 32) {
    ring[0](i / width, i % width) = 0;
    ring[1](i / width, i % width) = static_cast<unsigned short>(i);
  }
  axe::sync(axe::warp);
  auto const inner = axe::tile<Rows, Columns>(ring[1], row, column);
  auto const number = [&](unsigned r, unsigned c) {
    return (row * Rows + r) * width + column * Columns + c;
  };
  auto const check = [&](bool equal) {
    if (!equal) atomicAdd(wrong, 1);
  };
  for (unsigned i = threadIdx.x; i < Rows * Columns; i += 32)
    check(inner(i / Columns, i % Columns) == number(i / Columns, i % Columns));
  // A tile of the inner tile, and the inner tile of the transpose.
  auto const last = axe::tile<Rows / 2, Columns / 2>(inner, 1, axe::constant<1>{});
  auto const turned = axe::tile<Columns, Rows>(axe::transposed(ring[1]), column, row);
  for (unsigned i = threadIdx.x; i < Rows * Columns / 4; i += 32) {
    unsigned const r = i / (Columns / 2), c = i % (Columns / 2);
    check(&last(r, c) == &inner(Rows / 2 + r, Columns / 2 + c));
    check(&turned(c, r) == &inner(r, c));
  }
  auto held = axe::load<P>(inner, axe::warp);
  axe::for_each(held, axe::warp, [&](unsigned short& v, unsigned r, unsigned c) {
    check(v == number(r, c));
    v = static_cast<unsigned short>(v + 1);
  });
  auto const owned = axe::local_partition<P>(inner, threadIdx.x);
  axe::for_each_register<held.size>([&](auto r) { check(owned.load(r) + 1 == held[r]); });
  axe::sync(axe::warp);
  axe::prepare_copy(held, axe::tile<Rows, Columns>(ring, row, column), axe::warp)(1);
  axe::sync(axe::warp);
  axe::copy(inner, axe::tile<Rows, Columns>(ring[0], row, column), axe::warp);
  axe::sync(axe::warp);
  for (unsigned i = threadIdx.x; i < 32 * width; i += 32) {
    unsigned const r = i / width, c = i % width;
    bool const is_inner = r / Rows == row && c / Columns == column;
    check(ring[1](r, c) == i + is_inner);
    check(ring[0](r, c) == (is_inner ? i + 1 : 0));
  }
}
using wide_rows = axe::carrier<"swizzle(3,3,3) o S[(32,128):(128,1)]"_axe>;
using half_rows = axe::carrier<"swizzle(3,2,3) o S[(32,64):(64,1)]"_axe>;
extern "C" __global__ void inner_tile_by_vectors(unsigned row, unsigned column, unsigned* wrong) {
  using by_fours = axe::carrier<"S[(4,8,4):(8@lane,1@lane,1@reg)]"_axe>;
  check_inner_tile<wide_rows, 4, 32, by_fours>(row, column, wrong);
  check_inner_tile<half_rows, 4, 32, by_fours>(row, column % 2, wrong);
}
extern "C" __global__ void inner_tile_by_ldmatrix(unsigned row, unsigned column, unsigned* wrong) {
  using matrices = axe::carrier<"S[(2,8,2,4,2):(2@reg,4@lane,4@reg,1@lane,1@reg)]"_axe>;
  check_inner_tile<wide_rows, 16, 16, matrices>(row, column, wrong);
  check_inner_tile<half_rows, 16, 16, matrices>(row, column % 4, wrong);
}
/// Copies two tiles of 16 x 32, side by side, to a swizzled tile with cp.async.
extern "C" __global__ void halves_async(aligned_input in, output out) {
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  for (int half = 0; half < 2; ++half)
    axe::copy_async<axe::zero_fill>(axe::tile<16, 32>(in, 0, half),
                                    axe::tile<16, 32>(staged, 0, half), axe::warp);
  axe::async_commit();
  axe::async_wait();
  axe::sync(axe::warp);
  axe::copy<axe::allow_slow>(staged, axe::tile<16, 64>(out, 0, 0), axe::warp);
}

}  // namespace loops
