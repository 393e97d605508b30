// All kernels that have a form with CuTe, in one source. benchmarks/index counts their
// instructions.
#include "append_paged/cute.cuh"
#include "causal_mask/cute.cuh"
#include "moe_sum/cute.cuh"
#include "paged_gather/cute.cuh"
#include "rotary/cute.cuh"
#include "softmax_rescale/cute.cuh"
#include "split_k_sum/cute.cuh"
