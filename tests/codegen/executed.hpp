// The kernels of benchmarks/index in which axe's form executes more PTX instructions than the
// hand-written one, at the sizes of these tests. Moves and loads of parameters are not counted.
//
// Most of them test each load and each store, and the hand-written kernel returns once for all.
#pragma once

#include <cstdint>
#include <string_view>

struct executed_by_axe {
  std::string_view kernel;
  std::uint64_t sm_80, sm_90a;  // warp instructions of axe's form, with nvcc 13.0
};
inline constexpr executed_by_axe known_excess[]{
    {"all_reduce", 5310, 5310},
    {"append_paged", 804, 804},
    {"axpy", 318, 318},
    {"bias_relu", 3716, 3716},
    {"causal_mask", 1744, 1744},
    {"combine_splits", 706, 706},
    {"cross_entropy", 1146, 1146},
    {"depthwise", 6821, 6821},
    {"dot_gradient", 469, 469},
    {"fft_stage", 4608, 4608},
    {"gather_fp8", 3732, 2436},
    {"hadamard", 1757, 1757},
    {"histogram", 1647, 1647},
    {"im2col", 3858, 3858},
    {"int4_mma", 1446, 1446},
    {"int8_rows", 1803, 1803},
    {"jacobi", 2174, 2174},
    {"max_pool", 2580, 2580},
    {"merge_states", 294, 294},
    {"moe_sum", 876, 876},
    {"pack_scales", 460, 460},
    {"paged_gather", 2151, 2151},
    {"reshape_and_cache", 726, 726},
    {"rotary", 2736, 2736},
    {"row_sum_ring", 2680, 2680},
    {"segmented_sum", 807, 807},
    {"selective_scan", 2988, 2988},
    {"silu_and_mul", 2034, 2034},
    {"split_k_sum", 1040, 1040},
    {"tf32_batch", 468, 456},
    {"transpose_scales", 4016, 3984},
    {"winograd_input", 1368, 1368},
};

/// How many instructions axe's form may execute if the hand-written one executes `by_hand`.
constexpr std::uint64_t most_executed(std::string_view kernel, std::string_view target,
                                      std::uint64_t by_hand) {
  for (executed_by_axe const& known : known_excess)
    if (known.kernel == kernel) {
      std::uint64_t const allowed = target == "sm_80" ? known.sm_80 : known.sm_90a;
      return allowed > by_hand ? allowed : by_hand;
    }
  return by_hand;
}
