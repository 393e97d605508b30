// The launch of the kernel of 13_rms_norm on a stream of PyTorch. Compiled by nvcc, called by op.cpp.
#pragma once

#include <cuda_runtime_api.h>

/// Rows of bf16 in row-major order, at most 8192 columns.
cudaError_t launch_rms_norm(void const* in, void const* weights, void* out, long rows, long columns,
                            float epsilon, cudaStream_t stream);
