// Kernels that AXE_DEBUG stops for some arguments, and a kernel that prints fragments.
// debugging_test.cpp runs them.
#define AXE_DEBUG
#include "tensors.hpp"

#include <axe/cuda.hpp>
#include <axe/cuda/print.hpp>

namespace loops {

using row_of_pairs = axe::carrier<"S[(2,4,2):(4@lane,1@lane,1@reg)]"_axe>;

/// Stores an element that may be out of bounds.
extern "C" __global__ void element(output out, int row, int column) { out(row, column) = 7; }
/// Stores a register of a partial tile. It may be out of bounds.
extern "C" __global__ void partial_tile_register(output out, unsigned i) {
  using held = axe::carrier<"S[(16,32,2):(2@reg,1@lane,1@reg)]"_axe>;
  auto const elements = axe::local_partition<held>(axe::tile<16, 64>(out, i, 0), threadIdx.x);
  if (threadIdx.x < 16) elements.store(axe::constant<3>{}, 8);
}
/// Stores a register of row i, which is not tested. i may be out of bounds.
extern "C" __global__ void row_register(output out, int i) {
  using held = axe::carrier<"S[(1,32):(0,1@lane)]"_axe>;
  auto const row = axe::local_partition<held>(axe::tile<1, 32>(out, i, 0), threadIdx.x);
  row.store(axe::constant<0>{}, 8);
}
/// Copies to tile i of a tensor that is declared to have whole tiles only.
extern "C" __global__ void whole(axe::tensor<unsigned short, whole_tiles, axe::aligned<16>> out,
                                 unsigned i) {
  axe::fragment<unsigned short, axe::carrier<"S[(16,4,8,8):(8@reg,8@tid,1@tid,1@reg)]"_axe>,
                axe::extents<64, 64>>
      f{};
  axe::copy(f, axe::tile<64, 64>(out, i, 0), axe::cta<32>);
}
/// Copies to tile i, which may be partial. i may be below 0.
extern "C" __global__ void numbered(output out, int i) {
  axe::fragment<unsigned short, axe::carrier<"S[(16,32,2):(2@reg,1@lane,1@reg)]"_axe>,
                axe::extents<16, 64>>
      f{};
  axe::copy(f, axe::tile<16, 64>(out, i, 0), axe::warp);
}
/// Kernels that call other functions with tile i, which may be out of bounds.
using pairs = axe::carrier<"S[(16,32,2):(2@reg,1@tid,1@reg)]"_axe>;
extern "C" __global__ void by_pairs(output out, int i) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  axe::copy_by<pairs>(axe::tile<16, 64>(out, i, 0), staged, axe::cta<32>);
}
extern "C" __global__ void asynchronous(output out, int i) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  whole_rows const of_vectors(out.data, 16, 64, 64);
  axe::copy_async(axe::tile<16, 64>(of_vectors, i, 0), staged, axe::cta<32>);
  axe::async_commit();
  axe::async_wait();
}
extern "C" __global__ void prepared(output out, int i) {
  axe::fragment<unsigned short, pairs, axe::extents<16, 64>> f{};
  auto const store = axe::prepare_copy<0>(f, axe::tile<16, 64>(out, 0, 0), axe::cta<32>);
  store(i);
}
/// Step -1 would be tile 0, which is in bounds, but its address would be wrong.
extern "C" __global__ void prepared_second(output out, int i) {
  axe::fragment<unsigned short, pairs, axe::extents<16, 64>> f{};
  auto const store = axe::prepare_copy<0>(f, axe::tile<16, 64>(out, 1, 0), axe::cta<32>);
  store(i);
}
extern "C" __global__ void partitioned(output out, int i) {
  auto const at = axe::local_partition<pairs>(axe::tile<16, 64>(out, i, 0), threadIdx.x);
  if (threadIdx.x < 16) at.store(axe::constant<0>{}, 1);
}
extern "C" __global__ void gathered(output out, int i) {
  axe::gather<0>(axe::tile<16, 64>(out, 0, 0), axe::tile<16, 64>(out, i, 0), axe::cta<32>,
                 [](unsigned) { return -1; });
}
extern "C" __global__ void scattered(output out, int i) {
  axe::scatter<0>(axe::tile<16, 64>(out, i, 0), axe::tile<16, 64>(out, 0, 0), axe::cta<32>,
                  [](unsigned) { return -1; });
}
/// The functions of these kernels select row i for each row of the tile.
extern "C" __global__ void gathered_row(output out, int i) {
  axe::fragment<unsigned short, pairs, axe::extents<16, 64>> f{};
  auto const rows = axe::tile<16, 64>(out, 0, 0);
  axe::gather<0>(rows, f, axe::cta<32>, [=](unsigned) { return i; });
}
extern "C" __global__ void gathered_row_at(output out, int i) {
  using narrow = axe::dynamic_matrix<axe::dynamic(0).at_most(64), axe::dynamic(1).at_most(64),
                                     axe::dynamic(2)>;
  axe::fragment<unsigned short, pairs, axe::extents<16, 64>> f{};
  axe::tensor<unsigned short, narrow> const few(out.data, 13, 61, 61);
  auto const shifted = axe::tile_at<16, 64>(few, 0, i - 16);
  axe::gather<0>(shifted, f, axe::cta<32>, [=](unsigned) { return i; });
}
extern "C" __global__ void gathered_row_async(output out, long long i) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  whole_rows const of_vectors(out.data, 16, 64, 64);
  auto const rows = axe::tile<16, 64>(of_vectors, 0, 0);
  axe::gather_async<0>(rows, staged, axe::cta<32>, [=](unsigned) { return i; });
  axe::async_commit();
  axe::async_wait();
}
extern "C" __global__ void scattered_row(output out, int i) {
  axe::fragment<unsigned short, axe::carrier<"S[(1,32,2):(0,1@tid,1@reg)]"_axe>,
                axe::extents<1, 64>>
      f{};
  auto const row = axe::tile<1, 64>(out, 0, 0);
  axe::scatter<0>(f, row, axe::cta<32>, [=](unsigned) { return i; });
}
extern "C" __global__ void added(output out, int i) {
  axe::tensor<unsigned, axe::row_major<2>> const words(reinterpret_cast<unsigned*>(&out(0, 0)), 6,
                                                       64);
  axe::fragment<unsigned, pairs, axe::extents<16, 64>> f{};
  axe::atomic_add(f, axe::tile<16, 64>(words, i, 0), axe::cta<32>);
}
/// Rows from `first` on, of which there may be none.
extern "C" __global__ void last_rows(output out, int first) {
  unsigned short* const begin =
      axe::bind_pointer(out.data, out.sizes, first, axe::constant<0>{}).at<0, 0>();
  output const rows(begin, axe::extent<0>(out) - first, axe::extent<1>(out), axe::stride<0>(out));
  axe::fragment<unsigned short, pairs, axe::extents<16, 64>> f{};
  axe::copy(f, axe::tile<16, 64>(rows, 0, 0), axe::cta<32>);
}
extern "C" __global__ void loaded_tile(output out, int i) {
  auto const f = axe::load<pairs>(axe::tile<16, 64>(out, i, 0), axe::cta<32>);
  axe::copy(f, axe::tile<16, 64>(out, 0, 0), axe::cta<32>);
}
extern "C" __global__ void filled(output out, int i) {
  axe::fragment<unsigned short, pairs, axe::extents<16, 64>> f;
  axe::copy<axe::zero_fill>(axe::tile<16, 64>(out, i, 0), f, axe::cta<32>);
  axe::copy(f, axe::tile<16, 64>(out, 0, 0), axe::cta<32>);
}
/// Stores an element of shared memory that may be out of bounds.
extern "C" __global__ void shared_element(output, int row, int column) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  staged(row, column) = 7;
  using constant = decltype(staged) const&;
  static_assert(
      std::is_same_v<decltype(static_cast<constant>(staged)(row, column)), unsigned short const&>);
}
/// A thread tile of shared memory. Its accesses are in bounds.
extern "C" __global__ void shared_registers(output out, int) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  auto const part = axe::local_partition<pairs>(staged, threadIdx.x);
  part.store(axe::constant<3>{}, 7);
  out(0, 0) = part.load(axe::constant<3>{});
}
extern "C" __global__ void part_element(output, int row, int column) {
  __shared__
      axe::shared_tile<unsigned short, axe::carrier<"swizzle(3,3,3) o S[(16,64):(64,1)]"_axe>>
          staged;
  auto const part = axe::tile<8, 32>(staged, 1, 1);
  part(row, column) = 7;
}
/// Kernels that take i as the number of a stage, of steps or of a register: 0 and 1 are valid.
extern "C" __global__ void stage_number(output out, int i) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> ring[2];
  auto const fill = axe::prepare_copy<0>(axe::tile<16, 64>(out, 0, 0), ring, axe::cta<32>);
  fill(0, i);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 900
extern "C" __global__ void mapped_stage(output out, __grid_constant__ axe::tensor_map const map,
                                        int i) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> ring[2];
  whole_rows const of_vectors(out.data, 16, 64, 64);
  auto const to = axe::mapped(map, axe::tile<16, 64>(of_vectors, 0, 0));
  auto const drain = axe::prepare_copy_async<0>(ring, to, axe::thread);
  drain(0, i);
}
/// Copies by a tensor map between shared memory and the tile at (row, column).
extern "C" __global__ void mapped_origin(output out, __grid_constant__ axe::tensor_map const map,
                                         bool stores, int row, int column) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  __shared__ axe::mbarrier_storage<1> bars;
  whole_rows const of_vectors(out.data, 16, 64, 64);
  auto const at = axe::mapped(map, axe::tile_at<16, 64>(of_vectors, row, column));
  if (stores)
    axe::copy_async(staged, at, axe::thread);
  else
    axe::copy_async(at, staged, bars[0], axe::thread);
}
#endif
struct zero {
  __device__ operator int() const { return 0; }
};
extern "C" __global__ void register_number(output out, int i) {
  axe::fragment<int, axe::carrier<"S[(32,2):(1@tid,1@reg)]"_axe>, axe::extents<32, 2>> f{};
  auto const& constant = f;
  f[zero{}] = 2;  // an object that converts to int is a register number
  f[i] = 1;
  out(0, 0) = static_cast<unsigned short>(constant[i]);
}
/// The predicate of the copy is false for every element.
extern "C" __global__ void unchosen(output out, int i) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  axe::copy_if(axe::tile<16, 64>(out, i, 0), staged, axe::cta<32>,
               [](unsigned, unsigned) { return false; });
}
/// Chooses elements of row i, which is not tested. i may be out of bounds.
extern "C" __global__ void chosen_row(output out, int i) {
  axe::fragment<unsigned short, axe::carrier<"S[(1,32):(0,1@lane)]"_axe>, axe::extents<1, 32>> f{};
  axe::copy_if(f, axe::tile<1, 32>(out, i, 0), axe::warp,
               [](unsigned, unsigned column) { return column > 3; });
}
/// Two groups copy a row each, which is not tested. That of the second group is row i.
extern "C" __global__ void second_group(output out, int i) {
  axe::fragment<unsigned short, axe::carrier<"S[(1,16,4):(0,1@lane,1@reg)]"_axe>,
                axe::extents<1, 64>>
      f{};
  int const row = static_cast<int>(threadIdx.x / 16) * i;
  axe::copy(f, axe::tile<1, 64>(out, row, 0), axe::group_scope<16>{});
}
/// The row is unsigned, as blockIdx.y is. The column is an int.
extern "C" __global__ void unsigned_origin(output out, int i) {
  axe::fragment<unsigned short, pairs, axe::extents<16, 64>> f{};
  axe::copy(f, axe::tile_at<16, 64>(out, 8 * blockIdx.y + static_cast<unsigned>(i), -i),
            axe::cta<32>);
}
/// Threads of rows 13 to 15, which are out of bounds, return, but for thread `stays`. The others
/// copy their own elements of the tile.
extern "C" __global__ void returned_early(output out, unsigned stays) {
  using rows = axe::carrier<"S[(16,2,32):(2@tid,1@tid,1@reg)]"_axe>;
  if (threadIdx.x >= 26 && threadIdx.x != stays) return;
  axe::fragment<unsigned short, rows, axe::extents<16, 64>> f{};
  output const whole(out.data, 13, 64, 64);
  axe::copy(f, axe::exact_grid(axe::tile<16, 64>(whole, axe::block_y(), axe::block_x())),
            axe::cta<32>);
}
/// Copies a tile of shared memory to itself, and its transpose to another tile. If in_place is 1,
/// it also copies the transpose to the tile itself, which is a mistake.
extern "C" __global__ void transposing(output out, int in_place) {
  using square = axe::carrier<"S[(16,16):(16,1)]"_axe>;
  __shared__ axe::shared_tile<unsigned short, square> from, to;
  axe::copy<axe::zero_fill>(axe::tile<16, 16>(out, 0, 0), from, axe::cta<32>);
  axe::sync(axe::cta<32>);
  axe::copy(from, from, axe::cta<32>);
  axe::sync(axe::cta<32>);
  axe::copy(from, axe::transposed(to), axe::cta<32>);
  if (in_place) axe::copy(from, axe::transposed(from), axe::cta<32>);
}
/// A block has 32 threads. If all is 1, they all call a copy of the first 16, which is a mistake.
extern "C" __global__ void scope_of_16(output out, int all) {
  __shared__ axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  if (all || threadIdx.x < 16) axe::copy(axe::tile<16, 64>(out, 0, 0), staged, axe::cta<16>);
}
extern "C" __global__ void not_shared(output out) {
  axe::shared_tile<unsigned short, axe::carrier<"S[(16,64):(64,1)]"_axe>> staged;
  axe::copy(axe::tile<16, 64>(out, 0, 0), staged, axe::cta<32>);
}
extern "C" __global__ void printing() {
  axe::fragment<float, row_of_pairs, axe::extents<2, 8>> f;
  axe::for_each(f, axe::warp,
                [](float& x, unsigned i, unsigned j) { x = static_cast<float>(8 * i + j) / 2; });
  axe::fragment<int, axe::carrier<"S[4:1@lane] + 2@lane"_axe>, axe::extents<4>> n;
  n.fill(static_cast<int>(threadIdx.x) - 3);
  axe::print(f);
  axe::print(n);
  // Only lanes 4 to 7 own elements.
  axe::fragment<int, axe::carrier<"S[(2,4):(1@reg,1@lane)] + 4@lane"_axe>, axe::extents<2, 4>> late;
  late.fill(static_cast<int>(threadIdx.x));
  axe::print(late);
  __shared__ int visits;
  visits = 0;
  __syncwarp();
  axe::for_each(late, axe::warp, [](int& x, auto, auto) { atomicAdd(&visits, 1), x = 0; });
  __syncwarp();
  if (threadIdx.x == 0) printf("%d visits\n", visits);
}

}  // namespace loops
