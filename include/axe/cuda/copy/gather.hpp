// SPDX-License-Identifier: MIT
// gather and scatter: copies of tiles whose rows lie at coordinates that an index names.
//
//     axe::gather<0>(axe::tile<16, 64>(x, 0, j), axe::cta<128>, staged,
//                    [&](unsigned i) { return table[i]; });       page tables, rows of an expert
//
// Row i of the tile is row index(i) of the tensor; the tile's own number along that dimension does
// not matter. Rows whose index is below 0 are skipped, or zero with axe::zero_fill.
// Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/copy/copy_if.hpp>

#if defined(__CUDACC__) || defined(__CUDACC_RTC__)

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int D, class Tile, class Index> struct indexed_tile {
  Tile tile;
  Index const& index;
};

template <int D, class T, class Sized, integer Alignment, class S, class... Origins, class Index>
struct copy_operand<indexed_tile<D, tensor_tile<T, Sized, Alignment, S, Origins...>, Index>>
    : copy_operand<tensor_tile<T, Sized, Alignment, S, Origins...>> {
  using base = copy_operand<tensor_tile<T, Sized, Alignment, S, Origins...>>;
  static constexpr leaf stride = Sized::template stride<D>();

  /// Rows may lie anywhere: their distance is only known to be a multiple of the stride's divisor.
  AXE_FN static constexpr operand_facts make() {
    operand_facts f = base::facts;
    int at = 0;
    for (int d = 0; d < D; ++d) at += S::value.nodes.value(d + 1) > 1;
    if (S::value.nodes.value(D + 1) > 1)
      f.where.shards[at].stride = stride.divisor() * ((integer{1} << 26) + 1);
    f.alignment = greatest_common_divisor(f.alignment, stride.divisor() * integer{sizeof(T)});
    f.alignment &= -f.alignment;
    f.edges[D] = 0;
    return f;
  }
  static constexpr operand_facts facts = make();
  AXE_FN static constexpr bool may_be_below(int d) { return d != D && base::may_be_below(d); }
};

/// A side in global memory with a product for each indexed row.
template <class Case, bool From, class Tile> struct indexed_side;
template <class Case, bool From, int D, class T, class Sized, integer A, class S, class... Origins,
          class Index>
struct indexed_side<Case, From, indexed_tile<D, tensor_tile<T, Sized, A, S, Origins...>, Index>>
    : global_accesses<
          indexed_side<Case, From, indexed_tile<D, tensor_tile<T, Sized, A, S, Origins...>, Index>>,
          typename Case::element, Case::plan.cache> {
  using tile_type = tensor_tile<T, Sized, A, S, Origins...>;
  static constexpr int rank = sizeof...(Origins);

  template <int Dimension>
  __device__ __forceinline__ static auto sum(tile_type const& tile, unsigned thread) {
    if constexpr (Dimension == D)
      return coordinate_sum<0>{};
    else
      return sum_number<Dimension>(tile.origins) + tile_coordinate<Case, Dimension>(thread);
  }
  template <int... Dimension>
  __device__ __forceinline__ static auto fixed(tile_type const& tile, unsigned thread,
                                               indices<Dimension...> all) {
    T* data = tile.data;
    ((data = moved_to<Dimension, stl::conditional_t<Dimension == D, coordinate_sum<0>, Origins>>(
          data, tile.sizes, number_of(sum<Dimension>(tile, thread)))),
     ...);
    return bind_steps(data, tile.sizes, all,
                      planned_part<stl::conditional_t<Dimension == D, coordinate_sum<0>, Origins>>(
                          sum<Dimension>(tile, thread))...);
  }
  using place = decltype(fixed(*static_cast<tile_type const*>(nullptr), 0u, indices_to<rank>{}));
  place where;
  Sized const& sizes;
  Index const& index;
  unsigned thread;

  template <class Tile>
  __device__ __forceinline__ indexed_side(Tile const& of, unsigned number)
      : where(fixed(of.tile, number, indices_to<rank>{})),
        sizes(of.tile.sizes),
        index(of.index),
        thread(number) {}

  template <int Issue> __device__ __forceinline__ T* pointer(constant<Issue>) const {
    auto const row =
        index(tile_coordinate<Case, D>(thread)() +
              static_cast<unsigned>(as_constant<dimension_step(Case::plan, D, Issue)>));
    using number = stl::remove_const_t<decltype(row)>;
    integer const stride = sizes.template leaf_number<Sized::template stride<D>()>();
    T* const in_row = steps<Issue>(indices_to<rank>{});
    if constexpr (sizeof(number) == 4 && sizes_in_32_bits)
      return in_row +
             static_cast<stl::uint64_t>(static_cast<unsigned>(row)) * static_cast<unsigned>(stride);
    else
      return in_row + static_cast<integer>(row) * stride;
  }

 private:
  static constexpr leaf stride_of = Sized::template stride<D>();
  static constexpr bool sizes_in_32_bits =
      stride_of.factor() == 1 &&
      (stride_of.known() ? stride_of.value >> 32 == 0
                         : stride_of.bound > 0 && stride_of.bound <= integer{1} << 32);
  template <int Issue, int... Dimension>
  __device__ __forceinline__ T* steps(indices<Dimension...>) const {
    return where.template at<(Dimension == D ? integer{0}
                                             : dimension_step(Case::plan, Dimension, Issue))...>();
  }
};
template <class Case, bool From, int D, class Tile, class Index>
struct side_of<Case, From, indexed_tile<D, Tile, Index>> {
  using type = indexed_side<Case, From, indexed_tile<D, Tile, Index>>;
};

template <int D, class Index> struct row_in_bounds {
  Index const& index;

  template <class First, class... Rest>
  __device__ __forceinline__ bool operator()(First first, Rest... rest) const {
    if constexpr (D == 0)
      return static_cast<int>(index(first)) >= 0;
    else
      return row_in_bounds<D - 1, Index>{index}(rest...);
  }
};

/// Guards need the tile itself (copy_if.hpp).
template <int D, class Tile, class Index>
AXE_FN constexpr Tile const& tile_behind(indexed_tile<D, Tile, Index> const& x) {
  return x.tile;
}

}  // namespace detail

/// Copies the rows of a tensor that index(0), index(1), … name to a tile.
template <int D, copy_how How = copy_how{}, class Tile, class Scope, class To, class Index>
__device__ __forceinline__ void gather(Tile const& from, Scope scope, To&& to, Index const& index) {
  using indexed = detail::indexed_tile<D, Tile, Index>;
  using how = detail::case_without_matrices<indexed, To, Scope, How>;
  indexed const source{from, index};
  auto&& target = detail::operand(to);
  detail::execute_chosen<how>(source, target, scope, detail::row_in_bounds<D, Index>{index});
}
/// Copies a tile to the rows of a tensor that index(0), index(1), … name.
template <int D, copy_how How = copy_how{}, class From, class Scope, class Tile, class Index>
__device__ __forceinline__ void scatter(From const& from, Scope scope, Tile const& to,
                                        Index const& index) {
  using indexed = detail::indexed_tile<D, Tile, Index>;
  using how = detail::case_without_matrices<From, indexed, Scope, How>;
  indexed const target{to, index};
  auto&& source = detail::operand(from);
  detail::execute_chosen<how>(source, target, scope, detail::row_in_bounds<D, Index>{index});
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
