// Code as in CuTe, Triton or plain CUDA that axe rejects. The code before the cases shows the
// correct calls.
#include "setup.hpp"

#include <axe/cuda/permute.hpp>
#include <axe/index/divisor.hpp>

#include <type_traits>

using shared_square = axe::shared_tile<float, square>;
using other_threads = axe::carrier<"S[(8,4,32):(32@tid,1@reg,1@tid)]"_axe>;
using on_lanes = axe::carrier<"S[(8,4,2):(4@lane,1@lane,1@reg)]"_axe>;
using on_other_lanes = axe::carrier<"S[(8,2,4):(4@lane,1@reg,1@lane)]"_axe>;
using turned_lanes = axe::carrier<"S[(4,2,8):(1@lane,1@reg,4@lane)]"_axe>;
using by_fours = axe::carrier<"S[(8,32,4):(4@reg,1@lane,1@reg)]"_axe>;

struct all_storage {
  shared_square tiles[2];
  axe::mbarrier_storage<2> bars;
};
union reused {
  shared_square tile;
  all_storage all;
};
__device__ void use(shared_square const& tile, float& to) { to = tile(0, 0); }
__device__ void use_copy(shared_square, float&) {}

// Functions of the user with the names of functions of axe, and overloads.
using cube = axe::shared_tile<float, axe::carrier<"S[(4,8,8):(64,8,1)]"_axe>>;
struct pointed {
  float* at;
  __device__ pointed(float* data) : at(data) {}
};
__device__ void use(pointed from, float& to) { to = *from.at; }
__device__ int warp_id(int thread) { return thread / 32; }
__device__ int lane_id(int thread) { return thread % 32; }
__device__ int2 coordinates(int x, unsigned columns) { return int2(x / columns, x % columns); }
__device__ float transposed(cube const& x) { return x(0, 1, 0); }
static_assert(!std::is_convertible_v<axe::divisor<>, unsigned>);
static_assert(!std::is_convertible_v<axe::pipeline_state<2>, unsigned>);

__global__ void ported(axe::tensor<float, axe::row_major<1>> x, output out, int row) {
  __shared__ shared_square ring[3];
  __shared__ reused memory;
  __shared__ axe::mbarrier_storage<2> bars;
  __shared__ axe::pipeline_storage<2> stages;
  axe::fragment<float, by_threads, axe::extents<32, 32>> held;
  axe::fragment<float, other_threads, axe::extents<32, 32>> other;
  axe::fragment<float, on_lanes, axe::extents<8, 8>> small;
  axe::fragment<float, on_other_lanes, axe::extents<8, 8>> small_other;
  axe::fragment<float, turned_lanes, axe::extents<8, 8>> turned;
  axe::fragment<float, by_fours, axe::extents<1024>> fours;
  __shared__ axe::reduce_scratch<decltype(fours), 0> scratch;
  axe::reduced<decltype(fours), 0> sum;
  axe::divisor<> const of_rows(row);
  held.fill(0), other.fill(0), small.fill(0), small_other.fill(0), turned.fill(0), fours.fill(0);
  auto const owned = axe::local_partition<by_threads>(axe::tile<32, 32>(out, row, 0), threadIdx.x);
#if !MISTAKE
  auto& stage = ring[row];
  axe::mbarrier const bar = bars[0];
  axe::pipeline<2> const pipe(stages);
  use(memory.all.tiles[row], out(0, 0));
  axe::copy(memory.tile, stage, axe::cta<256>);
  *(x.data + row) = stage(0, 1);
  for (unsigned i = 0; i < axe::extent<0>(x) + held.size; ++i) x(i) = 1;
  axe::reduce<0>(axe::plus{}, fours, sum, axe::warp);
  fours = axe::load<by_fours>(axe::tile<1024>(x, row), axe::warp);
  axe::for_each_register<owned.size>([&](auto r) {
    if (owned.in_bounds(r)) owned.store(r, 1);
  });
  axe::convert(small, small_other, axe::warp);
  axe::convert(axe::permuted<1, 0>(small), turned, axe::warp);
  __shared__ axe::convert_scratch<decltype(held), decltype(other)> between_warps;
  axe::convert(held, other, between_warps, axe::cta<256>);
  pipe.init(1), bar.init(1);
  row = (row / of_rows + row % of_rows) * of_rows.number();
  auto const [block_row, block_column] = axe::coordinates(axe::block_x(), of_rows);
  x(block_row) = block_column;
  auto const thread = axe::thread_id<256>();
  __shared__ cube box;
  x(warp_id(thread) + coordinates(thread, 7).y) = lane_id(thread) + transposed(box);
  use(x.data, out(0, 0));
  (void)scratch;
#endif
  (void)owned, (void)sum, (void)row, (void)of_rows;

#if MISTAKE == 1  // shared memory cannot be copied
  auto stage = ring[row];
  stage(0, 0) = 1;
#elif MISTAKE == 2   // shared memory cannot be copied
  use_copy(memory.tile, out(0, 0));
#elif MISTAKE == 3   // shared memory cannot be copied
  auto const own = scratch;
#elif MISTAKE == 4   // shared memory cannot be copied
  auto const both = bars;
  both[0].init(1);
#elif MISTAKE == 5   // shared memory cannot be copied
  auto& all = memory.all;
  auto const f = [=] { return all.tiles[0](0, 0); };
  out(0, 0) = f();
#elif MISTAKE == 6   // shared memory cannot be copied
  auto const own = stages;
  axe::pipeline<2>(own).init(1);
#elif MISTAKE == 7   // a tensor is not a pointer: x\(i, j\) is an element
  out[row][0] = 1;
#elif MISTAKE == 8   // a tensor is not a pointer: x\(i, j\) is an element
  x[row] = 1;
#elif MISTAKE == 9   // a tensor is not a pointer: x\(i, j\) is an element
  *(x + threadIdx.x) = 1;
#elif MISTAKE == 10  // a tensor is not a pointer: x\(i, j\) is an element
  fours = axe::load<by_fours>(axe::tile<1024>(x + 1024 * axe::block_x()), axe::warp);
#elif MISTAKE == 11  // a fragment has x.size registers
  for (int r = 0; r < axe::size(held); ++r) held[r] = 1;
#elif MISTAKE == 12  // the extent of dimension 0 of a tensor x is axe::extent<0>\(x\)
  for (unsigned i = 0; i < axe::size<0>(axe::tile<32, 32>(out, row, 0)); ++i) out(i, 0) = 1;
#elif MISTAKE == 13  // reduce takes its dimensions in angle brackets, and fragments
  float const total = axe::reduce<0>(axe::plus{}, fours, axe::warp);
#elif MISTAKE == 14  // class "axe::.*plus" may not have a template argument list
  axe::reduce<0>(axe::plus<float>{}, fours, sum, axe::warp);
#elif MISTAKE == 15  // tile<...>\(...\) got \{0 extents\} and \{1 coordinates\}
  fours = axe::load<by_fours>(axe::tile<1024>(x, row, 0), axe::warp);
#elif MISTAKE == 16  // load needs a layout as a type: axe::carrier
  float4 const four = axe::load(&x(4 * threadIdx.x));
#elif MISTAKE == 17  // pipeline_state<Stages>: Stages must be at least 1
  axe::pipeline_state at;
  at.advance();
#elif MISTAKE == 18  // mbarrier_storage<Count>: Count must be at least 1
  __shared__ axe::mbarrier_storage more;
  more[0].init(1);
#elif MISTAKE == 19  // a thread tile takes the number of a register as a constant
  for (int r = 0; r < owned.size; ++r)
    if (owned.in_bounds(r)) owned.store(r, 1);
#elif MISTAKE == 20  // a thread tile takes the number of a register as a constant
  axe::for_each_register<owned.size>([&](auto r) { owned.store(1.0f, r); });
#elif MISTAKE == 21  // this call needs a scope
  axe::convert(small, small_other);
#elif MISTAKE == 22  // this call needs a scope
  axe::convert(small, small_other, 32);
#elif MISTAKE == 23  // convert needs an axe::convert_scratch in shared memory
  axe::convert(held, other, axe::cta<256>);
#elif MISTAKE == 24  // this call needs a scope
  axe::convert(axe::permuted<1, 0>(small), turned);
#elif MISTAKE == 25  // convert takes fragments
  axe::convert(ring[0], held, axe::cta<256>);
#elif MISTAKE == 26  // no suitable constructor exists to convert from "const char \[18\]"
  __shared__ axe::shared_tile<float, axe::carrier<"S[(32,32):(32,1)]">> text;
  text(0, 0) = 1;
#elif MISTAKE == 27  // expression must have a constant value
  auto const rows = axe::S({32, static_cast<axe::integer>(row)});
  __shared__ axe::shared_tile<float, axe::carrier<rows>> staged;
  staged(0, 0) = 1;
#elif MISTAKE == 29  // each thread would assign the whole tile: axe::copy\(from, to, scope\)
  ring[1] = ring[0];
#elif MISTAKE == 30  // the scope is missing or misplaced
  axe::copy(axe::cta<256>, held, ring[0]);
#elif MISTAKE == 31  // the scope is missing or misplaced
  axe::gather<0>(axe::tile<32, 32>(out, row, 0), axe::cta<256>, ring[0],
                 [](unsigned i) { return static_cast<int>(i); });
#elif MISTAKE == 32  // a tensor has 1 to 24 dimensions
  axe::tensor<float, axe::row_major<64, 64>> const wrong(x.data);
#elif MISTAKE == 33  // a tensor has 1 to 24 dimensions
  axe::tensor<float, axe::row_major<-1>> const wrong(x.data, 4);
#elif MISTAKE == 34  // \{A\} names \{a\}, but a partition must lie on thread axes and reg only
  held = axe::load<square>(axe::tile<32, 32>(out, row, 0), axe::cta<256>);
#elif MISTAKE == 35  // select rows along dimension d of a tile of a tensor
  axe::gather(axe::tile<32, 32>(out, row, 0), ring[0], axe::cta<256>,
              [](unsigned i) { return static_cast<int>(i); });
#elif MISTAKE == 36  // a shared tile has no fill: fill a fragment and copy it to the tile
  ring[0].fill(0);
#elif MISTAKE == 37  // for the number r of a register write x \* r
  axe::for_each_register<2>([&](auto r) { held[r * 2] = 0; });
#elif MISTAKE == 38  // take the number of threads of the block in angle brackets
  small[0] = static_cast<float>(axe::thread_id(256));
#elif MISTAKE == 39  // a tensor is not a pointer: x\(i, j\) is an element
  axe::copy(axe::tile<32, 32>(*out, row, 0), held, axe::cta<256>);
#elif MISTAKE == 40  // divisor<Below>::operator unsigned int\(\).* is a deleted function
  row = of_rows / row;
#elif MISTAKE == 41  // divisor<Below>::operator unsigned int\(\).* is a deleted function
  x(7 * of_rows) = 1;
#elif MISTAKE == 48  // x / d and x % d take an integer x of at most 32 bits
  x(of_rows / of_rows) = 1;
#elif MISTAKE == 49  // x / d and x % d take an integer x of at most 32 bits
  x(__half(1.5f) / of_rows) = 1;
#elif MISTAKE == 42  // coordinates takes a number and 1 to 4 divisors
  auto const [block_row, block_column] = axe::coordinates(axe::block_x(), row);
#elif MISTAKE == 43  // local_partition needs a layout as a type, a tile and a thread
  auto const part =
      axe::local_partition<decltype(held)>(axe::tile<32, 32>(out, row, 0), threadIdx.x);
#elif MISTAKE == 44  // take the number of threads of the block in angle brackets
  out(axe::warp_id(256), 0) = 1;
#elif MISTAKE == 45  // take the number of threads of the block in angle brackets
  if (axe::lane_id(threadIdx.x) == 0) out(0, 0) = 1;
#elif MISTAKE == 46  // a shared tile has memory of its own
  shared_square wrong(x.data);
  wrong(0, 0) = 1;
#elif MISTAKE == 47  // each thread would assign the whole tile: axe::copy\(from, to, scope\)
  ring[0] = held;
#elif MISTAKE == 50  // load needs a layout as a type
  held = axe::load<decltype(held)>(axe::tile<32, 32>(out, row, 0), axe::cta<256>);
#elif MISTAKE == 51  // got \{0 coordinates\}, but the tensor has \{1 dimensions\}
  out(axe::block<2>()) = 1;
#elif MISTAKE == 52  // got \{0 extents\} and \{1 coordinates\}
  axe::copy(axe::tile<32, 32>(out, axe::block<2>()), held, axe::cta<256>);
#elif MISTAKE == 53  // not pointers or arrays
  axe::copy(ring, held, axe::cta<256>);
#elif MISTAKE == 54  // each thread would assign the whole tile: axe::copy\(from, to, scope\)
  ring[0] = axe::tile<32, 32>(out, row, 0);
#elif MISTAKE == 55  // this call needs a scope
  axe::copy(held, ring[0], threadIdx.x);
#elif MISTAKE == 28  // convert shuffles and needs a scope of whole warps
  axe::convert(small, small_other, axe::cta<16>);
#endif
}
