// Kernels with copy_if, gather, scatter, atomic_add, elements of shared memory, and reinterpret.
// choosing_test.cpp runs them.
#include "tensors.hpp"

#include <axe/algebra/direct_sum.hpp>
#include <axe/atoms.hpp>
#include <axe/cuda.hpp>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

namespace loops {

/// Copies the first `rows` rows, and zeros for the others. Every fourth row of `out` stays as it
/// is.
extern "C" __global__ void chosen_rows(aligned_input in, whole_rows out, unsigned rows) {
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  auto const valid = [&](unsigned row, unsigned) { return row < rows; };
  axe::copy_if<axe::zero_fill>(axe::tile<16, 64>(in, 0, 0), staged, axe::cta<64>, valid);
  axe::sync(axe::cta<64>);
  axe::copy_if(staged, axe::tile<16, 64>(out, 0, 0), axe::cta<64>,
               [](unsigned row, unsigned) { return row % 4 != 3; });
}
/// Chooses the elements on and below the line column = 3 * row. copy_if must not read the member
/// `dimension` of a predicate.
struct below_diagonal {
  static constexpr int dimension = 0;
  __device__ bool operator()(unsigned row, unsigned column) const { return column <= 3 * row; }
};
/// Copies the chosen elements. An access has 8 elements if all 8 are chosen and in bounds, else 1.
extern "C" __global__ void chosen_elements(aligned_input in, whole_rows out) {
  axe::copy_if(axe::tile<16, 64>(in, 0, 0), axe::tile<16, 64>(out, 0, 0), axe::cta<32>,
               below_diagonal{});
}
/// Copies these elements between two tiles of shared memory.
extern "C" __global__ void chosen_of_shared(whole_rows in, whole_rows out) {
  __shared__ axe::shared_tile<unsigned short, swizzled> from, to;
  axe::copy(axe::tile<16, 64>(in, 0, 0), from, axe::cta<64>);
  axe::copy(axe::tile<16, 64>(out, 0, 0), to, axe::cta<64>);
  axe::sync(axe::cta<64>);
  axe::copy_if(from, to, axe::cta<64>, below_diagonal{});
  axe::sync(axe::cta<64>);
  axe::copy(to, axe::tile<16, 64>(out, 0, 0), axe::cta<64>);
}
/// Copies these elements from registers to global memory.
template <class Out> __device__ void store_chosen(whole_rows const& in, Out const& out) {
  using by_fours = axe::carrier<"S[(8,2,16,4):(4@reg,16@tid,1@tid,1@reg)]"_axe>;
  auto const held = axe::load<by_fours>(axe::tile<16, 64>(in, 0, 0), axe::cta<32>);
  axe::copy_if(held, axe::tile<16, 64>(out, 0, 0), axe::cta<32>, below_diagonal{});
}
extern "C" __global__ void chosen_of_fragment(whole_rows in, whole_rows out) {
  store_chosen(in, out);
}
extern "C" __global__ void chosen_of_fragment_partial(whole_rows in, output out) {
  store_chosen(in, out);
}

/// Copies row table[i] of `in` to row i. A negative entry gives zeros.
extern "C" __global__ void gathered(aligned_input in, whole_rows out, int const* table) {
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  auto const index = [&](unsigned i) { return table[i]; };
  axe::gather<0, axe::zero_fill>(axe::tile<16, 64>(in, 0, axe::block_x()), staged, axe::cta<64>,
                                 index);
  axe::sync(axe::cta<64>);
  axe::copy(staged, axe::tile<16, 64>(out, 0, axe::block_x()), axe::cta<64>);
}
/// `gathered` with cp.async. A row with a negative entry keeps the values of `out`, or becomes zero
/// if `How` is zero_fill.
template <axe::copy_how How, class Tensor>
__device__ void gather_by_cp_async(Tensor const& in, whole_rows const& out, int const* table) {
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  axe::copy(axe::tile<16, 64>(out, 0, 0), staged, axe::cta<64>);
  axe::sync(axe::cta<64>);
  axe::gather_async<0, How>(axe::tile<16, 64>(in, 0, 0), staged, axe::cta<64>,
                            [&](unsigned i) { return table[i]; });
  axe::async_commit();
  axe::async_wait();
  axe::sync(axe::cta<64>);
  axe::copy(staged, axe::tile<16, 64>(out, 0, 0), axe::cta<64>);
}
extern "C" __global__ void gathered_async(aligned_input in, whole_rows out, int const* table) {
  gather_by_cp_async<axe::zero_fill>(in, out, table);
}
extern "C" __global__ void gathered_async_without_fill(whole_rows in, whole_rows out,
                                                       int const* table) {
  gather_by_cp_async<axe::copy_how{}>(in, out, table);
}
/// Copies row i of `in` to row table[i]. A row with a negative entry is not copied.
extern "C" __global__ void scattered(aligned_input in, whole_rows out, int const* table) {
  __shared__ axe::shared_tile<unsigned short, swizzled> staged;
  axe::copy(axe::tile<16, 64>(in, 0, axe::block_x()), staged, axe::cta<64>);
  axe::sync(axe::cta<64>);
  axe::scatter<0>(staged, axe::tile<16, 64>(out, 0, axe::block_x()), axe::cta<64>,
                  [&](unsigned i) { return table[i]; });
}
/// `scattered` from a partial tile. Elements out of bounds are zeros.
extern "C" __global__ void scattered_with_zeros(aligned_input in, whole_rows out,
                                                int const* table) {
  axe::scatter<0, axe::zero_fill>(axe::tile<16, 64>(in, 0, 0), axe::tile<16, 64>(out, 0, 0),
                                  axe::cta<64>, [&](unsigned i) { return table[i]; });
}
/// Dimension 0 has two digits. A gather along dimension 1 changes only the stride of
/// dimension 1.
using blocks_of_rows =
    axe::tensor<float const,
                axe::dynamic_layout<axe::dimension<axe::digit<4, 4096>, axe::digit<8, 1>>,
                                    axe::dimension<axe::digit<64, 64>>>,
                axe::aligned<16>>;
struct row_index {
  __device__ int operator()(unsigned i) const;
};
constexpr auto gathered_rows = axe::detail::copy_operand<axe::detail::indexed<
    1, decltype(axe::tile<32, 16>(std::declval<blocks_of_rows>(), 0, 0)), row_index>>::facts.where
                                   .shards;
static_assert(gathered_rows[0] == axe::iter{4, 4096, axe::axis::m} &&
              gathered_rows[1] == axe::iter{8, 1, axe::axis::m} &&
              gathered_rows[2].stride == 64 * ((axe::integer{1} << 26) + 1));
// Selected rows of three bytes are not adjacent, so axe does not reject their copy as slow.
using pixels = decltype(axe::tile<64, 3>(
    std::declval<axe::tensor<unsigned char, axe::row_major<2, 3>, axe::aligned<16>>>(), 0, 0));
static_assert(
    !axe::detail::copy_case<axe::detail::indexed<0, pixels, row_index>,
                            axe::detail::operand_type<pixels>, 64, axe::copy_how{}>::refused);

/// Each block copies a page of eight rows. `pairs` has the source and the target of each block.
extern "C" __global__ void copied_pages(pages in, pages out, int const* pairs) {
  auto const pair = 2 * axe::block_x();
  axe::gather<0>(axe::tile<1, 8, 64>(in, 0, 0, 0),
                 axe::tile<1, 8, 64>(out, static_cast<unsigned>(pairs[pair + 1]), 0, 0),
                 axe::cta<32>, [&](unsigned) { return pairs[pair]; });
}

/// Each of four warps adds a number to a partial tile of `sums` and to a tile of shared memory.
extern "C" __global__ void added(axe::tensor<float, axe::row_major<2>> sums,
                                 axe::tensor<int, axe::row_major<2>> counts) {
  using held = axe::carrier<"S[(8,4,4):(4@lane,1@lane,1@reg)]"_axe>;
  __shared__ axe::shared_tile<int, axe::carrier<"S[(8,16):(20,1)]"_axe>> shared;
  axe::fragment<int, held, axe::extents<8, 16>> zero{};
  if (threadIdx.x < 32) axe::copy(zero, shared, axe::warp);
  axe::sync(axe::cta<128>);
  axe::fragment<float, held, axe::extents<8, 16>> f;
  axe::fragment<int, held, axe::extents<8, 16>> n;
  f.fill(static_cast<float>(threadIdx.x / 32) + 0.5f);
  n.fill(static_cast<int>(threadIdx.x / 32) + 1);
  axe::atomic_add(f, axe::tile<8, 16>(sums, 0, 0), axe::warp);
  axe::atomic_add(n, shared, axe::warp);
  axe::sync(axe::cta<128>);
  if (threadIdx.x < 32)
    axe::copy<axe::allow_slow>(shared, axe::tile<8, 16>(counts, 0, 0), axe::warp);
}

/// Adds (row + column) % 16 to each element.
template <class T>
__device__ void add_in_vectors(
    axe::tensor<T, axe::row_major<2>, axe::aligned_rows<16>> const& sums) {
  using held = axe::carrier<"S[(8,4,8):(4@lane,1@lane,1@reg)]"_axe>;
  axe::fragment<T, held, axe::extents<8, 32>> f;
  axe::for_each(f, axe::warp, [](T& x, auto row, auto column) {
    x = T(static_cast<float>((row() + column()) % 16));
  });
  axe::atomic_add(f, axe::tile<8, 32>(sums, 0, 0), axe::warp);
}
extern "C" __global__ void added_floats(
    axe::tensor<float, axe::row_major<2>, axe::aligned_rows<16>> sums) {
  add_in_vectors(sums);
}
extern "C" __global__ void added_halves(
    axe::tensor<__half, axe::row_major<2>, axe::aligned_rows<16>> sums) {
  add_in_vectors(sums);
}
extern "C" __global__ void added_bfloats(
    axe::tensor<__nv_bfloat16, axe::row_major<2>, axe::aligned_rows<16>> sums) {
  add_in_vectors(sums);
}
/// Writes and reads elements of shared memory by coordinates: those of a tile, of its transpose, of
/// a tile of this tile, and of a tile whose rows are stored in reverse order.
extern "C" __global__ void elements_of_shared(unsigned* out) {
  __shared__ axe::shared_tile<unsigned, axe::carrier<"swizzle(0,4,4) o S[(16,16):(16,1)]"_axe>>
      staged;
  __shared__ axe::shared_tile<unsigned, axe::carrier<"S[(16,16):(-16,1)] + 240"_axe>> upwards;
  unsigned const row = threadIdx.x / 16, column = threadIdx.x % 16;
  staged(row, column) = threadIdx.x;
  upwards(row, column) = threadIdx.x;
  axe::sync(axe::cta<256>);
  out[threadIdx.x] = axe::transposed(staged)(row, column);
  out[256 + threadIdx.x] = axe::tile<16, 16>(staged, 0, 0)(15u - row, column);
  auto const& constant = upwards;
  out[512 + threadIdx.x] = constant(row, 15u - column);
}

/// Uses an accumulator as the A operand of the next product.
extern "C" __global__ void as_operand(whole_rows out) {
  using atom = axe::mma_atom<16, 8, 16, 16>;
  using sums = axe::carrier<axe::direct_sum("S[2:4@reg]"_axe, {1, 2}, atom::accumulator, {16, 8})>;
  using operand = axe::carrier<atom::a>;
  axe::fragment<unsigned short, sums, axe::extents<16, 16>> c;
  axe::for_each(c, axe::warp, [](unsigned short& x, unsigned row, unsigned column) {
    x = static_cast<unsigned short>(16 * row + column);
  });
  axe::copy(axe::reinterpret<operand>(c), axe::tile<16, 16>(out, 0, 0), axe::warp);
}

}  // namespace loops
