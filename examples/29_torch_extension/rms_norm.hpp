// Launches the kernel of 13_rms_norm on a stream of PyTorch. nvcc compiles the function, and
// op.cpp calls it.
#pragma once

#include <cuda_runtime_api.h>

/// The rows are bf16 in row-major order and have at most 8192 columns.
cudaError_t launch_rms_norm(void const* in, void const* weights, void* out, long rows, long columns,
                            float epsilon, cudaStream_t stream);
