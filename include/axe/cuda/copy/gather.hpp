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

#if defined(__CUDACC__)

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int D, class Tile, class Index> struct indexed_tile : Tile {
  Index const& index;
};

template <int D, tile_of_tensor Tile, class Index>
struct copy_operand<indexed_tile<D, Tile, Index>> : copy_operand<Tile> {
  using base = copy_operand<Tile>;
  using S = typename Tile::shape_type;
  static constexpr leaf stride = Tile::sizes_type::template stride<D>();

  /// Two selected rows may have any distance. The planner knows only that it is a multiple of the
  /// stride's divisor.
  AXE_FN static constexpr operand_facts make() {
    operand_facts f = base::facts;
    int at = 0;
    for (int d = 0; d < D; ++d) at += S::value.extent(d) > 1;
    if (S::value.extent(D) > 1)
      f.where.shards[at].stride = stride.divisor() * ((integer{1} << 26) + 1);
    f.alignment = greatest_common_divisor(
        f.alignment, stride.divisor() * integer{sizeof(typename Tile::value_type)});
    f.alignment &= -f.alignment;
    f.edges[D] = 0;
    return f;
  }
  static constexpr operand_facts facts = make();
  AXE_FN static constexpr bool may_be_below(int d) { return d != D && base::may_be_below(d); }
};

/// False for an index below 0, which selects no row. Unsigned 32-bit indices are converted to int.
template <class Number> __device__ __forceinline__ bool names_row(Number row) {
  using as_signed = stl::conditional_t<(sizeof(Number) > 4), integer, int>;
  return static_cast<as_signed>(row) >= 0;
}

/// The pointers of an indexed tile. Each access computes index(i) * stride for its row.
template <class Case, int D, class Tile, class Index>
struct indexed_pointers : tile_pointers<Case, Tile, D> {
  using base = tile_pointers<Case, Tile, D>;
  using T = typename Tile::value_type;
  using Sized = typename Tile::sizes_type;
  Sized const& sizes;
  Index const& index;
  unsigned thread;

  template <class Indexed>
  __device__ __forceinline__ indexed_pointers(Indexed const& of, unsigned number)
      : base(of, number), sizes(of.sizes), index(of.index), thread(number) {}

  AXE_FN static constexpr bool steps_alone() { return false; }
  template <int Issue> __device__ __forceinline__ bool has_row() const {
    return names_row(row<Issue>());
  }
  template <int Issue> __device__ __forceinline__ T* pointer(constant<Issue> issue) const {
    auto const number = row<Issue>();
    integer const stride = sizes.template leaf_number<stride_of>();
    T* const in_row = base::pointer(issue);
    if constexpr (sizeof(number) == 4 && bytes_in_32_bits)
      return reinterpret_cast<T*>(
          reinterpret_cast<byte*>(in_row) +
          static_cast<stl::uint64_t>(static_cast<unsigned>(number)) *
              (static_cast<unsigned>(stride) * static_cast<unsigned>(sizeof(T))));
    else
      return in_row + static_cast<integer>(number) * stride;
  }

 private:
  static constexpr leaf stride_of = Sized::template stride<D>();
  using byte = stl::conditional_t<stl::is_const_v<T>, char const, char>;
  static constexpr integer longest = (integer{1} << 32) / sizeof(T);
  static constexpr bool bytes_in_32_bits =
      stride_of.known()
          ? stride_of.value >= 0 && stride_of.value < longest
          : stride_of.factor() == 1 && stride_of.bound > 0 && stride_of.bound <= longest;
  template <int Issue> __device__ __forceinline__ auto row() const {
    return index(tile_coordinate<Case, D>(thread)() +
                 static_cast<unsigned>(as_constant<dimension_step(Case::plan, D, Issue)>));
  }
};
template <class Case, bool From, int D, class Tile, class Index>
struct side_of<Case, From, indexed_tile<D, Tile, Index>> {
  using type = global_accesses<Case, indexed_pointers<Case, D, Tile, Index>>;
};

template <class Index> struct index_check {
  static constexpr bool passed = requires(Index const& index) { index(0u); };
  static_assert(passed,
                "gather takes a function of a row of the tile: index(i) is the row of the "
                "tensor");
};

template <int D, class Index> struct row_in_bounds {
  Index const& index;

  template <class... Coordinates>
  __device__ __forceinline__ bool operator()(Coordinates... coordinates) const {
    unsigned const all[]{coordinates...};
    return names_row(index(all[D]));
  }
};
template <int D, class Index> inline constexpr int tested_dimension<row_in_bounds<D, Index>> = D;

}  // namespace detail

/// Copies rows index(0), index(1), … of a tensor to a tile.
template <int D, packed_how How = copy_how{}, class Tile, class Scope, class To, class Index>
__device__ __forceinline__ void gather(Tile const& from, Scope scope, To&& to, Index const& index) {
  if constexpr (detail::scope_check<Scope>::passed && detail::copy_sides<Tile, To>::fit &&
                detail::index_check<Index>::passed) {
    using indexed = detail::indexed_tile<D, detail::operand_type<Tile>, Index>;
    using how = detail::case_without_matrices<indexed, To, Scope, How>;
    detail::execute_chosen<how>(indexed{detail::operand(from), index}, detail::operand(to), scope,
                                detail::row_in_bounds<D, Index>{index});
  }
}
/// Gathers to shared memory by cp.async. The caller commits and waits.
template <int D, packed_how How = copy_how{}, class Tile, class Scope, class To, class Index>
__device__ __forceinline__ void gather_async(Tile const& from, Scope scope, To const& to,
                                             Index const& index) {
  if constexpr (detail::scope_check<Scope>::passed && detail::copy_sides<Tile, To>::fit &&
                detail::index_check<Index>::passed) {
    using indexed = detail::indexed_tile<D, detail::operand_type<Tile>, Index>;
    using how = detail::case_of<indexed, To const, Scope,
                                detail::asked(How, copy_instruction::any, copy_completion::group)>;
    using stop [[maybe_unused]] = typename detail::verdict<how>::stop;
    if constexpr (!how::refused)
      detail::execute<how>(detail::async_execution<how>{}, indexed{detail::operand(from), index},
                           detail::operand(to), scope);
  }
}
/// Copies a tile to rows index(0), index(1), … of a tensor.
template <int D, packed_how How = copy_how{}, class From, class Scope, class Tile, class Index>
__device__ __forceinline__ void scatter(From const& from, Scope scope, Tile const& to,
                                        Index const& index) {
  if constexpr (detail::scope_check<Scope>::passed && detail::copy_sides<From, Tile>::fit &&
                detail::index_check<Index>::passed) {
    using indexed = detail::indexed_tile<D, detail::operand_type<Tile>, Index>;
    using how = detail::case_without_matrices<From, indexed, Scope, How>;
    detail::execute_chosen<how>(detail::operand(from), indexed{detail::operand(to), index}, scope,
                                detail::row_in_bounds<D, Index>{index});
  }
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
