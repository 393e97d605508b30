// Copies by gather the rows that a table names. Entries below 0 are skipped.
#pragma once

#include "../tensors.cuh"

#include <cuda_fp16.h>

extern "C" __global__ void __launch_bounds__(128)
    axe_gather_tokens(kernels::rows_of<__half const> in, kernels::list_of<int const> table,
                      kernels::rows_of<__half> out) {
  kernels::rows_of<__half> const to(out.data, in.sizes);
  auto const [row, column] = axe::block<2>();
  axe::gather<0>(axe::exact_grid(axe::tile<16, 64>(in, 0, column)),
                 axe::exact_grid(axe::tile<16, 64>(to, row, column)), axe::cta<128>,
                 [&, row = row](unsigned i) { return table(16 * row + i); });
}
