// SPDX-License-Identifier: MIT
// The steps of a reduction: a thread folds its registers, lanes fold by shuffles, and warps fold
// through shared memory, the scratch.
#pragma once

#include <axe/cuda/architecture.hpp>
#include <axe/cuda/elementwise.hpp>
#include <axe/cuda/memory.hpp>
#include <axe/cuda/scope.hpp>
#include <axe/plan/plan_reduce.hpp>

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {

template <class Op>
inline constexpr fold_operation operation_of =
    stl::is_same_v<Op, plus>      ? fold_operation::plus
    : stl::is_same_v<Op, minimum> ? fold_operation::minimum
    : stl::is_same_v<Op, maximum> ? fold_operation::maximum
                                  : fold_operation::another;

/// sm_110 has no redux.sync of f32, although compiled_architecture() returns sm_100a for it.
AXE_FN constexpr architecture redux_architecture() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 1100
  return architecture::sm_90;
#else
  return compiled_architecture();
#endif
}

template <class Op, class T> AXE_FN constexpr bool folds_by_redux(integer lanes) {
  if constexpr (element_type_of<T> == element_type::count)
    return false;
  else
    return !check_redux({operation_of<Op>, element_of<T>, redux_architecture()}, lanes);
}

template <class Fragment, int... Dims> struct reduction {
  static constexpr outcome<reduce_plan> result =
      try_plan_reduce(Fragment::layout_type::value, Fragment::shape_type::value, {Dims...});
  static constexpr reduce_plan plan = result.value;
  using element = Fragment::value_type;

  AXE_FN static constexpr refusal_text text() {
    return text_of_call("reduce", result.why, Fragment::layout_type::value,
                        Fragment::shape_type::value);
  }
};

#ifdef __CUDACC__

template <class Op, class T> __device__ __forceinline__ T redux(T value) {
  constexpr fold_operation by = operation_of<Op>;
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

template <bool Butterfly, class T>
__device__ __forceinline__ T shuffled(T const& value, unsigned lane) {
  constexpr int words = (int{sizeof(T)} + 3) / 4;
  unsigned w[words]{};
  memcpy(w, &value, sizeof(T));
  for (unsigned& word : w)
    word = Butterfly ? __shfl_xor_sync(0xffffffffu, word, static_cast<int>(lane))
                     : __shfl_sync(0xffffffffu, word, static_cast<int>(lane));
  return from_bits<T>(w);
}

template <class T, int Count> struct partial_results {
  using value_type = T;
  T at[Count];

  template <bool Copy> __device__ __forceinline__ void fold_into(auto const& op, T* first) const {
    for_each_register<Count>([&](auto r) {
      if constexpr (Copy)
        first[r.value] = at[r.value];
      else
        first[r.value] = call_op(op, first[r.value], at[r.value]);
    });
  }
};

template <class T>
inline constexpr int access_bytes =
    static_cast<int>(greatest_common_divisor(integer{sizeof(T)}, integer{16}));
template <class T>
using access_type = stl::conditional_t<access_bytes<T> == sizeof(T), T,
                                       partial_results<unsigned char, access_bytes<T>>>;

template <integer At, class T>
__device__ __forceinline__ void store_value(unsigned base, T const& value) {
  access_type<T> accesses[sizeof(T) / access_bytes<T>];
  memcpy(accesses, &value, sizeof(T));
  for_each_register<sizeof(T) / access_bytes<T>>([&](auto p) {
    store_shared(displaced<unsigned, At + p.value * access_bytes<T>>{base}, accesses[p.value]);
  });
}
template <class T, integer At> __device__ __forceinline__ T load_value(unsigned base) {
  access_type<T> accesses[sizeof(T) / access_bytes<T>];
  for_each_register<sizeof(T) / access_bytes<T>>([&](auto p) {
    accesses[p.value] =
        load_shared<access_type<T>>(displaced<unsigned, At + p.value * access_bytes<T>>{base});
  });
  return from_bits<T>(accesses);
}

template <class Fragment, int... Dims> struct reduce_execution {
  using T = Fragment::value_type;
  static constexpr reduce_plan plan = reduction<Fragment, Dims...>::plan;
  static constexpr int results = plan.results;
  using partials = T[results];
  /// Results of a thread are adjacent in the scratch, and are stored and loaded as vectors.
  static constexpr int width =
      static_cast<int>(greatest_common_divisor(results, integer{16 / sizeof(T)}));
  static constexpr int vectors = results / width;
  using vector = partial_results<T, width>;
  using group = indices_to<static_cast<int>(plan.reads())>;
  /// Each thread reads all partial results of a result, or after a shared fold only the first one.
  using own_group = stl::conditional_t<(plan.shared_folds == 0), group, indices<0>>;

  /// True if lanes fold 8, 16 or 32 structures by shuffles: 3 to 5 calls of op instead of 7 to 31.
  static constexpr bool folds_structures = element_type_of<T> == element_type::count &&
                                           plan.partials == plan.reads() && plan.partials >= 8 &&
                                           32 % plan.partials == 0;

  struct register_table {
    short into[Fragment::size];
    bool begins_result[Fragment::size];
  };
  AXE_FN static consteval register_table make_table() {
    register_table table{};
    bool begun[results]{};
    for (int r = 0; r < Fragment::size; ++r) {
      int const at = table.into[r] = plan.into.at.at[r];
      if (at < 0) continue;
      table.begins_result[r] = !begun[at];
      begun[at] = true;
    }
    return table;
  }

  /// If Extends, folds into the values of `partial`.
  template <bool Extends>
  __device__ __forceinline__ static void fold_registers(auto const& op, Fragment const& from,
                                                        partials& partial) {
    register_table const table = make_table();
#pragma unroll
    for (int r = 0; r < Fragment::size; ++r) {
      int const at = table.into[r];
      if (at < 0) continue;
      if (!Extends && table.begins_result[r])
        partial[at] = from.registers[r];
      else
        partial[at] = call_op(op, partial[at], from.registers[r]);
    }
  }

  /// J counts the lanes of a result after the first. Idle threads of partial warps read their own
  /// lane.
  template <class Scope, int Round, int... J>
  __device__ __forceinline__ static T fold_round(auto const& op, T const& own, unsigned number,
                                                 indices<J...>) {
    constexpr auto lanes = plan.lanes.at[Round];
    constexpr unsigned divisor = static_cast<unsigned>(lanes.divisor);
    constexpr unsigned extent = static_cast<unsigned>(lanes.extent);
    constexpr bool no_idle_threads = Scope::size % 32 == 0 || plan.threads == Scope::size;
    unsigned const apart =
        no_idle_threads || number < static_cast<unsigned>(as_constant<plan.threads>) ? divisor : 0;
    if constexpr (lanes.butterfly) {
      return call_op(op, own, shuffled<true>(own, apart));
    } else {
      unsigned const first_lane = threadIdx.x % 32 - number / divisor % extent * apart;
      T sum = shuffled<false>(own, first_lane);
      ((sum = call_op(op, sum, shuffled<false>(own, first_lane + (J + 1) * apart))), ...);
      return sum;
    }
  }
  template <int Round, class Op, class Scope>
  __device__ __forceinline__ static void fold_lanes(Op const& op, partials& partial,
                                                    unsigned number, Scope scope) {
    if constexpr (folds_by_redux<Op, T>(plan.lanes_together())) {
      for_each_register<results>(
          [&](auto v) { partial[v.value] = redux<Op, T>(partial[v.value]); });
    } else if constexpr (Round < plan.lanes.count) {
      for_each_register<results>([&](auto v) {
        partial[v.value] = fold_round<Scope, Round>(
            op, partial[v.value], number,
            indices_to<static_cast<int>(plan.lanes.at[Round].extent) - 1>{});
      });
      fold_lanes<Round + 1>(op, partial, number, scope);
    }
  }

  AXE_FN static constexpr list<shared_digit, capacity::shards> join_digits(int count) {
    list<shared_digit, capacity::shards> out;
    for (int k = 0; k < count; ++k) {
      shared_digit const& next = plan.through_shared[k];
      if (out.count > 0 && next.divisor == out.back().divisor * out.back().extent &&
          next.stride == out.back().stride * out.back().extent)
        out.back().extent *= next.extent;
      else
        out.push(next);
    }
    return out;
  }
  template <int Count> static constexpr auto digits = join_digits(Count);
  /// The offset in bytes of the first result. Threads before plan.first_thread get the offset of
  /// number 0.
  template <class Scope, int Count = plan.through_shared.count>
  __device__ __forceinline__ static unsigned offset_in_scratch(unsigned number) {
    constexpr bool wraps = plan.first_thread > begin_on_axis<Scope>(plan.first_thread);
    if (wraps && number >= static_cast<unsigned>(as_constant<plan.threads>)) number = 0;
    return [&]<int... Each>(indices<Each...>) {
      return (0u + ... +
              index_part<unnamed, Scope::size, digits<Count>.at[Each].stride * integer{sizeof(T)},
                         digits<Count>.at[Each].divisor, digits<Count>.at[Each].extent>{number}());
    }(indices_to<digits<Count>.count>{});
  }
  /// True in the first thread with this partial result.
  template <class Scope> __device__ __forceinline__ static bool writes_in(unsigned number) {
    bool const owns =
        Scope::size <= plan.threads || number < static_cast<unsigned>(as_constant<plan.threads>);
    return owns && [&]<int... Each>(indices<Each...>) {
      return ((index_part<unnamed, plan.threads, 1, plan.writers.at[Each].divisor,
                          plan.writers.at[Each].extent>{number}() == 0) &&
              ...);
    }(indices_to<plan.writers.count>{});
  }

  /// Folds the partial results of `Count` adjacent results into `first`. J counts the partial
  /// results of one result.
  template <int Count, integer At, int... J>
  __device__ __forceinline__ static void fold_group(auto const& op, T* first, unsigned base,
                                                    indices<J...>) {
    constexpr integer apart = plan.partials / plan.reads() * integer{sizeof(T)};
    (load_value<partial_results<T, Count>, At + J * apart>(base).template fold_into<(J == 0)>(
         op, first),
     ...);
  }
  template <class Scope>
  __device__ __forceinline__ static void fold_warps(auto const& op, partials& partial,
                                                    unsigned number, unsigned scratch,
                                                    Scope scope) {
    if (writes_in<Scope>(number)) {
      unsigned const base = scratch + offset_in_scratch<Scope>(number);
      for_each_register<vectors>([&](auto v) {
        store_value<integer{v.value * sizeof(vector)}>(
            base, reinterpret_cast<vector const&>(partial[v.value * width]));
      });
    }
    sync(scope);
    if constexpr (plan.shared_folds != 0) {
      // Each thread folds the results `number`, `number` + plan.threads, …
      unsigned const first = scratch + number * static_cast<unsigned>(sizeof(T));
      for_each_register<static_cast<int>(plan.shared_folds)>([&](auto k) {
        constexpr integer begin = k.value * plan.threads, at = begin * integer{sizeof(T)};
        constexpr integer folding = smaller(plan.threads, plan.partials / plan.reads() - begin);
        if (folding >= Scope::size || number < static_cast<unsigned>(folding)) {
          T result;
          fold_group<1, at>(op, &result, first, group{});
          store_value<at>(first, result);
        }
      });
      sync(scope);
    }
    if constexpr (folds_structures && Scope::size % 32 == 0) {
      unsigned const own = threadIdx.x % static_cast<unsigned>(as_constant<plan.partials>);
      partial[0] = load_value<T, 0>(scratch + own * static_cast<unsigned>(sizeof(T)));
      for_each_register<exact_log2(plan.partials)>([&](auto k) {
        partial[0] = call_op(op, partial[0], shuffled<true>(partial[0], 1u << k));
      });
    } else {
      unsigned const base = scratch + offset_in_scratch<Scope, plan.unreduced_digits>(number);
      for_each_register<vectors>([&](auto v) {
        constexpr int first = v.value * width;
        fold_group<width, integer{first * sizeof(T)}>(op, partial + first, base, own_group{});
      });
    }
  }
};

#endif

}  // namespace detail
}  // namespace AXE_NAMESPACE
}  // namespace axe
