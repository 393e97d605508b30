// SPDX-License-Identifier: MIT
// Prepared copies by tensor maps (TMA).
//
//     auto const fill = prepare_copy_async<1>(mapped_tile, ring, warp);
//     fill(k, stage, barrier);      loads tile k into the stage; the barrier counts its bytes
//
// Definition: docs/index_code.md, "Prepared copies".
#pragma once

#include <axe/cuda/copy/prepared.hpp>
#include <axe/cuda/copy/tensor_copy.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {

namespace detail {
template <bool Load, class Step, class Stage, class... Barrier>
struct tensor_numbers_check : numbers_check<2, true, Step, Stage> {
  static constexpr bool barrier_fits =
      stl::is_same_v<void(Barrier...), stl::conditional_t<Load, void(mbarrier), void()>>;
  static_assert(barrier_fits,
                "a prepared load takes its mbarrier, fill(step, stage, bars[0]); a prepared store "
                "takes none");
  static constexpr bool passed = numbers_check<2, true, Step, Stage>::passed && barrier_fits;
};

template <class Case, bool Load, class Scope, class Tiles, class Stages>
struct prepared_tensor_copy {
  using operand = prepared_operand<0, Stages>;
  tensor_map const& map;
  Tiles tiles;
  Stages stages;
#ifdef AXE_DEBUG
  char const* axe_file;
  int axe_line;
#endif

  template <class Step, class Stage, class... Barrier,
            bool Fits = tensor_numbers_check<Load, Step, Stage, Barrier...>::passed &&
                        stage_check<operand::stage_bytes, operand::stages, Stage>::passed>
  __device__ __forceinline__ void operator()(Step step, Stage stage, Barrier... barrier) const {
    auto const tile = tiles.at(loop_number(step));
    if constexpr (Fits && !Case::refused)
      if (thread_id(Scope{}) == 0)
        issue_tensor<Case>(map, tile.origins,
                           stages.first.address +
                               bytes_to<operand::stage_bytes, operand::stages>(stage AXE_CALLER),
                           mbarrier{barrier...}, typename Case::loops() AXE_CALLER);
  }
  template <class Step, bool = numbers_check<2, true, Step>::passed>
  __device__ void operator()(Step) const {}
};
}  // namespace detail

/// Prepares tensor loads: fill(step, stage, barrier).
template <int Along = -1, packed_how How = copy_how{}, class Tile, stages_in_shared_memory Stages,
          class Scope = detail::no_scope>
__device__ __forceinline__ auto prepare_copy_async(
    mapped_tile<Tile> const& from, Stages const& to, Scope = {} AXE_CALLED_FROM) {
  using namespace detail;
  if constexpr (!can_prepare<Along, Tile, Stages, Scope>) {
    return preparation_result<Along, Tile, Stages, Scope>();
  } else {
    using planned = prepared_case<Along, operand_type<Tile>, prepared_type<Stages const>, Scope,
                                  as_mapped(How, true)>;
    case_result<planned, Scope>();
    return prepared_tensor_copy<planned, true, Scope, advancing_tile<Along, operand_type<Tile>>,
                                prepared_type<Stages const>>{
        from.map, {from.tile}, stages_of(to) AXE_CALLER};
  }
}
/// Prepares tensor stores and reductions: drain(step, stage). The caller commits and waits.
template <int Along = -1, packed_how How = copy_how{}, stages_in_shared_memory Stages, class Tile,
          class Scope = detail::no_scope>
__device__ __forceinline__ auto prepare_copy_async(
    Stages const& from, mapped_tile<Tile> const& to, Scope = {} AXE_CALLED_FROM) {
  using namespace detail;
  if constexpr (!can_prepare<Along, Stages, Tile, Scope>) {
    return preparation_result<Along, Stages, Tile, Scope>();
  } else {
    using planned = prepared_case<Along, prepared_type<Stages const>, operand_type<Tile>, Scope,
                                  as_mapped(How, false)>;
    case_result<planned, Scope>();
    return prepared_tensor_copy<planned, false, Scope, advancing_tile<Along, operand_type<Tile>>,
                                prepared_type<Stages const>>{
        to.map, {to.tile}, stages_of(from) AXE_CALLER};
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
