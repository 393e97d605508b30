// Mistakes in thread tiles, conversions of fragments, prints and softmax, and products without
// their headers. The code before the cases shows the correct calls.
#include "setup.hpp"

#include <axe/cuda/online_softmax.hpp>
#include <axe/cuda/permute.hpp>
#include <axe/cuda/print.hpp>

using rows_on_lanes = axe::carrier<"S[(32,32):(1@lane,1@reg)]"_axe>;
using rows_on_threads = axe::carrier<"S[(32,32):(1@tid,1@reg)]"_axe>;
using columns_on_lanes = axe::carrier<"S[(32,32):(1@reg,1@lane)]"_axe>;

__global__ void registers(input in, output out, int n) {
  __shared__ axe::shared_tile<float, square> staged;
  axe::fragment<float, by_threads, axe::extents<32, 32>> held;
  axe::fragment<float, rows_on_lanes, axe::extents<32, 32>> rows;
  axe::fragment<float, columns_on_lanes, axe::extents<32, 32>> columns;
  axe::fragment<float, rows_on_threads, axe::extents<32, 32>> of_threads;
  __shared__ axe::convert_scratch<decltype(held), decltype(of_threads)> scratch;
  auto const from = axe::local_partition<by_threads>(axe::tile<32, 32>(in, 0, 0), threadIdx.x);
  auto const to = axe::local_partition<by_threads>(axe::tile<32, 32>(out, 0, 0), threadIdx.x);
  auto const shared = axe::local_partition<by_threads>(staged, threadIdx.x);
#if !MISTAKE
  held[0] = rows[axe::lane_id().bits<0, 2>()()] + (axe::constant<4>{} * axe::lane_id())();
  axe::for_each_register<from.size>([&](auto r) {
    if (from.in_bounds(r)) to.store(r, from.load(r) + from[r]);
    shared.store(r, held[r]);
    held[r] = shared.load(r) + static_cast<float>(shared.in_bounds(r));
  });
  to.store(axe::constant<1>{}, 0);
  shared.store(axe::constant<1>{}, 1.0);
  rows.fill(0);
  axe::convert(rows, rows, axe::warp);
  axe::convert(held, of_threads, scratch, axe::cta<256>);
  static_assert(!axe::detail::is_order<2, 0, 33>);
  axe::convert(axe::permuted<1, 0>(rows), columns, axe::warp);
  axe::copy(axe::permuted<1, 0>(staged), axe::permuted<1, 0>(staged), axe::cta<256>);
  axe::print(rows);
  axe::print(held, axe::cta<256>);
  axe::online_softmax<decltype(rows)> started(1);
  started.weigh(rows, axe::warp);
  started.finish(axe::warp);
#endif

#if MISTAKE == 1  // takes the number of a register as a constant
  for (int r = 0; r < from.size; ++r) held[r] = from.load(r);
#elif MISTAKE == 2   // takes the number of a register as a constant
  held[0] = from[n];
#elif MISTAKE == 3   // takes the number of a register as a constant
  to.store(n, 1.0f);
#elif MISTAKE == 4   // takes the number of a register as a constant
  if (from.in_bounds(n)) held[n] = 1;
#elif MISTAKE == 5   // takes the number of a register as a constant
  held[0] = shared.load(n);
#elif MISTAKE == 6   // takes the number of a register as a constant
  shared.store(n, 1.0f);
#elif MISTAKE == 7   // takes the number of a register as a constant
  if (shared.in_bounds(n)) held[0] = 1;
#elif MISTAKE == 8   // convert takes fragments
  axe::convert(rows, staged, axe::warp);
#elif MISTAKE == 9   // convert takes fragments
  axe::convert(axe::permuted<1, 0>(staged), rows, axe::warp);
#elif MISTAKE == 10  // convert takes fragments
  axe::convert(staged, rows, scratch, axe::cta<256>);
#elif MISTAKE == 23  // both fragments must have the same element type
  axe::fragment<int, rows_on_lanes, axe::extents<32, 32>> numbers;
  axe::convert(rows, numbers, axe::warp);
#elif MISTAKE == 11  // permuted<...> must name each dimension of the tile once
  axe::convert(axe::permuted(rows), columns, axe::warp);
#elif MISTAKE == 12  // permuted<...> must name each dimension of the tile once
  axe::convert(axe::permuted<0, 2>(rows), columns, axe::warp);
#elif MISTAKE == 13  // permuted<...> must name each dimension of the tile once
  axe::copy(axe::permuted<0, 0>(staged), staged, axe::cta<256>);
#elif MISTAKE == 14  // print takes a fragment
  axe::print(staged);
#elif MISTAKE == 16  // takes the type of a float fragment
  axe::online_softmax<float> softmax(1);
#elif MISTAKE == 17  // takes the type of a float fragment
  axe::fragment<__half, rows_on_lanes, axe::extents<32, 32>> halves;
  axe::online_softmax<decltype(halves)>(1).weigh(halves, axe::warp);
#elif MISTAKE == 18  // online_softmax takes its scale
  axe::online_softmax<decltype(rows)> softmax;
#elif MISTAKE == 33  // online_softmax takes its scale
  axe::online_softmax<decltype(rows)> softmax(1.0f, axe::warp);
#elif MISTAKE == 19  // this call needs a scope
  axe::elementwise(axe::times{}, rows, rows, axe::online_softmax<decltype(rows)>(1).finish());
#elif MISTAKE == 20  // the scope does not have all threads of the layout, or the layout is on lanes
  axe::online_softmax<decltype(rows)>(1).weigh(rows, axe::cta<256>);
#elif MISTAKE == 21  // the partition has \{0 threads\}, but the scope has \{1\}
  axe::print(held);
#elif MISTAKE == 22  // Width elements must have 2, 4, 8 or 16 bytes
  axe::vector_of<float, 8> const wide = axe::load_vector<8>(&in(0, 0));
  held[0] = wide.elements[0];
#elif MISTAKE == 27  // digit<D, E> of a digit needs D \* E to divide the extent of that digit
  held[0] = rows[axe::lane_id().digit<1, 5>()()];
#elif MISTAKE == 28  // digit and bits need a part without a factor
  held[0] = rows[(axe::constant<4>{} * axe::lane_id()).bits<2, 2>()()];
#elif MISTAKE == 25  // print takes a fragment
  axe::print(axe::tile<32, 32>(in, 0, 0), axe::cta<256>);
#elif MISTAKE == 29  // print takes a fragment of numbers
  axe::print(axe::fragment<float2, rows_on_lanes, axe::extents<32, 32>>{}, axe::warp);
#elif MISTAKE == 30  // mma: add #include <axe/cuda/mma/mma.hpp>
  axe::mma(held, rows, columns);
#elif MISTAKE == 31  // by wgmma: add #include <axe/cuda/mma/wgmma.hpp>
  axe::mma_async(held, staged, axe::transposed(staged));
#elif MISTAKE == 32  // tensor_memory: add #include <axe/cuda/mma/tcgen05.hpp>
  __shared__ unsigned where;
  axe::tensor_memory<32> const memory(where);
#endif
}
