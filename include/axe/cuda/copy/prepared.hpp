// SPDX-License-Identifier: MIT
// prepare_copy(from, to, scope): a copy that is partitioned once and executed in a loop.
//
//     auto const fill = axe::prepare_copy_async<1>(axe::tile<64, 64>(x, row, 0), ring, cta<128>);
//     fill(k, stage);       copies x's tile (row, k) to the stage; <1>: k counts along dimension 1
//     auto const read = axe::prepare_copy(axe::tile<16, 64>(ring, warp, 0), a, axe::warp);
//     read(stage);          stage: a number, or a stage_offset, which saves a multiplication
//
// A call computes one product for a tensor and one for stages. docs/index_code.md.
#pragma once

#include <axe/cuda/copy/tensor.hpp>
#include <axe/cuda/shared_stages.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

/// A tile of a tensor that advances tile by tile along a dimension.
template <int Along, class Tile> struct advancing_tile;
template <int Along, class T, class Sized, integer A, class S, class... Origins>
struct advancing_tile<Along, tensor_tile<T, Sized, A, S, Origins...>> {
  using tile_type = tensor_tile<T, Sized, A, S, Origins...>;
  static constexpr integer extent = S::value.nodes.value(Along + 1);
  tile_type first;

  __device__ __forceinline__ auto at(unsigned step) const {
    return advanced(step, indices_to<static_cast<int>(sizeof...(Origins))>{});
  }

 private:
  template <int D, class Sum>
  __device__ __forceinline__ static auto further(Sum const& origin,
                                                 [[maybe_unused]] unsigned step) {
    if constexpr (D == Along)
      return origin + index_part<unnamed, 0, extent>{step};
    else
      return origin;
  }
  template <int... D> __device__ __forceinline__ auto advanced(unsigned step, indices<D...>) const {
    return tensor_tile<T, Sized, A, S, decltype(further<D>(sum_number<D>(first.origins), step))...>{
        first.data, first.sizes, keep(further<D>(sum_number<D>(first.origins), step)...)};
  }
};

/// An operand of a prepared copy. type: the operand of the plan. steps: calls take a step.
/// stage_bytes: the distance between stages, or 0.
template <int Along, class Fragment> struct prepared_operand {
  using type = Fragment;
  static constexpr bool steps = false;
  static constexpr unsigned stage_bytes = 0;
};
/// A tile of shared memory is one stage of 0 bytes.
template <int Along, class Tile, unsigned Bytes>
struct prepared_operand<Along, shared_stages<Tile, Bytes>> {
  using type = Tile;
  static constexpr bool steps = false;
  static constexpr unsigned stage_bytes = Bytes;
};
template <int Along, class T, class Sized, integer A, class S, class... Origins>
struct prepared_operand<Along, tensor_tile<T, Sized, A, S, Origins...>> {
  static_assert(Along >= 0 && Along < static_cast<int>(sizeof...(Origins)),
                "name the dimension along which the tensor advances: prepare_copy<1>(…)");
  using advancing = advancing_tile<Along, tensor_tile<T, Sized, A, S, Origins...>>;
  using type = decltype(static_cast<advancing const*>(nullptr)->at(0));
  static constexpr bool steps = true;
  static constexpr unsigned stage_bytes = 0;
};

/// Addresses in one stage, `further` bytes behind those of the first. The distance is added last, so
/// that a loop adds only it.
template <class Place> struct staged_place {
  Place of_first;
  unsigned further;
  template <int Issue> __device__ __forceinline__ auto at() const {
    return of_first.template at<Issue>().from(further);
  }
};

/// One side of a prepared copy. at(step, bytes) is the side of one call, for the stage that begins
/// at `bytes`. tile(step) is the tile whose bounds guard the accesses of that call.
template <class Case, bool From, int Along, class X> struct prepared_side {
  X& fragment;
  unsigned thread;

  __device__ __forceinline__ prepared_side(X& f, unsigned number) : fragment(f), thread(number) {}
  __device__ __forceinline__ auto at(unsigned, unsigned) const {
    return register_side<Case, X>(fragment, thread);
  }
  __device__ __forceinline__ X& tile(unsigned) const { return fragment; }
};
template <class Case, bool From, int Along, class Tile, unsigned Bytes>
struct prepared_side<Case, From, Along, shared_stages<Tile, Bytes>> {
  using place = decltype(shared_layout<Case, From>::place(0u, 0u));
  Tile first;
  place where;

  __device__ __forceinline__ prepared_side(shared_stages<Tile, Bytes> const& all, unsigned thread)
      : first(all.first), where(shared_layout<Case, From>::place(first.address, thread)) {
    // One value in a register. Otherwise the optimiser adds the tile's start again in the loop.
    asm("" : "+r"(where.bound.sum));
  }
  __device__ __forceinline__ auto at(unsigned, unsigned further) const {
    return shared_accesses<Case, staged_place<place>>{{where, further}};
  }
  __device__ __forceinline__ Tile const& tile(unsigned) const { return first; }
};
/// A side whose accesses are equally far apart, so that one product of a dynamic stride serves all.
/// All accesses must execute, in order.
template <class Side> struct stepping_side {
  using pointer_type = decltype(static_cast<Side const*>(nullptr)->pointer(constant<0>{}));
  pointer_type first;
  stl::uint64_t apart;  // bytes
  mutable pointer_type last = nullptr;

  template <int Issue> __device__ __forceinline__ pointer_type pointer(constant<Issue>) const {
    using byte = typename decltype(Side::where)::byte;
    last =
        Issue == 0 ? first : reinterpret_cast<pointer_type>(reinterpret_cast<byte*>(last) + apart);
    return last;
  }
};
template <class Case, class Side> AXE_FN constexpr bool steps_equally() {
  if constexpr (by_steps_alone<Side> && Case::plan.issues > 2) {
    auto const one = Side::step(1).after(Side::step(0));
    for (integer issue = 2; issue < Case::plan.issues; ++issue) {
      auto const next = Side::step(issue).after(Side::step(issue - 1));
      if (next.immediate != one.immediate || !next.same_strides(one)) return false;
    }
    return !one.same_strides({});
  } else {
    return false;
  }
}
template <class Case> AXE_FN constexpr bool executes_all() {
  return Case::plan.asynchronous() && Case::plan.threads == Case::plan.scope &&
         (Case::plan.outside == copy_outside::zero
              ? copy_guard<Case, false, true>::tests::count == 0
              : copy_guard<Case, true, true>::tests::count == 0);
}

template <class Case, bool From, int Along, class T, class Sized, integer A, class S,
          class... Origins>
struct prepared_side<Case, From, Along, tensor_tile<T, Sized, A, S, Origins...>> {
  using advancing = advancing_tile<Along, tensor_tile<T, Sized, A, S, Origins...>>;
  using side =
      global_side<Case, typename prepared_operand<Along, typename advancing::tile_type>::type>;
  static constexpr bool stepping = From && executes_all<Case>() && steps_equally<Case, side>();
  advancing tiles;
  side first;
  stl::uint64_t apart = 0;

  __device__ __forceinline__ prepared_side(typename advancing::tile_type const& tile,
                                           unsigned thread)
      : tiles{tile}, first(tiles.at(0), thread) {
    if constexpr (Case::plan.asynchronous())  // cp.async takes a generic pointer
      keep_whole(first.where.here);
    else
      keep_global(first.where.here);
    if constexpr (stepping) {
      apart = static_cast<stl::uint64_t>(
          reinterpret_cast<char const*>(first.where.moved_by(side::step(1))) -
          reinterpret_cast<char const*>(first.where.moved_by(side::step(0))));
      keep_whole(apart);
    }
  }
  __device__ __forceinline__ auto at(unsigned step, unsigned) const {
    side moved = first;
    moved.where.template advance_by<Along, advancing::extent>(step);
    if constexpr (stepping) {
      auto* begin = moved.where.moved_by(side::step(0));
      keep_whole(begin);
      return stepping_side<side>{begin, apart};
    } else {
      return moved;
    }
  }
  __device__ __forceinline__ auto tile(unsigned step) const { return tiles.at(step); }
};

template <class X> struct prepared_argument {
  using type = stl::remove_const_t<X>;
};
template <class T, class P, class S> struct prepared_argument<fragment<T, P, S> const> {
  using type = fragment<T, P, S> const;
};

/// The operand that a prepared copy keeps: fragments by reference, stages and tiles by value.
template <class X> __device__ __forceinline__ decltype(auto) prepared_of(X& x) {
  if constexpr (is_stages<stl::remove_const_t<X>>)
    return stages_of(x);
  else if constexpr (tile_in_shared_memory<stl::remove_const_t<X>>)
    return shared_stages<operand_type<X>, 0>{operand(x)};
  else
    return operand(x);
}
template <class X>
using prepared_type = stl::remove_cvref_t<decltype(prepared_of(*static_cast<X*>(nullptr)))>;

template <class Case>
using prepared_execution =
    stl::conditional_t<Case::plan.asynchronous(), async_execution<Case>, execution_of<Case>>;

/// A prepared copy is called as copy(step, stage): with `step` if a side is a tensor, with `stage`
/// if a side is an array of tiles.
template <class Case, int Along, class From, class To> class prepared_copy {
  using source_operand = prepared_operand<Along, stl::remove_const_t<From>>;
  using target_operand = prepared_operand<Along, stl::remove_const_t<To>>;
  static constexpr bool steps = source_operand::steps || target_operand::steps;
  static constexpr unsigned of_source = source_operand::stage_bytes,
                            of_target = target_operand::stage_bytes;
  static constexpr int numbers = int{steps} + int{of_source + of_target != 0};
  unsigned thread;
  prepared_side<Case, true, Along, From> source;
  prepared_side<Case, false, Along, To> target;

  template <class Stage>
  __device__ __forceinline__ void execute(unsigned step, Stage const& stage) const {
    auto&& from = source.tile(step);
    auto&& to = target.tile(step);
    execute_sides<Case>(prepared_execution<Case>{}, source.at(step, bytes_to<of_source>(stage)),
                        target.at(step, bytes_to<of_target>(stage)), from, to, thread);
  }

 public:
  template <class F, class T, class Scope>
  __device__ __forceinline__ prepared_copy(F& from, T& to, Scope scope)
      : thread(number_in<Case>(scope)), source(from, thread), target(to, thread) {}

  template <class First> __device__ __forceinline__ void operator()(First const& first) const {
    static_assert(numbers == 1, "this prepared copy takes a step and a stage");
    if constexpr (steps)
      execute(static_cast<unsigned>(first), 0u);
    else
      execute(0, first);
  }
  template <class Step, class Stage>
  __device__ __forceinline__ void operator()(Step const& step, Stage const& stage) const {
    static_assert(numbers == 2,
                  "this prepared copy takes one number: no side is a tensor, or none "
                  "an array of tiles");
    execute(static_cast<unsigned>(step), stage);
  }
};

/// The copy_case of a prepared copy. From and To have no const.
template <int Along, class From, class To, class Scope, copy_how How>
using prepared_case = copy_case<typename prepared_operand<Along, From>::type,
                                typename prepared_operand<Along, To>::type, Scope::size, How,
                                partition_by_planner, are_groups<Scope>>;

template <int Along, copy_how How, class From, class To, class Scope>
__device__ __forceinline__ auto prepare(From& from, To& to, Scope scope) {
  using how = prepared_case<Along, stl::remove_const_t<From>, stl::remove_const_t<To>, Scope, How>;
  using stop [[maybe_unused]] = typename verdict<how>::stop;
  return prepared_copy<how, Along, typename prepared_argument<From>::type,
                       typename prepared_argument<To>::type>(from, to, scope);
}

}  // namespace detail

/// Prepares copy(from, to, scope). Along: the dimension along which a tensor advances tile by tile.
template <int Along = -1, packed_how How = copy_how{}, class From, class To,
          class Scope = detail::no_scope>
__device__ __forceinline__ auto prepare_copy(From const& from, To&& to, Scope scope = {}) {
  auto&& source = detail::prepared_of(from);
  auto&& target = detail::prepared_of(to);
  if constexpr (detail::scope_check<Scope>::passed)
    return detail::prepare<Along, How>(source, target, scope);
}
/// Prepares copy_async(from, to, scope) by cp.async. The caller commits and waits.
template <int Along = -1, packed_how How = copy_how{}, class From, class To,
          class Scope = detail::no_scope>
__device__ __forceinline__ auto prepare_copy_async(From const& from, To const& to,
                                                   Scope scope = {}) {
  auto&& source = detail::prepared_of(from);
  auto&& target = detail::prepared_of(to);
  constexpr copy_how given = How;
  constexpr copy_how in_groups =
      detail::asked<given>(given.force, given.outside, copy_completion::group);
  if constexpr (detail::scope_check<Scope>::passed)
    return detail::prepare<Along, in_groups>(source, target, scope);
}

namespace detail {
template <class Case, class Scope, class Tiles, class Stages> struct prepared_tensor_copy {
  tensor_map const& map;
  Tiles tiles;
  Stages stages;

  /// `step` selects the tile. A load also takes the barrier that counts its bytes.
  template <class Step, class Stage, class... Barrier>
  __device__ __forceinline__ void operator()(Step const& step, Stage const& stage,
                                             Barrier... barrier) const {
    auto const tile = tiles.at(static_cast<unsigned>(step));
    using tile_type = stl::remove_cvref_t<decltype(tile)>;
    if (thread_in(Scope{}) == 0)
      issue_tensor<Case>(mapped_tile<tile_type>{map, tile},
                         stages.first.address + bytes_to<Stages::bytes>(stage),
                         indices_to<copy_operand<tile_type>::rank>{}, barrier...);
  }
};
}  // namespace detail

/// Prepares tensor loads: fill(step, stage, barrier).
template <int Along, packed_how How = copy_how{}, class Tile, class Stages, class Scope>
__device__ __forceinline__ auto prepare_copy_async(mapped_tile<Tile> const& from, Stages const& to,
                                                   Scope) {
  using how =
      detail::prepared_case<Along, Tile, detail::prepared_type<Stages const>, Scope,
                            detail::as_mapped<How>(copy_outside::zero, copy_completion::barrier)>;
  using stop [[maybe_unused]] = typename detail::verdict<how>::stop;
  return detail::prepared_tensor_copy<how, Scope, detail::advancing_tile<Along, Tile>,
                                      detail::prepared_type<Stages const>>{
      from.map, {from.tile}, detail::stages_of(to)};
}
/// Prepares tensor stores and reductions: drain(step, stage).
template <int Along, packed_how How = copy_how{}, class Stages, class Tile, class Scope>
__device__ __forceinline__ auto prepare_copy_async(Stages const& from, mapped_tile<Tile> const& to,
                                                   Scope) {
  using how =
      detail::prepared_case<Along, detail::prepared_type<Stages const>, Tile, Scope,
                            detail::as_mapped<How>(copy_outside::skip, copy_completion::group)>;
  using stop [[maybe_unused]] = typename detail::verdict<how>::stop;
  return detail::prepared_tensor_copy<how, Scope, detail::advancing_tile<Along, Tile>,
                                      detail::prepared_type<Stages const>>{
      to.map, {to.tile}, detail::stages_of(from)};
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
