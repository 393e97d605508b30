// SPDX-License-Identifier: MIT
// Chooses between redux.sync and shuffles.
//
//     reduce<0>(plus{}, x, sum, warp);                      integers on all 32 lanes: redux.sync
//     reduce<0>(fold_by<lane_fold::shuffles>(plus{}), x, sum, warp);
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/cuda/operations.hpp>
#include <axe/plan/plan_reduce.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

template <lane_fold By, class Op> struct forced_fold {
  Op op;
  AXE_CALLS_USER_CODE template <class T>
  AXE_FN constexpr T operator()(T const& a, T const& b) const {
    return op(a, b);
  }
};
/// op, but lanes fold by the instruction By. A reduce that cannot use it does not compile.
template <lane_fold By, class Op> AXE_FN constexpr forced_fold<By, Op> fold_by(Op const& op) {
  return {op};
}

namespace detail {

template <class Op> struct operation_of {
  static constexpr lane_fold forced = lane_fold::any;
  static constexpr fold_operation value = stl::is_same_v<Op, plus>      ? fold_operation::plus
                                          : stl::is_same_v<Op, minimum> ? fold_operation::minimum
                                          : stl::is_same_v<Op, maximum> ? fold_operation::maximum
                                                                        : fold_operation::another;
};
template <lane_fold By, class Op> struct operation_of<forced_fold<By, Op>> : operation_of<Op> {
  static constexpr lane_fold forced = By;
};

/// sm_110 has no redux.sync of f32, although compiled_architecture() makes it an sm_100a.
AXE_FN constexpr architecture redux_architecture() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1100
  return architecture::sm_90;
#else
  return compiled_architecture();
#endif
}

template <class Op, class T, integer Lanes> struct lanes_by {
  AXE_FN static constexpr fold_options options() {
    fold_options fold{operation_of<Op>::value, {}, redux_architecture(), operation_of<Op>::forced};
    if constexpr (element_type_of<T> != element_type::count)
      fold.type = element_of<T>;
    else
      fold.operation = fold_operation::another;
    return fold;
  }
  static constexpr refusal redux = check_redux(options(), Lanes);
  static constexpr bool by_redux = options().forced != lane_fold::shuffles && !redux;

  AXE_FN static constexpr refusal why() {
    return options().forced == lane_fold::redux ? redux : refusal{};
  }
  AXE_FN static constexpr refusal_text text() { return sentence_of("reduce", redux, {}); }
};

#ifdef __CUDACC__

template <class Op, class T> __device__ __forceinline__ T redux(T value) {
  constexpr fold_operation by = operation_of<Op>::value;
  T result;
  if constexpr (stl::is_same_v<T, float>) {
    if constexpr (by == fold_operation::minimum)
      asm volatile("redux.sync.min.f32 %0, %1, 0xffffffff;" : "=f"(result) : "f"(value));
    else
      asm volatile("redux.sync.max.f32 %0, %1, 0xffffffff;" : "=f"(result) : "f"(value));
  } else if constexpr (by == fold_operation::plus) {
    result = static_cast<T>(__reduce_add_sync(0xffffffffu, value));
  } else if constexpr (by == fold_operation::minimum) {
    result = static_cast<T>(__reduce_min_sync(0xffffffffu, value));
  } else {
    result = static_cast<T>(__reduce_max_sync(0xffffffffu, value));
  }
  return result;
}

#endif

}  // namespace detail

}  // namespace AXE_NAMESPACE
}  // namespace axe
