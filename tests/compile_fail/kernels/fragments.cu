// Mistakes in fragments, reductions, products and shared memory.
#include "setup.hpp"

#include <axe/cuda/mma/mma.hpp>

using atom = axe::mma_atom<16, 8, 16, 16>;
using a_lanes = axe::carrier<atom::a>;
using b_lanes = axe::carrier<atom::b>;
using c_lanes = axe::carrier<atom::accumulator>;
using lanes_of_rows = axe::carrier<"S[(32,32):(1@lane,1@reg)]"_axe>;
using lanes_of_columns = axe::carrier<"S[(32,32):(1@reg,1@lane)]"_axe>;
using swizzled_rows = axe::carrier<"swizzle(3,3,3) o S[(64,64):(64,1)]"_axe>;
using cube = axe::carrier<"S[(4,8,8):(64,8,1)]"_axe>;

__device__ void clear(axe::fragment<float, by_threads, axe::extents<32, 32>>& x) { x.fill(0); }

__global__ void fragments() {
  axe::fragment<float, by_threads, axe::extents<32, 32>> held;
  axe::fragment<float, lanes_of_rows, axe::extents<32, 32>> rows;
  axe::fragment<float, lanes_of_columns, axe::extents<32, 32>> columns_of_lanes;
  axe::fragment<__half, a_lanes, axe::extents<16, 16>> a;
  axe::fragment<__half, b_lanes, axe::extents<16, 8>> b;
  axe::fragment<float, c_lanes, axe::extents<16, 8>> c;
  axe::fragment<double, a_lanes, axe::extents<16, 16>> doubles;
  axe::reduced<decltype(rows), 1> sum;
  axe::fragment<__half, lanes_of_rows, axe::extents<32, 32>> rows_of_halves;
  __shared__ axe::shared_tile<__half, square> staged, ring[2];
  __shared__ axe::shared_tile<__half, swizzled_rows> swizzled[2];
  float first = 0;
  __shared__ axe::shared_tile<float, square> sums_in_memory;
  __shared__ axe::shared_tile<float, cube> boxes;
  held.fill(0), rows.fill(0), columns_of_lanes.fill(0), a.fill(0), b.fill(0), c.fill(0),
      doubles.fill(0);
  axe::mma(c, a, b);
  axe::reduce<1>(axe::plus{}, rows, sum, axe::warp);
  auto const& same_rows = rows;
  axe::reduced<decltype(same_rows), 1> same_sum;
  axe::reduce<1>(axe::plus{}, same_rows, same_sum, axe::warp);
  axe::elementwise([](float x) { return exp2f(2.0f * x); }, held, held);
  axe::fragment<float, by_threads, axe::extents<32L, 32L>> other{};
  other = held;
  auto const same = other;
  axe::fragment<float, by_threads, axe::extents<32, 32>> const spelled = same;
  held = {};
  held = spelled;
  axe::fragment<float, by_threads, axe::extents<32, 32>> const listed{1, 2, 3, 4};
  axe::fragment<float, axe::carrier<"S[32:1@lane]"_axe>, axe::extents<32>> const one(1);
  axe::fragment<int, by_threads, axe::extents<32, 32>> const numbers{1, 2, 3u, 4L};
  other = listed;
  axe::copy(staged, rows_of_halves, axe::warp);
  axe::copy(staged, rows_of_halves, axe::cta<32>);
  axe::atomic_add(rows, sums_in_memory, axe::warp);
  axe::prepare_copy(ring, rows_of_halves, axe::warp)(0);
  axe::prepare_copy<axe::allow_slow>(ring, rows_of_halves, axe::warp)(0);
  held[0] = one[0] + numbers[0];
  axe::fragment<int, by_threads, axe::extents<32, 32>> counts;
  counts.fill(1u), counts.fill({}), held.fill(1.5), held.fill(1);
  held[axe::constant<1>{}] = held[0u] + held[2LL] + held[axe::lane_id() < 1];
  held[0] += held[1];
  auto loaded = axe::load<by_threads>(sums_in_memory, axe::cta<256>);
  auto of_tile = axe::load<by_threads>(axe::tile<32, 32>(sums_in_memory, 0, 0), axe::cta<256>);
  clear(loaded), clear(of_tile);
  __shared__ axe::shared_tile<float, axe::carrier<"S[]"_axe>> total;
  __shared__ axe::shared_tile<float, axe::carrier<"S[4:0]"_axe>> repeated;
  total() = repeated(3) = held[0];
  (void)staged, (void)boxes;

#if MISTAKE == 1  // the shape \{S\} has \{0 elements\}, but the layout \{A\} has
  axe::fragment<float, by_threads, axe::extents<32, 64>> wrong;
  wrong.fill(0);
#elif MISTAKE == 2   // there is no register \{0\}
  held[axe::constant<4>{}] = 0;
#elif MISTAKE == 3   // there is no dimension \{0\} left to reduce
  axe::reduce<2>(axe::plus{}, rows, sum, axe::warp);
#elif MISTAKE == 4   // different threads hold the elements
  axe::elementwise([](float x) { return x; }, rows, columns_of_lanes);
#elif MISTAKE == 5   // the result has \{1 elements\}, but the operand has
  axe::cast(c, a);
#elif MISTAKE == 6   // reduce needs an axe::reduce_scratch in shared memory
  axe::reduced<decltype(held), 0> columns;
  axe::reduce<0>(axe::plus{}, held, columns, axe::cta<256>);
#elif MISTAKE == 7   // different threads hold the elements
  axe::reduce<1>(axe::plus{}, rows, columns_of_lanes, axe::warp);
#elif MISTAKE == 65  // the layout of a shared_tile must be on m only
  __shared__ axe::shared_tile<float, by_threads> wrong;
  wrong(0, 0) = 1;
#elif MISTAKE == 67  // reduce takes its dimensions in angle brackets, and fragments
  axe::reduced<decltype(rows), 1> const fixed{};
  axe::reduce<1>(axe::plus{}, rows, fixed, axe::warp);
#elif MISTAKE == 66  // it takes no extents and no atom in angle brackets
  axe::mma<atom>(c, a, b);
#elif MISTAKE == 8   // which do not multiply
  axe::mma(c, b, a);
#elif MISTAKE == 9   // the instruction does not multiply elements of
  axe::mma(c, doubles, b);
#elif MISTAKE == 10  // which do not multiply
  axe::mma(c, a, a);
#elif MISTAKE == 11  // which do not multiply
  axe::mma(a, a, b);
#elif MISTAKE == 12  // which do not multiply
  axe::mma(c, staged, staged);
#elif MISTAKE == 13  // the layout of a shared_tile must be on m only
  __shared__ axe::shared_tile<float, lanes_of_rows> wrong;
  axe::copy(held, wrong, axe::cta<256>);
#elif MISTAKE == 14  // the shape \{S\} has \{0 elements\}|same shape
  __shared__ axe::shared_tile<float, square, axe::extents<32, 64>> wrong;
  axe::copy(held, wrong, axe::cta<256>);
#elif MISTAKE == 15  // transposed takes a tile of two dimensions
  axe::copy(axe::transposed(boxes), axe::permuted<0, 2, 1>(boxes), axe::warp);
#elif MISTAKE == 16  // permuted<\.\.\.> must name each dimension of the tile once
  axe::copy(axe::permuted<0, 1>(boxes), boxes, axe::warp);
#elif MISTAKE == 17  // takes a tensor or a tile of shared memory
  axe::tile<16, 16>(held, 0, 0);
#elif MISTAKE == 19  // a shared tile needs a static layout, written as a type
  __shared__ axe::shared_tile<float, axe::row_major<2>> wrong;
  wrong(threadIdx.x) = 1;
  axe::copy(held, wrong, axe::cta<256>);
#elif MISTAKE == 20  // expected a type specifier
  __shared__ axe::shared_tile<float, "S[(32,32):(32,1)]"_axe> wrong;
  axe::copy(held, wrong, axe::cta<256>);
#elif MISTAKE == 21  // expected a type specifier
  axe::fragment<float, "S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe, axe::extents<32, 32>> wrong;
  wrong.fill(0);
#elif MISTAKE == 27  // expected a type specifier
  __shared__ axe::shared_tile<float, 32, 32> wrong;
  axe::copy(held, wrong, axe::cta<256>);
#elif MISTAKE == 28  // expected a type specifier
  axe::fragment<float, 32, 32> wrong{};
  axe::copy(wrong, staged, axe::cta<256>);
#elif MISTAKE == 29  // no suitable constructor exists to convert from "const char \[18\]"
  using text = axe::carrier<"S[(32,32):(33,1)]">;
  __shared__ axe::shared_tile<float, text> wrong;
  axe::copy(held, wrong, axe::cta<256>);
#elif MISTAKE == 30  // a fragment is not a number
  held = held * 2.0f;
#elif MISTAKE == 32  // a fragment is not a number
  rows.fill(exp2f(held));
#elif MISTAKE == 34  // expected a type specifier
  axe::fragment<float, 32, 32> wrong;
  wrong.fill(0);
#elif MISTAKE == 35  // a fragment is not a number
  held += other;
#elif MISTAKE == 36  // a fragment is not a number
  rows *= 2.0f;
#elif MISTAKE == 37  // a fragment is not a number
  rows /= 2.0f;
#elif MISTAKE == 38  // variable "rows" is not a type name
  axe::reduced<rows, 1> wrong;
  axe::reduce<1>(axe::plus{}, rows, wrong, axe::warp);
#elif MISTAKE == 39  // with axe::reduced<decltype\(x\), 1> sums
  axe::reduced<float, 1> wrong;
  axe::reduce<1>(axe::plus{}, rows, wrong, axe::warp);
#elif MISTAKE == 40  // a fragment is not a number
  held = held + other;
#elif MISTAKE == 41  // a fragment cannot be called
  held[0] = held(0, 0);
#elif MISTAKE == 42  // from one value for each register
  axe::fragment<float, by_threads, axe::extents<32, 32>> const wrong(-1.0f);
  held = wrong;
#elif MISTAKE == 43  // from one value for each register
  held = {1, 2};
#elif MISTAKE == 48  // the registers of the fragment are integers
  axe::fragment<int, by_threads, axe::extents<32, 32>> const wrong{1, 2.5f, 3, 4};
  held[0] = wrong[0];
#elif MISTAKE == 44  // the fragment's layout is on lanes, the threads of one warp
  axe::copy(staged, rows_of_halves, axe::cta<256>);
#elif MISTAKE == 47  // the fragment's layout is on lanes, the threads of one warp
  axe::atomic_add(rows, sums_in_memory, axe::cta<256>);
#elif MISTAKE == 45  // or a const or temporary
  __shared__ axe::shared_tile<__half const, square> fixed;
  axe::copy(staged, fixed, axe::cta<256>);
#elif MISTAKE == 33  // only a fragment can be assigned to a fragment
  held = 0.0f;
#elif MISTAKE == 22  // a fragment needs a static layout, written as a type
  axe::fragment<float, axe::row_major<2>, axe::extents<32, 32>> wrong;
  wrong.fill(0);
#elif MISTAKE == 23  // the instruction does not multiply elements of
  axe::mma(c, a, axe::fragment<float, b_lanes, axe::extents<16, 8>>{});
#elif MISTAKE == 24  // this call needs a scope
  axe::reduce<1>(axe::plus{}, rows, sum);
#elif MISTAKE == 25  // this call needs a scope
  axe::for_each(rows, [](float& value, auto, auto) { value = 0; });
#elif MISTAKE == 26  // declare a reference, .*the scope is missing or misplaced
  __shared__ axe::reduce_scratch<decltype(rows), 1> scratch;
  axe::reduce<1>(axe::plus{}, rows, sum, scratch);
#elif MISTAKE == 18  // use a conversion between registers
  axe::copy(held, rows, axe::cta<256>);
#elif MISTAKE == 51  // from values or from a fragment of its own type
  axe::fragment<float, by_threads, axe::extents<32, 32>> const wrong = rows;
#elif MISTAKE == 52  // from values or from a fragment of its own type
  axe::fragment<float, by_threads, axe::extents<32, 32>> const wrong(sums_in_memory);
#elif MISTAKE == 53  // from values or from a fragment of its own type
  rows = axe::load<by_threads>(sums_in_memory, axe::cta<256>);
#elif MISTAKE == 54  // from values or from a fragment of its own type
  rows_of_halves = rows;
#elif MISTAKE == 55  // from one value for each register
  axe::fragment<float, by_threads, axe::extents<32, 32>> const wrong = 0.0f;
#elif MISTAKE == 49  // mma.sync has no m\{0\}n\{1\}k\{2\}
  using b_of_a_pair = axe::carrier<axe::mma_atom<16, 16, 16, 16>::b>;
#elif MISTAKE == 50  // the element has \{0 bits\}, but wgmma
  using of_rows_and_columns = axe::carrier<axe::wgmma_atom<64, 64>::accumulator>;
#elif MISTAKE == 57  // the number of a register is an integer or a constant<r>
  held[axe::axes::reg] = 0;
#elif MISTAKE == 58  // the number of a register is an integer or a constant<r>
  held[1.5f] = 0;
#elif MISTAKE == 59  // the registers of the fragment are integers
  counts.fill(1.5f);
#elif MISTAKE == 60  // a fragment is not a number
  if (held > 0) held[0] = 1;
#elif MISTAKE == 61  // it is a deleted function
  if (held == other) held[0] = 1;
#elif MISTAKE == 62  // a fragment is not a number
  held = -held;
#elif MISTAKE == 63  // the registers of the fragment are integers
  counts.fill(__half(1.5f));
#elif MISTAKE == 64  // the number of a register is an integer or a constant<r>
  held[__half(1.5f)] = 0;
#elif MISTAKE == 69  // call axe::elementwise with a function that converts one
  axe::fragment<float2, by_threads, axe::extents<32, 32>> pairs{};
  axe::cast(pairs, held);
#elif MISTAKE == 56  // but the stride must not be negative
  axe::fragment<float, axe::carrier<"S[4:-1@reg]"_axe>, axe::extents<4>> flipped;
  axe::for_each_register<4>([&](auto r) { flipped[r] = 0; });
  axe::for_each(flipped, axe::thread, [](float& x, auto) { x = 0; });
#elif MISTAKE == 70  // but an operand has two, rows and columns
  axe::fragment<__half, a_lanes, axe::extents<256>> list;
  axe::mma(c, list, b);
#elif MISTAKE == 71  // the shape \{S\} has \{0 elements\}, but the layout \{A\} has
  first = axe::reinterpret<a_lanes>(c)[0];
#elif MISTAKE == 72  // reinterpret moves no element between threads
  first = axe::reinterpret<b_lanes>(c)[0];
#elif MISTAKE == 73  // reinterpret takes a layout as a type, and a fragment
  c = axe::reinterpret<atom::accumulator>(c);
#elif MISTAKE == 74  // reinterpret takes a layout as a type, and a fragment
  c = axe::reinterpret<c_lanes>(c, axe::warp);
#elif MISTAKE == 75  // the shape \{S\} has \{0 elements\}, but the layout \{A\} has
  a = axe::load<a_lanes>(axe::tile<16, 8>(swizzled[0], 0, 1), axe::warp);
#elif MISTAKE == 76  // the fragment's layout is on lanes
  a = axe::load<a_lanes>(axe::tile<16, 16>(swizzled[0], 0, 1), axe::cta<64>);
#elif MISTAKE == 77  // load needs a layout as a type: axe::carrier<...>
  a = axe::load<atom::a>(axe::tile<16, 16>(swizzled[0], 0, 1), axe::warp);
#elif MISTAKE == 78  // the shape \{S\} has \{0 elements\}, but the layout \{A\} has
  axe::local_partition<by_threads>(axe::tile<16, 16>(swizzled[0], 0, 1), threadIdx.x);
#elif MISTAKE == 79  // dimension \{0\}: the extent \{2\} is not a multiple of \{1\}
  a = axe::load<a_lanes>(axe::tile<12, 16>(axe::tile<32, 32>(swizzled, 0, 1), 0, 0), axe::warp);
#elif MISTAKE == 81  // there is no dimension \{0\} left to reduce
  axe::reduced<decltype(rows), 2> wrong;
  wrong.fill(0);
#elif MISTAKE == 82  // there is no dimension \{0\} left to reduce
  __shared__ axe::reduce_scratch<decltype(rows), 2> scratch;
  axe::reduce<2>(axe::plus{}, rows, sum, scratch, axe::warp);
#elif MISTAKE == 83  // with axe::reduced<decltype\(x\), 1> sums
  axe::reduced<decltype(staged), 1> wrong;
  wrong.fill(0);
#elif MISTAKE == 80  // a shared tile has memory of its own
  extern __shared__ unsigned char memory[];
  axe::shared_tile<float, square> wrong(memory);
  wrong(0, 0) = 1;
#endif
}
