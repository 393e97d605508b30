// SPDX-License-Identifier: MIT
// gather, gather_async and scatter: copies of tiles whose rows are selected by an index.
//
//     axe::gather<0>(axe::tile<16, 64>(x, 0, j), axe::cta<128>, staged,
//                    [&](unsigned i) { return table[i]; });       page tables, rows of an expert
//
// Row i of the tile is row index(i) of the tensor. <0> names the dimension of rows; the tile's
// number along it is not used. Rows whose index is below 0 are skipped, or 0 with axe::zero_fill.
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

  /// Two selected rows have any distance. The planner knows only that it is a multiple of the
  /// stride's divisor.
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

/// A side in global memory that computes index(i) * stride for each selected row.
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
  __device__ __forceinline__ static auto bound(tile_type const& tile, unsigned thread,
                                               indices<Dimension...> all) {
    T* data = tile.data;
    ((data = moved_to<Dimension, stl::conditional_t<Dimension == D, coordinate_sum<0>, Origins>>(
          data, tile.sizes, number_of(sum<Dimension>(tile, thread)))),
     ...);
    return bind_steps(data, tile.sizes, all,
                      planned_part<stl::conditional_t<Dimension == D, coordinate_sum<0>, Origins>>(
                          sum<Dimension>(tile, thread))...);
  }
  using place = decltype(bound(*static_cast<tile_type const*>(nullptr), 0u, indices_to<rank>{}));
  place where;
  Sized const& sizes;
  Index const& index;
  unsigned thread;

  template <class Tile>
  __device__ __forceinline__ indexed_side(Tile const& of, unsigned number)
      : where(bound(of.tile, number, indices_to<rank>{})),
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
    if constexpr (sizeof(number) == 4 && bytes_in_32_bits)
      return reinterpret_cast<T*>(
          reinterpret_cast<byte*>(in_row) +
          static_cast<stl::uint64_t>(static_cast<unsigned>(row)) *
              (static_cast<unsigned>(stride) * static_cast<unsigned>(sizeof(T))));
    else
      return in_row + static_cast<integer>(row) * stride;
  }

 private:
  static constexpr leaf stride_of = Sized::template stride<D>();
  using byte = stl::conditional_t<stl::is_const_v<T>, char const, char>;
  static constexpr integer longest = (integer{1} << 32) / sizeof(T);
  static constexpr bool bytes_in_32_bits =
      stride_of.known()
          ? stride_of.value >= 0 && stride_of.value < longest
          : stride_of.factor() == 1 && stride_of.bound > 0 && stride_of.bound <= longest;
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

/// False for an index below 0, which selects no row. Unsigned 32-bit indices are converted to int.
template <class Number> __device__ __forceinline__ bool names_row(Number row) {
  using as_signed = stl::conditional_t<(sizeof(Number) > 4), integer, int>;
  return static_cast<as_signed>(row) >= 0;
}
template <int D, class Index> struct row_in_bounds {
  Index const& index;

  template <class First, class... Rest>
  __device__ __forceinline__ bool operator()(First first, Rest... rest) const {
    if constexpr (D == 0)
      return names_row(index(first));
    else
      return row_in_bounds<D - 1, Index>{index}(rest...);
  }
};

template <class Case, int D, class From, class To, class Loads, class Stores, class Index>
struct async_gather {
  using run = async_execution<Case>;
  From const& from;
  To const& to;
  Loads const& loads;
  Stores const& stores;
  Index const& index;
  unsigned thread;

  template <int Issue> __device__ __forceinline__ void issue() const {
    constexpr auto tested = tests_of<typename Stores::tests, Issue>;
    constexpr auto read = issue_of<From, Issue>;
    if (!stores.in_bounds(tested)) return;
    bool const there =
        names_row(index(tile_coordinate<Case, D>(thread)() +
                        static_cast<unsigned>(as_constant<dimension_step(Case::plan, D, Issue)>)));
    if constexpr (run::plan.cache != cache_hint::none) {
      unsigned bytes = there ? static_cast<unsigned>(run::bytes) : 0;
      if constexpr (run::zero) bytes = there ? run::template read_bytes<Issue>(loads) : 0u;
      if (run::zero || there)
        cp_async<run::bytes>(to.where.template at<Issue>(), from.pointer(read), bytes,
                             policy_of<run::plan.cache>());
    } else if constexpr (run::zero)
      cp_async<run::bytes>(to.where.template at<Issue>(), from.pointer(read),
                           there ? run::template read_bytes<Issue>(loads) : 0u);
    else if (there)
      cp_async<run::bytes>(to.where.template at<Issue>(), from.pointer(read));
  }
  template <int... Issue> __device__ __forceinline__ void issue_all(indices<Issue...>) const {
    (issue<Issue>(), ...);
  }
};
template <class Case, int D, class From, class To, class Loads, class Stores, class Index>
__device__ __forceinline__ void gather_by_cp_async(From const& from, To const& to,
                                                   Loads const& loads, Stores const& stores,
                                                   Index const& index, unsigned thread) {
  async_gather<Case, D, From, To, Loads, Stores, Index> const all{from,   to,    loads,
                                                                  stores, index, thread};
  all.issue_all(indices_to<static_cast<int>(Case::plan.issues)>{});
}

template <int D, class Tile, class Index>
AXE_FN constexpr Tile const& tile_behind(indexed_tile<D, Tile, Index> const& x) {
  return x.tile;
}

}  // namespace detail

/// Copies rows index(0), index(1), … of a tensor to a tile.
template <int D, packed_how How = copy_how{}, class Tile, class Scope, class To, class Index>
__device__ __forceinline__ void gather(Tile const& from, Scope scope, To&& to, Index const& index) {
  if constexpr (detail::copy_sides<Tile, To, Scope>::fit) {
    using indexed = detail::indexed_tile<D, detail::operand_type<Tile>, Index>;
    using how = detail::case_without_matrices<indexed, To, Scope, How>;
    indexed const source{detail::operand(from), index};
    auto&& target = detail::operand(to);
    detail::execute_chosen<how>(source, target, scope, detail::row_in_bounds<D, Index>{index});
  }
}
/// gather to shared memory by cp.async. The caller commits and waits.
template <int D, packed_how How = copy_how{}, class Tile, class Scope, class To, class Index>
__device__ __forceinline__ void gather_async(Tile const& from, Scope scope, To const& to,
                                             Index const& index) {
  if constexpr (detail::copy_sides<Tile, To, Scope>::fit) {
    using indexed = detail::indexed_tile<D, detail::operand_type<Tile>, Index>;
    constexpr copy_how given = How;
    using how =
        detail::case_of<indexed, To const, Scope,
                        detail::asked<given>(given.force, given.outside, copy_completion::group)>;
    using stop [[maybe_unused]] = typename detail::verdict<how>::stop;
    indexed const source{detail::operand(from), index};
    auto&& target = detail::operand(to);
    using target_type = detail::stl::remove_cvref_t<decltype(target)>;
    if constexpr (!how::refused) {
      unsigned const thread = detail::number_in<how>(scope);
      typename detail::side_of<how, true, indexed>::type const rows(source, thread);
      typename detail::side_of<how, false, target_type>::type const into(target, thread);
      if constexpr (how::plan.outside == copy_outside::zero) {
        detail::copy_guard<how, true, false> const loads(source.tile, target, thread);
        detail::copy_guard<how, false, true> const stores(source.tile, target, thread);
        detail::gather_by_cp_async<how, D>(rows, into, loads, stores, index, thread);
      } else {
        detail::copy_guard<how, true, true> const both(source.tile, target, thread);
        detail::gather_by_cp_async<how, D>(rows, into, both, both, index, thread);
      }
    }
  }
}
/// Copies a tile to rows index(0), index(1), … of a tensor.
template <int D, packed_how How = copy_how{}, class From, class Scope, class Tile, class Index>
__device__ __forceinline__ void scatter(From const& from, Scope scope, Tile const& to,
                                        Index const& index) {
  if constexpr (detail::copy_sides<From, Tile, Scope>::fit) {
    using indexed = detail::indexed_tile<D, detail::operand_type<Tile>, Index>;
    using how = detail::case_without_matrices<From, indexed, Scope, How>;
    indexed const target{detail::operand(to), index};
    auto&& source = detail::operand(from);
    detail::execute_chosen<how>(source, target, scope, detail::row_in_bounds<D, Index>{index});
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
