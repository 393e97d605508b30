// Includes every kernel that has a form with CuTe. benchmarks/index counts the instructions.
#include "append_paged/cute.cuh"
#include "causal_mask/cute.cuh"
#include "moe_sum/cute.cuh"
#include "paged_gather/cute.cuh"
#include "rotary/cute.cuh"
#include "softmax_rescale/cute.cuh"
#include "split_k_sum/cute.cuh"
