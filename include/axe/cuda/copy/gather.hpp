// SPDX-License-Identifier: MIT
// gather, gather_async and scatter: copies of tiles whose rows are selected by an index.
//
//     gather<0>(tile<16, 64>(x, 0, j), staged, cta<128>, [&](unsigned i) { return table[i]; });
//
// Row i of the tile is row index(i) of the tensor, along dimension 0 for <0>. Precondition:
// index(i) is below the extent. If index(i) is below 0, the row is skipped, or zero in a gather
// with zero_fill. Definition: docs/plans.md, "Copy".
#pragma once

#include <axe/cuda/copy/async.hpp>
#include <axe/cuda/copy/copy_if.hpp>

#ifdef __CUDACC__

namespace axe {
inline namespace AXE_NAMESPACE {
namespace detail {

template <int D, class Tile, class Index> struct indexed_tile : Tile {
  Index const& index;
#ifdef AXE_DEBUG
  char const* axe_file;
  int axe_line;
#endif
};

template <class Index>
using row_of =
    stl::conditional_t<(sizeof((*static_cast<Index const*>(nullptr))(0u)) > 4), integer, int>;

template <int D, tile_of_tensor Tile, class Index>
struct copy_operand<indexed_tile<D, Tile, Index>> : copy_operand<Tile> {
  using base = copy_operand<Tile>;
  using row = row_of<Index>;
  static constexpr int dimension = D;
  using S = Tile::shape_type;
  static constexpr leaf stride = Tile::sizes_type::template stride<D>();
  static constexpr integer bytes = sizeof(typename Tile::value_type);

  /// Gives dimension D the stride divisor * (2^26 + 1), so that no mode joins D with another one.
  AXE_FN static constexpr operand_facts rows_apart(operand_facts f, integer divisor) {
    int at = 0;  // the first iter of dimension D
    for (int d = 0; d < D; ++d)
      for (integer left = S::value.extent(d); left > 1; ++at) left /= f.where.shards[at].extent;
    if (S::value.extent(D) > 1) f.where.shards[at].stride = divisor * ((integer{1} << 26) + 1);
    f.alignment = greatest_common_divisor(f.alignment, divisor * bytes);
    f.alignment &= -f.alignment;
    f.edges[D] = 0;
    return f;
  }
  static constexpr operand_facts facts = rows_apart(base::facts, stride.divisor());
  AXE_FN static constexpr operand_facts if_declared_for_16_bytes() {
    return rows_apart(base::if_declared_for_16_bytes(),
                      stride.divisor() * (stride.known() ? 1 : larger(16 / bytes, 1)));
  }
};

template <class Case, int D, class Tile, class Index>
struct indexed_pointers : tile_pointers<Case, Tile, D> {
  using base = tile_pointers<Case, Tile, D>;
  using T = Tile::value_type;
  using Sizes = Tile::sizes_type;
  using row = row_of<Index>;
  indexed_tile<D, Tile, Index> const& tile;
  unsigned thread;
  row selected = 0;
#ifdef AXE_DEBUG
  template <int E> __device__ integer coordinate() const {
    constexpr bool wide = !may_be_negative<typename base::template origin<E>>;
    return as_number<wide>(base::template sum<E, false, false>(tile, thread)());
  }
  template <int... E> __device__ void check_row(row chosen, indices<E...>) const {
    integer const extents[]{tile.sizes.template extent<E>()...};
    integer const at[]{E == D ? integer{chosen} : coordinate<E>()...};
    if (chosen >= extents[D])
      stop_out_of_bounds(tile.data, at, extents, Tile::rank, tile.axe_file, tile.axe_line);
  }
#endif

  __device__ __forceinline__ indexed_pointers(auto const& of, unsigned number)
      : base(of, number), tile(of), thread(number) {}

  /// Multiplies unsigned numbers, because the unused product of a row below 0 may overflow.
  __device__ __forceinline__ T* pointer(auto a) const {
    T* const p = base::pointer(a);
    integer const stride = tile.sizes.template leaf_number<stride_of>();
    if constexpr (sizeof(row) == 4 && bytes_in_32_bits)
      return reinterpret_cast<T*>(
          reinterpret_cast<byte*>(p) +
          static_cast<stl::uint64_t>(static_cast<unsigned>(selected)) *
              (static_cast<unsigned>(stride) * static_cast<unsigned>(sizeof(T))));
    else
      return p + static_cast<integer>(static_cast<stl::uint64_t>(integer{selected}) *
                                      static_cast<stl::uint64_t>(stride));
  }

  template <int Issue> __device__ __forceinline__ row select(bool needed = true) const {
    if (!needed) return -1;
    auto const chosen = static_cast<row>(
        tile.index(tile_coordinate<Case, D>(thread)() +
                   static_cast<unsigned>(as_constant<dimension_step(Case::plan, D, Issue)>)));
#ifdef AXE_DEBUG
    check_row(chosen, indices_to<Tile::rank>{});
#endif
    return chosen;
  }

 private:
  static constexpr leaf stride_of = Sizes::template stride<D>();
  using byte = stl::conditional_t<stl::is_const_v<T>, char const, char>;
  static constexpr integer longest = (integer{1} << 32) / sizeof(T);
  static constexpr bool bytes_in_32_bits =
      stride_of.known()
          ? stride_of.value >= 0 && stride_of.value < longest
          : stride_of.factor() == 1 && stride_of.bound > 0 && stride_of.bound <= longest;
};
template <class Case, bool From, int D, class Tile, class Index>
struct side_of<Case, From, indexed_tile<D, Tile, Index>> {
  using type = global_accesses<Case, indexed_pointers<Case, D, Tile, Index>>;
};

template <class Index>
inline constexpr bool is_index = requires(Index const& index) {
  requires !tile_in_shared_memory<Index> ||
               requires { requires operand_type<Index>::shape_type::value.rank() == 1; };
  requires any_integer<decltype(index(0u))>;
  requires !stl::is_same_v<stl::remove_cvref_t<decltype(index(0u))>, bool>;
};
template <bool HasRows, bool IsFunction, bool HasAll = true> struct index_check {
  static_assert(HasAll,
                "gather and scatter take two sides, a scope and a function: "
                "gather<0>(from, to, axe::warp, [&](unsigned i) { return index(i); })");
  static_assert(
      HasRows,
      "gather<d> and scatter<d> select rows along dimension d of a tile of a tensor: name d, "
      "which must be below the rank of the tile");
  static_assert(IsFunction,
                "gather and scatter take a function that is not mutable: index(i), an integer and "
                "not a bool, is the tensor's row for row i of the tile");
};

/// Calls `index` once for each row of a batch.
template <class Case> struct indexed_execution : copy_execution<Case> {
  using plain = copy_execution<Case>;
  static constexpr bool gathers = requires { Case::source::dimension; };
  using indexed_operand = stl::conditional_t<gathers, typename Case::source, typename Case::target>;
  static constexpr int D = indexed_operand::dimension;
  using row = indexed_operand::row;
  using staged = plain::staged;
  static constexpr bool fills_zeros = plain::plan.outside == copy_outside::zero;

  /// The first access, from `first` on, with the row of access n.
  AXE_FN static constexpr int first_of_row(int first, int n) {
    while (dimension_step(plain::plan, D, first) != dimension_step(plain::plan, D, n)) ++first;
    return first;
  }
  AXE_FN static constexpr bool has_one_row() {
    for (int n = 1; n < plain::issues; ++n)
      if (first_of_row(0, n) != 0) return false;
    return true;
  }
  static constexpr bool one_row = has_one_row();
  static constexpr int batch = one_row ? plain::issues : plain::batch;

  template <int First, int Issue, class Loads, class Stores>
  __device__ __forceinline__ static row select(auto const& from, auto const& to, Loads const& loads,
                                               Stores const& stores) {
    if constexpr (first_of_row(First, Issue) < Issue) {
      return -1;  // not used
    } else {
      bool needed = stores.template in_bounds<D>(test_steps_of<typename Stores::tests, Issue>);
      if constexpr (skips_rows<true>)
        needed = needed && loads.template in_bounds<D>(test_steps_of<typename Loads::tests, Issue>);
      if constexpr (gathers)
        return from.template select<Issue>(needed);
      else
        return to.template select<Issue>(needed);
    }
  }
  template <bool OfLoads> static constexpr bool skips_rows = OfLoads == gathers || !fills_zeros;
  template <bool OfLoads, class Guard>
  __device__ __forceinline__ static Guard guard_of_row(row selected, Guard const& guard) {
    Guard kept = guard;
    if constexpr (skips_rows<OfLoads>) kept.keep_if(selected >= 0);
    return kept;
  }
  template <bool Indexed, class Side>
  __device__ __forceinline__ static Side at_row(row selected, Side const& side) {
    Side moved = side;
    if constexpr (Indexed) moved.selected = selected;
    return moved;
  }
  template <int First, int... Access, class From, class To, class Loads, class Stores>
  __device__ __forceinline__ static void run_batch(indices<Access...>, From const& from,
                                                   To const& to, Loads loads, Stores stores) {
    row const rows[]{select<First, First + Access>(from, to, loads, stores)...};
    if constexpr (one_row) {
      if constexpr (fills_zeros && gathers) loads.keep_if(rows[0] >= 0);
      if ((fills_zeros && gathers) || rows[0] >= 0)
        run_batches<Case, 0>(plain{}, at_row<gathers>(rows[0], from), at_row<!gathers>(rows[0], to),
                             loads, stores);
    } else {
      row const of[]{rows[first_of_row(First, First + Access) - First]...};
      struct {
        staged at[sizeof...(Access)];
      } in_flight;
      if constexpr (plain::keeps_old_values)
        ((in_flight.at[Access] = to.load(access_at<To, First + Access>, typename plain::all{})),
         ...);
      (plain::load(at_row<gathers>(of[Access], from), guard_of_row<true>(of[Access], loads),
                   issue_at<From, Loads, First + Access>, in_flight.at[Access]),
       ...);
      (plain::store(at_row<!gathers>(of[Access], to), guard_of_row<false>(of[Access], stores),
                    issue_at<To, Stores, First + Access>, in_flight.at[Access]),
       ...);
    }
  }
};

template <int D, class Tile, class Index> struct index_result {
  using type = result_if<has_dimension<D, Tile>() && is_index<Index>,
                         index_check<has_dimension<D, Tile>(), is_index<Index>>>;
};
template <int D, class Tile, class Index>
using indexed = indexed_tile<D, typename named_operand<Tile>::type, Index>;
}  // namespace detail

/// Copies rows index(0), index(1), … of a tensor to a tile.
template <
    int D = -1, packed_how How = copy_how{}, class Tile, class To, class Scope, class Index,
    class Planned = detail::case_without_matrices<detail::indexed<D, Tile, Index>, To, Scope, How>,
    class Result = typename detail::copy_call<
        Tile, To, Scope, Planned, typename detail::index_result<D, Tile, Index>::type>::type>
__device__ __forceinline__ Result gather(Tile const& from, To&& to, Scope scope,
                                         Index const& index AXE_CALLED_FROM) {
  using namespace detail;
  if constexpr (stl::is_same_v<Result, void>)
    execute<Result, Planned, indexed_execution>(
        indexed<D, Tile, Index>{operand(from), index AXE_CALLER}, to, scope AXE_CALLER);
  return Result();
}
template <int = -1, packed_how = copy_how{}, class... None>
__device__ auto gather(detail::any_argument, detail::any_argument, detail::any_argument = {}) {
  return detail::index_check<true, true, detail::never<None...>>();
}
/// Gathers to shared memory by cp.async. The caller commits and waits.
template <int D = -1, packed_how How = copy_how{}, class Tile, class To, class Scope, class Index,
          class Planned = detail::group_case<detail::indexed<D, Tile, Index>, To const, Scope, How>,
          class Result = typename detail::copy_call<
              Tile, To, Scope, Planned, typename detail::index_result<D, Tile, Index>::type>::type>
__device__ __forceinline__ Result gather_async(Tile const& from, To const& to, Scope scope,
                                               Index const& index AXE_CALLED_FROM) {
  using namespace detail;
  return execute<Result, Planned, async_execution>(
      indexed<D, Tile, Index>{operand(from), index AXE_CALLER}, to, scope AXE_CALLER);
}
/// Copies a tile to rows index(0), index(1), … of a tensor.
template <int D = -1, packed_how How = copy_how{}, class From, class Tile, class Scope, class Index,
          class Planned =
              detail::case_without_matrices<From, detail::indexed<D, Tile, Index>, Scope, How>,
          class Result =
              typename detail::copy_call<From, Tile, Scope, Planned,
                                         typename detail::index_result<D, Tile, Index>::type>::type>
__device__ __forceinline__ Result scatter(From const& from, Tile const& to, Scope scope,
                                          Index const& index AXE_CALLED_FROM) {
  using namespace detail;
  if constexpr (stl::is_same_v<Result, void>)
    execute<Result, Planned, indexed_execution>(
        from, indexed<D, Tile, Index>{operand(to), index AXE_CALLER}, scope AXE_CALLER);
  return Result();
}
template <int = -1, packed_how = copy_how{}, class... None>
__device__ auto scatter(detail::any_argument, detail::any_argument, detail::any_argument = {}) {
  return detail::index_check<true, true, detail::never<None...>>();
}

}  // namespace AXE_NAMESPACE
}  // namespace axe

#endif
