// SPDX-License-Identifier: MIT
// shared_stages: an array of tiles in shared memory, the stages of a pipeline, as one operand.
//
//     __shared__ axe::shared_tile<__half, L> ring[3];
//     axe::tile<16, 64>(ring, warp, 0)      tile (warp, 0) of each of the 3 stages
//
// Stage k begins k * Bytes bytes after stage 0. Only prepared copies (cuda/copy/prepared.hpp) take
// stages. Definition: docs/index_code.md, "Prepared copies".
#pragma once

#include <axe/cuda/shared_subtile.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

template <class Tile, unsigned Bytes> struct shared_stages {
  static constexpr unsigned bytes = Bytes;
  Tile first;
};
/// One of Count stages, as its distance in bytes from stage 0. advance() needs no multiplication.
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

template <class Tile, unsigned Bytes>
__device__ __forceinline__ shared_stages<Tile, Bytes> stages_of(
    shared_stages<Tile, Bytes> const& of) {
  return of;
}
template <class T, class L, class S, decltype(sizeof(0)) N>
__device__ __forceinline__ auto stages_of(shared_tile<T, L, S> const (&of)[N]) {
  return shared_stages<shared_tile_ref<T, L, S>, sizeof(of[0])>{operand(of[0])};
}
template <class Next, class Tile, unsigned Bytes>
__device__ __forceinline__ shared_stages<Next, Bytes> with_first(shared_stages<Tile, Bytes> const&,
                                                                 Next const& first) {
  return {first};
}

/// The distance in bytes from stage 0. Bytes is 0 for an operand without stages.
template <unsigned Bytes> __device__ __forceinline__ unsigned bytes_to(auto const& stage) {
  return static_cast<unsigned>(stage) * Bytes;
}
template <unsigned Bytes, unsigned Count, unsigned Apart>
__device__ __forceinline__ unsigned bytes_to(stage_offset<Count, Apart> const& stage) {
  static_assert(Bytes == 0 || Bytes == Apart,
                "the stage must come from first_stage() of the copy's own array of tiles");
  return Bytes == 0 ? 0 : stage.bytes;
}

}  // namespace detail

template <class X>
concept stages_in_shared_memory = requires(X const& x) { detail::stages_of(x); };

/// The first stage of an array of tiles: `auto stage = first_stage(ring); …; stage.advance();`
template <class T, class L, class S, decltype(sizeof(0)) N>
__device__ __forceinline__ stage_offset<N, sizeof(shared_tile<T, L, S>)> first_stage(
    shared_tile<T, L, S> const (&)[N]) {
  return {};
}
/// Tile (i, j) of every stage.
template <integer Rows, integer Columns, stages_in_shared_memory Stages, class Row, class Column>
__device__ __forceinline__ auto tile(Stages const& of, Row const& i, Column const& j) {
  auto const all = detail::stages_of(of);
  return detail::with_first(all, tile<Rows, Columns>(all.first, i, j));
}
/// Every stage with dimension Order[k] as dimension k.
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
