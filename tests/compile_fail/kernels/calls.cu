// Mistakes in the order, the number and the types of arguments. The code before the cases shows
// the correct calls.
#include "setup.hpp"

#include <axe/cuda/mma/wgmma.hpp>

#include <functional>

using atom = axe::mma_atom<16, 8, 16, 16>;
using a_lanes = axe::carrier<atom::a>;
using b_lanes = axe::carrier<atom::b>;
using c_lanes = axe::carrier<atom::accumulator>;
using lanes = axe::carrier<"S[(32,32):(1@lane,1@reg)]"_axe>;
using sixteen = axe::carrier<"S[(16,16):(16,1)]"_axe>;
using aligned_halves = axe::tensor<__half const, axe::row_major<2>, axe::aligned<16>>;
using integers = axe::tensor<int, axe::row_major<2>>;
using across_warps = axe::thread_scope<axe::carrier<"S[32:1@tid] + 16@tid"_axe>>;

__global__ void calls(input in, output out, aligned_halves halves, integers numbers,
                      __grid_constant__ axe::tensor_map const map) {
  __shared__ axe::shared_tile<float, square> staged;
  __shared__ axe::shared_tile<__half, square> half_staged, ring[3];
  __shared__ axe::shared_tile<unsigned short, sixteen> bits;
  __shared__ axe::shared_tile<int, axe::carrier<"S[32:1]"_axe>> row_of;
  __shared__ axe::mbarrier_storage<1> bars;
  auto const from = axe::tile<32, 32>(in, axe::block_y(), axe::block_x());
  auto const to = axe::tile<32, 32>(out, axe::block_y(), axe::block_x());
  axe::fragment<float, by_threads, axe::extents<32, 32>> held;
  axe::fragment<float, lanes, axe::extents<32, 32>> rows;
  axe::fragment<__half, a_lanes, axe::extents<16, 16>> a;
  axe::fragment<__half, b_lanes, axe::extents<16, 8>> b;
  axe::fragment<float, c_lanes, axe::extents<16, 8>> c;
  axe::reduced<decltype(rows), 1> sum;
  axe::reduced<decltype(rows), 0> column_sum;
#if !MISTAKE
  axe::copy(from, held, axe::cta<256>);
  axe::copy(held, to, axe::cta<256>);
  rows.fill(0), b.fill(0), c.fill(0);
  axe::copy(bits, a, axe::warp);  // unsigned short may hold the bits of any 16-bit type
  axe::copy_async(axe::tile<16, 16>(halves, 0, 0), bits, axe::warp);
  axe::copy_if(from, staged, axe::cta<256>, [](unsigned i, auto j) { return i > j; });
  axe::for_each(rows, axe::warp, [](float& x, auto i, auto j) { x = i < j; });
  float scale = axe::extent<0>(in) + axe::size(square::value);
  axe::for_each_register<held.size>([&](auto r) { held[r] = scale++; });
  axe::elementwise([](float x, float y) { return x + y; }, held, held, held);
  __shared__ axe::reduce_scratch<decltype(rows), 1> partial_sums;
  axe::reduce<1>(axe::plus{}, rows, sum, partial_sums, axe::warp);
  axe::reduce<1>(axe::plus{}, rows, sum, axe::warp);
  axe::reduce<0>(axe::plus{}, rows, column_sum, axe::warp);
  axe::reduce<1>([](float x, float y) { return x < y ? y : x; }, rows, sum, axe::warp);
  axe::fragment<unsigned, lanes, axe::extents<32, 32>> const flags{};
  axe::reduce<1>([](auto x, auto y) { return x & y; }, flags, sum, axe::warp);
  axe::copy<axe::force<axe::copy_instruction::vector_4> | axe::zero_fill>(from, staged,
                                                                          axe::cta<256>);
  axe::atomic_add(held, axe::tile<32, 32>(out, 0, 0), axe::cta<256>);
  axe::gather<0>(from, staged, axe::cta<256>, [](unsigned i) { return static_cast<int>(i); });
  axe::gather<0>(from, staged, axe::cta<256>, row_of);
  axe::copy_async(axe::mapped(map, axe::tile<32, 32>(halves, 0, 0)), half_staged, bars[0],
                  axe::thread);
  axe::sync(axe::cta<256>);
  axe::mma(c, a, b);
  axe::mma(c, a, b, false);
  axe::barrier_sync<1, 128>();
  axe::fragment<__half, by_threads, axe::extents<32, 32>> rounded;
  axe::cast(held, rounded);
  axe::fragment<int, by_threads, axe::extents<32, 32>> counts;
  axe::elementwise([](float x) { return static_cast<int>(x); }, counts, held);
  axe::elementwise([](int x) { return x; }, held, counts);
  held = axe::load<by_threads, (axe::zero_fill | axe::allow_slow)>(from, axe::cta<256>);
  axe::copy_by<by_threads, axe::zero_fill | axe::allow_slow>(from, staged, axe::cta<256>);
  axe::copy_async<axe::zero_fill | axe::allow_slow>(axe::tile<16, 16>(halves, 0, 0), bits,
                                                    axe::warp);
  axe::async_wait<1>();
#endif
  auto const fill =
      axe::prepare_copy_async<1>(axe::tile<32, 32>(halves, 0, 0), ring, axe::cta<128>);
  axe::pipeline_state<3> at;
#if !MISTAKE
  fill(0, 0);
  fill(0, at.stage);
  fill(axe::constant<0>{}, axe::constant<2>{});
  fill(0, axe::first_stage(ring));
#endif
  auto const warp = axe::warp_coordinate<2, 4>();
  auto const [row, column] = axe::block<2>();
  (void)warp, (void)row, (void)column, (void)row_of;

#if MISTAKE == 1  // or a const or temporary fragment
  axe::copy(from, axe::fragment<float, by_threads, axe::extents<32, 32>>{}, axe::cta<256>);
#elif MISTAKE == 2    // or a const or temporary fragment
  auto const& fixed = held;
  axe::copy(from, fixed, axe::cta<256>);
#elif MISTAKE == 3    // not pointers or arrays
  axe::copy(from, &staged, axe::cta<256>);
#elif MISTAKE == 130  // takes the tile of all threads, not the thread tile of one
  axe::copy(axe::local_partition<by_threads>(from, threadIdx.x), held, axe::cta<256>);
#elif MISTAKE == 4    // both sides must have the same element type
  axe::copy(from, axe::tile<32, 32>(numbers, 0, 0), axe::cta<256>);
#elif MISTAKE == 5    // both sides must have the same element type
  axe::copy(held, axe::tile<32, 32>(numbers, 0, 0), axe::cta<256>);
#elif MISTAKE == 6    // options are in angle brackets
  axe::copy(from, staged, axe::cta<256>, axe::zero_fill);
#elif MISTAKE == 7    // load takes a tile
  held = axe::load<by_threads>(in, axe::cta<256>);
#elif MISTAKE == 8    // this call needs a scope
  axe::copy_if(from, to, [](auto, auto) { return true; }, axe::cta<256>);
#elif MISTAKE == 9    // takes one coordinate for each dimension of the tile
  axe::copy_if(from, to, axe::cta<256>, [](int i) { return i > 0; });
#elif MISTAKE == 10   // not pointers or arrays
  axe::copy_if(in, staged, axe::cta<256>, [](auto, auto) { return true; });
#elif MISTAKE == 11   // name the dimension along which the tensor advances
  auto const prepared = axe::prepare_copy(from, staged, axe::cta<256>);
#elif MISTAKE == 12   // takes a step and a stage
  fill(0);
#elif MISTAKE == 13   // for a tensor use axe::tile
  auto const prepared = axe::prepare_copy_async<1>(halves, ring, axe::cta<128>);
#elif MISTAKE == 14   // a copy does not convert elements
  auto const prepared = axe::prepare_copy_async<1>(from, ring, axe::cta<128>);
#elif MISTAKE == 15   // this call needs a scope
  axe::for_each(rows, [](float& x, auto, auto) { x = 0; }, axe::warp);
#elif MISTAKE == 16   // for_each takes a fragment, and passes the element and its coordinates
  axe::for_each(rows, axe::warp, [](float& x) { x = 0; });
#elif MISTAKE == 17   // for_each_register passes constant<r>\{\}: take it as auto
  axe::for_each_register<held.size>([&](int& r) { held[r] = 1; });
#elif MISTAKE == 18   // op takes one element of each source
  axe::elementwise([](float x, float y) { return x + y; }, held, held);
#elif MISTAKE == 19   // elementwise\(op, to, from...\) takes fragments
  axe::elementwise(held, held, [](float x) { return x; });
#elif MISTAKE == 20   // returns one of the target
  axe::elementwise([](float x) { (void)x; }, held, held);
#elif MISTAKE == 21   // reduce takes its dimensions in angle brackets, and fragments
  float total = 0;
  axe::reduce<0, 1>(axe::plus{}, rows, total, axe::warp);
#elif MISTAKE == 22  // the scope does not have all threads of the layout, or the layout is on lanes
  axe::reduce<1>(axe::plus{}, rows, sum, axe::cta<256>);
#elif MISTAKE == 23  // the scratch was declared for another reduction
  __shared__ axe::reduce_scratch<decltype(rows), 0> scratch;
  axe::reduce<1>(axe::plus{}, rows, sum, scratch, axe::warp);
#elif MISTAKE == 24  // mma takes fragments and tiles of shared memory
  axe::mma(c, axe::tile<16, 16>(halves, 0, 0), b);
#elif MISTAKE == 25  // both sides must have the same element type
  axe::atomic_add(held, axe::tile<32, 32>(numbers, 0, 0), axe::cta<256>);
#elif MISTAKE == 26  // cannot write to a tensor of const elements
  axe::atomic_add(held, from, axe::cta<256>);
#elif MISTAKE == 27  // gather and scatter take a function that is not mutable
  axe::gather<0>(from, to, axe::warp, 3);
#elif MISTAKE == 28  // sync needs a scope
  axe::sync(256);
#elif MISTAKE == 34  // got \{0 extents\} and \{1 coordinates\}
  axe::copy(axe::tile<32, 32>(in, blockIdx), staged, axe::cta<256>);
#elif MISTAKE == 37  // reduce takes its dimensions in angle brackets, and fragments
  axe::reduce<1>(rows, sum, axe::warp);
#elif MISTAKE == 38  // reduce takes its dimensions in angle brackets, and fragments
  axe::reduce(axe::plus{}, rows, sum, axe::warp);
#elif MISTAKE == 39  // adds the product of a and b to c: it takes three operands
  axe::mma(c, a, b, c);
#elif MISTAKE == 60  // adds the product of a and b to c: it takes three operands
  axe::mma(a, b);
#elif MISTAKE == 63  // takes a step and a stage
  fill(0, 0, 0);
#elif MISTAKE == 64  // is an integer, such as s.stage of a pipeline_state s
  fill(0, at);
#elif MISTAKE == 65  // is not mutable
  axe::copy_if(from, staged, axe::cta<256>, [n = 0u](unsigned i, auto) mutable { return i > n++; });
#elif MISTAKE == 66  // is not mutable
  axe::for_each(rows, axe::warp, [n = 0](float& x, auto, auto) mutable { x = n++; });
#elif MISTAKE == 67  // is not mutable
  axe::for_each_register<held.size>([&held, n = 0](auto r) mutable { held[r] = n++; });
#elif MISTAKE == 68  // is not mutable
  axe::elementwise([n = 0](float x) mutable { return x + n++; }, held, held);
#elif MISTAKE == 69  // is not mutable
  axe::gather<0>(from, staged, axe::cta<256>, [n = 0](unsigned) mutable { return n++; });
#elif MISTAKE == 70  // takes two elements, by value or const&
  axe::reduce<1>([](float& x, float y) { return x += y; }, rows, sum, axe::warp);
#elif MISTAKE == 71  // type name is not allowed
  axe::reduce<1>(axe::plus, rows, sum, axe::warp);
#elif MISTAKE == 72  // identifier "score" is undefined
  axe::reduce<1>(axe::plus{}, score, sum, axe::warp);
#elif MISTAKE == 73  // identifier "stage" is undefined
  axe::copy(from, stage, axe::cta<256>);
#elif MISTAKE == 74  // identifier "input_tensor" is undefined
  axe::copy(axe::tile<32, 32>(input_tensor, 0, 0), staged, axe::cta<256>);
#elif MISTAKE == 75  // identifier "half_tile" is undefined
  axe::copy_async(half_tile, half_staged, axe::cta<128>);
#elif MISTAKE == 76  // takes a scope, or an mbarrier and a scope
  axe::copy_async(axe::tile<32, 32>(halves, 0, 0), half_staged, axe::cta<256>, bars[0]);
#elif MISTAKE == 77  // elementwise\(op, to, from...\) takes fragments
  axe::elementwise(held, [](float x) { return 2 * x; });
#elif MISTAKE == 78  // identifier "other" is undefined
  axe::elementwise(axe::plus{}, held, held, other);
#elif MISTAKE == 79  // cast takes two fragments and no scope
  axe::cast(held, out);
#elif MISTAKE == 80  // the numbers must be equal, or the operand
  axe::elementwise(axe::plus{}, c, c, sum);
#elif MISTAKE == 40  // async_wait takes its number in angle brackets
  axe::async_wait(1);
#elif MISTAKE == 41  // warp_coordinate takes the numbers of warps in angle brackets
  auto const position = axe::warp_coordinate();
#elif MISTAKE == 42  // a grid must have 1 to 3 dimensions
  auto const position = axe::block();
#elif MISTAKE == 45  // the partition has \{0 threads\}, but the scope has \{1\}
  axe::for_each(held, axe::warp, [](float& x, auto, auto) { x = 0; });
#elif MISTAKE == 135  // the scope does not have all threads of the layout
  axe::fragment<float, axe::carrier<"S[(32,32):(1@tid,1@reg)] + 32@tid"_axe>, axe::extents<32, 32>>
      from_thread_32;
  axe::reduced<decltype(from_thread_32), 1> sum_from_32;
  axe::reduce<1>(axe::plus{}, from_thread_32, sum_from_32, axe::cta<32>);
#elif MISTAKE == 46   // reduce shuffles and needs a scope of whole warps
  axe::reduce<0>(axe::plus{}, rows, column_sum, across_warps{});
#elif MISTAKE == 47   // need a scope that begins at the first lane of a warp: pass axe::warp
  axe::copy(bits, a, across_warps{});
#elif MISTAKE == 81   // need a scope that begins at the first lane of a warp: pass axe::warp
  axe::copy(bits, a, axe::thread_scope<axe::carrier<"S[32:1@tid] + 16@tid"_axe>>{});
#elif MISTAKE == 57   // op of a reduction takes two elements, by value or const&, returns one
  axe::reduce<1>([](float x) { return x; }, rows, sum, axe::warp);
#elif MISTAKE == 58   // select rows along dimension d of a tile of a tensor
  axe::gather<2>(from, staged, axe::cta<256>, [](unsigned i) { return static_cast<int>(i); });
#elif MISTAKE == 59   // select rows along dimension d of a tile of a tensor
  axe::gather<0>(staged, staged, axe::cta<256>, [](unsigned i) { return static_cast<int>(i); });
#elif MISTAKE == 48   // gather and scatter take a function that is not mutable
  axe::gather<0>(from, staged, axe::cta<256>, [](int i, int) { return i; });
#elif MISTAKE == 49   // for_each takes a fragment
  axe::for_each(from, axe::cta<256>, [](float& x, auto, auto) { x = 0; });
#elif MISTAKE == 50   // options of a copy are axe::zero_fill
  axe::copy<axe::copy_instruction::vector_4>(from, staged, axe::cta<256>);
#elif MISTAKE == 51   // options of a copy are axe::zero_fill
  axe::copy<16>(from, staged, axe::cta<256>);
#elif MISTAKE == 52   // argument list for variable template "axe::.*cta" is missing
  axe::copy(from, staged, axe::cta);
#elif MISTAKE == 53   // a tile of a tensor x cannot be called
  held[0] = from(0, 0);
#elif MISTAKE == 54   // an element of a shared tile is staged\(row, column\)
  staged[1][2] = 0;
#elif MISTAKE == 55   // has no member "tile"
  axe::copy(in.tile<32, 32>(0, 0), staged, axe::cta<256>);
#elif MISTAKE == 82   // for a fragment call permuted of axe/cuda/permute.hpp
  axe::copy(axe::permuted<1, 0>(from), staged, axe::cta<256>);
#elif MISTAKE == 83   // atomic_add takes a fragment, a tile and a scope
  axe::atomic_add(to, held, axe::cta<256>);
#elif MISTAKE == 84   // atomic_add takes a fragment, a tile and a scope
  axe::atomic_add(&out(0, 0), 1.0f);
#elif MISTAKE == 140  // atomic_add takes a fragment, a tile and a scope
  axe::atomic_add(held, held, axe::cta<256>);
#elif MISTAKE == 141  // atomic_add takes integers of 32 or 64 bits, float and double, and in global
  axe::fragment<short, by_threads, axe::extents<32, 32>> counts{};
  axe::atomic_add(counts, axe::tile<32, 32>(numbers, 0, 0), axe::cta<256>);
#elif MISTAKE == 142  // atomic_add takes integers of 32 or 64 bits, float and double, and in global
  axe::fragment<__half, by_threads, axe::extents<32, 32>> added{};
  axe::atomic_add(added, half_staged, axe::cta<256>);
#elif MISTAKE == 143  // the results of a reduction cannot hold its values
  axe::fragment<int, decltype(sum)::layout_type, axe::extents<32, 1>> whole;
  axe::reduce<1>(axe::plus{}, rows, whole, axe::warp);
#elif MISTAKE == 144  // the results of a reduction cannot hold its values
  axe::fragment<int, decltype(sum)::layout_type, axe::extents<32, 1>> whole{};
  axe::accumulate_registers<1>([](float x, float y) { return x + y; }, rows, whole);
#elif MISTAKE == 145  // op of a reduction takes two elements, by value or const&, returns one
  axe::accumulate_registers<1>([](float x) { return x; }, rows, sum);
#elif MISTAKE == 146  // op of a reduction takes two elements, by value or const&, returns one
  axe::combine_lanes<decltype(rows), 1>([](float x, float y) { return x < y; }, sum, axe::warp);
#elif MISTAKE == 147  // mma_sync takes an instruction of mma_kind::mma_sync
  constexpr axe::mma_instruction of_warpgroup{axe::mma_kind::wgmma, 64, 8, 16};
  unsigned words[4]{};
  axe::mma_sync<of_warpgroup, axe::mma_types{}>(c.registers, words, words);
#elif MISTAKE == 148  // and wgmma one of mma_kind::wgmma
  constexpr axe::mma_instruction of_warp{axe::mma_kind::mma_sync, 16, 8, 16};
  axe::wgmma<of_warp, axe::mma_types{}, axe::operand_major::k, axe::operand_major::k>(c.registers,
                                                                                      0, 0, true);
#elif MISTAKE == 56   // take a tile of shared memory: copy a tile
  axe::copy(axe::transposed(from), staged, axe::cta<256>);
#elif MISTAKE == 85   // a function that returns nothing
  axe::for_each(rows, axe::warp, [](float x, auto i, auto j) { return i < j ? x : 0.0f; });
#elif MISTAKE == 86   // chooses its instruction by the fragments
  axe::mma<16, 8, 16>(c, a, b);
#elif MISTAKE == 87   // elementwise\(op, to, from...\) takes fragments
  held = axe::elementwise([](float x) { return 2 * x; }, held);
#elif MISTAKE == 88   // reduce takes its dimensions in angle brackets, and fragments
  sum = axe::reduce<1>(axe::plus{}, rows, axe::warp);
#elif MISTAKE == 89   // expression must have a constant value
  int left = 1;
  axe::async_wait<left>();
#elif MISTAKE == 90   // takes a bool, not a factor
  axe::mma(c, a, b, 0.5f);
#elif MISTAKE == 91   // it takes three operands
  c = axe::mma(a, b);
#elif MISTAKE == 92   // returns a bool
  axe::copy_if(from, staged, axe::cta<256>, [](unsigned, auto) {});
#elif MISTAKE == 93   // an integer and not a bool
  axe::gather<0>(from, staged, axe::cta<256>, [](unsigned i) { return 0.5f * i; });
#elif MISTAKE == 115  // an integer and not a bool
  axe::gather<0>(from, staged, axe::cta<256>, [](unsigned i) { return i < 3; });
#elif MISTAKE == 94   // cast takes two fragments and no scope
  axe::cast(held, held, axe::cta<256>);
#elif MISTAKE == 95   // cast takes two fragments and no scope
  held = axe::cast(held);
#elif MISTAKE == 96   // options are in angle brackets
  held = axe::load<by_threads>(from, axe::cta<256>, axe::zero_fill);
#elif MISTAKE == 97   // and its threads in angle brackets
  axe::barrier_sync(1, 128);
#elif MISTAKE == 98   // barrier_sync takes whole warps
  axe::barrier_sync<1>();
#elif MISTAKE == 99   // calling a constexpr __host__ function
  axe::elementwise(std::negate<float>{}, held, held);
#elif MISTAKE == 102  // is an integer, such as s.stage of a pipeline_state s
  fill(0.5, at.stage);
#elif MISTAKE == 104  // async_wait<Pending>: Pending must be at least 0
  axe::async_wait<-1>();
#elif MISTAKE == 105  // the array has no such stage
  fill(0, axe::constant<3>{});
#elif MISTAKE == 106  // the stage must come from first_stage\(\) of the copy's own array
  axe::stage_offset<4, sizeof(ring[0])> const of_four;
  fill(0, of_four);
#elif MISTAKE == 131  // the step of the tensors comes before the stage
  fill(axe::first_stage(ring), 0);
#elif MISTAKE == 108  // copy takes its options joined
  axe::copy<axe::zero_fill, axe::allow_slow>(from, staged, axe::cta<256>);
#elif MISTAKE == 110  // a copy takes its options joined
  axe::copy_async<axe::zero_fill, axe::allow_slow>(axe::tile<32, 32>(halves, 0, 0), half_staged,
                                                   axe::cta<256>);
#elif MISTAKE == 111  // a copy takes its options joined
  axe::copy_by<by_threads, axe::zero_fill, axe::allow_slow>(from, staged, axe::cta<256>);
#elif MISTAKE == 112  // a copy takes its options joined
  held = axe::load<by_threads, axe::zero_fill, axe::allow_slow>(from, axe::cta<256>);
#elif MISTAKE == 113  // which instance of function template "axe::.*block_y" is intended
  axe::copy(axe::tile<32, 32>(in, axe::block_y, axe::block_x), staged, axe::cta<256>);
#elif MISTAKE == 114  // which instance of function template "axe::.*block_y" is intended
  axe::copy(axe::tile_at<32, 32>(in, axe::block_y, 0), staged, axe::cta<256>);
#elif MISTAKE == 109  // a dimension and an extent of at least 1
  auto const none = axe::tiles<0, 0>(in);
#elif MISTAKE == 100  // returns one and is not mutable
  axe::reduce<1>([](int x, int y) { return x + y; }, rows, sum, axe::warp);
#elif MISTAKE == 101  // returns one and is not mutable
  axe::reduce<1>([](float x, float y) { return x < y; }, rows, sum, axe::warp);
#elif MISTAKE == 116  // never a float for an integer
  axe::fragment<int, by_threads, axe::extents<32, 32>> truncated;
  axe::elementwise([](float x) { return x; }, truncated, held);
#elif MISTAKE == 117  // returns one and is not mutable
  axe::fragment<int, lanes, axe::extents<32, 32>> const numbers_of_rows{};
  axe::reduce<1>([](int x, int y) { return 0.5f * (x + y); }, numbers_of_rows, sum, axe::warp);
#elif MISTAKE == 118  // type name is not allowed
  axe::elementwise(axe::plus, held, held, held);
#elif MISTAKE == 119  // load takes a tile and a scope
  held = axe::load<by_threads>(from, axe::cta<256>, [](auto i, auto j) { return i < j; });
#elif MISTAKE == 120  // calling a constexpr __host__ function
  axe::reduce<1>(std::plus<float>{}, rows, sum, axe::warp);
#elif MISTAKE == 121  // the extent of dimension 0 of a tensor x is axe::extent<0>\(x\)
  if (threadIdx.x < axe::size<0>(in)) out(0, 0) = 1;
#elif MISTAKE == 122  // load needs a layout as a type
  held = axe::load<axe::zero_fill, by_threads>(from, axe::cta<256>);
#elif MISTAKE == 123  // copy_by needs its partition as a type
  axe::copy_by(from, staged, by_threads{}, axe::cta<256>);
#elif MISTAKE == 124  // with axe::reduce_scratch<decltype\(x\), 1> scratch
  __shared__ float scratch[32];
  axe::reduce<1>(axe::plus{}, rows, sum, scratch, axe::warp);
#elif MISTAKE == 125  // reduce takes its dimensions in angle brackets, and fragments
  axe::reduce(rows, 1, axe::plus{});
#elif MISTAKE == 126  // First is the first thread of a warpgroup
  auto const position = axe::uniform_warpgroup_id<384, 1>();
#elif MISTAKE == 127  // dimension \{0\}: the extent \{2\} is not a multiple of \{1\}
  axe::for_each_register<2>([&](auto k) {
    axe::mma(c, axe::load<a_lanes>(axe::tile<16, 13>(half_staged, 0, k), axe::warp), b);
  });
#elif MISTAKE == 128  // dimension \{0\}: the extent \{2\} is not a multiple of \{1\}
  axe::prepare_copy(axe::tile<16, 13>(ring, 0, 0), a, axe::warp)(0);
#elif MISTAKE == 129  // function that returns nothing and is not mutable
  axe::for_each(rows, axe::warp,
                []<axe::integer C, class... Parts>(float&, auto, axe::coordinate_sum<C, Parts...>) {
                  if constexpr (C > 0) return C;
                });
#elif MISTAKE == 149  // cta_in_cluster needs the number of CTAs: cta_in_cluster<2>
  auto const rank = axe::cta_in_cluster();
#elif MISTAKE == 152  // gather and scatter take a function that is not mutable
  axe::gather<0>(from, staged, axe::cta<256>, bits);
#elif MISTAKE == 153  // name the dimension along which the tensor advances: prepare_copy<1>
  auto const prepared = axe::prepare_copy(1, from, staged, axe::cta<256>);
#elif MISTAKE == 154  // gather and scatter take two sides, a scope and a function
  axe::gather<0>(from, staged, row_of);
#elif MISTAKE == 155  // gather and scatter take two sides, a scope and a function
  axe::copy(axe::scatter<0>(staged, row_of), from, axe::cta<256>);
#elif MISTAKE == 150  // declare the result with the same number, with extents of 1
  axe::fragment<float, axe::carrier<"S[32:1@tid]"_axe>, axe::extents<32>> flat;
  axe::elementwise(axe::plus{}, flat, held, held);
#endif
}

void host(float* data) {
  aligned_halves const halves(nullptr, 64, 64);
  output const out(data, 64, 64);
  axe::tensor_map const map = axe::map_for<axe::shared_tile<__half, square>>(halves);
  axe::launch(calls, dim3(1), axe::cta<256>, input(data, 64, 64), out, halves,
              integers(nullptr, 64, 64), map);
#if MISTAKE == 43  // launch takes the grid and then the threads of a block
  axe::launch(calls, axe::cta<256>, dim3(1), input(data, 64, 64), out, halves,
              integers(nullptr, 64, 64), map);
#elif MISTAKE == 151  // map_for needs the type of a shared tile
  axe::tensor_map const wrong = axe::map_for(halves);
#elif MISTAKE == 44   // map_for needs the type of a shared tile, and a tensor
  axe::tensor_map const wrong = axe::map_for<axe::shared_tile<float, square>>(data);
#elif MISTAKE == 36   // launch takes the grid and then the threads of a block
  axe::launch(calls, dim3(1), 256, input(data, 64, 64), out, halves, integers(nullptr, 64, 64),
              map);
#endif
}
