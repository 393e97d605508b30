// Mistakes in copies, tiles, tensors and launches. kernels.py says how a case is written.
#include "setup.hpp"

__global__ void copies(input in, output out, half_input halves, aligned_input wide, bytes_of odd) {
  __shared__ axe::shared_tile<float, square> staged;
  __shared__ axe::shared_tile<__half, square> half_staged;
  __shared__ axe::mbarrier_storage<1> bars;
  auto const from = axe::tile<32, 32>(in, axe::block_y(), axe::block_x());
  auto const to = axe::tile<32, 32>(out, axe::block_y(), axe::block_x());
  axe::fragment<float, by_threads, axe::extents<32, 32>> held;
#if !MISTAKE
  axe::copy(from, held, axe::cta<256>);
  axe::copy(held, to, axe::cta<256>);
  axe::copy(from, staged, axe::cta<256>);
  axe::sync(axe::cta<256>);
  staged(0, 1) = staged(1, 0);
  axe::copy(axe::tile<16, 16>(staged, 0, 0), axe::tile<16, 16>(out, 0, 0), axe::cta<256>);
  axe::copy(axe::permuted<1, 0>(axe::tile<16, 16>(staged, 0, 0)), axe::tile<16, 16>(out, 0, 0),
            axe::cta<256>);
  axe::copy_by<by_threads>(from, staged, axe::cta<256>);
  held = axe::load<by_threads>(from, axe::cta<256>);
#endif
  (void)bars;

#if MISTAKE == 1  // a copy is between tiles of the same shape
  axe::copy(axe::tile<32, 64>(in, 0, 0), staged, axe::cta<256>);
#elif MISTAKE == 2    // a copy does not convert elements
  axe::copy(from, half_staged, axe::cta<256>);
#elif MISTAKE == 3    // a copy cannot write to a tensor of const elements
  axe::copy(staged, from, axe::cta<256>);
#elif MISTAKE == 4    // vectors of \{0 bytes\} need
  axe::copy<axe::force<axe::copy_instruction::vector_16>>(from, staged, axe::cta<256>);
#elif MISTAKE == 5    // the partition has \{0 threads\}, but the scope has
  axe::copy(from, held, axe::cta<128>);
#elif MISTAKE == 6    // a fragment says which thread holds each element: use copy, not copy_by
  axe::copy_by<by_threads>(from, held, axe::cta<256>);
#elif MISTAKE == 7    // which would cut accesses
  axe::copy_async(axe::tile<32, 32>(halves, 0, 0), half_staged, axe::cta<256>);
#elif MISTAKE == 8    // the instruction does not make this copy
  axe::copy_async(from, held, axe::cta<256>);
#elif MISTAKE == 106  // exact_grid takes a tile
  axe::copy(axe::exact_grid(in), staged, axe::cta<256>);
#elif MISTAKE == 111  // take a tile of shared memory: copy a tile
  held = axe::load<by_threads>(axe::transposed(from), axe::cta<256>);
#elif MISTAKE == 112  // take a tile of shared memory: copy a tile
  auto const part = axe::local_partition<by_threads>(axe::transposed(from), threadIdx.x);
#elif MISTAKE == 113  // take a tile of shared memory: copy a tile
  axe::atomic_add(held, axe::transposed(to), axe::cta<256>);
#elif MISTAKE == 114  // the partition has \{0 threads\}, but the scope has
  auto part = axe::load<by_threads>(from, axe::warp);
  part[0] = part[1] + part[2];
  axe::copy(part, to, axe::cta<256>);
#elif MISTAKE == 107  // got \{0 coordinates\}, but the tensor has \{1 dimensions\}
  out(axe::constant<2>{} * axe::block_y() + axe::warp_id<256>()) = 1;
#elif MISTAKE == 108  // the shape \{S\} has \{0 elements\}, but the layout \{A\} has
  held = axe::load<by_threads>(
      axe::tile<64, 64>(in, axe::constant<2>{} * axe::block_y() + axe::warp_id<256>(), 0),
      axe::cta<256>);
#elif MISTAKE == 109  // the partition has \{0 threads\}, but the scope has
  held = axe::load<by_threads>(
      axe::tile<32, 32>(in, axe::constant<2>{} * axe::block_y() + axe::warp_id<256>(), 0),
      axe::warp);
#elif MISTAKE == 110  // the shape \{S\} has \{0 elements\}, but the layout \{A\} has
  axe::local_partition<by_threads>(
      axe::tile<64, 64>(out, axe::constant<2>{} * axe::block_y() + axe::warp_id<256>(), 0),
      threadIdx.x);
#elif MISTAKE == 9    // which would cut accesses of \{0\}; .* pass axe::exact_grid\(tile\)
  axe::copy_async(axe::tile<32, 32>(wide, 0, 0), staged, bars[0], axe::thread);
#elif MISTAKE == 10   // a copy does not convert elements
  axe::copy<axe::force<axe::copy_instruction::ldmatrix_x4>>(half_staged, held, axe::cta<256>);
#elif MISTAKE == 11   // got \{0 extents\} and \{1 coordinates\}, but it needs
  axe::copy(axe::tile<32>(in, 0), staged, axe::cta<256>);
#elif MISTAKE == 12   // got \{0 extents\} and \{1 coordinates\}, but it needs
  axe::copy(axe::tile<32, 32>(in, 0), staged, axe::cta<256>);
#elif MISTAKE == 13   // dimension \{0\}: the extent \{2\} is not a multiple of \{1\}
  axe::copy(axe::tile<24, 32>(staged, 0, 0), axe::tile<24, 32>(out, 0, 0), axe::cta<256>);
#elif MISTAKE == 14   // a coordinate is an integer of at most 32 bits
  axe::copy(axe::tile<32, 32>(in, 0.5, 0), staged, axe::cta<256>);
#elif MISTAKE == 15   // got \{0 coordinates\}, but the tensor has \{1 dimensions\}
  held[0] = in(3);
#elif MISTAKE == 16   // the tensor has no such dimension
  held[0] = axe::extent<2>(in);
#elif MISTAKE == 17   // the tensor has no such dimension
  held[0] = axe::stride<2>(in);
#elif MISTAKE == 18   // this call needs a scope
  axe::copy(from, staged);
#elif MISTAKE == 19   // a block must have 1 to 1024 threads
  axe::copy(from, staged, axe::cta<2048>);
#elif MISTAKE == 20   // each group needs its own barrier
  axe::sync(axe::warpgroup);
#elif MISTAKE == 21   // a tensor of const elements cannot be written
  axe::local_partition<by_threads>(from, threadIdx.x).store(axe::constant<0>{}, 1.0f);
#elif MISTAKE == 22   // local_partition takes no tile that may begin below 0: load it by
  held[0] = axe::local_partition<by_threads>(axe::tile_at<32, 32>(in, -1, 0), threadIdx.x)
                .load(axe::constant<0>{});
#elif MISTAKE == 24   // for a tensor use axe::tile
  axe::copy(in, staged, axe::cta<256>);
#elif MISTAKE == 25   // takes a tensor or a tile of shared memory
  axe::copy(axe::tile<32, 32>(in.data, 0, 0), staged, axe::cta<256>);
#elif MISTAKE == 26   // vectors of \{0 bytes\} need
  axe::copy<axe::force<axe::copy_instruction::vector_8>>(
      axe::tile<32, 32>(odd, 0, 0), axe::tile<32, 32>(odd, 1, 0), axe::cta<256>);
#elif MISTAKE == 33   // this call needs a scope
  axe::copy(from, staged, 256);
#elif MISTAKE == 34   // this call needs a scope
  axe::copy_async(axe::tile<32, 32>(wide, 0, 0), staged, 256);
#elif MISTAKE == 35   // got \{0 extents\} and \{1 coordinates\}
  axe::copy(axe::tile(in, 0, 0), staged, axe::cta<256>);
#elif MISTAKE == 36   // got \{0 extents\} and \{1 coordinates\}
  axe::copy(axe::tile<16, 16>(staged, 0), axe::tile<16, 16>(out, 0, 0), axe::cta<256>);
#elif MISTAKE == 37   // sync needs a scope
  axe::sync();
#elif MISTAKE == 38   // copy_by needs its partition as a type
  axe::copy_by<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>(from, staged, axe::cta<256>);
#elif MISTAKE == 39   // load needs a layout as a type
  auto const loaded = axe::load<"S[(4,8,32):(1@reg,32@tid,1@tid)]"_axe>(from, axe::cta<256>);
#elif MISTAKE == 40   // got \{0 coordinates\}, but the tensor has \{1 dimensions\}
  staged(0) = 1;
#elif MISTAKE == 41   // a copy does not convert elements
  axe::copy(held, half_staged, axe::cta<256>);
#elif MISTAKE == 42   // got \{0 extents\} and \{1 coordinates\}
  axe::copy(axe::tile<32, 32>(in, 0, 0, 0), staged, axe::cta<256>);
#elif MISTAKE == 43   // the shape of a tensor must be
  held[0] = axe::tensor<float, axe::extents<32, 32>>{}.data[0];
#elif MISTAKE == 45   // this call needs a scope
  axe::copy_async(axe::tile<32, 32>(wide, 0, 0), staged);
#elif MISTAKE == 46   // this call needs a scope
  held = axe::load<by_threads>(from);
#elif MISTAKE == 47   // this call needs a scope
  auto const prepared = axe::prepare_copy<1>(from, staged);
#elif MISTAKE == 48   // this call needs a scope
  axe::copy_if(from, staged, [](auto...) { return true; });
#elif MISTAKE == 49   // this call needs a scope
  axe::atomic_add(held, axe::tile<32, 32>(out, 0, 0));
#elif MISTAKE == 50   // the tensor has no such dimension: write it in angle brackets
  held[0] = axe::extent(in, 1);
#elif MISTAKE == 51   // the tensor has no such dimension: write it in angle brackets
  held[0] = axe::stride(in, 0);
#elif MISTAKE == 52   // takes a dimension and an extent of at least 1
  held[0] = axe::tiles<32>(in, 1);
#elif MISTAKE == 61   // and numbers without braces
  axe::copy(axe::tile<32, 32>(in, {0, 0}), staged, axe::cta<256>);
#elif MISTAKE == 62   // and numbers without braces
  axe::copy(axe::tile<16, 16>(staged, {0, 0}), axe::tile<16, 16>(out, 0, 0), axe::cta<256>);
#elif MISTAKE == 63   // and numbers without braces
  axe::copy(axe::tile_at<32, 32>(in, {0, 0}), staged, axe::cta<256>);
#elif MISTAKE == 64   // tile_at takes only a tensor: for shared memory call tile
  axe::copy(axe::tile_at<32, 32>(staged, 0, 0), to, axe::cta<256>);
#elif MISTAKE == 65   // got \{0 extents\} and \{1 coordinates\}
  axe::copy(axe::tile_at(in, 0, 0), staged, axe::cta<256>);
#elif MISTAKE == 67   // load needs a layout as a type
  held = axe::load(from, axe::cta<256>);
#elif MISTAKE == 68   // copy_by needs its partition as a type
  axe::copy_by(from, staged, axe::cta<256>);
#elif MISTAKE == 69   // local_partition needs a layout as a type, a tile and a thread
  auto const part = axe::local_partition(from, threadIdx.x);
#elif MISTAKE == 70   // local_partition needs a layout as a type, a tile and a thread
  auto const part = axe::local_partition<by_threads>(in, threadIdx.x);
#elif MISTAKE == 79   // local_partition needs a layout as a type, a tile and a thread
  auto const part = axe::local_partition<by_threads>(from);
#elif MISTAKE == 80   // takes a dimension and an extent of at least 1
  held[0] = axe::tiles<0>(in);
#elif MISTAKE == 83   // extent, stride and tiles take a tensor
  held[0] = axe::extent<0>(from);
#elif MISTAKE == 84   // extent, stride and tiles take a tensor
  held[0] = axe::tiles<0, 8>(staged);
#elif MISTAKE == 86   // local_partition needs a layout as a type, a tile and a thread
  auto const part = axe::local_partition<by_threads>(from, axe::cta<256>);
#elif MISTAKE == 82   // a copy is between tiles of the same shape
  axe::copy(
      axe::transposed(axe::tile<16, 16>(axe::transposed(axe::tile<16, 32>(staged, 0, 0)), 0, 0)),
      to, axe::cta<256>);
#elif MISTAKE == 115  // takes a tensor or a tile of shared memory as x, and numbers
  axe::copy(axe::tile<axe::extents<32, 32>>(in, 0, 0), staged, axe::cta<256>);
#elif MISTAKE == 116  // takes a tensor or a tile of shared memory as x, and numbers
  axe::copy(axe::tile<32, 32>(staged), to, axe::cta<256>);
#elif MISTAKE == 117  // permuted<\.\.\.> must name each dimension of the tile once
  axe::copy(axe::permuted<1, 0, 2>(axe::tile<16, 16>(staged, 0, 0)), axe::tile<16, 16>(out, 0, 0),
            axe::cta<256>);
#elif MISTAKE == 118  // transposed\(x\) and permuted<1, 0>\(x\) take a tile of shared memory
  axe::copy(axe::transposed<1, 0>(staged), to, axe::cta<256>);
#elif MISTAKE == 27   // a grid must have 1 to 3 dimensions
  auto const [x, y, z, w] = axe::block<4>();
#endif
}

/// The bounds of the extents are not declared.
using any_size =
    axe::tensor<float,
                axe::dynamic_layout<axe::dimension<axe::digit<axe::dynamic(0), axe::dynamic(1)>>,
                                    axe::dimension<axe::digit<axe::dynamic(2), 1>>>>;

__global__ void origins(any_size in, output out, int row) {
  axe::copy(axe::tile_at<32, 32>(in, 0u, 0u), axe::tile_at<32, 32>(out, row, 0), axe::cta<256>);
#if MISTAKE == 66  // one digit and an extent of at most 2\^31 - 2\^20
  axe::copy(axe::tile_at<32, 32>(in, row, 0u), axe::tile<32, 32>(out, 0, 0), axe::cta<256>);
#endif
}

using half_output = axe::tensor<__half, axe::row_major<2>, axe::aligned<16>>;
using byte_output = axe::tensor<unsigned char, axe::row_major<2>, axe::aligned<16>>;
using columns = axe::carrier<"S[(32,32):(1,32)]"_axe>;
/// Each thread has 4 elements of a row.
using by_fours = axe::carrier<"S[(32,8,4):(8@tid,1@tid,1@reg)]"_axe>;

__global__ void transposes(half_output halves, byte_output bytes) {
  __shared__ axe::shared_tile<__half, columns> of_halves;
  __shared__ axe::shared_tile<unsigned char, columns> of_bytes;
  auto const to = axe::tile<32, 32>(halves, 0, 0);
#if !MISTAKE
  axe::copy(axe::load<by_fours>(of_halves, axe::cta<256>), to, axe::cta<256>);
  axe::copy<axe::allow_slow>(of_halves, to, axe::cta<256>);
#endif
  auto const is_chosen = [](unsigned i, unsigned) { return i < 20; };
  auto const row_of = [](unsigned i) { return static_cast<int>(31 - i); };
  axe::fragment<__half, by_fours, axe::extents<32, 32>> held{};
#if !MISTAKE
  axe::copy_if(axe::load<by_fours>(of_halves, axe::cta<256>), to, axe::cta<256>, is_chosen);
  axe::gather<0>(to, held, axe::cta<256>, row_of);
  axe::copy(held, of_halves, axe::cta<256>);
  axe::scatter<0>(held, to, axe::cta<256>, row_of);
#endif
#if MISTAKE == 71  // the copy transposes \{0 bytes\} at a time: copy to a fragment first
  axe::copy(of_halves, to, axe::cta<256>);
#elif MISTAKE == 72  // the copy transposes \{0 bytes\} at a time: copy to a fragment first
  axe::copy(of_bytes, axe::tile<32, 32>(bytes, 0, 0), axe::cta<256>);
#elif MISTAKE == 76  // the copy transposes \{0 bytes\} at a time: copy to a fragment first
  axe::copy_if(of_halves, to, axe::cta<256>, is_chosen);
#elif MISTAKE == 77  // the copy transposes \{0 bytes\} at a time: copy to a fragment first
  axe::gather<0>(to, of_halves, axe::cta<256>, row_of);
#elif MISTAKE == 78  // the copy transposes \{0 bytes\} at a time: copy to a fragment first
  axe::scatter<0>(of_halves, to, axe::cta<256>, row_of);
#endif
}

__global__ void one(input in) { (void)in; }
template <class T> __global__ void of_elements(axe::tensor<T, axe::row_major<2>> in) { (void)in; }
__global__ void numbers(float* data, float const* fixed, int n, axe::integer all, float scale) {
  (void)data, (void)fixed, (void)n, (void)all, (void)scale;
}

/// Calls the constructors of tensors correctly. Cases in `host` call them with mistakes.
output constructed(float* data, output::sizes_type const& sizes) {
  struct pointer {
    operator float*() const { return nullptr; }
  };
  struct named : output {};
  input const in(data, sizes), same(in), from_object(pointer{}, 64, 64), none(nullptr, sizes);
  struct matrix {
    operator output() const { return {nullptr, 64, 64}; }
  };
  output const of_named(named{{data, 64u, 64l}}), converted(matrix{});
  (void)same, (void)from_object, (void)none, (void)of_named, (void)converted;
  return {data, 64, 64};
}

void host(float* data) {
  output const out = constructed(data, output::sizes_type(64, 64));
  input const in(data, 64, 64);
  axe::launch(one, dim3(1), axe::cta<32>, in);
  axe::launch(of_elements<float>, dim3(1), axe::cta<32>, out);
  axe::launch(numbers, dim3(1), axe::cta<32>, data, data, 1, 2, 1.5);
  axe::launch(numbers, dim3(1), axe::cta<32>, nullptr, nullptr, 1L, 2u, 1);
  axe::launch(copies, axe::grid_of<32, 32>(64, 64), axe::cta<256>, in, out,
              half_input(nullptr, 64, 64), aligned_input(data, 64, 64), bytes_of(nullptr, 64, 64));
#if MISTAKE == 28  // the constructor got \{0 numbers\}, but the layout needs \{1\}
  output const wrong(data, 64);
#elif MISTAKE == 29   // the sizes of a tensor must be integers
  output const wrong(data, 64, 0.5);
#elif MISTAKE == 30   // one size, an integer, for each extent
  dim3 const grid = axe::grid_of<32, 32>(64);
#elif MISTAKE == 89   // one size, an integer, for each extent
  dim3 const grid = axe::grid_of<32, 32>(64 / 2.5, 64);
#elif MISTAKE == 104  // one argument, without braces, for each parameter
  axe::launch(one, dim3(1), axe::cta<32>, {data, 64, 64});
#elif MISTAKE == 105  // a template needs its arguments
  axe::launch(of_elements, dim3(1), axe::cta<32>, out);
#elif MISTAKE == 31   // one argument, without braces, for each parameter
  axe::launch(copies, axe::grid_of<32, 32>(64, 64), axe::cta<256>, out);
#elif MISTAKE == 32   // power of two
  axe::tensor<float, axe::row_major<2>, axe::aligned<12>> const wrong(data, 64, 64);
#elif MISTAKE == 73   // expected a type specifier
  axe::tensor<float, axe::row_major<2>, 16> const wrong(data, 64, 64);
#elif MISTAKE == 74   // argument list for class template "axe::.*row_major" is missing
  axe::tensor<float, axe::row_major> const wrong(data, 64, 64);
#elif MISTAKE == 75   // expected a type specifier
  axe::tensor<float, axe::dynamic_layout<64, 64>> const wrong(data);
#elif MISTAKE == 81   // dynamic_layout takes axe::dimension<axe::digit<extent, stride>>
  axe::tensor<float, axe::dynamic_layout<axe::digit<axe::dynamic(0), 1>>> const wrong(data, 64);
#elif MISTAKE == 53   // takes a T\* and its sizes
  half_input const wrong(data, 64, 64);
#elif MISTAKE == 54   // a pointer to const needs T const
  output const wrong(in.data, 64, 64);
#elif MISTAKE == 55   // takes a T\* and its sizes
  output const wrong(64, 64, data);
#elif MISTAKE == 56   // takes a T\* and its sizes
  output const wrong(data);
#elif MISTAKE == 57   // the sizes of a tensor must be integers, without braces
  output const wrong(data, {64, 64});
#elif MISTAKE == 58   // the sizes of a tensor must be integers
  output const wrong(data, dim3(64, 64));
#elif MISTAKE == 59   // not another tensor
  axe::launch(one, dim3(1), axe::cta<32>, out);
#elif MISTAKE == 60   // takes a T\* and its sizes
  axe::launch(one, dim3(1), axe::cta<32>, data);
#elif MISTAKE == 101  // does not convert to its parameter of the kernel
  axe::launch(numbers, dim3(1), axe::cta<32>, static_cast<void*>(data), data, 1, 2, 1.5);
#elif MISTAKE == 102  // does not convert to its parameter of the kernel
  axe::launch(numbers, dim3(1), axe::cta<32>, data, data, 1.9, 2, 1.5);
#elif MISTAKE == 103  // does not convert to its parameter of the kernel
  axe::launch(numbers, dim3(1), axe::cta<32>, in.data, data, 1, 2, 1.5);
#endif
}
