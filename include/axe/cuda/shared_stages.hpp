// SPDX-License-Identifier: MIT
// shared_stages: an array of shared tiles, the stages of a pipeline, as one operand.
//
//     __shared__ shared_tile<__half, L> ring[3];
//     tile<16, 64>(ring, warp, 0)           tile (warp, 0) of each stage
//
// Only prepared copies take stages. Definition: docs/index_code.md, "Prepared copies".
#pragma once

#include <axe/cuda/shared_tile.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

/// `Count` tiles, Bytes bytes apart. `first` is stage 0.
template <class Tile, unsigned Bytes, unsigned Count> struct shared_stages {
  Tile first;
};
/// A stage as its distance in bytes from stage 0, so that a prepared copy need not multiply.
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
/// The number of a step or stage, from an integer or a constant.
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
namespace detail {
template <class X> __device__ __forceinline__ auto first_tile(X const& of) {
  if constexpr (stages_in_shared_memory<X>)
    return stages_of(of).first;
  else
    return operand(of);
}
template <class Next, class Tile, unsigned Bytes, unsigned Count>
__device__ __forceinline__ shared_stages<Next, Bytes, Count> stages_from(
    Next const& first, shared_stages<Tile, Bytes, Count> const&) {
  return {first};
}
/// `part` of the tile, or of each stage.
template <class X> __device__ __forceinline__ auto part_of_each(X const& of, auto const& part) {
  if constexpr (stages_in_shared_memory<X>)
    return stages_from(part, stages_of(of));
  else
    return part;
}
}  // namespace detail

template <class X>
concept tiles_in_shared_memory = tile_in_shared_memory<X> || stages_in_shared_memory<X>;

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
