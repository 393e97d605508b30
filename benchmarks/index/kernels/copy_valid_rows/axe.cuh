// Copies by copy_if the rows of a batch up to each sequence's length. The other rows become 0.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

/// `in` and `out` have the rows of all sequences, each of `rows` rows.
extern "C" __global__ void __launch_bounds__(128)
    axe_copy_valid_rows(kernels::rows_of<__half const> in, kernels::list_of<unsigned const> lengths,
                        kernels::rows_of<__half> out, unsigned rows) {
  kernels::rows_of<__half> const to(out.data, in.sizes);
  auto const [sequence, row, column] = axe::block<3>();
  unsigned const length = lengths(sequence), first = 16 * row;
  unsigned const at = sequence * rows + first;
  auto const left = axe::constant<64>{} * column;
  axe::copy_if<axe::zero_fill>(axe::exact_grid(axe::tile_at<16, 64>(in, at, left)),
                               axe::exact_grid(axe::tile_at<16, 64>(to, at, left)), axe::cta<128>,
                               [&](unsigned i, unsigned) { return first + i < length; });
}
