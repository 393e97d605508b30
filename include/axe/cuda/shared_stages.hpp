// SPDX-License-Identifier: MIT
// shared_stages: an array of shared tiles, the stages of a pipeline, as one operand.
//
//     __shared__ shared_tile<__half, L> ring[3];
//     tile<16, 64>(ring, warp, 0)           tile (warp, 0) of each stage
//
// Only prepared copies take stages. Definition: docs/index_code.md, "Prepared copies".
#pragma once

#include <axe/cuda/shared_subtile.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// `Count` tiles, Bytes bytes apart. `first` is stage 0.
template <class Tile, unsigned Bytes, unsigned Count> struct shared_stages {
  Tile first;
};
/// A stage, as its distance in bytes from stage 0.
template <unsigned Count, unsigned Bytes> struct stage_offset {
  unsigned bytes = 0;

  AXE_FN constexpr void advance() {
    bytes += Bytes;
    if (bytes == Count * Bytes) bytes = 0;
  }
};

namespace detail {

template <class X> inline constexpr bool is_stage = false;
template <unsigned Count, unsigned Bytes>
inline constexpr bool is_stage<stage_offset<Count, Bytes>> = true;

template <class Tile, unsigned Bytes, unsigned Count>
__device__ __forceinline__ auto stages_of(shared_stages<Tile, Bytes, Count> const& of) {
  return of;
}
template <class T, class L, class S, decltype(sizeof(0)) Stages>
__device__ __forceinline__ auto stages_of(shared_tile<T, L, S> const (&of)[Stages]) {
  return shared_stages<shared_tile_ref<T, L, S>, sizeof(of[0]), Stages>{operand(of[0])};
}
template <class Next, class Tile, unsigned Bytes, unsigned Count>
__device__ __forceinline__ shared_stages<Next, Bytes, Count> with_first(
    shared_stages<Tile, Bytes, Count> const&, Next const& first) {
  return {first};
}

AXE_FN constexpr unsigned loop_number(auto const& n) { return static_cast<unsigned>(n); }
template <auto Value> AXE_FN constexpr unsigned loop_number(constant<Value> n) {
  return as_sum(n)();
}

/// The distance from stage 0. For one tile, Bytes is 0.
template <unsigned Bytes, unsigned Count, class Stage>
__device__ __forceinline__ unsigned bytes_to(Stage const& stage AXE_CALLED_FROM) {
  if constexpr (Bytes == 0) {
    return 0;
  } else if constexpr (is_stage<Stage>) {
    return stage.bytes;
  } else {
#ifdef AXE_DEBUG
    check_index("stage", loop_number(stage), Count, axe_file, axe_line);
#endif
    return loop_number(stage) * Bytes;
  }
}
template <unsigned Bytes, unsigned Count, class Stage> struct stage_check {
  static constexpr bool passed = true;
};
template <unsigned Bytes, unsigned Count, unsigned Stages, unsigned Apart>
struct stage_check<Bytes, Count, stage_offset<Stages, Apart>> {
  static constexpr bool passed = Bytes == 0 || (Bytes == Apart && Stages <= Count);
  static_assert(passed, "the stage must come from first_stage() of the copy's own array of tiles");
};
template <unsigned Bytes, unsigned Count, auto Value>
struct stage_check<Bytes, Count, constant<Value>> {
  static constexpr bool passed = Bytes == 0 || loop_number(constant<Value>{}) < Count;
  static_assert(passed, "the array has no such stage: its stages are counted from 0");
};

}  // namespace detail

template <class X>
concept stages_in_shared_memory = requires(X const& x) { detail::stages_of(x); };

/// Stage 0: `auto stage = first_stage(ring); …; stage.advance();`
template <class T, class L, class S, decltype(sizeof(0)) Stages>
__device__ __forceinline__ stage_offset<Stages, sizeof(shared_tile<T, L, S>)> first_stage(
    shared_tile<T, L, S> const (&)[Stages]) {
  return {};
}
template <integer... Extents, stages_in_shared_memory Stages, class... Numbers>
__device__ __forceinline__ auto tile(Stages const& of, Numbers const&... numbers) {
  using namespace detail;
  auto const all = stages_of(of);
  using whole = operand_type<decltype(all.first)>;
  constexpr int rank = whole::shape_type::value.rank();
  using ranks = tile_rank_check<rank, sizeof...(Numbers), Extents...>;
  verdict<ranks>::passes();
  if constexpr (ranks::why()) {
    return all;
  } else {
    // Checked here, because the nested call's message would name lines of axe first.
    if constexpr (((Extents > 0) && ...))
      verdict<subtile_of<typename whole::layout_type, typename whole::shape_type,
                         extents_as_written<Extents...>>>::passes();
    return with_first(all, axe::tile<Extents...>(all.first, numbers...));
  }
}
template <int... Order, stages_in_shared_memory Stages>
__device__ __forceinline__ auto permuted(Stages const& of) {
  auto const all = detail::stages_of(of);
  return detail::with_first(all, permuted<Order...>(all.first));
}
template <stages_in_shared_memory Stages>
__device__ __forceinline__ auto transposed(Stages const& of) {
  return permuted<1, 0>(of);
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
